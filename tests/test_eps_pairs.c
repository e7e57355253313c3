/* The study of paired runs, on logs written here: its statistics, and the logs
 * it refuses. It reads them below the working directory. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "analysis/results.h"
#include "analysis/train.h"
#include "analysis/training_recipe.h"
#include "report/base/json.h"
#include "tests/scratch.h"

#define SMALL "kjv-layernorm"
#define LARGE "kjv-large-eps"

/* A log of a recipe's run as it should be. */
struct log {
  const char *name;
  struct train_recipe recipe;
  const char *text;
  double loss;
};

static struct log log_of(const char *name, uint64_t run, double loss) {
  return (struct log){name, train_recipe_run(train_recipe(name), run), "ab",
                      loss};
}

static void write_log(const char *path, const struct log *log) {
  struct error err = {{0}};
  struct results *out = results_new("training");
  results_input_hash(out, "kjv", log->text);
  results_prefix(out, log->name);
  results_double(out, log->loss, "val_loss");
  training_recipe_record(out, &log->recipe);
  if (results_write(out, in_scratch(path), &err) != 0) fail_msg("%s", err.text);
  results_free(out);
}

static void write_run(const char *name, int run, double loss) {
  char path[200];
  const struct log log = log_of(name, (uint64_t)run, loss);
  if (run == 0)
    snprintf(path, sizeof path, "data/models/%s.training.json", name);
  else
    snprintf(path, sizeof path, "data/runs/%s-%d.training.json", name, run);
  write_log(path, &log);
}

/* Three pairs, with differences 0.25, -0.5 and 1. */
static int write_runs(void **state) {
  static const double small[] = {1, 2, 3}, large[] = {1.25, 1.5, 4};
  if (scratch_empty(state) != 0) return -1;
  for (int run = 0; run < 3; run++) {
    write_run(SMALL, run, small[run]);
    write_run(LARGE, run, large[run]);
  }
  return 0;
}

static int run_study(void) {
  char program[PATH_MAX], command[2 * PATH_MAX];
  const char *build = getenv("BUILD");
  snprintf(command, sizeof command, "%s/bin/studies/eps_pairs",
           build != NULL ? build : "build");
  if (realpath(command, program) == NULL) fail_msg("%s is missing", command);
  snprintf(command, sizeof command, "cd %s && %s --out out.json 2>message",
           scratch, program);
  int status = system(command);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void test_pairs(void **state) {
  (void)state;
  struct json_document found;
  struct error err = {{0}};
  assert_int_equal(run_study(), 0);
  assert_int_equal(json_read(in_scratch("out.json"), &found, &err), 0);
  const struct json *values = json_member(found.root, "values");
  const struct {
    const char *path;
    double expected;
  } cases[] = {{"pairs", 3},
               {"rows.0.difference", 0.25},
               {"rows.1.difference", -0.5},
               {"rows.2.run", 2},
               {"rows.2." SMALL, 3},
               {"rows.2." LARGE, 4},
               {SMALL ".mean", 2},
               {SMALL ".deviation", 1},
               {"difference.mean", 0.25},
               {"difference.deviation", 0.75},
               {"difference.error", 0.75 / sqrt(3)},
               {"difference.positive", 2},
               {"difference.degrees", 2},
               {"difference.t", 1 / sqrt(3)}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct json *value = json_at(values, cases[i].path);
    if (value == NULL) fail_msg("%s is missing", cases[i].path);
    if (!(fabs(value->number - cases[i].expected) < 1e-15))
      fail_msg("%s: found %.17g, expected %.17g", cases[i].path, value->number,
               cases[i].expected);
  }
  double beyond = json_at(values, "difference.beyond")->number;
  assert_true(fabs(beyond - (1 - 1 / sqrt(7))) < 1e-15);
  double t = 0.95 * sqrt(2) / sqrt(1 - 0.95 * 0.95);
  double low = json_at(values, "difference.low")->number;
  double high = json_at(values, "difference.high")->number;
  assert_true(fabs((high + low) / 2 - 0.25) < 1e-15);
  assert_true(fabs((high - low) / 2 / (t * 0.75 / sqrt(3)) - 1) < 1e-14);
  const struct json *inputs = json_member(found.root, "inputs");
  assert_int_equal(inputs->count, 6);
  assert_string_equal(json_at(inputs, "5.path")->text,
                      "data/runs/" LARGE "-2.training.json");
  json_free(&found);
}

static void refused(const char *expected) {
  assert_int_equal(run_study(), 2);
  char *message = get("message");
  if (strstr(message, expected) == NULL)
    fail_msg("\"%s\" expected in: %s", expected, message);
  free(message);
  assert_false(file_exists(in_scratch("out.json")));
}

static void test_other_seeds(void **state) {
  (void)state;
  struct log log = log_of(LARGE, 1, 1);
  write_log("data/runs/" LARGE "-2.training.json", &log);
  refused("data/runs/" LARGE "-2.training.json:");
  refused("\"weights\" is 2; " LARGE " is trained with 3");
}

static void test_other_recipe(void **state) {
  (void)state;
  struct log log = log_of(SMALL, 1, 1);
  write_log("data/runs/" LARGE "-1.training.json", &log);
  refused("\"" LARGE "\" is missing");
  log.name = LARGE; /* what differs is seen, not what is said */
  write_log("data/runs/" LARGE "-1.training.json", &log);
  refused("\"eps\" is 1e-05; " LARGE " is trained with 0.1");
}

static void test_other_text(void **state) {
  (void)state;
  struct log log = log_of(SMALL, 2, 1);
  log.text = "ac";
  write_log("data/runs/" SMALL "-2.training.json", &log);
  refused("trained on another text than the others");
}

static void test_gap(void **state) {
  (void)state;
  write_run(LARGE, 4, 1);
  refused("data/runs/" LARGE "-4.training.json: is not read; runs are numbered "
          "from 1 to at most 63 without gaps, and the last pair is 2");
}

static void test_lone_runs(void **state) {
  (void)state;
  unlink(in_scratch("data/runs/" SMALL "-2.training.json"));
  refused("data/runs/" SMALL "-2.training.json: cannot open");
  remove_all(in_scratch("data/runs"));
  refused("data/runs: two pairs of logs are needed at least");
  remove_all(in_scratch("data/models"));
  refused("data/models/" SMALL ".training.json: cannot open");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_pairs, write_runs),
      cmocka_unit_test_setup(test_other_seeds, write_runs),
      cmocka_unit_test_setup(test_other_recipe, write_runs),
      cmocka_unit_test_setup(test_other_text, write_runs),
      cmocka_unit_test_setup(test_gap, write_runs),
      cmocka_unit_test_setup(test_lone_runs, write_runs),
  };
  return cmocka_run_group_tests_name("eps_pairs", tests, scratch_make,
                                     scratch_remove);
}
