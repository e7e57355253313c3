#include "analysis/gradient_share.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/norm.h"
#include "analysis/rng.h"
#include "analysis/stats.h"
#include "report/base/memory.h"

size_t gradient_share_dimensions(const struct transformer_config *config) {
  return config->rms ? 1 : 2;
}

/* Share of g (d) in the plane; -1 for g = 0. gain NULL: ones. */
static double row_share(const double *g, const double *gain, const double *xhat,
                        size_t d, bool rms) {
  double ones = 0, radial = 0, length = 0;
  for (size_t i = 0; i < d; i++) {
    double x = gain == NULL ? g[i] : gain[i] * g[i];
    ones += x;
    radial += x * xhat[i];
    length += x * x;
  }
  if (length == 0) return -1;
  double inside = radial * radial + (rms ? 0 : ones * ones);
  return sqrt(inside / (double)d / length);
}

/* What is gathered of one norm over all batches. */
struct sample {
  double *g, *gain_g, *inv_sigma; /* (rows) */
  size_t g_rows, gain_g_rows, rows;
};

/* Drops -1, keeps NaN. */
static void add_share(double *shares, size_t *count, double share) {
  if (!(share < 0)) shares[(*count)++] = share;
}

static void gather(const struct transformer_f64 *model,
                   const struct transformer_pass_f64 *pass, size_t n,
                   double *xhat, struct sample *sample) {
  const struct transformer_config *config = &model->config;
  size_t rows = pass->B * pass->T, d = config->C;
  const double *dy = transformer_dy_f64(model, pass, n);
  const double *gain = transformer_gain_f64(model, n);
  const double *rstd = pass->inv_sigma + n * rows;
  norm_xhat_f64(transformer_norm_kind(config), (int)rows, (int)d,
                transformer_residual_f64(model, pass, n), pass->mean + n * rows,
                rstd, xhat);
  for (size_t r = 0; r < rows; r++) {
    const double *g = dy + r * d, *direction = xhat + r * d;
    add_share(sample->g, &sample->g_rows,
              row_share(g, NULL, direction, d, config->rms));
    add_share(sample->gain_g, &sample->gain_g_rows,
              row_share(g, gain, direction, d, config->rms));
    sample->inv_sigma[sample->rows++] = rstd[r];
  }
}

static struct share_summary summarise(double *shares, size_t rows) {
  if (rows == 0) return (struct share_summary){0};
  stats_sort(shares, rows);
  return (struct share_summary){.median = stats_median(shares, rows),
                                .p90 = stats_quantile(shares, rows, 0.9),
                                .max = shares[rows - 1],
                                .rows = rows};
}

static struct gradient_share close_sample(struct sample *sample) {
  stats_sort(sample->inv_sigma, sample->rows);
  return (struct gradient_share){
      .g = summarise(sample->g, sample->g_rows),
      .gain_g = summarise(sample->gain_g, sample->gain_g_rows),
      .inv_sigma_median = stats_median(sample->inv_sigma, sample->rows)};
}

void gradient_share_measure(const struct model *model, size_t batches,
                            size_t sequences, struct gradient_share *shares) {
  const struct transformer_config *config = &model->config;
  size_t points = transformer_points(config), rows = sequences * config->T;
  struct transformer_f64 network = transformer_new_f64(config, model->wide);
  struct transformer_pass_f64 pass =
      transformer_pass_new_f64(config, sequences, config->T);
  int *x = memory_alloc(2 * rows, sizeof *x), *y = x + rows;
  double *xhat = memory_alloc(rows * config->C, sizeof *xhat);
  double *slab = memory_alloc(points * 3 * batches * rows, sizeof *slab);
  struct sample *samples = memory_alloc(points, sizeof *samples);
  for (size_t n = 0; n < points; n++) {
    samples[n].g = slab + 3 * n * batches * rows;
    samples[n].gain_g = samples[n].g + batches * rows;
    samples[n].inv_sigma = samples[n].gain_g + batches * rows;
  }
  struct rng rng;
  rng_seed(&rng, 0);
  for (size_t i = 0; i < batches; i++) {
    corpus_batch(&model->corpus, CORPUS_HELD_OUT, &rng, sequences, config->T, x,
                 y);
    transformer_forward_f64(&network, &pass, x, y);
    transformer_backward_f64(&network, &pass, x, y, 1.0 / (double)rows, NULL);
    for (size_t n = 0; n < points; n++)
      gather(&network, &pass, n, xhat, &samples[n]);
  }
  for (size_t n = 0; n < points; n++)
    shares[n] = close_sample(&samples[n]);
  free(samples);
  free(slab);
  free(xhat);
  free(x);
  transformer_pass_free_f64(&pass);
  transformer_free_f64(&network);
}
