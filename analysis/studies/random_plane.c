/* How much of a random direction lies in a fixed plane: the baseline for the
 * share of a gradient that LayerNorm deletes. A uniformly random unit vector
 * of d dimensions has squared share ~ Beta(1, (d - 2)/2) in any 2-plane, so
 * the quantiles are known exactly too: share(q) = sqrt(1 - (1-q)^(2/(d-2))),
 * rms sqrt(2/d). */
#include <math.h>
#include <stdlib.h>

#include "analysis/random_plane.h"
#include "analysis/stats.h"
#include "analysis/study.h"
#include "report/base/memory.h"

enum { D = RANDOM_PLANE_WIDTH, DRAWS = RANDOM_PLANE_ROWS };

static double exact_quantile(double q) {
  return sqrt(1 - pow(1 - q, 2.0 / (D - 2)));
}

static int measure(struct results *results, struct error *err) {
  (void)err;
  double *shares = memory_alloc(DRAWS, sizeof *shares);
  random_plane_shares(0, DRAWS, D, 2, shares);

  results_integer(results, D, "d");
  results_integer(results, DRAWS, "draws");
  results_double(results, stats_rms(shares, DRAWS), "rms");
  stats_sort(shares, DRAWS);
  results_double(results, stats_median(shares, DRAWS), "median");
  results_double(results, stats_quantile(shares, DRAWS, 0.9), "p90");
  results_double(results, shares[DRAWS - 1], "max");
  results_double(results, sqrt(2.0 / D), "exact.rms");
  results_double(results, exact_quantile(0.5), "exact.median");
  results_double(results, exact_quantile(0.9), "exact.p90");
  free(shares);
  return 0;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "random_plane",
      .purpose = "Share of a random direction's length that lies in a plane.",
      .measure = measure};
  return study_main(&study, argc, argv);
}
