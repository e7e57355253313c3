/* How the residual stream grows with depth: at each depth point (embedding,
 * after each attention, after each MLP) the root mean square of all its numbers
 * and 1/sigma, where sigma is the median over rows (positions) of the row's
 * standard deviation (biased: 1/C; no eps) and the median of an even count is
 * the mean of the middle two. Both are float64 and mean the same in every
 * model; an RMSNorm divides by a row's root mean square instead, of which
 * ladder_inv_row_rms is the same median. */
#ifndef LADDER_H
#define LADDER_H

#include "analysis/transformer.h"

struct ladder_point {
  double rms, inv_sigma;
};

/* After a forward pass; points: (2L+1). */
void ladder_measure(const struct transformer_f64 *model,
                    const struct transformer_pass_f64 *pass,
                    struct ladder_point *points);

/* 1 / median over rows of the row's root mean square, at one point. */
double ladder_inv_row_rms(const struct transformer_f64 *model,
                          const struct transformer_pass_f64 *pass, size_t n);

#endif
