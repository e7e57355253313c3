/* Figures: a gnuplot template to one SVG file, checked on both sides.
 *
 * The template (template.h, TEMPLATE_GNUPLOT; its partials lie beside it) says
 * in the comments at its head what the figure shows:
 *
 *   # title: Share of the gradient that each norm deletes
 *   # alt: Dots with ranges for nine norms; medians near {{...|%.2f}}, one
 *   #   line continued behind at least two blanks.
 *
 * `# ledger: strict` and `# literal: ...` make every digit of it account for
 * itself (ledger.h). It chooses `set terminal svg` but no output: gnuplot's
 * standard output is the figure. Before gnuplot runs, every row of every `$name
 * << EOD` block must hold finite numbers and quoted strings, as many as the row
 * above. A warning of gnuplot is an error, at the template's line. gnuplot sees
 * neither the user's environment nor his settings.
 *
 * The SVG that is written (plot_svg.h) depends on the template and the values
 * alone. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/base/json.h"

/* Append the figure of the template file `path`. */
int plot_draw(const char *path, const struct json *root, struct buffer *svg,
              struct error *err);

#endif
