/* The dead direction in parameter space: every row of the head moved along u,
 * D = c u' with |c| = |u| = 1, against random directions of the same Frobenius
 * norm. Where the norm's bias is 0 the logits do not move at all; else they
 * move by c (u . bias), the same in every row of the text.
 *
 *   constant       c = ones / sqrt(V): dead because softmax ignores a common
 *                  shift, for any u and any norm
 *   logits.N       c random: what the norm contributes
 *   other_constant.N, other_logits.N
 *                  the same with a random direction w instead of u, to tell the
 *                  two reasons apart
 *   random.N       D random
 *
 * All are drawn by default_rng(0), the same for every model of these shapes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/head_fisher.h"
#include "analysis/linalg.h"
#include "analysis/model_dead_direction.h"
#include "analysis/rng.h"
#include "analysis/study.h"
#include "report/base/memory.h"

enum { RANDOM = 10, SOME = 3, STEPS = 3 };

static const double steps[STEPS] = {0.1, 1, 10};

/* Directions in double, and where results go. */
struct plan {
  size_t C, V;
  double *u, *constant;       /* (C), (V) */
  double *logits, *others;    /* (SOME, V), (SOME, C) */
  double *random, *direction; /* (RANDOM, V, C), (V, C) */
};

static void draw_unit(struct rng *rng, size_t n, double *out) {
  rng_normals(rng, 0, 1, n, out);
  double length = linalg_norm2_f64((int)n, out);
  for (size_t i = 0; i < n; i++)
    out[i] /= length;
}

static struct plan plan_new(size_t C, size_t V) {
  struct plan plan = {.C = C, .V = V};
  struct rng rng;
  rng_seed(&rng, 0);
  plan.u =
      memory_alloc((SOME + 1) * (C + V) + (RANDOM + 1) * V * C, sizeof(double));
  plan.constant = plan.u + C;
  plan.logits = plan.constant + V;
  plan.others = plan.logits + SOME * V;
  plan.random = plan.others + SOME * C;
  plan.direction = plan.random + RANDOM * V * C;
  for (size_t k = 0; k < V; k++)
    plan.constant[k] = 1 / sqrt((double)V);
  for (size_t n = 0; n < RANDOM; n++)
    draw_unit(&rng, V * C, plan.random + n * V * C);
  for (size_t n = 0; n < SOME; n++)
    draw_unit(&rng, V, plan.logits + n * V);
  for (size_t n = 0; n < SOME; n++)
    draw_unit(&rng, C, plan.others + n * C);
  return plan;
}

/* c w' */
static const double *outer(struct plan *plan, const double *c,
                           const double *w) {
  for (size_t k = 0; k < plan->V; k++)
    for (size_t i = 0; i < plan->C; i++)
      plan->direction[k * plan->C + i] = c[k] * w[i];
  return plan->direction;
}

/* One set of weights in one precision. */
struct head {
  struct head_fisher_f32 *narrow; /* NULL: float64 */
  struct head_fisher_f64 *wide;
};

static double along(const struct head *head, const double *direction) {
  return head->narrow != NULL ? head_fisher_along_f32(head->narrow, direction)
                              : head_fisher_along_f64(head->wide, direction);
}

static double change(const struct head *head, double t) {
  return head->narrow != NULL ? head_fisher_change_f32(head->narrow, t)
                              : head_fisher_change_f64(head->wide, t);
}

static double spread(const struct head *head, const double *c) {
  return head->narrow != NULL ? head_fisher_spread_f32(head->narrow, c)
                              : head_fisher_spread_f64(head->wide, c);
}

/* Fisher information along D, with the changes of the loss. */
static double record_direction(const struct head *head, const double *direction,
                               const char *path, struct results *results) {
  double fisher = along(head, direction);
  results_double(results, fisher, "%s.fisher", path);
  for (int i = 0; i < STEPS; i++)
    results_double(results, change(head, steps[i]), "%s.changes.%d", path, i);
  return fisher;
}

/* Their mean. */
static double record_random(const struct head *head, const struct plan *plan,
                            const char *path, struct results *results) {
  double sum = 0, smallest = INFINITY, largest = 0;
  for (int n = 0; n < RANDOM; n++) {
    char name[96];
    snprintf(name, sizeof name, "%s.random.directions.%d", path, n);
    double fisher = record_direction(
        head, plan->random + (size_t)n * plan->V * plan->C, name, results);
    sum += fisher;
    smallest = fmin(smallest, fisher);
    largest = fmax(largest, fisher);
  }
  results_double(results, sum / RANDOM, "%s.random.mean", path);
  results_double(results, smallest, "%s.random.smallest", path);
  results_double(results, largest, "%s.random.largest", path);
  return sum / RANDOM;
}

static void record_logits(const struct head *head, struct plan *plan, int n,
                          double constant, double mean, const char *path,
                          struct results *results) {
  const double *c = plan->logits + (size_t)n * plan->V;
  char name[96];
  snprintf(name, sizeof name, "%s.logits.%d", path, n);
  double fisher =
      record_direction(head, outer(plan, c, plan->u), name, results);
  results_double(results, fisher / mean, "%s.ratio_to_mean", name);
  if (isfinite(constant))
    results_double(results, constant * constant * spread(head, c),
                   "%s.predicted", name);
}

/* `constant` is u . bias, or not finite for a norm that keeps the mean. */
static void record_head(const struct head *head, struct plan *plan,
                        double constant, const char *path,
                        struct results *results) {
  double mean = record_random(head, plan, path, results);
  char name[96];
  snprintf(name, sizeof name, "%s.constant", path);
  double fisher = record_direction(head, outer(plan, plan->constant, plan->u),
                                   name, results);
  results_double(results, fisher / mean, "%s.ratio_to_mean", name);
  for (int n = 0; n < SOME; n++) {
    const double *w = plan->others + (size_t)n * plan->C;
    const double *c = plan->logits + (size_t)n * plan->V;
    record_logits(head, plan, n, constant, mean, path, results);
    results_double(results, along(head, outer(plan, plan->constant, w)),
                   "%s.other_constant.%d.fisher", path, n);
    results_double(results, along(head, outer(plan, c, w)),
                   "%s.other_logits.%d.fisher", path, n);
  }
}

static int measure_weights(const struct model *model,
                           const struct held_out *text, struct plan *plan,
                           const char *when, struct results *results,
                           struct error *err) {
  double constant;
  if (model_dead_direction(model, plan->u, &constant, err) != 0) return -1;
  if (model->config.rms) constant = INFINITY;
  struct held_out_states_f64 wide = held_out_states_run_f64(model, text, false);
  struct held_out_states_f32 narrow =
      held_out_states_run_f32(model, text, false);
  struct head_fisher_f64 head64 = head_fisher_new_f64(&wide, text);
  struct head_fisher_f32 head32 = head_fisher_new_f32(&narrow, text);
  char path[32];
  if (isfinite(constant))
    results_double(results, constant, "%s.constant_projection", when);
  snprintf(path, sizeof path, "%s.float64", when);
  record_head(&(struct head){NULL, &head64}, plan, constant, path, results);
  snprintf(path, sizeof path, "%s.float32", when);
  record_head(&(struct head){&head32, NULL}, plan, constant, path, results);
  head_fisher_free_f64(&head64);
  head_fisher_free_f32(&head32);
  held_out_states_free_f64(&wide);
  held_out_states_free_f32(&narrow);
  return 0;
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  struct held_out text = held_out_draw(model);
  struct model untrained = model_untrained(model, MODEL_START_SEED);
  struct plan plan = plan_new(model->config.C, model->config.V);
  results_integer(results, MODEL_START_SEED, "initial.seed");
  results_doubles(results, steps, STEPS, "steps");
  int status = measure_weights(model, &text, &plan, "trained", results, err);
  if (status == 0)
    status = measure_weights(&untrained, &text, &plan, "initial", results, err);
  free(plan.u);
  model_untrained_free(&untrained);
  held_out_free(&text);
  return status;
}

int main(int argc, char **argv) {
  const struct study study = {.name = "head_fisher",
                              .purpose = "Fisher information and loss along "
                                         "the direction that the dead one "
                                         "induces in the head.",
                              .measure_model = measure};
  return study_main(&study, argc, argv);
}
