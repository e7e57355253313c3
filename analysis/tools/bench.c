/* Speed as ratios: each kernel against a plain reference, timed in turn in one
 * run, so that the table means the same on a fast and on a slow machine. A
 * ratio is the median of ROUNDS pairs; above 1 the kernel is faster. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/linalg.h"
#include "analysis/norm.h"
#include "analysis/rng.h"
#include "analysis/stats.h"
#include "analysis/transformer.h"
#include "report/base/json.h"

enum {
  ROUNDS = 11,
  ROWS = 2048,
  WIDTH = 128,
  HIDDEN = 512,
  DRAWS = 1 << 20,
  JSON_VALUES = 20000,
  B = 8,
  T = 64
};

struct data {
  float *x, *gain, *bias, *y, *dy, *dx, *dgain, *dbias, *mean, *rstd;
  float *weight, *product;
  double *draws;
  struct buffer json;
  struct transformer_f32 narrow;
  struct transformer_f64 wide;
  struct transformer_pass_f32 narrow_pass;
  struct transformer_pass_f64 wide_pass;
  int tokens[B * T];
};

/* ---- layer norm, row by row as it is written down ---- */
static void plain_statistics(const float *x, float *mean, float *rstd) {
  float sum = 0, squares = 0;
  for (int i = 0; i < WIDTH; i++)
    sum += x[i];
  *mean = sum / WIDTH;
  for (int i = 0; i < WIDTH; i++)
    squares += (x[i] - *mean) * (x[i] - *mean);
  *rstd = 1 / sqrtf(squares / WIDTH + 1e-5f);
}

static void norm_forward_plain(struct data *d) {
  for (int r = 0; r < ROWS; r++) {
    const float *x = d->x + r * WIDTH;
    plain_statistics(x, &d->mean[r], &d->rstd[r]);
    for (int i = 0; i < WIDTH; i++)
      d->y[r * WIDTH + i] =
          d->gain[i] * (x[i] - d->mean[r]) * d->rstd[r] + d->bias[i];
  }
}

static void norm_forward_kernel(struct data *d) {
  norm_forward_f32(NORM_LAYER, ROWS, WIDTH, 1e-5f, d->x, d->gain, d->bias, d->y,
                   d->mean, d->rstd);
}

static void norm_backward_plain(struct data *d) {
  for (int r = 0; r < ROWS; r++) {
    const float *x = d->x + r * WIDTH, *g = d->dy + r * WIDTH;
    float along_one = 0, along_xhat = 0;
    for (int i = 0; i < WIDTH; i++) {
      float xhat = (x[i] - d->mean[r]) * d->rstd[r];
      along_one += d->gain[i] * g[i] / WIDTH;
      along_xhat += d->gain[i] * g[i] * xhat / WIDTH;
      d->dgain[i] += g[i] * xhat;
      d->dbias[i] += g[i];
    }
    for (int i = 0; i < WIDTH; i++) {
      float xhat = (x[i] - d->mean[r]) * d->rstd[r];
      d->dx[r * WIDTH + i] +=
          d->rstd[r] * (d->gain[i] * g[i] - along_one - xhat * along_xhat);
    }
  }
}

static void norm_backward_kernel(struct data *d) {
  norm_backward_f32(NORM_LAYER, ROWS, WIDTH, d->dy, d->x, d->gain, d->mean,
                    d->rstd, d->dx, d->dgain, d->dbias);
}

/* ---- a linear layer, (ROWS, WIDTH) by (HIDDEN, WIDTH)' ---- */
static void linear_plain(struct data *d) {
  for (int r = 0; r < ROWS; r++)
    for (int o = 0; o < HIDDEN; o++) {
      float sum = 0;
      for (int i = 0; i < WIDTH; i++)
        sum += d->x[r * WIDTH + i] * d->weight[o * WIDTH + i];
      d->product[r * HIDDEN + o] = sum;
    }
}

static void linear_kernel(struct data *d) {
  linalg_gemm_f32(LINALG_PLAIN, LINALG_TRANSPOSED, ROWS, HIDDEN, WIDTH, 1, d->x,
                  WIDTH, d->weight, WIDTH, 0, d->product, HIDDEN);
}

/* ---- the transformer, forward and backward ---- */
static void step_wide(struct data *d) {
  transformer_forward_f64(&d->wide, &d->wide_pass, d->tokens, d->tokens);
  transformer_backward_f64(&d->wide, &d->wide_pass, d->tokens, d->tokens, 1,
                           NULL);
}

static void step_narrow(struct data *d) {
  transformer_forward_f32(&d->narrow, &d->narrow_pass, d->tokens, d->tokens);
  transformer_backward_f32(&d->narrow, &d->narrow_pass, d->tokens, d->tokens, 1,
                           NULL);
}

/* ---- normal draws: Box and Muller's method against the ziggurat ---- */
static void normals_box_muller(struct data *d) {
  struct rng rng;
  rng_seed(&rng, 0);
  for (int i = 0; i < DRAWS; i += 2) {
    double radius = sqrt(-2 * log1p(-rng_double(&rng)));
    double angle = 2 * M_PI * rng_double(&rng);
    d->draws[i] = radius * cos(angle);
    d->draws[i + 1] = radius * sin(angle);
  }
}

static void normals_ziggurat(struct data *d) {
  struct rng rng;
  rng_seed(&rng, 0);
  rng_normals(&rng, 0, 1, DRAWS, d->draws);
}

/* ---- reading results: cJSON alone, and with places and exact digits ---- */
static void json_alone(struct data *d) {
  cJSON_Delete(cJSON_ParseWithLength(d->json.bytes, d->json.length));
}

static void json_strict(struct data *d) {
  struct json_document document;
  struct error err;
  if (json_parse("bench", d->json.bytes, d->json.length, &document, &err) !=
      0) {
    fprintf(stderr, "%s\n", err.text);
    exit(2);
  }
  json_free(&document);
}

struct row {
  const char *what, *reference;
  void (*plain)(struct data *), (*kernel)(struct data *);
};

static const struct row rows[] = {
    {"layer norm forward, float32, 2048 x 128", "scalar loops",
     norm_forward_plain, norm_forward_kernel},
    {"layer norm backward, float32, 2048 x 128", "scalar loops",
     norm_backward_plain, norm_backward_kernel},
    {"linear layer 2048 x 128 to 512, float32", "scalar loops", linear_plain,
     linear_kernel},
    {"transformer forward and backward, 8 x 64", "the same in float64",
     step_wide, step_narrow},
    {"a million normal draws", "Box-Muller", normals_box_muller,
     normals_ziggurat},
    {"20,000 JSON numbers with places", "cJSON alone", json_alone, json_strict},
};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double timed(void (*work)(struct data *), struct data *d) {
  double start = seconds();
  work(d);
  return seconds() - start;
}

static void measure(const struct row *row, struct data *d) {
  double ratios[ROUNDS], times[ROUNDS];
  timed(row->plain, d);
  timed(row->kernel, d);
  for (int i = 0; i < ROUNDS; i++) {
    double plain = timed(row->plain, d);
    times[i] = timed(row->kernel, d);
    ratios[i] = plain / times[i];
  }
  stats_sort(ratios, ROUNDS);
  stats_sort(times, ROUNDS);
  printf("%-42s %9.2f %8.2f %8.2f %9.2f  %s\n", row->what,
         stats_median(ratios, ROUNDS), ratios[0], ratios[ROUNDS - 1],
         1e3 * stats_median(times, ROUNDS), row->reference);
}

static float *random_floats(struct rng *rng, size_t n) {
  float *out = memory_alloc(n, sizeof *out);
  for (size_t i = 0; i < n; i++)
    out[i] = (float)rng_normal(rng);
  return out;
}

static void fill_json(struct rng *rng, struct buffer *json) {
  buffer_text(json, "{\"values\": [");
  for (int i = 0; i < JSON_VALUES; i++) {
    char text[JSON_DOUBLE_TEXT];
    json_double_text(rng_normal(rng), text);
    buffer_printf(json, "%s%s", i > 0 ? ",\n" : "", text);
  }
  buffer_text(json, "]}\n");
}

static void fill_models(struct rng *rng, struct data *d) {
  struct transformer_config config = transformer_config(false, 1e-5);
  struct transformer_table table = transformer_table(&config);
  float *weights = memory_alloc(table.parameters, sizeof *weights);
  double *widened = memory_alloc(table.parameters, sizeof *widened);
  transformer_init(&config, rng, weights);
  for (size_t i = 0; i < table.parameters; i++)
    widened[i] = weights[i];
  d->narrow = transformer_new_f32(&config, weights);
  d->wide = transformer_new_f64(&config, widened);
  d->narrow_pass = transformer_pass_new_f32(&config, B, T);
  d->wide_pass = transformer_pass_new_f64(&config, B, T);
  for (int i = 0; i < B * T; i++)
    d->tokens[i] = (int)rng_integer(rng, 0, (int64_t)config.V);
  free(widened);
  free(weights);
  transformer_table_free(&table);
}

static struct data *make_data(void) {
  struct data *d = memory_alloc(1, sizeof *d);
  struct rng rng;
  rng_seed(&rng, 0);
  d->x = random_floats(&rng, ROWS * WIDTH);
  d->dy = random_floats(&rng, ROWS * WIDTH);
  d->gain = random_floats(&rng, WIDTH);
  d->bias = random_floats(&rng, WIDTH);
  d->weight = random_floats(&rng, HIDDEN * WIDTH);
  d->y = memory_alloc(ROWS * WIDTH, sizeof *d->y);
  d->dx = memory_alloc(ROWS * WIDTH, sizeof *d->dx);
  d->dgain = memory_alloc(WIDTH, sizeof *d->dgain);
  d->dbias = memory_alloc(WIDTH, sizeof *d->dbias);
  d->mean = memory_alloc(ROWS, sizeof *d->mean);
  d->rstd = memory_alloc(ROWS, sizeof *d->rstd);
  d->product = memory_alloc(ROWS * HIDDEN, sizeof *d->product);
  d->draws = memory_alloc(DRAWS, sizeof *d->draws);
  fill_json(&rng, &d->json);
  fill_models(&rng, d);
  return d;
}

static void free_data(struct data *d) {
  float *arrays[] = {d->x,    d->gain, d->bias,   d->y,
                     d->dy,   d->dx,   d->dgain,  d->dbias,
                     d->mean, d->rstd, d->weight, d->product};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    free(arrays[i]);
  free(d->draws);
  buffer_free(&d->json);
  transformer_pass_free_f32(&d->narrow_pass);
  transformer_pass_free_f64(&d->wide_pass);
  transformer_free_f32(&d->narrow);
  transformer_free_f64(&d->wide);
  free(d);
}

int main(void) {
  struct data *d = make_data();
  printf("%-42s %9s %8s %8s %9s  %s\n", "", "ratio", "least", "most", "ms",
         "against");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    measure(&rows[i], d);
  free_data(d);
  return 0;
}
