/* The studies on a model as programs: what they write for a small random text,
 * what they refuse. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "tests/study_fixture.h"

static void put_log(const struct fixture *f, const char *sha256,
                    size_t parameters, const char *losses, const char *batch,
                    const char *seed) {
  struct buffer text = {0};
  buffer_printf(&text,
                "{\"values\": {\"m\": {\"weights_sha256\": \"%s\",\n"
                "\"parameters\": %zu,\n\"tokens\": 640, \"val_loss\": 4.5,\n"
                "\"validation\": {\"every\": 500, \"loss\": %s,\n"
                "\"batches\": 2},\n\"recipe\": {\"batch\": %s},\n"
                "\"seeds\": {\"validation\": \"%s\"}}}}\n",
                sha256, parameters, losses, batch, seed);
  fixture_put(study_log(f), &text);
  buffer_free(&text);
}

static void make(struct fixture *f, bool rms, double eps) {
  char sha256[HASH_TEXT];
  fixture_make(f, rms, eps);
  fixture_hash(f->weights, sha256);
  put_log(f, sha256, f->table.parameters, "[5, 4.5]", "16", "0");
}

static const char *const studies[] = {
    "invariance", "scale_sweep", "scale_law", "gradient_share",
    "norm_cost",  "rescaling",   "training"};
enum { STUDIES = sizeof studies / sizeof *studies };

static void test_every_study_without_a_mean(void **state) {
  (void)state;
  if (!study_is_built("training")) skip();
  struct fixture f;
  make(&f, true, 0.1);
  for (int i = 0; i < STUDIES; i++) {
    struct json_document document;
    const struct json *values = study_values(&f, studies[i], &document);
    if (strcmp(studies[i], "training") == 0) {
      assert_true(study_number(values, "validation.1.step") == 500);
      assert_true(study_number(values, "uniform_loss") == log(65));
      assert_true(study_number(values, "symbols_used") == 65);
      assert_true(fabs(study_number(values, "recomputed.float64") -
                       study_number(values, "recomputed.float32")) < 1e-5);
    }
    if (strcmp(studies[i], "invariance") == 0)
      assert_true(fabs(study_number(values, "float64.shift_5.delta")) > 1e-4);
    json_free(&document);
  }
  study_fixture_remove(&f);
}

static void test_values(void **state) {
  (void)state;
  if (!study_is_built("training")) skip();
  struct fixture f;
  struct json_document document;
  const struct json *values;
  make(&f, false, 1e-5);

  values = study_values(&f, "invariance", &document);
  double baseline = study_number(values, "float64.baseline.loss");
  assert_true(fabs(study_number(values, "float64.shift_1000.delta")) < 1e-11);
  assert_true(fabs(study_number(values, "float64.axis_5.delta")) > 1e-4);
  assert_true(fabs(study_number(values, "float32.baseline.loss") - baseline) <
              1e-5);
  json_free(&document);

  values = study_values(&f, "scale_sweep", &document);
  assert_true(study_number(values, "float64.rows.2.delta") == 0);
  assert_true(study_number(values, "float64.rows.2.loss") == baseline);
  double std = study_number(values, "float64.sigma0") * 1e-3;
  assert_true(fabs(study_number(values, "float64.rows.6.eps_over_var") -
                   1e-5 / (std * std)) < 1e-15 / (std * std));
  json_free(&document);

  values = study_values(&f, "scale_law", &document);
  assert_true(fabs(study_number(values, "measured_over_predicted") - 1) < 1e-5);
  assert_true(study_number(values, "held_out.predicted.0") ==
              study_number(values, "predicted"));
  json_free(&document);
  study_fixture_remove(&f);
}

/* Scale 3 is the one of the study of invariances. */
static void test_rescaling(void **state) {
  (void)state;
  if (!study_is_built("rescaling")) skip();
  struct fixture f;
  struct json_document document, other;
  make(&f, false, 0.1);
  const struct json *values = study_values(&f, "rescaling", &document);
  const struct json *moved = study_values(&f, "invariance", &other);
  double three = study_number(values, "rows.2.measured");
  assert_true(study_number(values, "rows.2.scale") == 3);
  assert_true(fabs(three - study_number(moved, "float64.scale_3.delta")) <
              1e-14);
  json_free(&other);
  json_free(&document);
  study_fixture_remove(&f);
}

static void test_costs_are_of_the_shares(void **state) {
  (void)state;
  if (!study_is_built("norm_cost")) skip();
  struct fixture f;
  struct json_document shares, costs;
  make(&f, false, 1e-5);
  const struct json *share = study_values(&f, "gradient_share", &shares);
  const struct json *cost = study_values(&f, "norm_cost", &costs);
  static const char *const at[] = {"b0.ln1", "b3.ln2", "lnf"};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s.gain_g.p90", at[i]);
    double s = study_number(share, path);
    snprintf(path, sizeof path, "%s.p90", at[i]);
    assert_true(fabs(study_number(cost, path) - (1 - sqrt(1 - s * s))) < 1e-15);
  }
  assert_true(fabs(study_number(cost, "random_median") - 0.0055) < 5e-5);
  json_free(&shares);
  json_free(&costs);
  study_fixture_remove(&f);
}

static void test_refusals(void **state) {
  (void)state;
  if (!study_is_built("training")) skip();
  struct fixture f;
  char sha256[HASH_TEXT];
  make(&f, false, 0);
  study_refused(&f, "scale_law",
                "scale_law: m: eps is 0, there is no law to measure");
  study_refused(&f, "rescaling",
                "rescaling: m: eps is 0, every scale is an invariance");

  fixture_hash(f.weights, sha256);
  put_log(&f, "0", f.table.parameters, "[1]", "16", "0");
  study_refused(&f, "training",
                "m.training.json:1:37: the log is of other weights than ");
  put_log(&f, sha256, 7, "[1]", "16", "0");
  study_refused(&f, "training",
                "m.training.json:2:15: the log counts 7 parameters, the "
                "weights have 816128");
  put_log(&f, sha256, f.table.parameters, "[1, null]", "16", "0");
  study_refused(&f, "training",
                "m.training.json:4:42: a loss must be a number");
  static const struct {
    const char *batch, *seed, *message;
  } recipes[] = {
      {"0", "0", "m.training.json:6:21: \"batch\" is 0; expected 1 to 1024"},
      {"1032", "0", ": \"batch\" is 1032; expected 1 to 1024"},
      {"12", "0", ": \"batch\" is 12; a multiple of 8 is needed"},
      {"16", "-1",
       ":7:25: \"validation\": the digits of a seed below 2^64 are needed"},
      {"16", "99999999999999999999",
       ": the digits of a seed below 2^64 are needed"},
  };
  for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
    put_log(&f, sha256, f.table.parameters, "[1]", recipes[i].batch,
            recipes[i].seed);
    study_refused(&f, "training", recipes[i].message);
  }

  f.values[0] += 1;
  struct error err = {{0}};
  assert_int_equal(
      safetensors_write(f.weights, f.entries, f.count, NULL, 0, &err), 0);
  for (int i = 0; i < STUDIES; i++) {
    study_refused(&f, studies[i],
                  ": the weights of m are altered or incomplete: sha256 ");
  }
  study_fixture_remove(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_study_without_a_mean),
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_rescaling),
      cmocka_unit_test(test_costs_are_of_the_shares),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests_name("model_studies", tests, NULL, NULL);
}
