/* The studies on a model as programs: what they write for a small random text,
 * what they refuse. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <sys/wait.h>

#include "report/base/json.h"
#include "tests/model_fixture.h"

static const char *build(void) {
  const char *path = getenv("BUILD");
  return path == NULL ? "build" : path;
}

/* A file of that name in the fixture's directory. */
static const char *in_directory(const struct fixture *f, const char *name) {
  static char path[4][300];
  static int next;
  next = (next + 1) % 4;
  snprintf(path[next], sizeof path[next], "%s/%s", f->directory, name);
  return path[next];
}

static bool is_built(const char *program) {
  char path[300];
  snprintf(path, sizeof path, "%s/bin/%s", build(), program);
  if (file_exists(path)) return true;
  print_message("skipped: %s is not built\n", path);
  return false;
}

/* Exit status of a study on the fixture's model; results go to out.json,
 * messages to message. */
static int run_study(const struct fixture *f, const char *study) {
  char command[2048];
  snprintf(command, sizeof command,
           "OPENBLAS_NUM_THREADS=1 %s/bin/model_studies/%s --model m --models "
           "%s --corpora %s --out "
           "%s 2>%s",
           build(), study, f->models, f->corpora, in_directory(f, "out.json"),
           in_directory(f, "message"));
  int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* One line that holds `expected`, and no results. */
static void assert_refused(const struct fixture *f, const char *expected) {
  struct buffer text = {0};
  struct error err = {{0}};
  assert_int_equal(file_read(in_directory(f, "message"), &text, &err), 0);
  if (strstr(text.bytes, expected) == NULL)
    fail_msg("\"%s\" expected in: %s", expected, text.bytes);
  assert_ptr_equal(strchr(text.bytes, '\n'), text.bytes + text.length - 1);
  buffer_free(&text);
  assert_false(file_exists(in_directory(f, "out.json")));
}

/* The values of the model in what the study wrote. */
static const struct json *open_values(const struct fixture *f,
                                      struct json_document *document) {
  struct error err = {{0}};
  if (json_read(in_directory(f, "out.json"), document, &err) != 0)
    fail_msg("%s", err.text);
  assert_string_equal(json_at(document->root, "inputs.0.path")->text,
                      f->weights);
  assert_string_equal(json_at(document->root, "inputs.1.path")->text, f->text);
  return json_member(json_member(document->root, "values"), "m");
}

static double number(const struct json *values, const char *path) {
  const struct json *value = json_at(values, path);
  if (value == NULL) fail_msg("no value at %s", path);
  assert_int_equal(value->type, JSON_NUMBER);
  return value->number;
}

static void put_log(const struct fixture *f, const char *sha256,
                    size_t parameters, const char *losses, const char *batch,
                    const char *seed) {
  struct buffer text = {0};
  char path[300];
  snprintf(path, sizeof path, "%s/m.training.json", f->models);
  buffer_printf(&text,
                "{\"values\": {\"m\": {\"weights_sha256\": \"%s\",\n"
                "\"parameters\": %zu,\n\"tokens\": 640, \"val_loss\": 4.5,\n"
                "\"validation\": {\"every\": 500, \"loss\": %s,\n"
                "\"batches\": 2},\n\"recipe\": {\"batch\": %s},\n"
                "\"seeds\": {\"validation\": \"%s\"}}}}\n",
                sha256, parameters, losses, batch, seed);
  fixture_put(path, &text);
  buffer_free(&text);
}

static void make(struct fixture *f, bool rms, double eps) {
  char sha256[HASH_TEXT];
  fixture_make(f, rms, eps);
  fixture_hash(f->weights, sha256);
  put_log(f, sha256, f->table.parameters, "[5, 4.5]", "16", "0");
}

static void clean(struct fixture *f) {
  char path[300];
  snprintf(path, sizeof path, "%s/m.training.json", f->models);
  unlink(path);
  unlink(in_directory(f, "out.json"));
  unlink(in_directory(f, "message"));
  fixture_remove(f);
}

static const char *const studies[] = {"invariance", "scale_sweep",
                                      "scale_law",  "gradient_share",
                                      "norm_cost",  "training"};
enum { STUDIES = sizeof studies / sizeof *studies };

static void test_every_study_without_a_mean(void **state) {
  (void)state;
  if (!is_built("model_studies/training")) skip();
  struct fixture f;
  make(&f, true, 0.1);
  for (int i = 0; i < STUDIES; i++) {
    struct json_document document;
    if (run_study(&f, studies[i]) != 0) fail_msg("%s fails", studies[i]);
    const struct json *values = open_values(&f, &document);
    assert_string_equal(json_at(document.root, "study")->text, studies[i]);
    if (strcmp(studies[i], "training") == 0) {
      assert_true(number(values, "validation.1.step") == 500);
      assert_true(number(values, "uniform_loss") == log(65));
      assert_true(number(values, "symbols_used") == 65);
      assert_true(fabs(number(values, "recomputed.float64") -
                       number(values, "recomputed.float32")) < 1e-5);
    }
    if (strcmp(studies[i], "invariance") == 0)
      assert_true(fabs(number(values, "float64.shift_5.delta")) > 1e-4);
    json_free(&document);
  }
  clean(&f);
}

static void test_values(void **state) {
  (void)state;
  if (!is_built("model_studies/training")) skip();
  struct fixture f;
  struct json_document document;
  const struct json *values;
  make(&f, false, 1e-5);

  assert_int_equal(run_study(&f, "invariance"), 0);
  values = open_values(&f, &document);
  double baseline = number(values, "float64.baseline.loss");
  assert_true(fabs(number(values, "float64.shift_1000.delta")) < 1e-11);
  assert_true(fabs(number(values, "float64.axis_5.delta")) > 1e-4);
  assert_true(fabs(number(values, "float32.baseline.loss") - baseline) < 1e-5);
  json_free(&document);

  assert_int_equal(run_study(&f, "scale_sweep"), 0);
  values = open_values(&f, &document);
  assert_true(number(values, "float64.rows.2.delta") == 0);
  assert_true(number(values, "float64.rows.2.loss") == baseline);
  double std = number(values, "float64.sigma0") * 1e-3;
  assert_true(fabs(number(values, "float64.rows.6.eps_over_var") -
                   1e-5 / (std * std)) < 1e-15 / (std * std));
  json_free(&document);

  assert_int_equal(run_study(&f, "scale_law"), 0);
  values = open_values(&f, &document);
  assert_true(fabs(number(values, "measured_over_predicted") - 1) < 1e-5);
  assert_true(number(values, "held_out.predicted.0") ==
              number(values, "predicted"));
  json_free(&document);
  clean(&f);
}

static void test_costs_are_of_the_shares(void **state) {
  (void)state;
  if (!is_built("model_studies/norm_cost")) skip();
  struct fixture f;
  struct json_document shares, costs;
  make(&f, false, 1e-5);
  assert_int_equal(run_study(&f, "gradient_share"), 0);
  const struct json *share = open_values(&f, &shares);
  assert_int_equal(run_study(&f, "norm_cost"), 0);
  const struct json *cost = open_values(&f, &costs);
  static const char *const at[] = {"b0.ln1", "b3.ln2", "lnf"};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s.gain_g.p90", at[i]);
    double s = number(share, path);
    snprintf(path, sizeof path, "%s.p90", at[i]);
    assert_true(fabs(number(cost, path) - (1 - sqrt(1 - s * s))) < 1e-15);
  }
  assert_true(fabs(number(cost, "random_median") - 0.0055) < 5e-5);
  json_free(&shares);
  json_free(&costs);
  clean(&f);
}

static void test_refusals(void **state) {
  (void)state;
  if (!is_built("model_studies/training")) skip();
  struct fixture f;
  char sha256[HASH_TEXT];
  make(&f, false, 0);
  assert_int_equal(run_study(&f, "scale_law"), 2);
  assert_refused(&f, "scale_law: m: eps is 0, there is no law to measure");

  fixture_hash(f.weights, sha256);
  put_log(&f, "0", f.table.parameters, "[1]", "16", "0");
  assert_int_equal(run_study(&f, "training"), 2);
  assert_refused(&f, "m.training.json:1:37: the log is of other weights than ");
  put_log(&f, sha256, 7, "[1]", "16", "0");
  assert_int_equal(run_study(&f, "training"), 2);
  assert_refused(&f, "m.training.json:2:15: the log counts 7 parameters, the "
                     "weights have 816128");
  put_log(&f, sha256, f.table.parameters, "[1, null]", "16", "0");
  assert_int_equal(run_study(&f, "training"), 2);
  assert_refused(&f, "m.training.json:4:42: a loss must be a number");
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
    assert_int_equal(run_study(&f, "training"), 2);
    assert_refused(&f, recipes[i].message);
  }

  f.values[0] += 1;
  struct error err = {{0}};
  assert_int_equal(
      safetensors_write(f.weights, f.entries, f.count, NULL, 0, &err), 0);
  for (int i = 0; i < STUDIES; i++) {
    assert_int_equal(run_study(&f, studies[i]), 2);
    assert_refused(&f, ": the weights of m are altered or incomplete: sha256 ");
  }
  clean(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_study_without_a_mean),
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_costs_are_of_the_shares),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests_name("model_studies", tests, NULL, NULL);
}
