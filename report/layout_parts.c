/* Small parts that all kinds of blocks are made of. */
#include <math.h>
#include <string.h>

#include "report/base/buffer.h"
#include "report/layout.h"
#include "report/paragraph_breaks.h"

enum { LONGEST_FORMULA = 20000 }; /* a PDF string holds three times as much */

const struct layout_style layout_default_style = {.size = 11,
                                                  .leading = 14.2,
                                                  .small = 9.6,
                                                  .note = 9.2,
                                                  .code = 0.84,
                                                  .code_block = 8.1};

/* Costs of a page break that leaves one line of a paragraph behind, that
 * carries one over, and after a line with a hyphen. */
enum { ORPHAN_PENALTY = 3000, WIDOW_PENALTY = 3500, HYPHEN_PENALTY = 60 };

/* Extents of a line at least, so that distances do not hang on its letters. */
static const double strut_height = 0.55, strut_depth = 0.17; /* of leading */

struct tag *layout_tag(struct layout *layout, enum tag_role role) {
  struct tag *tag = arena_alloc(layout->arena, sizeof *tag);
  tag->role = role;
  return tag;
}

const struct tag_path *layout_path(struct layout *layout,
                                   const struct tag_path *parent,
                                   const struct tag *tag) {
  struct tag_path *path = arena_alloc(layout->arena, sizeof *path);
  *path = (struct tag_path){tag, parent};
  return path;
}

/* Spoken in English words, copied as TeX. */
int layout_formula_tag(struct layout *layout,
                       const struct math_formula *formula, struct place at,
                       const struct tag **out, struct error *err) {
  struct buffer words = {0};
  math_speak(formula, &words);
  struct tag *tag = layout_tag(layout, TAG_FORMULA);
  tag->alt = words.length ? arena_copy(layout->arena, words.bytes, words.length)
                          : formula->source;
  tag->actual_text = formula->source;
  if (strncmp(layout->document->language, "en", 2) != 0) tag->language = "en";
  buffer_free(&words);
  *out = tag;
  if (strlen(tag->alt) <= LONGEST_FORMULA) return 0;
  return error_at(err, at,
                  "the formula is longer than %d bytes when read aloud; "
                  "divide it",
                  LONGEST_FORMULA);
}

int layout_label(struct layout *layout, enum font_face face, double size,
                 struct color color, const char *text, struct place at,
                 struct box **out, struct error *err) {
  struct glyph_run *runs;
  if (font_shape(layout->fonts, layout->arena, face, size, FONT_PLAIN, text,
                 strlen(text), at, &runs, err) != 0)
    return -1;
  *out = box_from_runs(layout->arena, runs);
  box_set_color(*out, color);
  return 0;
}

struct box *layout_stack(struct layout *layout,
                         const struct paragraph_line *lines, size_t count,
                         double width, double leading) {
  struct box *box = box_new(layout->arena, BOX_LIST);
  double y = 0, depth = 0;
  box->width = width;
  for (size_t i = 0; i < count; i++) {
    if (i > 0) y -= fmax(leading, depth + lines[i].box->height + 1.5);
    box_cover(box, lines[i].box, 0, y);
    for (size_t n = 0; n < lines[i].note_count; n++)
      flow_note(layout->flow, lines[i].notes[n]);
    depth = lines[i].box->depth;
  }
  return box;
}

void layout_add_lines(struct layout *layout, struct paragraph_line *lines,
                      size_t count, struct layout_place place,
                      struct place source) {
  for (size_t i = 0; i < count; i++) {
    struct flow_item item = {
        .box = lines[i].box,
        .x = place.x,
        .height = fmax(lines[i].box->height, strut_height * place.leading),
        .depth = fmax(lines[i].box->depth, strut_depth * place.leading),
        .is_line = true,
        .path = place.path,
        .decoration = place.decoration,
        .notes = lines[i].notes,
        .note_count = lines[i].note_count,
        .place = source};
    if (i == 1) item.penalty = ORPHAN_PENALTY;
    if (i + 1 == count && i > 0) item.penalty = WIDOW_PENALTY;
    if (i > 0 && lines[i - 1].is_hyphenated) item.penalty += HYPHEN_PENALTY;
    flow_add(layout->flow, item, place.leading);
  }
}

/* A caption of one or two lines is centred, a longer one is a paragraph. */
int layout_caption(struct layout *layout, const struct block *block,
                   enum document_label label, double width, struct box **out,
                   struct error *err) {
  double size = layout->style->small;
  struct layout_text text = {
      .width = width,
      .size = size,
      .lead =
          arena_printf(layout->arena, "%s\xc2\xa0%d.",
                       document_label(layout->document, label), block->number)};
  struct paragraph *paragraph;
  if (layout_paragraph(layout, block->spans, &text, &paragraph, err) != 0)
    return -1;
  double natural, least;
  paragraph_widths(paragraph, &natural, &least);
  paragraph_free(paragraph);
  bool is_short = natural <= 1.9 * width;
  if (is_short) {
    text.shape = SHAPE_CENTRED;
    text.unhyphenated = true;
  }
  struct paragraph_line *lines;
  size_t count;
  if ((is_short ? layout_balanced : layout_lines)(layout, block->spans, &text,
                                                  &lines, &count, err) != 0)
    return -1;
  *out = layout_stack(layout, lines, count, width, size * 1.28);
  (*out)->tag = layout_tag(layout, TAG_CAPTION);
  return 0;
}
