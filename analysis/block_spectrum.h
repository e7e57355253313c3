/* Singular values of a transformer block's Jacobian: of the block's output by
 * its input at the last position of one held-out sequence (the first that
 * default_rng(0) draws), and of its attention branch attn(ln1(x)) alone. */
#ifndef BLOCK_SPECTRUM_H
#define BLOCK_SPECTRUM_H

#include "analysis/model.h"
#include "report/base/error.h"

struct block_spectrum {
  int C;
  double *branch, *whole; /* (C) each, descending */
};

/* In float32 or float64 throughout; the values are widened. After a failure
 * there is nothing to free. */
int block_spectrum_f32(const struct model *model, size_t block,
                       struct block_spectrum *out, struct error *err);
int block_spectrum_f64(const struct model *model, size_t block,
                       struct block_spectrum *out, struct error *err);
void block_spectrum_free(struct block_spectrum *spectrum);

#endif
