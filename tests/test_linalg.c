/* Linear algebra: residuals, row-major conventions, refused input. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linalg.h"
#include "analysis/rng.h"
#include "report/base/memory.h"

static void near(double found, double expected, double bound) {
  if (!(fabs(found - expected) <= bound))
    fail_msg("found %.17g, expected %.17g, bound %.3g", found, expected, bound);
}

static double *drawn(uint64_t seed, int n) {
  struct rng rng;
  rng_seed(&rng, seed);
  double *values = memory_alloc((size_t)n, sizeof *values);
  rng_normals(&rng, 0, 1, (size_t)n, values);
  return values;
}

static void test_gemm(void **state) {
  (void)state;
  const double a[] = {1, 2, 3, 4, 5, 6};    /* (2,3) */
  const double b[] = {1, 0, 2, 1, 0, 1};    /* (3,2) */
  const double at_b[] = {1, 4, 2, 5, 3, 6}; /* a' as stored (3,2) */
  double c[] = {100, 100, 100, 100};
  linalg_gemm_f64(LINALG_PLAIN, LINALG_PLAIN, 2, 2, 3, 1, a, 3, b, 2, 0, c, 2);
  const double product[] = {5, 5, 14, 11};
  assert_memory_equal(c, product, sizeof c);
  linalg_gemm_f64(LINALG_TRANSPOSED, LINALG_PLAIN, 2, 2, 3, 2, at_b, 2, b, 2, 1,
                  c, 2);
  const double added[] = {15, 15, 42, 33};
  assert_memory_equal(c, added, sizeof c);
  const float af[] = {1, 2, 3, 4, 5, 6}, bf[] = {1, 2, 0, 0, 1, 1};
  float cf[4];
  linalg_gemm_f32(LINALG_PLAIN, LINALG_TRANSPOSED, 2, 2, 3, 1, af, 3, bf, 3, 0,
                  cf, 2);
  assert_true(cf[0] == 5 && cf[1] == 5 && cf[2] == 14 && cf[3] == 11);
}

static void test_vectors(void **state) {
  (void)state;
  const double a[] = {1, 2, 3, 4, 5, 6}, x[] = {1, 1, 1};
  double y[] = {1, 1}, z[3];
  linalg_gemv_f64(LINALG_PLAIN, 2, 3, 1, a, 3, x, 1, y);
  assert_true(y[0] == 7 && y[1] == 16);
  linalg_gemv_f64(LINALG_TRANSPOSED, 2, 3, 1, a, 3, y, 0, z);
  assert_true(z[0] == 71 && z[1] == 94 && z[2] == 117);
  assert_true(linalg_dot_f64(3, a, a + 3) == 32);
  const double far[] = {3e200, 4e200};
  near(linalg_norm2_f64(2, far) / 5e200, 1, 1e-15);
}

/* U diag(s) VT gives A back, for tall, wide and square A. */
static void test_svd_residual(void **state) {
  (void)state;
  const int shapes[][2] = {{5, 3}, {3, 5}, {40, 40}, {1, 7}, {7, 1}, {1, 1}};
  for (size_t t = 0; t < sizeof shapes / sizeof *shapes; t++) {
    int m = shapes[t][0], n = shapes[t][1], p = m < n ? m : n;
    double *a = drawn(t, m * n), *copy = drawn(t, m * n);
    double *s = drawn(0, p), *u = drawn(0, m * p), *vt = drawn(0, p * n);
    struct linalg_svd svd;
    struct error err;
    linalg_svd_init_f64(&svd, m, n, LINALG_THIN);
    assert_int_equal(linalg_svd_f64(&svd, copy, s, u, vt, &err), 0);
    linalg_svd_free(&svd);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < p; k++)
          sum += u[i * p + k] * s[k] * vt[k * n + j];
        near(sum, a[i * n + j], 1e-13);
      }
    double *alone = drawn(0, p);
    assert_int_equal(linalg_singular_values_f64(m, n, a, alone, &err), 0);
    for (int k = 0; k < p; k++)
      near(alone[k], s[k], 1e-13);
    free(alone);
    free(a);
    free(copy);
    free(s);
    free(u);
    free(vt);
  }
}

static void test_svd_in_float(void **state) {
  (void)state;
  float a[] = {3, 0, 0, 0, -4, 0}, s[2], u[4], vt[6];
  struct linalg_svd svd;
  struct error err;
  linalg_svd_init_f32(&svd, 2, 3, LINALG_THIN);
  assert_int_equal(linalg_svd_f32(&svd, a, s, u, vt, &err), 0);
  linalg_svd_free(&svd);
  near((double)s[0], 4, 1e-6);
  near((double)s[1], 3, 1e-6);
  near(fabs((double)u[1 * 2 + 0]), 1, 1e-6);  /* the second row's direction */
  near(fabs((double)vt[0 * 3 + 1]), 1, 1e-6); /* and column's */
}

static void test_refused(void **state) {
  (void)state;
  double a[] = {1, 2, NAN, 4}, s[2];
  struct error err;
  assert_int_equal(linalg_singular_values_f64(2, 2, a, s, &err), -1);
  assert_string_equal(err.text, "singular values: entry (1,0) is not finite");
}

static void test_rank(void **state) {
  (void)state;
  const double s[] = {10, 1, 1e-6, 1e-12, 0};
  assert_int_equal(linalg_rank_f64(5, s, 1e-3), 2);
  assert_int_equal(linalg_rank_f64(5, s, 1e-8), 3);
  assert_int_equal(linalg_rank_f64(5, s, 0), 4);
  const double none[] = {0, 0};
  assert_int_equal(linalg_rank_f64(2, none, 1e-9), 0);
}

static void test_largest(void **state) {
  (void)state;
  const double x[] = {1, -3, 2}, y[] = {1, 1, 2.5}, hole[] = {9, NAN, 5};
  assert_true(linalg_largest_f64(3, x) == 3);
  assert_true(linalg_distance_f64(3, x, y) == 4);
  assert_true(linalg_largest_f64(0, x) == 0);
  assert_true(isnan(linalg_largest_f64(3, hole)));
  assert_true(isnan(linalg_distance_f64(3, hole, y)));
  const float narrow[] = {0.5f, -0.75f};
  assert_true(linalg_largest_f32(2, narrow) == 0.75f);
  assert_true(linalg_distance_f32(1, narrow, narrow + 1) == 1.25f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gemm),         cmocka_unit_test(test_vectors),
      cmocka_unit_test(test_svd_residual), cmocka_unit_test(test_svd_in_float),
      cmocka_unit_test(test_refused),      cmocka_unit_test(test_rank),
      cmocka_unit_test(test_largest),
  };
  return cmocka_run_group_tests_name("linalg", tests, NULL, NULL);
}
