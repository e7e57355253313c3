/* The pins of this project: each holds for its own value and fails at the first
 * number outside its bound, whatever its size; none is a draft. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "report/compare.h"

static struct pin_set pins;

static int read_pins(void **state) {
  (void)state;
  struct error err = {{0}};
  if (pins_read_directory("data/pins", &pins, &err) == 0) return 0;
  print_error("%s\n", err.text);
  return -1;
}

static int free_pins(void **state) {
  (void)state;
  pins_free_set(&pins);
  return 0;
}

static struct json moved_by(const struct json *value, double distance) {
  struct json found = *value;
  found.is_integer = false;
  found.number = value->number + distance;
  return found;
}

static bool holds(const struct pin *pin, struct json found) {
  return compare_values(pin->value, &found, &pin->allowance).holds;
}

static double next(double value) {
  return nextafter(value, INFINITY);
}

static struct json beyond_ulps(const struct pin *pin) {
  struct json found = moved_by(pin->value, 0);
  for (double i = 0; i <= pin->allowance.bound; i++)
    found.number = next(found.number);
  return found;
}

/* The nearest number above that must not pass. */
static struct json outside(const struct pin *pin) {
  const struct pin_allowance *a = &pin->allowance;
  double value = pin->value->number, bound = a->bound;
  struct json found = moved_by(pin->value, 0);
  switch (a->kind) {
  case PIN_ABS:
    found.number = next(value + bound);
    break;
  case PIN_REL:
    found.number = next(next(value + bound * fabs(value)));
    break;
  case PIN_ULP:
    return beyond_ulps(pin);
  case PIN_RANGE:
    found.number = next(a->high->number);
    break;
  case PIN_DIGITS:
    found.number = value + fmax(1, fabs(value)) / 2;
    break;
  default:
    found.number = next(value);
  }
  return found;
}

static void test_each_pin_is_alive(void **state) {
  (void)state;
  for (size_t i = 0; i < pins.pins; i++) {
    const struct pin *pin = pins.by_key[i];
    if (!holds(pin, *pin->value)) fail_msg("%s fails itself", pin->key);
    if (pin->value->type != JSON_NUMBER) continue;
    struct json found = outside(pin);
    if (holds(pin, found))
      fail_msg("%s: %.17g passes for %s", pin->key, found.number,
               pin->value->text);
  }
}

static void test_no_draft(void **state) {
  (void)state;
  for (size_t i = 0; i < pins.pins; i++)
    if (pins.by_key[i]->draft) fail_msg("%s is a draft", pins.by_key[i]->key);
}

/* What pages print must build, too. */
static void test_tree(void **state) {
  (void)state;
  struct json_document d;
  struct error err = {{0}};
  if (pins_values("data/pins", &d, &err) != 0) fail_msg("%s", err.text);
  assert_true(json_at(d.root, "pins.count")->integer == (long long)pins.pins);
  json_free(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_pin_is_alive),
      cmocka_unit_test(test_no_draft),
      cmocka_unit_test(test_tree),
  };
  return cmocka_run_group_tests_name("pinned_values", tests, read_pins,
                                     free_pins);
}
