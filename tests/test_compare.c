/* Verdicts at, just inside and just outside each kind's bound. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/compare.h"

static struct json number(const char *text) {
  struct json_document d;
  struct error err;
  assert_int_equal(json_parse("n", text, strlen(text), &d, &err), 0);
  struct json n = {.type = JSON_NUMBER,
                   .number = d.root->number,
                   .is_integer = d.root->is_integer,
                   .integer = d.root->integer};
  json_free(&d);
  return n;
}

static struct json of_double(double value) {
  return (struct json){.type = JSON_NUMBER, .number = value};
}

static struct comparison compare(enum pin_kind kind, double bound,
                                 struct json pinned, struct json found) {
  struct pin_allowance a = {.kind = kind, .bound = bound};
  struct comparison c = compare_values(&pinned, &found, &a);
  if (c.holds != (c.ratio <= 1))
    fail_msg("holds %d but ratio %.17g", c.holds, c.ratio);
  return c;
}

static bool holds(enum pin_kind kind, double bound, const char *pinned,
                  const char *found) {
  return compare(kind, bound, number(pinned), number(found)).holds;
}

static void expect(bool holds_, enum pin_kind kind, double bound, double pinned,
                   double found) {
  struct comparison c =
      compare(kind, bound, of_double(pinned), of_double(found));
  if (c.holds != holds_)
    fail_msg("%s %.17g: pinned %.17g found %.17g ratio %.17g, %s expected",
             pins_kind_name(kind), bound, pinned, found, c.ratio,
             holds_ ? "within" : "outside");
}

/* xorshift64*, enough for properties. */
static uint64_t next_random(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545F4914F6CDD1Dull;
}

static double random_double(uint64_t *state, int exponents) {
  double mantissa = 1 + (double)(next_random(state) >> 12) * 0x1p-52;
  int exponent = (int)(next_random(state) % (2 * (unsigned)exponents + 1));
  double value = ldexp(mantissa, exponent - exponents);
  return next_random(state) & 1 ? value : -value;
}

static void test_exact(void **state) {
  (void)state;
  assert_true(holds(PIN_EXACT, 0, "126", "126"));
  assert_true(holds(PIN_EXACT, 0, "126", "126.0"));
  assert_true(holds(PIN_EXACT, 0, "126", "1.26e2"));
  assert_false(holds(PIN_EXACT, 0, "126", "126.00000000000001"));
  assert_false(holds(PIN_EXACT, 0, "0", "-0"));
  assert_false(holds(PIN_EXACT, 0, "-0.0", "0.0"));
  assert_true(holds(PIN_EXACT, 0, "-0", "-0.0"));
  assert_true(holds(PIN_EXACT, 0, "4.9e-324", "4.9e-324"));
  assert_false(holds(PIN_EXACT, 0, "4.9e-324", "9.9e-324"));
  assert_true(compare(PIN_EXACT, 0, number("1"), number("2")).ratio ==
              INFINITY);
  assert_true(compare(PIN_EXACT, 0, number("2"), number("2")).ratio == 0);
}

static void test_integers_beyond_doubles(void **state) {
  (void)state;
  assert_false(holds(PIN_EXACT, 0, "9007199254740992", "9007199254740993"));
  assert_true(holds(PIN_EXACT, 0, "9007199254740993", "9007199254740993"));
  assert_true(holds(PIN_EXACT, 0, "9007199254740992", "9007199254740992.0"));
  assert_false(holds(PIN_EXACT, 0, "9007199254740993", "9007199254740992.0"));
  assert_false(
      holds(PIN_EXACT, 0, "9223372036854775807", "9223372036854775808.0"));
  assert_true(
      holds(PIN_EXACT, 0, "-9223372036854775808", "-9223372036854775808.0"));
  assert_true(holds(PIN_ABS, 1, "9223372036854775806", "9223372036854775807"));
  assert_false(
      holds(PIN_ABS, 0.5, "9223372036854775807", "9223372036854775808.0"));
  assert_false(holds(PIN_ABS, 1, "9223372036854775805", "9223372036854775807"));
  assert_true(
      holds(PIN_ABS, 0x1p64, "-9223372036854775808", "9223372036854775807"));
  assert_false(holds(PIN_ABS, 0x1.fffffffffffffp63, "-9223372036854775808",
                     "9223372036854775807"));
  assert_false(holds(PIN_ULP, 1, "9007199254740994", "9007199254740999"));
}

static void test_abs_edges(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int i = 0; i < 20000; i++) {
    double pinned = random_double(&seed, 60);
    double bound = fabs(random_double(&seed, 60));
    double edge = pinned + bound;
    /* Whether the rounded edge is itself outside is known from the sum's
     * error; one double beyond it always is, one before it never. */
    expect(true, PIN_ABS, bound, pinned, nextafter(edge, pinned));
    if (nextafter(edge, INFINITY) - edge > 0)
      expect(false, PIN_ABS, bound, pinned, nextafter(edge, INFINITY));
  }
}

static void test_abs_is_exact(void **state) {
  (void)state;
  expect(true, PIN_ABS, 0.5, 1, 1.5);
  expect(true, PIN_ABS, 0.5, 1, 0.5);
  expect(false, PIN_ABS, 0.5, 1, nextafter(1.5, 2));
  expect(false, PIN_ABS, 0.5, 1, nextafter(0.5, 0));
  /* 1 + 2^-60 is not representable: the difference rounds to the bound. */
  expect(false, PIN_ABS, 1, -0x1p-60, 1);
  expect(true, PIN_ABS, 1, 0x1p-60, 1);
  expect(false, PIN_ABS, DBL_MAX, -DBL_MAX, DBL_MAX);
  expect(true, PIN_ABS, 1e-300, -0.0, 0.0);
  expect(true, PIN_ABS, 4.9e-324, 0, 4.9e-324);
  expect(false, PIN_ABS, 4.9e-324, 0, 9.9e-324);
}

static void test_rel(void **state) {
  (void)state;
  expect(true, PIN_REL, 0.25, 4, 5);
  expect(false, PIN_REL, 0.25, 4, nextafter(5, 6));
  expect(true, PIN_REL, 0.25, -4, -3);
  expect(false, PIN_REL, 0.25, -4, nextafter(-3, 0));
  expect(false, PIN_REL, 0.25, 4, -4);
  expect(true, PIN_REL, 0.25, 0, 0);
  expect(true, PIN_REL, 0.25, 0, -0.0);
  expect(false, PIN_REL, 0.25, 0, 4.9e-324);
  expect(false, PIN_REL, 0.5, DBL_MAX, -DBL_MAX);
  expect(true, PIN_REL, 0.5, 4.9e-324, 4.9e-324);
  expect(false, PIN_REL, 0.5, 4.9e-324, 9.9e-324);
  expect(true, PIN_REL, 0.5, 1e-323, 4.9e-324);
}

static void test_rel_edges(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (int i = 0; i < 20000; i++) {
    double pinned = random_double(&seed, 900);
    double bound = ldexp(1, -1 - (int)(next_random(&seed) % 40));
    double edge = pinned + bound * pinned; /* bound * pinned is exact */
    double inside = nextafter(edge, pinned);
    double outside = nextafter(edge, pinned > 0 ? INFINITY : -INFINITY);
    expect(true, PIN_REL, bound, pinned, inside);
    expect(false, PIN_REL, bound, pinned, outside);
  }
}

static void test_ulp(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int i = 0; i < 20000; i++) {
    double pinned = random_double(&seed, 1000), found = pinned;
    int steps = 1 + (int)(next_random(&seed) % 9);
    double towards = next_random(&seed) & 1 ? INFINITY : -INFINITY;
    for (int k = 0; k < steps; k++)
      found = nextafter(found, towards);
    expect(true, PIN_ULP, steps, pinned, found);
    if (steps > 1) expect(false, PIN_ULP, steps - 1, pinned, found);
  }
  assert_true(compare_ulps(0.0, -0.0) == 0);
  assert_true(compare_ulps(4.9e-324, -4.9e-324) == 2);
  assert_true(compare_ulps(-0.0, 4.9e-324) == 1);
  assert_true(compare_ulps(nextafter(DBL_MIN, 0), DBL_MIN) == 1);
  assert_true(compare_ulps(-DBL_MAX, DBL_MAX) == 2 * 0x7fefffffffffffffull);
}

static void test_range(void **state) {
  (void)state;
  struct json low = number("-1"), high = number("3"), pinned = number("0");
  struct pin_allowance a = {.kind = PIN_RANGE, .low = &low, .high = &high};
  const struct {
    double found, ratio;
  } cases[] = {{1, 0}, {-1, 1}, {3, 1}, {2, 0.5}, {5, 2}, {-0.0, 0.5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct json found = of_double(cases[i].found);
    struct comparison c = compare_values(&pinned, &found, &a);
    assert_true(c.ratio == cases[i].ratio);
    assert_int_equal(c.holds, c.ratio <= 1);
  }
  struct json above = of_double(nextafter(3, 4)),
              below = of_double(nextafter(-1, -2));
  assert_false(compare_values(&pinned, &above, &a).holds);
  assert_false(compare_values(&pinned, &below, &a).holds);
  struct json lowest = of_double(-DBL_MAX), highest = of_double(DBL_MAX);
  struct pin_allowance all = {
      .kind = PIN_RANGE, .low = &lowest, .high = &highest};
  assert_true(compare_values(&pinned, &highest, &all).holds);
  assert_true(compare_values(&pinned, &lowest, &all).ratio == 1);
}

static void prints(const char *text, const char *format, const char *expected) {
  struct json n = number(text);
  struct buffer out = {0};
  compare_print(&n, format, &out);
  assert_string_equal(out.bytes, expected);
  buffer_free(&out);
}

static bool digits_hold(const char *format, const char *pinned,
                        const char *found) {
  struct json p = number(pinned), f = number(found);
  struct pin_allowance a = {.kind = PIN_DIGITS, .format = format};
  return compare_values(&p, &f, &a).holds;
}

static void test_digits(void **state) {
  (void)state;
  assert_true(digits_hold("%.4f", "0.12504", "0.12496"));
  assert_false(digits_hold("%.4f", "0.12504", "0.12506"));
  assert_true(digits_hold("%8.2f", "0.001", "-0.001"));
  assert_true(digits_hold("%+.2e", "0", "-0"));
  assert_false(digits_hold("%d", "9007199254740993", "9007199254740992"));
  assert_false(digits_hold("%d", "1", "1.5"));
  prints("-0.001", "%.2f", "0.00");
  prints("-0.001", "%+7.2f", "  +0.00");
  prints("-0.001", "%.2e", "-1.00e-03");
  prints("-10", "%.0f", "-10");
  prints("1e-5", "%.3g", "1e-05");
  prints("-0", "%d", "0");
  prints("42.0", "%5d", "   42");
  prints("9223372036854775807", "%d", "9223372036854775807");
}

static void test_formats(void **state) {
  (void)state;
  const char *const good[] = {"%f", "%.4f", "%+8.2e", "%-12g", "%d", "%.0F"};
  const char *const bad[] = {"",      "f",      "%",     "%s",  "%n",
                             "%lf",   "%.4f ",  "x%.4f", "%*f", "%.*f",
                             "%100f", "%.100f", "%f%f",  "%%",  "%a"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    if (!compare_format_valid(good[i])) fail_msg("%s is refused", good[i]);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (compare_format_valid(bad[i])) fail_msg("%s is taken", bad[i]);
}

static void test_text_and_booleans(void **state) {
  (void)state;
  struct pin_allowance a = {.kind = PIN_EXACT};
  struct json x = {.type = JSON_STRING, .text = "layernorm"};
  struct json y = {.type = JSON_STRING, .text = "rmsnorm"};
  struct json yes = {.type = JSON_BOOL, .boolean = true};
  struct json no = {.type = JSON_BOOL};
  assert_true(compare_values(&x, &x, &a).holds);
  assert_true(compare_values(&x, &y, &a).ratio == INFINITY);
  assert_true(compare_values(&yes, &yes, &a).holds);
  assert_false(compare_values(&yes, &no, &a).holds);
}

/* What never comes out of JSON still must not pass. */
static void test_not_finite(void **state) {
  (void)state;
  const double values[] = {NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < 3; i++)
    for (int kind = PIN_EXACT; kind <= PIN_REL; kind++)
      assert_false(
          compare((enum pin_kind)kind, 0.5, of_double(1), of_double(values[i]))
              .holds);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exact),
      cmocka_unit_test(test_integers_beyond_doubles),
      cmocka_unit_test(test_abs_edges),
      cmocka_unit_test(test_abs_is_exact),
      cmocka_unit_test(test_rel),
      cmocka_unit_test(test_rel_edges),
      cmocka_unit_test(test_ulp),
      cmocka_unit_test(test_range),
      cmocka_unit_test(test_digits),
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_text_and_booleans),
      cmocka_unit_test(test_not_finite),
  };
  return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
