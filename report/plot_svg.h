/* gnuplot's SVG made fit to publish.
 *
 * Out goes: the version comment, titles made of commands, definitions and
 * groups that nothing uses, defaults, the repeated font. In comes: the
 * figure's title and description, an accessible role, one font list, ids that
 * begin with the figure's name so that several figures can stand in one page.
 *
 * Colours. Black becomes `currentColor`, which the root sets to #1a1a1a, and a
 * white plate (class "plate") lies below all: so the file reads alone, on any
 * ground. A page that holds the figure inline turns it dark, whatever its
 * colours are, by
 *   svg { filter: invert(1) hue-rotate(180deg) }  .plate { fill: none } */
#ifndef REPORT_PLOT_SVG_H
#define REPORT_PLOT_SVG_H

#include <stddef.h>

#include "report/base/buffer.h"
#include "report/base/error.h"

struct plot_caption {
  const char *name; /* begins the ids: letters, digits and hyphens */
  const char *title, *alt;
};

/* Append the clean figure. Refused: anything that is not well-formed, has no
 * text, or holds NaN or an infinity in text or geometry. `file` stands in
 * messages. */
int plot_svg_clean(const char *file, const char *bytes, size_t length,
                   const struct plot_caption *caption, struct buffer *out,
                   struct error *err);

#endif
