#include "analysis/adamw.h"

#include <math.h>
#include <stdlib.h>

#include "report/base/memory.h"

struct adamw adamw_new(size_t n, double beta2, double eps, double decay) {
  return (struct adamw){.n = n,
                        .m = memory_alloc(n, sizeof(float)),
                        .v = memory_alloc(n, sizeof(float)),
                        .beta2 = beta2,
                        .eps = eps,
                        .decay = decay};
}

void adamw_free(struct adamw *adamw) {
  free(adamw->m);
  free(adamw->v);
  *adamw = (struct adamw){0};
}

void adamw_step(struct adamw *adamw, double lr, double beta1,
                const float *gradients, float *weights) {
  double t = (double)++adamw->t;
  float keep = (float)(1 - lr * adamw->decay);
  float rate1 = (float)(1 - beta1), rate2 = (float)(1 - adamw->beta2);
  float beta2 = (float)adamw->beta2, eps = (float)adamw->eps;
  float step = (float)(lr / (1 - pow(beta1, t)));
  float root = (float)sqrt(1 - pow(adamw->beta2, t));
  float *m = adamw->m, *v = adamw->v;
  for (size_t i = 0; i < adamw->n; i++) {
    float g = gradients[i];
    m[i] += rate1 * (g - m[i]);
    v[i] = beta2 * v[i] + rate2 * g * g;
    weights[i] = weights[i] * keep - step * m[i] / (sqrtf(v[i]) / root + eps);
  }
}

double adamw_clip(size_t n, double bound, float *gradients) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (double)gradients[i] * (double)gradients[i];
  double norm = sqrt(sum), scale = bound / (norm + 1e-6);
  if (scale < 1)
    for (size_t i = 0; i < n; i++)
      gradients[i] *= (float)scale;
  return norm;
}

/* From `start` at 0 to `end` at 1 along half a cosine. */
static double cosine(double start, double end, double at) {
  return end + (start - end) / 2 * (cos(M_PI * at) + 1);
}

void one_cycle(const struct one_cycle *c, long long step, double *lr,
               double *beta1) {
  double peak = c->warm_up * (double)c->steps - 1;
  double last = (double)c->steps - 1, at = (double)step;
  double lr_first = c->lr_max / c->start_div;
  if (at <= peak) {
    *lr = cosine(lr_first, c->lr_max, at / peak);
    *beta1 = cosine(c->beta1_high, c->beta1_low, at / peak);
  } else {
    at = (at - peak) / (last - peak);
    *lr = cosine(c->lr_max, lr_first / c->end_div, at);
    *beta1 = cosine(c->beta1_low, c->beta1_high, at);
  }
}
