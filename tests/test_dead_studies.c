/* The studies of dead directions as programs, on random weights of both kinds
 * of norm. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "tests/study_fixture.h"

static double number(const struct json *values, const char *format,
                     const char *name) {
  char path[128];
  snprintf(path, sizeof path, format, name);
  return study_number(values, path);
}

static const char *text(const struct json *values, const char *path) {
  const struct json *value = json_at(values, path);
  if (value == NULL) fail_msg("no value at %s", path);
  assert_int_equal(value->type, JSON_STRING);
  return value->text;
}

/* ---- dead ---- */
static const char *const kernels[] = {"float64",
                                      "float32",
                                      "initial.float64",
                                      "initial.float32_activations",
                                      "initial.float32",
                                      "initial.seeds.0.float32",
                                      "float32_activations",
                                      "initial.seeds.9.float64"};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static void check_kernels(const struct json *values, bool rms) {
  for (int i = 0; i < KERNELS; i++) {
    double cosine = number(values, "%s.abs_cos", kernels[i]);
    double residual = number(values, "%s.kernel_residual", kernels[i]);
    double part = number(values, "%s.eig_along_u", kernels[i]) /
                  number(values, "%s.eig_max", kernels[i]);
    if (rms)
      assert_true(cosine < 0.9 && residual > 1e-3 && part > 1e-4);
    else
      assert_true(cosine >= 0.99995 && residual < 1e-6 && part < 1e-12);
    assert_true(number(values, "%s.eig_next", kernels[i]) > 1e-6);
    assert_true(number(values, "%s.further_dead", kernels[i]) == 0);
  }
  assert_int_equal(json_at(values, "spectrum")->count, 128);
  assert_true(study_number(values, "float64.relative_along_u") ==
              study_number(values, "float64.eig_along_u") /
                  study_number(values, "float64.eig_max"));
  assert_true(study_number(values, "spectrum.0") ==
              study_number(values, "float64.eig_max"));
  assert_true(study_number(values, "initial.spectrum.126") ==
              study_number(values, "initial.float64.eig_next"));
  assert_int_equal(json_at(values, "initial.seeds")->count, 10);
  /* Seed 1 is the start: float64 of a float32 stream, or float64 throughout. */
  double start = study_number(values, "initial.float64.eig_max");
  double seed = study_number(values, "initial.seeds.1.float64.eig_max");
  assert_true(start != seed && fabs(seed / start - 1) < 1e-5);
  assert_true(study_number(values, "initial.seeds.1.float32.eig_max") ==
              study_number(values, "initial.float32.eig_max"));
}

static void check_storage(const struct json *values) {
  static const char *const formats[] = {"float64", "float32", "float16",
                                        "bfloat16"};
  for (int i = 0; i < 4; i++) {
    double trained = number(values, "storage.%s.trained", formats[i]);
    double initial = number(values, "storage.%s.initial", formats[i]);
    double guess = number(values, "storage.%s.predicted.trained", formats[i]);
    assert_true(fabs(trained / guess - 1) < 0.2);
    assert_true(fabs(number(values, "storage.%s.ratio", formats[i]) -
                     trained / initial) < 1e-12);
    double ratio = number(values, "storage.%s.predicted.ratio", formats[i]);
    assert_true(fabs(ratio / study_number(values, "storage.weight.ratio") - 1) <
                0.2);
  }
  assert_true(study_number(values, "computed.float32.trained") >
              study_number(values, "storage.float32.trained"));
}

static void check_dead(const struct fixture *f) {
  struct json_document document;
  const struct json *values = study_values(f, "dead", &document);
  const char *norm = norm_name(f->rms ? NORM_RMS : NORM_LAYER);
  assert_true(study_number(values, "tokens") == 8192);
  check_kernels(values, f->rms);
  assert_string_equal(text(values, "classification.activations"), norm);
  assert_string_equal(text(values, "classification.norm"), norm);
  assert_string_equal(text(values, "classification.file"), norm);
  assert_non_null(strstr(text(values, "classification.evidence"), norm));
  assert_string_equal(text(values, "classification.names.file"),
                      f->rms ? "undecided" : norm);
  assert_true(study_number(values, "classification.initial.right") == 10);
  assert_true(study_number(values, "classification.margin") > 100);
  assert_int_equal(json_at(values, "storage") == NULL, f->rms);
  assert_int_equal(json_at(values, "deepening") == NULL, f->rms);
  if (!f->rms) {
    double along = study_number(values, "uncentred.along_u");
    double predicted = study_number(values, "uncentred.predicted");
    assert_true(predicted > 0 && fabs(along / predicted - 1) < 1e-9);
    assert_true(study_number(values, "initial.uncentred.predicted") == 0);
    check_storage(values);
  }
  json_free(&document);
}

/* ---- head_fisher ---- */
static void check_head_fisher(const struct fixture *f) {
  struct json_document document;
  const struct json *values = study_values(f, "head_fisher", &document);
  static const char *const heads[] = {"initial.float64", "trained.float64"};
  for (int i = 0; i < 2; i++) {
    double mean = number(values, "%s.random.mean", heads[i]);
    double along = number(values, "%s.logits.2.fisher", heads[i]);
    double change = number(values, "%s.constant.changes.2", heads[i]);
    assert_true(number(values, "%s.random.smallest", heads[i]) <= mean);
    assert_true(number(values, "%s.random.largest", heads[i]) >= mean);
    assert_true(number(values, "%s.constant.ratio_to_mean", heads[i]) < 1e-20);
    assert_true(number(values, "%s.other_constant.1.fisher", heads[i]) < 1e-20);
    assert_true(number(values, "%s.other_logits.1.fisher", heads[i]) >
                1e-3 * mean);
    assert_true(fabs(change) < 1e-14);
    if (f->rms) {
      assert_true(along > 1e-3 * mean);
      continue;
    }
    double predicted = number(values, "%s.logits.2.predicted", heads[i]);
    if (i == 0)
      assert_true(predicted == 0 && along < 1e-20 * mean);
    else
      assert_true(predicted > 0 && fabs(along / predicted - 1) < 1e-9);
  }
  double wide = study_number(values, "trained.float64.random.mean");
  double narrow = study_number(values, "trained.float32.random.mean");
  assert_true(wide != narrow && fabs(narrow / wide - 1) < 1e-4);
  assert_int_equal(json_at(values, "trained.float64.random.directions")->count,
                   10);
  json_free(&document);
}

/* ---- residual_minimum ---- */

/* A text of `symbols` different symbols instead of the fixture's 65. */
static void write_text_of(const struct fixture *f, int symbols) {
  struct buffer bytes = {0}, list = {0};
  struct rng rng;
  char sha256[HASH_TEXT];
  rng_seed(&rng, 3);
  for (int i = 0; i < FIXTURE_TEXT; i++)
    buffer_char(&bytes, corpus_alphabet()[rng_integer(&rng, 0, symbols)]);
  fixture_put(f->text, &bytes);
  fixture_hash(f->text, sha256);
  buffer_printf(&list,
                "{\"corpora\": [{\"name\": \"tiny\", \"sha256\": \"%s\", "
                "\"bytes\": %d, \"source\": \"a test\"}]}\n",
                sha256, FIXTURE_TEXT);
  fixture_put(f->list, &list);
  buffer_free(&bytes);
  buffer_free(&list);
}

static void check_points(const struct json *values, const char *path) {
  char name[96];
  snprintf(name, sizeof name, "%s.points", path);
  const struct json *points = json_at(values, name);
  assert_int_equal(points->count, 9);
  for (const struct json *p = points->child; p != NULL; p = p->next) {
    double smallest = study_number(p, "smallest");
    double largest = study_number(p, "largest");
    assert_true(smallest >= 0 && smallest < largest);
    assert_true(study_number(p, "relative") == smallest / largest);
    if (strcmp(p->key, "embed") != 0)
      assert_true(study_number(p, "rank") == 128);
  }
  assert_true(number(values, "%s.ratios.b2_mlp", path) ==
              number(values, "%s.points.b2_mlp.smallest", path) /
                  number(values, "%s.points.b1_mlp.smallest", path));
}

/* 65 symbols at 64 places have 128 independent rows, 127 without their mean. */
static void check_all_symbols(const struct fixture *f) {
  struct json_document document;
  const struct json *values = study_values(f, "residual_minimum", &document);
  check_points(values, "trained.float64.uncentred");
  check_points(values, "trained.float32.centred");
  check_points(values, "initial.float64.centred");
  check_points(values, "initial.float32.uncentred");
  const struct json *plain = json_at(values, "initial.float64.uncentred");
  const struct json *centred = json_at(values, "initial.float64.centred");
  assert_true(study_number(plain, "points.embed.rank") == 128);
  assert_true(study_number(plain, "ratios.b0_mlp") > 0);
  assert_true(study_number(plain, "embedding.smallest_nonzero") ==
              study_number(plain, "points.embed.smallest"));
  assert_true(study_number(centred, "points.embed.rank") == 127);
  assert_null(json_at(centred, "ratios.b0_mlp"));
  json_free(&document);
}

static void check_few_symbols(const struct fixture *f) {
  struct json_document document;
  write_text_of(f, 10);
  const struct json *values = study_values(f, "residual_minimum", &document);
  assert_true(study_number(values, "distinct_tokens") == 10);
  static const char *const when[] = {"trained.float64", "initial.float32"};
  for (int i = 0; i < 2; i++) {
    assert_true(number(values, "%s.uncentred.points.embed.rank", when[i]) ==
                73);
    assert_true(number(values, "%s.uncentred.embedding.rank", when[i]) == 73);
    assert_true(number(values, "%s.centred.points.embed.rank", when[i]) == 72);
    assert_true(number(values, "%s.uncentred.embedding.smallest_nonzero",
                       when[i]) > 1e-3);
  }
  assert_null(json_at(values, "trained.float64.uncentred.ratios.b0_mlp"));
  json_free(&document);
}

/* ---- refusals ---- */
static void check_refusals(const struct fixture *f) {
  for (size_t i = 0; i < f->table.count; i++) {
    const struct transformer_tensor *t = &f->table.tensors[i];
    if (strcmp(t->name, "transformer.ln_f.weight") == 0)
      f->values[t->offset + 5] = 0;
  }
  fixture_write_weights(f, norm_name(f->rms ? NORM_RMS : NORM_LAYER), "1e-05");
  study_refused(f, "dead", "gain 5 of the final norm is 0");
  study_refused(f, "head_fisher", "gain 5 of the final norm is 0");
  unlink(f->manifest);
  study_refused(f, "residual_minimum", "manifest.json");
}

static void check_model(bool rms) {
  if (!study_is_built("dead")) skip();
  struct fixture f;
  fixture_make(&f, rms, 1e-5);
  check_dead(&f);
  check_head_fisher(&f);
  if (!rms) { /* the same code for both */
    check_all_symbols(&f);
    check_few_symbols(&f);
  }
  check_refusals(&f);
  study_fixture_remove(&f);
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
  };
  return cmocka_run_group_tests_name("dead_studies", tests, NULL, NULL);
}
