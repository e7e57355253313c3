/* The study of the direction induced in the head, on small models of both
 * kinds of norm. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "tests/small_model.h"

#define main program
int program(int argc, char **argv);
#include "analysis/model_studies/head_fisher.c"
#undef main

/* Each at a length of its own. */
static void check_steps(const struct json *values, const char *head) {
  double before = 0;
  for (int i = 0; i < STEPS; i++) {
    char path[80];
    snprintf(path, sizeof path, "%%s.random.directions.3.changes.%d", i);
    double change = fabs(number_at(values, path, head));
    assert_true(change > before);
    before = change;
  }
}

/* Var_p(c) is below 1/2 where |c| = 1. */
static void check_projection(const struct json *values, bool rms) {
  const char *path = "trained.constant_projection";
  assert_int_equal(json_at(values, path) == NULL, rms);
  assert_int_equal(
      json_at(values, "trained.float64.logits.1.predicted") == NULL, rms);
  if (rms) return;
  double constant = number_at(values, "%s", path);
  assert_true(number_at(values, "%s", "trained.float64.logits.1.predicted") <
              constant * constant / 2);
}

static void check_model(bool rms) {
  struct model model;
  struct json_document document;
  small_model_make(&model, rms);
  const struct json *values = small_model_values(measure, &model, &document);
  static const char *const heads[] = {"initial.float64", "trained.float64"};
  for (int i = 0; i < 2; i++) {
    double mean = number_at(values, "%s.random.mean", heads[i]);
    double along = number_at(values, "%s.logits.2.fisher", heads[i]);
    double change = number_at(values, "%s.constant.changes.2", heads[i]);
    assert_true(number_at(values, "%s.random.smallest", heads[i]) <= mean);
    assert_true(number_at(values, "%s.random.largest", heads[i]) >= mean);
    assert_true(number_at(values, "%s.constant.ratio_to_mean", heads[i]) <
                1e-20);
    assert_true(number_at(values, "%s.other_constant.1.fisher", heads[i]) <
                1e-20);
    assert_true(number_at(values, "%s.other_logits.1.fisher", heads[i]) >
                1e-3 * mean);
    assert_true(fabs(change) < 1e-14);
    assert_true(number_at(values, "%s.logits.2.ratio_to_mean", heads[i]) ==
                along / mean);
    check_steps(values, heads[i]);
    if (rms) {
      assert_true(along > 1e-3 * mean);
      continue;
    }
    double predicted = number_at(values, "%s.logits.2.predicted", heads[i]);
    if (i == 0)
      assert_true(predicted == 0 && along < 1e-20 * mean);
    else
      assert_true(predicted > 0 && fabs(along / predicted - 1) < 1e-9);
  }
  check_projection(values, rms);
  double wide = number_at(values, "%s", "trained.float64.random.mean");
  double narrow = number_at(values, "%s", "trained.float32.random.mean");
  assert_true(wide != narrow && fabs(narrow / wide - 1) < 1e-4);
  assert_int_equal(json_at(values, "trained.float64.random.directions")->count,
                   10);
  json_free(&document);
  model_free(&model);
}

static void test_zero_gain(void **state) {
  (void)state;
  struct model model;
  small_model_make(&model, false);
  small_model_tensor(&model, "transformer.ln_f.weight")[5] = 0;
  strcpy(model.entry.path, "m.safetensors");
  small_model_refused(
      measure, &model,
      "m.safetensors: gain 5 of the final norm is 0, so that its axis is "
      "dead and no other direction is");
  model_free(&model);
}

static void test_layernorm(void **state) {
  (void)state;
  check_model(false);
}

static void test_rmsnorm(void **state) {
  (void)state;
  check_model(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layernorm),
      cmocka_unit_test(test_rmsnorm),
      cmocka_unit_test(test_zero_gain),
  };
  return cmocka_run_group_tests_name("head_fisher_study", tests, scratch_make,
                                     scratch_remove);
}
