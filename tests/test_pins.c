/* Reading pin files: each way to be malformed, with its place and key. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "report/pins.h"

static void refuses_file(const char *text, const char *message) {
  struct pin_file file;
  struct error err = {{0}};
  if (pins_parse("p", text, strlen(text), &file, &err) == 0)
    fail_msg("taken: %s", text);
  assert_string_equal(err.text, message);
}

/* The pin stands alone on line 2, its object from column 8 on. */
static void refuses(const char *pin, const char *message) {
  struct buffer text = {0};
  buffer_printf(&text, "{\"study\": \"s\", \"pins\": {\n\"s.x\": %s\n}}", pin);
  refuses_file(text.bytes, message);
  buffer_free(&text);
}

static void test_missing_fields(void **state) {
  (void)state;
  refuses("{\"kind\": \"exact\", \"reason\": \"r\"}",
          "p:2:8: s.x: missing \"value\"");
  refuses("{\"value\": 1, \"reason\": \"r\"}", "p:2:8: s.x: missing \"kind\"");
  refuses("{\"value\": 1, \"kind\": \"exact\"}",
          "p:2:8: s.x: missing \"reason\"");
  refuses("{\"value\": 1, \"kind\": \"abs\", \"reason\": \"r\"}",
          "p:2:8: s.x: missing \"bound\"");
  refuses("{\"value\": 1, \"kind\": \"rel\", \"reason\": \"r\"}",
          "p:2:8: s.x: missing \"bound\"");
  refuses("{\"value\": 1, \"kind\": \"ulp\", \"reason\": \"r\"}",
          "p:2:8: s.x: missing \"bound\"");
  refuses("{\"value\": 1, \"kind\": \"digits\", \"reason\": \"r\"}",
          "p:2:8: s.x: missing \"format\"");
  refuses("{\"value\": 1, \"kind\": \"range\", \"low\": 0, \"reason\": \"r\"}",
          "p:2:8: s.x: missing \"high\"");
}

static void test_wrong_fields(void **state) {
  (void)state;
  refuses("1", "p:2:8: s.x: an object is needed here");
  refuses("{\"value\": null, \"kind\": \"exact\", \"reason\": \"r\"}",
          "p:2:18: s.x: a number, string or boolean can be pinned, not null");
  refuses("{\"value\": 1, \"kind\": \"about\", \"reason\": \"r\"}",
          "p:2:29: s.x: unknown kind \"about\" (exact, abs, rel, ulp, digits "
          "or range)");
  refuses("{\"value\": 1, \"kind\": \"exact\", \"reason\": \" \"}",
          "p:2:48: s.x: one line of text is needed as \"reason\"");
  refuses("{\"value\": 1, \"kind\": \"exact\", \"reason\": \"a\\nb\"}",
          "p:2:48: s.x: one line of text is needed as \"reason\"");
  refuses("{\"value\": 1, \"kind\": \"exact\", \"unit\": 3, \"reason\": "
          "\"r\"}",
          "p:2:46: s.x: one line of text is needed as \"unit\"");
  refuses("{\"value\": 1, \"kind\": \"exact\", \"draft\": 1, \"reason\": "
          "\"r\"}",
          "p:2:47: s.x: true or false is needed as \"draft\"");
  refuses("{\"value\": 1, \"kind\": \"exact\", \"resaon\": \"r\"}",
          "p:2:48: s.x: unknown member \"resaon\"");
  refuses("{\"value\": 1, \"kind\": \"exact\", \"bound\": 0, \"reason\": "
          "\"r\"}",
          "p:2:47: s.x: kind exact takes no \"bound\"");
  refuses("{\"value\": 1, \"kind\": \"exact\", \"taken\": \"a\", \"reason\": "
          "\"r\"}",
          "p:2:47: s.x: the file's \"taken\" has no record \"a\"");
}

static void test_wrong_bounds(void **state) {
  (void)state;
  refuses("{\"value\": 1, \"kind\": \"abs\", \"bound\": \"1\", \"reason\": "
          "\"r\"}",
          "p:2:45: s.x: a number is needed as \"bound\"");
  refuses("{\"value\": 1, \"kind\": \"abs\", \"bound\": 0, \"reason\": \"r\"}",
          "p:2:45: s.x: the abs bound 0 must be above 0 (use kind exact for "
          "0)");
  refuses("{\"value\": 1, \"kind\": \"rel\", \"bound\": -1, \"reason\": "
          "\"r\"}",
          "p:2:45: s.x: the rel bound -1 must be above 0 (use kind exact for "
          "0)");
  refuses("{\"value\": 1, \"kind\": \"rel\", \"bound\": 1, \"reason\": \"r\"}",
          "p:2:45: s.x: the rel bound 1 of 1 or more admits 0 and the other "
          "sign (use abs or range)");
  refuses("{\"value\": 1, \"kind\": \"ulp\", \"bound\": 1.5, \"reason\": "
          "\"r\"}",
          "p:2:45: s.x: the ulp bound 1.5 must be a whole number of doubles");
  refuses("{\"value\": 1, \"kind\": \"digits\", \"format\": \"%s\", "
          "\"reason\": \"r\"}",
          "p:2:49: s.x: the format \"%s\" is not one printf conversion of a "
          "number, such as %.4f");
  refuses("{\"value\": 1, \"kind\": \"range\", \"low\": 2, \"high\": 2, "
          "\"reason\": \"r\"}",
          "p:2:45: s.x: low 2 is not below high 2");
  refuses("{\"value\": 3, \"kind\": \"range\", \"low\": 1, \"high\": 2, "
          "\"reason\": \"r\"}",
          "p:2:18: s.x: the value 3 is outside its range 1 to 2");
  refuses("{\"value\": \"a\", \"kind\": \"rel\", \"bound\": 0.1, \"reason\": "
          "\"r\"}",
          "p:2:18: s.x: kind rel: only numbers may be off, use exact");
  refuses("{\"value\": 9007199254740993, \"kind\": \"ulp\", \"bound\": 1, "
          "\"reason\": \"r\"}",
          "p:2:18: s.x: kind ulp: an integer beyond 2^53 needs exact, abs, "
          "range or digits with %d");
}

static void test_wrong_json_names_the_pin(void **state) {
  (void)state;
  refuses("{\"value\": 1e999, \"kind\": \"exact\", \"reason\": \"r\"}",
          "p:2:18: number 1e999 is outside the range of a double (pin s.x)");
  refuses("{\"value\": NaN, \"kind\": \"exact\", \"reason\": \"r\"}",
          "p:2:18: not valid JSON from here on (pin s.x)");
  refuses("{\"value\": 1, \"value\": 2, \"kind\": \"exact\", \"reason\": "
          "\"r\"}",
          "p:2:30: duplicate key \"value\" (pin s.x)");
  refuses_file("{\"study\": \"s\", \"pins\": {\"s.x\": 1, \"s.x\": 1}}",
               "p:1:42: duplicate key \"s.x\"");
  refuses_file("", "p:1:1: empty, JSON expected");
  refuses_file("{\"study\": \"s\", \"pins\": {\"s.", "p:1:26: not valid JSON "
                                                     "from here on");
}

static void test_wrong_files(void **state) {
  (void)state;
  refuses_file("[]", "p:1:1: a pin file is an object");
  refuses_file("{\"pins\": {}}", "p:1:1: missing \"study\"");
  refuses_file("{\"study\": \"s\"}", "p:1:1: missing \"pins\"");
  refuses_file("{\"study\": \"a.b\", \"pins\": {}}",
               "p:1:11: a study's name has no dot");
  refuses_file("{\"study\": \"s\", \"pinz\": {}, \"pins\": {}}",
               "p:1:24: unknown member \"pinz\"");
  refuses_file("{\"study\": \"s\", \"taken\": {\"a\": {\"host\": 1}}, "
               "\"pins\": {}}",
               "p:1:40: unknown member \"host\"");
  refuses_file("{\"study\": \"s\", \"optional\": {}, \"pins\": {}}",
               "p:1:28: missing \"reason\"");
  refuses_file("{\"study\": \"s\", \"pins\": {\"t.x\": 1}}",
               "p:1:32: t.x: the key does not begin with \"s.\"");
  refuses_file("{\"study\": \"s\", \"pins\": {\"s.x..y\": 1}}",
               "p:1:35: s.x..y: an element of the key is empty");
  refuses_file("{\"study\": \"s\", \"pins\": {\"s.\\u0007\": 1}}",
               "p:1:37: s.?: control character in the key");
}

static void test_deep_key(void **state) {
  (void)state;
  struct pin_file file;
  struct error err = {{0}};
  struct buffer text = {0};
  buffer_text(&text, "{\"study\": \"s\", \"pins\": {\"s");
  for (int i = 0; i < 100000; i++)
    buffer_text(&text, ".a");
  buffer_text(&text, "\": {\"value\": 1, \"kind\": \"exact\", \"reason\": "
                     "\"r\"}}}");
  assert_int_equal(pins_parse("p", text.bytes, text.length, &file, &err), -1);
  assert_non_null(strstr(err.text, ": the key has too many elements"));
  buffer_free(&text);
}

static void test_wrong_platforms_and_history(void **state) {
  (void)state;
#define PIN "{\"value\": 1, \"kind\": \"exact\", \"reason\": \"r\",\n"
  refuses(PIN "\"platforms\": {}}",
          "p:3:14: s.x: an array is needed as \"platforms\"");
  refuses(PIN "\"platforms\": [{\"kind\": \"exact\", \"reason\": \"r\"}]}",
          "p:3:15: s.x: missing \"where\"");
  refuses(PIN "\"platforms\": [{\"where\": {}, \"kind\": \"exact\", "
              "\"reason\": \"r\"}]}",
          "p:3:25: s.x: an environment field is needed in \"where\"");
  refuses(PIN "\"platforms\": [{\"where\": {\"cpu\": \"a\"}, \"kind\": "
              "\"exact\"}]}",
          "p:3:15: s.x: missing \"reason\"");
  refuses(PIN "\"platforms\": [{\"where\": {\"cpu\": \"a\"}, \"reason\": "
              "\"r\"}]}",
          "p:3:15: s.x: missing \"kind\"");
  refuses(PIN "\"platforms\": [{\"where\": {\"cpu\": \"a\"}, \"value\": \"b\", "
              "\"kind\": \"exact\", \"reason\": \"r\"}]}",
          "p:3:48: s.x: the value's type differs from the pin's");
  refuses(PIN "\"history\": [{\"from\": 1, \"to\": 2}]}",
          "p:3:13: s.x: missing \"reason\"");
#undef PIN
}

static void test_whole_pin(void **state) {
  (void)state;
  const char *text =
      "{\"study\": \"s\", \"optional\": {\"reason\": \"no corpus\", "
      "\"tied_to\": \"w\"},\n"
      "\"taken\": {\"a\": {\"inputs\": {\"w\": \"00\"}}, \"b\": {}},\n"
      "\"pins\": {\"s.x\": {\"value\": 1.5, \"kind\": \"rel\", \"bound\": "
      "1e-9, \"unit\": \"nat\", \"draft\": true, \"taken\": \"b\", "
      "\"reason\": \"why\", \"platforms\": [{\"where\": {\"cpu\": \"z\"}, "
      "\"value\": 2, \"kind\": \"ulp\", \"bound\": 3, \"reason\": "
      "\"other\"}], \"history\": [{\"from\": 1, \"to\": 1.5, \"date\": "
      "\"2026-01-01\", \"reason\": \"moved\"}]}}}";
  struct pin_file file;
  struct error err = {{0}};
  assert_int_equal(pins_parse("d/s-m.json", text, strlen(text), &file, &err),
                   0);
  const struct pin *pin = file.pins;
  assert_string_equal(file.name, "s-m");
  assert_string_equal(file.optional, "no corpus");
  assert_string_equal(file.tied_to, "w");
  assert_int_equal(file.count, 1);
  assert_string_equal(pin->key, "s.x");
  assert_true(pin->value->number == 1.5);
  assert_int_equal(pin->allowance.kind, PIN_REL);
  assert_true(pin->allowance.bound == 1e-9);
  assert_string_equal(pin->unit, "nat");
  assert_true(pin->draft);
  assert_string_equal(pin->taken->key, "b");
  assert_string_equal(pin->overrides->reason, "other");
  assert_int_equal(pin->overrides->allowance.kind, PIN_ULP);
  assert_true(pin->overrides->value->integer == 2);
  pins_free(&file);
}

static void test_bound_text(void **state) {
  (void)state;
  const struct {
    double bound;
    const char *text;
  } cases[] = {{1e-9, "1e-9"},  {1e-13, "1e-13"},
               {0.5, "0.5"},    {2.5e-7, "2.5e-7"},
               {1e22, "1e+22"}, {4.9e-324, "4.94065645841247e-324"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[JSON_DOUBLE_TEXT];
    pins_bound_text(cases[i].bound, text);
    assert_string_equal(text, cases[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_missing_fields),
      cmocka_unit_test(test_wrong_fields),
      cmocka_unit_test(test_wrong_bounds),
      cmocka_unit_test(test_wrong_json_names_the_pin),
      cmocka_unit_test(test_wrong_files),
      cmocka_unit_test(test_deep_key),
      cmocka_unit_test(test_wrong_platforms_and_history),
      cmocka_unit_test(test_whole_pin),
      cmocka_unit_test(test_bound_text),
  };
  return cmocka_run_group_tests_name("pins", tests, NULL, NULL);
}
