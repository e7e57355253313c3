/* must() goes on after a success and ends a program after a failure. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/must.h"

static void test_success(void **state) {
  (void)state;
  must(0, NULL);
}

static void test_failure(void **state) {
  (void)state;
  int ends[2], status;
  char message[64] = {0};
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    struct error err;
    dup2(ends[1], 2);
    must(error_set(&err, "file: %s", "no such model"), &err);
    _exit(0);
  }
  close(ends[1]);
  assert_true(read(ends[0], message, sizeof message - 1) > 0);
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 2);
  assert_string_equal(message, "file: no such model\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_success),
                                     cmocka_unit_test(test_failure)};
  return cmocka_run_group_tests_name("must", tests, NULL, NULL);
}
