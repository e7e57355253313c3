/* The answers of templates/problems/softmax-backward.md against automatic
 * differentiation of the softmax's definition. An error is the largest entry
 * of (answer - derivative), all of which are at most 1 in size; the worst
 * over widths 1 to 257 and logits of spread 0.1 to 10. */
#include <math.h>
#include <stdlib.h>

#include "analysis/dual.h"
#include "analysis/rng.h"
#include "analysis/stats.h"
#include "analysis/study.h"
#include "report/base/memory.h"

enum { MAX_N = 257 };

struct findings {
  double shift, jacobian, dead, vector, cross_entropy; /* largest errors */
  double mistake;                                      /* of diag(p) g */
  double mistake_sum; /* that its entries sum to p'g */
  int instances;
};

struct instance {
  int n;
  double z[MAX_N], g[MAX_N], p[MAX_N];
  double jacobian[MAX_N * MAX_N]; /* by automatic differentiation */
  double dz[MAX_N];               /* J' g */
};

static void softmax(int n, const double *z, double *p) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += exp(z[i]);
  for (int i = 0; i < n; i++)
    p[i] = exp(z[i]) / s;
}

/* Column j of the Jacobian: the definition in dual numbers. */
static void differentiate(struct instance *in, int j) {
  struct dual e[MAX_N], s = dual_constant(0);
  for (int i = 0; i < in->n; i++) {
    e[i] = dual_exp(i == j ? dual_variable(in->z[i]) : dual_constant(in->z[i]));
    s = dual_add(s, e[i]);
  }
  for (int i = 0; i < in->n; i++)
    in->jacobian[i * in->n + j] = dual_div(e[i], s).tangent;
}

static void draw(struct instance *in, struct rng *rng, double spread) {
  rng_normals(rng, 0, spread, (size_t)in->n, in->z);
  rng_normals(rng, 0, 1, (size_t)in->n, in->g);
  softmax(in->n, in->z, in->p);
  for (int j = 0; j < in->n; j++) {
    differentiate(in, j);
    in->dz[j] = 0;
    for (int i = 0; i < in->n; i++)
      in->dz[j] += in->jacobian[i * in->n + j] * in->g[i];
  }
}

static void check_shift(const struct instance *in, struct findings *f) {
  double moved[MAX_N] = {0}, p[MAX_N] = {0};
  for (int i = 0; i < in->n; i++)
    moved[i] = in->z[i] + 3;
  softmax(in->n, moved, p);
  for (int i = 0; i < in->n; i++)
    stats_keep_worst(&f->shift, p[i] - in->p[i]);
}

/* Problems 2 and 3: the matrix, and its rows that sum to nothing. */
static void check_jacobian(const struct instance *in, struct findings *f) {
  for (int i = 0; i < in->n; i++) {
    double sum = 0;
    for (int j = 0; j < in->n; j++) {
      double answer = (i == j) * in->p[i] - in->p[i] * in->p[j];
      stats_keep_worst(&f->jacobian, answer - in->jacobian[i * in->n + j]);
      sum += in->jacobian[i * in->n + j];
    }
    stats_keep_worst(&f->dead, sum);
  }
}

static void check_vector(const struct instance *in, struct findings *f) {
  double along = stats_dot(in->p, in->g, (size_t)in->n), sum = 0, worst = 0;
  for (int i = 0; i < in->n; i++) {
    stats_keep_worst(&f->vector, in->p[i] * (in->g[i] - along) - in->dz[i]);
    stats_keep_worst(&worst, in->p[i] * in->g[i] - in->dz[i]);
    sum += in->p[i] * in->g[i];
  }
  stats_keep_worst(&f->mistake, worst);
  stats_keep_worst(&f->mistake_sum, sum - along);
}

/* L = -log p_k: its derivative by z_j is -J_kj / p_k. */
static void check_cross_entropy(const struct instance *in, struct findings *f) {
  int k = in->n / 2;
  for (int j = 0; j < in->n; j++)
    stats_keep_worst(&f->cross_entropy,
                     in->p[j] - (j == k) +
                         in->jacobian[k * in->n + j] / in->p[k]);
}

static void check_all(struct findings *f) {
  static const int widths[] = {1, 2, 3, 8, 65, MAX_N};
  static const double spreads[] = {10, 1, 0.1};
  struct instance *in = memory_alloc(1, sizeof *in);
  struct rng rng;
  rng_seed(&rng, 0);
  for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
    for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++) {
      in->n = widths[w];
      draw(in, &rng, spreads[s]);
      check_shift(in, f);
      check_jacobian(in, f);
      check_vector(in, f);
      check_cross_entropy(in, f);
      f->instances++;
    }
  free(in);
}

static int measure(struct results *results, struct error *err) {
  (void)err;
  struct findings f = {.instances = 0};
  check_all(&f);
  results_integer(results, f.instances, "instances");
  results_double(results, f.shift, "answers.p1");
  results_double(results, f.jacobian, "answers.p2");
  results_double(results, f.dead, "answers.p3");
  results_double(results, f.vector, "answers.p4");
  results_double(results, f.cross_entropy, "answers.p5");
  results_double(results, f.mistake, "mistakes.m1");
  results_double(results, f.mistake_sum, "claims.m1_sum");
  return 0;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "softmax_problems",
      .purpose = "The answers of the softmax problem set against automatic\n"
                 "differentiation.",
      .measure = measure};
  return study_main(&study, argc, argv);
}
