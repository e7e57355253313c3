/* Dead directions: that u . y is u . bias whatever goes into the norm, and the
 * rules for gains that are zero, negative, tiny, huge or not numbers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dead_direction.h"
#include "analysis/norm.h"
#include "analysis/rng.h"
#include "analysis/stats.h"
#include "report/base/memory.h"

#define F32_ROUNDOFF ldexp(1, -24)
#define F64_ROUNDOFF ldexp(1, -53)

static void near(double found, double expected, double bound,
                 const char *what) {
  if (!(fabs(found - expected) <= bound))
    fail_msg("%s: found %.17g, expected %.17g, bound %.3g", what, found,
             expected, bound);
}

static void same(double found, double expected, const char *what) {
  near(found, expected, 0, what);
}

/* Read as from F32, where nothing can go wrong. */
static struct dead_direction of(size_t width, const double *gain,
                                const double *bias) {
  struct dead_direction d;
  struct error err;
  if (dead_direction_read("m", "ln.weight", width, gain, bias, F32_ROUNDOFF,
                          FLT_MIN, &d, &err) != 0)
    fail_msg("%s", err.text);
  if (d.u != NULL)
    near(sqrt(stats_dot(d.u, d.u, width)), 1, 2e-16 * sqrt((double)width),
         "|u|");
  return d;
}

/* The sum of |u_i y_i|, whose rounding is what u . y can be off. */
static double scale_of(size_t width, const double *u, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < width; i++)
    sum += fabs(u[i] * y[i]);
  return sum;
}

/* ---- the identity ---- */

enum { ROWS = 7 };

/* Rows through a LayerNorm: u . y is the constant for all of them. */
static void check_identity(struct rng *rng, size_t width, const double *gain,
                           const double *bias, double offset) {
  int n = (int)width;
  double *x = memory_alloc(ROWS * width, sizeof *x);
  double *y = memory_alloc(ROWS * width, sizeof *y), mean[ROWS], rstd[ROWS];
  rng_normals(rng, offset, 3, ROWS * width, x);
  norm_forward_f64(NORM_LAYER, ROWS, n, 1e-5, x, gain, bias, y, mean, rstd);
  struct dead_direction d = of(width, gain, bias);
  for (size_t row = 0; row < ROWS; row++) {
    const double *out = y + row * width;
    near(stats_dot(d.u, out, width), d.constant,
         (2e-16 * (double)width + 1e-15 * fabs(offset)) *
             (scale_of(width, d.u, out) + fabs(d.constant)),
         "u . y");
  }
  dead_direction_free(&d);
  free(x);
  free(y);
}

static void test_identity(void **state) {
  static const size_t widths[] = {1, 2, 3, 33, 128, 1025};
  static const double offsets[] = {0, -50, 1e4};
  struct rng rng;
  (void)state;
  rng_seed(&rng, 5);
  for (size_t w = 0; w < 6; w++)
    for (size_t o = 0; o < 3; o++) {
      size_t width = widths[w];
      double *gain = memory_alloc(width, sizeof *gain);
      double *bias = memory_alloc(width, sizeof *bias);
      rng_normals(&rng, 0, 1, width, gain); /* both signs */
      rng_normals(&rng, 0.5, 1, width, bias);
      check_identity(&rng, width, gain, bias, offsets[o]);
      free(gain);
      free(bias);
    }
}

/* The same for an RMSNorm varies from row to row. */
static void test_no_identity_without_mean(void **state) {
  enum { WIDTH = 64 };
  double gain[WIDTH], x[2 * WIDTH], y[2 * WIDTH], rstd[2];
  struct rng rng;
  (void)state;
  rng_seed(&rng, 6);
  rng_normals(&rng, 1, 0.1, WIDTH, gain);
  rng_normals(&rng, 0, 1, 2 * WIDTH, x);
  norm_forward_f64(NORM_RMS, 2, WIDTH, 1e-5, x, gain, NULL, y, NULL, rstd);
  struct dead_direction d = of(WIDTH, gain, NULL);
  double first = stats_dot(d.u, y, WIDTH);
  double second = stats_dot(d.u, y + WIDTH, WIDTH);
  if (fabs(first - second) < 0.01) fail_msg("%.17g and %.17g", first, second);
  dead_direction_free(&d);
}

/* ---- the facts ---- */

static void test_facts(void **state) {
  const double gain[] = {2, -0.5, 1, 4, -1, 8, 8};
  const double bias[] = {1, 2, 3, 4, 5, 6, 7};
  const double inverse[] = {0.5, -2, 1, 0.25, -1, 0.125, 0.125};
  const size_t top[] = {1, 2, 4, 0, 3};
  (void)state;
  struct dead_direction d = of(7, gain, bias);
  double length = sqrt(stats_dot(inverse, inverse, 7));
  for (size_t i = 0; i < 7; i++)
    near(d.u[i], inverse[i] / length, 1e-16, "u");
  same(d.smallest, 0.5, "smallest");
  same(d.largest, 8, "largest");
  same(d.conditioning, 16, "conditioning");
  assert_int_equal(d.negative_count, 2);
  assert_int_equal(d.zero_count, 0);
  assert_int_equal(d.subnormal_count, 0);
  assert_false(d.meaningless);
  assert_int_equal(d.top_count, 5);
  assert_memory_equal(d.top, top, sizeof top);
  near(d.cosine_uniform, -1 / sqrt(7) / length, 1e-16, "cosine");
  near(d.constant, stats_dot(inverse, bias, 7) / length, 1e-15, "constant");
  dead_direction_free(&d);
}

/* A cosine is one, whatever the sum rounds to. */
static void test_equal_gains(void **state) {
  double gain[100];
  (void)state;
  for (int i = 0; i < 100; i++)
    gain[i] = -3;
  for (size_t width = 1; width < 100; width++) {
    struct dead_direction part = of(width, gain, NULL);
    assert_true(part.cosine_uniform >= -1);
    dead_direction_free(&part);
  }
  struct dead_direction d = of(100, gain, NULL);
  near(d.cosine_uniform, -1, 1e-14, "cosine");
  assert_true(d.cosine_uniform >= -1);
  same(d.constant, 0, "constant");
  same(d.conditioning, 1, "conditioning");
  for (size_t i = 0; i < d.top_count; i++)
    assert_int_equal(d.top[i], i);
  dead_direction_free(&d);
}

static void test_one_axis(void **state) {
  const double gain[] = {-1e-45}, bias[] = {0.25};
  (void)state;
  struct dead_direction d = of(1, gain, bias);
  same(d.u[0], -1, "u");
  same(d.constant, -0.25, "constant");
  same(d.conditioning, 1, "conditioning");
  assert_int_equal(d.top_count, 1);
  dead_direction_free(&d);
}

/* ---- the rules ---- */

static void test_zero_gains(void **state) {
  const double gain[] = {1, 0, -2, -0.0}, none[] = {0, 0};
  (void)state;
  struct dead_direction d = of(4, gain, gain);
  assert_null(d.u);
  assert_int_equal(d.zero_count, 2);
  assert_int_equal(d.zeros[0], 1);
  assert_int_equal(d.zeros[1], 3);
  assert_int_equal(d.negative_count, 1);
  assert_int_equal(d.top_count, 0);
  same(d.conditioning, 2, "conditioning of the others");
  same(d.constant, 0, "constant");
  dead_direction_free(&d);
  d = of(2, none, NULL);
  assert_null(d.u);
  assert_int_equal(d.zero_count, 2);
  same(d.smallest, 0, "smallest");
  same(d.conditioning, 0, "conditioning");
  assert_false(d.meaningless);
  dead_direction_free(&d);
}

/* 1/1e-45 is infinite in float32, 1/5e-324 in float64 too. */
static void test_tiny_gains(void **state) {
  const double least = ldexp(1, -149);
  const double f32[] = {least, -least, 1, 2 * least};
  const double f64[] = {5e-324, 1, -1e-323, 1e300};
  struct dead_direction d;
  struct error err;
  (void)state;
  d = of(4, f32, NULL);
  near(d.u[0], 2.0 / 3, 2e-16, "u 0");
  near(d.u[1], -2.0 / 3, 2e-16, "u 1");
  near(d.u[2], 2.0 / 3 * least, 1e-60, "u 2");
  near(d.u[3], 1.0 / 3, 2e-16, "u 3");
  assert_int_equal(d.subnormal_count, 3);
  assert_true(d.meaningless);
  dead_direction_free(&d);
  assert_int_equal(dead_direction_read("m", "g", 4, f64, f64, F64_ROUNDOFF,
                                       DBL_MIN, &d, &err),
                   0);
  near(d.u[0], sqrt(0.8), 2e-16, "u 0");
  near(d.u[2], -sqrt(0.2), 2e-16, "u 2");
  same(d.u[3], 0, "u 3");
  assert_int_equal(d.subnormal_count, 2);
  const double normal[] = {FLT_MIN, -FLT_MIN};
  struct dead_direction whole = of(2, normal, NULL);
  assert_int_equal(whole.subnormal_count, 0);
  dead_direction_free(&whole);
  assert_true(isinf(d.conditioning));
  assert_true(d.meaningless);
  same(d.constant, 0, "constant"); /* 1e300 times less than the least number */
  dead_direction_free(&d);
}

/* Products and sums stay in range where the result does. */
static void test_huge(void **state) {
  const double gain[] = {1e300, -1e300, 1e300, 1e300};
  const double bias[] = {1.5e308, 1.5e308, 1.5e308, -1.5e308};
  const double tiny[] = {5e-324, -5e-324, 5e-324, 5e-324};
  (void)state;
  struct dead_direction d = of(4, gain, bias);
  same(d.u[1], -0.5, "u");
  same(d.constant, -0.0, "constant");
  dead_direction_free(&d);
  d = of(4, gain, gain);
  same(d.constant, 2e300, "constant");
  dead_direction_free(&d);
  d = of(4, gain, tiny); /* halves of the least number, added before rounding */
  same(d.constant, 1e-323, "constant");
  dead_direction_free(&d);
}

static void test_meaningless(void **state) {
  double gain[] = {1, ldexp(1, 24), 3};
  (void)state;
  struct dead_direction d = of(3, gain, NULL);
  assert_true(d.meaningless);
  dead_direction_free(&d);
  gain[1] = nextafter(gain[1], 0);
  d = of(3, gain, NULL);
  assert_false(d.meaningless);
  dead_direction_free(&d);
}

static void refused(size_t width, const double *gain, const double *bias,
                    const char *message) {
  struct dead_direction d;
  struct error err = {{0}};
  assert_int_equal(dead_direction_read("m", "ln.weight", width, gain, bias,
                                       F32_ROUNDOFF, FLT_MIN, &d, &err),
                   -1);
  assert_string_equal(err.text, message);
  assert_null(d.u);
  assert_null(d.zeros);
}

static void test_refusals(void **state) {
  const double fine[] = {1, 0, 3}, nan[] = {1, 0, NAN},
               infinite[] = {1, -INFINITY, NAN};
  const double equal[] = {1, 1, 1}, vast[] = {1.7e308, 1.7e308, 1.7e308};
  (void)state;
  refused(0, fine, fine, "m: the norm \"ln.weight\" has no features");
  refused(3, nan, fine,
          "m: the gain of \"ln.weight\" at index 2 is NaN, not finite");
  refused(3, infinite, fine,
          "m: the gain of \"ln.weight\" at index 1 is infinite, not finite");
  refused(3, fine, nan,
          "m: the bias beside \"ln.weight\" at index 2 is NaN, not finite");
  refused(3, equal, vast,
          "m: u . bias is beyond the largest double, for the bias beside "
          "\"ln.weight\"");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_identity),
      cmocka_unit_test(test_no_identity_without_mean),
      cmocka_unit_test(test_facts),
      cmocka_unit_test(test_equal_gains),
      cmocka_unit_test(test_one_axis),
      cmocka_unit_test(test_zero_gains),
      cmocka_unit_test(test_tiny_gains),
      cmocka_unit_test(test_huge),
      cmocka_unit_test(test_meaningless),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests_name("dead_direction", tests, NULL, NULL);
}
