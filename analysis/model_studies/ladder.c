/* How the residual stream grows with depth, and 1/sigma, the one factor in a
 * norm's Jacobian that varies from place to place, falls with it. For a model
 * of RMSNorms that factor is one over the rows' root mean square: recorded
 * beside 1/sigma, which stays comparable between models. */
#include <stdlib.h>

#include "analysis/ladder.h"
#include "analysis/model.h"
#include "analysis/study.h"
#include "report/base/memory.h"

enum { SEQUENCES = 8 };

static void run_forward(const struct model *model,
                        const struct transformer_f64 *network,
                        struct transformer_pass_f64 *pass) {
  int *x = corpus_held_out(&model->corpus, 0, SEQUENCES, model->config.T);
  transformer_forward_f64(network, pass, x, NULL);
  free(x);
}

static void record(const struct ladder_point *points, size_t count,
                   struct results *results) {
  for (size_t n = 0; n < count; n++) {
    char name[TRANSFORMER_NAME];
    transformer_point_name(n, name);
    results_double(results, points[n].rms, "points.%s.rms", name);
    results_double(results, points[n].inv_sigma, "points.%s.inv_sigma", name);
  }
  const struct ladder_point *last = &points[count - 1];
  results_double(results, last->rms / points[0].rms, "growth");
  results_double(results, points[0].inv_sigma / last->inv_sigma, "attenuation");
}

static void record_row_rms(const struct transformer_f64 *network,
                           const struct transformer_pass_f64 *pass,
                           struct results *results) {
  size_t last = transformer_points(&network->config) - 1;
  for (size_t n = 0; n <= last; n++) {
    char name[TRANSFORMER_NAME];
    transformer_point_name(n, name);
    results_double(results, ladder_inv_row_rms(network, pass, n),
                   "points.%s.inv_row_rms", name);
  }
  results_double(results,
                 ladder_inv_row_rms(network, pass, 0) /
                     ladder_inv_row_rms(network, pass, last),
                 "row_rms_attenuation");
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  (void)err;
  const struct transformer_config *config = &model->config;
  size_t count = transformer_points(config);
  struct transformer_f64 network = transformer_new_f64(config, model->wide);
  struct transformer_pass_f64 pass =
      transformer_pass_new_f64(config, SEQUENCES, config->T);
  struct ladder_point *points = memory_alloc(count, sizeof *points);
  run_forward(model, &network, &pass);
  ladder_measure(&network, &pass, points);
  record(points, count, results);
  if (config->rms) record_row_rms(&network, &pass, results);
  free(points);
  transformer_pass_free_f64(&pass);
  transformer_free_f64(&network);
  return 0;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "ladder",
      .purpose = "Size of the residual stream and 1/sigma at each depth.",
      .measure_model = measure};
  return study_main(&study, argc, argv);
}
