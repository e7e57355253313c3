/* The study of the dead direction, on small models of both kinds of norm. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "analysis/safetensors.h"
#include "tests/small_model.h"

#define main program
int program(int argc, char **argv);
#include "analysis/model_studies/dead.c"
#undef main

static const char *text_at(const struct json *values, const char *path) {
  const struct json *value = json_at(values, path);
  if (value == NULL) fail_msg("no value at %s", path);
  assert_int_equal(value->type, JSON_STRING);
  return value->text;
}

/* The final norm alone: of the file only names and metadata are read. */
static void write_file(struct model *m) {
  const float *gain = m->weights;
  const char *norm = norm_name(m->config.rms ? NORM_RMS : NORM_LAYER);
  const struct safetensors_entry entries[] = {
      {"transformer.h.0.ln_1.weight", 1, {SMALL_C}, gain, NULL},
      {"transformer.ln_f.weight", 1, {SMALL_C}, gain, NULL},
      {"transformer.ln_f.bias", 1, {SMALL_C}, gain, NULL}};
  const struct safetensors_text metadata = {"norm", norm};
  struct error err;
  snprintf(m->entry.path, sizeof m->entry.path, "%s",
           in_scratch("m.safetensors"));
  if (safetensors_write(m->entry.path, entries, m->config.rms ? 2 : 3,
                        &metadata, 1, &err) != 0)
    fail_msg("%s", err.text);
}

static const char *const paths[] = {"float64",
                                    "float32",
                                    "initial.float64",
                                    "initial.float32_activations",
                                    "initial.float32",
                                    "initial.seeds.0.float32",
                                    "float32_activations",
                                    "initial.seeds.9.float64"};
enum { PATHS = sizeof paths / sizeof *paths };

static void check_kernels(const struct json *values, bool rms) {
  for (int i = 0; i < PATHS; i++) {
    double cosine = number_at(values, "%s.abs_cos", paths[i]);
    double residual = number_at(values, "%s.kernel_residual", paths[i]);
    double part = number_at(values, "%s.eig_along_u", paths[i]) /
                  number_at(values, "%s.eig_max", paths[i]);
    if (rms)
      assert_true(cosine < 0.9 && residual > 1e-3 && part > 1e-4);
    else
      assert_true(cosine >= 0.99995 && residual < 1e-6 && part < 1e-12);
    assert_true(number_at(values, "%s.eig_next", paths[i]) > 1e-6);
    assert_true(number_at(values, "%s.further_dead", paths[i]) == 0);
  }
  assert_int_equal(json_at(values, "spectrum")->count, SMALL_C);
  assert_true(number_at(values, "%s", "float64.relative_along_u") ==
              number_at(values, "%s", "float64.eig_along_u") /
                  number_at(values, "%s", "float64.eig_max"));
  assert_true(number_at(values, "%s", "spectrum.0") ==
              number_at(values, "%s", "float64.eig_max"));
  assert_true(number_at(values, "%s", "initial.spectrum.10") ==
              number_at(values, "%s", "initial.float64.eig_next"));
  assert_int_equal(json_at(values, "initial.seeds")->count, 10);
  /* Seed 1 is the start: float64 of a float32 stream, or float64 throughout. */
  double start = number_at(values, "%s", "initial.float64.eig_max");
  double seed = number_at(values, "%s", "initial.seeds.1.float64.eig_max");
  assert_true(start != seed && fabs(seed / start - 1) < 1e-5);
  assert_true(number_at(values, "%s", "initial.seeds.1.float32.eig_max") ==
              number_at(values, "%s", "initial.float32.eig_max"));
}

static double ratio_of(const struct json *values, const char *above,
                       const char *below) {
  return number_at(values, "%s", above) / number_at(values, "%s", below);
}

/* Of the ten seeds, which differ. */
static void check_extremes(const struct json *values) {
  double smallest = INFINITY, largest = 0, before = 0;
  for (int i = 0; i < SEEDS; i++) {
    char path[80];
    snprintf(path, sizeof path, "initial.seeds.%d.float64.kernel_residual", i);
    double residual = number_at(values, "%s", path);
    assert_true(residual != before);
    smallest = fmin(smallest, residual);
    largest = fmax(largest, residual);
    before = residual;
  }
  assert_true(number_at(values, "%s", "initial.smallest_residual") == smallest);
  assert_true(number_at(values, "%s", "initial.largest_residual") == largest);
}

/* Trained over initial. */
static void check_deepening(const struct json *values) {
  assert_true(number_at(values, "%s", "deepening.float32.relative") ==
              ratio_of(values, "float32.relative_along_u",
                       "initial.float32.relative_along_u"));
  assert_true(
      number_at(values, "%s", "deepening.float64.absolute") ==
      ratio_of(values, "float64.eig_along_u", "initial.float64.eig_along_u"));
  assert_true(number_at(values, "%s", "deepening.float32.smallest") ==
              ratio_of(values, "float32.relative_smallest",
                       "initial.float32.relative_smallest"));
  assert_true(number_at(values, "%s", "float32.relative_smallest") ==
              ratio_of(values, "float32.eig_smallest", "float32.eig_max"));
  assert_true(number_at(values, "%s", "deepening.eig_max") ==
              ratio_of(values, "float64.eig_max", "initial.float64.eig_max"));
}

/* What float32 computed, projected by long double and by double. */
static void check_computed(const struct json *values) {
  double exact = number_at(values, "%s", "computed.float32.trained");
  double found =
      number_at(values, "%s", "float32_activations.relative_along_u");
  assert_true(fabs(exact / found - 1) < 1e-3);
  assert_true(
      number_at(values, "%s", "computed.float32.ratio") ==
      ratio_of(values, "computed.float32.trained", "computed.float32.initial"));
}

static void check_storage(const struct json *values) {
  static const char *const formats[] = {"float64", "float32", "float16",
                                        "bfloat16"};
  for (int i = 0; i < 4; i++) {
    double trained = number_at(values, "storage.%s.trained", formats[i]);
    double initial = number_at(values, "storage.%s.initial", formats[i]);
    double guess =
        number_at(values, "storage.%s.predicted.trained", formats[i]);
    assert_true(fabs(trained / guess - 1) < 0.2);
    assert_true(fabs(number_at(values, "storage.%s.ratio", formats[i]) -
                     trained / initial) < 1e-12);
    double ratio = number_at(values, "storage.%s.predicted.ratio", formats[i]);
    assert_true(fabs(ratio / number_at(values, "%s", "storage.weight.ratio") -
                     1) < 0.2);
  }
  assert_true(number_at(values, "%s", "computed.float32.trained") >
              number_at(values, "%s", "storage.float32.trained"));
}

static void check_model(bool rms) {
  struct model model;
  struct json_document document;
  small_model_make(&model, rms);
  write_file(&model);
  const struct json *values = small_model_values(measure, &model, &document);
  const char *norm = norm_name(rms ? NORM_RMS : NORM_LAYER);
  assert_true(number_at(values, "%s", "tokens") ==
              HELD_OUT_BATCHES * HELD_OUT_SEQUENCES * SMALL_T);
  check_kernels(values, rms);
  assert_string_equal(text_at(values, "classification.activations"), norm);
  assert_string_equal(text_at(values, "classification.norm"), norm);
  assert_string_equal(text_at(values, "classification.file"), norm);
  assert_non_null(strstr(text_at(values, "classification.evidence"), norm));
  assert_string_equal(text_at(values, "classification.names.file"),
                      rms ? "undecided" : norm);
  assert_true(number_at(values, "%s", "classification.initial.right") == 10);
  assert_true(number_at(values, "%s", "classification.margin") > 100);
  assert_int_equal(json_at(values, "storage") == NULL, rms);
  assert_int_equal(json_at(values, "deepening") == NULL, rms);
  check_extremes(values);
  if (!rms) {
    double along = number_at(values, "%s", "uncentred.along_u");
    double predicted = number_at(values, "%s", "uncentred.predicted");
    assert_true(predicted > 0 && fabs(along / predicted - 1) < 1e-9);
    assert_true(number_at(values, "%s", "initial.uncentred.predicted") == 0);
    check_storage(values);
    check_deepening(values);
    check_computed(values);
  }
  json_free(&document);
  model_free(&model);
}

static void test_zero_gain(void **state) {
  (void)state;
  struct model model;
  small_model_make(&model, false);
  small_model_tensor(&model, "transformer.ln_f.weight")[5] = 0;
  write_file(&model);
  char message[700];
  snprintf(message, sizeof message,
           "%s: gain 5 of the final norm is 0, so that its axis is "
           "dead and no other direction is",
           model.entry.path);
  small_model_refused(measure, &model, message);
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
  return cmocka_run_group_tests_name("dead_study", tests, scratch_make,
                                     scratch_remove);
}
