/* AdamW (Loshchilov and Hutter 2019) with the one-cycle schedule (Smith and
 * Topin 2018) and clipping by the global norm, each with the arithmetic of
 * torch.optim.AdamW, torch.optim.lr_scheduler.OneCycleLR (cosine, two phases)
 * and torch.nn.utils.clip_grad_norm_.
 *
 *   w -= lr decay w
 *   m += (1 - beta1) (g - m),  v = beta2 v + (1 - beta2) g^2
 *   w -= lr / (1 - beta1^t) m / (sqrt(v) / sqrt(1 - beta2^t) + eps)
 *
 * One-cycle also cycles beta1, and the bias correction takes the current
 * beta1 to the power t, as torch does: no product of past values. */
#ifndef ADAMW_H
#define ADAMW_H

#include <stddef.h>

struct adamw {
  size_t n;
  float *m, *v; /* (n) running moments */
  long long t;  /* steps taken */
  double beta2, eps, decay;
};

struct adamw adamw_new(size_t n, double beta2, double eps, double decay);
void adamw_free(struct adamw *adamw);

/* One step on weights (n) along gradients (n). */
void adamw_step(struct adamw *adamw, double lr, double beta1,
                const float *gradients, float *weights);

/* Scale the gradients (n) to a Euclidean norm of at most `bound`; returns the
 * norm before. */
double adamw_clip(size_t n, double bound, float *gradients);

struct one_cycle {
  long long steps; /* of the whole run */
  double lr_max;
  double warm_up;            /* fraction of the steps that rise */
  double start_div, end_div; /* first lr: max/start_div; last: first/end_div */
  double beta1_high, beta1_low; /* falls while lr rises */
};

/* Learning rate and beta1 of step 0 .. steps - 1. The peak is at step
 * warm_up * steps - 1. */
void one_cycle(const struct one_cycle *cycle, long long step, double *lr,
               double *beta1);

#endif
