/* How much of the real gradient lies in what a norm's backward pass deletes.
 *
 * At each norm's output y the gradient g, and g' = gain * g, which is what the
 * projector really meets, are resolved on 1/sqrt(d) and xhat/sqrt(d) (RMSNorm
 * deletes the second alone); the share is the length of that part over the
 * whole length, row by row. Rows without gradient are dropped; a gradient that
 * is not a number makes the largest share NaN. */
#ifndef GRADIENT_SHARE_H
#define GRADIENT_SHARE_H

#include <stddef.h>

#include "analysis/model.h"

struct share_summary {
  double median, p90, max; /* p90 linearly interpolated */
  size_t rows;             /* rows with a gradient */
};

struct gradient_share {
  struct share_summary g, gain_g;
  double inv_sigma_median; /* over all rows, of the norm's 1/sigma */
};

/* shares: (transformer_points), of the first `batches` batches of `sequences`
 * held-out sequences, seed 0, in float64. */
void gradient_share_measure(const struct model *model, size_t batches,
                            size_t sequences, struct gradient_share *shares);

/* How many dimensions the model's norms delete: 2, with RMSNorm 1. */
size_t gradient_share_dimensions(const struct transformer_config *config);

#endif
