#include "report/typeset.h"

#include <string.h>

#include "report/hyphenate.h"
#include "report/layout.h"
#include "report/page.h"

static const double measure = 390; /* 70 characters of 11 pt */
static const double foot_size = 9.2;
static const double mark_size = 13;
static const struct color mark_color = {0xc0, 0x10, 0x10, 0};
static const struct color foot_color = {0x55, 0x55, 0x55, 0};

bool typeset_paper_named(const char *name, enum typeset_paper *out) {
  static const char *const names[] = {"a4", "letter"};
  for (int i = 0; i < 2; i++)
    if (strcmp(name, names[i]) == 0) {
      *out = (enum typeset_paper)i;
      return true;
    }
  return false;
}

/* One run of the typesetter. */
struct run {
  struct arena *arena;
  struct layout layout;
  struct layout_title title;
  struct layout_place place;
  struct flow flow;
  struct pages pages;
  struct box **notes;
  const char *foot;
  bool is_english;
  struct box **numbers; /* "page x of y", by page */
};

static const char *front_value(const struct document *document,
                               const char *given, const char *key) {
  return given ? given : front_matter_value(&document->front, key, NULL);
}

static void read_title(struct run *run, const struct document *document,
                       const struct typeset_options *options) {
  const struct front_field *field =
      front_matter_field(&document->front, "title");
  run->title = (struct layout_title){
      .above_left = options->above_left,
      .above_right = options->above_right,
      .title = front_value(document, options->title, "title"),
      .subtitle = front_value(document, NULL, "subtitle"),
      .author = front_value(document, options->author, "author"),
      .description =
          front_value(document, options->description, "description")};
  for (int i = 0; i < TYPESET_FIELDS && i < LAYOUT_FIELDS; i++)
    run->title.fields[i] = options->fields[i];
  run->title.field_end = options->field_end;
  if (!options->above_left && !options->above_right)
    run->title.date = front_value(document, NULL, "date");
  if (field) run->title.at = field->place;
  run->foot = front_value(document, options->foot, "short-title");
  if (!run->foot) run->foot = run->title.title;
}

/* Headings are set by their rank among those that occur. */
static int outer_level(const struct document *document) {
  int level = 7;
  for (const struct block *b = document->blocks; b; b = b->next)
    if (b->type == BLOCK_HEADING && b->level < level) level = b->level;
  return level == 7 ? 1 : level;
}

static int set_notes(struct run *run, const struct document *document,
                     struct error *err) {
  size_t count = document->note_count;
  run->notes = arena_alloc(run->arena, (count + 1) * sizeof *run->notes);
  for (size_t i = 0; i < count; i++)
    if (layout_note(&run->layout, document->notes[i], run->place.width,
                    &run->notes[i], err) != 0)
      return -1;
  return 0;
}

static int set_label(struct run *run, const char *text, struct box **out,
                     struct error *err) {
  return layout_label(&run->layout, FONT_ROMAN, foot_size, foot_color, text,
                      run->title.at, out, err);
}

static int set_numbers(struct run *run, struct error *err) {
  size_t count = run->pages.count;
  run->numbers = arena_alloc(run->arena, (count + 1) * sizeof *run->numbers);
  for (size_t i = 0; i < count; i++) {
    const char *text = arena_printf(
        run->arena, run->is_english ? "page %zu of %zu" : "%zu / %zu", i + 1,
        count);
    if (set_label(run, text, &run->numbers[i], err) != 0) return -1;
  }
  return 0;
}

static struct box *number_of(void *context, size_t page, size_t count) {
  const struct run *run = context;
  return page < count ? run->numbers[page] : NULL;
}

/* Shorten the running foot until it leaves room for the page's number. */
static int set_foot(struct run *run, struct box **out, struct error *err) {
  *out = NULL;
  if (!run->foot) return 0;
  size_t length = strlen(run->foot);
  const char *text = run->foot;
  for (;;) {
    if (set_label(run, text, out, err) != 0) return -1;
    if ((*out)->width < 0.75 * run->place.width || length < 8) return 0;
    do
      length--;
    while (length > 0 && run->foot[length] != ' ');
    text =
        arena_printf(run->arena, "%.*s \xe2\x80\xa6", (int)length, run->foot);
  }
}

static int draw(struct run *run, const struct document *document,
                const struct typeset_options *options,
                const struct page_geometry *geometry, struct device *device,
                struct error *err) {
  struct document_info info = {
      .title = run->title.title,
      .author = run->title.author,
      .subject = run->title.description,
      .keywords = front_value(document, options->keywords, "keywords"),
      .language = document->language,
      .creator = "Pinpress"};
  struct foot foot = {.number = number_of, .context = run};
  if (set_numbers(run, err) != 0 || set_foot(run, &foot.left, err) != 0)
    return -1;
  const char *mark = front_value(document, options->mark, "mark");
  if (mark && layout_label(&run->layout, FONT_BOLD, mark_size, mark_color, mark,
                           run->title.at, &foot.head, err) != 0)
    return -1;
  device->begin_document(device, &info);
  pages_draw(&run->pages, geometry, &foot, run->place.path, device);
  device->end_document(device);
  return 0;
}

static void prepare(struct run *run, const struct document *document,
                    const struct typeset_options *options,
                    struct font_set *fonts, struct hyphenator *hyphenator,
                    const struct page_geometry *geometry) {
  const struct layout_style *style = &layout_default_style;
  run->flow.arena = run->arena;
  run->layout = (struct layout){.fonts = fonts,
                                .arena = run->arena,
                                .words = word_cache_new(fonts, run->arena),
                                .hyphenator = hyphenator,
                                .document = document,
                                .style = style,
                                .page_height = geometry->text_height,
                                .heading_level = outer_level(document),
                                .flow = &run->flow};
  run->place = (struct layout_place){.width = geometry->text_width,
                                     .size = style->size,
                                     .leading = style->leading};
  run->place.path =
      layout_path(&run->layout, NULL, layout_tag(&run->layout, TAG_DOCUMENT));
  run->is_english = strncmp(document->language, "en", 2) == 0;
  read_title(run, document, options);
  run->layout.has_title = run->title.title != NULL;
}

/* Less than this share of a page on the last one is too little. */
static const double short_page = 0.16;
enum { LONGER_BY = 2 }; /* lines that all pages may gain to save it */

static bool ends_short(const struct pages *pages,
                       const struct page_geometry *geometry) {
  const struct page *last = &pages->pages[pages->count - 1];
  if (pages->count < 2 || last->count == 0) return false;
  const struct placed *lowest = &last->items[last->count - 1];
  return lowest->y + lowest->item->depth < short_page * geometry->text_height;
}

/* Cut into pages; when the last is nearly empty, see whether pages that are a
 * line or two longer do without it. */
static int build_pages(struct run *run, struct page_options *options,
                       struct error *err) {
  if (pages_build(&run->flow, options, &run->pages, err) != 0) return -1;
  bool is_short = ends_short(&run->pages, &options->geometry);
  for (int lines = 1; is_short && lines <= LONGER_BY; lines++) {
    struct page_options longer = *options;
    struct pages pages;
    longer.geometry.text_height += lines * run->layout.style->leading;
    if (pages_build(&run->flow, &longer, &pages, err) != 0) return -1;
    is_short = pages.count >= run->pages.count;
    if (is_short) {
      pages_free(&pages);
      continue;
    }
    pages_free(&run->pages);
    run->pages = pages;
  }
  return 0;
}

int typeset(const struct document *document,
            const struct typeset_options *options, struct font_set *fonts,
            struct arena *arena, struct device *device,
            const char **unhyphenated, struct error *err) {
  bool is_a4 = options->paper == PAPER_A4;
  struct page_geometry geometry =
      page_geometry(is_a4 ? 595.276 : 612, is_a4 ? 841.89 : 792, measure,
                    layout_default_style.leading);
  struct run run = {.arena = arena};
  struct hyphenator *hyphenator = hyphenator_new(document->language);
  if (unhyphenated) *unhyphenated = hyphenator ? NULL : document->language;
  font_set_language(fonts, document->language);
  prepare(&run, document, options, fonts, hyphenator, &geometry);
  struct page_options pages = {.geometry = geometry, .arena = run.arena};
  int status = -1;
  if (set_notes(&run, document, err) != 0 ||
      layout_title(&run.layout, &run.title, run.place, err) != 0 ||
      layout_blocks(&run.layout, document->blocks, run.place, err) != 0)
    goto cleanup;
  pages.notes = run.notes;
  if (build_pages(&run, &pages, err) != 0) goto cleanup;
  status = draw(&run, document, options, &geometry, device, err);
cleanup:
  pages_free(&run.pages);
  flow_free(&run.flow);
  word_cache_free(run.layout.words);
  hyphenator_free(hyphenator);
  return status;
}

void typeset_print_unhyphenated(const char *language, FILE *stream) {
  if (language != NULL)
    fprintf(stream, "note: no hyphenation for language \"%s\" is installed\n",
            language);
}

int typeset_pdf(const struct document *document,
                const struct typeset_options *options, struct buffer *out,
                const char **unhyphenated, struct error *err) {
  struct arena arena = {0};
  struct font_set *fonts = NULL;
  struct device *device = NULL;
  int status = -1;
  if (font_set_load(NULL, &fonts, err) != 0) goto cleanup;
  device = device_pdf_new(fonts);
  if (typeset(document, options, fonts, &arena, device, unhyphenated, err) != 0)
    goto cleanup;
  status = device_finish(device, out, err);
cleanup:
  device_free(device);
  font_set_free(fonts);
  arena_free(&arena);
  return status;
}
