/* When in training the ladder appears: 1/sigma at each depth point as the log
 * of the run has it, every so many steps, and its last row measured anew from
 * the weights. Attenuation is 1/sigma at the embedding over 1/sigma after the
 * last block; its logarithm is the height of the ladder. */
#include <math.h>
#include <stdlib.h>

#include "analysis/json_fields.h"
#include "analysis/ladder.h"
#include "analysis/model.h"
#include "analysis/stats.h"
#include "analysis/study.h"
#include "analysis/training_log.h"
#include "report/base/memory.h"

struct history {
  size_t points, rows, every, sequences;
  uint64_t seed;     /* of the sequences */
  double *inv_sigma; /* (points, rows) */
};

static double at(const struct history *h, size_t point, size_t row) {
  return h->inv_sigma[point * h->rows + row];
}

static double attenuation(const struct history *h, size_t row) {
  return at(h, 0, row) / at(h, h->points - 1, row);
}

/* ---- the log ---- */

static int read_point(const struct json *points, size_t n, struct history *h,
                      struct error *err) {
  char name[TRANSFORMER_NAME];
  transformer_point_name(n, name);
  const struct json *point = json_field(points, name, JSON_OBJECT, err);
  if (point == NULL) return -1;
  const struct json *list = json_field(point, "inv_sigma", JSON_ARRAY, err);
  if (list == NULL) return -1;
  if (n == 0) {
    h->rows = list->count;
    h->inv_sigma = memory_alloc(h->points * h->rows + 1, sizeof(double));
  }
  if (list->count != h->rows || h->rows < 2)
    return error_at(err, list->place, "%zu numbers where %zu are expected",
                    list->count, h->rows < 2 ? 2 : h->rows);
  size_t row = 0;
  for (const struct json *x = list->child; x != NULL; x = x->next, row++) {
    if (x->type != JSON_NUMBER || x->number <= 0)
      return error_at(err, x->place, "1/sigma must be a positive number");
    h->inv_sigma[n * h->rows + row] = x->number;
  }
  return 0;
}

static int read_history(const struct json *values, struct history *h,
                        struct error *err) {
  const struct json *ladder = json_field(values, "ladder", JSON_OBJECT, err);
  if (ladder == NULL ||
      json_field_count(ladder, "every", &h->every, err) != 0 ||
      training_log_count(ladder, "sequences", 1024, &h->sequences, err) != 0 ||
      training_log_seed(values, "ladder", &h->seed, err) != 0)
    return -1;
  const struct json *points = json_field(ladder, "points", JSON_OBJECT, err);
  if (points == NULL) return -1;
  for (size_t n = 0; n < h->points; n++)
    if (read_point(points, n, h, err) != 0) return -1;
  return 0;
}

/* ---- what it shows ---- */

static void record_rows(const struct history *h, struct results *results) {
  for (size_t row = 0; row < h->rows; row++) {
    results_integer(results, (long long)(row * h->every), "rows.%zu.step", row);
    for (size_t n = 0; n < h->points; n++) {
      char name[TRANSFORMER_NAME];
      transformer_point_name(n, name);
      results_double(results, at(h, n, row), "rows.%zu.%s", row, name);
    }
    results_double(results, attenuation(h, row), "rows.%zu.attenuation", row);
  }
}

/* The first row that is as high as that. */
static size_t first_above(const struct history *h, double height) {
  size_t row = 0;
  while (row + 1 < h->rows && attenuation(h, row) < height)
    row++;
  return row;
}

static void record_turns(const struct history *h, struct results *results) {
  size_t last = h->rows - 1, highest = 0, lowest = 0;
  double first = attenuation(h, 0), final = attenuation(h, last);
  for (size_t row = 1; row < h->rows; row++) {
    if (attenuation(h, row) > attenuation(h, highest)) highest = row;
    if (at(h, h->points - 1, row) < at(h, h->points - 1, lowest)) lowest = row;
  }
  results_integer(results, (long long)(last * h->every), "steps");
  results_integer(results, (long long)h->every, "every");
  results_double(results, first, "initial_attenuation");
  results_double(results, final, "final_attenuation");
  results_integer(results,
                  (long long)(first_above(h, sqrt(first * final)) * h->every),
                  "half_step");
  results_integer(results, (long long)(first_above(h, final) * h->every),
                  "reached_step");
  results_integer(results, (long long)(highest * h->every), "highest.step");
  results_double(results, attenuation(h, highest), "highest.attenuation");
  results_integer(results, (long long)(lowest * h->every), "lowest_end.step");
  results_double(results, at(h, h->points - 1, lowest), "lowest_end.inv_sigma");
}

/* The end of the peak's approach: where the recipe's warm-up stops. */
static int record_warm_up(const struct json *values, struct results *results,
                          struct error *err) {
  size_t steps;
  double part;
  const struct json *recipe = json_field(values, "recipe", JSON_OBJECT, err);
  if (recipe == NULL || json_field_count(recipe, "steps", &steps, err) != 0 ||
      json_field_number(recipe, "warm_up", &part, err) != 0)
    return -1;
  results_integer(results, llround(part * (double)steps), "warm_up_steps");
  return 0;
}

/* ---- the last row, from the weights ---- */

static void record_recomputed(const struct model *model,
                              const struct history *h,
                              struct results *results) {
  const struct transformer_config *config = &model->config;
  size_t B = h->sequences, T = config->T;
  struct transformer_f64 network = transformer_new_f64(config, model->wide);
  struct transformer_pass_f64 pass = transformer_pass_new_f64(config, B, T);
  struct ladder_point *points = memory_alloc(h->points, sizeof *points);
  int *x = corpus_held_out(&model->corpus, h->seed, B, T);
  double off = 0;
  transformer_forward_f64(&network, &pass, x, NULL);
  ladder_measure(&network, &pass, points);
  for (size_t n = 0; n < h->points; n++)
    stats_keep_worst(&off, points[n].inv_sigma / at(h, n, h->rows - 1) - 1);
  results_double(results, points[0].inv_sigma / points[h->points - 1].inv_sigma,
                 "recomputed.attenuation");
  results_double(results, off, "recomputed.largest_difference");
  free(x);
  free(points);
  transformer_pass_free_f64(&pass);
  transformer_free_f64(&network);
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  struct json_document document = {0};
  struct history history = {0};
  int result = -1;
  history.points = transformer_points(&model->config);
  const struct json *values = training_log_read(model, results, &document, err);
  if (values == NULL || read_history(values, &history, err) != 0 ||
      record_warm_up(values, results, err) != 0)
    goto cleanup;
  record_rows(&history, results);
  record_turns(&history, results);
  record_recomputed(model, &history, results);
  result = 0;
cleanup:
  free(history.inv_sigma);
  json_free(&document);
  return result;
}

int main(int argc, char **argv) {
  const struct study study = {.name = "training_ladder",
                              .purpose = "1/sigma at each depth through the "
                                         "training run, from its log.",
                              .measure_model = measure};
  return study_main(&study, argc, argv);
}
