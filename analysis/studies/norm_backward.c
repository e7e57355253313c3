/* Gradients of LayerNorm and RMSNorm on one batch: a weighted checksum of
 * each, selected entries, and the closed form's largest distance from
 * automatic differentiation.
 *
 * The batch is made so that the known wrong formulas show (norm.c can be
 * compiled with each): gain is far from 1 and of both signs, bias far from 0,
 * sigma far from 1, there are 7 rows, and offsets up to 1e4 leave a one-pass
 * variance seven digits fewer than a two-pass one. dy is a multiple of 1/16,
 * so that dbias is exact. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linalg.h"
#include "analysis/norm_dual.h"
#include "analysis/rng.h"
#include "analysis/study.h"
#include "report/base/memory.h"

enum { ROWS = 7, WIDTH = 33, ENTRIES = ROWS * WIDTH };

/* dx (ROWS, WIDTH), then dgain, then dbias (WIDTH each), in one slab. */
enum { DGAIN = ENTRIES, DBIAS = DGAIN + WIDTH, GRADIENTS = DBIAS + WIDTH };

struct batch {
  double deviation[ENTRIES]; /* of x from the offset */
  double x[ENTRIES], dy[ENTRIES], gain[WIDTH], bias[WIDTH];
  double weights[GRADIENTS]; /* of the checksums */
  double closed[GRADIENTS], automatic[GRADIENTS];
};

static void draw(struct batch *batch) {
  struct rng rng;
  rng_seed(&rng, 0);
  rng_normals(&rng, 0, 2, ENTRIES, batch->deviation);
  rng_normals(&rng, 0, 16, ENTRIES, batch->dy);
  for (int i = 0; i < ENTRIES; i++)
    batch->dy[i] = rint(batch->dy[i]) / 16;
  rng_normals(&rng, 0, 1.5, WIDTH, batch->gain);
  rng_normals(&rng, 0, 1, WIDTH, batch->bias);
  rng_uniforms(&rng, -1, 1, GRADIENTS, batch->weights);
}

static void differentiate(struct batch *b, enum norm_kind kind, double offset,
                          double eps) {
  double y[ENTRIES], mean[ROWS], rstd[ROWS];
  for (int i = 0; i < ENTRIES; i++)
    b->x[i] = offset + b->deviation[i];
  norm_forward_f64(kind, ROWS, WIDTH, eps, b->x, b->gain, b->bias, y, mean,
                   rstd);
  memset(b->closed, 0, sizeof b->closed);
  norm_backward_f64(kind, ROWS, WIDTH, b->dy, b->x, b->gain, mean, rstd,
                    b->closed, b->closed + DGAIN, b->closed + DBIAS);
  norm_dual_backward(kind, ROWS, WIDTH, eps, b->dy, b->x, b->gain, b->bias,
                     b->automatic, b->automatic + DGAIN, b->automatic + DBIAS);
}

static double checksum(const struct batch *batch, int from, int to) {
  double sum = 0;
  for (int i = from; i < to; i++)
    sum += batch->weights[i] * batch->closed[i];
  return sum;
}

static double autodiff_error(const struct batch *batch, int from, int to) {
  return linalg_distance_f64(to - from, batch->closed + from,
                             batch->automatic + from);
}

static void add_gradient(struct results *results, const struct batch *batch,
                         const char *path, const char *name, int from, int to) {
  const double entries[] = {batch->closed[from], batch->closed[(from + to) / 2],
                            batch->closed[to - 1]};
  results_double(results, checksum(batch, from, to), "%s.%s.checksum", path,
                 name);
  results_doubles(results, entries, 3, "%s.%s.entries", path, name);
  results_double(results, autodiff_error(batch, from, to),
                 "%s.%s.autodiff_error", path, name);
}

static void measure_case(struct results *results, struct batch *batch,
                         enum norm_kind kind, double offset, double eps,
                         const char *path) {
  differentiate(batch, kind, offset, eps);
  add_gradient(results, batch, path, "dx", 0, ENTRIES);
  add_gradient(results, batch, path, "dgain", DGAIN, DBIAS);
  if (kind == NORM_LAYER)
    add_gradient(results, batch, path, "dbias", DBIAS, GRADIENTS);
}

static int measure(struct results *results, struct error *err) {
  (void)err;
  static const struct {
    enum norm_kind kind;
    double offset, eps;
    const char *path;
  } cases[] = {
      {NORM_LAYER, 0, 0, "layernorm.offset_0.eps_0"},
      {NORM_LAYER, 0, 1e-5, "layernorm.offset_0.eps_1e-5"},
      {NORM_LAYER, 1e2, 0, "layernorm.offset_1e2.eps_0"},
      {NORM_LAYER, 1e2, 1e-5, "layernorm.offset_1e2.eps_1e-5"},
      {NORM_LAYER, 1e4, 0, "layernorm.offset_1e4.eps_0"},
      {NORM_LAYER, 1e4, 1e-5, "layernorm.offset_1e4.eps_1e-5"},
      {NORM_RMS, 0, 0, "rmsnorm.offset_0.eps_0"},
      {NORM_RMS, 0, 1e-5, "rmsnorm.offset_0.eps_1e-5"},
      {NORM_RMS, 1e2, 0, "rmsnorm.offset_1e2.eps_0"},
      {NORM_RMS, 1e2, 1e-5, "rmsnorm.offset_1e2.eps_1e-5"},
      {NORM_RMS, 1e4, 0, "rmsnorm.offset_1e4.eps_0"},
      {NORM_RMS, 1e4, 1e-5, "rmsnorm.offset_1e4.eps_1e-5"},
  };
  struct batch *batch = memory_alloc(1, sizeof *batch);
  draw(batch);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    measure_case(results, batch, cases[i].kind, cases[i].offset, cases[i].eps,
                 cases[i].path);
  free(batch);
  return 0;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "norm_backward",
      .purpose = "Gradients of LayerNorm and RMSNorm: closed forms and their "
                 "distance from\nautomatic differentiation.",
      .measure = measure};
  return study_main(&study, argc, argv);
}
