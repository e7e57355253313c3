/* Is a block rank-deficient because of its norm? Jacobians, at the last
 * position of one held-out sequence, of the first block's output by its input
 * there, and of its branch attn(ln1(x)) alone.
 *
 * The branch's singular values fall without a gap, so its rank is a statement
 * about the tolerance: the whole spectrum is recorded, with the ranks at nine
 * tolerances in float64 and float32. */
#include "analysis/block_spectrum.h"
#include "analysis/linalg.h"
#include "analysis/study.h"

static const double tolerance = 1e-6; /* of the largest singular value */
static const double tolerances[] = {1e-4, 1e-5,  1e-6,  1e-7, 1e-8,
                                    1e-9, 1e-10, 1e-11, 1e-12};
enum { TOLERANCES = sizeof tolerances / sizeof *tolerances };

static void record_precision(const struct block_spectrum *s, const char *path,
                             struct results *results) {
  int C = s->C;
  results_integer(results, linalg_rank_f64(C, s->branch, tolerance),
                  "%sbranch_rank", path);
  results_integer(results, linalg_rank_f64(C, s->whole, tolerance),
                  "%sblock_rank", path);
  results_double(results, s->whole[C - 1], "%sblock_smallest", path);
  results_double(results, s->whole[0], "%sblock_largest", path);
  results_double(results, s->branch[0], "%sbranch_largest", path);
}

static void record_tolerances(const struct block_spectrum *wide,
                              const struct block_spectrum *narrow,
                              struct results *results) {
  int C = wide->C;
  for (int i = 0; i < TOLERANCES; i++) {
    double t = tolerances[i];
    results_double(results, t, "ranks.%d.tolerance", i);
    results_integer(results, linalg_rank_f64(C, wide->branch, t),
                    "ranks.%d.branch", i);
    results_integer(results, linalg_rank_f64(C, wide->whole, t),
                    "ranks.%d.block", i);
    results_integer(results, linalg_rank_f64(C, narrow->branch, t),
                    "ranks.%d.branch_float32", i);
  }
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  struct block_spectrum wide = {0}, narrow = {0};
  int status = block_spectrum_f64(model, 0, &wide, err);
  if (status == 0) status = block_spectrum_f32(model, 0, &narrow, err);
  if (status == 0) {
    results_double(results, tolerance, "tolerance");
    record_precision(&wide, "", results);
    record_precision(&narrow, "float32.", results);
    record_tolerances(&wide, &narrow, results);
    results_doubles(results, wide.branch, (size_t)wide.C, "branch_spectrum");
    results_doubles(results, wide.whole, (size_t)wide.C, "block_spectrum");
  }
  block_spectrum_free(&wide);
  block_spectrum_free(&narrow);
  return status;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "block_rank",
      .purpose = "Singular values of the first block's Jacobian and of its "
                 "attention branch's.",
      .measure_model = measure};
  return study_main(&study, argc, argv);
}
