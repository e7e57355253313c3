/* Presentation attributes of SVG: what an element inherits and sets. */
#ifndef SVG_STYLE_H
#define SVG_STYLE_H

#include <stdbool.h>

#include "report/device.h"
#include "report/svg_tree.h"

enum svg_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct svg_style {
  struct color color; /* that "currentColor" means */
  bool has_fill, has_stroke;
  bool fill_is_current, stroke_is_current;
  struct color fill, stroke;
  double fill_opacity, stroke_opacity, opacity;
  double stroke_width, miter_limit;
  enum line_cap cap;
  enum line_join join;
  double dash[8];
  size_t dash_count;
  double dash_phase;
  double font_size;
  bool is_bold, is_italic, is_mono, is_hidden, keeps_space;
  enum svg_anchor anchor;
};

/* What the root starts with. */
extern const struct svg_style svg_initial_style;

/* Change `style` by the element's attributes and its `style` attribute. */
int svg_style_apply(const struct svg_node *node, struct svg_style *style,
                    struct error *err);

/* Colours with opacity as the device wants them. */
struct color svg_fill_color(const struct svg_style *style);
struct color svg_stroke_color(const struct svg_style *style);

#endif
