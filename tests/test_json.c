/* JSON: exact numbers both ways, strict reading with places. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/json.h"

static void refuses(const char *text, const char *message) {
  struct json_document document;
  struct error err = {{0}};
  assert_int_equal(json_parse("f.json", text, strlen(text), &document, &err),
                   -1);
  assert_string_equal(err.text, message);
}

static void test_strict_reading(void **state) {
  (void)state;
  refuses("", "f.json:1:1: empty, JSON expected");
  refuses("{\"a\": 1,\n \"a\": 2}", "f.json:2:7: duplicate key \"a\"");
  refuses("[1e999]",
          "f.json:1:2: number 1e999 is outside the range of a double");
  refuses("[1e-999]", "f.json:1:2: number 1e-999 underflows to 0");
  refuses("[01]", "f.json:1:2: malformed number");
  refuses("[1.]", "f.json:1:2: malformed number");
  refuses("9223372036854775809",
          "f.json:1:1: integer 9223372036854775809 is beyond 2^63; write it as "
          "a string");
  refuses("[\"a\nb\"]", "f.json:1:4: unescaped control character U+000A");
  refuses("[\"\xff\"]", "f.json:1:3: invalid UTF-8");
  refuses("[\"a\\u0000\"]", "f.json:1:4: \\u0000 in a string");
  refuses("{} x", "f.json:1:4: something follows the JSON value");
  refuses("{\n  \"a\": nan\n}", "f.json:2:8: not valid JSON from here on");
}

static void test_values_and_places(void **state) {
  (void)state;
  const char *text = "{\"a\": [1, {\"b\": \"x\\u00e9\"}],\n \"n\": null, "
                     "\"big\": 9223372036854775807, \"zero\": -0}";
  struct json_document d;
  struct error err;
  assert_int_equal(json_parse("f", text, strlen(text), &d, &err), 0);
  assert_string_equal(json_at(d.root, "a.1.b")->text, "x\xc3\xa9");
  assert_true(json_at(d.root, "big")->integer == INT64_MAX);
  assert_int_equal(json_at(d.root, "n")->place.line, 2);
  assert_int_equal(json_at(d.root, "n")->place.column, 7);
  assert_false(json_at(d.root, "zero")->is_integer);
  assert_true(signbit(json_at(d.root, "zero")->number));
  assert_null(json_at(d.root, "a.2"));
  assert_null(json_at(d.root, "a.1.b.c"));
  json_free(&d);
}

static void test_scalar_texts(void **state) {
  (void)state;
  const char *const texts[] = {"null", "true", "false", "1.50", "a\"b"};
  const char *text = "[null, true, false, 1.50, \"a\\\"b\"]";
  struct json_document d;
  struct error err;
  assert_int_equal(json_parse("f", text, strlen(text), &d, &err), 0);
  size_t i = 0;
  for (const struct json *e = d.root->child; e != NULL; e = e->next)
    assert_string_equal(json_scalar_text(e), texts[i++]);
  assert_int_equal(i, 5);
  json_free(&d);
}

static void test_doubles_round_trip(void **state) {
  (void)state;
  const double values[] = {0.1,     1.0 / 3,  -0.0, DBL_MAX,
                           DBL_MIN, 4.9e-324, 1e22, 123456789012345678.0,
                           0.3};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    char text[JSON_DOUBLE_TEXT];
    json_double_text(values[i], text);
    double back = strtod(text, NULL);
    assert_memory_equal(&back, &values[i], sizeof back);
  }
  char text[JSON_DOUBLE_TEXT];
  json_double_text(0.3, text);
  assert_string_equal(text, "0.3");
  assert_null(json_new_double(NAN));
  assert_null(json_new_double(-INFINITY));
}

static void test_printing(void **state) {
  (void)state;
  cJSON *tree = cJSON_CreateObject();
  cJSON_AddItemToObject(tree, "x", json_new_double(0.1));
  cJSON *array = cJSON_AddArrayToObject(tree, "a");
  cJSON_AddItemToArray(array, json_new_integer(INT64_MIN));
  cJSON_AddItemToArray(array, cJSON_CreateString("q\"\n"));
  struct buffer out = {0};
  json_print(tree, &out);
  assert_string_equal(out.bytes, "{\n  \"x\": 0.1,\n  \"a\": "
                                 "[-9223372036854775808, \"q\\\"\\n\"]\n}\n");
  buffer_free(&out);
  cJSON_Delete(tree);
}

/* Controls are escaped, also those that UTF-8 writes in two bytes. */
static void test_printed_strings(void **state) {
  struct buffer out = {0};
  (void)state;
  json_print_string("\x1B\x7F\xC2\x80\xC2\x9F\xC2\xA0\xC3\x9B\"\\\n", &out);
  assert_string_equal(out.bytes, "\"\\u001b\\u007f\\u0080\\u009f\xC2\xA0\xC3"
                                 "\x9B\\\"\\\\\\n\"");
  buffer_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_strict_reading),
      cmocka_unit_test(test_values_and_places),
      cmocka_unit_test(test_scalar_texts),
      cmocka_unit_test(test_doubles_round_trip),
      cmocka_unit_test(test_printing),
      cmocka_unit_test(test_printed_strings),
  };
  return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
