/* How much of a random direction lies in a fixed plane: the baseline for the
 * share of a gradient that LayerNorm deletes. A uniformly random unit vector
 * of d dimensions has squared share ~ Beta(1, (d - 2)/2) in any 2-plane, so
 * the quantiles are known exactly too: share(q) = sqrt(1 - (1-q)^(2/(d-2))),
 * rms sqrt(2/d). */
#include <math.h>
#include <stdlib.h>

#include "analysis/linalg.h"
#include "analysis/rng.h"
#include "analysis/stats.h"
#include "analysis/study.h"
#include "report/base/memory.h"

enum { D = 128, DRAWS = 200000 };

static double share(struct rng *rng) {
  double row[D];
  rng_normals(rng, 0, 1, D, row);
  return linalg_norm2_f64(2, row) / linalg_norm2_f64(D, row);
}

static double exact_quantile(double q) {
  return sqrt(1 - pow(1 - q, 2.0 / (D - 2)));
}

static int measure(const struct study_run *run, struct results *results,
                   struct error *err) {
  (void)run;
  (void)err;
  double *shares = memory_alloc(DRAWS, sizeof *shares);
  struct rng rng;
  rng_seed(&rng, 0);
  for (int i = 0; i < DRAWS; i++)
    shares[i] = share(&rng);

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
