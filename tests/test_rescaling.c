/* The study of scales of the final hidden state, on a small model: each number
 * is of what it says. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "tests/small_model.h"

#define main program
int program(int argc, char **argv);
#include "analysis/model_studies/rescaling.c"
#undef main

/* Predicted from the slope and the ratio, measured, and one over the other. */
static void check_pair(const struct json *values, const char *path,
                       double predicted) {
  char name[80];
  snprintf(name, sizeof name, "%s.predicted", path);
  double found = number_at(values, "%s", name);
  assert_true(fabs(found / predicted - 1) < 1e-14);
  snprintf(name, sizeof name, "%s.measured", path);
  double measured = number_at(values, "%s", name);
  snprintf(name, sizeof name, "%s.measured_over_predicted", path);
  assert_true(number_at(values, "%s", name) == measured / found);
}

static void test_pairs(void **state) {
  (void)state;
  struct model model;
  struct json_document document;
  small_model_make(&model, false);
  const struct json *values = small_model_values(measure, &model, &document);
  double slope = number_at(values, "%s", "slope");
  double own = number_at(values, "%s", "eps_over_var");
  check_pair(values, "whole", slope * own);
  for (int i = 0; i < SCALES; i++) {
    char path[20];
    snprintf(path, sizeof path, "rows.%d", i);
    double r = number_at(values, "%s.eps_over_var", path);
    assert_true(fabs(r * scales[i] * scales[i] / own - 1) < 1e-14);
    check_pair(values, path, slope * (r - own));
  }
  /* Where r is small first order is near the truth. */
  assert_true(fabs(number_at(values, "%s", "rows.4.measured_over_predicted") -
                   1) < 0.1);
  json_free(&document);
  model_free(&model);
}

/* The error passes a tenth just there. */
static void test_tenth_off(void **state) {
  (void)state;
  const struct final_move unscaled = {1, 0, FINAL_ALL_AXES};
  struct model model;
  struct rng rng;
  small_model_make(&model, false);
  rng_seed(&rng, 0);
  struct subject s = {.eps = model.config.eps};
  s.state = final_state_new(&model, 64, CORPUS_HELD_OUT, &rng, SEQUENCES);
  double spread = final_state_spread(s.state);
  s.own = s.eps / (spread * spread);
  s.limit = final_state_loss(s.state, unscaled, 0, NULL);
  s.slope = final_state_slope(s.state, NULL);
  double off = tenth_off(&s);
  assert_true(fabs(relative_error(&s, off) - 0.1) < 1e-7);
  assert_true(relative_error(&s, off * 0.999) < 0.1);
  assert_true(relative_error(&s, off * 1.001) > 0.1);
  final_state_free(s.state);
  model_free(&model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_tenth_off),
  };
  return cmocka_run_group_tests_name("rescaling", tests, scratch_make,
                                     scratch_remove);
}
