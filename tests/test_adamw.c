/* AdamW, clipping and the one-cycle schedule against values worked out apart
 * from this code (Python's floats, from the documented formulas). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "analysis/adamw.h"

static void close_to(double found, double expected, double rel) {
  if (!(fabs(found - expected) <= rel * fabs(expected)))
    fail_msg("found %.17g, expected %.17g", found, expected);
}

static void test_one_cycle(void **state) {
  (void)state;
  const struct one_cycle cycle = {3000, 3e-3, 0.3, 25, 1e4, 0.95, 0.85};
  const struct {
    long long step;
    double lr, beta1;
  } expected[] = {{0, 0.00012, 0.95},
                  {1, 0.00012000879250079769, 0.94999969470483336},
                  {449, 0.001557483931524307, 0.9000873634887393},
                  {450, 0.0015625160684756927, 0.89991263651126063},
                  {899, 0.003, 0.85},
                  {900, 0.0029999983215028775, 0.85000005595012784},
                  {1949, 0.001500006, 0.9},
                  {1950, 0.0014977620150604235, 0.90007479979718508},
                  {2998, 1.3678497122731476e-08, 0.94999994404987209},
                  {2999, 1.2e-08, 0.95}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    double lr, beta1;
    one_cycle(&cycle, expected[i].step, &lr, &beta1);
    close_to(lr, expected[i].lr, 1e-10);
    close_to(beta1, expected[i].beta1, 1e-14);
  }
}

/* The rate rises to the peak and falls from it; beta1 mirrors it. */
static void test_one_cycle_shape(void **state) {
  (void)state;
  const struct one_cycle cycle = {3000, 3e-3, 0.3, 25, 1e4, 0.95, 0.85};
  double lr, beta1, lr_before, beta1_before;
  one_cycle(&cycle, 0, &lr_before, &beta1_before);
  for (long long step = 1; step < cycle.steps; step++) {
    one_cycle(&cycle, step, &lr, &beta1);
    assert_true((lr > lr_before) == (step <= 899));
    assert_true((beta1 < beta1_before) == (step <= 899));
    lr_before = lr;
    beta1_before = beta1;
  }
}

/* Three steps with a moving beta1; bias correction by its current power. */
static void test_steps(void **state) {
  (void)state;
  const float gradients[3][2] = {{0.5f, -1.5f}, {0.25f, 0.75f}, {-1, 0}};
  const double lr[] = {0.01, 0.02, 0.005}, beta1[] = {0.95, 0.9, 0.85};
  const double expected[3][2] = {
      {0.989, -1.988}, {0.974370991, -1.98468984}, {0.976030745, -1.98378285}};
  float w[] = {1, -2};
  struct adamw adamw = adamw_new(2, 0.999, 1e-8, 0.1);
  for (int t = 0; t < 3; t++) {
    adamw_step(&adamw, lr[t], beta1[t], gradients[t], w);
    for (int i = 0; i < 2; i++)
      close_to((double)w[i], expected[t][i], 2e-7);
  }
  assert_int_equal(adamw.t, 3);
  adamw_free(&adamw);
}

/* Without gradient only the decay acts: w (1 - lr decay). */
static void test_decay(void **state) {
  (void)state;
  const float zero[] = {0};
  float w[] = {4};
  struct adamw adamw = adamw_new(1, 0.999, 1e-8, 0.1);
  adamw_step(&adamw, 0.5, 0.9, zero, w);
  close_to((double)w[0], 3.8, 1e-7);
  adamw_free(&adamw);
}

static void test_clip(void **state) {
  (void)state;
  float large[] = {3, -4, 12}, small[] = {0.3f, -0.4f, 0}, zero[] = {0};
  close_to(adamw_clip(3, 1, large), 13, 1e-15);
  close_to((double)large[0], 3 / 13.000001, 2e-7);
  close_to((double)large[1], -4 / 13.000001, 2e-7);
  close_to((double)large[2], 12 / 13.000001, 2e-7);
  close_to(adamw_clip(3, 1, small), 0.5, 1e-7);
  assert_true(small[0] == 0.3f && small[1] == -0.4f && small[2] == 0);
  assert_true(adamw_clip(1, 1, zero) == 0 && zero[0] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_cycle), cmocka_unit_test(test_one_cycle_shape),
      cmocka_unit_test(test_steps), cmocka_unit_test(test_decay),
      cmocka_unit_test(test_clip)};
  return cmocka_run_group_tests_name("adamw", tests, NULL, NULL);
}
