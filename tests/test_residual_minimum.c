/* The study of the residual stream's smallest singular values, on small models
 * and texts of more or fewer symbols than their width takes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "tests/small_model.h"

#define main program
int program(int argc, char **argv);
#include "analysis/model_studies/residual_minimum.c"
#undef main

static void check_points(const struct json *values, const char *path) {
  char name[96];
  snprintf(name, sizeof name, "%s.points", path);
  const struct json *points = json_at(values, name);
  assert_int_equal(points->count, 2 * SMALL_L + 1);
  for (const struct json *p = points->child; p != NULL; p = p->next) {
    double smallest = number_at(p, "%s", "smallest");
    double largest = number_at(p, "%s", "largest");
    assert_true(smallest >= 0 && smallest < largest);
    assert_true(number_at(p, "%s", "relative") == smallest / largest);
    if (strcmp(p->key, "embed") != 0)
      assert_true(number_at(p, "%s", "rank") == SMALL_C);
  }
  assert_true(number_at(values, "%s.ratios.b1_mlp", path) ==
              number_at(values, "%s.points.b1_mlp.smallest", path) /
                  number_at(values, "%s.points.b0_mlp.smallest", path));
}

/* 5 symbols at 8 places have 12 independent rows, 11 without their mean. */
static void test_full_rank(void **state) {
  (void)state;
  struct model model;
  struct json_document document;
  small_model_make(&model, false);
  small_model_text(&model, 5);
  const struct json *values = small_model_values(measure, &model, &document);
  check_points(values, "trained.float64.uncentred");
  check_points(values, "trained.float32.centred");
  check_points(values, "initial.float64.centred");
  check_points(values, "initial.float32.uncentred");
  const struct json *plain = json_at(values, "initial.float64.uncentred");
  const struct json *centred = json_at(values, "initial.float64.centred");
  assert_true(number_at(plain, "%s", "points.embed.rank") == SMALL_C);
  assert_true(number_at(plain, "%s", "ratios.b0_mlp") > 0);
  assert_true(number_at(plain, "%s", "embedding.smallest_nonzero") ==
              number_at(plain, "%s", "points.embed.smallest"));
  assert_true(number_at(centred, "%s", "points.embed.rank") == SMALL_C - 1);
  assert_null(json_at(centred, "ratios.b0_mlp"));
  json_free(&document);
  model_free(&model);
}

static void test_few_symbols(void **state) {
  (void)state;
  struct model model;
  struct json_document document;
  small_model_make(&model, true);
  small_model_text(&model, 3);
  const struct json *values = small_model_values(measure, &model, &document);
  assert_true(number_at(values, "%s", "distinct_tokens") == 3);
  static const char *const when[] = {"trained.float64", "initial.float32"};
  for (int i = 0; i < 2; i++) {
    assert_true(number_at(values, "%s.uncentred.points.embed.rank", when[i]) ==
                10);
    assert_true(number_at(values, "%s.uncentred.embedding.rank", when[i]) ==
                10);
    assert_true(number_at(values, "%s.centred.points.embed.rank", when[i]) ==
                9);
    assert_true(number_at(values, "%s.uncentred.embedding.smallest_nonzero",
                          when[i]) > 1e-3);
  }
  assert_null(json_at(values, "trained.float64.uncentred.ratios.b0_mlp"));
  json_free(&document);
  model_free(&model);
}

static void test_overflow(void **state) {
  (void)state;
  struct model model;
  small_model_make(&model, false);
  small_model_tensor(&model, "transformer.wpe.weight")[0] = INFINITY;
  small_model_refused(measure, &model,
                      "singular values: entry (0,0) is not finite");
  model_free(&model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_full_rank),
      cmocka_unit_test(test_few_symbols),
      cmocka_unit_test(test_overflow),
  };
  return cmocka_run_group_tests_name("residual_minimum", tests, scratch_make,
                                     scratch_remove);
}
