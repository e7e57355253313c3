/* Is a block rank-deficient because of its norm? Jacobians, at the last
 * position of one held-out sequence, of the first block's output by its input
 * there, and of its branch attn(ln1(x)) alone.
 *
 * The branch's singular values fall without a gap, so its rank is a statement
 * about the tolerance: the whole spectrum is recorded, with the ranks at ten
 * tolerances in float64 and float32. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/linalg.h"
#include "analysis/model.h"
#include "analysis/rng.h"
#include "analysis/study.h"
#include "report/base/memory.h"

static const double tolerance = 1e-6; /* of the largest singular value */
static const double tolerances[] = {1e-4, 1e-5,  1e-6,  1e-7, 1e-8,
                                    1e-9, 1e-10, 1e-11, 1e-12};
enum { TOLERANCES = sizeof tolerances / sizeof *tolerances };

/* Singular values (C) of the two Jacobians. */
struct spectra {
  int C;
  double *branch, *block;
};

static struct spectra spectra_new(size_t C) {
  double *slab = memory_alloc(2 * C, sizeof *slab);
  return (struct spectra){(int)C, slab, slab + C};
}

static void spectra_free(struct spectra *spectra) {
  free(spectra->branch);
}

#define REAL_BITS 32
#include "analysis/real.h"
#include "analysis/model_studies/block_rank.inc"
#undef REAL_BITS
#define REAL_BITS 64
#include "analysis/real.h"
#include "analysis/model_studies/block_rank.inc"

static void record_precision(const struct spectra *s, const char *path,
                             struct results *results) {
  int C = s->C;
  results_integer(results, linalg_rank_f64(C, s->branch, tolerance),
                  "%sbranch_rank", path);
  results_integer(results, linalg_rank_f64(C, s->block, tolerance),
                  "%sblock_rank", path);
  results_double(results, s->block[C - 1], "%sblock_smallest", path);
  results_double(results, s->block[0], "%sblock_largest", path);
  results_double(results, s->branch[0], "%sbranch_largest", path);
}

static void record_tolerances(const struct spectra *wide,
                              const struct spectra *narrow,
                              struct results *results) {
  int C = wide->C;
  for (int i = 0; i < TOLERANCES; i++) {
    double t = tolerances[i];
    results_double(results, t, "ranks.%d.tolerance", i);
    results_integer(results, linalg_rank_f64(C, wide->branch, t),
                    "ranks.%d.branch", i);
    results_integer(results, linalg_rank_f64(C, wide->block, t),
                    "ranks.%d.block", i);
    results_integer(results, linalg_rank_f64(C, narrow->branch, t),
                    "ranks.%d.branch_float32", i);
  }
}

static int measure_model(const struct model *model, struct results *results,
                         struct error *err) {
  size_t C = model->config.C;
  struct spectra wide = spectra_new(C), narrow = spectra_new(C);
  int status = measure_spectra_f64(model, model->wide, &wide, err);
  if (status == 0)
    status = measure_spectra_f32(model, model->weights, &narrow, err);
  if (status == 0) {
    results_double(results, tolerance, "tolerance");
    record_precision(&wide, "", results);
    record_precision(&narrow, "float32.", results);
    record_tolerances(&wide, &narrow, results);
    results_doubles(results, wide.branch, C, "branch_spectrum");
    results_doubles(results, wide.block, C, "block_spectrum");
  }
  spectra_free(&wide);
  spectra_free(&narrow);
  return status;
}

static int measure(const struct study_run *run, struct results *results,
                   struct error *err) {
  struct model model;
  if (model_load(run->models, run->corpora, run->model, &model, err) != 0)
    return -1;
  model_record(&model, results);
  int status = measure_model(&model, results, err);
  model_free(&model);
  return status;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "block_rank",
      .purpose = "Singular values of the first block's Jacobian and of its "
                 "attention branch's.",
      .measure = measure,
      .on_model = true};
  return study_main(&study, argc, argv);
}
