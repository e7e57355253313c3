#include "analysis/ladder.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/stats.h"
#include "report/base/memory.h"

static double row_std(const double *x, size_t C) {
  double mean = stats_mean(x, C), sum = 0;
  for (size_t j = 0; j < C; j++)
    sum += (x[j] - mean) * (x[j] - mean);
  return sqrt(sum / (double)C);
}

void ladder_measure(const struct transformer_f64 *model,
                    const struct transformer_pass_f64 *pass,
                    struct ladder_point *points) {
  size_t C = model->config.C, rows = pass->B * pass->T;
  double *std = memory_alloc(rows, sizeof *std);
  for (size_t n = 0; n < transformer_points(&model->config); n++) {
    const double *x = transformer_residual_f64(model, pass, n);
    for (size_t i = 0; i < rows; i++)
      std[i] = row_std(x + i * C, C);
    stats_sort(std, rows);
    points[n].rms = stats_rms(x, rows * C);
    points[n].inv_sigma = 1 / stats_median(std, rows);
  }
  free(std);
}

double ladder_inv_row_rms(const struct transformer_f64 *model,
                          const struct transformer_pass_f64 *pass, size_t n) {
  size_t C = model->config.C, rows = pass->B * pass->T;
  const double *x = transformer_residual_f64(model, pass, n);
  double *rms = memory_alloc(rows, sizeof *rms);
  for (size_t i = 0; i < rows; i++)
    rms[i] = stats_rms(x + i * C, C);
  stats_sort(rms, rows);
  double median = stats_median(rms, rows);
  free(rms);
  return 1 / median;
}
