/* Relations of measured to published numbers, and the program that judges a
 * list of them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/relation.h"
#include "report/base/file.h"
#include "report/base/json.h"
#include "tests/scratch.h"

static bool holds(enum relation_kind kind, double bound, double published,
                  double measured) {
  const struct relation relation = {kind, 2, bound};
  return relation_holds(&relation, published, measured);
}

static void test_relations(void **state) {
  (void)state;
  assert_true(holds(RELATION_PRINTED, 0, 0.43, 0.4278));
  assert_false(holds(RELATION_PRINTED, 0, 0.43, 0.4249));
  assert_false(holds(RELATION_PRINTED, 0, 0.43, NAN));
  assert_true(holds(RELATION_EQUAL, 9, 0, 9));
  assert_false(holds(RELATION_EQUAL, 9, 9, 6));
  assert_true(holds(RELATION_BELOW, 1, 5, 0.5));
  assert_false(holds(RELATION_BELOW, 1, 0.5, 1));
  assert_true(holds(RELATION_ABOVE, 1, 0, 2));
  assert_false(holds(RELATION_ABOVE, 1, 2, 1));
  assert_true(holds(RELATION_WITHIN, 0.25, -4, -5));
  assert_false(holds(RELATION_WITHIN, 0.25, 4, -4));
  assert_true(holds(RELATION_FACTOR, 2, 1, 0.5));
  assert_false(holds(RELATION_FACTOR, 2, 1, 2.001));
  assert_false(holds(RELATION_FACTOR, 2, 1, -1));
  assert_false(holds(RELATION_FACTOR, 2, 0, 0));
  assert_true(holds(RELATION_INSIDE, 3, 2, 1));
  assert_false(holds(RELATION_INSIDE, 3, 4, 1));
}

static void assert_words(enum relation_kind kind, double bound,
                         const char *than, const char *expected) {
  const struct relation relation = {kind, 0, bound};
  struct buffer words = {0};
  relation_words(&relation, than, &words);
  assert_string_equal(words.bytes, expected);
  buffer_free(&words);
}

static void test_words(void **state) {
  (void)state;
  assert_words(RELATION_WITHIN, 0.1, NULL, "within\302\24010\302\240%");
  assert_words(RELATION_BELOW, 1e-15, NULL, "below\302\2401e-15");
  assert_words(RELATION_ABOVE, 3, "the random maximum",
               "above the random maximum");
  assert_words(RELATION_PRINTED, 0, NULL, "the same digits");
  assert_int_equal(relation_named("factor"), RELATION_FACTOR);
  assert_int_equal(relation_named("near"), RELATION_KINDS);
}

/* ---- the program ---- */

static const char *build(void) {
  const char *path = getenv("BUILD");
  return path == NULL ? "build" : path;
}

static int run(const char *more) {
  char command[4096];
  snprintf(command, sizeof command,
           "%s/bin/reproduction --published %s --results %s --results %s "
           "--out %s %s 2>%s",
           build(), in_scratch("list.json"), in_scratch("here"),
           in_scratch("kept"), in_scratch("out.json"), more,
           in_scratch("message"));
  int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A list of one number on two models. */
static void put_list(const char *key, const char *relation) {
  char text[1024];
  snprintf(text, sizeof text,
           "{\"models\": [\"a-1\", \"b-2\"], \"numbers\": [\n{\"id\": \"n\", "
           "\"class\": \"kind\", \"quantity\": \"q\", \"text\": \"two\", "
           "\"value\": 2, \"key\": \"%s\",\n\"relation\": %s}]}",
           key, relation);
  put("list.json", text);
}

static void assert_refused_with(const char *more, const char *expected) {
  struct buffer text = {0};
  struct error err = {{0}};
  assert_int_equal(run(more), 2);
  assert_int_equal(file_read(in_scratch("message"), &text, &err), 0);
  if (strstr(text.bytes, expected) == NULL)
    fail_msg("\"%s\" expected in: %s", expected, text.bytes);
  buffer_free(&text);
}

static void assert_refused(const char *expected) {
  assert_refused_with("", expected);
}

static void assert_verdicts(bool a, bool b) {
  struct json_document document;
  struct error err = {{0}};
  assert_int_equal(run(""), 0);
  assert_int_equal(json_read(in_scratch("out.json"), &document, &err), 0);
  const struct json *n = json_at(document.root, "values.n");
  assert_int_equal(json_member(n, "a-1")->boolean, a);
  assert_int_equal(json_member(n, "b-2")->boolean, b);
  assert_string_equal(json_member(n, "published")->text, "two");
  assert_true(json_at(document.root, "values.agree.b-2")->integer == b);
  json_free(&document);
}

static void test_program(void **state) {
  (void)state;
  char program[300];
  snprintf(program, sizeof program, "%s/bin/reproduction", build());
  if (!file_exists(program)) {
    print_message("skipped: %s is not built\n", program);
    skip();
  }
  assert_int_equal(scratch_make(state), 0);
  put("here/s-a-1.json", "{\"values\": {\"a-1\": {\"x\": 2.01, \"y\": 3}}}");
  put("kept/s-a-1.json", "{\"values\": {\"a-1\": {\"x\": 9, \"y\": 9}}}");
  put("kept/s-b-2.json", "{\"values\": {\"b-2\": {\"x\": 3, \"y\": 3}}}");
  put_list("s.MODEL.x", "{\"is\": \"within\", \"part\": 0.1}");
  assert_verdicts(true, false);
  put_list("s.MODEL.x", "{\"is\": \"equal\", \"key\": \"s.MODEL.y\"}");
  assert_verdicts(false, true);
  put_list("s.MODEL.z", "{\"is\": \"below\", \"limit\": 1}");
  assert_refused("list.json:2:81: ");
  assert_refused("here/s-a-1.json: no number s.a-1.z");
  put_list("t.x", "{\"is\": \"below\", \"limit\": 1}");
  assert_refused("t.json: no such results in ");
  assert_refused("/here or ");
  put_list("s.MODEL.x", "{\"is\": \"near\", \"limit\": 1}");
  assert_refused("list.json:3:20: there is no relation \"near\"");
  put_list("s.MODEL.x", "{\"is\": \"below\"}");
  assert_refused("list.json:3:13: a relation needs a bound");
  put_list("s.MODEL.x", "{\"is\": \"printed\", \"decimals\": 18}");
  assert_refused("list.json:3:43: \"decimals\" is 18, at most 17");
  assert_refused_with("--results a --results b --results c --results d "
                      "--results e --results f --results g",
                      "reproduction: more than 8 --results");
  static const char *const files[] = {"here/s-a-1.json", "kept/s-a-1.json",
                                      "kept/s-b-2.json", "list.json",
                                      "out.json",        "message"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    unlink(in_scratch(files[i]));
  rmdir(in_scratch("here"));
  rmdir(in_scratch("kept"));
  rmdir(scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_relations),
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_program),
  };
  return cmocka_run_group_tests_name("relation", tests, NULL, NULL);
}
