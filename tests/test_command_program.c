/* Commands that are programs of their own: where pinpress finds them, what it
 * hands them, what it says when there is none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/wait.h>

#include "tests/scratch.h"

/* The built command stands in here/bin, with nothing beside it. */
static int copy_command(void **state) {
  struct buffer program = {0};
  struct error err;
  char path[512];
  const char *build = getenv("BUILD");
  snprintf(path, sizeof path, "%s/bin/pinpress",
           build != NULL ? build : "build");
  if (scratch_make(state) != 0 || file_read(path, &program, &err) != 0)
    return -1;
  const char *copy = in_scratch("here/bin/pinpress");
  int failed = file_make_parents(copy, &err) != 0 ||
               file_write(copy, program.bytes, program.length, &err) != 0 ||
               chmod(copy, 0755) != 0;
  buffer_free(&program);
  return failed;
}

/* A program that shows what it got. */
static void put_program(const char *name, const char *word) {
  char text[256];
  snprintf(text, sizeof text,
           "#!/bin/sh\necho '%s'; for a; do echo \"<$a>\"; done; exit 7\n",
           word);
  put(name, text);
  assert_int_equal(chmod(in_scratch(name), 0755), 0);
}

/* Runs a copy of the command in a directory elsewhere; returns what it prints,
 * which the caller frees. */
static char *run(const char *program, const char *arguments, int status) {
  char line[2048];
  char *root = realpath(scratch, NULL);
  snprintf(line, sizeof line, "cd / && '%s/%s' %s >%s/out 2>&1", root, program,
           arguments, root);
  free(root);
  int found = system(line);
  assert_true(WIFEXITED(found));
  char *out = get("out");
  if (WEXITSTATUS(found) != status)
    fail_msg("status %d, not %d: %s", WEXITSTATUS(found), status, out);
  return out;
}

static void says(const char *program, const char *arguments, int status,
                 const char *expected) {
  char *out = run(program, arguments, status);
  assert_string_equal(out, expected);
  free(out);
}

static void test_places(void **state) {
  char *root = realpath(scratch, NULL), message[1024];
  (void)state;
  snprintf(message, sizeof message,
           "%s/here/bin/dead_direction: is missing; `make` in the sources of "
           "pinpress builds it\n",
           root);
  says("here/bin/pinpress", "dead-direction m", 2, message);
  put_program("here/libexec/pinpress/dead_direction", "installed");
  says("here/bin/pinpress", "dead-direction --json 'a b' ''", 7,
       "installed\n<--json>\n<a b>\n<>\n");
  put_program("here/bin/dead_direction", "beside");
  says("here/bin/pinpress", "dead-direction", 7, "beside\n");
  assert_int_equal(mkdir(in_scratch("links"), 0777), 0);
  snprintf(message, sizeof message, "%s/here/bin/pinpress", root);
  assert_int_equal(symlink(message, in_scratch("links/p")), 0);
  says("links/p", "dead-direction", 7, "beside\n");
  assert_int_equal(chmod(in_scratch("here/bin/dead_direction"), 0644), 0);
  snprintf(message, sizeof message,
           "%s/here/bin/dead_direction: cannot run: Permission denied\n", root);
  says("here/bin/pinpress", "dead-direction", 2, message);
  free(root);
}

static void test_names(void **state) {
  (void)state;
  char *help = run("here/bin/pinpress", "--help", 0);
  assert_non_null(strstr(help, "\n  dead-direction  read the dead direction"));
  free(help);
  says("here/bin/pinpress", "dead_direction", 2,
       "pinpress: unknown command 'dead_direction' (see pinpress --help)\n");
  says("here/bin/pinpress", "''", 2,
       "pinpress: a command is missing (see pinpress --help)\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests_name("command_program", tests, copy_command,
                                     scratch_remove);
}
