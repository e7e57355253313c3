/* Scaling the final hidden state is an invariance up to eps only. How does the
 * change of loss depend on eps over the variance of the scaled state? A line is
 * fitted to log |change| over log ratio where the ratio lies between 1e-5 and
 * 10, with the sign of each change kept beside it. */
#include <math.h>

#include "analysis/final_state.h"
#include "analysis/rng.h"
#include "analysis/stats.h"
#include "analysis/study.h"

enum { SEQUENCES = 8 };

static const double scales[] = {1e3, 10, 1, .1, .01, 3e-3, 1e-3, 1e-4};
enum { SCALES = sizeof scales / sizeof *scales };

struct row {
  double eps_over_var, loss, delta;
};

static void sweep(struct final_state *state, double eps, struct row *rows) {
  const struct final_move unscaled = {1, 0, FINAL_ALL_AXES};
  double sigma0 = final_state_spread(state);
  double baseline = final_state_loss(state, unscaled, eps, NULL);
  for (size_t i = 0; i < SCALES; i++) {
    double std = scales[i] * sigma0;
    rows[i].eps_over_var = eps / (std * std);
    rows[i].loss = final_state_loss(
        state, (struct final_move){scales[i], 0, FINAL_ALL_AXES}, eps, NULL);
    rows[i].delta = rows[i].loss - baseline;
  }
}

static void record_fit(const struct row *rows, int bits,
                       struct results *results) {
  double x[SCALES], y[SCALES], slope, intercept;
  double low = INFINITY, high = 0;
  size_t n = 0;
  for (size_t i = 0; i < SCALES; i++) {
    double ratio = rows[i].eps_over_var, change = fabs(rows[i].delta);
    if (ratio <= 1e-5 || ratio >= 10 || change == 0) continue;
    x[n] = log(ratio);
    y[n++] = log(change);
    low = fmin(low, change / ratio);
    high = fmax(high, change / ratio);
  }
  results_integer(results, (long long)n, "float%d.fit_points", bits);
  if (n < 2) return;
  stats_line(x, y, n, &slope, &intercept);
  results_double(results, slope, "float%d.slope", bits);
  results_double(results, exp(intercept), "float%d.constant", bits);
  results_double(results, low, "float%d.smallest_ratio", bits);
  results_double(results, high, "float%d.largest_ratio", bits);
}

static void measure_bits(const struct model *model, int bits,
                         struct results *results) {
  struct rng rng;
  struct row rows[SCALES];
  rng_seed(&rng, 0);
  struct final_state *state =
      final_state_new(model, bits, CORPUS_HELD_OUT, &rng, SEQUENCES);
  sweep(state, model->config.eps, rows);
  results_double(results, final_state_spread(state), "float%d.sigma0", bits);
  for (int i = 0; i < SCALES; i++) {
    const struct row *row = &rows[i];
    results_double(results, scales[i], "float%d.rows.%d.scale", bits, i);
    results_double(results, row->eps_over_var, "float%d.rows.%d.eps_over_var",
                   bits, i);
    results_double(results, row->loss, "float%d.rows.%d.loss", bits, i);
    results_double(results, row->delta, "float%d.rows.%d.delta", bits, i);
    results_double(results, row->delta / row->eps_over_var,
                   "float%d.rows.%d.ratio", bits, i);
  }
  record_fit(rows, bits, results);
  if (bits == 32) { /* the smallest change a float32 loss can show */
    float loss = (float)rows[2].loss;
    results_double(results, nextafterf(loss, INFINITY) - loss, "float32.ulp");
  }
  final_state_free(state);
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  (void)err;
  measure_bits(model, 64, results);
  measure_bits(model, 32, results);
  return 0;
}

int main(int argc, char **argv) {
  const struct study study = {.name = "scale_sweep",
                              .purpose = "Change of the loss when the final "
                                         "hidden state is scaled, over eight "
                                         "scales.",
                              .measure_model = measure};
  return study_main(&study, argc, argv);
}
