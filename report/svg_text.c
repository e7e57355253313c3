#include "report/svg_text.h"

#include <math.h>
#include <string.h>

#include "report/base/buffer.h"

/* One line as it is laid out: runs side by side from 0, scripts by `rise`. */
struct line {
  const struct svg_options *options;
  struct box *box;
  double rise;       /* of the baseline now, in points, upwards */
  double scale;      /* points per user unit */
  bool after_blank;  /* a blank here would follow another, or begin */
  struct box *final; /* last box if it ends with a blank */
};

static enum font_face face_of(const struct svg_style *style) {
  if (style->is_mono) return style->is_bold ? FONT_MONO_BOLD : FONT_MONO;
  if (style->is_bold) return style->is_italic ? FONT_BOLD_ITALIC : FONT_BOLD;
  return style->is_italic ? FONT_ITALIC : FONT_ROMAN;
}

/* SVG 1.1, 10.15: newlines vanish, tabs are spaces, runs of spaces become one,
 * none at the ends; with xml:space="preserve" each is a space. */
static void collapse(const char *text, bool keeps_space, bool *after_blank,
                     struct buffer *out) {
  for (const char *c = text; *c; c++) {
    bool is_blank = *c == ' ' || *c == '\t' || *c == '\n' || *c == '\r';
    if (is_blank && !keeps_space) {
      if (!*after_blank && *c != '\n' && *c != '\r') buffer_char(out, ' ');
      *after_blank = *after_blank || (*c != '\n' && *c != '\r');
      continue;
    }
    buffer_char(out, is_blank ? ' ' : *c);
    *after_blank = false;
  }
}

static int add_text(struct line *line, const struct svg_node *node,
                    const struct svg_style *style, struct error *err) {
  struct buffer text = {0};
  collapse(node->text, style->keeps_space, &line->after_blank, &text);
  if (text.length == 0) {
    buffer_free(&text);
    return 0;
  }
  struct glyph_run *runs;
  int status =
      font_shape(line->options->fonts, line->options->arena, face_of(style),
                 style->font_size * line->scale, FONT_PLAIN, text.bytes,
                 text.length, node->place, &runs, err);
  bool ends_blank = text.bytes[text.length - 1] == ' ' && !style->keeps_space;
  buffer_free(&text);
  if (status != 0) return -1;
  struct box *box = box_from_runs(line->options->arena, runs);
  box_set_color(box, svg_fill_color(style));
  box_cover(line->box, box, line->box->width, line->rise);
  box_skip(line->box, box->width);
  line->final = ends_blank ? box : NULL;
  return 0;
}

/* dx and dy of a tspan move all that follows. */
static int shift(struct line *line, const struct svg_node *node,
                 struct error *err) {
  const char *dx = svg_attribute(node, "dx"), *dy = svg_attribute(node, "dy");
  double x = 0, y = 0;
  if ((dx && svg_number(dx, node->place, &x, err) != 0) ||
      (dy && svg_number(dy, node->place, &y, err) != 0))
    return -1;
  box_skip(line->box, x * line->scale);
  line->rise -= y * line->scale;
  return 0;
}

static int add_children(struct line *line, const struct svg_node *node,
                        const struct svg_style *style, struct error *err) {
  for (const struct svg_node *n = node->child; n; n = n->next) {
    if (!n->name) {
      if (add_text(line, n, style, err) != 0) return -1;
      continue;
    }
    if (strcmp(n->name, "title") == 0) continue;
    if (strcmp(n->name, "tspan") != 0 || svg_attribute(n, "x") ||
        svg_attribute(n, "y") || svg_attribute(n, "baseline-shift"))
      return error_at(err, n->place, "unsupported part of a text <%.40s>",
                      n->name);
    struct svg_style own = *style;
    if (svg_style_apply(n, &own, err) != 0 || shift(line, n, err) != 0 ||
        add_children(line, n, &own, err) != 0)
      return -1;
  }
  return 0;
}

static int position(const struct svg_node *node, const char *name, double *out,
                    struct error *err) {
  const char *value = svg_attribute(node, name);
  *out = 0;
  return value ? svg_number(value, node->place, out, err) : 0;
}

/* Where the line starts, measured from its anchor. */
static double anchor_offset(const struct line *line, enum svg_anchor anchor) {
  double width = line->box->width;
  if (line->final) {
    const struct glyph_run *run = line->final->last->run;
    if (run->count) width -= run->glyphs[run->count - 1].advance;
  }
  if (anchor == ANCHOR_START) return 0;
  return anchor == ANCHOR_END ? -width : -width / 2;
}

int svg_text(const struct svg_node *node, const struct svg_style *style,
             struct matrix m, const struct svg_options *options,
             struct box *canvas, struct error *err) {
  double x, y, scale = sqrt(fabs(m.a * m.d - m.b * m.c));
  struct line line = {.options = options,
                      .box = box_new(options->arena, BOX_LIST),
                      .scale = scale,
                      .after_blank = true};
  if (position(node, "x", &x, err) != 0 || position(node, "y", &y, err) != 0 ||
      shift(&line, node, err) != 0 ||
      add_children(&line, node, style, err) != 0)
    return -1;
  if (style->is_hidden || !line.box->child) return 0;
  struct path_point at = matrix_apply(m, x, y);
  double start = anchor_offset(&line, style->anchor);
  bool is_upright = fabs(m.b) < 1e-9 && fabs(m.c) < 1e-9 && m.a > 0 && m.d < 0;
  if (is_upright) {
    box_place(canvas, line.box, at.x + start, at.y);
    return 0;
  }
  struct box *turned = box_new(options->arena, BOX_LIST);
  struct matrix *turn = arena_alloc(options->arena, sizeof *turn);
  *turn = (struct matrix){m.a / scale,  m.b / scale, -m.c / scale,
                          -m.d / scale, 0,           0};
  turned->matrix = turn;
  box_place(turned, line.box, start, 0);
  box_place(canvas, turned, at.x, at.y);
  return 0;
}
