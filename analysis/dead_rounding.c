#include "analysis/dead_rounding.h"

#include <math.h>
#include <stdlib.h>

#include "report/base/memory.h"

struct work {
  enum norm_kind kind;
  size_t width;
  double eps;
  const double *gain, *bias;
  long double *u, *y; /* (width) */
};

static void set_direction(size_t width, const double *gain, long double *u) {
  long double squares = 0;
  for (size_t i = 0; i < width; i++) {
    u[i] = 1 / (long double)gain[i];
    squares += u[i] * u[i];
  }
  for (size_t i = 0; i < width; i++)
    u[i] /= sqrtl(squares);
}

/* One row's output; see analysis/norm.h. */
static void set_row(struct work *w, const double *x) {
  long double n = (long double)w->width, mean = 0, squares = 0;
  for (size_t i = 0; i < w->width && w->kind == NORM_LAYER; i++)
    mean += x[i] / n;
  for (size_t i = 0; i < w->width; i++)
    squares += (x[i] - mean) * (x[i] - mean);
  long double rstd = 1 / sqrtl(squares / n + w->eps);
  for (size_t i = 0; i < w->width; i++)
    w->y[i] =
        (x[i] - mean) * rstd * w->gain[i] + (w->bias == NULL ? 0 : w->bias[i]);
}

/* u . round(y); adds the row's part to *variance. */
static long double add_stored(const struct work *w, enum number_format format,
                              double *variance) {
  long double product = 0;
  for (size_t i = 0; i < w->width; i++) {
    double y = (double)w->y[i], u = (double)w->u[i];
    double spacing = number_format_spacing(format, y);
    product += w->u[i] * number_format_round(format, y);
    *variance += u * u * spacing * spacing / 12;
  }
  return product;
}

static double weight(const struct work *w) {
  double sum = 0;
  for (size_t i = 0; i < w->width; i++)
    sum += (double)(w->u[i] * w->u[i] * w->y[i] * w->y[i]);
  return sum;
}

static double variance(const long double *values, size_t n) {
  long double mean = 0, squares = 0;
  for (size_t i = 0; i < n; i++)
    mean += values[i] / (long double)n;
  for (size_t i = 0; i < n; i++)
    squares += (values[i] - mean) * (values[i] - mean);
  return (double)(squares / (long double)n);
}

struct dead_rounding dead_rounding_measure(enum norm_kind kind, size_t rows,
                                           size_t width, double eps,
                                           const double *x, const double *gain,
                                           const double *bias) {
  long double *slab =
      memory_alloc(NUMBER_FORMATS * rows + 2 * width, sizeof *slab);
  struct work w = {kind, width, eps, gain, bias, slab, slab + width};
  long double *products = w.y + width; /* (formats, rows) */
  struct dead_rounding out = {0};
  set_direction(width, gain, w.u);
  for (size_t r = 0; r < rows; r++) {
    set_row(&w, x + r * width);
    out.weight += weight(&w) / (double)rows;
    for (size_t f = 0; f < NUMBER_FORMATS; f++)
      products[f * rows + r] =
          add_stored(&w, (enum number_format)f, &out.predicted[f]);
  }
  for (size_t f = 0; f < NUMBER_FORMATS; f++) {
    out.measured[f] = variance(products + f * rows, rows);
    out.predicted[f] /= (double)rows;
  }
  free(slab);
  return out;
}

double dead_rounding_variance(size_t rows, size_t width, const double *gain,
                              const double *y) {
  long double *u = memory_alloc(width + rows, sizeof *u), *products = u + width;
  set_direction(width, gain, u);
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < width; i++)
      products[r] += u[i] * y[r * width + i];
  double result = variance(products, rows);
  free(u);
  return result;
}
