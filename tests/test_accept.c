/* pinpress accept: what moves, what is recorded, what keeps its bytes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/pins_support.h"

#include "report/commands.h"

#define PATHS "--results @/results --pins @/pins --measured @/measured "

static struct output accept(const char *options) {
  char arguments[1024];
  snprintf(arguments, sizeof arguments, PATHS "%s", options);
  return run(command_accept, "accept", arguments);
}

static void accepts(const char *options, const char *out) {
  struct output o = accept(options);
  hide_scratch(&o.out);
  if (o.status != 0) fail_msg("%s", o.err.bytes);
  assert_string_equal(o.out.bytes, out);
  output_free(&o);
}

static void refuses(const char *options, const char *message) {
  char *before = get("pins/s.json");
  struct output o = accept(options);
  hide_scratch(&o.err);
  assert_string_equal(o.err.bytes, message);
  assert_int_equal(o.status, 2);
  char *after = get("pins/s.json");
  assert_string_equal(before, after);
  free(before);
  free(after);
  output_free(&o);
}

static void file_is(const char *name, const char *text) {
  char *found = get(name);
  assert_string_equal(found, text);
  free(found);
}

/* Pins by hand, each in a layout of its own. */
#define HEAD                                                                   \
  "{\n"                                                                        \
  "  \"study\": \"s\",\n"                                                      \
  "  \"taken\": {\n"                                                           \
  "    \"old\": {\"environment\": {\"cpu\": \"a\"}}"
#define RANK                                                                   \
  "    \"s.rank\": {\"value\":126,\"kind\":\"exact\",\n"                       \
  "  \"reason\"  : \"say \\\"}\\\" \\\\\"}"
#define LOSS                                                                   \
  "    \"s.loss\": {\"value\": 1.50, \"kind\": \"abs\", \"bound\": 1e-06, "    \
  "\"unit\": \"nat\", \"reason\": \"128 terms\"}"
#define TAIL "\n  }\n}\n"
/* The record of the results below. */
#define NEW_RECORD                                                             \
  ",\n    \"" RECORD "\": {\n"                                                 \
  "      \"inputs\": {},\n"                                                    \
  "      \"environment\": {\n"                                                 \
  "        \"cpu\": \"b\"\n"                                                   \
  "      }\n"                                                                  \
  "    }"
#define RECORD "4d0a7dc7"

static void put_study(const char *rank, const char *loss) {
  char text[512];
  put("pins/s.json", HEAD "\n  },\n  \"pins\": {\n" RANK ",\n" LOSS TAIL);
  snprintf(text, sizeof text,
           "{\"study\": \"s\", \"environment\": {\"cpu\": \"b\"}, \"values\": "
           "{\"rank\": %s, \"loss\": %s}}",
           rank, loss);
  put("results/s.json", text);
}

static void test_one_pin_moves(void **state) {
  (void)state;
  put_study("126", "1.25");
  accepts("s.loss --reason=new_data", "s.loss\n"
                                      "  before  1.50 nat   abs 1e-6\n"
                                      "  after   1.25 nat   abs 1e-6\n"
                                      "written: @/pins/s.json\n");
  file_is("pins/s.json", HEAD NEW_RECORD
          "\n  },\n  \"pins\": {\n" RANK ",\n"
          "    \"s.loss\": {\"value\": 1.25, \"kind\": \"abs\", \"bound\": "
          "1e-6, \"unit\": \"nat\", \"taken\": \"" RECORD "\",\n"
          "      \"reason\": \"128 terms\",\n"
          "      \"history\": [\n"
          "        {\"from\": 1.50, \"to\": 1.25, \"reason\": \"new "
          "data\"}]}" TAIL);
  refuses("s.loss --reason=again",
          "s.loss: nothing changes, the pin is 1.25 already\n");
}

static void test_history_grows(void **state) {
  (void)state;
  put_study("126", "1.25");
  setenv("SOURCE_DATE_EPOCH", "86400", 1);
  struct output o = accept("s.loss --reason=one");
  assert_int_equal(o.status, 0);
  output_free(&o);
  unsetenv("SOURCE_DATE_EPOCH");
  put("results/s.json", "{\"study\": \"s\", \"environment\": {\"cpu\": \"b\"}, "
                        "\"values\": {\"rank\": 126, \"loss\": 1.125}}");
  o = accept("s.loss --reason=two --kind=rel --bound=1e-9 --date=2026-02-03");
  assert_int_equal(o.status, 0);
  output_free(&o);
  file_is("pins/s.json", HEAD NEW_RECORD
          "\n  },\n  \"pins\": {\n" RANK ",\n"
          "    \"s.loss\": {\"value\": 1.125, \"kind\": \"rel\", \"bound\": "
          "1e-9, \"unit\": \"nat\", \"taken\": \"" RECORD "\",\n"
          "      \"reason\": \"two\",\n"
          "      \"history\": [\n"
          "        {\"from\": 1.50, \"to\": 1.25, \"date\": \"1970-01-02\", "
          "\"reason\": \"one\"},\n"
          "        {\"from\": 1.25, \"to\": 1.125, \"from_bound\": \"abs "
          "1e-6\", \"to_bound\": \"rel 1e-9\", \"date\": \"2026-02-03\", "
          "\"reason\": \"two\"}]}" TAIL);
}

static void test_pattern_moves_what_drifted(void **state) {
  (void)state;
  put_study("127", "1.5000001");
  accepts("s.* --reason=r", "s.rank\n"
                            "  before  126   exact\n"
                            "  after   127   exact\n"
                            "written: @/pins/s.json\n");
  char *text = get("pins/s.json");
  assert_non_null(strstr(text, LOSS)); /* it holds: not touched */
  free(text);
  accepts("s.* --all --reason=r", "s.loss\n"
                                  "  before  1.50 nat   abs 1e-6\n"
                                  "  after   1.5000001 nat   abs 1e-6\n"
                                  "written: @/pins/s.json\n");
  refuses("s.* --all --reason=r",
          "s.*: nothing changes (2 match, 0 of them cannot be accepted so)\n");
}

static void test_dry_run(void **state) {
  (void)state;
  put_study("127", "1.5");
  char *before = get("pins/s.json");
  accepts("s.rank -n --reason=r", "s.rank\n"
                                  "  before  126   exact\n"
                                  "  after   127   exact\n");
  file_is("pins/s.json", before);
  free(before);
}

static void test_removal(void **state) {
  (void)state;
  put_study("126", "1.5");
  refuses("s.rank --remove -r r", "s.rank: it has a result: not removed\n");
  put("results/s.json", "{\"study\": \"s\", \"values\": {\"rank\": 126}}");
  refuses("s.loss -r r",
          "s.loss: it has no result (--remove takes the pin away)\n");
  accepts("s.loss --remove -r r", "s.loss\n"
                                  "  before  1.50 nat   abs 1e-6\n"
                                  "  after   no pin\n"
                                  "written: @/pins/s.json\n");
#define REMOVED(key, value, reason)                                            \
  "    {\"key\": \"" key "\", \"value\": " value ", \"reason\": \"" reason "\"}"
  file_is("pins/s.json", HEAD
          "\n  },\n  \"pins\": {\n" RANK "\n  },\n"
          "  \"removed\": [\n" REMOVED("s.loss", "1.50", "r") "\n  ]\n}\n");
  put("results/s.json", "{\"study\": \"s\", \"values\": {}}");
  accepts("s.* --remove -r gone_too", "s.rank\n"
                                      "  before  126   exact\n"
                                      "  after   no pin\n"
                                      "written: @/pins/s.json\n");
  file_is("pins/s.json",
          "{\n  \"study\": \"s\",\n  \"pins\": {},\n  \"removed\": [\n" REMOVED(
              "s.loss", "1.50", "r") ",\n" REMOVED("s.rank", "126",
                                                   "gone too") "\n  ]\n}\n");
}

static void answer(const char *text, const char *options, const char *out) {
  FILE *saved = stdin;
  stdin = fmemopen((void *)text, strlen(text), "r");
  accepts(options, out);
  fclose(stdin);
  stdin = saved;
}

static void test_review(void **state) {
  (void)state;
  put_study("127", "1.25");
  answer("\nnew data\n", "--review **",
         "s.rank\n  before  126   exact\n  after   127   exact\n  reason? "
         "s.loss\n  before  1.50 nat   abs 1e-6\n  after   1.25 nat   abs "
         "1e-6\n  reason? written: @/pins/s.json\n");
  char *text = get("pins/s.json");
  assert_non_null(strstr(text, RANK));
  assert_non_null(strstr(text, "{\"from\": 1.50, \"to\": 1.25, \"reason\": "
                               "\"new data\"}"));
  free(text);
  put_study("127", "1.25");
  answer("a\tb\na count\nq\n", "--review **",
         "s.rank\n  before  126   exact\n  after   127   exact\n  reason?   "
         "the reason is not one line of text\n  reason? "
         "s.loss\n  before  1.50 nat   abs 1e-6\n  after   1.25 nat   abs "
         "1e-6\n  reason? written: @/pins/s.json\n");
  refuses("--review s.* -r r",
          "pinpress accept: --review asks for the reasons itself\n");
}

static void test_new_pins_come_in_order(void **state) {
  (void)state;
  put_study("126", "1.5");
  put("results/s.json",
      "{\"study\": \"s\", \"environment\": {\"cpu\": \"b\"}, \"values\": "
      "{\"first\": 1, \"rank\": 126, \"b\": 2, \"a\": 3, \"loss\": 1.5}}");
  refuses("s.first -r r", "s.first: it has no pin yet: --kind, --bound and "
                          "--reason give it one\n");
  refuses("s.first -r r --kind rel", "kind rel needs a bound\n");
  refuses("s.first -r r --kind range --bound 2..3",
          "s.first: the value 1 is outside its range 2 to 3\n");
  struct output o = accept("s.* --kind exact --unit - -r counts");
  output_free(&o);
  put_study("126", "1.5");
  put("results/s.json",
      "{\"study\": \"s\", \"environment\": {\"cpu\": \"b\"}, \"values\": "
      "{\"first\": 1, \"rank\": 126, \"b\": 2, \"a\": 3, \"loss\": 1.5}}");
  o = accept("s.first s.a s.b --kind exact -r counts");
  assert_int_equal(o.status, 0);
  output_free(&o);
#define ADDED(name, value)                                                     \
  "    \"s." name "\": {\"value\": " value ", \"kind\": \"exact\", "           \
  "\"taken\": \"" RECORD "\",\n      \"reason\": \"counts\"}"
  file_is("pins/s.json", HEAD NEW_RECORD
          "\n  },\n  \"pins\": {\n" ADDED("first", "1") ",\n" RANK ",\n" ADDED(
              "b", "2") ",\n" ADDED("a", "3") ",\n" LOSS TAIL);
}

static void test_draft_is_argued(void **state) {
  (void)state;
  put("pins/s.json",
      "{\"study\": \"s\", \"pins\": {\"s.x\": {\"value\": 1, \"kind\": "
      "\"exact\", \"draft\": true, \"reason\": \"draft\"}}}");
  put("results/s.json", "{\"study\": \"s\", \"values\": {\"x\": 1}}");
  accepts("s.x -r a_count", "s.x\n"
                            "  draft   1   exact\n"
                            "  after   1   exact\n"
                            "written: @/pins/s.json\n");
  file_is("pins/s.json", "{\n  \"study\": \"s\",\n  \"pins\": {\n"
                         "    \"s.x\": {\"value\": 1, \"kind\": \"exact\",\n"
                         "      \"reason\": \"a count\"}\n  }\n}\n");
}

/* Pins without a record must not come to mean the first one that is added. */
static void test_unknown_origin_stays_unknown(void **state) {
  (void)state;
  put("pins/s.json",
      "{\"study\": \"s\", \"pins\": {\"s.x\": {\"value\": 1, \"kind\": "
      "\"exact\", \"reason\": \"r\"}, \"s.y\": {\"value\": 1, \"kind\": "
      "\"exact\", \"reason\": \"r\"}}}");
  put("results/s.json", "{\"study\": \"s\", \"environment\": {\"cpu\": \"b\"}, "
                        "\"values\": {\"x\": 2, \"y\": 1}}");
  struct output o = accept("s.x -r r");
  assert_int_equal(o.status, 0);
  output_free(&o);
  char *text = get("pins/s.json");
  const char *empty =
      strstr(text, "\"inputs\": {},\n      \"environment\": {}");
  assert_non_null(empty);
  assert_non_null(strstr(empty, "\"" RECORD "\": {"));
  assert_non_null(strstr(text, "\"value\": 2, \"kind\": \"exact\", \"taken\": "
                               "\"" RECORD "\""));
  free(text);
}

/* All pins moved: the record they had is gone. */
static void test_unused_records_go(void **state) {
  (void)state;
  put_study("127", "1.25");
  struct output o = accept("s.* -r r");
  assert_int_equal(o.status, 0);
  output_free(&o);
  char *text = get("pins/s.json");
  assert_null(strstr(text, "\"old\""));
  assert_non_null(strstr(text, "\"" RECORD "\": {"));
  free(text);
}

static void test_usage(void **state) {
  (void)state;
  put_study("127", "1.25");
  refuses("s.rank", "pinpress accept: --reason is needed: why has the value "
                    "moved?\n");
  refuses("-r r", "pinpress accept: an operand is missing (see pinpress accept "
                  "--help)\n");
  refuses("s.rank -r r --bound 1", "pinpress accept: --bound needs --kind\n");
  refuses("s.rank -r r --date 3.2.2026",
          "--date: \"3.2.2026\" is not YYYY-MM-DD\n");
  refuses("s.rank -r r --kind near --bound 1",
          "unknown kind \"near\" (exact, abs, rel, ulp, digits or range)\n");
  refuses("s.nowhere -r r", "s.nowhere: no pin and no result has this key\n");
  refuses("t.* -r r", "t.*: no pin and no result matches\n");
  refuses("s.rank s.rank -r r", "s.rank: named twice\n");
  refuses("s.rank --remove --kind exact -r r",
          "pinpress accept: --remove goes with none of --kind, --bound, --unit "
          "and --all\n");
  setenv("SOURCE_DATE_EPOCH", "soon", 1);
  refuses("s.rank -r r",
          "SOURCE_DATE_EPOCH: \"soon\" is not a number of seconds\n");
  unsetenv("SOURCE_DATE_EPOCH");
}

static void test_what_cannot_be_accepted(void **state) {
  (void)state;
  put_study("null", "1.5");
  refuses("s.rank -r r", "s.rank: the result is null\n");
  put("pins/s.json",
      "{\"study\": \"s\", \"pins\": {\"s.x\": {\"value\": 1, \"kind\": "
      "\"exact\", \"reason\": \"r\", \"platforms\": [{\"where\": {\"cpu\": "
      "\"b\"}, \"value\": 3, \"kind\": \"exact\", \"reason\": \"r\"}]}}}");
  put("results/s.json", "{\"study\": \"s\", \"environment\": {\"cpu\": \"b\"}, "
                        "\"values\": {\"x\": 2}}");
  refuses("s.x -r r", "s.x: a platform override counts here: accept it where "
                      "the pin was taken\n");
  put_study("\"many\"", "1.5");
  struct output o = accept("s.rank -r now_a_word");
  assert_int_equal(o.status, 0); /* another type suits exact */
  output_free(&o);
  put_study("126", "\"many\"");
  refuses("s.loss -r r", "s.loss: kind abs: only numbers may be off, use "
                         "exact\n");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, scratch_empty, NULL)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(test_one_pin_moves),
      CASE(test_history_grows),
      CASE(test_pattern_moves_what_drifted),
      CASE(test_dry_run),
      CASE(test_removal),
      CASE(test_review),
      CASE(test_new_pins_come_in_order),
      CASE(test_draft_is_argued),
      CASE(test_unknown_origin_stays_unknown),
      CASE(test_unused_records_go),
      CASE(test_usage),
      CASE(test_what_cannot_be_accepted),
  };
  return cmocka_run_group_tests_name("accept", tests, scratch_make,
                                     scratch_remove);
}
