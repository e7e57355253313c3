/* Norms: against automatic differentiation, by their invariances, and at the
 * widths, rows and offsets where such code goes wrong. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/norm.h"
#include "analysis/norm_dual.h"
#include "analysis/rng.h"
#include "report/base/memory.h"

static void near(double found, double expected, double bound,
                 const char *what) {
  if (!(fabs(found - expected) <= bound))
    fail_msg("%s: found %.17g, expected %.17g, bound %.3g", what, found,
             expected, bound);
}

/* A batch with everything that is computed from it. */
struct batch {
  enum norm_kind kind;
  int rows, width;
  double eps;
  double *x, *dy, *gain, *bias;   /* drawn */
  double *y, *mean, *rstd, *xhat; /* forward */
  double *dx, *dgain, *dbias;     /* backward */
};

static double *drawn(struct rng *rng, double mean, double scale, int n) {
  double *values = memory_alloc((size_t)n, sizeof *values);
  rng_normals(rng, mean, scale, (size_t)n, values);
  return values;
}

static double *zeros(int n) {
  return memory_alloc((size_t)n, sizeof(double));
}

static void run(struct batch *b) {
  norm_forward_f64(b->kind, b->rows, b->width, b->eps, b->x, b->gain, b->bias,
                   b->y, b->mean, b->rstd);
  norm_xhat_f64(b->kind, b->rows, b->width, b->x, b->mean, b->rstd, b->xhat);
  norm_backward_f64(b->kind, b->rows, b->width, b->dy, b->x, b->gain, b->mean,
                    b->rstd, b->dx, b->dgain, b->dbias);
}

static struct batch batch_new(enum norm_kind kind, int rows, int width,
                              double eps, double offset) {
  struct rng rng;
  rng_seed(&rng, (uint64_t)(1000 * width + rows));
  int n = rows * width;
  struct batch b = {.kind = kind,
                    .rows = rows,
                    .width = width,
                    .eps = eps,
                    .x = drawn(&rng, offset, 2, n),
                    .dy = drawn(&rng, 0, 1, n),
                    .gain = drawn(&rng, 0, 1, width),
                    .bias = drawn(&rng, 0, 1, width),
                    .y = zeros(n),
                    .mean = zeros(rows),
                    .rstd = zeros(rows),
                    .xhat = zeros(n),
                    .dx = zeros(n),
                    .dgain = zeros(width),
                    .dbias = zeros(width)};
  run(&b);
  return b;
}

static void batch_free(struct batch *b) {
  double *owned[] = {b->x,    b->dy,   b->gain, b->bias,  b->y,    b->mean,
                     b->rstd, b->xhat, b->dx,   b->dgain, b->dbias};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
}

static const enum norm_kind kinds[] = {NORM_LAYER, NORM_RMS};
static const int widths[] = {1, 2, 3, 15, 16, 17, 33, 128, 257};

#define FOR_EACH_KIND_AND_WIDTH(kind, width)                                   \
  for (int k_ = 0; k_ < 2; k_++)                                               \
    for (size_t w_ = 0; w_ < sizeof widths / sizeof *widths; w_++)             \
      for (int width = widths[w_], kind = (int)kinds[k_], once_ = 1; once_;    \
           once_ = 0)

/* Rounding of x - mean at an offset, relative to a spread of 2. */
static double bound_at(double offset) {
  return 1e-13 * (1 + fabs(offset));
}

static void test_backward_against_dual(void **state) {
  (void)state;
  const double offsets[] = {0, 1e4};
  FOR_EACH_KIND_AND_WIDTH(kind, width) {
    for (int o = 0; o < 2; o++) {
      struct batch b =
          batch_new((enum norm_kind)kind, 3, width, 1e-5, offsets[o]);
      double *dx = zeros(3 * width), *dgain = zeros(width),
             *dbias = zeros(width);
      norm_dual_backward(b.kind, 3, width, b.eps, b.dy, b.x, b.gain, b.bias, dx,
                         dgain, dbias);
      double scale = 1;
      for (int i = 0; i < 3 * width; i++)
        scale = fmax(scale, fabs(dx[i]));
      for (int i = 0; i < 3 * width; i++)
        near(b.dx[i], dx[i], scale * bound_at(offsets[o]), "dx");
      for (int i = 0; i < width; i++) {
        near(b.dgain[i], dgain[i], 100 * bound_at(offsets[o]), "dgain");
        near(b.dbias[i], dbias[i], 1e-14 * 10, "dbias");
      }
      free(dx);
      free(dgain);
      free(dbias);
      batch_free(&b);
    }
  }
}

static void test_jacobian_against_dual(void **state) {
  (void)state;
  FOR_EACH_KIND_AND_WIDTH(kind, width) {
    struct batch b = batch_new((enum norm_kind)kind, 1, width, 1e-5, 1);
    double *closed = zeros(width * width), *automatic = zeros(width * width);
    norm_jacobian_f64(b.kind, width, b.eps, b.x, b.gain, closed, NULL);
    norm_dual_jacobian(b.kind, width, b.eps, b.x, b.gain, automatic);
    for (int i = 0; i < width * width; i++)
      near(closed[i], automatic[i], 1e-13 * fmax(1, b.rstd[0]), "jacobian");
    free(closed);
    free(automatic);
    batch_free(&b);
  }
}

/* Column j of the Jacobian is the tangent along e_j; and backward is the
 * adjoint of tangent: <dy, J t> = <J'dy, t>. */
static void test_tangent(void **state) {
  (void)state;
  FOR_EACH_KIND_AND_WIDTH(kind, width) {
    struct batch b = batch_new((enum norm_kind)kind, 1, width, 1e-5, 0);
    double *jacobian = zeros(width * width), *t = zeros(width),
           *ty = zeros(width);
    norm_jacobian_f64(b.kind, width, b.eps, b.x, b.gain, jacobian, NULL);
    for (int j = 0; j < width; j++) {
      t[j] = 1;
      norm_tangent_f64(b.kind, 1, width, t, b.x, b.gain, b.mean, b.rstd, ty);
      t[j] = 0;
      double along = 0;
      for (int i = 0; i < width; i++) {
        near(ty[i], jacobian[i * width + j], 1e-14 * fmax(1, b.rstd[0]),
             "tangent");
        along += b.dy[i] * ty[i];
      }
      near(b.dx[j], along, 1e-13 * fmax(1, b.rstd[0]), "adjoint");
    }
    free(jacobian);
    free(t);
    free(ty);
    batch_free(&b);
  }
}

/* 1'dx = 0; xhat'dx = rstd eps/(var + eps) xhat'g'. */
static void test_invariances_of_dx(void **state) {
  (void)state;
  const double all_eps[] = {0, 1e-5, 0.1};
  for (int e = 0; e < 3; e++) {
    struct batch b = batch_new(NORM_LAYER, 5, 33, all_eps[e], 3);
    for (int r = 0; r < b.rows; r++) {
      double ones = 0, along = 0, expected = 0;
      for (int i = r * 33; i < (r + 1) * 33; i++) {
        ones += b.dx[i];
        along += b.xhat[i] * b.dx[i];
        expected += b.xhat[i] * b.gain[i % 33] * b.dy[i];
      }
      double rstd = b.rstd[r];
      near(ones, 0, 1e-13, "1'dx");
      near(along, rstd * b.eps * rstd * rstd * expected, 1e-13, "xhat'dx");
    }
    batch_free(&b);
  }
}

static void test_width_one_and_constant_rows(void **state) {
  (void)state;
  const double x[] = {5, 5, 5, 5}, gain[] = {2, 2, 2, 2}, dy[] = {1, 2, 3, 4};
  double y[4], mean[4], rstd[4], dx[4] = {0}, dgain[4] = {0};
  norm_forward_f64(NORM_LAYER, 4, 1, 1e-5, x, gain, NULL, y, mean, rstd);
  norm_backward_f64(NORM_LAYER, 4, 1, dy, x, gain, mean, rstd, dx, dgain, NULL);
  for (int i = 0; i < 4; i++) {
    assert_true(y[i] == 0);
    assert_true(dx[i] == 0);
  }
  assert_true(dgain[0] == 0);

  norm_forward_f64(NORM_LAYER, 1, 4, 1e-5, x, gain, NULL, y, mean, rstd);
  memset(dx, 0, sizeof dx);
  norm_backward_f64(NORM_LAYER, 1, 4, dy, x, gain, mean, rstd, dx, NULL, NULL);
  for (int i = 0; i < 4; i++) {
    assert_true(y[i] == 0);
    near(dx[i], 2 * (dy[i] - 2.5) / sqrt(1e-5), 1e-9, "dx of a constant row");
  }

  const double zero[] = {0, 0, 0, 0};
  norm_forward_f64(NORM_RMS, 1, 4, 1e-5, zero, gain, NULL, y, NULL, rstd);
  assert_true(y[0] == 0 && isfinite(rstd[0]));
}

static void test_rows_are_independent(void **state) {
  (void)state;
  struct batch b = batch_new(NORM_LAYER, 7, 33, 1e-5, 0);
  double y[33], mean, rstd, *dgain = zeros(33);
  for (int r = 0; r < 7; r++) {
    norm_forward_f64(NORM_LAYER, 1, 33, 1e-5, b.x + r * 33, b.gain, b.bias, y,
                     &mean, &rstd);
    assert_memory_equal(y, b.y + r * 33, sizeof y);
    norm_backward_f64(NORM_LAYER, 1, 33, b.dy + r * 33, b.x + r * 33, b.gain,
                      &mean, &rstd, NULL, dgain, NULL);
  }
  assert_memory_equal(dgain, b.dgain, 33 * sizeof *dgain);
  free(dgain);
  batch_free(&b);
}

static void test_backward_adds(void **state) {
  (void)state;
  struct batch b = batch_new(NORM_LAYER, 2, 16, 1e-5, 0);
  double before = b.dx[5], gain_before = b.dgain[5], bias_before = b.dbias[5];
  run(&b);
  assert_true(b.dx[5] == 2 * before);
  near(b.dgain[5], 2 * gain_before, 1e-14, "dgain");
  near(b.dbias[5], 2 * bias_before, 1e-14, "dbias");
  b.rows = 0;
  run(&b);
  assert_true(b.dx[5] == 2 * before);
  batch_free(&b);
}

/* Float against double on the same numbers: the two-pass variance keeps what
 * the offset leaves; one pass would keep nothing at 1e5. */
static void test_float_accuracy(void **state) {
  (void)state;
  const double offsets[] = {0, 1e3, 1e5}, bounds[] = {1e-6, 1e-4, 2e-2};
  enum { N = 128 };
  for (int o = 0; o < 3; o++) {
    struct rng rng;
    rng_seed(&rng, 3);
    float x[N], y[N], mean, rstd;
    double wide[N], expected[N], wide_mean, wide_rstd;
    for (int i = 0; i < N; i++) {
      x[i] = (float)(offsets[o] + rng_normal(&rng));
      wide[i] = (double)x[i];
    }
    norm_forward_f32(NORM_LAYER, 1, N, 1e-5f, x, NULL, NULL, y, &mean, &rstd);
    norm_forward_f64(NORM_LAYER, 1, N, 1e-5, wide, NULL, NULL, expected,
                     &wide_mean, &wide_rstd);
    for (int i = 0; i < N; i++)
      near((double)y[i], expected[i], bounds[o], "y in float");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_backward_against_dual),
      cmocka_unit_test(test_jacobian_against_dual),
      cmocka_unit_test(test_tangent),
      cmocka_unit_test(test_invariances_of_dx),
      cmocka_unit_test(test_width_one_and_constant_rows),
      cmocka_unit_test(test_rows_are_independent),
      cmocka_unit_test(test_backward_adds),
      cmocka_unit_test(test_float_accuracy),
  };
  return cmocka_run_group_tests_name("norm", tests, NULL, NULL);
}
