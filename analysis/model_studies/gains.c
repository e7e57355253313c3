/* Does the learned gain change what the norm's Jacobian deletes? The rank of
 * diag(gain) J, eps = 0, and the spread of its nonzero singular values, for
 * each norm at one random x. The gain's own extremes bound the spread. */
#include <math.h>
#include <stdlib.h>

#include "analysis/linalg.h"
#include "analysis/model.h"
#include "analysis/norm.h"
#include "analysis/rng.h"
#include "analysis/study.h"
#include "report/base/memory.h"

static const double tolerance = 1e-9; /* of the largest singular value */

/* Buffers for one norm of C features. */
struct workspace {
  int C;
  double *x, *s;    /* (C) */
  double *jacobian; /* (C, C) */
};

static struct workspace workspace_new(size_t C) {
  return (struct workspace){.C = (int)C,
                            .x = memory_alloc(C, sizeof(double)),
                            .s = memory_alloc(C, sizeof(double)),
                            .jacobian = memory_alloc(C * C, sizeof(double))};
}

static void workspace_free(struct workspace *w) {
  free(w->x);
  free(w->s);
  free(w->jacobian);
}

static void record_gain(const double *gain, int C, const char *name,
                        struct results *results) {
  double smallest = INFINITY, largest = 0;
  long long negative = 0;
  for (int i = 0; i < C; i++) {
    smallest = fmin(smallest, fabs(gain[i]));
    largest = fmax(largest, fabs(gain[i]));
    negative += gain[i] < 0;
  }
  results_double(results, smallest, "%s.gain_smallest", name);
  results_double(results, largest, "%s.gain_largest", name);
  results_integer(results, negative, "%s.gain_negative", name);
}

/* Returns the spread, or -1 with an error. */
static double measure_norm(const struct transformer_config *config,
                           const double *gain, struct workspace *w,
                           const char *name, struct results *results,
                           struct error *err) {
  enum norm_kind kind = transformer_norm_kind(config);
  norm_jacobian_f64(kind, w->C, 0, w->x, gain, w->jacobian, NULL);
  if (linalg_singular_values_f64(w->C, w->C, w->jacobian, w->s, err) < 0)
    return -1;
  int rank = linalg_rank_f64(w->C, w->s, tolerance);
  if (rank == 0) {
    error_set(err, "%s: all singular values of its Jacobian are 0", name);
    return -1;
  }
  double spread = w->s[0] / w->s[rank - 1];
  results_integer(results, rank, "%s.rank", name);
  results_double(results, spread, "%s.spread", name);
  record_gain(gain, w->C, name, results);
  return spread;
}

static int measure_norms(const struct model *model, struct workspace *w,
                         struct results *results, struct error *err) {
  const struct transformer_config *config = &model->config;
  struct transformer_f64 network = transformer_new_f64(config, model->wide);
  struct rng rng;
  rng_seed(&rng, 0);
  double smallest = INFINITY, largest = 0;
  int status = 0;
  for (size_t n = 0; n < transformer_points(config) && status == 0; n++) {
    char name[TRANSFORMER_NAME];
    transformer_norm_name(config, n, name);
    rng_normals(&rng, 0, 1, config->C, w->x);
    double spread = measure_norm(config, transformer_gain_f64(&network, n), w,
                                 name, results, err);
    if (spread < 0) status = -1;
    smallest = fmin(smallest, spread);
    largest = fmax(largest, spread);
  }
  results_double(results, smallest, "smallest_spread");
  results_double(results, largest, "largest_spread");
  transformer_free_f64(&network);
  return status;
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  results_double(results, tolerance, "tolerance");
  struct workspace workspace = workspace_new(model->config.C);
  int status = measure_norms(model, &workspace, results, err);
  workspace_free(&workspace);
  return status;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "gains",
      .purpose = "Rank and spread of each norm's Jacobian with its learned "
                 "gain.",
      .measure_model = measure};
  return study_main(&study, argc, argv);
}
