/* pinpress init, its rules and patterns. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/pins_support.h"

#include "report/commands.h"
#include "report/pins_rules.h"

static void test_patterns(void **state) {
  (void)state;
  const struct {
    const char *pattern, *key;
    bool matches;
  } cases[] = {
      {"a.b", "a.b", true},
      {"a.b", "a.b.c", false},
      {"a.b.c", "a.b", false},
      {"a.*", "a.b", true},
      {"a.*", "a.b.c", true},
      {"a.*", "a", false},
      {"a.*.c", "a.b.c", true},
      {"a.*.c", "a.b.b.c", false},
      {"a.**.c", "a.b.b.c", true},
      {"a.**.c", "a.c", true},
      {"a.**.c", "a.c.d", false},
      {"**.c", "a.b.c", true},
      {"**.c", "a.b.d", false},
      {"**", "a", true},
      {"*", "a.b", true},
      {"a.**.c.**.e", "a.c.c.d.e", true},
      {"a.**.c.**.e", "a.b.d.e", false},
      {"a.b?", "a.b1", true},
      {"a.b?.x", "a.b.x", false},
      {"a.*_error", "a.max_error", true},
      {"a.*.*", "a.b", false},
      {"a.[bc].x", "a.c.x", true},
      {"**.c.d", "a.c.c.d", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (pattern_matches(cases[i].pattern, cases[i].key) != cases[i].matches)
      fail_msg("%s on %s", cases[i].pattern, cases[i].key);
}

/* A hostile pattern is no exponential work. */
static void test_pattern_cost(void **state) {
  (void)state;
  struct buffer pattern = {0}, key = {0};
  for (int i = 0; i < 200; i++)
    buffer_text(&pattern, "**.a.");
  buffer_text(&pattern, "b");
  for (int i = 0; i < 2000; i++)
    buffer_text(&key, "a.");
  buffer_text(&key, "c");
  assert_false(pattern_matches(pattern.bytes, key.bytes));
  buffer_free(&pattern);
  buffer_free(&key);
}

static void refuses_rule(const char *line, const char *message) {
  struct rules rules = {0};
  struct error err = {{0}};
  if (rules_add(line, (struct place){"rules", 7, 1}, &rules, &err) == 0)
    fail_msg("taken: %s", line);
  assert_string_equal(err.text, message);
  rules_free(&rules);
}

static void test_malformed_rules(void **state) {
  (void)state;
  refuses_rule("a.b | exact",
               "rules:7:1: a rule is: pattern | kind | bound | unit | reason");
  refuses_rule("a.b | exact | | |  ",
               "rules:7:1: a rule is: pattern | kind | bound | unit | reason");
  refuses_rule("a.b | exact | 1 | | r", "rules:7:1: kind exact takes no bound");
  refuses_rule("a.b | rel | | | r", "rules:7:1: kind rel needs a bound");
  refuses_rule("a.b | rel | 1e-9x | | r",
               "rules:7:1: the bound \"1e-9x\" is not a number");
  refuses_rule("a.b | rel | \"1\" | | r",
               "rules:7:1: the bound \"\"1\"\" is not a number");
  refuses_rule("a.b | rel | 0 | | r",
               "rules:7:1: the rel bound 0 must be above "
               "0 (use kind exact for 0)");
  refuses_rule("a.b | range | 1 | | r",
               "rules:7:1: the range \"1\" is not LOW..HIGH");
  refuses_rule("a.b | range | 2..1 | | r",
               "rules:7:1: the range \"2..1\": low is not below high");
  refuses_rule("a.b | digits | %x | | r",
               "rules:7:1: the format \"%x\" is not one printf conversion of a "
               "number, such as %.4f");
  refuses_rule("a.b | near | 1 | | r",
               "rules:7:1: unknown kind \"near\" (exact, abs, rel, ulp, digits "
               "or range)");
}

static struct output init(const char *options) {
  char arguments[1024];
  snprintf(arguments, sizeof arguments, "--pins @/pins %s", options);
  return run(command_init, "init", arguments);
}

static void inits(const char *options, const char *out) {
  struct output o = init(options);
  hide_scratch(&o.out);
  if (o.status != 0) fail_msg("%s", o.err.bytes);
  assert_string_equal(o.out.bytes, out);
  output_free(&o);
}

static void file_is(const char *name, const char *text) {
  char *found = get(name);
  assert_string_equal(found, text);
  free(found);
}

#define RESULTS                                                                \
  "{\"study\": \"s\", \"values\": {\"rank\": 126, \"loss\": 1.5, \"rows\": "   \
  "[{\"name\": \"a\", \"x\": 0.25}, {\"name\": \"b\", \"x\": 0.75}], "         \
  "\"big\": 9007199254740993}}"

static void test_rules_and_drafts(void **state) {
  (void)state;
  put("s.json", RESULTS);
  put("rules", "# what is counted\n"
               "s.rank | exact | | | counted | and sure\r\n"
               "\n"
               "s.rows.*.x | range | 0..1 | share | a share\n"
               "s.nowhere | exact | | | r\n"
               "s.rows.**|exact|||the name\n");
  inits("--rules @/rules @/s.json",
        "@/pins/s.json: 5 pins by rules, 2 drafts, 0 kept\n"
        "@/rules:5: the rule s.nowhere matches no result\n");
  file_is("pins/s.json",
          "{\n  \"study\": \"s\",\n  \"pins\": {\n"
          "    \"s.rank\": {\"value\": 126, \"kind\": \"exact\",\n"
          "      \"reason\": \"counted | and sure\"},\n"
          "    \"s.loss\": {\"value\": 1.5, \"kind\": \"rel\", \"bound\": "
          "1e-12, \"draft\": true,\n"
          "      \"reason\": \"draft: argue kind and bound\"},\n"
          "    \"s.rows.0.name\": {\"value\": \"a\", \"kind\": \"exact\",\n"
          "      \"reason\": \"the name\"},\n"
          "    \"s.rows.0.x\": {\"value\": 0.25, \"kind\": \"range\", "
          "\"low\": 0, \"high\": 1, \"unit\": \"share\",\n"
          "      \"reason\": \"a share\"},\n"
          "    \"s.rows.1.name\": {\"value\": \"b\", \"kind\": \"exact\",\n"
          "      \"reason\": \"the name\"},\n"
          "    \"s.rows.1.x\": {\"value\": 0.75, \"kind\": \"range\", "
          "\"low\": 0, \"high\": 1, \"unit\": \"share\",\n"
          "      \"reason\": \"a share\"},\n"
          "    \"s.big\": {\"value\": 9007199254740993, \"kind\": \"exact\", "
          "\"draft\": true,\n"
          "      \"reason\": \"draft: argue kind and bound\"}\n"
          "  }\n}\n");
}

/* Later rules argue drafts; what was argued keeps its bytes. */
static void test_second_run(void **state) {
  (void)state;
  put("s.json", "{\"study\": \"s\", \"values\": {\"a\": 1, \"b\": 2.5}}");
  put("pins/s.json", "{\"study\": \"s\", \"pins\": {\n"
                     "\"s.b\":   {\"value\":   2, \"kind\": \"exact\", "
                     "\"reason\": \"by hand\"}}}");
  inits("@/s.json", "@/pins/s.json: 0 pins by rules, 1 drafts, 1 kept\n");
  put("rules", "s.* | abs | 1e-3 | nat | argued\n");
  inits("--rules @/rules @/s.json",
        "@/pins/s.json: 1 pins by rules, 0 drafts, 1 kept\n");
  file_is("pins/s.json",
          "{\n  \"study\": \"s\",\n  \"pins\": {\n"
          "    \"s.a\": {\"value\": 1, \"kind\": \"abs\", \"bound\": 0.001, "
          "\"unit\": \"nat\",\n"
          "      \"reason\": \"argued\"},\n"
          "    \"s.b\": {\"value\":   2, \"kind\": \"exact\", \"reason\": "
          "\"by hand\"}\n  }\n}\n");
}

#define TAKEN_VALUES(values)                                                   \
  "{\"study\": \"s\", \"inputs\": {\"m\": \"00ff\"}, \"environment\": {"       \
  "\"blas_threads\": 2, \"cpu\": \"a\"}, \"values\": " values "}"

/* A number of the environment stays one. */
static void test_new_record(void **state) {
  (void)state;
  put("s.json", TAKEN_VALUES("{\"a\": 1}"));
  inits("@/s.json", "@/pins/s.json: 0 pins by rules, 1 drafts, 0 kept\n");
  char *text = get("pins/s.json");
  assert_non_null(strstr(text, "      \"inputs\": {\n"
                               "        \"m\": \"00ff\"\n"
                               "      },\n"
                               "      \"environment\": {\n"
                               "        \"blas_threads\": 2,\n"
                               "        \"cpu\": \"a\"\n"
                               "      }\n"));
  free(text);
}

/* A record by hand that says the same, as a number or as text, is the record
 * of added pins; one that says something else is not. */
static void test_known_record(void **state) {
  (void)state;
  const char *const threads[] = {"2", "\"2\"", "4"};
  put("s.json", TAKEN_VALUES("{\"a\": 1, \"b\": 2}"));
  for (size_t i = 0; i < 3; i++) {
    char pins[512];
    snprintf(pins, sizeof pins,
             "{\"study\": \"s\", \"taken\": {\"debian12\": {\"environment\": "
             "{\"cpu\": \"a\", \"blas_threads\": %s}, \"inputs\": {\"m\": "
             "\"00ff\"}}}, \"pins\": {\"s.a\": {\"value\": 1, \"kind\": "
             "\"exact\", \"reason\": \"r\"}}}",
             threads[i]);
    put("pins/s.json", pins);
    inits("@/s.json", "@/pins/s.json: 0 pins by rules, 1 drafts, 1 kept\n");
    char *text = get("pins/s.json");
    assert_non_null(strstr(text, "\"debian12\""));
    bool second = strstr(text, "\"taken\": \"") != NULL;
    if (second != (i == 2)) fail_msg("%s threads: %s", threads[i], text);
    free(text);
  }
}

static void test_optional(void **state) {
  (void)state;
  put("s.json", "{\"study\": \"s\", \"values\": {\"a\": 1}}");
  struct output o = run(command_init, "init",
                        "--pins @/pins --optional no_corpus --tied-to weights "
                        "@/s.json");
  assert_int_equal(o.status, 0);
  output_free(&o);
  char *text = get("pins/s.json");
  assert_non_null(strstr(text, "  \"optional\": {\"reason\": \"no corpus\", "
                               "\"tied_to\": \"weights\"},\n"));
  free(text);
}

static void refuses(const char *options, const char *message) {
  struct output o = init(options);
  hide_scratch(&o.err);
  assert_string_equal(o.err.bytes, message);
  assert_int_equal(o.status, 2);
  output_free(&o);
}

static void test_refusals(void **state) {
  (void)state;
  put("s.json", "{\"study\": \"s\", \"values\": {\"a\": \"word\", \"b\": "
                "null}}");
  put("rules", "\ns.a | rel | 1e-9 | | r\n");
  refuses("--rules @/rules @/s.json",
          "@/rules:2:1: s.a: kind rel: only numbers may be off, use exact\n");
  refuses("@/s.json", "@/s.json:1:45: s.b is null, nothing to pin\n");
  refuses("--tied-to x @/s.json",
          "pinpress init: --tied-to needs --optional\n");
  refuses("@/absent.json", "@/absent.json: cannot open: No such file or "
                           "directory\n");
  assert_false(file_exists(in_scratch("pins/s.json")));
  put("pins/s.json", "{\"study\": \"t\", \"pins\": {}}");
  refuses("@/s.json", "@/pins/s.json: pins of the study \"t\", not \"s\"\n");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, scratch_empty, NULL)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_patterns),
      cmocka_unit_test(test_pattern_cost),
      cmocka_unit_test(test_malformed_rules),
      CASE(test_rules_and_drafts),
      CASE(test_second_run),
      CASE(test_new_record),
      CASE(test_known_record),
      CASE(test_optional),
      CASE(test_refusals),
  };
  return cmocka_run_group_tests_name("init", tests, scratch_make,
                                     scratch_remove);
}
