/* Text of SVG figures: lines of tspans, shaped in the page's faces. */
#ifndef SVG_TEXT_H
#define SVG_TEXT_H

#include "report/svg.h"
#include "report/svg_style.h"
#include "report/svg_tree.h"
#include "report/svg_values.h"

/* Draw the <text> element into `canvas`. `m` leads to points, y upwards. */
int svg_text(const struct svg_node *node, const struct svg_style *style,
             struct matrix m, const struct svg_options *options,
             struct box *canvas, struct error *err);

#endif
