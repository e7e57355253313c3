/* Rounding to number formats, against all numbers of the short ones as the
 * decoder of tensor files reads them, and against the compiler's float. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/number_format.h"
#include "analysis/rng.h"
#include "analysis/safetensors.h"
#include "report/base/memory.h"

enum { PATTERNS = 1 << 16 };

static double *all_numbers(const char *dtype) {
  uint16_t *bits = memory_alloc(PATTERNS, sizeof *bits);
  double *values = memory_alloc(PATTERNS, sizeof *values);
  for (size_t i = 0; i < PATTERNS; i++)
    bits[i] = (uint16_t)i;
  const struct safetensor tensor = {.name = "all",
                                    .dtype = dtype,
                                    .rank = 1,
                                    .shape = {PATTERNS},
                                    .count = PATTERNS,
                                    .bytes = bits};
  struct error err = {{0}};
  if (safetensor_doubles("test", &tensor, values, &err) != 0)
    fail_msg("%s", err.text);
  free(bits);
  return values;
}

/* From one positive number to the next: each stays, what lies between goes to
 * the nearer, the middle to the even pattern; negative numbers alike. */
static void check_step(enum number_format format, double low, double high,
                       bool low_is_even) {
  double middle = (low + high) / 2, part = (high - low) / 64;
  double expected = low_is_even ? low : high;
  for (double sign = -1; sign <= 1; sign += 2) {
    assert_true(number_format_round(format, sign * low) == sign * low);
    assert_true(number_format_round(format, sign * (middle - part)) ==
                sign * low);
    assert_true(number_format_round(format, sign * (middle + part)) ==
                sign * high);
    assert_true(number_format_round(format, sign * middle) == sign * expected);
    assert_true(number_format_spacing(format, sign * low) == high - low);
    assert_true(number_format_spacing(format, sign * middle) == high - low);
  }
}

static void check_format(enum number_format format, const char *dtype,
                         size_t infinity) {
  double *numbers = all_numbers(dtype);
  assert_true(numbers[infinity] == INFINITY);
  for (size_t i = 0; i + 1 < infinity; i++)
    check_step(format, numbers[i], numbers[i + 1], i % 2 == 0);
  double largest = numbers[infinity - 1];
  double spacing = number_format_spacing(format, largest);
  assert_true(number_format_round(format, largest + 0.49 * spacing) == largest);
  assert_true(number_format_round(format, largest + 0.5 * spacing) == INFINITY);
  assert_true(number_format_round(format, -1e300) == -INFINITY);
  free(numbers);
}

static void test_float16(void **state) {
  (void)state;
  check_format(NUMBER_FLOAT16, "F16", 0x7c00);
}

static void test_bfloat16(void **state) {
  (void)state;
  check_format(NUMBER_BFLOAT16, "BF16", 0x7f80);
}

static void test_float32(void **state) {
  (void)state;
  struct rng rng;
  rng_seed(&rng, 0);
  for (int i = 0; i < 100000; i++) {
    double x = rng_normal(&rng) * ldexp(1, (int)rng_integer(&rng, -160, 130));
    assert_true(number_format_round(NUMBER_FLOAT32, x) == (double)(float)x);
    assert_true(number_format_round(NUMBER_FLOAT64, x) == x);
    float narrow = fabsf((float)x);
    if (isfinite(narrow) && isfinite(nextafterf(narrow, INFINITY)))
      assert_true(number_format_spacing(NUMBER_FLOAT32, (double)narrow) ==
                  (double)(nextafterf(narrow, INFINITY) - narrow));
    double after = nextafter(fabs(x), INFINITY);
    assert_true(number_format_spacing(NUMBER_FLOAT64, x) == after - fabs(x));
  }
}

static void test_other_values(void **state) {
  (void)state;
  for (int f = 0; f < NUMBER_FORMATS; f++) {
    enum number_format format = (enum number_format)f;
    assert_true(isnan(number_format_round(format, NAN)));
    assert_true(number_format_round(format, -INFINITY) == -INFINITY);
    assert_true(signbit(number_format_round(format, -0.0)));
  }
  assert_string_equal(number_format_name(NUMBER_BFLOAT16), "bfloat16");
  assert_string_equal(number_format_name(NUMBER_FLOAT64), "float64");
}

/* What float.h and IEEE 754 give; bfloat16 has the range of float32. */
static void test_limits(void **state) {
  (void)state;
  assert_true(number_format_roundoff(NUMBER_FLOAT64) == DBL_EPSILON / 2);
  assert_true(number_format_roundoff(NUMBER_FLOAT32) == FLT_EPSILON / 2);
  assert_true(number_format_roundoff(NUMBER_FLOAT16) == 0x1p-11);
  assert_true(number_format_roundoff(NUMBER_BFLOAT16) == 0x1p-8);
  assert_true(number_format_least_normal(NUMBER_FLOAT64) == DBL_MIN);
  assert_true(number_format_least_normal(NUMBER_FLOAT32) == FLT_MIN);
  assert_true(number_format_least_normal(NUMBER_FLOAT16) == 0x1p-14);
  assert_true(number_format_least_normal(NUMBER_BFLOAT16) == FLT_MIN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_float16), cmocka_unit_test(test_bfloat16),
      cmocka_unit_test(test_float32), cmocka_unit_test(test_other_values),
      cmocka_unit_test(test_limits),
  };
  return cmocka_run_group_tests_name("number_format", tests, NULL, NULL);
}
