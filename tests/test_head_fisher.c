/* Fisher information and loss along directions in a small head, against
 * expectations of finite differences, the divergence of predictions, and losses
 * computed anew. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/head_fisher.h"
#include "analysis/linalg.h"
#include "analysis/rng.h"

enum { ROWS = 7, C = 3, V = 5 };

struct head {
  double y[ROWS * C], w[V * C], logits[ROWS * V], d[V * C], u[C];
  int tokens[ROWS], targets[ROWS];
};

/* u . y = 0.25 in every row: y less its part along u, plus 0.25 u. */
static void make(struct head *h) {
  struct rng rng;
  rng_seed(&rng, 6);
  rng_normals(&rng, 0, 1, ROWS * C, h->y);
  rng_normals(&rng, 0, 1, V * C, h->w);
  rng_normals(&rng, 0, 1, V * C, h->d);
  rng_normals(&rng, 0, 1, C, h->u);
  double length = linalg_norm2_f64(C, h->u);
  for (size_t i = 0; i < C; i++)
    h->u[i] /= length;
  for (size_t r = 0; r < ROWS; r++) {
    double along = linalg_dot_f64(C, h->y + r * C, h->u);
    for (size_t i = 0; i < C; i++)
      h->y[r * C + i] += (0.25 - along) * h->u[i];
    h->targets[r] = (int)rng_integer(&rng, 0, V);
  }
  linalg_gemm_f64(LINALG_PLAIN, LINALG_TRANSPOSED, ROWS, V, C, 1, h->y, C, h->w,
                  C, 0, h->logits, V);
}

static struct head_fisher_f64 begin(struct head *h) {
  const struct held_out text = {ROWS, ROWS, h->tokens, h->targets};
  const struct held_out_states_f64 states = {
      .rows = ROWS, .C = C, .V = V, .y = h->y, .logits = h->logits};
  return head_fisher_new_f64(&states, &text);
}

/* log p (V) of one row for the weights w + t d. */
static void log_p(const struct head *h, size_t row, const double *d, double t,
                  double *out) {
  double sum = 0;
  for (size_t k = 0; k < V; k++) {
    out[k] = 0;
    for (size_t i = 0; i < C; i++)
      out[k] += (h->w[k * C + i] + t * d[k * C + i]) * h->y[row * C + i];
    sum += exp(out[k]);
  }
  for (size_t k = 0; k < V; k++)
    out[k] -= log(sum);
}

/* E_k (d log p_k / dt)^2 by central differences. */
static double expected_fisher(const struct head *h, const double *d) {
  double before[V], here[V], after[V], step = 1e-4, sum = 0;
  for (size_t r = 0; r < ROWS; r++) {
    log_p(h, r, d, -step, before);
    log_p(h, r, d, 0, here);
    log_p(h, r, d, step, after);
    for (size_t k = 0; k < V; k++) {
      double score = (after[k] - before[k]) / (2 * step);
      sum += exp(here[k]) * score * score / ROWS;
    }
  }
  return sum;
}

/* Mean divergence of the moved predictions from these. */
static double divergence(const struct head *h, const double *d, double t) {
  double here[V], moved[V], sum = 0;
  for (size_t r = 0; r < ROWS; r++) {
    log_p(h, r, d, 0, here);
    log_p(h, r, d, t, moved);
    for (size_t k = 0; k < V; k++)
      sum += exp(here[k]) * (here[k] - moved[k]) / ROWS;
  }
  return sum;
}

static void test_fisher(void **state) {
  (void)state;
  struct head h;
  make(&h);
  struct head_fisher_f64 head = begin(&h);
  double fisher = head_fisher_along_f64(&head, h.d);
  assert_true(fabs(fisher / expected_fisher(&h, h.d) - 1) < 1e-7);
  /* KL = t^2 F / 2 + O(t^3); the cubic terms of t and -t cancel. */
  double t = 1e-2;
  double both = divergence(&h, h.d, t) + divergence(&h, h.d, -t);
  assert_true(fabs(both / (t * t * fisher) - 1) < 1e-3);
  head_fisher_free_f64(&head);
}

static void test_change(void **state) {
  (void)state;
  static const double steps[] = {-10, 0, 0.1, 1, 10, 1000};
  struct head h;
  make(&h);
  struct head_fisher_f64 head = begin(&h);
  head_fisher_along_f64(&head, h.d);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    double here[V], moved[V], expected = 0;
    for (size_t r = 0; r < ROWS; r++) {
      log_p(&h, r, h.d, 0, here);
      log_p(&h, r, h.d, steps[i] < 100 ? steps[i] : 100, moved);
      expected += (here[h.targets[r]] - moved[h.targets[r]]) / ROWS;
    }
    double change = head_fisher_change_f64(&head, steps[i]);
    assert_true(isfinite(change));
    if (steps[i] < 100)
      assert_true(fabs(change - expected) < 1e-12 * (1 + fabs(expected)));
    else /* beyond where a plain exp overflows it grows linearly */
      assert_true(fabs(change / expected / 10 - 1) < 0.1);
  }
  head_fisher_free_f64(&head);
}

static void outer(const double *c, const double *w, double *out) {
  for (size_t k = 0; k < V; k++)
    for (size_t i = 0; i < C; i++)
      out[k * C + i] = c[k] * w[i];
}

/* c u': nothing when c is constant, else (u . y)^2 times the spread of c. */
static void test_dead_direction(void **state) {
  (void)state;
  static const double ones[V] = {1, 1, 1, 1, 1}, c[V] = {1, -2, 0.5, 3, 0};
  struct head h;
  make(&h);
  struct head_fisher_f64 head = begin(&h);
  outer(ones, h.u, h.d);
  assert_true(head_fisher_along_f64(&head, h.d) < 1e-30);
  assert_true(fabs(head_fisher_change_f64(&head, 10)) < 1e-14);
  assert_true(head_fisher_spread_f64(&head, ones) < 1e-30);
  outer(c, h.u, h.d);
  double fisher = head_fisher_along_f64(&head, h.d);
  double expected = 0.25 * 0.25 * head_fisher_spread_f64(&head, c);
  assert_true(expected > 1e-3 && fabs(fisher / expected - 1) < 1e-12);
  outer(ones, h.w, h.d); /* any direction of features */
  assert_true(head_fisher_along_f64(&head, h.d) < 1e-30);
  head_fisher_free_f64(&head);
}

/* A common shift of c by 1e8 leaves its spread, to the rounding of c itself:
 * products of a mean of 1e8 must not come into it. */
static void test_large_shift(void **state) {
  (void)state;
  double c[V] = {1, -2, 0.5, 3, 0};
  struct head h;
  make(&h);
  struct head_fisher_f64 head = begin(&h);
  double spread = head_fisher_spread_f64(&head, c);
  for (size_t k = 0; k < V; k++)
    c[k] += 1e8;
  assert_true(fabs(head_fisher_spread_f64(&head, c) / spread - 1) < 1e-7);
  head_fisher_free_f64(&head);
}

/* exp of these overflows; the model is sure of the first. */
static void test_large_logits(void **state) {
  (void)state;
  static const double c[V] = {1, -2, 0.5, 3, 0};
  struct head h;
  make(&h);
  for (size_t i = 0; i < ROWS * V; i++)
    h.logits[i] = i % V == 0 ? 2000 : 1000;
  struct head_fisher_f64 head = begin(&h);
  assert_true(head_fisher_spread_f64(&head, c) == 0);
  head_fisher_free_f64(&head);
}

static void test_float32(void **state) {
  (void)state;
  static const double c[V] = {1, -2, 0.5, 3, 0};
  struct head h;
  float y[ROWS * C], logits[ROWS * V];
  make(&h);
  for (size_t i = 0; i < ROWS * C; i++)
    y[i] = (float)h.y[i];
  for (size_t i = 0; i < ROWS * V; i++)
    logits[i] = (float)h.logits[i];
  const struct held_out text = {ROWS, ROWS, h.tokens, h.targets};
  const struct held_out_states_f32 states = {
      .rows = ROWS, .C = C, .V = V, .y = y, .logits = logits};
  struct head_fisher_f32 narrow = head_fisher_new_f32(&states, &text);
  struct head_fisher_f64 wide = begin(&h);
  double fisher = head_fisher_along_f64(&wide, h.d);
  assert_true(fabs(head_fisher_along_f32(&narrow, h.d) / fisher - 1) < 1e-5);
  assert_true(fabs(head_fisher_change_f32(&narrow, 1) -
                   head_fisher_change_f64(&wide, 1)) < 1e-5);
  assert_true(fabs(head_fisher_spread_f32(&narrow, c) /
                       head_fisher_spread_f64(&wide, c) -
                   1) < 1e-5);
  head_fisher_free_f32(&narrow);
  head_fisher_free_f64(&wide);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fisher),         cmocka_unit_test(test_change),
      cmocka_unit_test(test_dead_direction), cmocka_unit_test(test_large_shift),
      cmocka_unit_test(test_large_logits),   cmocka_unit_test(test_float32),
  };
  return cmocka_run_group_tests_name("head_fisher", tests, NULL, NULL);
}
