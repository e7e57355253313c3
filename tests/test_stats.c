/* Order statistics against NumPy's definitions; sums; lines; the worst error.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "analysis/stats.h"

static void same(double found, double expected) {
  if (found != expected)
    fail_msg("found %.17g, expected %.17g", found, expected);
}

static void test_order(void **state) {
  (void)state;
  double v[] = {4, 1, 3, 2, -0.5};
  stats_sort(v, 5);
  same(v[0], -0.5);
  same(stats_median(v, 5), 2);
  same(stats_median(v, 4), 1.5);
  same(stats_median(v, 1), -0.5);
  same(stats_quantile(v, 5, 0), -0.5);
  same(stats_quantile(v, 5, 1), 4);
  same(stats_quantile(v, 5, 0.9), 4 - 1 * (1 - 0.6000000000000001));
  same(stats_quantile(v, 5, 0.1), -0.5 + 1.5 * 0.4);
  same(stats_quantile(v, 1, 0.3), -0.5);
}

static void test_nan_is_last(void **state) {
  (void)state;
  double v[] = {NAN, 4, -INFINITY, NAN, INFINITY, 1};
  stats_sort(v, 6);
  const double numbers[] = {-INFINITY, 1, 4, INFINITY};
  assert_memory_equal(v, numbers, sizeof numbers);
  assert_true(isnan(v[4]) && isnan(v[5]));
}

static void test_sums(void **state) {
  (void)state;
  const double v[] = {3, 4, 0, 0}, w[] = {0.5, -2, 7, 1};
  same(stats_mean(v, 4), 1.75);
  same(stats_dot(v, w, 4), -6.5);
  same(stats_dot(v, w, 0), 0);
  same(stats_rms(v, 4), 2.5);
  same(stats_deviation(v, 2), sqrt(0.5));
  same(stats_deviation((double[]){1e8 + 1, 1e8 + 2, 1e8 + 3}, 3), 1);
}

/* Closed forms at angles of 45 degrees, and points of the usual tables. */
static void test_student(void **state) {
  (void)state;
  const struct {
    int degrees;
    double t, beyond, bound;
  } cases[] = {{1, 1, 0.5, 1e-15},
               {2, 1, 1 - 1 / sqrt(3), 1e-15},
               {3, sqrt(3), 0.5 - M_1_PI, 1e-15},
               {4, 2, 1 - 1.25 * M_SQRT1_2, 1e-15},
               {5, sqrt(5), 0.5 - 4 * M_1_PI / 3, 1e-15},
               {5, 0, 1, 0},
               {3, 3.182446, 0.05, 1e-7},
               {4, 2.776445, 0.05, 1e-7},
               {7, 2.364624, 0.05, 1e-7},
               {9, 3.249836, 0.01, 1e-7},
               {30, 2.042272, 0.05, 1e-7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double found = stats_student_beyond(sign * cases[i].t, cases[i].degrees);
      if (!(fabs(found - cases[i].beyond) <= cases[i].bound))
        fail_msg("%d degrees: found %.17g, expected %.17g", cases[i].degrees,
                 found, cases[i].beyond);
    }
}

static void test_student_limit(void **state) {
  (void)state;
  const double root = sqrt(1 - 0.95 * 0.95);
  assert_true(fabs(stats_student_limit(0.05, 2) / (0.95 * sqrt(2) / root) - 1) <
              1e-14);
  assert_true(fabs(stats_student_limit(0.05, 1) / tan(0.475 * M_PI) - 1) <
              1e-14);
  assert_true(fabs(stats_student_limit(0.5, 1) - 1) < 1e-15);
  assert_true(stats_student_limit(1, 4) < 1e-15);
  for (int degrees = 1; degrees < 9; degrees++) {
    double t = stats_student_limit(0.01, degrees);
    assert_true(fabs(stats_student_beyond(t, degrees) - 0.01) < 1e-15);
  }
}

/* Far from the origin, where the raw normal equations would cancel. */
static void test_line(void **state) {
  (void)state;
  double x[] = {1e8, 1e8 + 1, 1e8 + 2, 1e8 + 3}, y[4], slope, intercept;
  for (int i = 0; i < 4; i++)
    y[i] = 2 * (x[i] - 1e8) + (i % 2 == 0 ? 0.5 : -0.5);
  stats_line(x, y, 4, &slope, &intercept);
  assert_true(fabs(slope - 1.8) < 1e-14);
  assert_true(fabs(intercept + 1.8 * 1e8 - 0.3) < 1e-6);
}

static void test_worst(void **state) {
  (void)state;
  double worst = 0;
  stats_keep_worst(&worst, 2);
  stats_keep_worst(&worst, -3);
  stats_keep_worst(&worst, 1);
  same(worst, 3);
  stats_keep_worst(&worst, NAN);
  assert_true(isnan(worst));
  stats_keep_worst(&worst, 1e300);
  assert_true(isnan(worst));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order),         cmocka_unit_test(test_nan_is_last),
      cmocka_unit_test(test_sums),          cmocka_unit_test(test_student),
      cmocka_unit_test(test_student_limit), cmocka_unit_test(test_line),
      cmocka_unit_test(test_worst),
  };
  return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
