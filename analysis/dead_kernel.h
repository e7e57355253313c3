/* Is a direction u the kernel of the covariance of some outputs y? With Yc the
 * rows of y less their mean, C = Yc' Yc / rows.
 *
 * An eigenvalue of C is the square of a singular value of Yc over the number of
 * rows, and along u it is |Yc u|^2 / rows: neither comes from an eigensolver of
 * C, whose noise, 1e-16 of the largest eigenvalue and of either sign, would
 * hide what is asked for. Nor does `smallest` measure a kernel: xGESDD's divide
 * and conquer (DLASD2) replaces singular values below 4 unit roundoffs of the
 * largest by just that, so that where nothing is left it often shows the
 * constant 2^-102 of the largest eigenvalue (float32: 2^-44). `along_u` has no
 * such floor. */
#ifndef DEAD_KERNEL_H
#define DEAD_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"

struct dead_kernel {
  double abs_cos;           /* |cos| between u and the last singular vector v */
  double one_minus_abs_cos; /* |v -+ u|^2 / 2, right to its own last digits */
  double residual;          /* |C u|_2 / |C|_2, as |Yc'(Yc u)| / s_0^2 */
  double along_u;           /* eigenvalues: u' C u, */
  double offset;            /* of that, the square of the mean of Yc u: what
                               rounding the means of y has left */
  double smallest, next, largest; /* the last, the one before it, the first */
  size_t further;   /* directions besides u with an eigenvalue below
                       DEAD_KERNEL_LEVEL of the largest */
  double *spectrum; /* (width), descending */
};

#define DEAD_KERNEL_LEVEL 1e-6

/* y (rows, width), rows >= width >= 2; u (width) of length 1, rounded to the
 * precision. All in float32 or float64; `centred` false measures Y' Y / rows
 * instead. An error where y is not finite, or has no covariance to speak of.
 * After a failure there is nothing to free. */
int dead_kernel_f32(size_t rows, size_t width, const float *y, const double *u,
                    bool centred, struct dead_kernel *out, struct error *err);
int dead_kernel_f64(size_t rows, size_t width, const double *y, const double *u,
                    bool centred, struct dead_kernel *out, struct error *err);
void dead_kernel_free(struct dead_kernel *kernel);

#endif
