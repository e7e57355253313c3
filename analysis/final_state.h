/* The final hidden state of some sequences, and the loss as a function of it:
 * what the final norm and the head make of a state that is scaled and shifted.
 * Measured in float32 or float64 throughout, as `bits` says.
 *
 * The final norm has no residual around it, so its two invariances are the
 * network's: moves along them must not change the loss. */
#ifndef FINAL_STATE_H
#define FINAL_STATE_H

#include <stddef.h>

#include "analysis/corpus.h"
#include "analysis/model.h"

struct rng;
struct final_state;

/* The state of `sequences` sequences drawn from a part of the model's corpus
 * by `rng`. bits: 32 or 64. */
struct final_state *final_state_new(const struct model *model, int bits,
                                    enum corpus_split split, struct rng *rng,
                                    size_t sequences);
void final_state_free(struct final_state *state);

/* x -> scale x + shift, the shift on every axis or on one. */
struct final_move {
  double scale, shift;
  int axis; /* FINAL_ALL_AXES, or the only axis that is shifted */
};
enum { FINAL_ALL_AXES = -1 };

/* Mean loss of the moved state, the final norm's eps replaced by `eps`. With
 * `logit_change` also the largest change of a logit from those of the latest
 * call without it. */
double final_state_loss(struct final_state *state, struct final_move move,
                        double eps, double *logit_change);

/* s0: median over rows of the standard deviation over features, unbiased; for
 * RMSNorm, which takes no mean, of the root mean square. */
double final_state_spread(const struct final_state *state);

/* With r = eps / (s0^2 scale^2) the loss is loss(r = 0) + c r to first order:
 * xhat shrinks by 1 - eps / (2 var_row scale^2), hence
 *   c = -1/2 sum over rows of (s0^2 / var_row) xhat . dL/dxhat  at eps = 0,
 * L being the mean loss. Also the derivative of L by the logarithm of a common
 * scale of all xhat, sum over rows of xhat . dL/dxhat, when wanted. */
double final_state_slope(struct final_state *state, double *by_log_scale);

#endif
