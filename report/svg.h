/* A figure in SVG, as gnuplot's svg terminal writes it, as vector drawing with
 * real text in the page's own faces.
 *
 * Known: svg, g, path, polygon, polyline, line, rect, circle, use, text, tspan
 * (dx, dy, baseline-shift aside from fonts and styles); translate, scale,
 * rotate, matrix; presentation attributes and `style`; dashes, opacity.
 * title, desc, metadata, style and unused definitions are skipped. Anything
 * else is an error at its place: no figure is drawn with a part missing. */
#ifndef SVG_H
#define SVG_H

#include "report/box.h"
#include "report/font.h"

struct svg_options {
  struct font_set *fonts;
  struct arena *arena;
  double width;      /* that the figure is scaled to */
  double max_height; /* it becomes narrower when it would be taller; 0: any */
  double max_scale;  /* points per user unit, at most; 0: any */
};

/* `file` stands in error messages. The box sits on its baseline. */
int svg_import(const char *file, const char *bytes, size_t length,
               const struct svg_options *options, struct box **out,
               struct error *err);

#endif
