/* The loss as a function of the final hidden state: its invariances hold where
 * they must, break where they must, and its slope is the derivative. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "analysis/final_state.h"
#include "tests/model_fixture.h"

enum { SEQUENCES = 2, LAYER = 0, RMS = 1, KINDS = 2 };

static struct fixture fixtures[KINDS];
static struct model models[KINDS];

static int load_models(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    struct error err = {{0}};
    fixture_make(&fixtures[kind], kind == RMS, 1e-5);
    if (model_load(fixtures[kind].models, fixtures[kind].corpora, "m",
                   &models[kind], &err) != 0) {
      print_error("%s\n", err.text);
      return -1;
    }
  }
  return 0;
}

static int free_models(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    model_free(&models[kind]);
    fixture_remove(&fixtures[kind]);
  }
  return 0;
}

static struct final_state *make_state(int kind, int bits) {
  struct rng rng;
  rng_seed(&rng, 3);
  return final_state_new(&models[kind], bits, CORPUS_HELD_OUT, &rng, SEQUENCES);
}

static const struct final_move stay = {1, 0, FINAL_ALL_AXES};

static void assert_near(double found, double expected, double bound,
                        const char *what) {
  if (!(fabs(found - expected) <= bound))
    fail_msg("%s: %.17g, %.17g expected within %g", what, found, expected,
             bound);
}

/* The state's loss is the loss of the whole network on the same draws. */
static void test_baseline(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    const struct transformer_config *config = &models[kind].config;
    int x[SEQUENCES * 64], y[SEQUENCES * 64];
    struct rng rng;
    rng_seed(&rng, 3);
    corpus_batch(&models[kind].corpus, CORPUS_HELD_OUT, &rng, SEQUENCES, 64, x,
                 y);
    struct transformer_f64 network =
        transformer_new_f64(config, models[kind].wide);
    struct transformer_pass_f64 pass =
        transformer_pass_new_f64(config, SEQUENCES, 64);
    double expected = transformer_forward_f64(&network, &pass, x, y);
    for (int bits = 32; bits <= 64; bits += 32) {
      struct final_state *final = make_state(kind, bits);
      assert_near(final_state_loss(final, stay, config->eps, NULL), expected,
                  bits == 32 ? 1e-5 : 1e-12, "baseline");
      final_state_free(final);
    }
    transformer_pass_free_f64(&pass);
    transformer_free_f64(&network);
  }
}

static void test_invariances(void **state) {
  (void)state;
  const struct final_move shift = {1, 5, FINAL_ALL_AXES},
                          scale = {3, 0, FINAL_ALL_AXES}, axis = {1, 5, 0};
  for (int kind = 0; kind < KINDS; kind++)
    for (int bits = 32; bits <= 64; bits += 32) {
      struct final_state *final = make_state(kind, bits);
      double change, bound = bits == 32 ? 1e-5 : 1e-12;
      double baseline = final_state_loss(final, stay, 0, NULL);
      assert_near(final_state_loss(final, scale, 0, &change), baseline, bound,
                  "scaled");
      assert_true(change <= 10 * bound);
      double shifted = final_state_loss(final, shift, 0, &change);
      if (kind == LAYER) {
        assert_near(shifted, baseline, bound, "shifted");
        assert_true(change <= 10 * bound);
      } else {
        assert_true(fabs(shifted - baseline) > 1e-3 && change > 1e-2);
      }
      assert_true(fabs(final_state_loss(final, axis, 0, &change) - baseline) >
                  1e-4);
      assert_true(change > 1e-2);
      final_state_loss(final, stay, 0, &change);
      assert_true(change == 0);
      final_state_loss(final, (struct final_move){NAN, 0, FINAL_ALL_AXES}, 0,
                       &change);
      assert_true(isnan(change)); /* and not 0: all logits are lost */
      final_state_free(final);
    }
}

/* Scaling by s at eps is eps / s^2 at scale 1. */
static void test_scale_is_eps(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    struct final_state *final = make_state(kind, 64);
    for (double scale = 1e-4; scale < 1e4; scale *= 10) {
      const struct final_move move = {scale, 0, FINAL_ALL_AXES};
      assert_near(final_state_loss(final, move, 1e-5, NULL),
                  final_state_loss(final, stay, 1e-5 / (scale * scale), NULL),
                  1e-12, "scaled");
    }
    final_state_free(final);
  }
}

/* c against a forward difference whose linear error is extrapolated away. */
static void test_slope(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    struct final_state *final = make_state(kind, 64);
    double spread = final_state_spread(final), h = 1e-5, by_log_scale;
    double limit = final_state_loss(final, stay, 0, NULL);
    double one = final_state_loss(final, stay, h * spread * spread, NULL);
    double two = final_state_loss(final, stay, 2 * h * spread * spread, NULL);
    double expected = (2 * (one - limit) - (two - limit) / 2) / h;
    double slope = final_state_slope(final, &by_log_scale);
    assert_true(fabs(slope) > 1e-3);
    assert_near(slope, expected, 1e-6 * fabs(slope), "slope");
    /* Rows of equal variance would make it exactly -2 c. */
    assert_true(by_log_scale * slope < 0);
    final_state_free(final);

    final = make_state(kind, 32);
    assert_near(final_state_slope(final, NULL), slope, 1e-4 * fabs(slope),
                "float32 slope");
    final_state_free(final);
  }
}

static void test_equal_draws_give_equal_bits(void **state) {
  (void)state;
  struct final_state *a = make_state(LAYER, 64), *b = make_state(LAYER, 64);
  double x = final_state_loss(a, stay, 1e-5, NULL);
  double y = final_state_loss(b, stay, 1e-5, NULL);
  assert_memory_equal(&x, &y, sizeof x);
  assert_true(final_state_spread(a) == final_state_spread(b));
  final_state_free(a);
  final_state_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_baseline),
      cmocka_unit_test(test_invariances),
      cmocka_unit_test(test_scale_is_eps),
      cmocka_unit_test(test_slope),
      cmocka_unit_test(test_equal_draws_give_equal_bits),
  };
  return cmocka_run_group_tests_name("final_state", tests, load_models,
                                     free_models);
}
