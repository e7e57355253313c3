/* The dead direction of a model's final norm. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "analysis/model_dead_direction.h"
#include "tests/model_fixture.h"

enum { C = 128 };

static float *values_of(const struct fixture *f, const char *name) {
  for (size_t i = 0; i < f->table.count; i++)
    if (strcmp(f->table.tensors[i].name, name) == 0)
      return f->values + f->table.tensors[i].offset;
  fail_msg("no tensor %s", name);
  return NULL;
}

static void load(const struct fixture *f, struct model *model) {
  struct error err = {{0}};
  if (model_load(f->models, f->corpora, "m", model, &err) != 0)
    fail_msg("%s", err.text);
}

/* u_i gain_i is one number; u has length 1. */
static void check(bool rms) {
  struct fixture f;
  struct model model;
  struct error err = {{0}};
  double u[C], constant = NAN, expected = 0, squares = 0;
  fixture_make(&f, rms, 1e-5);
  const float *gain = values_of(&f, "transformer.ln_f.weight");
  const float *bias = rms ? NULL : values_of(&f, "transformer.ln_f.bias");
  load(&f, &model);
  assert_int_equal(model_dead_direction(&model, u, &constant, &err), 0);
  for (int i = 0; i < C; i++) {
    assert_true(fabs(u[i] * gain[i] / (u[0] * gain[0]) - 1) < 1e-14);
    squares += u[i] * u[i];
    expected += bias == NULL ? 0 : u[i] * bias[i];
  }
  assert_true(fabs(squares - 1) < 1e-14);
  assert_true(fabs(constant - expected) < 1e-15);
  assert_int_equal(constant == 0, rms);
  model_free(&model);
  fixture_remove(&f);
}

static void test_layernorm(void **state) {
  (void)state;
  check(false);
}

static void test_rmsnorm(void **state) {
  (void)state;
  check(true);
}

static void test_zero_gain(void **state) {
  (void)state;
  struct fixture f;
  struct model model;
  struct error err = {{0}};
  double u[C], constant;
  fixture_make(&f, false, 1e-5);
  values_of(&f, "transformer.ln_f.weight")[5] = 0;
  fixture_write_weights(&f, "LayerNorm", "1e-05");
  load(&f, &model);
  assert_int_equal(model_dead_direction(&model, u, &constant, &err), -1);
  assert_non_null(strstr(err.text, "m.safetensors: gain 5 of the final norm"));
  model_free(&model);
  fixture_remove(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layernorm),
      cmocka_unit_test(test_rmsnorm),
      cmocka_unit_test(test_zero_gain),
  };
  return cmocka_run_group_tests_name("model_dead_direction", tests, NULL, NULL);
}
