/* What a model makes of held-out text, against single forward passes of a small
 * model with random weights. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "analysis/held_out_states.h"
#include "tests/small_model.h"

enum { T = SMALL_T, C = SMALL_C, V = SMALL_V, L = SMALL_L };
enum { BATCH = HELD_OUT_SEQUENCES * T, TOKENS = HELD_OUT_BATCHES * BATCH };

struct setting {
  struct model model;
  struct held_out text;
};

static void set_up(struct setting *s, bool rms) {
  small_model_make(&s->model, rms);
  s->text = held_out_draw(&s->model);
}

static void tear_down(struct setting *s) {
  held_out_free(&s->text);
  model_free(&s->model);
}

static void test_text(void **state) {
  (void)state;
  struct setting s;
  set_up(&s, false);
  assert_int_equal(s.text.rows, TOKENS);
  assert_int_equal(s.text.T, T);
  int *first = corpus_held_out(&s.model.corpus, 0, HELD_OUT_SEQUENCES, T);
  assert_memory_equal(s.text.tokens, first, BATCH * sizeof *first);
  assert_memory_equal(s.text.targets, first + BATCH, BATCH * sizeof *first);
  assert_memory_not_equal(s.text.tokens + BATCH, first, BATCH * sizeof *first);
  for (size_t i = 0; i + 1 < TOKENS; i++)
    if (i % T != T - 1)
      assert_int_equal(s.text.targets[i], s.text.tokens[i + 1]);
  assert_int_equal(held_out_distinct(&s.text), 65);
  for (size_t i = 0; i < TOKENS; i++)
    s.text.tokens[i] = i < 10 ? 7 : 64;
  assert_int_equal(held_out_distinct(&s.text), 2);
  free(first);
  tear_down(&s);
}

/* The third batch, run alone. */
static void check_states(const struct setting *s) {
  size_t at = 2 * BATCH, end = 2 * L;
  struct held_out_states_f64 states =
      held_out_states_run_f64(&s->model, &s->text, true);
  struct transformer_f64 network =
      transformer_new_f64(&s->model.config, s->model.wide);
  struct transformer_pass_f64 pass =
      transformer_pass_new_f64(&s->model.config, HELD_OUT_SEQUENCES, T);
  transformer_forward_f64(&network, &pass, s->text.tokens + at, NULL);
  const double *residual = states.residual + (end * TOKENS + at) * C;
  const double *last = transformer_residual_f64(&network, &pass, end);
  const double *y = transformer_y_f64(&network, &pass, end);
  assert_memory_equal(states.logits + at * V, pass.logits,
                      BATCH * V * sizeof *y);
  assert_memory_equal(states.x + at * C, last, BATCH * C * sizeof *y);
  assert_memory_equal(residual, last, BATCH * C * sizeof *y);
  assert_memory_equal(states.y + at * C, y, BATCH * C * sizeof *y);
  assert_memory_equal(states.gain, transformer_gain_f64(&network, end),
                      C * sizeof *y);
  assert_int_equal(states.bias == NULL, s->model.config.rms);
  if (states.bias != NULL)
    assert_memory_equal(states.bias, transformer_bias_f64(&network, end),
                        C * sizeof *y);
  transformer_pass_free_f64(&pass);
  transformer_free_f64(&network);
  held_out_states_free_f64(&states);
}

/* float32 says the same to its precision, and keeps no more than asked for. */
static void check_precisions(const struct setting *s) {
  struct held_out_states_f64 wide =
      held_out_states_run_f64(&s->model, &s->text, false);
  struct held_out_states_f32 narrow =
      held_out_states_run_f32(&s->model, &s->text, false);
  double worst = 0;
  assert_null(wide.residual);
  assert_null(narrow.residual);
  for (size_t i = 0; i < TOKENS * C; i++)
    worst = fmax(worst, fabs(wide.y[i] - (double)narrow.y[i]));
  assert_true(worst > 0 && worst < 1e-4);
  held_out_states_free_f64(&wide);
  held_out_states_free_f32(&narrow);
}

static void check_model(bool rms) {
  struct setting s;
  set_up(&s, rms);
  check_states(&s);
  check_precisions(&s);
  tear_down(&s);
}

static void test_layernorm(void **state) {
  (void)state;
  check_model(false);
}

static void test_rmsnorm(void **state) {
  (void)state;
  check_model(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_layernorm),
      cmocka_unit_test(test_rmsnorm),
  };
  return cmocka_run_group_tests_name("held_out_states", tests, NULL, NULL);
}
