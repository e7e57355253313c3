/* The kernel of the covariance of a norm's output, for random gains and biases
 * of both signs, against the covariance itself. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/dead_direction.h"
#include "analysis/dead_kernel.h"
#include "analysis/linalg.h"
#include "analysis/norm.h"
#include "analysis/rng.h"
#include "analysis/tall_svd.h"
#include "report/base/memory.h"

enum { ROWS = 600, MOST = 48 };

struct outputs {
  size_t width;
  double *y; /* (ROWS, width) */
  double gain[MOST], bias[MOST], u[MOST];
};

/* Rows with a mean and a common part, so that the covariance is no sphere. */
static void make(struct outputs *o, enum norm_kind kind, size_t width,
                 uint64_t seed, double eps) {
  struct rng rng;
  double *x = memory_alloc(ROWS * (width + 2), sizeof *x);
  *o = (struct outputs){
      width, memory_alloc(ROWS * width, sizeof(double)), {0}, {0}, {0}};
  rng_seed(&rng, seed);
  for (size_t r = 0; r < ROWS; r++) {
    double common = rng_normal(&rng);
    for (size_t i = 0; i < width; i++)
      x[r * width + i] = rng_normal(&rng) + common * (double)(i % 5);
  }
  for (size_t i = 0; i < width; i++) {
    double size = 0.05 + 2 * rng_double(&rng);
    o->gain[i] = rng_double(&rng) < 0.3 ? -size : size;
    o->bias[i] = rng_normal(&rng);
  }
  norm_forward_f64(kind, ROWS, (int)width, eps, x, o->gain, o->bias, o->y,
                   x + ROWS * width, x + ROWS * (width + 1));
  dead_direction_unit(width, o->gain, o->u);
  free(x);
}

static float *narrowed(const struct outputs *o) {
  float *y = memory_alloc(ROWS * o->width, sizeof *y);
  for (size_t i = 0; i < ROWS * o->width; i++)
    y[i] = (float)o->y[i];
  return y;
}

static struct dead_kernel measure(const struct outputs *o, bool centred) {
  struct dead_kernel kernel;
  struct error err = {{0}};
  if (dead_kernel_f64(ROWS, o->width, o->y, o->u, centred, &kernel, &err) != 0)
    fail_msg("%s", err.text);
  return kernel;
}

static void check_layernorm(size_t width, uint64_t seed, double eps) {
  struct outputs o;
  make(&o, NORM_LAYER, width, seed, eps);
  struct dead_kernel kernel = measure(&o, true);
  if (!(kernel.one_minus_abs_cos < 1e-24 && kernel.residual < 1e-14 &&
        kernel.along_u < 1e-28 * kernel.largest))
    fail_msg("width %zu: %.17g %.17g", width, kernel.one_minus_abs_cos,
             kernel.residual);
  assert_true(fabs(kernel.abs_cos - 1) < 1e-14);
  dead_kernel_free(&kernel);
  struct error err = {{0}};
  float *narrow = narrowed(&o);
  assert_int_equal(
      dead_kernel_f32(ROWS, width, narrow, o.u, true, &kernel, &err), 0);
  assert_true(kernel.one_minus_abs_cos < 1e-7 && kernel.residual < 1e-5);
  assert_true(kernel.along_u < 1e-10 * kernel.largest);
  free(narrow);
  dead_kernel_free(&kernel);
  free(o.y);
}

static void test_layernorm(void **state) {
  (void)state;
  static const size_t widths[] = {3, 4, 17, 48};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
    for (uint64_t seed = 0; seed < 4; seed++)
      check_layernorm(widths[i], seed, seed % 2 == 0 ? 0 : 0.1);
}

static void test_rmsnorm(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 4; seed++) {
    struct outputs o;
    make(&o, NORM_RMS, MOST, seed, 1e-5);
    struct dead_kernel kernel = measure(&o, true);
    assert_true(kernel.abs_cos < 0.9 && kernel.residual > 1e-4);
    assert_true(fabs(1 - kernel.abs_cos - kernel.one_minus_abs_cos) < 1e-14);
    dead_kernel_free(&kernel);
    free(o.y);
  }
}

/* Without centring u . y = u . bias is there in every row. */
static void test_uncentred(void **state) {
  (void)state;
  struct outputs o;
  make(&o, NORM_LAYER, MOST, 9, 1e-5);
  double constant = linalg_dot_f64(MOST, o.u, o.bias);
  struct dead_kernel kernel = measure(&o, false);
  assert_true(fabs(kernel.along_u / (constant * constant) - 1) < 1e-12);
  assert_true(fabs(kernel.offset / kernel.along_u - 1) < 1e-12);
  assert_true(kernel.residual > 1e-6);
  dead_kernel_free(&kernel);
  free(o.y);
}

/* u' C u, |C u| / |C| and the spectrum from C itself. */
static void test_covariance(void **state) {
  (void)state;
  struct outputs o;
  struct error err = {{0}};
  double s[MOST], product[MOST];
  make(&o, NORM_RMS, MOST, 3, 1e-5);
  double *centred = memory_alloc(ROWS * MOST + MOST * MOST, sizeof *centred);
  double *c = centred + ROWS * MOST;
  tall_centre_f64(ROWS, MOST, o.y, centred);
  linalg_gemm_f64(LINALG_TRANSPOSED, LINALG_PLAIN, MOST, MOST, ROWS, 1. / ROWS,
                  centred, MOST, centred, MOST, 0, c, MOST);
  linalg_gemv_f64(LINALG_PLAIN, MOST, MOST, 1, c, MOST, o.u, 0, product);
  assert_int_equal(linalg_singular_values_f64(MOST, MOST, c, s, &err), 0);
  struct dead_kernel kernel = measure(&o, true);
  for (size_t i = 0; i < MOST; i++)
    assert_true(fabs(kernel.spectrum[i] - s[i]) < 1e-13 * s[0]);
  assert_true(kernel.largest == kernel.spectrum[0]);
  assert_true(kernel.next == kernel.spectrum[MOST - 2]);
  assert_true(kernel.smallest == kernel.spectrum[MOST - 1]);
  double along = linalg_dot_f64(MOST, o.u, product);
  double residual = linalg_norm2_f64(MOST, product) / s[0];
  assert_true(fabs(kernel.along_u / along - 1) < 1e-12);
  assert_true(fabs(kernel.residual / residual - 1) < 1e-12);
  assert_true(kernel.offset < 1e-28 * along);
  dead_kernel_free(&kernel);
  free(centred);
  free(o.y);
}

/* Five axes, of which two are below 1e-6 of the largest and one is just above;
 * u is one of the two, or a lively one. */
static void test_further(void **state) {
  (void)state;
  static const double sizes[] = {1, 0.5, 1.1e-3, 0.9e-3, 1e-5};
  struct error err = {{0}};
  double y[10 * 5] = {0}, u[5] = {0};
  for (size_t i = 0; i < 5; i++) {
    y[2 * i * 5 + i] = sizes[i];
    y[(2 * i + 1) * 5 + i] = -sizes[i];
  }
  struct dead_kernel kernel;
  u[4] = -1;
  assert_int_equal(dead_kernel_f64(10, 5, y, u, true, &kernel, &err), 0);
  assert_int_equal(kernel.further, 1);
  assert_true(kernel.one_minus_abs_cos < 1e-30);
  assert_true(fabs(kernel.along_u / (2 * 1e-10 / 10) - 1) < 1e-12);
  dead_kernel_free(&kernel);
  u[4] = 0;
  u[1] = 1;
  assert_int_equal(dead_kernel_f64(10, 5, y, u, true, &kernel, &err), 0);
  assert_int_equal(kernel.further, 2);
  assert_true(kernel.abs_cos < 1e-15);
  dead_kernel_free(&kernel);
  y[3] = NAN;
  assert_int_equal(dead_kernel_f64(10, 5, y, u, true, &kernel, &err), -1);
  assert_string_equal(err.text, "singular values: entry (0,3) is not finite");
  for (size_t i = 0; i < 10 * 5; i++)
    y[i] = 0.5;
  assert_int_equal(dead_kernel_f64(10, 5, y, u, true, &kernel, &err), -1);
  assert_string_equal(err.text,
                      "kernel of a covariance: its rows are all alike");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layernorm), cmocka_unit_test(test_rmsnorm),
      cmocka_unit_test(test_uncentred), cmocka_unit_test(test_covariance),
      cmocka_unit_test(test_further),
  };
  return cmocka_run_group_tests_name("dead_kernel", tests, NULL, NULL);
}
