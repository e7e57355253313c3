/* Is a model worse for a large eps? Two recipes that differ in eps alone are
 * trained in pairs, each pair from the same seeds: the same initial weights,
 * batches and held-out text. One pair cannot tell the work of eps from the
 * work of the seeds; the differences of several, over their own spread, can.
 *
 * Nothing is measured here: the losses are read from the logs of the runs. Run
 * 0 of a recipe is its model, and its log lies beside the weights. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analysis/json_fields.h"
#include "analysis/stats.h"
#include "analysis/study.h"
#include "analysis/train.h"
#include "analysis/training_recipe.h"
#include "report/base/file.h"
#include "report/base/hash.h"

enum { RECIPES = 2, MOST_RUNS = 64, PATH = 200 };
static const char *const names[RECIPES] = {"kjv-layernorm", "kjv-large-eps"};

struct losses {
  size_t runs;
  double of[RECIPES][MOST_RUNS];
  char text[HASH_TEXT]; /* hash of the corpus of all runs */
};

static const char *log_path(char out[PATH], const char *name, size_t run) {
  if (run == 0)
    snprintf(out, PATH, "data/models/%s.training.json", name);
  else
    snprintf(out, PATH, "data/runs/%s-%zu.training.json", name, run);
  return out;
}

/* All runs are of one text: the first sets its hash. */
static int check_text(const struct json *log, struct losses *losses,
                      struct error *err) {
  char hash[HASH_TEXT];
  const struct json *inputs = json_field(log, "inputs", JSON_ARRAY, err);
  if (inputs == NULL) return -1;
  const struct json *text = inputs->child;
  if (text == NULL || text->type != JSON_OBJECT)
    return error_at(err, inputs->place, "\"inputs\" names no text");
  if (json_field_text(text, "sha256", hash, sizeof hash, err) != 0) return -1;
  if (losses->text[0] == 0) strcpy(losses->text, hash);
  if (strcmp(losses->text, hash) == 0) return 0;
  return error_at(err, text->place, "trained on another text than the others");
}

static int read_values(const struct json *log, const char *name, size_t run,
                       double *loss, struct error *err) {
  const struct train_recipe recipe = train_recipe_run(train_recipe(name), run);
  const struct json *values = json_field(log, "values", JSON_OBJECT, err);
  if (values == NULL) return -1;
  values = json_field(values, name, JSON_OBJECT, err);
  if (values == NULL || training_recipe_check(values, &recipe, err) != 0)
    return -1;
  return json_field_number(values, "val_loss", loss, err);
}

static int read_run(const char *name, size_t run, struct losses *losses,
                    double *loss, struct results *results, struct error *err) {
  char path[PATH];
  struct json_document log;
  log_path(path, name, run);
  if (json_read(path, &log, err) != 0) return -1;
  int status = read_values(log.root, name, run, loss, err);
  if (status == 0) status = check_text(log.root, losses, err);
  if (status == 0) status = results_input(results, path, err);
  json_free(&log);
  return status;
}

static bool log_exists(const char *name, size_t run) {
  char path[PATH];
  return file_exists(log_path(path, name, run));
}

/* No log lies beyond the last pair, where nothing would read it. */
static int check_rest(size_t runs, struct error *err) {
  char path[PATH];
  for (size_t run = runs; run <= MOST_RUNS; run++)
    for (size_t i = 0; i < RECIPES; i++)
      if (log_exists(names[i], run))
        return error_set(err,
                         "%s: is not read; runs are numbered from 1 to at most "
                         "%d without gaps, and the last pair is %zu",
                         log_path(path, names[i], run), MOST_RUNS - 1,
                         runs - 1);
  return 0;
}

/* Runs 0, 1, ... as long as either recipe has one; both must then. */
static int read_losses(struct losses *losses, struct results *results,
                       struct error *err) {
  while (losses->runs < MOST_RUNS &&
         (losses->runs == 0 || log_exists(names[0], losses->runs) ||
          log_exists(names[1], losses->runs))) {
    size_t run = losses->runs++;
    for (size_t i = 0; i < RECIPES; i++)
      if (read_run(names[i], run, losses, &losses->of[i][run], results, err) !=
          0)
        return -1;
  }
  if (losses->runs >= 2) return check_rest(losses->runs, err);
  return error_set(err, "data/runs: two pairs of logs are needed at least");
}

static void record_runs(const struct losses *losses, const double *difference,
                        struct results *results) {
  size_t n = losses->runs;
  results_integer(results, (long long)n, "pairs");
  for (size_t run = 0; run < n; run++) {
    results_integer(results, (long long)run, "rows.%zu.run", run);
    for (size_t i = 0; i < RECIPES; i++)
      results_double(results, losses->of[i][run], "rows.%zu.%s", run, names[i]);
    results_double(results, difference[run], "rows.%zu.difference", run);
  }
  for (size_t i = 0; i < RECIPES; i++) {
    results_double(results, stats_mean(losses->of[i], n), "%s.mean", names[i]);
    results_double(results, stats_deviation(losses->of[i], n), "%s.deviation",
                   names[i]);
  }
}

/* Mean, its standard error, Student's t of the two, and between which limits
 * the true mean lies in 19 of 20 such studies. */
static void record_difference(const double *difference, size_t n,
                              struct results *results) {
  double mean = stats_mean(difference, n);
  double deviation = stats_deviation(difference, n);
  double error = deviation / sqrt((double)n);
  int positive = 0, degrees = (int)n - 1;
  for (size_t run = 0; run < n; run++)
    positive += difference[run] > 0;
  results_prefix(results, "difference");
  results_double(results, mean, "mean");
  results_double(results, deviation, "deviation");
  results_double(results, error, "error");
  results_integer(results, positive, "positive");
  results_integer(results, degrees, "degrees");
  results_double(results, mean / error, "t");
  results_double(results, stats_student_beyond(mean / error, degrees),
                 "beyond");
  double half = stats_student_limit(0.05, degrees) * error;
  results_double(results, mean - half, "low");
  results_double(results, mean + half, "high");
}

static int measure(struct results *results, struct error *err) {
  struct losses losses = {0};
  double difference[MOST_RUNS];
  if (read_losses(&losses, results, err) != 0) return -1;
  for (size_t run = 0; run < losses.runs; run++)
    difference[run] = losses.of[1][run] - losses.of[0][run];
  record_runs(&losses, difference, results);
  record_difference(difference, losses.runs, results);
  return 0;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "eps_pairs",
      .purpose = "Held-out losses of pairs of runs that differ in eps alone.",
      .measure = measure};
  return study_main(&study, argc, argv);
}
