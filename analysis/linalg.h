/* A thin, checked layer on CBLAS and LAPACKE. Matrices are row-major and
 * packed (leading dimension = number of columns) unless a leading dimension is
 * given. Each function exists in float (_f32) and double (_f64).
 *
 * LAPACK's info < 0 is a mistake of ours and asserts; info > 0 is an error. */
#ifndef LINALG_H
#define LINALG_H

#include "report/base/error.h"

enum linalg_op { LINALG_PLAIN, LINALG_TRANSPOSED };

/* C (m,n) = alpha op(A) op(B) + beta C, with op(A) (m,k) and op(B) (k,n). */
void linalg_gemm_f32(enum linalg_op op_a, enum linalg_op op_b, int m, int n,
                     int k, float alpha, const float *a, int lda,
                     const float *b, int ldb, float beta, float *c, int ldc);
void linalg_gemm_f64(enum linalg_op op_a, enum linalg_op op_b, int m, int n,
                     int k, double alpha, const double *a, int lda,
                     const double *b, int ldb, double beta, double *c, int ldc);

/* y = alpha op(A) x + beta y, A (m,n) as stored. */
void linalg_gemv_f32(enum linalg_op op, int m, int n, float alpha,
                     const float *a, int lda, const float *x, float beta,
                     float *y);
void linalg_gemv_f64(enum linalg_op op, int m, int n, double alpha,
                     const double *a, int lda, const double *x, double beta,
                     double *y);

float linalg_dot_f32(int n, const float *x, const float *y);
double linalg_dot_f64(int n, const double *x, const double *y);
float linalg_norm2_f32(int n, const float *x); /* Euclidean, no overflow */
double linalg_norm2_f64(int n, const double *x);

/* The largest |x_i| and the largest |x_i - y_i|; NaN where there is one. */
float linalg_largest_f32(int n, const float *x);
double linalg_largest_f64(int n, const double *x);
float linalg_distance_f32(int n, const float *x, const float *y);
double linalg_distance_f64(int n, const double *x, const double *y);

/* Singular value decomposition A (m,n) = U diag(s) VT, by divide and conquer
 * (xGESDD). The workspace is made once for a shape and used many times. */
enum linalg_vectors {
  LINALG_VALUES, /* s only */
  LINALG_THIN    /* and U (m,p), VT (p,n), p = min(m,n) */
};
struct linalg_svd {
  int m, n;
  enum linalg_vectors vectors;
  void *work; /* lwork elements of the precision it was made for */
  int lwork;
  int *iwork;
};
void linalg_svd_init_f32(struct linalg_svd *svd, int m, int n,
                         enum linalg_vectors vectors);
void linalg_svd_init_f64(struct linalg_svd *svd, int m, int n,
                         enum linalg_vectors vectors);
void linalg_svd_free(struct linalg_svd *svd);

/* An error naming the first entry of `a` (m,n) that is not finite. */
int linalg_check_finite_f32(int m, int n, const float *a, struct error *err);
int linalg_check_finite_f64(int m, int n, const double *a, struct error *err);

/* `a` (m,n) is destroyed; s[p] descends; u and vt are NULL for LINALG_VALUES.
 * A non-finite entry of `a` is an error, as is failure to converge. */
int linalg_svd_f32(struct linalg_svd *svd, float *a, float *s, float *u,
                   float *vt, struct error *err);
int linalg_svd_f64(struct linalg_svd *svd, double *a, double *s, double *u,
                   double *vt, struct error *err);

/* Singular values alone, `a` (m,n) kept, workspace made and freed inside. */
int linalg_singular_values_f32(int m, int n, const float *a, float *s,
                               struct error *err);
int linalg_singular_values_f64(int m, int n, const double *a, double *s,
                               struct error *err);

/* How many of the n descending singular values exceed tolerance * s[0]. */
int linalg_rank_f32(int n, const float *s, double tolerance);
int linalg_rank_f64(int n, const double *s, double tolerance);

#endif
