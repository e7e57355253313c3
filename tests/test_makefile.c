/* The Makefile: when it builds and measures again, that no half file looks
 * done, what it hands to the command. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/pins_support.h"

/* Runs make on the scratch directory, apart from the make that runs the tests;
 * what it prints goes to @/log. */
static int make(const char *before, const char *goals) {
  struct buffer line = {0};
  buffer_printf(&line,
                "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL %s make "
                "--no-print-directory BUILD=%s %s >%s/log 2>&1",
                before, scratch, goals, scratch);
  int status = system(line.bytes);
  buffer_free(&line);
  return status;
}

static char *environment_after(const char *before, const char *settings) {
  struct buffer goals = {0};
  buffer_printf(&goals, "%s %s/environment", settings, scratch);
  assert_int_equal(make(before, goals.bytes), 0);
  buffer_free(&goals);
  return get("environment");
}

static void changes(const char *before, const char *settings,
                    const char *shown) {
  char *text = environment_after(before, settings);
  if (strstr(text, shown) == NULL) fail_msg("no %s in\n%s", shown, text);
  free(text);
}

/* Results depend on this file: it must be looked at in every run of make and
 * written only when it differs. */
static void test_environment(void **state) {
  (void)state;
  struct stat first, second;
  free(environment_after("OPENBLAS_NUM_THREADS=2", ""));
  assert_int_equal(stat(in_scratch("environment"), &first), 0);
  free(environment_after("OPENBLAS_NUM_THREADS=2", ""));
  assert_int_equal(stat(in_scratch("environment"), &second), 0);
  assert_int_equal(first.st_ino, second.st_ino);
  changes("OPENBLAS_NUM_THREADS=1", "", "OPENBLAS_NUM_THREADS=1\n");
  changes("OPENBLAS_CORETYPE=Nehalem", "", "OPENBLAS_CORETYPE=Nehalem\n");
  changes("", "CFLAGS=-O3", "-O3 ");
  changes("", "CC='gcc -DOTHER'", "gcc -DOTHER ");
}

/* A compiler that dies half way, as when the build is killed. */
static void test_half_files(void **state) {
  (void)state;
  put("cc", "#!/bin/sh\n"
            "while [ $# -gt 0 ]; do\n"
            "  case \"$1\" in -o | -MF) echo half >\"$2\" ;; esac\n"
            "  [ \"$1\" = --version ] && exit 0\n"
            "  shift\n"
            "done\n"
            "exit 1\n");
  assert_int_equal(chmod(in_scratch("cc"), 0777), 0);
  struct buffer goals = {0};
  buffer_printf(&goals, "CC=%s/cc %s/objects/report/base/utf8.o", scratch,
                scratch);
  assert_int_not_equal(make("", goals.bytes), 0);
  buffer_free(&goals);
  assert_true(file_exists(in_scratch("objects/report/base/utf8.o.part")));
  assert_false(file_exists(in_scratch("objects/report/base/utf8.o")));
  assert_false(file_exists(in_scratch("objects/report/base/utf8.d")));
}

static void test_accept(void **state) {
  (void)state;
  const char *settings = "-o /bin/echo PINPRESS=/bin/echo RESULTS= accept";
  struct buffer goals = {0};
  buffer_printf(&goals, "%s KEY='a.*' REASON=\"it's \\\"so\\\"\"", settings);
  assert_int_equal(make("", goals.bytes), 0);
  char *text = get("log");
  if (strstr(text, "accept a.* --reason it's \"so\" --results") == NULL)
    fail_msg("%s", text);
  free(text);
  assert_int_not_equal(make("", settings), 0);
  buffer_free(&goals);
}

/* With a program that pinpress calls where it looks for it. */
static void test_install(void **state) {
  static const char *const files[] = {"p/bin/pinpress",
                                      "p/libexec/pinpress/true",
                                      "p/share/man/man1/pinpress.1"};
  (void)state;
  struct buffer goals = {0};
  buffer_printf(&goals,
                "-o /bin/echo PINPRESS=/bin/echo COMMAND_PROGRAMS=/bin/true "
                "DESTDIR=%s PREFIX=/p install",
                scratch);
  assert_int_equal(make("", goals.bytes), 0);
  buffer_free(&goals);
  for (int i = 0; i < 3; i++)
    if (access(in_scratch(files[i]), F_OK) != 0) fail_msg("no %s", files[i]);
}

/* Nothing is measured, and no result below another directory is kept. */
static void test_keep(void **state) {
  (void)state;
  assert_int_not_equal(make("", "keep CORPUS_SHAKESPEARE=text"), 0);
  char *log = get("log");
  if (strncmp(log, "usage: make keep ", 17) != 0) fail_msg("%s", log);
  free(log);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_environment), cmocka_unit_test(test_half_files),
      cmocka_unit_test(test_accept),      cmocka_unit_test(test_install),
      cmocka_unit_test(test_keep),
  };
  return cmocka_run_group_tests_name("makefile", tests, scratch_make,
                                     scratch_remove);
}
