/* The derivatives of norm.h by automatic differentiation: the layers are
 * written down from their definitions in dual numbers, and differentiated one
 * input at a time. Slow on purpose: what closed forms are checked against.
 * Shapes and NULLs as in norm.h, except that results are written, not added. */
#ifndef NORM_DUAL_H
#define NORM_DUAL_H

#include "analysis/dual.h"
#include "analysis/norm.h"

/* One row: y (width) from x, gain and bias (width each). */
void norm_dual_forward(enum norm_kind kind, int width, double eps,
                       const struct dual *x, const struct dual *gain,
                       const struct dual *bias, struct dual *y);

/* J (width, width) of one row. */
void norm_dual_jacobian(enum norm_kind kind, int width, double eps,
                        const double *x, const double *gain, double *jacobian);

/* Gradients of L = sum of dy * y over all rows; gain and bias not NULL. */
void norm_dual_backward(enum norm_kind kind, int rows, int width, double eps,
                        const double *dy, const double *x, const double *gain,
                        const double *bias, double *dx, double *dgain,
                        double *dbias);

#endif
