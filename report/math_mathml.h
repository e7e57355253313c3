/* A formula as MathML Core, for Chromium and Firefox without scripts.
 *
 * Browsers space operators by a dictionary of their own. TeX's spacing depends
 * on both neighbours, so it is written out: as `lspace` and `rspace` of the
 * operator beside a gap, as `mspace` between two others. Styles are followed
 * on the way, so that limits become `munder` or `msub` here. Columns of tables
 * have the classes l, c and r, and tables one of their own, for the page's
 * style sheet: Chromium ignores `columnalign`. */
#ifndef MATH_MATHML_H
#define MATH_MATHML_H

#include "report/base/buffer.h"
#include "report/math.h"

void math_mathml(const struct math_formula *formula, struct buffer *out);

#endif
