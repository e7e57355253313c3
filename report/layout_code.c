/* Code blocks: fixed pitch on a tinted ground, what it printed beside a bar.
 * A line wider than the page is wrapped; a hooked arrow marks its rest. */
#include <stdlib.h>
#include <string.h>

#include "report/base/buffer.h"
#include "report/base/utf8.h"
#include "report/layout.h"
#include "report/paragraph_breaks.h"

enum { TAB = 4, REST_INDENT = 2, KEPT_LINES = 2 };
/* Of a page break at a blank line, elsewhere, and near the block's ends. */
enum { BLANK_PENALTY = 400, CODE_PENALTY = 900, EDGE_PENALTY = 2500 };
static const double padding = 5, margin = 8, leading = 1.32;
static const struct color ground = {0xf3, 0xf4, 0xf6, 0};
static const struct color bar = {0xb8, 0xbd, 0xc6, 0};
static const struct color mark_color = {0x80, 0x80, 0x80, 0};
static const struct tag artifact = {.role = TAG_ARTIFACT};

struct code {
  struct layout *layout;
  struct layout_place place;
  double size, pitch; /* of one column */
  size_t columns;
  size_t first; /* index of the block's first item */
  struct place source;
  bool after_blank; /* the line above has no text */
};

static int add_line(struct code *code, const char *text, size_t length,
                    bool is_rest, struct error *err) {
  struct arena *arena = code->layout->arena;
  struct box *box = box_new(arena, BOX_LIST);
  const struct font_metrics *m = font_metrics(code->layout->fonts, FONT_MONO);
  box->height = m->ascent * code->size;
  box->depth = m->descent * code->size;
  if (is_rest) {
    struct box *mark;
    if (layout_label(code->layout, FONT_MONO, code->size, mark_color,
                     "\xe2\x86\xaa", code->source, &mark, err) != 0)
      return -1;
    mark->tag = &artifact;
    box_place(box, mark, 0, 0);
    box->width = REST_INDENT * code->pitch;
  }
  struct glyph_run *runs;
  if (font_shape(code->layout->fonts, arena, FONT_MONO, code->size,
                 FONT_NO_LIGATURES, text, length, code->source, &runs,
                 err) != 0)
    return -1;
  if (runs) box_append(box, box_from_runs(arena, runs));
  box->width = code->place.width;
  struct flow_item item = {.box = box,
                           .x = code->place.x,
                           .height = m->ascent * code->size,
                           .depth = m->descent * code->size,
                           .penalty =
                               code->after_blank ? BLANK_PENALTY : CODE_PENALTY,
                           .is_line = true,
                           .path = code->place.path,
                           .decoration = code->place.decoration,
                           .place = code->source};
  if (code->layout->flow->count == code->first) item.penalty = 0;
  code->after_blank = length == 0;
  flow_add(code->layout->flow, item, code->size * leading);
  return 0;
}

/* Bytes of the first `columns` characters of `text`, back to after a space
 * when there is one in their last third. */
static size_t fitting(const char *text, size_t length, size_t columns) {
  size_t n = 0, count = 0, space = 0;
  while (n < length && count < columns) {
    uint32_t ignored;
    size_t step = utf8_decode(text + n, text + length, &ignored);
    n += step ? step : 1;
    count++;
    if (text[n - 1] == ' ' && 3 * count > 2 * columns) space = n;
  }
  return n < length && space ? space : n;
}

static int add_wrapped(struct code *code, const char *text, size_t length,
                       struct error *err) {
  size_t done = fitting(text, length, code->columns);
  if (add_line(code, text, done, false, err) != 0) return -1;
  while (done < length) {
    size_t n = fitting(text + done, length - done, code->columns - REST_INDENT);
    if (add_line(code, text + done, n, true, err) != 0) return -1;
    done += n;
  }
  return 0;
}

static void expand_tabs(const char *text, size_t length, struct buffer *out) {
  size_t column = 0;
  buffer_clear(out);
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\t') {
      do
        buffer_char(out, ' ');
      while (++column % TAB);
      continue;
    }
    buffer_char(out, text[i]);
    if ((text[i] & 0xc0) != 0x80) column++;
  }
}

/* The block's lines; places count from the fence's next line. */
static int add_lines(struct code *code, const char *text, struct error *err) {
  struct buffer line = {0};
  int status = 0;
  for (const char *c = text; *c && status == 0;) {
    size_t length = strcspn(c, "\n");
    expand_tabs(c, length, &line);
    status = add_wrapped(code, line.length ? line.bytes : "", line.length, err);
    c += length;
    if (*c == '\n') c++;
  }
  buffer_free(&line);
  return status;
}

static void keep_edges(struct code *code) {
  struct flow *flow = code->layout->flow;
  for (size_t i = code->first + 1; i < flow->count; i++) {
    bool is_edge = i < code->first + KEPT_LINES || i + KEPT_LINES > flow->count;
    if (is_edge) flow->items[i].penalty = EDGE_PENALTY;
  }
}

int layout_code(struct layout *layout, const struct block *block,
                struct layout_place place, struct error *err) {
  bool is_output = strncmp(block->info, "output", 6) == 0;
  struct decoration *d = arena_alloc(layout->arena, sizeof *d);
  *d = (struct decoration){
      .kind = is_output ? DECORATION_BAR : DECORATION_GROUND,
      .x = is_output ? place.x - padding : place.x - padding,
      .width = is_output ? 1.6 : place.width + 2 * padding,
      .above = is_output ? 1 : padding,
      .below = is_output ? 1 : padding,
      .color = is_output ? bar : ground,
      .parent = place.decoration};
  struct code code = {.layout = layout,
                      .place = place,
                      .size = layout->style->code_block * place.size /
                              layout->style->size,
                      .first = layout->flow->count,
                      .source = block->place};
  code.pitch = font_metrics(layout->fonts, FONT_MONO)->space * code.size;
  code.columns = (size_t)(place.width / code.pitch + 0.01);
  if (code.columns < 4 * REST_INDENT) code.columns = 4 * REST_INDENT;
  code.place.decoration = d;
  code.place.path =
      layout_path(layout, place.path, layout_tag(layout, TAG_PARAGRAPH));
  code.place.path =
      layout_path(layout, code.place.path, layout_tag(layout, TAG_CODE));
  if (is_output) flow_keep(layout->flow, EDGE_PENALTY);
  flow_space(layout->flow, margin + d->above, 3);
  if (block->id) layout->flow->destination = block->id;
  if (add_lines(&code, block->text, err) != 0) return -1;
  keep_edges(&code);
  flow_space(layout->flow, margin + d->below, 3);
  return 0;
}
