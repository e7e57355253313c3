/* What deleting a share s of a gradient costs of its length: lengths add in
 * quadrature, so 1 - sqrt(1 - s^2). Exact for g' = gain * g, which the
 * projector meets; at the shares of g itself, as published, under `g`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/gradient_share.h"
#include "analysis/random_plane.h"
#include "analysis/stats.h"
#include "analysis/study.h"
#include "report/base/memory.h"

enum { BATCHES = 4, SEQUENCES = 8 };

/* 1 - sqrt(1 - s^2) without cancellation at small s. */
static double cost(double share) {
  double square = share * share;
  return square / (1 + sqrt(1 - square));
}

static double random_median(const struct transformer_config *config) {
  double *shares = memory_alloc(RANDOM_PLANE_ROWS, sizeof *shares);
  random_plane_shares(0, RANDOM_PLANE_ROWS, config->C,
                      gradient_share_dimensions(config), shares);
  stats_sort(shares, RANDOM_PLANE_ROWS);
  double median = stats_median(shares, RANDOM_PLANE_ROWS);
  free(shares);
  return median;
}

static void record(const struct share_summary *share, const char *path,
                   struct results *results) {
  results_double(results, cost(share->median), "%s.median", path);
  results_double(results, cost(share->p90), "%s.p90", path);
  results_double(results, cost(share->max), "%s.max", path);
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  (void)err;
  size_t points = transformer_points(&model->config);
  struct gradient_share *shares = memory_alloc(points, sizeof *shares);
  double largest = 0, largest_g = 0;
  gradient_share_measure(model, BATCHES, SEQUENCES, shares);
  for (size_t n = 0; n < points; n++) {
    char name[TRANSFORMER_NAME], below[TRANSFORMER_NAME + 8];
    transformer_norm_name(&model->config, n, name);
    snprintf(below, sizeof below, "%s.g", name);
    record(&shares[n].gain_g, name, results);
    record(&shares[n].g, below, results);
    largest = fmax(largest, shares[n].gain_g.max);
    largest_g = fmax(largest_g, shares[n].g.max);
  }
  results_double(results, cost(random_median(&model->config)), "random_median");
  results_double(results, cost(largest), "largest");
  results_double(results, cost(largest_g), "largest_g");
  free(shares);
  return 0;
}

int main(int argc, char **argv) {
  const struct study study = {.name = "norm_cost",
                              .purpose = "Length a gradient loses to each "
                                         "norm's backward pass, at its shares.",
                              .measure_model = measure};
  return study_main(&study, argc, argv);
}
