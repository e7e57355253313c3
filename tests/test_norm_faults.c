/* The pins of norm_backward catch every known wrong formula: the study is
 * compiled with each (norm.c lists them) and must drift; without, it holds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/base/file.h"
#include "report/compare.h"
#include "report/pins.h"

static const char pin_path[] = "data/pins/norm_backward.json";

static const char *setting(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value != NULL && *value != 0 ? value : otherwise;
}

/* norm.c and the study come before the library, whose norm.o then stays out. */
static void build_and_run(int fault, const char *program, const char *out) {
  struct buffer command = {0};
  const char *build = setting("BUILD", "build");
  buffer_printf(&command,
                "%s -std=gnu11 %s -ffp-contract=off -I. -DNORM_FAULT=%d "
                "analysis/norm.c analysis/studies/norm_backward.c "
                "%s/libanalysis.a %s/libbase.a -llapacke -lopenblas "
                "$(pkg-config --libs libcjson nettle) -lm -o %s && %s --out %s",
                setting("CC", "gcc"), setting("CFLAGS", "-O2"), fault, build,
                build, program, program, out);
  if (system(command.bytes) != 0) fail_msg("failed: %s", command.bytes);
  buffer_free(&command);
}

static int count_drifts(const char *out) {
  struct pin_file pins;
  struct json_document results;
  struct error err;
  int drifts = 0;
  if (pins_read(pin_path, &pins, &err) != 0) fail_msg("%s", err.text);
  if (json_read(out, &results, &err) != 0) fail_msg("%s", err.text);
  const struct json *values = json_member(results.root, "values");
  for (const struct pin *pin = pins.pins; pin != NULL; pin = pin->next) {
    const struct json *found = json_at(values, strchr(pin->key, '.') + 1);
    assert_non_null(found);
    drifts += !compare_values(pin->value, found, &pin->allowance).holds;
  }
  json_free(&results);
  pins_free(&pins);
  return drifts;
}

static int drifts_with(int fault) {
  char program[256], out[300];
  snprintf(program, sizeof program, "%s/tests/norm-fault-%d",
           setting("BUILD", "build"), fault);
  snprintf(out, sizeof out, "%s.json", program);
  build_and_run(fault, program, out);
  int drifts = count_drifts(out);
  unlink(program);
  unlink(out);
  return drifts;
}

static void test_right_formulas_hold(void **state) {
  (void)state;
  assert_int_equal(drifts_with(0), 0);
}

static void test_each_wrong_formula_drifts(void **state) {
  (void)state;
  for (int fault = 1; fault <= 7; fault++) {
    int drifts = drifts_with(fault);
    if (drifts == 0) fail_msg("no pin notices wrong formula %d", fault);
    print_message("wrong formula %d: %d pins drift\n", fault, drifts);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_right_formulas_hold),
      cmocka_unit_test(test_each_wrong_formula_drifts),
  };
  return cmocka_run_group_tests_name("norm_faults", tests, NULL, NULL);
}
