/* Shares of gradients: against the norm's own backward pass, which loses just
 * that share, and the random plane against its exact distribution. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "analysis/gradient_share.h"
#include "analysis/norm.h"
#include "analysis/random_plane.h"
#include "analysis/stats.h"
#include "tests/model_fixture.h"

enum { BATCHES = 2, SEQUENCES = 2, ROWS = SEQUENCES * 64, C = 128, POINTS = 9 };

static double length(const double *x) {
  double squares = 0;
  for (int i = 0; i < C; i++)
    squares += x[i] * x[i];
  return sqrt(squares);
}

/* With eps = 0 the backward pass is a projector over sigma, so the share that
 * is gone follows from the lengths before and after. */
static void lost_shares(const struct transformer_f64 *network,
                        const struct transformer_pass_f64 *pass, size_t n,
                        double *shares) {
  static double dx[ROWS * C];
  const double *gain = transformer_gain_f64(network, n);
  const double *dy = transformer_dy_f64(network, pass, n);
  const double *rstd = pass->inv_sigma + n * ROWS;
  memset(dx, 0, sizeof dx);
  norm_backward_f64(network->config.rms ? NORM_RMS : NORM_LAYER, ROWS, C, dy,
                    transformer_residual_f64(network, pass, n), gain,
                    pass->mean + n * ROWS, rstd, dx, NULL, NULL);
  for (int r = 0; r < ROWS; r++) {
    double g[C];
    for (int i = 0; i < C; i++)
      g[i] = gain[i] * dy[r * C + i];
    double kept = length(dx + r * C) / rstd[r] / length(g);
    shares[r] = sqrt(fmax(0, 1 - kept * kept));
  }
}

static void check_model(bool rms) {
  static double lost[POINTS][BATCHES * ROWS];
  struct gradient_share shares[POINTS];
  struct fixture f;
  struct model model;
  struct error err = {{0}};
  fixture_make(&f, rms, 0);
  if (model_load(f.models, f.corpora, "m", &model, &err) != 0)
    fail_msg("%s", err.text);
  gradient_share_measure(&model, BATCHES, SEQUENCES, shares);

  struct transformer_f64 network =
      transformer_new_f64(&model.config, model.wide);
  struct transformer_pass_f64 pass =
      transformer_pass_new_f64(&model.config, SEQUENCES, 64);
  struct rng rng;
  rng_seed(&rng, 0);
  for (int batch = 0; batch < BATCHES; batch++) {
    int x[ROWS], y[ROWS];
    corpus_batch(&model.corpus, CORPUS_HELD_OUT, &rng, SEQUENCES, 64, x, y);
    transformer_forward_f64(&network, &pass, x, y);
    transformer_backward_f64(&network, &pass, x, y, 1, NULL);
    for (size_t n = 0; n < POINTS; n++)
      lost_shares(&network, &pass, n, lost[n] + batch * ROWS);
  }
  for (size_t n = 0; n < POINTS; n++) {
    const struct share_summary *s = &shares[n].gain_g;
    stats_sort(lost[n], BATCHES * ROWS);
    const double found[] = {s->median, s->p90, s->max};
    const double expected[] = {stats_median(lost[n], BATCHES * ROWS),
                               stats_quantile(lost[n], BATCHES * ROWS, 0.9),
                               lost[n][BATCHES * ROWS - 1]};
    assert_int_equal(s->rows, BATCHES * ROWS);
    assert_int_equal(shares[n].g.rows, BATCHES * ROWS);
    for (int i = 0; i < 3; i++)
      if (!(fabs(found[i] - expected[i]) <= 1e-9))
        fail_msg("norm %zu: share %.17g, %.17g lost", n, found[i], expected[i]);
    assert_true(shares[n].g.max <= 1 && shares[n].inv_sigma_median > 0);
    assert_true(fabs(shares[n].g.median - s->median) > 1e-6); /* gain matters */
  }
  transformer_pass_free_f64(&pass);
  transformer_free_f64(&network);
  model_free(&model);
  fixture_remove(&f);
}

static void test_share_is_what_backward_loses(void **state) {
  (void)state;
  check_model(false);
  check_model(true);
}

/* A norm whose gain is zero passes no gradient: its rows are dropped. */
static void test_rows_without_gradient(void **state) {
  (void)state;
  struct fixture f;
  struct model model;
  struct error err = {{0}};
  struct gradient_share shares[POINTS];
  fixture_make(&f, false, 1e-5);
  if (model_load(f.models, f.corpora, "m", &model, &err) != 0)
    fail_msg("%s", err.text);
  size_t last_gain = 0;
  for (size_t i = 0; i < f.table.count; i++)
    if (f.table.tensors[i].role == TRANSFORMER_GAIN)
      last_gain = f.table.tensors[i].offset;
  for (size_t i = 0; i < C; i++)
    model.wide[last_gain + i] = 0;
  gradient_share_measure(&model, 1, SEQUENCES, shares);
  assert_int_equal(shares[POINTS - 1].g.rows, ROWS);
  assert_int_equal(shares[POINTS - 1].gain_g.rows, 0);
  assert_true(shares[POINTS - 1].gain_g.max == 0);
  assert_int_equal(shares[0].g.rows, 0);
  model.wide[last_gain] = NAN;
  gradient_share_measure(&model, 1, SEQUENCES, shares);
  assert_int_equal(shares[POINTS - 1].gain_g.rows, ROWS);
  assert_true(isnan(shares[POINTS - 1].gain_g.max));
  model_free(&model);
  fixture_remove(&f);
}

/* P(share <= s) = 1 - (1 - s^2)^((width - 2)/2) in a plane. */
static void test_random_plane(void **state) {
  (void)state;
  enum { DRAWS = 20000 };
  static double shares[DRAWS];
  random_plane_shares(1, DRAWS, 32, 2, shares);
  stats_sort(shares, DRAWS);
  double distance = 0; /* Kolmogorov's */
  for (int i = 0; i < DRAWS; i++) {
    double exact = 1 - pow(1 - shares[i] * shares[i], 15);
    distance = fmax(distance, fabs(exact - (i + 0.5) / DRAWS));
  }
  assert_true(distance < 1.95 / sqrt(DRAWS)); /* 1 in 1,000 */
  random_plane_shares(1, DRAWS, 128, 1, shares);
  assert_true(fabs(stats_rms(shares, DRAWS) - sqrt(1.0 / 128)) < 1e-3);
  random_plane_shares(1, 10, 5, 5, shares);
  for (int i = 0; i < 10; i++)
    assert_true(shares[i] == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_share_is_what_backward_loses),
      cmocka_unit_test(test_rows_without_gradient),
      cmocka_unit_test(test_random_plane),
  };
  return cmocka_run_group_tests_name("gradient_share", tests, NULL, NULL);
}
