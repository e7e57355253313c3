/* Does the smallest singular value of the residual stream survive from block to
 * block? The matrix (tokens, features) at each depth point, as it is and less
 * its mean over the tokens, of the trained model and of untrained weights.
 *
 * The embedding is a token's row plus a position's, so its matrix has at most
 * tokens + positions - 1 independent rows (one less without its mean). Where
 * those are fewer than the features its smallest singular value is 0, what is
 * computed is rounding, and no ratio begins there: then the first ratio is
 * that of b1 to b0, and what stands for the embedding is its smallest singular
 * value that is not 0. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/held_out_states.h"
#include "analysis/linalg.h"
#include "analysis/study.h"
#include "analysis/tall_svd.h"
#include "report/base/memory.h"

/* Ranks count singular values above this part of the largest. */
static double tolerance(int bits) {
  return bits == 32 ? 1e-5 : 1e-12;
}

/* The spectra of one set of weights in one precision. */
struct spectra {
  size_t rows, C, points;
  int bits;
  struct held_out_states_f32 narrow;
  struct held_out_states_f64 wide;
  void *centred;  /* (rows, C) of the precision */
  void *narrowed; /* (C) float */
  double *values; /* (2, points, C): as it is, centred */
};

static int narrow_values(const struct spectra *s, const float *matrix,
                         double *values, struct error *err) {
  float *narrow = s->narrowed;
  int status = tall_svd_f32((int)s->rows, (int)s->C, matrix, narrow, NULL, err);
  for (size_t i = 0; i < s->C && status == 0; i++)
    values[i] = (double)narrow[i];
  return status;
}

static int measure_point(struct spectra *s, size_t n, struct error *err) {
  size_t at = n * s->rows * s->C;
  int m = (int)s->rows, C = (int)s->C;
  double *values = s->values + n * s->C;
  double *centred = s->values + (s->points + n) * s->C;
  if (s->bits == 32) {
    const float *x = s->narrow.residual + at;
    if (narrow_values(s, x, values, err) != 0) return -1;
    tall_centre_f32(m, C, x, s->centred);
    return narrow_values(s, s->centred, centred, err);
  }
  const double *x = s->wide.residual + at;
  if (tall_svd_f64(m, C, x, values, NULL, err) != 0) return -1;
  tall_centre_f64(m, C, x, s->centred);
  return tall_svd_f64(m, C, s->centred, centred, NULL, err);
}

static int measure_spectra(const struct model *model,
                           const struct held_out *text, int bits,
                           struct spectra *s, struct error *err) {
  size_t C = model->config.C, points = transformer_points(&model->config);
  *s = (struct spectra){
      .rows = text->rows, .C = C, .points = points, .bits = bits};
  if (bits == 32)
    s->narrow = held_out_states_run_f32(model, text, true);
  else
    s->wide = held_out_states_run_f64(model, text, true);
  s->centred = memory_alloc(s->rows * C, sizeof(double));
  s->narrowed = memory_alloc(C, sizeof(float));
  s->values = memory_alloc(2 * points * C, sizeof *s->values);
  for (size_t n = 0; n < points; n++)
    if (measure_point(s, n, err) != 0) return -1;
  return 0;
}

static void spectra_free(struct spectra *s) {
  held_out_states_free_f32(&s->narrow);
  held_out_states_free_f64(&s->wide);
  free(s->centred);
  free(s->narrowed);
  free(s->values);
}

/* ---- records ---- */

static void record_points(const struct spectra *s, const double *values,
                          const char *path, struct results *results) {
  for (size_t n = 0; n < s->points; n++) {
    const double *v = values + n * s->C;
    char name[TRANSFORMER_NAME];
    transformer_point_name(n, name);
    results_double(results, v[s->C - 1], "%s.points.%s.smallest", path, name);
    results_double(results, v[0], "%s.points.%s.largest", path, name);
    results_double(results, v[s->C - 1] / v[0], "%s.points.%s.relative", path,
                   name);
    results_integer(results, linalg_rank_f64((int)s->C, v, tolerance(s->bits)),
                    "%s.points.%s.rank", path, name);
  }
}

/* After each block over before it, as far as the latter is not 0. */
static void record_ratios(const struct spectra *s, const double *values,
                          size_t bound, const char *path,
                          struct results *results) {
  size_t last = s->C - 1;
  for (size_t n = bound < s->C ? 4 : 2; n < s->points; n += 2) {
    char name[TRANSFORMER_NAME];
    transformer_point_name(n, name);
    results_double(results,
                   values[n * s->C + last] / values[(n - 2) * s->C + last],
                   "%s.ratios.%s", path, name);
  }
}

static void record_embedding(const struct spectra *s, const double *values,
                             size_t bound, const char *path,
                             struct results *results) {
  size_t rank = bound < s->C ? bound : s->C;
  results_integer(results, (long long)rank, "%s.embedding.rank", path);
  results_double(results, values[rank - 1], "%s.embedding.smallest_nonzero",
                 path);
}

static void record_spectra(const struct spectra *s, const char *when,
                           size_t bound, struct results *results) {
  const double *centred = s->values + s->points * s->C;
  char path[64];
  snprintf(path, sizeof path, "%s.float%d.uncentred", when, s->bits);
  record_points(s, s->values, path, results);
  record_ratios(s, s->values, bound, path, results);
  record_embedding(s, s->values, bound, path, results);
  snprintf(path, sizeof path, "%s.float%d.centred", when, s->bits);
  record_points(s, centred, path, results);
  record_ratios(s, centred, bound - 1, path, results);
  record_embedding(s, centred, bound - 1, path, results);
}

static int measure_weights(const struct model *model,
                           const struct held_out *text, const char *when,
                           struct results *results, struct error *err) {
  size_t bound = held_out_distinct(text) + text->T - 1;
  int status = 0;
  for (int bits = 64; bits >= 32 && status == 0; bits -= 32) {
    struct spectra spectra;
    status = measure_spectra(model, text, bits, &spectra, err);
    if (status == 0) record_spectra(&spectra, when, bound, results);
    spectra_free(&spectra);
  }
  return status;
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  struct held_out text = held_out_draw(model);
  struct model untrained = model_untrained(model, MODEL_START_SEED);
  results_integer(results, (long long)held_out_distinct(&text),
                  "distinct_tokens");
  results_integer(results, (long long)text.T, "positions");
  results_integer(results, MODEL_START_SEED, "initial.seed");
  results_double(results, tolerance(64), "tolerance.float64");
  results_double(results, tolerance(32), "tolerance.float32");
  int status = measure_weights(model, &text, "trained", results, err);
  if (status == 0)
    status = measure_weights(&untrained, &text, "initial", results, err);
  model_untrained_free(&untrained);
  held_out_free(&text);
  return status;
}

int main(int argc, char **argv) {
  const struct study study = {.name = "residual_minimum",
                              .purpose = "Smallest singular value of the "
                                         "residual stream at each depth.",
                              .measure_model = measure};
  return study_main(&study, argc, argv);
}
