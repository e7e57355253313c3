/* Order statistics and a line through points, as NumPy defines them. */
#ifndef STATS_H
#define STATS_H

#include <stddef.h>

/* Sorts ascending, in place; no value may be NaN. */
void stats_sort(double *values, size_t n);

/* Quantile q in [0, 1] of n >= 1 ascending values, linearly interpolated at
 * the virtual index q (n - 1): numpy.quantile's default. */
double stats_quantile(const double *sorted, size_t n, double q);

/* The middle value, or the average of the two middle ones. */
double stats_median(const double *sorted, size_t n);

/* Root mean square. */
double stats_rms(const double *values, size_t n);

/* Least squares y = intercept + slope x through n >= 2 points of which two
 * differ in x. */
void stats_line(const double *x, const double *y, size_t n, double *slope,
                double *intercept);

#endif
