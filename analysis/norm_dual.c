/* Norms in dual arithmetic, from the definition. */
#include <stddef.h>
#include <stdlib.h>

#include "analysis/norm_dual.h"
#include "report/base/memory.h"

void norm_dual_forward(enum norm_kind kind, int width, double eps,
                       const struct dual *x, const struct dual *gain,
                       const struct dual *bias, struct dual *y) {
  struct dual mean =
      kind == NORM_LAYER ? dual_mean(width, x) : dual_constant(0);
  struct dual squares = dual_constant(0);
  for (int i = 0; i < width; i++) {
    struct dual centred = dual_sub(x[i], mean);
    squares = dual_add(squares, dual_mul(centred, centred));
  }
  struct dual var = dual_div(squares, dual_constant(width));
  struct dual sigma = dual_sqrt(dual_add(var, dual_constant(eps)));
  for (int i = 0; i < width; i++) {
    struct dual xhat = dual_div(dual_sub(x[i], mean), sigma);
    y[i] = dual_add(dual_mul(gain[i], xhat), bias[i]);
  }
}

/* One row's inputs x, gain, bias side by side, and its output. */
struct row {
  enum norm_kind kind;
  int width;
  double eps;
  struct dual *input; /* (3, width) */
  struct dual *y;
};

static struct row row_new(enum norm_kind kind, int width, double eps) {
  size_t n = (size_t)width;
  return (struct row){kind, width, eps,
                      memory_alloc(3 * n, sizeof(struct dual)),
                      memory_alloc(n, sizeof(struct dual))};
}

static void row_free(struct row *row) {
  free(row->input);
  free(row->y);
}

/* Fill one of the three inputs; NULL means `otherwise` everywhere. */
static void row_set(struct row *row, int which, const double *values,
                    double otherwise) {
  struct dual *input = row->input + (ptrdiff_t)which * row->width;
  for (int i = 0; i < row->width; i++)
    input[i] = dual_constant(values != NULL ? values[i] : otherwise);
}

/* y and its derivative by entry `at` of the (3, width) inputs. */
static void row_differentiate(struct row *row, ptrdiff_t at) {
  ptrdiff_t n = row->width;
  row->input[at].tangent = 1;
  norm_dual_forward(row->kind, row->width, row->eps, row->input, row->input + n,
                    row->input + 2 * n, row->y);
  row->input[at].tangent = 0;
}

void norm_dual_jacobian(enum norm_kind kind, int width, double eps,
                        const double *x, const double *gain, double *jacobian) {
  struct row row = row_new(kind, width, eps);
  row_set(&row, 0, x, 0);
  row_set(&row, 1, gain, 1);
  row_set(&row, 2, NULL, 0);
  for (int j = 0; j < width; j++) {
    row_differentiate(&row, j);
    for (int i = 0; i < width; i++)
      jacobian[(ptrdiff_t)i * width + j] = row.y[i].tangent;
  }
  row_free(&row);
}

static double weighted_tangents(const struct row *row, const double *dy) {
  double sum = 0;
  for (int i = 0; i < row->width; i++)
    sum += dy[i] * row->y[i].tangent;
  return sum;
}

void norm_dual_backward(enum norm_kind kind, int rows, int width, double eps,
                        const double *dy, const double *x, const double *gain,
                        const double *bias, double *dx, double *dgain,
                        double *dbias) {
  struct row row = row_new(kind, width, eps);
  row_set(&row, 1, gain, 1);
  row_set(&row, 2, bias, 0);
  for (int i = 0; i < width; i++)
    dgain[i] = dbias[i] = 0;
  for (int r = 0; r < rows; r++, dy += width, x += width, dx += width) {
    row_set(&row, 0, x, 0);
    for (int i = 0; i < width; i++) {
      row_differentiate(&row, i);
      dx[i] = weighted_tangents(&row, dy);
      row_differentiate(&row, width + i);
      dgain[i] += weighted_tangents(&row, dy);
      row_differentiate(&row, 2 * width + i);
      dbias[i] += weighted_tangents(&row, dy);
    }
  }
  row_free(&row);
}
