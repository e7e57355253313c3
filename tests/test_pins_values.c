/* The tree that pages print from: nesting, arrays, places, environment. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/pins.h"
#include "tests/scratch.h"

static int remove_directory(void **state) {
  (void)state;
  unlink(in_scratch("a.json"));
  unlink(in_scratch("b.json"));
  return rmdir(scratch);
}

static void test_tree(void **state) {
  (void)state;
  put("a.json",
      "{\"study\": \"s\", \"taken\": {\"r\": {\"environment\": "
      "{\"cpu\": \"one\", \"blas\": {\"core\": \"x\"}}}}, \"pins\": {\n"
      "\"s.rows.1.x\": {\"value\": 2, \"kind\": \"exact\", "
      "\"reason\": \"r\"},\n"
      "\"s.rows.0.x\": {\"value\": 1.5, \"kind\": \"rel\", \"bound\": "
      "1e-9, \"draft\": true, \"reason\": \"r\"},\n"
      "\"s.list.10\": {\"value\": 10, \"kind\": \"exact\", "
      "\"reason\": \"r\"},\n"
      "\"s.list.9\": {\"value\": 9, \"kind\": \"exact\", "
      "\"reason\": \"r\"}\n}}");
  put("b.json", "{\"study\": \"s\", \"taken\": {\"r\": {\"environment\": "
                "{\"cpu\": \"two\"}}}, \"pins\": {\n"
                "\"s.name\": {\"value\": \"n\", \"kind\": \"exact\", "
                "\"reason\": \"r\"}}}");
  struct json_document d;
  struct error err;
  assert_int_equal(pins_values(scratch, &d, &err), 0);
  const struct json *rows = json_at(d.root, "s.rows");
  assert_int_equal(rows->type, JSON_ARRAY);
  assert_int_equal(rows->count, 2);
  assert_string_equal(json_at(d.root, "s.rows.0.x")->text, "1.5");
  assert_int_equal(json_at(d.root, "s.rows.0.x")->place.line, 3);
  assert_true(json_at(d.root, "s.rows.1.x")->integer == 2);
  const struct json *list = json_at(d.root, "s.list");
  assert_int_equal(list->type, JSON_OBJECT); /* 0 to 8 are missing */
  assert_string_equal(list->child->key, "9");
  assert_string_equal(json_at(d.root, "s.name")->text, "n");
  assert_true(json_at(d.root, "pins.count")->integer == 5);
  assert_true(json_at(d.root, "pins.drafts")->integer == 1);
  assert_string_equal(json_at(d.root, "environment.cpu")->text, "one; two");
  assert_string_equal(json_at(d.root, "environment.blas_core")->text, "x");
  json_free(&d);
}

static void refuses(const char *b, const char *message) {
  struct json_document d;
  struct error err;
  char expected[1024];
  put("a.json", "{\"study\": \"s\", \"pins\": {\n\"s.x\": {\"value\": "
                "1, \"kind\": \"exact\", \"reason\": \"r\"}}}");
  put("b.json", b);
  snprintf(expected, sizeof expected, message, scratch, scratch);
  assert_int_equal(pins_values(scratch, &d, &err), -1);
  assert_string_equal(err.text, expected);
}

static void test_conflicts(void **state) {
  (void)state;
  refuses("{\"study\": \"s\", \"pins\": {\n\"s.x.y\": {\"value\": 1, "
          "\"kind\": \"exact\", \"reason\": \"r\"}}}",
          "%s/b.json:2:10: s.x.y: one key is a part of another, %s/a.json:2");
  refuses("{\"study\": \"s\", \"pins\": {\n\"s.x\": {\"value\": 1, "
          "\"kind\": \"exact\", \"reason\": \"r\"}}}",
          "%s/b.json:2:8: s.x: duplicate key, it also stands in %s/a.json:2");
  refuses("{\"study\": \"pins\", \"pins\": {}}",
          "%s/b.json:1:11: the study's name \"pins\" is taken by what pages "
          "print about the pins themselves");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tree),
      cmocka_unit_test(test_conflicts),
  };
  return cmocka_run_group_tests_name("pins_values", tests, scratch_make,
                                     remove_directory);
}
