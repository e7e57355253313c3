/* How dead is the dead direction once y is rounded to a number format? In exact
 * arithmetic u . y is constant and its variance 0; what any format shows is
 * rounding, and this says how much:
 *
 *   measured:   variance over the rows of u . round(y),
 *   predicted:  sum over i of u_i^2 times the mean over the rows of
 *               spacing(y_i)^2 / 12,
 *
 * the errors taken for independent and evenly spread over half a spacing to
 * either side. Since spacing(y) is about |y| times a constant of the format,
 * the prediction is that constant squared times `weight`, whatever the format.
 *
 * y and u are computed in long double from the final norm's input, so that
 * storing is the only rounding; the sums are long double too. */
#ifndef DEAD_ROUNDING_H
#define DEAD_ROUNDING_H

#include <stddef.h>

#include "analysis/norm.h"
#include "analysis/number_format.h"

struct dead_rounding {
  double measured[NUMBER_FORMATS], predicted[NUMBER_FORMATS]; /* eigenvalues */
  double weight; /* sum over i of u_i^2 times the mean of y_i^2 */
};

/* x (rows, width); gain (width), none 0; bias (width) or NULL. */
struct dead_rounding dead_rounding_measure(enum norm_kind kind, size_t rows,
                                           size_t width, double eps,
                                           const double *x, const double *gain,
                                           const double *bias);

/* The same variance for outputs y (rows, width) as some arithmetic left them:
 * of u . y, with u and all sums in long double. */
double dead_rounding_variance(size_t rows, size_t width, const double *gain,
                              const double *y);

#endif
