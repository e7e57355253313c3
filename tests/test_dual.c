/* Dual numbers: each rule against the derivative known from calculus. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "analysis/dual.h"

static void is(struct dual found, double value, double tangent) {
  if (!(fabs(found.value - value) <= 1e-15 * fabs(value)) ||
      !(fabs(found.tangent - tangent) <= 1e-15 * fabs(tangent)))
    fail_msg("found %.17g + %.17g e, expected %.17g + %.17g e", found.value,
             found.tangent, value, tangent);
}

static void test_rules(void **state) {
  (void)state;
  struct dual x = dual_variable(3), c = dual_constant(2);
  is(dual_add(x, c), 5, 1);
  is(dual_sub(c, x), -1, -1);
  is(dual_mul(x, x), 9, 6);
  is(dual_div(c, x), 2.0 / 3, -2.0 / 9);
  is(dual_sqrt(x), sqrt(3), 1 / (2 * sqrt(3)));
  is(dual_exp(x), exp(3), exp(3));
  is(dual_log(x), log(3), 1.0 / 3);
}

/* d/dx of exp(sqrt(x) / (1 + x)) log(x), by hand. */
static void test_chain(void **state) {
  (void)state;
  const double x0 = 0.7, r = sqrt(x0), q = r / (1 + x0);
  const double dq = (0.5 / r * (1 + x0) - r) / ((1 + x0) * (1 + x0));
  struct dual x = dual_variable(x0);
  struct dual quotient = dual_div(dual_sqrt(x), dual_add(dual_constant(1), x));
  is(dual_mul(dual_exp(quotient), dual_log(x)), exp(q) * log(x0),
     exp(q) * (dq * log(x0) + 1 / x0));
}

/* d/dx of the mean of x, x^2 and 5. */
static void test_mean(void **state) {
  (void)state;
  struct dual x = dual_variable(4);
  const struct dual terms[] = {x, dual_mul(x, x), dual_constant(5)};
  is(dual_mean(3, terms), 25.0 / 3, 3);
  is(dual_mean(1, terms), 4, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rules),
      cmocka_unit_test(test_chain),
      cmocka_unit_test(test_mean),
  };
  return cmocka_run_group_tests_name("dual", tests, NULL, NULL);
}
