/* What must hold of every page: nothing outside its margins or over another
 * line, the text in the order of the elements as it stands in the source. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/page_support.h"

/* ---- a device that watches ----------------------------------------------- */

enum { MOST_NODES = 20000, DEEPEST = 200 };

/* An element with its text and children, in the order they came. */
struct node {
  const struct tag *tag;
  struct buffer text; /* a child stands as 0x01 and its index, 4 digits hex */
};

/* Where a run stands; a formula's runs are one owner's. */
struct area {
  double left, right, bottom, top;
  const void *owner;
};

enum { MOST_AREAS = 4000 };

struct watcher {
  struct device device;
  struct node nodes[MOST_NODES];
  size_t count, open[DEEPEST], depth;
  int pages, turned;
  double width, height;
  struct area *areas; /* of the page, that nothing else may touch */
  size_t area_count;
  struct buffer trouble;
};

static struct watcher *watcher_of(struct device *device) {
  return (struct watcher *)device;
}

static void trouble(struct watcher *w, const char *what, const char *text,
                    double x, double y) {
  if (w->trouble.length > 2000) return;
  buffer_printf(&w->trouble, "page %d: %s at %.2f, %.2f: \"%.40s\"\n", w->pages,
                what, x, y, text);
}

static void on_document(struct device *device,
                        const struct document_info *info) {
  (void)device, (void)info;
}

static void on_end(struct device *device) {
  (void)device;
}

/* No two areas of different owners overlap by more than an accent's worth. */
static void on_end_page(struct device *device) {
  struct watcher *w = watcher_of(device);
  for (size_t i = 0; i < w->area_count; i++)
    for (size_t k = 0; k < i; k++) {
      const struct area *a = &w->areas[i], *b = &w->areas[k];
      double across = fmin(a->right, b->right) - fmax(a->left, b->left);
      double along = fmin(a->top, b->top) - fmax(a->bottom, b->bottom);
      if (a->owner != b->owner && across > 1.5 && along > 0.3)
        trouble(w, "collision", "", fmax(a->left, b->left), a->bottom);
    }
  w->area_count = 0;
}

static const void *formula_of(const struct watcher *w) {
  for (size_t i = 0; i < w->depth; i++) {
    enum tag_role role = w->nodes[w->open[i]].tag->role;
    if (role == TAG_FORMULA || role == TAG_FIGURE)
      return w->nodes[w->open[i]].tag;
  }
  return NULL;
}

static void on_page(struct device *device, double width, double height) {
  struct watcher *w = watcher_of(device);
  w->pages++;
  w->width = width;
  w->height = height;
}

static bool in_artifact(const struct watcher *w) {
  for (size_t i = 0; i < w->depth; i++)
    if (w->nodes[w->open[i]].tag->role == TAG_ARTIFACT) return true;
  return w->depth == 0;
}

static void on_glyphs(struct device *device, const struct glyph_run *run,
                      double x, double y, struct color color) {
  struct watcher *w = watcher_of(device);
  (void)color;
  double end = x + run->width;
  if (run->length && run->text[run->length - 1] == ' ')
    end -= run->glyphs[run->count - 1].advance;
  double margin = (w->width - 390) / 2;
  bool outside = x < margin - 20 || end > w->width - margin + 2 ||
                 y - run->depth < 20 || y + run->height > w->height - 20;
  if (outside && !w->turned) trouble(w, "outside", run->text, x, y);
  const void *formula = formula_of(w);
  assert_true(w->area_count < MOST_AREAS);
  w->areas[w->area_count++] =
      (struct area){x, end, y - run->depth, y + run->height,
                    formula ? formula : (const void *)run};
  if (in_artifact(w)) return;
  buffer_add(&w->nodes[w->open[w->depth - 1]].text, run->text, run->length);
}

static void on_rectangle(struct device *device, double x, double y,
                         double width, double height, struct color color) {
  struct watcher *w = watcher_of(device);
  (void)color;
  if (w->turned) return;
  if (x < 0 || y < 0 || x + width > w->width || y + height > w->height)
    trouble(w, "rectangle outside", "", x, y);
}

static void on_path(struct device *device, const struct path *path,
                    const struct paint *paint, double x, double y) {
  struct watcher *w = watcher_of(device);
  (void)paint;
  for (size_t i = 0; i < path->point_count && !w->turned; i++) {
    double px = x + path->points[i].x, py = y + path->points[i].y;
    if (px < 0 || py < 0 || px > w->width || py > w->height)
      trouble(w, "path outside", "", px, py);
  }
}

static void on_push(struct device *device, const struct matrix *matrix) {
  (void)matrix;
  watcher_of(device)->turned++;
}

static void on_clip(struct device *device, double x, double y, double width,
                    double height) {
  (void)x, (void)y, (void)width, (void)height;
  watcher_of(device)->turned++;
}

static void on_pop(struct device *device) {
  watcher_of(device)->turned--;
}

static void on_begin_tag(struct device *device, const struct tag *tag) {
  struct watcher *w = watcher_of(device);
  size_t index = 1;
  while (index < w->count && w->nodes[index].tag != tag)
    index++;
  if (index == w->count) {
    assert_true(w->count < MOST_NODES);
    w->nodes[w->count++].tag = tag;
    size_t parent = w->depth ? w->open[w->depth - 1] : 0;
    buffer_printf(&w->nodes[parent].text, "\1%04zx", index);
  }
  assert_true(w->depth < DEEPEST);
  w->open[w->depth++] = index;
}

static void on_end_tag(struct device *device) {
  watcher_of(device)->depth--;
}

static void on_link(struct device *device, double x, double y, double width,
                    double height, const char *target) {
  struct watcher *w = watcher_of(device);
  double margin = (w->width - 390) / 2;
  if (x < margin - 1 || x + width > w->width - margin + 2 || height <= 0)
    trouble(w, "link outside", target, x, y);
}

static void on_destination(struct device *device, const char *name, double x,
                           double y) {
  (void)device, (void)name, (void)x, (void)y;
}

static void on_outline(struct device *device, int level, const char *title,
                       const char *destination) {
  (void)device, (void)level, (void)title, (void)destination;
}

static int on_finish(struct device *device, struct buffer *out,
                     struct error *err) {
  (void)device, (void)out, (void)err;
  return 0;
}

static struct watcher *watcher_new(void) {
  struct watcher *w = calloc(1, sizeof *w);
  w->device = (struct device){
      .begin_document = on_document,
      .end_document = on_end,
      .begin_page = on_page,
      .end_page = on_end_page,
      .glyphs = on_glyphs,
      .rectangle = on_rectangle,
      .path = on_path,
      .push_matrix = on_push,
      .push_clip = on_clip,
      .pop = on_pop,
      .begin_tag = on_begin_tag,
      .end_tag = on_end_tag,
      .link = on_link,
      .destination = on_destination,
      .outline = on_outline,
      .finish = on_finish,
  };
  w->areas = calloc(MOST_AREAS, sizeof *w->areas);
  w->count = 1; /* the root */
  return w;
}

static void watcher_free(struct watcher *w) {
  for (size_t i = 0; i < w->count; i++)
    buffer_free(&w->nodes[i].text);
  buffer_free(&w->trouble);
  free(w->areas);
  free(w);
}

/* ---- text in the order of the elements ----------------------------------- */

/* Soft hyphens left out, any white space as one space, none at the ends of a
 * block, which are newlines. */
static void add_text(struct buffer *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    const char *pair = i + 1 < length ? text + i : "  ";
    if (memcmp(pair, "\xc2\xad", 2) == 0) {
      i++;
      continue;
    }
    bool is_fixed = memcmp(pair, "\xc2\xa0", 2) == 0;
    if (is_fixed) i++;
    if (!is_fixed && !strchr(" \t\n", text[i])) {
      buffer_char(out, text[i]);
      continue;
    }
    bool follows = out->length && !strchr(" \n", out->bytes[out->length - 1]);
    if (follows) buffer_char(out, ' ');
  }
}

static void end_block(struct buffer *out) {
  while (out->length && out->bytes[out->length - 1] == ' ')
    out->bytes[--out->length] = 0;
  if (out->length && out->bytes[out->length - 1] != '\n')
    buffer_char(out, '\n');
}

/* Code has its line ends where the page puts them: no space counts. */
static void add_code(struct buffer *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!strchr(" \t\n", text[i])) buffer_char(out, text[i]);
}

static bool is_left_out(const struct tag *tag) {
  return tag->role == TAG_ARTIFACT || tag->role == TAG_LABEL ||
         tag->role == TAG_REFERENCE || tag->role == TAG_NOTE ||
         tag->role == TAG_FIGURE;
}

static bool is_block(enum tag_role role) {
  return (role >= TAG_H1 && role <= TAG_PARAGRAPH) || role == TAG_CAPTION ||
         role == TAG_HEADER_CELL || role == TAG_CELL ||
         role == TAG_BIBLIOGRAPHY_ENTRY;
}

static void tagged_text(const struct watcher *w, size_t index, bool in_block,
                        struct buffer *out);

static void node_text(const struct watcher *w, const struct node *node,
                      bool in_block, struct buffer *out) {
  bool is_code = node->tag && node->tag->role == TAG_CODE;
  const char *text = node->text.bytes;
  size_t length = node->text.length;
  for (size_t i = 0; i < length;) {
    const char *child = memchr(text + i, 1, length - i);
    size_t end = child ? (size_t)(child - text) : length;
    (is_code ? add_code : add_text)(out, text + i, end - i);
    if (!child) break;
    char digits[5] = {0};
    memcpy(digits, child + 1, 4);
    tagged_text(w, strtoul(digits, NULL, 16), in_block, out);
    i = end + 5;
  }
}

static void tagged_text(const struct watcher *w, size_t index, bool in_block,
                        struct buffer *out) {
  const struct node *node = &w->nodes[index];
  enum tag_role role = node->tag ? node->tag->role : TAG_DOCUMENT;
  if (node->tag && is_left_out(node->tag)) return;
  bool starts = is_block(role) || (role == TAG_FORMULA && !in_block);
  if (starts) end_block(out);
  if (role == TAG_FORMULA)
    add_text(out, node->tag->alt, strlen(node->tag->alt));
  else
    node_text(w, node, in_block || starts, out);
  if (starts) end_block(out);
}

static void source_spans(const struct span *spans, struct buffer *out) {
  for (const struct span *s = spans; s; s = s->next) {
    struct buffer text = {0};
    struct span alone = *s;
    alone.next = NULL;
    document_plain_text(&alone, &text);
    if (s->type == SPAN_CODE)
      add_code(out, text.bytes, text.length);
    else if (text.length)
      add_text(out, text.bytes, text.length);
    buffer_free(&text);
  }
}

static void source_block(const struct span *spans, struct buffer *out) {
  end_block(out);
  source_spans(spans, out);
  end_block(out);
}

static void source_caption(const struct block *block, const char *word,
                           struct buffer *out) {
  if (block->number == 0) return;
  buffer_printf(out, "%s %d. ", word, block->number);
  source_spans(block->spans, out);
  end_block(out);
}

static void source_table(const struct table *table, struct buffer *out) {
  for (size_t i = 0; i < table->columns; i++)
    source_block(table->head[i].spans, out);
  for (size_t i = 0; i < table->rows * table->columns; i++)
    source_block(table->cells[i].spans, out);
}

static void source_formula(const struct math_formula *formula,
                           struct buffer *out) {
  struct buffer words = {0};
  math_speak(formula, &words);
  add_text(out, words.bytes, words.length);
  end_block(out);
  buffer_free(&words);
}

static void source_text(const struct document *document,
                        const struct block *blocks, struct buffer *out) {
  for (const struct block *b = blocks; b; b = b->next) {
    end_block(out);
    switch (b->type) {
    case BLOCK_FIGURE:
      source_caption(b, "Figure", out);
      break;
    case BLOCK_TABLE:
      source_caption(b, "Table", out);
      source_table(b->table, out);
      break;
    case BLOCK_MATHS:
      source_formula(b->formula, out);
      break;
    case BLOCK_CODE:
      add_code(out, b->text, strlen(b->text));
      break;
    case BLOCK_REFERENCES:
      if (document->reference_count) buffer_text(out, "References\n");
      for (size_t i = 0; i < document->reference_count; i++)
        source_block(document->references[i]->spans, out);
      break;
    default:
      source_block(b->spans, out);
      source_text(document, b->child, out);
    }
  }
  end_block(out);
}

/* ---- long documents ------------------------------------------------------ */

static uint32_t next_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

static void random_sentence(uint32_t *seed, size_t words, struct buffer *out) {
  static const char *const bank[] = {"normalisation",
                                     "the",
                                     "gradient",
                                     "*vanishes*",
                                     "in",
                                     "`x_hat`",
                                     "and",
                                     "every",
                                     "direction",
                                     "of",
                                     "$\\hat x^\\top g = 0$",
                                     "effective",
                                     "difference",
                                     "a",
                                     "projection",
                                     "removes",
                                     "two",
                                     "**exactly**",
                                     "affine",
                                     "parameters",
                                     "with",
                                     "respect",
                                     "to",
                                     "its",
                                     "[a link](https://example.org/)",
                                     "measurement"};
  for (size_t i = 0; i < words; i++) {
    const char *word = bank[next_random(seed) % (sizeof bank / sizeof *bank)];
    buffer_printf(out, "%s%s", i ? " " : "", word);
  }
  buffer_text(out, ". ");
}

static void random_block(uint32_t *seed, struct buffer *out) {
  size_t words = 5 + next_random(seed) % 90;
  switch (next_random(seed) % 13) {
  case 0:
    buffer_text(out, "## Section\n\n");
    return;
  case 1:
    buffer_text(out, "$$\\frac{\\partial y}{\\partial x} = \\frac1\\sigma "
                     "\\left(I - \\frac{\\hat x \\hat x^\\top}{d}\\right)$$"
                     "\n\n");
    return;
  case 2:
    for (int i = 0; i < 3; i++) {
      buffer_text(out, "- ");
      random_sentence(seed, words / 4 + 1, out);
      buffer_char(out, '\n');
    }
    buffer_char(out, '\n');
    return;
  case 3:
    buffer_text(out,
                "```c\nint main(void) {\n\n  return 0; /* a long line that "
                "has to be wrapped because it is wider than the page */\n"
                "}\n```\n\n");
    return;
  case 4:
    buffer_text(out, "| name | share |\n|:--|--:|\n| first | 0.1 |\n"
                     "| $\\sigma$ | 0.22 |\n\n");
    return;
  case 5:
    buffer_text(out, "> ");
    random_sentence(seed, words, out);
    buffer_text(out, "\n\n");
    return;
  case 6:
    buffer_text(out, "Table: ");
    random_sentence(seed, words / 2, out);
    buffer_printf(out, "{#tab-%u}\n\n| a long heading | b |\n|:--|:-:|\n| ",
                  *seed);
    random_sentence(seed, words, out);
    buffer_text(out, " | ");
    random_sentence(seed, words / 3, out);
    buffer_text(out, " |\n\n");
    return;
  case 7:
    buffer_printf(out, "![alt](square.svg \"A figure.\"){#fig-%u}\n\n", *seed);
    return;
  case 8:
    buffer_text(out, "A note[^n");
    buffer_printf(out,
                  "%u] here, in _words that are all set in italics and "
                  "may well go on into a second line_.\n\n[^n%u]: ",
                  *seed, *seed);
    random_sentence(seed, words / 2, out);
    buffer_text(out, "\n\n");
    return;
  default:
    random_sentence(seed, words, out);
    buffer_text(out, "\n\n");
  }
}

static void check_document(uint32_t seed, enum typeset_paper paper) {
  struct buffer text = {0}, drawn = {0}, written = {0}, none = {0};
  struct document document;
  struct error err;
  struct arena arena = {0};
  uint32_t random = seed;
  buffer_text(&text, "# Start\n\n");
  for (int i = 0; i < 60; i++)
    random_block(&random, &text);
  read_document("tests/spec/page/t.md", text.bytes, text.length, &document);
  struct watcher *w = watcher_new();
  struct typeset_options options = {.paper = paper};
  if (draw(&document, &options, &arena, &w->device, &none, &err) != 0)
    fail_msg("seed %u: %s", seed, err.text);
  if (w->trouble.length) fail_msg("seed %u: %s", seed, w->trouble.bytes);
  tagged_text(w, 0, false, &drawn);
  source_text(&document, document.blocks, &written);
  if (strcmp(drawn.bytes, written.bytes) != 0) {
    size_t i = 0;
    while (drawn.bytes[i] == written.bytes[i])
      i++;
    size_t from = i > 30 ? i - 30 : 0;
    fail_msg("seed %u: drawn \"%.80s\", written \"%.80s\"", seed,
             drawn.bytes + from, written.bytes + from);
  }
  watcher_free(w);
  arena_free(&arena);
  document_free(&document);
  buffer_free(&text);
  buffer_free(&drawn);
  buffer_free(&written);
  buffer_free(&none);
}

static void test_long_documents(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= 24; seed++)
    check_document(seed, seed % 2 ? PAPER_A4 : PAPER_LETTER);
}

int main(void) {
  struct error err;
  if (font_set_load(NULL, &fonts, &err) != 0) {
    print_message("skipped: %s\n", err.text);
    return 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_long_documents),
  };
  int status = cmocka_run_group_tests(tests, NULL, NULL);
  font_set_free(fonts);
  return status;
}
