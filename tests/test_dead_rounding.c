/* What storing leaves of the kernel, against the rounding model, a plain
 * computation in double, and a norm that has no kernel. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/dead_direction.h"
#include "analysis/rng.h"
#include "analysis/stats.h"
#include "analysis/dead_rounding.h"
#include "report/base/memory.h"

enum { ROWS = 3000, WIDTH = 64 };

struct norm_input {
  double *x; /* (ROWS, WIDTH) */
  double gain[WIDTH], bias[WIDTH];
};

static void make(struct norm_input *in) {
  struct rng rng;
  in->x = memory_alloc(ROWS * WIDTH, sizeof *in->x);
  rng_seed(&rng, 4);
  rng_normals(&rng, 0.5, 2, ROWS * WIDTH, in->x);
  for (size_t i = 0; i < WIDTH; i++) {
    double size = 0.3 + rng_double(&rng);
    in->gain[i] = i % 3 == 0 ? -size : size;
    in->bias[i] = 0.1 * rng_normal(&rng);
  }
}

static void test_prediction(void **state) {
  (void)state;
  struct norm_input in;
  make(&in);
  struct dead_rounding k = dead_rounding_measure(NORM_LAYER, ROWS, WIDTH, 1e-5,
                                                 in.x, in.gain, in.bias);
  for (int f = 0; f < NUMBER_FORMATS; f++) {
    if (!(fabs(k.measured[f] / k.predicted[f] - 1) < 0.1))
      fail_msg("%s: %.17g, predicted %.17g",
               number_format_name((enum number_format)f), k.measured[f],
               k.predicted[f]);
    /* spacing / |y| is between 2^-p and 2^(1-p), p significant bits. */
    double part = number_format_spacing((enum number_format)f, 1) / 2;
    assert_true(k.predicted[f] > k.weight * part * part / 12);
    assert_true(k.predicted[f] < k.weight * part * part / 3 * 1.01);
  }
  free(in.x);
}

/* The part of one output y_i in the prediction. */
static double rounding_of(double u, double y) {
  double part = u * number_format_spacing(NUMBER_BFLOAT16, y);
  return part * part / 12;
}

/* The rows in double, rounded to bfloat16 and projected on u. */
static void test_in_double(void **state) {
  (void)state;
  struct norm_input in;
  make(&in);
  double u[WIDTH], weight = 0, squares = 0, predicted = 0, mean;
  double *y = memory_alloc(ROWS * (WIDTH + 3), sizeof *y);
  double *projected = y + ROWS * WIDTH, *moments = projected + ROWS;
  norm_forward_f64(NORM_LAYER, ROWS, WIDTH, 1e-5, in.x, in.gain, in.bias, y,
                   moments, moments + ROWS);
  dead_direction_unit(WIDTH, in.gain, u);
  for (size_t i = 0; i < ROWS * WIDTH; i++) {
    weight += u[i % WIDTH] * u[i % WIDTH] * y[i] * y[i] / ROWS;
    predicted += rounding_of(u[i % WIDTH], y[i]) / ROWS;
    y[i] = number_format_round(NUMBER_BFLOAT16, y[i]);
  }
  for (size_t r = 0; r < ROWS; r++)
    projected[r] = stats_dot(u, y + r * WIDTH, WIDTH);
  double exact = dead_rounding_variance(ROWS, WIDTH, in.gain, y);
  mean = stats_mean(projected, ROWS);
  for (size_t r = 0; r < ROWS; r++)
    squares += (projected[r] - mean) * (projected[r] - mean) / ROWS;
  struct dead_rounding k = dead_rounding_measure(NORM_LAYER, ROWS, WIDTH, 1e-5,
                                                 in.x, in.gain, in.bias);
  assert_true(fabs(k.measured[NUMBER_BFLOAT16] / squares - 1) < 1e-8);
  assert_true(fabs(k.predicted[NUMBER_BFLOAT16] / predicted - 1) < 1e-12);
  assert_true(fabs(exact / squares - 1) < 1e-12);
  assert_true(fabs(k.weight / weight - 1) < 1e-12);
  free(y);
  free(in.x);
}

/* u . y varies by itself, whatever the format. */
static void test_rmsnorm(void **state) {
  (void)state;
  struct norm_input in;
  make(&in);
  struct dead_rounding k =
      dead_rounding_measure(NORM_RMS, ROWS, WIDTH, 1e-5, in.x, in.gain, NULL);
  assert_true(k.measured[NUMBER_FLOAT64] > 1e-3);
  assert_true(
      fabs(k.measured[NUMBER_FLOAT16] / k.measured[NUMBER_FLOAT64] - 1) < 1e-3);
  free(in.x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_prediction),
      cmocka_unit_test(test_in_double),
      cmocka_unit_test(test_rmsnorm),
  };
  return cmocka_run_group_tests_name("dead_rounding", tests, NULL, NULL);
}
