/* The studies that need no weights, as programs: their values against NumPy's
 * and against 50-digit arithmetic, their options and their exits. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/base/file.h"
#include "report/base/json.h"

static const char *build(void) {
  const char *path = getenv("BUILD");
  return path != NULL ? path : "build";
}

/* Run a study with those arguments, both streams into one file; its status. */
static int run(const char *arguments, struct buffer *said) {
  char path[300];
  struct buffer command = {0};
  struct error err;
  snprintf(path, sizeof path, "%s/tests/study-said", build());
  buffer_printf(&command, "%s/bin/studies/%s >%s 2>&1", build(), arguments,
                path);
  int status = system(command.bytes);
  assert_true(WIFEXITED(status));
  buffer_clear(said);
  if (file_read(path, said, &err) != 0) fail_msg("%s", err.text);
  unlink(path);
  buffer_free(&command);
  return WEXITSTATUS(status);
}

static void measured(const char *study, struct json_document *out) {
  struct buffer said = {0};
  struct error err;
  assert_int_equal(run(study, &said), 0);
  if (json_parse(study, said.bytes, said.length, out, &err) != 0)
    fail_msg("%s", err.text);
  buffer_free(&said);
}

static void near(const struct json_document *d, const char *path,
                 double expected, double bound) {
  const struct json *value = json_at(json_member(d->root, "values"), path);
  if (value == NULL) fail_msg("%s is missing", path);
  if (!(fabs(value->number - expected) <= bound))
    fail_msg("%s: found %.17g, expected %.17g, bound %.3g", path, value->number,
             expected, bound);
}

static void test_jacobian(void **state) {
  (void)state;
  struct json_document d;
  measured("jacobian", &d);
  near(&d, "rank", 126, 0);
  near(&d, "inv_sigma", 0.5256820941133584803, 1.2e-16);
  near(&d, "largest", 0.5256820941133584803, 2e-15);
  near(&d, "smallest_nonzero", 0.5256820941133584803, 2e-15);
  near(&d, "null_residual", 0, 1.2e-15);
  near(&d, "autodiff_error", 0, 1e-15);
  near(&d, "with_eps.rank", 127, 0);
  near(&d, "with_eps.smallest", 1e-5 / pow(3.6187087580886931 + 1e-5, 1.5),
       2e-16);
  near(&d, "rmsnorm.rank", 127, 0);
  near(&d, "rmsnorm.with_eps.rank", 128, 0);
  json_free(&d);
}

static void test_random_plane(void **state) {
  (void)state;
  struct json_document d;
  measured("random_plane", &d);
  near(&d, "rms", 0.12499667176482494, 1e-15);
  near(&d, "median", 0.104587679456872, 1e-15);
  near(&d, "p90", 0.18941884908123557, 1e-15);
  near(&d, "max", 0.42784411794297506, 1e-15);
  near(&d, "exact.median", 0.104587679456872, 1e-4);
  near(&d, "exact.p90", 0.18941884908123557, 1e-4);
  json_free(&d);
}

static void test_options(void **state) {
  (void)state;
  struct buffer said = {0};
  assert_int_equal(run("jacobian --help", &said), 0);
  assert_non_null(strstr(said.bytes, "--out FILE"));
  assert_int_equal(run("jacobian extra", &said), 2);
  assert_string_equal(said.bytes, "jacobian: unexpected argument extra\n");
  assert_int_equal(run("../model_studies/gains", &said), 2);
  assert_string_equal(said.bytes, "gains: --model NAME is missing\n");
  assert_int_equal(run("jacobian --model m", &said), 2);
  assert_non_null(strstr(said.bytes, "--model"));
  assert_int_equal(run("jacobian --out", &said), 2);
  assert_int_equal(run("jacobian --out /dev/null/x.json", &said), 2);
  assert_non_null(strstr(said.bytes, "/dev/null"));
  buffer_free(&said);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_jacobian),
      cmocka_unit_test(test_random_plane),
      cmocka_unit_test(test_options),
  };
  return cmocka_run_group_tests_name("weight_free_studies", tests, NULL, NULL);
}
