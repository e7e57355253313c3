/* Logs name their recipe: those of the models do, and any change is seen. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "analysis/results.h"
#include "analysis/train.h"
#include "analysis/training_recipe.h"
#include "report/base/json.h"
#include "tests/scratch.h"

static int check(const char *path, const char *model,
                 const struct train_recipe *recipe, struct error *err) {
  struct json_document log;
  if (json_read(path, &log, err) != 0) fail_msg("%s", err->text);
  const struct json *values =
      json_member(json_member(log.root, "values"), model);
  assert_non_null(values);
  int status = training_recipe_check(values, recipe, err);
  json_free(&log);
  return status;
}

static void test_models(void **state) {
  (void)state;
  struct error err = {{0}};
  for (size_t i = 0; train_recipe_name(i) != NULL; i++) {
    char path[200];
    const char *name = train_recipe_name(i);
    snprintf(path, sizeof path, "data/models/%s.training.json", name);
    if (check(path, name, train_recipe(name), &err) != 0)
      fail_msg("%s", err.text);
  }
}

static const char *record(const struct train_recipe *recipe) {
  struct error err = {{0}};
  const char *path = in_scratch("log.json");
  struct results *log = results_new("training");
  results_prefix(log, recipe->model);
  training_recipe_record(log, recipe);
  if (results_write(log, path, &err) != 0) fail_msg("%s", err.text);
  results_free(log);
  return path;
}

/* What is recorded is what is checked, for every part of it. */
static void test_changes(void **state) {
  (void)state;
  const struct train_recipe recipe = *train_recipe("kjv-large-eps");
  struct train_recipe changed[12];
  const char *expected[] = {
      "\"corpus\" is other;", "\"norm\" is RMSNorm;", "\"eps\" is 1e-05;",
      "\"width\" is 64;",     "\"batch\" is 16;",     "\"steps\" is 2999;",
      "\"beta2\" is 0.99;",   "\"clip\" is 2;",       "\"weights\" is 2;",
      "\"draws\" is 9;",      "\"validation\" is 1;", "\"ladder\" is 3;"};
  for (size_t i = 0; i < 12; i++)
    changed[i] = recipe;
  changed[0].corpus = "other";
  changed[1].config.rms = true;
  changed[2].config.eps = 1e-5;
  changed[3].config.C = 64;
  changed[4].batch = 16;
  changed[5].cycle.steps = 2999;
  changed[6].beta2 = 0.99;
  changed[7].clip = 2;
  changed[8].seed_weights = 2;
  changed[9].seed_draws = 9;
  changed[10].seed_validation = 1;
  changed[11].seed_ladder = 3;
  struct error err = {{0}};
  assert_int_equal(check(record(&recipe), recipe.model, &recipe, &err), 0);
  for (size_t i = 0; i < 12; i++) {
    assert_int_equal(check(record(&changed[i]), recipe.model, &recipe, &err),
                     -1);
    if (strstr(err.text, expected[i]) == NULL)
      fail_msg("\"%s\" expected in: %s", expected[i], err.text);
    assert_non_null(strstr(err.text, "; kjv-large-eps is trained with "));
  }
}

static void test_missing(void **state) {
  (void)state;
  struct error err = {{0}};
  const struct train_recipe *recipe = train_recipe("kjv-layernorm");
  put("log.json", "{\"values\": {\"m\": {\"recipe\": {}}}}");
  assert_int_equal(check(in_scratch("log.json"), "m", recipe, &err), -1);
  assert_non_null(strstr(err.text, ":1:18: \"seeds\" is missing"));
  put("log.json", "{\"values\": {\"m\": {\"recipe\": {}, \"seeds\": {}}}}");
  assert_int_equal(check(in_scratch("log.json"), "m", recipe, &err), -1);
  assert_non_null(strstr(err.text, ":1:29: \"corpus\" is missing"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_models),
      cmocka_unit_test(test_changes),
      cmocka_unit_test(test_missing),
  };
  return cmocka_run_group_tests_name("training_recipe", tests, scratch_make,
                                     scratch_remove);
}
