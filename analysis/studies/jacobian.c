/* The LayerNorm Jacobian at one vector, eps = 0:
 *
 *   J = (I - 11'/d - xhat xhat'/d) / sigma
 *
 * is 1/sigma times the projector off the plane of 1 and xhat: rank d - 2, all
 * nonzero singular values 1/sigma. With eps > 0 the direction xhat survives,
 * its singular value being 1/sigma times eps/(var + eps); RMSNorm has that
 * direction alone. The closed form is held against automatic differentiation.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/linalg.h"
#include "analysis/norm_dual.h"
#include "analysis/rng.h"
#include "analysis/stats.h"
#include "analysis/study.h"
#include "report/base/memory.h"

enum { D = 128, D_AUTODIFF = 8 };
static const double tolerance = 1e-9; /* of the largest singular value */
static const double model_eps = 1e-5;

/* Jacobian, xhat and singular values of one norm at one x. */
struct spectrum {
  double jacobian[D * D], xhat[D], s[D], inv_sigma;
  int rank;
};

static int measure_spectrum(enum norm_kind kind, double eps, const double *x,
                            struct spectrum *out, struct error *err) {
  double y[D], mean;
  norm_forward_f64(kind, 1, D, eps, x, NULL, NULL, y, &mean, &out->inv_sigma);
  norm_jacobian_f64(kind, D, eps, x, NULL, out->jacobian, out->xhat);
  if (linalg_singular_values_f64(D, D, out->jacobian, out->s, err) < 0)
    return -1;
  out->rank = linalg_rank_f64(D, out->s, tolerance);
  return 0;
}

/* The largest entry of J v. */
static double largest_image(const struct spectrum *spectrum, const double *v) {
  double image[D];
  linalg_gemv_f64(LINALG_PLAIN, D, D, 1, spectrum->jacobian, D, v, 0, image);
  return linalg_largest_f64(D, image);
}

static double null_residual(const struct spectrum *spectrum) {
  double ones[D], worst = 0;
  for (int i = 0; i < D; i++)
    ones[i] = 1;
  stats_keep_worst(&worst, largest_image(spectrum, ones));
  stats_keep_worst(&worst, largest_image(spectrum, spectrum->xhat));
  return worst;
}

static double autodiff_error(enum norm_kind kind) {
  double x[D_AUTODIFF], closed[D_AUTODIFF * D_AUTODIFF];
  double automatic[D_AUTODIFF * D_AUTODIFF];
  struct rng rng;
  rng_seed(&rng, 0);
  rng_normals(&rng, 0, 1, D_AUTODIFF, x);
  norm_jacobian_f64(kind, D_AUTODIFF, 0, x, NULL, closed, NULL);
  norm_dual_jacobian(kind, D_AUTODIFF, 0, x, NULL, automatic);
  return linalg_distance_f64(D_AUTODIFF * D_AUTODIFF, closed, automatic);
}

/* The singular value that eps leaves along xhat: eps / sigma^3. */
static double survivor(const struct spectrum *spectrum, double eps) {
  return eps * pow(spectrum->inv_sigma, 3);
}

static void add_with_eps(struct results *results, const char *path,
                         const struct spectrum *spectrum) {
  results_integer(results, spectrum->rank, "%s.rank", path);
  results_double(results, spectrum->s[0], "%s.largest", path);
  results_double(results, spectrum->s[spectrum->rank - 1], "%s.smallest", path);
  results_double(results, survivor(spectrum, model_eps), "%s.predicted", path);
}

static void add_without_eps(struct results *results,
                            const struct spectrum *spectrum) {
  results_integer(results, spectrum->rank, "rank");
  results_double(results, spectrum->s[0], "largest");
  results_double(results, spectrum->s[spectrum->rank - 1], "smallest_nonzero");
  results_double(results, spectrum->inv_sigma, "inv_sigma");
  results_double(results, null_residual(spectrum), "null_residual");
}

static int measure_all(struct spectrum *spectrum, struct results *results,
                       struct error *err) {
  double x[D];
  struct rng rng;
  rng_seed(&rng, 0);
  rng_normals(&rng, 0, 2, D, x);

  if (measure_spectrum(NORM_LAYER, 0, x, spectrum, err) < 0) return -1;
  add_without_eps(results, spectrum);
  if (measure_spectrum(NORM_LAYER, model_eps, x, spectrum, err) < 0) return -1;
  add_with_eps(results, "with_eps", spectrum);
  if (measure_spectrum(NORM_RMS, 0, x, spectrum, err) < 0) return -1;
  results_integer(results, spectrum->rank, "rmsnorm.rank");
  if (measure_spectrum(NORM_RMS, model_eps, x, spectrum, err) < 0) return -1;
  add_with_eps(results, "rmsnorm.with_eps", spectrum);
  return 0;
}

static int measure(struct results *results, struct error *err) {
  results_integer(results, D, "d");
  results_double(results, tolerance, "tolerance");
  results_double(results, model_eps, "with_eps.eps");
  struct spectrum *spectrum = memory_alloc(1, sizeof *spectrum);
  int status = measure_all(spectrum, results, err);
  free(spectrum);
  results_double(results, autodiff_error(NORM_LAYER), "autodiff_error");
  results_double(results, autodiff_error(NORM_RMS), "rmsnorm.autodiff_error");
  return status;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "jacobian",
      .purpose = "Rank and singular values of the LayerNorm Jacobian, and its "
                 "closed form\nagainst automatic differentiation.",
      .measure = measure};
  return study_main(&study, argc, argv);
}
