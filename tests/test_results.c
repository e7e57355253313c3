/* Results: the JSON written, and each mistake refused with its key. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/results.h"
#include "report/base/file.h"
#include "report/base/hash.h"
#include "report/base/json.h"

static char directory[256];

static int make_directory(void **state) {
  (void)state;
  const char *build = getenv("BUILD");
  struct error err;
  snprintf(directory, sizeof directory, "%s/tests/results-XXXXXX",
           build != NULL ? build : "build");
  if (file_make_parents(directory, &err) < 0) return -1;
  return mkdtemp(directory) == NULL ? -1 : 0;
}

static int remove_directory(void **state) {
  (void)state;
  return rmdir(directory);
}

static void path_in(const char *name, char out[320]) {
  snprintf(out, 320, "%s/%s", directory, name);
}

static void test_written(void **state) {
  (void)state;
  char input[320], out[320];
  path_in("input", input);
  path_in("sub/out.json", out);
  struct error err;
  assert_int_equal(file_write(input, "abc", 3, &err), 0);

  struct results *results = results_new("study");
  assert_int_equal(results_input(results, input, &err), 0);
  results_prefix(results, "kjv-layernorm");
  for (int i = 0; i < 12; i++)
    results_double(results, i + 0.5, "rows.%d.loss", i);
  results_integer(results, INT64_MAX, "rows.0.tokens");
  results_double(results, -0.0, "b0.ln1.rank");
  results_bool(results, true, "b0.ln2.dead");
  results_prefix(results, NULL);
  results_text(results, "a \"quoted\" text", "note");
  const double list[] = {1, 0.1};
  results_doubles(results, list, 2, "spectrum");
  results_integer(results, 3, "spectrum.2");
  assert_int_equal(results_write(results, out, &err), 0);
  results_free(results);

  struct json_document d;
  assert_int_equal(json_read(out, &d, &err), 0);
  assert_string_equal(json_at(d.root, "study")->text, "study");
  assert_string_equal(json_at(d.root, "inputs.0.path")->text, input);
  char sha256[HASH_TEXT];
  hash_bytes("abc", 3, sha256);
  assert_string_equal(json_at(d.root, "inputs.0.sha256")->text, sha256);
  const char *fields[] = {"compiler", "flags",     "libc",        "blas",
                          "cpu",      "blas_core", "blas_threads"};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    assert_non_null(json_member(json_member(d.root, "environment"), fields[i]));
  const struct json *values = json_member(d.root, "values");
  assert_true(json_at(values, "kjv-layernorm.rows.11.loss")->number == 11.5);
  assert_true(json_at(values, "kjv-layernorm.rows.0.tokens")->integer ==
              INT64_MAX);
  assert_true(signbit(json_at(values, "kjv-layernorm.b0.ln1.rank")->number));
  assert_true(json_at(values, "kjv-layernorm.b0.ln2.dead")->boolean);
  assert_string_equal(json_at(values, "note")->text, "a \"quoted\" text");
  assert_string_equal(json_at(values, "spectrum.1")->text, "0.1");
  assert_int_equal(json_at(values, "spectrum")->count, 3);
  json_free(&d);
  unlink(input);
  unlink(out);
  path_in("sub", out);
  rmdir(out);
}

/* The first mistake is reported and nothing is written. */
static void refused(struct results *results, const char *message) {
  char out[320];
  struct error err;
  path_in("never.json", out);
  assert_int_equal(results_write(results, out, &err), -1);
  assert_string_equal(err.text, message);
  assert_false(file_exists(out));
  results_free(results);
}

static void test_mistakes(void **state) {
  (void)state;
  struct results *r = results_new("s");
  results_prefix(r, "m");
  results_double(r, NAN, "a.%s", "b");
  results_double(r, INFINITY, "later");
  refused(r, "s.m.a.b: value is not finite");

  r = results_new("s");
  const double list[] = {1, -INFINITY};
  results_doubles(r, list, 2, "list");
  refused(r, "s.list: value is not finite");

  r = results_new("s");
  results_double(r, 1, "a.b");
  results_integer(r, 1, "a.b");
  refused(r, "s.a.b: value given twice");

  r = results_new("s");
  results_double(r, 1, "a.b.c");
  results_double(r, 1, "a.b");
  refused(r, "s.a.b: value given twice");

  r = results_new("s");
  results_double(r, 1, "a");
  results_double(r, 1, "a.b");
  refused(r, "s.a.b: path leads through a value");

  r = results_new("s");
  results_double(r, 1, "a.1");
  refused(r, "s.a.1: array index skips elements");

  r = results_new("s");
  results_double(r, 1, "a.0");
  results_double(r, 1, "a.x");
  refused(r, "s.a.x: an array's element must be an index");

  r = results_new("s");
  results_double(r, 1, "a..b");
  refused(r, "s.a..b: empty path element");
}

static void test_missing_input_and_directory(void **state) {
  (void)state;
  struct error err;
  struct results *r = results_new("s");
  assert_int_equal(results_input(r, "no/such/file", &err), -1);
  assert_non_null(strstr(err.text, "no/such/file"));
  assert_int_equal(results_write(r, "/dev/null/x.json", &err), -1);
  assert_non_null(strstr(err.text, "/dev/null"));
  results_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_written),
      cmocka_unit_test(test_mistakes),
      cmocka_unit_test(test_missing_input_and_directory),
  };
  return cmocka_run_group_tests_name("results", tests, make_directory,
                                     remove_directory);
}
