/* The dead direction of a LayerNorm y = gain * xhat + bias, read from its gain.
 *
 * The entries of xhat sum to 0, so u = gain^-1 / |gain^-1| has
 *   u . y = (sum of xhat) / |gain^-1| + u . bias = u . bias
 * for every input: u is in the kernel of the covariance of y, whatever the
 * inputs are. An RMSNorm subtracts no mean and has no such direction.
 * Source: Shirodkar and Narayanan 2026; the algebra is Ba, Kiros, Hinton 2016.
 *
 * Rules: signs are kept. Gains that are exactly 0 make y constant on their
 * axes; the dead space is then spanned by those axes alone and there is no u,
 * for a norm of either kind. Components are computed as ratios to the gain
 * nearest 0, so that no 1/gain overflows. Where the largest gain exceeds the
 * smallest by more than the precision of the stored numbers resolves, u is
 * exact still, but the axes of the smallest gains look as dead: no covariance
 * measured at that precision tells them from u. */
#ifndef DEAD_DIRECTION_H
#define DEAD_DIRECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"

enum { DEAD_LARGEST = 5 };

struct dead_direction {
  size_t width;
  double *u;     /* (width), of length 1; NULL when some gains are 0 */
  size_t *zeros; /* axes whose gain is exactly 0 */
  size_t zero_count, negative_count, subnormal_count;
  double smallest, largest; /* |gain| where it is not 0; 0 when all are */
  double conditioning;      /* largest / smallest; may be infinite */
  bool meaningless;         /* conditioning at least 1 / unit roundoff */
  /* Of u; empty and 0 without it. */
  size_t top[DEAD_LARGEST]; /* axes of the largest |u|, descending */
  size_t top_count;
  double cosine_uniform; /* u . 1 / sqrt(width) */
  double constant;       /* u . bias, the value of u . y; 0 without bias */
};

/* gain, bias: (width), bias NULL for none; `roundoff` is half the spacing at 1
 * of the numbers as stored (2^-24 for F32) and `least_normal` their smallest
 * normal number. A gain or bias that is not finite is an error naming its
 * index, and so is a u . bias that no double holds; `path` and `name` stand in
 * messages. After a failure there is nothing to free. */
int dead_direction_read(const char *path, const char *name, size_t width,
                        const double *gain, const double *bias, double roundoff,
                        double least_normal, struct dead_direction *out,
                        struct error *err);
void dead_direction_free(struct dead_direction *direction);

/* u (width) alone, for gains of which none is 0. */
void dead_direction_unit(size_t width, const double *gain, double *u);

#endif
