/* The ladder through training: what the study makes of a log, and which logs it
 * refuses. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <sys/wait.h>

#include "report/base/json.h"
#include "tests/model_fixture.h"

static char directory[256];

static const char *in_directory(const char *name) {
  static char path[2][300];
  static int next;
  next = !next;
  snprintf(path[next], sizeof path[next], "%s/%s", directory, name);
  return path[next];
}

static const char *build(void) {
  const char *path = getenv("BUILD");
  return path == NULL ? "build" : path;
}

/* Exit status; results go to out.json, messages to message. */
static int run_study(const struct fixture *f, const char *study) {
  char command[2048];
  snprintf(command, sizeof command,
           "OPENBLAS_NUM_THREADS=1 %s/bin/model_studies/%s --model m --models "
           "%s --corpora %s --out %s 2>%s",
           build(), study, f->models, f->corpora, in_directory("out.json"),
           in_directory("message"));
  int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void assert_refused(const struct fixture *f, const char *expected) {
  struct buffer text = {0};
  struct error err = {{0}};
  assert_int_equal(run_study(f, "training_ladder"), 2);
  assert_int_equal(file_read(in_directory("message"), &text, &err), 0);
  if (strstr(text.bytes, expected) == NULL)
    fail_msg("\"%s\" expected in: %s", expected, text.bytes);
  buffer_free(&text);
}

static const struct json *open_values(struct json_document *document) {
  struct error err = {{0}};
  if (json_read(in_directory("out.json"), document, &err) != 0)
    fail_msg("%s", err.text);
  return json_member(json_member(document->root, "values"), "m");
}

static double number(const struct json *values, const char *path) {
  const struct json *value = json_at(values, path);
  if (value == NULL) fail_msg("no value at %s", path);
  return value->number;
}

/* A log of four rows whose ladder climbs as 1, 2, 4, `last`; the last row is
 * that of `points`, the values of the ladder study. */
static void put_log(const struct fixture *f, const struct json *points,
                    const char *first, const char *sha256) {
  struct buffer text = {0};
  char path[300];
  double end = number(points, "b3_mlp.inv_sigma");
  buffer_printf(&text,
                "{\"values\": {\"m\": {\"weights_sha256\": \"%s\",\n"
                "\"recipe\": {\"steps\": 3000, \"warm_up\": 0.3}, "
                "\"seeds\": {\"ladder\": \"0\"},\n"
                "\"ladder\": {\"every\": 100, \"sequences\": 8, \"points\": {",
                sha256);
  for (size_t n = 0; n < 9; n++) {
    char name[TRANSFORMER_NAME], key[64];
    transformer_point_name(n, name);
    snprintf(key, sizeof key, "%s.inv_sigma", name);
    double x = number(points, key);
    buffer_printf(&text, "%s\n\"%s\": {\"inv_sigma\": [", n > 0 ? "," : "",
                  name);
    if (n == 0)
      buffer_printf(&text, "%s, %.17g, %.17g, %.17g]}", first, 2 * end, 4 * end,
                    x);
    else
      buffer_printf(&text, "%.17g, %.17g, %.17g, %.17g]}", end, end, end, x);
  }
  buffer_printf(&text, "}}}}}\n");
  snprintf(path, sizeof path, "%s/m.training.json", f->models);
  fixture_put(path, &text);
  buffer_free(&text);
}

static void clean(struct fixture *f) {
  char path[300];
  snprintf(path, sizeof path, "%s/m.training.json", f->models);
  unlink(path);
  unlink(in_directory("out.json"));
  unlink(in_directory("message"));
  fixture_remove(f);
}

static void test_log_and_weights(void **state) {
  (void)state;
  char program[300], sha256[HASH_TEXT];
  struct fixture f;
  struct json_document ladder, history;
  snprintf(program, sizeof program, "%s/bin/model_studies/training_ladder",
           build());
  if (!file_exists(program)) {
    print_message("skipped: %s is not built\n", program);
    skip();
  }
  fixture_make(&f, false, 1e-5);
  snprintf(directory, sizeof directory, "%s", f.directory);
  fixture_hash(f.weights, sha256);
  assert_int_equal(run_study(&f, "ladder"), 0);
  const struct json *points = json_member(open_values(&ladder), "points");

  put_log(&f, points, "1", sha256);
  assert_int_equal(run_study(&f, "training_ladder"), 0);
  const struct json *values = open_values(&history);
  double end = number(points, "b3_mlp.inv_sigma");
  double last = number(points, "embed.inv_sigma") / end;
  assert_true(number(values, "recomputed.largest_difference") < 1e-14);
  assert_true(number(values, "final_attenuation") == last);
  assert_true(number(values, "rows.2.attenuation") == 4);
  assert_true(number(values, "rows.3.step") == 300);
  assert_true(number(values, "warm_up_steps") == 900);
  assert_true(number(values, "highest.attenuation") ==
              fmax(fmax(4, last), 1 / end));
  json_free(&history);

  put_log(&f, points, "1", "0");
  assert_refused(&f, "m.training.json:1:37: the log is of other weights than ");
  put_log(&f, points, "0", sha256);
  assert_refused(&f, "m.training.json:4:25: 1/sigma must be a positive number");
  put_log(&f, points, "1, 1", sha256);
  assert_refused(&f, "m.training.json:5:26: 4 numbers where 5 are expected");
  json_free(&ladder);
  clean(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_log_and_weights),
  };
  return cmocka_run_group_tests_name("training_ladder", tests, NULL, NULL);
}
