/* Directions D (V,C) in the head's weights: how much do the model's own
 * predictions and its loss feel them?
 *
 *   logits = W y,  p = softmax(logits),  dz = D y,
 *   Fisher along D = mean over the rows of Var_{k ~ p}(dz_k),
 *
 * the true Fisher information: its expectation is over the model's own labels,
 * not over those of the text. Variances take two passes. The loss of W + t D is
 * loss(W) + mean of log sum_k p_k exp(t (dz_k - dz_target)), which no rounding
 * of the loss itself touches.
 *
 * What adds one number to all logits of a row leaves p as it is: D = 1 w' has
 * no Fisher information whatever w is. D = c u', u the dead direction of a
 * LayerNorm, adds the same c (u . bias) to the logits of every row. */
#ifndef HEAD_FISHER_H
#define HEAD_FISHER_H

#include <stddef.h>

#include "analysis/held_out_states.h"

struct head_fisher_f32 {
  size_t rows, C, V;
  const float *y; /* (rows, C), lent */
  const int *targets;
  float *p, *dz;    /* (rows, V); dz of the latest direction */
  float *direction; /* (V, C), the same */
};
struct head_fisher_f64 {
  size_t rows, C, V;
  const double *y;
  const int *targets;
  double *p, *dz, *direction;
};

struct head_fisher_f32
head_fisher_new_f32(const struct held_out_states_f32 *states,
                    const struct held_out *text);
struct head_fisher_f64
head_fisher_new_f64(const struct held_out_states_f64 *states,
                    const struct held_out *text);
void head_fisher_free_f32(struct head_fisher_f32 *head);
void head_fisher_free_f64(struct head_fisher_f64 *head);

/* Fisher information along a direction (V,C), rounded to the precision. */
double head_fisher_along_f32(struct head_fisher_f32 *head,
                             const double *direction);
double head_fisher_along_f64(struct head_fisher_f64 *head,
                             const double *direction);

/* loss(W + t D) - loss(W) for the latest D, from the text's own labels. */
double head_fisher_change_f32(const struct head_fisher_f32 *head, double t);
double head_fisher_change_f64(const struct head_fisher_f64 *head, double t);

/* Mean over the rows of Var_{k ~ p}(c_k), c (V). */
double head_fisher_spread_f32(const struct head_fisher_f32 *head,
                              const double *c);
double head_fisher_spread_f64(const struct head_fisher_f64 *head,
                              const double *c);

#endif
