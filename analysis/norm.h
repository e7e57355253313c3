/* LayerNorm and RMSNorm over the last axis: forward, backward, Jacobian and
 * tangent, each in float (_f32) and double (_f64) from one source, norm.inc.
 *
 *   LayerNorm: xhat = (x - mean) rstd, rstd = 1/sqrt(var + eps), var biased
 *   RMSNorm:   xhat = x rstd,          rstd = 1/sqrt(mean(x^2) + eps)
 *   y = gain * xhat + bias
 *
 * Shapes: x, y, dx, dy, tx, ty are (rows, width); gain, bias, dgain, dbias are
 * (width); mean, rstd are (rows). width >= 1, rows >= 0; no array may overlap
 * another. gain NULL means ones, bias NULL means zeros. RMSNorm neither reads
 * nor writes mean, which may be NULL.
 *
 * The variance takes two passes (mean first, then squared deviations): the
 * one-pass form E[x^2] - mean^2 loses all digits at large offsets. A row
 * without spread has xhat = 0 when eps > 0; with eps = 0 it has no xhat and
 * gives NaN, which is what 0/0 is.
 *
 * Backward: with g = dy, g' = gain * g and m(.) the mean over the width,
 *   LayerNorm: dx += rstd (g' - m(g') - xhat m(g' * xhat))
 *   RMSNorm:   dx += rstd (g' - xhat m(g' * xhat))
 *   dgain += sum over rows of g * xhat,  dbias += sum over rows of g
 * All three are ADDED to what is there (a residual's gradient, earlier
 * batches); dgain and dbias may be NULL, and so may dx. */
#ifndef NORM_H
#define NORM_H

enum norm_kind { NORM_LAYER, NORM_RMS };

const char *norm_name(enum norm_kind kind); /* "LayerNorm", "RMSNorm" */

/* Writes y, mean and rstd; the last two are what backward and tangent read. */
void norm_forward_f32(enum norm_kind kind, int rows, int width, float eps,
                      const float *x, const float *gain, const float *bias,
                      float *y, float *mean, float *rstd);
void norm_forward_f64(enum norm_kind kind, int rows, int width, double eps,
                      const double *x, const double *gain, const double *bias,
                      double *y, double *mean, double *rstd);

void norm_backward_f32(enum norm_kind kind, int rows, int width,
                       const float *dy, const float *x, const float *gain,
                       const float *mean, const float *rstd, float *dx,
                       float *dgain, float *dbias);
void norm_backward_f64(enum norm_kind kind, int rows, int width,
                       const double *dy, const double *x, const double *gain,
                       const double *mean, const double *rstd, double *dx,
                       double *dgain, double *dbias);

/* ty = (dy/dx) tx row by row: the derivative of y along tx. Written, not
 * added. */
void norm_tangent_f32(enum norm_kind kind, int rows, int width, const float *tx,
                      const float *x, const float *gain, const float *mean,
                      const float *rstd, float *ty);
void norm_tangent_f64(enum norm_kind kind, int rows, int width,
                      const double *tx, const double *x, const double *gain,
                      const double *mean, const double *rstd, double *ty);

/* xhat (rows, width) alone, from what forward saved. */
void norm_xhat_f32(enum norm_kind kind, int rows, int width, const float *x,
                   const float *mean, const float *rstd, float *xhat);
void norm_xhat_f64(enum norm_kind kind, int rows, int width, const double *x,
                   const double *mean, const double *rstd, double *xhat);

/* J (width, width), J[i][j] = dy_i/dx_j for one row x (width):
 * diag(gain) (I - 11'/width - xhat xhat'/width) rstd, without the second term
 * for RMSNorm. xhat (width) is written when not NULL. */
void norm_jacobian_f32(enum norm_kind kind, int width, float eps,
                       const float *x, const float *gain, float *jacobian,
                       float *xhat);
void norm_jacobian_f64(enum norm_kind kind, int width, double eps,
                       const double *x, const double *gain, double *jacobian,
                       double *xhat);

#endif
