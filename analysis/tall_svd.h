/* Singular values and right singular vectors of a tall matrix A (m,n), m >= n,
 * through its triangular factor: A = QR, R = U S V'. xGESDD itself goes that
 * way for tall matrices, but forms Q, and by xGEQRF, which for up to 128
 * columns works on one at a time; xGEQRT here works on blocks of them. */
#ifndef TALL_SVD_H
#define TALL_SVD_H

#include "report/base/error.h"

/* `a` (m,n), row-major, is kept; s (n) descends; vt (n,n) holds the right
 * singular vectors as rows, NULL when not wanted. A non-finite entry is an
 * error, as is failure to converge. */
int tall_svd_f32(int m, int n, const float *a, float *s, float *vt,
                 struct error *err);
int tall_svd_f64(int m, int n, const double *a, double *s, double *vt,
                 struct error *err);

/* out (m,n) = a (m,n) less its columns' means. Each mean is refined by the mean
 * of what is left, so that it is right to its last bit or two in either
 * precision; sums go in the order of the rows. */
void tall_centre_f32(int m, int n, const float *a, float *out);
void tall_centre_f64(int m, int n, const double *a, double *out);

#endif
