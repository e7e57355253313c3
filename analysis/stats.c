/* Order statistics, plain sums, least squares. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/stats.h"

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y) + (isnan(x) != 0) - (isnan(y) != 0);
}

void stats_sort(double *values, size_t n) {
  qsort(values, n, sizeof *values, ascending);
}

/* NumPy interpolates from the nearer end, so that q = 1 gives the last value
 * exactly. */
double stats_quantile(const double *sorted, size_t n, double q) {
  assert(n > 0 && q >= 0 && q <= 1);
  double index = q * (double)(n - 1), floor_index = floor(index);
  size_t below = (size_t)floor_index;
  if (below + 1 >= n) return sorted[n - 1];
  double t = index - floor_index, step = sorted[below + 1] - sorted[below];
  return t < 0.5 ? sorted[below] + step * t
                 : sorted[below + 1] - step * (1 - t);
}

double stats_median(const double *sorted, size_t n) {
  assert(n > 0);
  if (n % 2 == 1) return sorted[n / 2];
  return (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

double stats_mean(const double *values, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += values[i];
  return sum / (double)n;
}

double stats_dot(const double *x, const double *y, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

double stats_rms(const double *values, size_t n) {
  return sqrt(stats_dot(values, values, n) / (double)n);
}

double stats_deviation(const double *values, size_t n) {
  assert(n >= 2);
  double mean = stats_mean(values, n), sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (values[i] - mean) * (values[i] - mean);
  return sqrt(sum / (double)(n - 1));
}

/* Abramowitz and Stegun 26.7.3 and 26.7.4: a finite sum in the cosine of
 * atan(t / sqrt(degrees)), its terms two degrees apart. */
double stats_student_beyond(double t, int degrees) {
  assert(degrees >= 1);
  double angle = atan(fabs(t) / sqrt(degrees)), square = pow(cos(angle), 2);
  bool odd = degrees % 2 == 1;
  double term = odd ? cos(angle) : 1, sum = degrees > 1 ? term : 0;
  for (int k = odd ? 3 : 2; k < degrees; k += 2) {
    term *= square * (k - 1) / k;
    sum += term;
  }
  sum *= sin(angle);
  return 1 - (odd ? M_2_PI * (angle + sum) : sum);
}

double stats_student_limit(double beyond, int degrees) {
  assert(beyond > 0 && beyond <= 1);
  double low = 0, high = 1;
  while (stats_student_beyond(high, degrees) > beyond)
    high *= 2;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    if (stats_student_beyond(middle, degrees) > beyond)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* Centred first: the normal equations of raw x and y would cancel. */
void stats_line(const double *x, const double *y, size_t n, double *slope,
                double *intercept) {
  assert(n >= 2);
  double mean_x = 0, mean_y = 0, sxx = 0, sxy = 0;
  for (size_t i = 0; i < n; i++) {
    mean_x += x[i] / (double)n;
    mean_y += y[i] / (double)n;
  }
  for (size_t i = 0; i < n; i++) {
    sxx += (x[i] - mean_x) * (x[i] - mean_x);
    sxy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  *slope = sxy / sxx;
  *intercept = mean_y - *slope * mean_x;
}

void stats_keep_worst(double *worst, double error) {
  double size = fabs(error);
  if (size > *worst || isnan(size)) *worst = size;
}
