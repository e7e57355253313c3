#include "analysis/dead_direction.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/stats.h"
#include "report/base/memory.h"

static int check_finite(const char *path, const char *name, const char *what,
                        size_t width, const double *values, struct error *err) {
  for (size_t i = 0; values != NULL && i < width; i++)
    if (!isfinite(values[i]))
      return error_set(err, "%s: %s \"%s\" at index %zu is %s, not finite",
                       path, what, name, i,
                       isnan(values[i]) ? "NaN" : "infinite");
  return 0;
}

/* ---- the gains ---- */

static void count_gains(const double *gain, double least_normal,
                        struct dead_direction *d) {
  d->zeros = memory_alloc(d->width, sizeof *d->zeros);
  for (size_t i = 0; i < d->width; i++) {
    double size = fabs(gain[i]);
    if (size == 0) {
      d->zeros[d->zero_count++] = i;
      continue;
    }
    d->negative_count += gain[i] < 0;
    d->subnormal_count += size < least_normal;
    d->largest = fmax(d->largest, size);
    d->smallest = d->smallest == 0 ? size : fmin(d->smallest, size);
  }
  if (d->smallest > 0) d->conditioning = d->largest / d->smallest;
}

/* ---- the direction ---- */

/* With s = min |gain| each ratio s / gain is at most 1 and one of them is, so
 * that their length is between 1 and sqrt(width). */
void dead_direction_unit(size_t width, const double *gain, double *u) {
  double smallest = DBL_MAX;
  for (size_t i = 0; i < width; i++)
    smallest = fmin(smallest, fabs(gain[i]));
  for (size_t i = 0; i < width; i++)
    u[i] = smallest / gain[i];
  double length = sqrt(stats_dot(u, u, width));
  for (size_t i = 0; i < width; i++)
    u[i] /= length;
}

/* u . bias, with the bias scaled by a power of 2 to below 1 so that neither a
 * product underflows nor the sum overflows on the way. */
static double project(size_t width, const double *u, const double *bias) {
  int exponent;
  double largest = 0, *scaled = memory_alloc(width, sizeof *scaled);
  for (size_t i = 0; i < width; i++)
    largest = fmax(largest, fabs(bias[i]));
  frexp(largest, &exponent);
  for (size_t i = 0; i < width; i++)
    scaled[i] = ldexp(bias[i], -exponent);
  double sum = stats_dot(u, scaled, width);
  free(scaled);
  return ldexp(sum, exponent);
}

/* Insert each axis among the largest seen; of equal ones the first leads. */
static void find_top(struct dead_direction *d) {
  for (size_t i = 0; i < d->width; i++) {
    size_t at = d->top_count;
    while (at > 0 && fabs(d->u[i]) > fabs(d->u[d->top[at - 1]]))
      at--;
    if (at == DEAD_LARGEST) continue;
    if (d->top_count < DEAD_LARGEST) d->top_count++;
    for (size_t j = d->top_count - 1; j > at; j--)
      d->top[j] = d->top[j - 1];
    d->top[at] = i;
  }
}

static void find_direction(const double *gain, const double *bias,
                           struct dead_direction *d) {
  double sum = 0;
  d->u = memory_alloc(d->width, sizeof *d->u);
  dead_direction_unit(d->width, gain, d->u);
  for (size_t i = 0; i < d->width; i++)
    sum += d->u[i];
  d->cosine_uniform = fmax(-1, fmin(1, sum / sqrt((double)d->width)));
  if (bias != NULL) d->constant = project(d->width, d->u, bias);
  find_top(d);
}

int dead_direction_read(const char *path, const char *name, size_t width,
                        const double *gain, const double *bias, double roundoff,
                        double least_normal, struct dead_direction *out,
                        struct error *err) {
  *out = (struct dead_direction){.width = width};
  if (width == 0)
    return error_set(err, "%s: the norm \"%s\" has no features", path, name);
  if (check_finite(path, name, "the gain of", width, gain, err) != 0 ||
      check_finite(path, name, "the bias beside", width, bias, err) != 0)
    return -1;
  count_gains(gain, least_normal, out);
  out->meaningless = out->conditioning >= 1 / roundoff;
  if (out->zero_count == 0) find_direction(gain, bias, out);
  if (isfinite(out->constant)) return 0;
  dead_direction_free(out);
  return error_set(err,
                   "%s: u . bias is beyond the largest double, for the bias "
                   "beside \"%s\"",
                   path, name);
}

void dead_direction_free(struct dead_direction *direction) {
  free(direction->u);
  free(direction->zeros);
  *direction = (struct dead_direction){0};
}
