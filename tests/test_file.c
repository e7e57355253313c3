/* Whole files in and out. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>

#include "report/base/file.h"
#include "tests/pins_support.h"

static void test_replacing(void **state) {
  (void)state;
  struct error err;
  const char *path = in_scratch("a/b");
  put("a/b", "old");
  assert_int_equal(file_write(path, "new\0er", 6, &err), 0);
  struct buffer out = {0};
  assert_int_equal(file_read(path, &out, &err), 0);
  assert_int_equal(out.length, 6);
  assert_memory_equal(out.bytes, "new\0er", 6);
  buffer_free(&out);
  assert_false(file_exists(in_scratch("a/b.part")));
}

static void test_refusals(void **state) {
  (void)state;
  struct error err;
  struct buffer out = {0};
  assert_int_equal(file_read("/dev/zero", &out, &err), -1);
  assert_string_equal(err.text, "/dev/zero: is a device, a file is needed");
  assert_int_equal(file_read("/", &out, &err), -1);
  assert_string_equal(err.text, "/: is a directory, a file is needed");
  assert_int_equal(file_read("no/such", &out, &err), -1);
  assert_string_equal(err.text,
                      "no/such: cannot open: No such file or directory");
  assert_int_equal(file_write("no/such", "x", 1, &err), -1);
  assert_string_equal(err.text,
                      "no/such: cannot create: No such file or directory");
  assert_int_equal(file_write("", "x", 1, &err), -1);
  assert_string_equal(err.text, "\"\": no file has an empty path");
  assert_null(out.bytes);
}

static void test_regular_files_alone(void **state) {
  (void)state;
  struct error err;
  size_t length;
  put("plain", "abc");
  int fd = file_open_regular(in_scratch("plain"), &length, &err);
  assert_true(fd >= 0);
  assert_int_equal(length, 3);
  close(fd);
  assert_int_equal(mkfifo(in_scratch("pipe"), 0600), 0);
  assert_int_equal(file_open_regular(in_scratch("pipe"), &length, &err), -1);
  assert_non_null(strstr(err.text, "/pipe: is not a regular file"));
  assert_int_equal(file_open_regular("/dev/zero", &length, &err), -1);
  assert_string_equal(err.text, "/dev/zero: is not a regular file");
  assert_int_equal(file_open_regular("no/such", &length, &err), -1);
  assert_string_equal(err.text,
                      "no/such: cannot open: No such file or directory");
}

/* /dev/full takes an open and fails each write. The link is what is opened. */
static void test_a_full_disk(void **state) {
  (void)state;
  struct error err;
  put("kept", "old");
  if (symlink("/dev/full", in_scratch("kept.part")) != 0) fail();
  assert_int_equal(file_write(in_scratch("kept"), "new", 3, &err), -1);
  assert_non_null(strstr(err.text, "kept: cannot write: No space left"));
  char *text = get("kept");
  assert_string_equal(text, "old");
  free(text);
  assert_false(file_exists(in_scratch("kept.part")));
}

/* A rename would put a file in the place of a device. Only links to devices are
 * named here, so that a failure costs no more than the link. */
static void test_streams(void **state) {
  (void)state;
  struct error err;
  struct stat status;
  char text[8] = "";
  if (symlink("/dev/full", in_scratch("full")) != 0) fail();
  assert_int_equal(file_write(in_scratch("full"), "new", 3, &err), -1);
  assert_non_null(strstr(err.text, "full: cannot write: No space left"));
  assert_int_equal(lstat(in_scratch("full"), &status), 0);
  assert_true(S_ISLNK(status.st_mode));
  assert_int_equal(mkfifo(in_scratch("queue"), 0600), 0);
  int fd = open(in_scratch("queue"), O_RDWR);
  assert_true(fd >= 0);
  assert_int_equal(file_write(in_scratch("queue"), "new", 3, &err), 0);
  assert_int_equal(stat(in_scratch("queue"), &status), 0);
  assert_true(S_ISFIFO(status.st_mode));
  assert_int_equal(read(fd, text, sizeof text), 3);
  assert_string_equal(text, "new");
  close(fd);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_replacing),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_regular_files_alone),
      cmocka_unit_test(test_a_full_disk),
      cmocka_unit_test(test_streams),
  };
  return cmocka_run_group_tests_name("file", tests, scratch_make,
                                     scratch_remove);
}
