/* JSON of others: what is too much is refused before it is parsed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/json_bounded.h"
#include "tests/scratch.h"

static const struct json_bounds most = {40, 6, false};

static void parses(const char *text, bool expected, const char *message) {
  struct json_document document;
  struct error err = {{0}};
  int result =
      json_bounded_parse("f", text, strlen(text), most, &document, &err);
  assert_int_equal(result, expected ? 0 : -1);
  assert_string_equal(err.text, message);
  if (expected)
    json_free(&document);
  else
    assert_null(document.root);
}

/* Only what stands outside of strings makes values. */
static void test_values(void **state) {
  (void)state;
  parses("[1,2,3,4,5]", true, "");
  parses("[1,2,3,4,5,6]", false,
         "f: JSON of some 7 values; at most 6 are read");
  parses("{\"a\":[{}],\"b\":[1]}", true, "");
  parses("[[],{},[],{},[],{}]", false,
         "f: JSON of some 13 values; at most 6 are read");
  parses("[\",,,[[[{{{\\\",,,,,,\\\\\",\"\\\\\",3,4]", true, "");
  parses("[1,2,3,4,\"", false, "f:1:10: not valid JSON from here on");
}

static void test_bytes(void **state) {
  (void)state;
  parses("[1,                                  2 ]", true, "");
  parses("[1,                                  2  ]", false,
         "f: 41 bytes of JSON; at most 40 are read");
}

/* Places stay; in strings and in other words nothing is replaced. */
static void test_python(void **state) {
  (void)state;
  const struct json_bounds python = {99, 20, true};
  const char *text = "[0.0, Infinity, -Infinity, NaN, \"\\\"NaN\"]";
  struct json_document document;
  struct error err;
  if (json_bounded_parse("f", text, strlen(text), python, &document, &err) != 0)
    fail_msg("%s", err.text);
  const struct json *v = document.root->child;
  assert_int_equal(v->type, JSON_NUMBER);
  for (int i = 0; i < 3; i++) {
    v = v->next;
    assert_int_equal(v->type, JSON_NULL);
  }
  assert_int_equal(v->place.column, 28);
  assert_string_equal(v->next->text, "\"NaN");
  json_free(&document);
  static const char *const bad[] = {"[nan]", "[NaNa]", "[+Infinity]", "NaN 1"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(json_bounded_parse("f", bad[i], strlen(bad[i]), python,
                                        &document, &err),
                     -1);
  parses("[NaN]", false, "f:1:2: not valid JSON from here on");
}

static void test_reading(void **state) {
  (void)state;
  struct json_document document;
  struct error err = {{0}};
  put("a.json", "{\"a\": 1}");
  if (json_bounded_read(in_scratch("a.json"), most, &document, &err) != 0)
    fail_msg("%s", err.text);
  assert_int_equal(json_member(document.root, "a")->integer, 1);
  assert_string_equal(document.root->place.file, in_scratch("a.json"));
  json_free(&document);

  assert_int_equal(truncate(in_scratch("a.json"), 1ll << 40), 0);
  assert_int_equal(
      json_bounded_read(in_scratch("a.json"), most, &document, &err), -1);
  assert_non_null(
      strstr(err.text, "a.json: 1099511627776 bytes of JSON; at most 40 are"));
  assert_int_equal(mkfifo(in_scratch("pipe"), 0600), 0);
  assert_int_equal(json_bounded_read(in_scratch("pipe"), most, &document, &err),
                   -1);
  assert_non_null(strstr(err.text, "pipe: is not a regular file"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_python),
      cmocka_unit_test(test_reading),
  };
  return cmocka_run_group_tests_name("bounded JSON", tests, scratch_make,
                                     scratch_remove);
}
