/* Singular values of tall matrices through their triangle, and centring. */
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
#include "analysis/stats.h"
#include "analysis/tall_svd.h"
#include "report/base/memory.h"

static double *random_matrix(uint64_t seed, int m, int n) {
  size_t count = (size_t)m * (size_t)n;
  double *a = memory_alloc(count, sizeof *a);
  struct rng rng;
  rng_seed(&rng, seed);
  rng_normals(&rng, 0, 1, count, a);
  return a;
}

/* The rows of vt are orthonormal and |A v_i| = s_i. */
static void check_vectors(int m, int n, const double *a, const double *s,
                          const double *vt) {
  double *product = memory_alloc((size_t)m, sizeof *product), worst = 0;
  for (int i = 0; i < n; i++) {
    const double *v = vt + (size_t)i * (size_t)n;
    linalg_gemv_f64(LINALG_PLAIN, m, n, 1, a, n, v, 0, product);
    stats_keep_worst(&worst, linalg_norm2_f64(m, product) - s[i]);
    for (int j = 0; j <= i; j++)
      stats_keep_worst(&worst,
                       linalg_dot_f64(n, v, vt + (size_t)j * (size_t)n) -
                           (i == j ? 1 : 0));
  }
  if (!(worst < 1e-12 * s[0])) fail_msg("(%d,%d): %.17g", m, n, worst);
  free(product);
}

static void check_shape(int m, int n) {
  struct error err = {{0}};
  size_t N = (size_t)n, count = (size_t)m * N;
  double *a = random_matrix(7, m, n), *vt = memory_alloc(N * N, sizeof *vt);
  double *copy = memory_alloc(count, sizeof *copy), s[64], expected[64];
  float *narrow = memory_alloc(count, sizeof *narrow), s_narrow[64];
  memcpy(copy, a, count * sizeof *copy);
  for (size_t i = 0; i < count; i++)
    narrow[i] = (float)a[i];
  assert_int_equal(tall_svd_f64(m, n, a, s, vt, &err), 0);
  assert_memory_equal(a, copy, count * sizeof *copy);
  check_vectors(m, n, a, s, vt);
  assert_int_equal(linalg_singular_values_f64(m, n, a, expected, &err), 0);
  assert_int_equal(tall_svd_f32(m, n, narrow, s_narrow, NULL, &err), 0);
  for (int i = 0; i < n; i++) {
    assert_true(fabs(s[i] - expected[i]) < 1e-13 * s[0]);
    assert_true(fabs(s[i] - (double)s_narrow[i]) < 1e-5 * s[0]);
  }
  free(a);
  free(vt);
  free(copy);
  free(narrow);
}

static void test_shapes(void **state) {
  (void)state;
  check_shape(1, 1);
  check_shape(5, 5);
  check_shape(300, 1);
  check_shape(1000, 64);
}

static void test_refusal(void **state) {
  (void)state;
  struct error err = {{0}};
  double *a = random_matrix(1, 8, 3), s[3];
  a[7] = INFINITY;
  assert_int_equal(tall_svd_f64(8, 3, a, s, NULL, &err), -1);
  assert_string_equal(err.text, "singular values: entry (2,1) is not finite");
  a[7] = NAN;
  assert_int_equal(tall_svd_f64(8, 3, a, s, NULL, &err), -1);
  free(a);
}

/* Means of 1e4, on which a plain float32 sum of 8,192 numbers has lost four
 * digits: what is left after centring is the rounding of the mean itself. */
static void test_centring(void **state) {
  (void)state;
  enum { M = 8192, N = 3 };
  double *a = random_matrix(2, M, N), mean[N] = {0};
  float *narrow = memory_alloc(2 * M * N, sizeof *narrow),
        *out = narrow + M * N;
  for (size_t i = 0; i < M * N; i++) {
    narrow[i] = (float)(a[i] + 1e4);
    a[i] = narrow[i];
  }
  tall_centre_f32(M, N, narrow, out);
  for (size_t i = 0; i < M * N; i++)
    mean[i % N] += (double)out[i] / M;
  for (size_t j = 0; j < N; j++)
    assert_true(fabs(mean[j]) < 1e-3); /* spacing(1e4) = 9.8e-4 */
  double *centred = memory_alloc(M * N, sizeof *centred);
  tall_centre_f64(M, N, a, centred);
  for (size_t i = 0; i < M * N; i++)
    assert_true(fabs(centred[i] - (double)out[i]) < 1e-3);
  free(a);
  free(narrow);
  free(centred);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_refusal),
      cmocka_unit_test(test_centring),
  };
  return cmocka_run_group_tests_name("tall_svd", tests, NULL, NULL);
}
