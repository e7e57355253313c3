/* pinpress check: golden reports, the stamp, bad input of every kind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/pins_support.h"

#include "report/base/json.h"
#include "report/commands.h"

#define PATHS                                                                  \
  "--results @/results --pins @/pins --measured @/measured --templates "       \
  "@/templates --stamp @/stamp "

static struct output check(const char *options) {
  char arguments[1024];
  snprintf(arguments, sizeof arguments, PATHS "%s", options);
  return run(command_check, "check", arguments);
}

static bool stamped(void) {
  return file_exists(in_scratch("stamp"));
}

static void put_pair(const char *value, const char *pin) {
  char text[1024];
  snprintf(text, sizeof text, "{\"study\": \"s\", \"values\": {\"x\": %s}}",
           value);
  put("results/s.json", text);
  snprintf(text, sizeof text, "{\"study\": \"s\", \"pins\": {\n\"s.x\": %s}}",
           pin);
  put("pins/s.json", text);
}

#define ONE "{\"value\": 1, \"kind\": \"exact\", \"reason\": \"r\"}"

/* ---- golden reports ------------------------------------------------------ */

static void golden(const char *name) {
  char arguments[1024], path[256];
  struct buffer options = {0}, expected = {0};
  struct error err;
  snprintf(path, sizeof path, "tests/spec/check/%s/options", name);
  if (file_exists(path)) assert_int_equal(file_read(path, &options, &err), 0);
  snprintf(path, sizeof path, "tests/spec/check/%s/expected", name);
  assert_int_equal(file_read(path, &expected, &err), 0);
  snprintf(arguments, sizeof arguments,
           "--results tests/spec/check/%s/results --pins "
           "tests/spec/check/%s/pins --measured tests/spec/check/%s/measured "
           "--templates tests/spec/check/%s/templates %s",
           name, name, name, name, options.bytes != NULL ? options.bytes : "");
  struct output o = run(command_check, "check", arguments);
  buffer_printf(&o.out, "exit %d\n", o.status);
  assert_string_equal(o.out.bytes, expected.bytes);
  assert_int_equal(o.err.length, 0);
  output_free(&o);
  buffer_free(&options);
  buffer_free(&expected);
}

static void test_golden_reports(void **state) {
  (void)state;
  const char *const names[] = {"holds",  "moved",    "absent", "changed",
                               "drafts", "optional", "tighten"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    golden(names[i]);
}

/* ---- stamp --------------------------------------------------------------- */

static void test_stamp_comes_and_goes(void **state) {
  (void)state;
  put_pair("1", ONE);
  struct output o = check("");
  assert_int_equal(o.status, 0);
  assert_true(stamped());
  char *first = get("stamp");
  assert_non_null(strstr(first, "pinpress: ok keys=1"));
  output_free(&o);

  put_pair("2", ONE);
  o = check("");
  assert_int_equal(o.status, 1);
  assert_false(stamped());
  output_free(&o);

  put_pair("1", ONE);
  o = check("--quiet");
  assert_string_equal(o.out.bytes, "pinpress: ok keys=1 drafts=0 skipped=0 "
                                   "worst=0\n");
  char *again = get("stamp");
  assert_string_equal(again, first);
  output_free(&o);

  put_pair("2", "{\"value\": 2, \"kind\": \"exact\", \"reason\": \"r\"}");
  o = check("");
  char *other = get("stamp");
  assert_string_not_equal(other, first);
  output_free(&o);

  put("results/s.json", "{");
  o = check("");
  assert_int_equal(o.status, 2);
  assert_false(stamped());
  assert_int_equal(o.out.length, 0);
  output_free(&o);
  free(first);
  free(again);
  free(other);
}

/* /dev/full takes an open and fails each write. */
static void test_no_ok_without_a_stamp(void **state) {
  (void)state;
  put_pair("1", "{\"value\": 1, \"kind\": \"exact\", \"reason\": \"r\"}");
  if (symlink("/dev/full", in_scratch("stamp.part")) != 0) fail();
  struct output o = check("");
  assert_int_equal(o.status, 2);
  assert_int_equal(o.out.length, 0);
  assert_non_null(strstr(o.err.bytes, "stamp: cannot write: No space left"));
  assert_false(stamped());
  output_free(&o);
}

static void test_drafts_need_the_option(void **state) {
  (void)state;
  put_pair("1", "{\"value\": 1, \"kind\": \"exact\", \"draft\": true, "
                "\"reason\": \"r\"}");
  struct output o = check("");
  assert_int_equal(o.status, 1);
  assert_false(stamped());
  output_free(&o);
  o = check("--draft");
  assert_int_equal(o.status, 0);
  assert_true(stamped());
  output_free(&o);
  put_pair("2", "{\"value\": 1, \"kind\": \"exact\", \"draft\": true, "
                "\"reason\": \"r\"}");
  o = check("--draft");
  assert_int_equal(o.status, 1);
  assert_false(stamped());
  output_free(&o);
}

/* ---- bad input ----------------------------------------------------------- */

static void refuses(const char *options, const char *message) {
  struct output o = check(options);
  hide_scratch(&o.err);
  assert_string_equal(o.err.bytes, message);
  assert_int_equal(o.status, 2);
  assert_int_equal(o.out.length, 0);
  output_free(&o);
}

static void test_bad_input(void **state) {
  (void)state;
  mkdir(in_scratch("pins"), 0777);
  refuses("", "@/results: cannot open: No such file or directory\n");
  mkdir(in_scratch("results"), 0777);
  refuses("", "@/results and @/pins: no result and no pin to check (see "
              "pinpress init --help)\n");
  put_pair("1", ONE);
  put("results/s.json", "{\"study\": \"s\"}");
  refuses("", "@/results/s.json:1:1: missing \"values\": results are "
              "{\"study\": NAME, \"values\": {...}}\n");
  put("results/s.json", "{\"study\": \"a.b\", \"values\": {}}");
  refuses("", "@/results/s.json:1:11: a study is a name without a dot\n");
  put("results/s.json", "{\"study\": \"s\", \"values\": {\"a.b\": 1}}");
  refuses("", "@/results/s.json:1:34: \"a.b\" is no name in a key: it is "
              "empty, has a dot or a control character\n");
  put("results/s.json", "{\"study\": \"s\", \"values\": {\"x\": 1e999}}");
  refuses("", "@/results/s.json:1:32: number 1e999 is outside the range of a "
              "double\n");
  put("results/s.json", "{\"study\": \"s\", \"values\": {\"x\": NaN}}");
  refuses("", "@/results/s.json:1:32: not valid JSON from here on\n");
  put_pair("1", ONE);
  refuses("--measured @/pins/s.json/kept",
          "@/pins/s.json/kept: cannot inspect: Not a directory\n");
  refuses("surplus", "pinpress check: unexpected operand 'surplus' (see "
                     "pinpress check --help)\n");
  refuses("--bogus", "pinpress check: unknown or ambiguous option, or one "
                     "that takes no argument: '--bogus' (see pinpress check "
                     "--help)\n");
  refuses("--stamp", "pinpress check: missing argument of '--stamp' (see "
                     "pinpress check --help)\n");
}

static void test_deep_nesting(void **state) {
  (void)state;
  struct buffer deep = {0};
  put_pair("1", ONE);
  buffer_text(&deep, "{\"study\": \"s\", \"values\": {\"x\": ");
  for (int i = 0; i < 100000; i++)
    buffer_char(&deep, '[');
  put("results/s.json", deep.bytes);
  struct output o = check("");
  assert_int_equal(o.status, 2);
  assert_int_equal(strchr(o.err.bytes, 10)[1], 0);
  output_free(&o);
  buffer_free(&deep);
}

static void test_unwritable_outputs(void **state) {
  (void)state;
  put_pair("1", ONE);
  put("file", "");
  refuses("--json @/file/x.json",
          "@/file/x.json: cannot create: Not a directory\n");
  assert_false(stamped());
}

static void test_read_only_directory(void **state) {
  (void)state;
  if (geteuid() == 0) {
    print_message("skipped: root writes to read-only directories\n");
    return;
  }
  put_pair("1", ONE);
  put("locked/stamp", "old\n");
  chmod(in_scratch("locked"), 0500);
  refuses("--stamp @/locked/stamp",
          "@/locked/stamp: cannot remove the old stamp: Permission denied\n");
}

static void test_full_output_is_no_success(void **state) {
  (void)state;
  put_pair("1", ONE);
  struct buffer err = {0};
  int saved_out, saved_err;
  const char *err_path = in_scratch("err");
  char *argv[] = {"pinpress check",
                  "--results",
                  (char *)in_scratch("results"),
                  "--pins",
                  (char *)in_scratch("pins"),
                  "--stamp",
                  (char *)in_scratch("stamp"),
                  NULL};
  catch_stream(stdout, "/dev/full", &saved_out);
  catch_stream(stderr, err_path, &saved_err);
  int status = command_check(7, argv);
  release_stream(stderr, err_path, saved_err, &err);
  dup2(saved_out, 1);
  close(saved_out);
  clearerr(stdout);
  assert_int_equal(status, 2);
  assert_string_equal(err.bytes, "standard output: cannot write: No space left "
                                 "on device\n");
  assert_false(stamped());
  buffer_free(&err);
}

/* ---- other --------------------------------------------------------------- */

static void test_kept_results_must_name_their_weights(void **state) {
  (void)state;
  put_pair("1", ONE);
  put("pins/k.json",
      "{\"study\": \"k\", \"optional\": {\"reason\": \"r\", \"tied_to\": "
      "\"weights\"}, \"pins\": {\"k.x\": " ONE "}}");
  put("measured/k.json", "{\"study\": \"k\", \"values\": {\"x\": 1}}");
  struct output o = check("");
  assert_non_null(strstr(o.err.bytes, "its inputs do not name weights"));
  assert_int_equal(o.status, 2);
  output_free(&o);
}

/* Where an optional study is measured here, what is kept must hold as well. */
static void test_measured_and_kept(void **state) {
  (void)state;
  put("results/k.json", "{\"study\": \"k\", \"values\": {\"x\": 1}}");
  put("pins/k.json", "{\"study\": \"k\", \"optional\": {\"reason\": "
                     "\"r\"}, \"pins\": {\"k.x\": " ONE "}}");
  put("measured/k.json", "{\"study\": \"k\", \"values\": {\"x\": 1}}");
  struct output o = check("");
  assert_string_equal(o.out.bytes,
                      "k 1\npinpress: ok keys=1 drafts=0 skipped=0 worst=0\n");
  output_free(&o);
  put("measured/k.json",
      "{\"study\": \"k\", \"values\": {\"x\": 2, \"y\": 0}}");
  o = check("-q");
  assert_int_equal(o.status, 1);
  assert_non_null(strstr(o.out.bytes, "found    2"));
  assert_non_null(strstr(o.out.bytes, "k.y: no pin"));
  assert_non_null(strstr(o.out.bytes, "drift keys=2"));
  output_free(&o);
  assert_int_equal(unlink(in_scratch("results/k.json")), 0);
  put("measured/k.json", "{\"study\": \"k\", \"values\": {\"x\": 1}}");
  o = check("");
  assert_string_equal(o.out.bytes,
                      "kept, not measured here: 1 study, 1 pins: r\nk 1\n"
                      "pinpress: ok keys=1 drafts=0 skipped=0 worst=0\n");
  output_free(&o);
}

/* Measurements of several compilers or machines: the worst of each counts. */
static void test_several_results(void **state) {
  (void)state;
  const char *pins = "{\"study\": \"s\", \"pins\": {\n"
                     "\"s.x\": {\"value\": 1, \"kind\": \"abs\", \"bound\": "
                     "1, \"reason\": \"r\"},\n"
                     "\"s.y\": {\"value\": 1, \"kind\": \"abs\", \"bound\": "
                     "1, \"reason\": \"r\"}}}";
  put("pins/s.json", pins);
  put("results/s.json", "{\"study\": \"s\", \"values\": {\"x\": 1.5, \"y\": "
                        "1}}");
  put("gcc/s.json", "{\"study\": \"s\", \"values\": {\"x\": 1, \"y\": "
                    "0.25}}");
  put("clang/s.json", "{\"study\": \"s\", \"values\": {\"x\": 3, \"y\": 1, "
                      "\"z\": 0}}");
  struct output o = check("--results @/gcc");
  assert_string_equal(o.out.bytes,
                      "observed/allowed  key    observed  allowed\n"
                      "            0.75  s.y        0.75  abs 1\n"
                      "             0.5  s.x         0.5  abs 1\n\n"
                      "s 2\n"
                      "pinpress: ok keys=2 drafts=0 skipped=0 worst=0.75\n");
  output_free(&o);
  o = check("--results @/gcc --results @/clang -q");
  assert_int_equal(o.status, 1);
  hide_scratch(&o.out);
  assert_string_equal(
      o.out.bytes,
      "observed/allowed  key    observed  allowed\n"
      "             inf  s.z      no pin  -\n"
      "               2  s.x           2  abs 1\n\n"
      "s.z: no pin (pinpress init makes a draft)\n"
      "  found    0   at @/clang/s.json:1\n"
      "s.x: outside its bound\n"
      "  pinned   1   at @/pins/s.json:2\n"
      "  found    3   at @/clang/s.json:1\n"
      "  bound    abs 1: r\n"
      "  observed 2, 2 times what is allowed\n"
      "held back: nothing is printed while a pin fails or is a draft\n"
      "pinpress: drift keys=2 moved=1 no_result=0 no_pin=1 holds=1 drafts=0 "
      "skipped=0 worst=inf\n");
  output_free(&o);
}

/* A study that only a later directory measured was measured. */
static void test_several_results_skip_nothing_measured(void **state) {
  (void)state;
  put_pair("1", ONE);
  put("pins/k.json", "{\"study\": \"k\", \"optional\": {\"reason\": "
                     "\"r\"}, \"pins\": {\"k.x\": " ONE "}}");
  put("other/k.json", "{\"study\": \"k\", \"values\": {\"x\": 1}}");
  put("other/s.json", "{\"study\": \"s\", \"values\": {\"x\": 1}}");
  struct output o = check("-q");
  assert_non_null(strstr(o.out.bytes, "skipped: "));
  output_free(&o);
  o = check("-q --results @/other");
  assert_string_equal(o.out.bytes,
                      "pinpress: ok keys=2 drafts=0 skipped=0 worst=0\n");
  output_free(&o);
  put("measured/k.json", "{\"study\": \"k\", \"values\": {\"x\": 1}}");
  o = check("-q");
  assert_non_null(strstr(o.out.bytes, "kept, not measured here: 1 study"));
  output_free(&o);
  o = check("-q --results @/other");
  assert_string_equal(o.out.bytes,
                      "pinpress: ok keys=2 drafts=0 skipped=0 worst=0\n");
  output_free(&o);
}

static void read_stamp(struct buffer *out) {
  struct error err;
  buffer_clear(out);
  if (file_read(in_scratch("stamp"), out, &err) != 0) fail_msg("%s", err.text);
}

/* Kept results, too, are part of what the stamp says was checked. */
static void test_stamp_covers_kept_results(void **state) {
  (void)state;
  struct buffer one = {0}, other = {0};
  put_pair("1", ONE);
  put("pins/k.json",
      "{\"study\": \"k\", \"optional\": {\"reason\": \"r\"}, \"pins\": "
      "{\"k.x\": {\"value\": 1, \"kind\": \"abs\", \"bound\": 1, "
      "\"reason\": \"r\"}}}");
  put("measured/k.json", "{\"study\": \"k\", \"values\": {\"x\": 1.5}}");
  struct output o = check("-q");
  output_free(&o);
  read_stamp(&one);
  put("measured/k.json", "{\"study\": \"k\", \"values\": {\"x\": 0.5}}");
  o = check("-q");
  output_free(&o);
  read_stamp(&other);
  assert_int_equal(one.length, other.length);
  assert_string_not_equal(one.bytes, other.bytes);
  buffer_free(&one);
  buffer_free(&other);
}

static void test_json_report(void **state) {
  (void)state;
  struct json_document d;
  struct error err;
  put_pair("2", ONE);
  put("templates/a.md", "{{s.x}}");
  struct output o = check("--json @/report.json");
  assert_int_equal(o.status, 1);
  assert_int_equal(json_read(in_scratch("report.json"), &d, &err), 0);
  assert_string_equal(json_at(d.root, "status")->text, "drift");
  assert_string_equal(json_at(d.root, "findings.0.key")->text, "s.x");
  assert_string_equal(json_at(d.root, "findings.0.status")->text, "moved");
  assert_string_equal(json_at(d.root, "findings.0.ratio")->text, "infinite");
  assert_true(json_at(d.root, "findings.0.found")->integer == 2);
  assert_string_equal(json_at(d.root, "held_back.0.uses")->text, "s.x");
  json_free(&d);
  output_free(&o);
  o = check("--json -");
  assert_int_equal(json_parse("-", o.out.bytes, o.out.length, &d, &err), 0);
  json_free(&d);
  output_free(&o);
}

static void test_help(void **state) {
  (void)state;
  struct output o = check("--help");
  assert_int_equal(o.status, 0);
  assert_non_null(strstr(o.out.bytes, "--tighten"));
  output_free(&o);
}

/* Nothing in the gate may be quadratic: 100,000 keys in reverse order. */
static void test_many_keys(void **state) {
  (void)state;
  enum { KEYS = 100000 };
  struct buffer results = {0}, pins = {0};
  buffer_text(&results, "{\"study\": \"s\", \"values\": {\"x\": [0");
  buffer_text(&pins, "{\"study\": \"s\", \"pins\": {");
  for (int i = 1; i < KEYS; i++)
    buffer_printf(&results, ",%d", i);
  for (int i = KEYS - 1; i >= 0; i--)
    buffer_printf(&pins,
                  "\"s.x.%d\": {\"value\": %d, \"kind\": \"exact\", "
                  "\"reason\": \"r\"}%s",
                  i, i, i > 0 ? ",\n" : "}}");
  buffer_text(&results, "]}}");
  put("results/s.json", results.bytes);
  put("pins/s.json", pins.bytes);
  struct output o = check("-q");
  assert_string_equal(o.out.bytes, "pinpress: ok keys=100000 drafts=0 "
                                   "skipped=0 worst=0\n");
  output_free(&o);
  buffer_free(&results);
  buffer_free(&pins);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, scratch_empty, NULL)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(test_golden_reports),
      CASE(test_stamp_comes_and_goes),
      CASE(test_no_ok_without_a_stamp),
      CASE(test_drafts_need_the_option),
      CASE(test_bad_input),
      CASE(test_deep_nesting),
      CASE(test_unwritable_outputs),
      CASE(test_read_only_directory),
      CASE(test_kept_results_must_name_their_weights),
      CASE(test_measured_and_kept),
      CASE(test_several_results),
      CASE(test_several_results_skip_nothing_measured),
      CASE(test_stamp_covers_kept_results),
      CASE(test_json_report),
      CASE(test_help),
      CASE(test_many_keys),
      CASE(test_full_output_is_no_success),
  };
  return cmocka_run_group_tests_name("check", tests, scratch_make,
                                     scratch_remove);
}
