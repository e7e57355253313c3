/* How far is a scale of the final hidden state from an invariance? The loss
 * depends on the scale s through r = eps / (s0^2 s^2) alone, and to first order
 * in r it is loss(r = 0) + c r, with c from one backward pass at eps = 0
 * (final_state_slope). So that pass predicts what the whole of the model's eps
 * is worth, and what any scale changes. Both are set beside the measurement
 * here, up to the ratio where first order is a tenth off. */
#include <math.h>
#include <stdio.h>

#include "analysis/final_state.h"
#include "analysis/rng.h"
#include "analysis/study.h"

enum { SEQUENCES = 8 };

static const double scales[] = {1000, 10, 3, .3, .1, .03, .01};
enum { SCALES = sizeof scales / sizeof *scales };

/* A state, and what is known of it before any scale is tried. */
struct subject {
  struct final_state *state;
  double eps, own; /* own: the ratio of the state as it is */
  double limit;    /* loss at eps = 0, whatever the scale */
  double slope;
};

/* Loss less its limit, where the ratio is r. */
static double change(const struct subject *s, double r) {
  return final_state_loss(
             s->state, (struct final_move){sqrt(s->own / r), 0, FINAL_ALL_AXES},
             s->eps, NULL) -
         s->limit;
}

/* How far first order is off, as a part of what it predicts. */
static double relative_error(const struct subject *s, double r) {
  return fabs(change(s, r) / (s->slope * r) - 1);
}

/* The ratio where first order is first a tenth off: the step of a quarter of a
 * decade in which that happens, halved until rounding ends it. */
static double tenth_off(const struct subject *s) {
  double high = 1e-5, step = pow(10, 0.25);
  while (high < 1e9 && relative_error(s, high) < 0.1)
    high *= step;
  double low = high / step;
  for (int i = 0; i < 40; i++) {
    double middle = sqrt(low * high);
    if (relative_error(s, middle) < 0.1)
      low = middle;
    else
      high = middle;
  }
  return sqrt(low * high);
}

static void record_pair(struct results *results, double predicted,
                        double measured, const char *path) {
  results_double(results, predicted, "%s.predicted", path);
  results_double(results, measured, "%s.measured", path);
  results_double(results, measured / predicted, "%s.measured_over_predicted",
                 path);
}

static void record(const struct subject *s, struct results *results) {
  double whole = change(s, s->own), off = tenth_off(s);
  results_double(results, s->own, "eps_over_var");
  results_double(results, s->slope, "slope");
  record_pair(results, s->slope * s->own, whole, "whole");
  for (int i = 0; i < SCALES; i++) {
    char path[20];
    double r = s->own / (scales[i] * scales[i]);
    snprintf(path, sizeof path, "rows.%d", i);
    results_double(results, scales[i], "%s.scale", path);
    results_double(results, r, "%s.eps_over_var", path);
    record_pair(results, s->slope * (r - s->own), change(s, r) - whole, path);
  }
  results_double(results, off, "tenth_off.eps_over_var");
  results_double(results, sqrt(s->own / off), "tenth_off.scale");
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  const struct final_move unscaled = {1, 0, FINAL_ALL_AXES};
  struct rng rng;
  if (model->config.eps == 0)
    return error_set(err, "%s: eps is 0, every scale is an invariance",
                     model->entry.name);
  rng_seed(&rng, 0);
  struct subject s = {.eps = model->config.eps};
  s.state = final_state_new(model, 64, CORPUS_HELD_OUT, &rng, SEQUENCES);
  double spread = final_state_spread(s.state);
  s.own = s.eps / (spread * spread);
  s.limit = final_state_loss(s.state, unscaled, 0, NULL);
  s.slope = final_state_slope(s.state, NULL);
  record(&s, results);
  final_state_free(s.state);
  return 0;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "rescaling",
      .purpose = "Change of the loss when the final hidden state is scaled: "
                 "predicted from one backward pass, and measured.",
      .measure_model = measure};
  return study_main(&study, argc, argv);
}
