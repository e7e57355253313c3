/* Order statistics and a line through points, as NumPy defines them; sums in
 * the order of the values, so that no BLAS core changes a bit of them; and the
 * worst of many errors. */
#ifndef STATS_H
#define STATS_H

#include <stddef.h>

/* Sorts ascending, in place, NaN last: the largest of a sorted array is NaN
 * when any value is. */
void stats_sort(double *values, size_t n);

/* Quantile q in [0, 1] of n >= 1 ascending values, linearly interpolated at
 * the virtual index q (n - 1): numpy.quantile's default. */
double stats_quantile(const double *sorted, size_t n, double q);

/* The middle value, or the average of the two middle ones. */
double stats_median(const double *sorted, size_t n);

double stats_mean(const double *values, size_t n);
double stats_dot(const double *x, const double *y, size_t n);

/* Root mean square. */
double stats_rms(const double *values, size_t n);

/* Standard deviation of n >= 2 values about their mean, over n - 1. */
double stats_deviation(const double *values, size_t n);

/* The probability that Student's t of that many degrees of freedom (at least
 * 1) is beyond -|t| or |t|. */
double stats_student_beyond(double t, int degrees);

/* The t >= 0 beyond which, on both sides, that probability lies; more than 0,
 * at most 1. */
double stats_student_limit(double beyond, int degrees);

/* Least squares y = intercept + slope x through n >= 2 points of which two
 * differ in x. */
void stats_line(const double *x, const double *y, size_t n, double *slope,
                double *intercept);

/* worst = max(worst, |error|). A NaN is the worst there is, and stays: fmax
 * would drop it, and a failed computation would pass for an exact one. */
void stats_keep_worst(double *worst, double error);

#endif
