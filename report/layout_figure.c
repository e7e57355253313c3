/* Figures, and formulas on lines of their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/layout.h"
#include "report/paragraph_breaks.h"
#include "report/svg.h"

static const double figure_space = 12, figure_stretch = 5;
static const double caption_gap = 7;
static const double pixel = 0.75; /* points: small figures are not enlarged */
static const double figure_share = 0.72; /* of the page's height, at most */

static int import(struct layout *layout, const struct block *block,
                  double width, struct box **out, struct error *err) {
  struct buffer bytes = {0};
  size_t length = strlen(block->path);
  if (length < 4 || strcmp(block->path + length - 4, ".svg") != 0)
    return error_at(err, block->place, "%s: only SVG figures can be printed",
                    block->path);
  struct error cause;
  if (file_read(block->path, &bytes, &cause) != 0)
    return error_at(err, block->place, "%s", cause.text);
  struct svg_options options = {layout->fonts, layout->arena, width,
                                figure_share * layout->page_height, pixel};
  int status = svg_import(block->path, bytes.bytes ? bytes.bytes : "",
                          bytes.length, &options, out, err);
  buffer_free(&bytes);
  return status;
}

int layout_figure(struct layout *layout, const struct block *block,
                  struct layout_place place, struct error *err) {
  struct box *drawing, *box = box_new(layout->arena, BOX_LIST);
  if (import(layout, block, place.width, &drawing, err) != 0) return -1;
  struct tag *tag = layout_tag(layout, TAG_FIGURE);
  tag->alt = block->alt;
  drawing->tag = tag;
  box->width = place.width;
  box_cover(box, drawing, (place.width - drawing->width) / 2, 0);
  if (block->number > 0) {
    struct box *caption;
    if (layout_caption(layout, block, LABEL_FIGURE, place.width, &caption,
                       err) != 0)
      return -1;
    box_cover(box, caption, 0, -caption_gap - caption->height);
  }
  if (block->id) layout->flow->destination = block->id;
  struct flow_item item = {.box = box,
                           .x = place.x,
                           .height = box->height,
                           .depth = box->depth,
                           .space = figure_space,
                           .stretch = figure_stretch,
                           .below = figure_space,
                           .path = place.path,
                           .decoration = place.decoration,
                           .place = block->place};
  if (place.depth == 0) {
    flow_add_float(layout->flow, item);
    return 0;
  }
  flow_add(layout->flow, item, 0);
  flow_space(layout->flow, figure_space, figure_stretch);
  return 0;
}

/* ---- display maths ------------------------------------------------------- */

static const double display_space = 6.5, display_stretch = 3;
static const double least_scale = 0.8; /* before a formula is broken instead */
static const double hanging = 2;       /* em, of a formula's further lines */

static void add_display(struct layout *layout, struct box *box, double x,
                        const struct block *block, struct layout_place place) {
  struct flow_item item = {.box = box,
                           .x = x,
                           .height = box->height,
                           .depth = box->depth,
                           .is_line = true,
                           .path = place.path,
                           .decoration = place.decoration,
                           .place = block->place};
  flow_add(layout->flow, item, place.leading);
}

/* Break after relations and operators, the rest of the lines indented. */
static int break_display(struct layout *layout, const struct block *block,
                         struct layout_place place, struct error *err) {
  struct math_options options = {layout->fonts, layout->arena, place.size,
                                 true};
  struct math_piece *pieces;
  if (math_layout_pieces(block->formula, &options, &pieces, err) != 0)
    return -1;
  double shift = hanging * place.size;
  struct paragraph_options lines_of = {.fonts = layout->fonts,
                                       .arena = layout->arena,
                                       .words = layout->words,
                                       .width = place.width - shift,
                                       .first_indent = -shift,
                                       .ragged = true};
  struct paragraph *paragraph = paragraph_new(&lines_of);
  const struct text_scope scope = {NULL, NULL, NULL};
  struct paragraph_line *lines;
  size_t count;
  paragraph_maths(paragraph, pieces, &scope, block->place);
  int status = paragraph_lines(paragraph, &lines, &count, err);
  paragraph_free(paragraph);
  if (status != 0) return -1;
  for (size_t i = 0; i < count; i++) {
    if (i > 0) {
      flow_keep(layout->flow, PENALTY_NEVER);
      flow_space(layout->flow, 2, 0);
    }
    box_set_color(lines[i].box, place.color);
    add_display(layout, lines[i].box, place.x + shift, block, place);
  }
  return 0;
}

/* Centred; a little smaller when that makes it fit, else on several lines. */
static int set_display(struct layout *layout, const struct block *block,
                       struct layout_place place, struct error *err) {
  struct math_options options = {layout->fonts, layout->arena, place.size,
                                 true};
  struct box *box;
  if (math_layout(block->formula, &options, &box, err) != 0) return -1;
  if (box->width > place.width) {
    options.size *= floor(99 * place.width / box->width) / 100;
    if (options.size < least_scale * place.size)
      return break_display(layout, block, place, err);
    if (math_layout(block->formula, &options, &box, err) != 0) return -1;
  }
  box_set_color(box, place.color);
  add_display(layout, box, place.x + (place.width - box->width) / 2, block,
              place);
  return 0;
}

int layout_display(struct layout *layout, const struct block *block,
                   struct layout_place place, struct error *err) {
  const struct tag *tag;
  if (layout_formula_tag(layout, block->formula, block->place, &tag, err) != 0)
    return -1;
  place.path = layout_path(layout, place.path, tag);
  flow_space(layout->flow, display_space, display_stretch);
  if (block->id) layout->flow->destination = block->id;
  if (set_display(layout, block, place, err) != 0) return -1;
  flow_space(layout->flow, display_space, display_stretch);
  return 0;
}
