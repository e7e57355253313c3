/* The share of the real gradient that each norm's backward pass deletes, beside
 * the share a random direction has. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/gradient_share.h"
#include "analysis/random_plane.h"
#include "analysis/study.h"
#include "report/base/memory.h"

enum { BATCHES = 4, SEQUENCES = 8 };

static double random_max(const struct transformer_config *config) {
  double max = 0, *shares = memory_alloc(RANDOM_PLANE_ROWS, sizeof *shares);
  random_plane_shares(0, RANDOM_PLANE_ROWS, config->C,
                      gradient_share_dimensions(config), shares);
  for (size_t r = 0; r < RANDOM_PLANE_ROWS; r++)
    max = fmax(max, shares[r]);
  free(shares);
  return max;
}

static void record_summary(const struct share_summary *share, const char *path,
                           struct results *results) {
  results_double(results, share->median, "%s.median", path);
  results_double(results, share->p90, "%s.p90", path);
  results_double(results, share->max, "%s.max", path);
  results_integer(results, (long long)share->rows, "%s.rows", path);
}

static void record_norms(const struct model *model,
                         const struct gradient_share *shares,
                         struct results *results) {
  for (size_t n = 0; n < transformer_points(&model->config); n++) {
    char name[TRANSFORMER_NAME], below[TRANSFORMER_NAME + 8];
    transformer_norm_name(&model->config, n, name);
    snprintf(below, sizeof below, "%s.gain_g", name);
    record_summary(&shares[n].g, name, results);
    record_summary(&shares[n].gain_g, below, results);
    results_double(results, shares[n].inv_sigma_median, "%s.inv_sigma_median",
                   name);
  }
}

/* Over all norms: the range of the medians and of the maxima, and how many
 * norms have a row beyond every random direction. */
static void record_range(const struct share_summary *shares, size_t points,
                         double random, const char *path,
                         struct results *results) {
  double low = INFINITY, high = 0, max = 0, least_max = INFINITY;
  long long above = 0;
  for (size_t n = 0; n < points; n++) {
    const struct share_summary *share = &shares[n];
    low = fmin(low, share->median);
    high = fmax(high, share->median);
    max = fmax(max, share->max);
    least_max = fmin(least_max, share->max);
    above += share->max > random;
  }
  results_double(results, low, "%s.smallest_median", path);
  results_double(results, high, "%s.largest_median", path);
  results_double(results, least_max, "%s.smallest_max", path);
  results_double(results, max, "%s.largest_max", path);
  results_integer(results, above, "%s.norms_above_random_max", path);
}

static void record_ranges(const struct model *model,
                          const struct gradient_share *shares, double random,
                          struct results *results) {
  size_t points = transformer_points(&model->config);
  struct share_summary *g = memory_alloc(2 * points, sizeof *g);
  struct share_summary *gain_g = g + points;
  for (size_t n = 0; n < points; n++) {
    g[n] = shares[n].g;
    gain_g[n] = shares[n].gain_g;
  }
  results_integer(results, (long long)points, "norms");
  record_range(g, points, random, "all.g", results);
  record_range(gain_g, points, random, "all.gain_g", results);
  free(g);
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  (void)err;
  size_t points = transformer_points(&model->config);
  struct gradient_share *shares = memory_alloc(points, sizeof *shares);
  double random = random_max(&model->config);
  gradient_share_measure(model, BATCHES, SEQUENCES, shares);
  record_norms(model, shares, results);
  results_integer(results, (long long)gradient_share_dimensions(&model->config),
                  "dimensions");
  results_double(results, random, "random_max");
  record_ranges(model, shares, random, results);
  free(shares);
  return 0;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "gradient_share",
      .purpose =
          "Share of the gradient at each norm that its backward pass deletes.",
      .measure_model = measure};
  return study_main(&study, argc, argv);
}
