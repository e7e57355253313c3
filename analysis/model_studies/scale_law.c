/* The law behind the scale sweep. With r = eps / (s0^2 scale^2),
 * loss(r) = loss(0) + c r to first order, and c follows from one backward pass
 * at eps = 0 (final_state_slope). Here c is predicted, measured by a fine sweep
 * against the loss at eps = 0, and followed over batches of both parts of the
 * text: it is a property of the predictions, not of the layer. */
#include <math.h>

#include "analysis/final_state.h"
#include "analysis/rng.h"
#include "analysis/stats.h"
#include "analysis/study.h"

enum {
  SEQUENCES = 8,
  BATCHES = 20,
  PER_DECADE = 4,
  FIRST_DECADE = -8, /* r = 1e-8 to 1e2 */
  LAST_DECADE = 2,
  ROWS = (LAST_DECADE - FIRST_DECADE) * PER_DECADE + 1
};

struct sweep {
  struct final_state *state;
  double eps, spread, limit; /* the loss at eps = 0 */
};

/* Change of loss where eps over the median variance is r, reached by scaling
 * the state. */
static double change(const struct sweep *sweep, double r) {
  double scale = sqrt(sweep->eps / r) / sweep->spread;
  return final_state_loss(sweep->state,
                          (struct final_move){scale, 0, FINAL_ALL_AXES},
                          sweep->eps, NULL) -
         sweep->limit;
}

/* The r between two of different sign where the change is zero. */
static double sign_change(const struct sweep *sweep, double low, double high) {
  double sign = change(sweep, low);
  for (int i = 0; i < 50; i++) {
    double middle = sqrt(low * high);
    if (change(sweep, middle) * sign > 0)
      low = middle;
    else
      high = middle;
  }
  return sqrt(low * high);
}

/* delta/r = c + c2 r for small r: intercept of a line through the rows where
 * neither rounding (1e-15/r) nor curvature (r^2) weighs. */
static double measured_slope(const double *r, const double *delta) {
  double x[ROWS], y[ROWS], slope, intercept;
  size_t n = 0;
  for (size_t i = 0; i < ROWS; i++)
    if (r[i] > 0.9e-6 && r[i] < 1.1e-4) {
      x[n] = r[i];
      y[n++] = delta[i] / r[i];
    }
  stats_line(x, y, n, &slope, &intercept);
  return intercept;
}

/* How far the law is off, relative to itself, where the ratio is small. */
static double small_ratio_error(const double *r, const double *delta,
                                double predicted) {
  double off = 0;
  for (size_t i = 0; i < ROWS; i++)
    if (r[i] < 1.1e-4) stats_keep_worst(&off, delta[i] / r[i] / predicted - 1);
  return off;
}

static void measure_sweep(const struct model *model, struct results *results) {
  struct rng rng;
  double r[ROWS], delta[ROWS], by_log_scale, turn = 0;
  int turns = 0;
  rng_seed(&rng, 0);
  struct sweep sweep = {
      final_state_new(model, 64, CORPUS_HELD_OUT, &rng, SEQUENCES),
      model->config.eps, 0, 0};
  sweep.spread = final_state_spread(sweep.state);
  sweep.limit = final_state_loss(
      sweep.state, (struct final_move){1, 0, FINAL_ALL_AXES}, 0, NULL);
  for (int i = 0; i < ROWS; i++) {
    r[i] = pow(10, FIRST_DECADE + i / (double)PER_DECADE);
    delta[i] = change(&sweep, r[i]);
    results_double(results, r[i], "rows.%d.eps_over_var", i);
    results_double(results, delta[i], "rows.%d.delta", i);
    results_double(results, delta[i] / r[i], "rows.%d.ratio", i);
    if (i > 0 && delta[i] * delta[i - 1] < 0 && turns++ == 0)
      turn = sign_change(&sweep, r[i - 1], r[i]);
  }
  double predicted = final_state_slope(sweep.state, &by_log_scale);
  double measured = measured_slope(r, delta);
  results_double(results, sweep.limit, "loss_eps_0");
  results_double(results, sweep.spread, "sigma0");
  results_double(results, predicted, "predicted");
  results_double(results, measured, "measured");
  results_double(results, measured / predicted, "measured_over_predicted");
  results_double(results, small_ratio_error(r, delta, predicted),
                 "small_ratio_error");
  results_double(results, by_log_scale, "by_log_scale");
  results_integer(results, turns, "sign_changes");
  if (turns > 0) results_double(results, turn, "sign_change");
  final_state_free(sweep.state);
}

static void measure_batches(const struct model *model, enum corpus_split split,
                            const char *name, struct results *results) {
  struct rng rng;
  double slopes[BATCHES], mean = 0;
  int negative = 0;
  rng_seed(&rng, 0);
  for (int i = 0; i < BATCHES; i++) {
    struct final_state *state =
        final_state_new(model, 64, split, &rng, SEQUENCES);
    slopes[i] = final_state_slope(state, NULL);
    mean += slopes[i] / BATCHES;
    negative += slopes[i] < 0;
    final_state_free(state);
  }
  results_integer(results, BATCHES, "%s.batches", name);
  results_doubles(results, slopes, BATCHES, "%s.predicted", name);
  stats_sort(slopes, BATCHES);
  results_double(results, mean, "%s.mean", name);
  results_double(results, slopes[0], "%s.min", name);
  results_double(results, slopes[BATCHES - 1], "%s.max", name);
  results_integer(results, negative, "%s.negative", name);
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  if (model->config.eps == 0)
    return error_set(err, "%s: eps is 0, there is no law to measure",
                     model->entry.name);
  measure_sweep(model, results);
  measure_batches(model, CORPUS_HELD_OUT, "held_out", results);
  measure_batches(model, CORPUS_TRAIN, "train", results);
  return 0;
}

int main(int argc, char **argv) {
  const struct study study = {.name = "scale_law",
                              .purpose =
                                  "Derivative of the loss by eps over the "
                                  "variance: predicted and measured.",
                              .measure_model = measure};
  return study_main(&study, argc, argv);
}
