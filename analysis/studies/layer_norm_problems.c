/* The answers of templates/problems/layer-norm-backward.md, each against
 * automatic differentiation of the definitions, and its four mistakes.
 *
 * An error is the largest entry of (answer - derivative), over the largest
 * entry of the derivative (or 1, if that is larger) and over 1 + |x|/sigma,
 * which is by how much centring magnifies the rounding of x. It is the worst
 * over all instances: widths 1 to 257, offsets to 1e4, eps 0 to 0.1, spread
 * and constant rows, gains of both signs with a zero among them. */
#include <math.h>
#include <stdlib.h>

#include "analysis/linalg.h"
#include "analysis/norm_dual.h"
#include "analysis/rng.h"
#include "analysis/stats.h"
#include "analysis/study.h"
#include "report/base/memory.h"

enum { MAX_N = 257, ROWS = 3, PROBLEMS = 10, MISTAKES = 4 };

/* What the problems name for one token. */
struct token {
  const double *x, *g;
  double mean, v, sigma;
  double xhat[MAX_N], gp[MAX_N]; /* g' = gain * g */
};

/* A batch of ROWS tokens and its gradients by automatic differentiation;
 * problems about one token take the first. */
struct instance {
  int n;
  double eps;
  bool ordinary; /* the one that shows by how much mistakes are wrong */
  double x[ROWS * MAX_N], g[ROWS * MAX_N], gain[MAX_N], bias[MAX_N];
  struct token tokens[ROWS];
  double dx[ROWS * MAX_N], dgain[MAX_N], dbias[MAX_N];
  double dx_first[MAX_N], dgain_first[MAX_N]; /* of the first token alone */
};

struct findings {
  double answer[PROBLEMS];  /* largest errors */
  double shift, rescale;    /* problem 8: 1'dx and xhat'dx - formula */
  double projector;         /* problem 3: symmetry, P^2 = P, P1 = 0 */
  double mistake[MISTAKES]; /* errors of the wrong answers */
  /* What is said of mistakes 1, 3 and 2: */
  double sum_constants, sum_one_term, output_expanded;
  /* Where mistakes 2 and 3 are right: */
  double agree_at_start, agree_at_unit_sigma;
  int instances;
};

static double mean_of_product(int n, const double *u, const double *w) {
  return stats_dot(u, w, (size_t)n) / n;
}

static double magnification(const struct instance *in) {
  return 1 + linalg_largest_f64(in->n, in->tokens[0].x) / in->tokens[0].sigma;
}

/* Error of `found` against the derivative `truth`, see the head. */
static double error_of(const struct instance *in, int n, const double *found,
                       const double *truth) {
  return linalg_distance_f64(n, found, truth) /
         fmax(1, linalg_largest_f64(n, truth)) / magnification(in);
}

static void keep_mistake(const struct instance *in, double *kept,
                         double error) {
  if (in->ordinary) *kept = error;
}

/* ---- derivatives of the definitions ---- */
static struct dual variance(int n, const struct dual *x) {
  struct dual mean = dual_mean(n, x), sum = dual_constant(0);
  for (int i = 0; i < n; i++) {
    struct dual c = dual_sub(x[i], mean);
    sum = dual_add(sum, dual_mul(c, c));
  }
  return dual_div(sum, dual_constant(n));
}

static void gradient(int n, const double *x,
                     struct dual (*f)(int n, const struct dual *x),
                     double *out) {
  struct dual at[MAX_N];
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      at[i] = i == j ? dual_variable(x[i]) : dual_constant(x[i]);
    out[j] = f(n, at).tangent;
  }
}

/* Column j of the Jacobian of x - mean(x) 1, into J (n, n). */
static void centring_jacobian(int n, const double *x, double *jacobian) {
  struct dual at[MAX_N];
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      at[i] = i == j ? dual_variable(x[i]) : dual_constant(x[i]);
    struct dual mean = dual_mean(n, at);
    for (int i = 0; i < n; i++)
      jacobian[i * n + j] = dual_sub(at[i], mean).tangent;
  }
}

/* ---- instances ---- */
static void draw(struct instance *in, struct rng *rng, double offset,
                 bool constant) {
  double spread = constant ? 0 : 2;
  rng_normals(rng, offset, spread, (size_t)(ROWS * in->n), in->x);
  rng_normals(rng, 0, 1, (size_t)(ROWS * in->n), in->g);
  rng_normals(rng, 0, 1, (size_t)in->n, in->gain);
  rng_normals(rng, 0, 1, (size_t)in->n, in->bias);
  if (in->n > 2) in->gain[in->n / 2] = 0;
}

static void complete_token(const struct instance *in, int k, struct token *t) {
  int n = in->n;
  t->x = in->x + k * n;
  t->g = in->g + k * n;
  t->mean = stats_mean(t->x, (size_t)n);
  t->v = 0;
  for (int i = 0; i < n; i++)
    t->v += (t->x[i] - t->mean) * (t->x[i] - t->mean) / n;
  t->sigma = sqrt(t->v + in->eps);
  for (int i = 0; i < n; i++) {
    t->xhat[i] = (t->x[i] - t->mean) / t->sigma;
    t->gp[i] = in->gain[i] * t->g[i];
  }
}

static void complete(struct instance *in) {
  double unused[MAX_N];
  for (int k = 0; k < ROWS; k++)
    complete_token(in, k, &in->tokens[k]);
  norm_dual_backward(NORM_LAYER, ROWS, in->n, in->eps, in->g, in->x, in->gain,
                     in->bias, in->dx, in->dgain, in->dbias);
  norm_dual_backward(NORM_LAYER, 1, in->n, in->eps, in->g, in->x, in->gain,
                     in->bias, in->dx_first, in->dgain_first, unused);
}

/* ---- problems 1 to 10 ---- */
static void check_statistics(const struct instance *in, struct findings *f) {
  const struct token *t = &in->tokens[0];
  double answer[MAX_N] = {0}, truth[MAX_N] = {0};
  for (int i = 0; i < in->n; i++)
    answer[i] = 1.0 / in->n;
  gradient(in->n, t->x, dual_mean, truth);
  stats_keep_worst(&f->answer[0], error_of(in, in->n, answer, truth));
  for (int i = 0; i < in->n; i++)
    answer[i] = 2.0 / in->n * (t->x[i] - t->mean);
  gradient(in->n, t->x, variance, truth);
  stats_keep_worst(&f->answer[1], error_of(in, in->n, answer, truth));
}

static void check_projector(const struct instance *in, const double *p,
                            struct findings *f) {
  int n = in->n;
  for (int i = 0; i < n; i++) {
    stats_keep_worst(&f->projector, n * stats_mean(p + i * n, (size_t)n));
    for (int j = 0; j < n; j++) {
      double square = 0;
      for (int k = 0; k < n; k++)
        square += p[i * n + k] * p[k * n + j];
      stats_keep_worst(&f->projector, square - p[i * n + j]);
      stats_keep_worst(&f->projector, p[i * n + j] - p[j * n + i]);
    }
  }
}

static void check_centring(const struct instance *in, double *answer,
                           double *truth, struct findings *f) {
  int n = in->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      answer[i * n + j] = (i == j) - 1.0 / n;
  centring_jacobian(n, in->tokens[0].x, truth);
  stats_keep_worst(&f->answer[2], error_of(in, n * n, answer, truth));
  if (n <= 33) check_projector(in, truth, f);
}

static void check_jacobian(const struct instance *in, double *answer,
                           double *truth, struct findings *f) {
  const struct token *t = &in->tokens[0];
  int n = in->n;
  double ones[MAX_N];
  for (int i = 0; i < n; i++) {
    ones[i] = 1;
    for (int j = 0; j < n; j++)
      answer[i * n + j] =
          ((i == j) - 1.0 / n - t->xhat[i] * t->xhat[j] / n) / t->sigma;
  }
  norm_dual_jacobian(NORM_LAYER, n, in->eps, t->x, ones, truth);
  stats_keep_worst(&f->answer[5], error_of(in, n * n, answer, truth));
}

/* Problems 4 and 5. L = g'(gain xhat + bias) is linear in gain, bias and
 * xhat, so its derivatives follow from products alone. */
static void check_linear_parts(const struct instance *in, struct findings *f) {
  const struct token *t = &in->tokens[0];
  double answer[MAX_N] = {0}, truth[MAX_N] = {0};
  for (int i = 0; i < in->n; i++)
    answer[i] = t->g[i] * t->xhat[i];
  stats_keep_worst(&f->answer[3], error_of(in, in->n, answer, in->dgain_first));
  for (int i = 0; i < in->n; i++) {
    struct dual y = dual_add(
        dual_mul(dual_constant(in->gain[i]), dual_variable(t->xhat[i])),
        dual_constant(in->bias[i]));
    truth[i] = dual_mul(dual_constant(t->g[i]), y).tangent;
  }
  stats_keep_worst(&f->answer[4], error_of(in, in->n, t->gp, truth));
}

/* Problem 7 for one row: what problem 9 repeats. */
static void input_gradient(int n, const double *gp, const double *xhat,
                           double sigma, double *out) {
  double along_one = stats_mean(gp, (size_t)n),
         along_xhat = mean_of_product(n, gp, xhat);
  for (int i = 0; i < n; i++)
    out[i] = (gp[i] - along_one - xhat[i] * along_xhat) / sigma;
}

static void check_input(const struct instance *in, struct findings *f) {
  const struct token *t = &in->tokens[0];
  int n = in->n;
  double answer[MAX_N] = {0};
  input_gradient(n, t->gp, t->xhat, t->sigma, answer);
  stats_keep_worst(&f->answer[6], error_of(in, n, answer, in->dx_first));

  double scale =
      fmax(1, n * linalg_largest_f64(n, in->dx_first)) * magnification(in);
  double shift = n * stats_mean(in->dx_first, (size_t)n);
  double rescale = n * mean_of_product(n, t->xhat, in->dx_first);
  double formula = in->eps / (t->v + in->eps) / t->sigma * n *
                   mean_of_product(n, t->xhat, t->gp);
  stats_keep_worst(&f->shift, shift / scale);
  stats_keep_worst(&f->rescale, (rescale - formula) / scale);
  stats_keep_worst(&f->answer[7], shift / scale);
  stats_keep_worst(&f->answer[7], (rescale - formula) / scale);
}

static void check_batch(const struct instance *in, struct findings *f) {
  int n = in->n;
  double dx[ROWS * MAX_N], dgain[MAX_N] = {0}, dbias[MAX_N] = {0};
  for (int k = 0; k < ROWS; k++) {
    const struct token *t = &in->tokens[k];
    input_gradient(n, t->gp, t->xhat, t->sigma, dx + k * n);
    for (int i = 0; i < n; i++) {
      dgain[i] += t->g[i] * t->xhat[i];
      dbias[i] += t->g[i];
    }
  }
  stats_keep_worst(&f->answer[8], error_of(in, ROWS * n, dx, in->dx));
  stats_keep_worst(&f->answer[8], error_of(in, n, dgain, in->dgain));
  stats_keep_worst(&f->answer[8], error_of(in, n, dbias, in->dbias));
}

static void check_rms(const struct instance *in, struct findings *f) {
  const struct token *t = &in->tokens[0];
  int n = in->n;
  double r = sqrt(mean_of_product(n, t->x, t->x) + in->eps);
  double xhat[MAX_N], answer[MAX_N], truth[MAX_N], dgain[MAX_N], dbias[MAX_N];
  for (int i = 0; i < n; i++)
    xhat[i] = t->x[i] / r;
  double along = mean_of_product(n, t->gp, xhat);
  for (int i = 0; i < n; i++)
    answer[i] = (t->gp[i] - xhat[i] * along) / r;
  norm_dual_backward(NORM_RMS, 1, n, in->eps, t->g, t->x, in->gain, in->bias,
                     truth, dgain, dbias);
  stats_keep_worst(&f->answer[9], error_of(in, n, answer, truth));
}

/* ---- the four mistakes, and what is said of them ---- */
static void check_constants(const struct instance *in, struct findings *f) {
  const struct token *t = &in->tokens[0];
  int n = in->n;
  double wrong[MAX_N] = {0};
  for (int i = 0; i < n; i++)
    wrong[i] = t->gp[i] / t->sigma;
  keep_mistake(in, &f->mistake[0], error_of(in, n, wrong, in->dx_first));
  double sum = n * stats_mean(wrong, (size_t)n),
         said = n * stats_mean(t->gp, (size_t)n) / t->sigma;
  stats_keep_worst(&f->sum_constants, (sum - said) / fmax(1, fabs(said)));
}

static void check_output_gain(const struct instance *in, struct findings *f) {
  const struct token *t = &in->tokens[0];
  int n = in->n;
  double wrong[MAX_N] = {0}, said[MAX_N] = {0}, start[MAX_N] = {0};
  for (int i = 0; i < n; i++) {
    double y = in->gain[i] * t->xhat[i] + in->bias[i];
    wrong[i] = t->g[i] * y;
    said[i] = in->gain[i] * t->g[i] * t->xhat[i] + t->g[i] * in->bias[i];
    start[i] = t->g[i] * (1 * t->xhat[i] + 0); /* gain 1, bias 0 */
  }
  keep_mistake(in, &f->mistake[1], error_of(in, n, wrong, in->dgain_first));
  stats_keep_worst(&f->output_expanded, error_of(in, n, said, wrong));
  stats_keep_worst(&f->agree_at_start, error_of(in, n, start, in->dgain_first));
}

static void one_term_divided(int n, const struct token *t, double *out) {
  double along_one = stats_mean(t->gp, (size_t)n);
  double along_xhat = mean_of_product(n, t->gp, t->xhat);
  for (int i = 0; i < n; i++)
    out[i] = t->gp[i] / t->sigma - along_one - t->xhat[i] * along_xhat;
}

static void check_one_term(const struct instance *in, struct findings *f) {
  const struct token *t = &in->tokens[0];
  int n = in->n;
  double wrong[MAX_N] = {0};
  one_term_divided(n, t, wrong);
  keep_mistake(in, &f->mistake[2], error_of(in, n, wrong, in->dx_first));
  double said = (1 / t->sigma - 1) * n * stats_mean(t->gp, (size_t)n);
  double scale = fmax(1, n * linalg_largest_f64(n, wrong)) * magnification(in);
  stats_keep_worst(&f->sum_one_term,
                   (n * stats_mean(wrong, (size_t)n) - said) / scale);
}

/* The same row stretched to sigma = 1, where mistake 3 is right. */
static void check_unit_sigma(const struct instance *in, struct findings *f) {
  const struct token *t = &in->tokens[0];
  int n = in->n;
  if (n < 2 || t->v == 0 || in->eps >= 1) return;
  struct instance *unit = memory_alloc(1, sizeof *unit);
  *unit = *in;
  double stretch = sqrt((1 - in->eps) / t->v);
  for (int i = 0; i < n; i++)
    unit->x[i] = (t->x[i] - t->mean) * stretch;
  complete(unit);
  double answer[MAX_N] = {0};
  one_term_divided(n, &unit->tokens[0], answer);
  stats_keep_worst(&f->agree_at_unit_sigma,
                   error_of(unit, n, answer, unit->dx_first));
  free(unit);
}

/* Summed over the batch or taken from one row: the size of what is lost. */
static void check_unsummed(const struct instance *in, struct findings *f) {
  double wrong[MAX_N] = {0};
  for (int i = 0; i < in->n; i++)
    wrong[i] = in->tokens[0].g[i] * in->tokens[0].xhat[i];
  keep_mistake(in, &f->mistake[3], error_of(in, in->n, wrong, in->dgain));
}

/* ---- all of it over all instances ---- */
static void check_instance(struct instance *in, double *work,
                           struct findings *f) {
  complete(in);
  double *answer = work, *truth = work + MAX_N * MAX_N;
  check_statistics(in, f);
  check_centring(in, answer, truth, f);
  check_linear_parts(in, f);
  check_jacobian(in, answer, truth, f);
  check_input(in, f);
  check_batch(in, f);
  check_rms(in, f);
  check_constants(in, f);
  check_output_gain(in, f);
  check_one_term(in, f);
  check_unit_sigma(in, f);
  check_unsummed(in, f);
  f->instances++;
}

static void check_all(struct findings *f) {
  static const int widths[] = {1, 2, 3, 8, 33, 128, MAX_N};
  static const double offsets[] = {0, 1e2, 1e4}, epsilons[] = {0, 1e-5, 0.1};
  struct instance *in = memory_alloc(1, sizeof *in);
  double *work = memory_alloc(2 * MAX_N * MAX_N, sizeof *work);
  struct rng rng;
  rng_seed(&rng, 0);
  for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
    for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++)
      for (size_t e = 0; e < sizeof epsilons / sizeof *epsilons; e++)
        for (int constant = 0; constant < 2; constant++) {
          in->n = widths[w];
          in->eps = epsilons[e];
          in->ordinary = w == 4 && o == 0 && e == 1 && !constant;
          /* without spread and eps there is no derivative */
          if (in->eps == 0 && (constant || in->n == 1)) continue;
          draw(in, &rng, offsets[o], constant);
          check_instance(in, work, f);
        }
  free(work);
  free(in);
}

static int measure(struct results *results, struct error *err) {
  (void)err;
  struct findings f = {.instances = 0};
  check_all(&f);
  results_integer(results, f.instances, "instances");
  for (int p = 0; p < PROBLEMS; p++)
    results_double(results, f.answer[p], "answers.p%d", p + 1);
  results_double(results, f.projector, "projector");
  results_double(results, f.shift, "directions.shift");
  results_double(results, f.rescale, "directions.rescale");
  for (int m = 0; m < MISTAKES; m++)
    results_double(results, f.mistake[m], "mistakes.m%d", m + 1);
  results_double(results, f.sum_constants, "claims.m1_sum");
  results_double(results, f.output_expanded, "claims.m2_expanded");
  results_double(results, f.agree_at_start, "claims.m2_agrees_at_start");
  results_double(results, f.sum_one_term, "claims.m3_sum");
  results_double(results, f.agree_at_unit_sigma, "claims.m3_agrees_at_sigma_1");
  return 0;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "layer_norm_problems",
      .purpose = "The answers of the layer norm problem set against automatic\n"
                 "differentiation, and by how much its mistakes are wrong.",
      .measure = measure};
  return study_main(&study, argc, argv);
}
