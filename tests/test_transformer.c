/* The transformer against plain loops, finite differences and itself: forward,
 * backward, tangents, in float and double, with both norms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/norm.h"
#include "analysis/rng.h"
#include "analysis/transformer.h"
#include "report/base/memory.h"

static void close_to(double found, double expected, double bound,
                     const char *what) {
  double scale = fmax(1, fabs(expected));
  if (!(fabs(found - expected) <= bound * scale))
    fail_msg("%s: found %.17g, expected %.17g, bound %g", what, found, expected,
             bound * scale);
}

/* ---- a small model with every weight of its own ---- */

enum { B = 2, T = 5, V = 7, C = 8, NH = 2, HS = C / NH, L = 2, ROWS = B * T };

struct sample {
  struct transformer_f64 model;
  struct transformer_pass_f64 pass;
  int x[ROWS], y[ROWS];
};

static struct sample sample_new(bool rms) {
  struct transformer_config config = {V, T, C, NH, L, rms, 1e-5};
  struct sample s = {.model = transformer_new_f64(&config, NULL),
                     .pass = transformer_pass_new_f64(&config, B, T)};
  struct rng rng;
  rng_seed(&rng, 5);
  rng_normals(&rng, 0, 0.4, s.model.parameters, s.model.weights.slab);
  for (size_t n = 0; n <= 2 * L; n++) {
    const double *gain = transformer_gain_f64(&s.model, n);
    for (size_t j = 0; j < C; j++)
      s.model.weights.slab[(size_t)(gain - s.model.weights.slab) + j] += 1;
  }
  for (size_t i = 0; i < ROWS; i++) {
    s.x[i] = (int)rng_integer(&rng, 0, V);
    s.y[i] = (int)rng_integer(&rng, 0, V);
  }
  return s;
}

static void sample_free(struct sample *s) {
  transformer_pass_free_f64(&s->pass);
  transformer_free_f64(&s->model);
}

static double loss_of(struct sample *s) {
  return transformer_forward_f64(&s->model, &s->pass, s->x, s->y);
}

/* ---- the table ---- */

static void test_table(void **state) {
  (void)state;
  for (int rms = 0; rms < 2; rms++) {
    struct transformer_config config = transformer_config(rms, 1e-5);
    struct transformer_table table = transformer_table(&config);
    size_t offset = 0;
    for (size_t i = 0; i < table.count; i++) {
      assert_int_equal(table.tensors[i].offset, offset);
      offset += table.tensors[i].count;
    }
    assert_int_equal(offset, table.parameters);
    assert_int_equal(table.parameters, rms ? 814976 : 816128);
    assert_int_equal(table.count, rms ? 36 : 45);
    assert_string_equal(table.tensors[0].name, "transformer.wte.weight");
    assert_string_equal(table.tensors[table.count - 1].name, "lm_head.weight");
    transformer_table_free(&table);
  }
}

static void test_names(void **state) {
  (void)state;
  struct transformer_config config = transformer_config(false, 1e-5);
  const char *points[] = {"embed",   "b0_attn", "b0_mlp",  "b1_attn", "b1_mlp",
                          "b2_attn", "b2_mlp",  "b3_attn", "b3_mlp"};
  const char *norms[] = {"b0.ln1", "b0.ln2", "b1.ln1", "b1.ln2", "b2.ln1",
                         "b2.ln2", "b3.ln1", "b3.ln2", "lnf"};
  assert_int_equal(transformer_points(&config), 9);
  for (size_t n = 0; n < 9; n++) {
    char name[TRANSFORMER_NAME];
    transformer_point_name(n, name);
    assert_string_equal(name, points[n]);
    transformer_norm_name(&config, n, name);
    assert_string_equal(name, norms[n]);
  }
}

/* Each weight pointer lies where the table puts the tensor of its name. */
static void test_layout(void **state) {
  (void)state;
  struct transformer_config config = transformer_config(false, 1e-5);
  struct transformer_f64 model = transformer_new_f64(&config, NULL);
  struct transformer_table table = transformer_table(&config);
  const struct transformer_tensors_f64 *w = &model.weights;
  const struct {
    const char *name;
    const double *at;
  } places[] = {{"transformer.wpe.weight", w->wpe},
                {"transformer.h.0.ln_1.bias", w->blocks[0].ln1_bias},
                {"transformer.h.1.attn.c_attn.weight", w->blocks[1].qkv},
                {"transformer.h.1.attn.c_proj.weight", w->blocks[1].proj},
                {"transformer.h.2.ln_2.weight", w->blocks[2].ln2_gain},
                {"transformer.h.3.mlp.c_fc.weight", w->blocks[3].fc},
                {"transformer.h.3.mlp.c_fc.bias", w->blocks[3].fc_bias},
                {"transformer.h.3.mlp.c_proj.weight", w->blocks[3].out},
                {"transformer.h.3.mlp.c_proj.bias", w->blocks[3].out_bias},
                {"transformer.ln_f.weight", w->lnf_gain},
                {"lm_head.weight", w->head}};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
    size_t i = 0;
    while (i < table.count && strcmp(table.tensors[i].name, places[k].name))
      i++;
    if (i == table.count) fail_msg("no tensor is named %s", places[k].name);
    assert_ptr_equal(places[k].at, w->slab + table.tensors[i].offset);
  }
  transformer_table_free(&table);
  transformer_free_f64(&model);
}

static void test_init(void **state) {
  (void)state;
  struct transformer_config config = transformer_config(false, 1e-5);
  struct transformer_table table = transformer_table(&config);
  float *w = memory_alloc(table.parameters, sizeof *w);
  struct rng rng, again;
  rng_seed(&rng, 1);
  rng_seed(&again, 1);
  transformer_init(&config, &rng, w);
  assert_true(w[0] == (float)rng_normal(&again));
  for (size_t i = 0; i < table.count; i++) {
    const struct transformer_tensor *t = &table.tensors[i];
    double square = 0, largest = 0;
    for (size_t k = 0; k < t->count; k++) {
      double value = (double)w[t->offset + k];
      square += value * value / (double)t->count;
      largest = fmax(largest, fabs(value));
    }
    double bound = t->fan_in > 0 ? 1 / sqrt((double)t->fan_in) : 0;
    if (t->role == TRANSFORMER_EMBEDDING) close_to(square, 1, 0.05, t->name);
    if (t->role == TRANSFORMER_LINEAR) {
      assert_true(largest <= bound && largest > 0.9 * bound);
      close_to(square / (bound * bound), 1.0 / 3, 0.08, t->name);
    }
    if (t->role == TRANSFORMER_GAIN) assert_true(square == 1 && largest == 1);
    if (t->role == TRANSFORMER_BIAS) assert_true(largest == 0);
  }
  free(w);
  transformer_table_free(&table);
}

/* ---- forward against plain loops ---- */

/* out (n) = w (n, k) x (k) + bias */
static void plain_linear(size_t n, size_t k, const double *w,
                         const double *bias, const double *x, double *out) {
  for (size_t i = 0; i < n; i++) {
    out[i] = bias != NULL ? bias[i] : 0;
    for (size_t j = 0; j < k; j++)
      out[i] += w[i * k + j] * x[j];
  }
}

static void plain_norm(bool rms, const double *x, const double *gain,
                       const double *bias, double *y) {
  double mean = 0, square = 0;
  for (size_t j = 0; j < C && !rms; j++)
    mean += x[j] / C;
  for (size_t j = 0; j < C; j++)
    square += (x[j] - mean) * (x[j] - mean) / C;
  for (size_t j = 0; j < C; j++)
    y[j] = gain[j] * (x[j] - mean) / sqrt(square + 1e-5) + (rms ? 0 : bias[j]);
}

static void plain_attention(double qkv[T][3 * C], double mix[T][C]) {
  memset(mix, 0, sizeof(double[T][C]));
  for (size_t h = 0; h < NH; h++)
    for (size_t i = 0; i < T; i++) {
      double weight[T], sum = 0;
      for (size_t j = 0; j <= i; j++) {
        double score = 0;
        for (size_t f = h * HS; f < (h + 1) * HS; f++)
          score += qkv[i][f] * qkv[j][C + f] / sqrt(HS);
        sum += weight[j] = exp(score);
      }
      for (size_t j = 0; j <= i; j++)
        for (size_t f = h * HS; f < (h + 1) * HS; f++)
          mix[i][f] += weight[j] / sum * qkv[j][2 * C + f];
    }
}

static void plain_block(bool rms, const struct transformer_block_f64 *w,
                        double x[T][C]) {
  double y[C], qkv[T][3 * C], mix[T][C], fc[4 * C], out[C];
  for (size_t i = 0; i < T; i++) {
    plain_norm(rms, x[i], w->ln1_gain, w->ln1_bias, y);
    plain_linear(3 * C, C, w->qkv, NULL, y, qkv[i]);
  }
  plain_attention(qkv, mix);
  for (size_t i = 0; i < T; i++) {
    plain_linear(C, C, w->proj, NULL, mix[i], out);
    for (size_t j = 0; j < C; j++)
      x[i][j] += out[j];
    plain_norm(rms, x[i], w->ln2_gain, w->ln2_bias, y);
    plain_linear(4 * C, C, w->fc, w->fc_bias, y, fc);
    for (size_t j = 0; j < 4 * C; j++)
      fc[j] *= 0.5 * erfc(-fc[j] / sqrt(2));
    plain_linear(C, 4 * C, w->out, w->out_bias, fc, out);
    for (size_t j = 0; j < C; j++)
      x[i][j] += out[j];
  }
}

static void test_forward_plain(void **state) {
  (void)state;
  for (int rms = 0; rms < 2; rms++) {
    struct sample s = sample_new(rms);
    const struct transformer_tensors_f64 *w = &s.model.weights;
    double mean = loss_of(&s), total = 0;
    for (size_t b = 0; b < B; b++) {
      double x[T][C], y[C], logits[V];
      for (size_t i = 0; i < T; i++)
        for (size_t j = 0; j < C; j++)
          x[i][j] = w->wte[(size_t)s.x[b * T + i] * C + j] + w->wpe[i * C + j];
      for (size_t l = 0; l < L; l++)
        plain_block(rms, &w->blocks[l], x);
      for (size_t i = 0; i < T; i++) {
        double sum = 0;
        plain_norm(rms, x[i], w->lnf_gain, w->lnf_bias, y);
        plain_linear(V, C, w->head, NULL, y, logits);
        for (size_t j = 0; j < V; j++) {
          close_to(s.pass.logits[(b * T + i) * V + j], logits[j], 1e-13,
                   "logit");
          sum += exp(logits[j]);
        }
        double loss = log(sum) - logits[s.y[b * T + i]];
        close_to(s.pass.losses[b * T + i], loss, 1e-13, "loss");
        total += loss / ROWS;
      }
    }
    close_to(mean, total, 1e-14, "mean loss");
    sample_free(&s);
  }
}

/* A later token moves nothing before it. */
static void test_causal(void **state) {
  (void)state;
  struct sample s = sample_new(false);
  double before[ROWS * V];
  loss_of(&s);
  memcpy(before, s.pass.logits, sizeof before);
  s.x[T - 2] = (s.x[T - 2] + 1) % V;
  loss_of(&s);
  assert_memory_equal(s.pass.logits, before, (T - 2) * V * sizeof *before);
  assert_memory_not_equal(s.pass.logits + (T - 2) * V, before + (T - 2) * V,
                          2 * V * sizeof *before);
  assert_memory_equal(s.pass.logits + T * V, before + T * V,
                      T * V * sizeof *before);
  sample_free(&s);
}

/* ---- backward ---- */

static void test_backward_differences(void **state) {
  (void)state;
  for (int rms = 0; rms < 2; rms++) {
    struct sample s = sample_new(rms);
    struct transformer_tensors_f64 g =
        transformer_gradients_new_f64(&s.model.config);
    struct transformer_table table = transformer_table(&s.model.config);
    loss_of(&s);
    transformer_backward_f64(&s.model, &s.pass, s.x, s.y, 1.0 / ROWS, &g);
    for (size_t t = 0; t < table.count; t++)
      for (size_t k = 0; k < table.tensors[t].count; k++) {
        size_t i = table.tensors[t].offset + k;
        double *w = &s.model.weights.slab[i], kept = *w, h = 1e-5;
        *w = kept + h;
        double high = loss_of(&s);
        *w = kept - h;
        double low = loss_of(&s);
        *w = kept;
        close_to(g.slab[i], (high - low) / (2 * h), 1e-9,
                 table.tensors[t].name);
      }
    transformer_table_free(&table);
    transformer_tensors_free_f64(&g);
    sample_free(&s);
  }
}

/* Gradients are added, and dy does not depend on whether they are wanted. */
static void test_backward_adds(void **state) {
  (void)state;
  struct sample s = sample_new(false);
  struct transformer_tensors_f64 g =
      transformer_gradients_new_f64(&s.model.config);
  size_t n = s.model.parameters, rows = (2 * L + 1) * ROWS * C;
  double *once = memory_alloc(n, sizeof *once);
  double *dy = memory_alloc(rows, sizeof *dy);
  loss_of(&s);
  transformer_backward_f64(&s.model, &s.pass, s.x, s.y, 0.5, &g);
  memcpy(once, g.slab, n * sizeof *once);
  memcpy(dy, s.pass.dy, rows * sizeof *dy);
  transformer_backward_f64(&s.model, &s.pass, s.x, s.y, 0.5, &g);
  for (size_t i = 0; i < n; i++)
    close_to(g.slab[i], 2 * once[i], 1e-14, "sum of two gradients");
  transformer_backward_f64(&s.model, &s.pass, s.x, s.y, 0.5, NULL);
  assert_memory_equal(s.pass.dy, dy, rows * sizeof *dy);
  free(once);
  free(dy);
  transformer_tensors_free_f64(&g);
  sample_free(&s);
}

/* dbias of each norm is the sum of dy over rows; dy itself is the loss's slope
 * by one row of the norm's output, seen where a row stands alone: T = 1. */
static void test_dy(void **state) {
  (void)state;
  struct transformer_config config = {V, 1, C, NH, L, false, 1e-5};
  struct sample s = sample_new(false);
  struct transformer_f64 model = transformer_new_f64(&config, NULL);
  struct transformer_pass_f64 pass = transformer_pass_new_f64(&config, 1, 1);
  struct rng rng;
  rng_seed(&rng, 9);
  rng_normals(&rng, 0, 0.5, model.parameters, model.weights.slab);
  transformer_forward_f64(&model, &pass, s.x, s.y);
  transformer_backward_f64(&model, &pass, s.x, s.y, 1, NULL);
  for (size_t n = 0; n <= 2 * L; n++)
    for (size_t j = 0; j < C; j++) {
      const double *bias = transformer_bias_f64(&model, n);
      double *w = model.weights.slab + (bias - model.weights.slab) + j;
      double dy = transformer_dy_f64(&model, &pass, n)[j], kept = *w, h = 1e-5;
      *w = kept + h;
      double high = transformer_forward_f64(&model, &pass, s.x, s.y);
      *w = kept - h;
      double low = transformer_forward_f64(&model, &pass, s.x, s.y);
      *w = kept;
      close_to(dy, (high - low) / (2 * h), 1e-9, "dy");
    }
  transformer_pass_free_f64(&pass);
  transformer_free_f64(&model);
  sample_free(&s);
}

/* ---- the head alone ---- */

static void test_head(void **state) {
  (void)state;
  for (int rms = 0; rms < 2; rms++) {
    struct sample s = sample_new(rms);
    double y[ROWS * C], dy[ROWS * C], logits[ROWS * V], losses[ROWS];
    double mean = loss_of(&s);
    transformer_backward_f64(&s.model, &s.pass, s.x, s.y, 1.0 / ROWS, NULL);
    double *hidden = transformer_residual_f64(&s.model, &s.pass, 2 * L);
    close_to(transformer_head_f64(&s.model, hidden, s.y, ROWS, 1e-5, y, logits,
                                  losses, dy),
             mean, 1e-15, "loss of the head");
    const double *pass_dy = transformer_dy_f64(&s.model, &s.pass, 2 * L);
    for (size_t i = 0; i < ROWS * C; i++)
      close_to(dy[i], pass_dy[i], 1e-15, "dy of the head");
    double exact = transformer_head_f64(&s.model, hidden, s.y, ROWS, 0, y,
                                        logits, losses, NULL);
    for (size_t i = 0; i < ROWS * C; i++)
      hidden[i] = 3 * hidden[i] + (rms ? 0 : 5);
    close_to(transformer_head_f64(&s.model, hidden, s.y, ROWS, 0, y, logits,
                                  losses, NULL),
             exact, 1e-13, "loss of the moved hidden state at eps 0");
    sample_free(&s);
  }
}

/* ---- tangents ---- */

/* The tangents of the last position along dx (n, C), chained through all
 * blocks; branch: of block 0. */
static void chain(const struct sample *s, size_t sequence, const double *dx,
                  size_t n, double *branch, double *out) {
  double in[C * C], unused[C * C];
  memcpy(in, dx, n * C * sizeof *in);
  for (size_t b = 0; b < L; b++) {
    transformer_block_tangents_f64(&s->model, &s->pass, b, sequence, in, n,
                                   b == 0 ? branch : unused, out);
    memcpy(in, out, n * C * sizeof *in);
  }
}

static void test_tangents_differences(void **state) {
  (void)state;
  for (int rms = 0; rms < 2; rms++) {
    struct sample s = sample_new(rms);
    double identity[C * C] = {0}, branch[C * C], out[C * C];
    size_t sequence = 1, last = (sequence * T + T - 1) * C, point = ROWS * C;
    for (size_t j = 0; j < C; j++)
      identity[j * C + j] = 1;
    loss_of(&s);
    chain(&s, sequence, identity, C, branch, out);
    for (size_t i = 0; i < C; i++) {
      double *w = &s.model.weights.wpe[(T - 1) * C + i], kept = *w, h = 1e-5;
      double high[C], low[C], high_branch[C], low_branch[C];
      const double *r = s.pass.residual;
      *w = kept + h;
      loss_of(&s);
      for (size_t j = 0; j < C; j++) {
        high[j] = r[2 * L * point + last + j];
        high_branch[j] = r[point + last + j] - r[last + j];
      }
      *w = kept - h;
      loss_of(&s);
      for (size_t j = 0; j < C; j++) {
        low[j] = r[2 * L * point + last + j];
        low_branch[j] = r[point + last + j] - r[last + j];
      }
      *w = kept;
      for (size_t j = 0; j < C; j++) {
        close_to(out[i * C + j], (high[j] - low[j]) / (2 * h), 1e-8,
                 "tangent of the blocks");
        close_to(branch[i * C + j], (high_branch[j] - low_branch[j]) / (2 * h),
                 1e-8, "tangent of the branch");
      }
    }
    sample_free(&s);
  }
}

/* Forward mode to the loss of one sequence's last position gives what backward
 * gives along the same direction. */
static void test_tangents_backward(void **state) {
  (void)state;
  for (int rms = 0; rms < 2; rms++) {
    struct sample s = sample_new(rms);
    struct transformer_tensors_f64 g =
        transformer_gradients_new_f64(&s.model.config);
    double dx[C], branch[C], out[C], dy[C], slope = 0, expected = 0;
    for (size_t j = 0; j < C; j++)
      dx[j] = sin(1.0 + (double)j);
    loss_of(&s);
    transformer_backward_f64(&s.model, &s.pass, s.x, s.y, 1, &g);
    for (size_t b = 0; b < B; b++) {
      size_t row = b * T + T - 1, at = 2 * L * ROWS + row;
      chain(&s, b, dx, 1, branch, out);
      norm_tangent_f64(rms ? NORM_RMS : NORM_LAYER, 1, C, out,
                       s.pass.residual + at * C, s.model.weights.lnf_gain,
                       s.pass.mean + at, s.pass.inv_sigma + at, dy);
      for (size_t v = 0; v < V; v++)
        for (size_t j = 0; j < C; j++)
          slope += s.pass.dlogits[row * V + v] *
                   s.model.weights.head[v * C + j] * dy[j];
    }
    for (size_t j = 0; j < C; j++)
      expected += g.wpe[(T - 1) * C + j] * dx[j];
    close_to(slope, expected, 1e-13, "slope of the loss");
    transformer_tensors_free_f64(&g);
    sample_free(&s);
  }
}

/* ---- float against double, at the episode's size ---- */

static void test_float(void **state) {
  (void)state;
  struct transformer_config config = transformer_config(false, 1e-5);
  struct transformer_f32 narrow = transformer_new_f32(&config, NULL);
  struct transformer_f64 wide = transformer_new_f64(&config, NULL);
  struct transformer_pass_f32 pass = transformer_pass_new_f32(&config, 2, 64);
  struct transformer_pass_f64 exact = transformer_pass_new_f64(&config, 2, 64);
  struct transformer_tensors_f32 g = transformer_gradients_new_f32(&config);
  struct transformer_tensors_f64 e = transformer_gradients_new_f64(&config);
  int x[128], y[128];
  struct rng rng;
  rng_seed(&rng, 3);
  transformer_init(&config, &rng, narrow.weights.slab);
  for (size_t i = 0; i < narrow.parameters; i++)
    wide.weights.slab[i] = (double)narrow.weights.slab[i];
  for (size_t i = 0; i < 128; i++) {
    x[i] = (int)rng_integer(&rng, 0, 65);
    y[i] = (int)rng_integer(&rng, 0, 65);
  }
  double loss = (double)transformer_forward_f32(&narrow, &pass, x, y);
  close_to(loss, transformer_forward_f64(&wide, &exact, x, y), 1e-6, "loss");
  transformer_backward_f32(&narrow, &pass, x, y, 1.0f / 128, &g);
  transformer_backward_f64(&wide, &exact, x, y, 1.0 / 128, &e);
  double error = 0, norm = 0;
  for (size_t i = 0; i < narrow.parameters; i++) {
    error += pow((double)g.slab[i] - e.slab[i], 2);
    norm += pow(e.slab[i], 2);
  }
  close_to(sqrt(error / norm), 0, 1e-5, "relative error of the gradient");
  transformer_tensors_free_f32(&g);
  transformer_tensors_free_f64(&e);
  transformer_pass_free_f32(&pass);
  transformer_pass_free_f64(&exact);
  transformer_free_f32(&narrow);
  transformer_free_f64(&wide);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_layout),
      cmocka_unit_test(test_init),
      cmocka_unit_test(test_forward_plain),
      cmocka_unit_test(test_causal),
      cmocka_unit_test(test_backward_differences),
      cmocka_unit_test(test_backward_adds),
      cmocka_unit_test(test_dy),
      cmocka_unit_test(test_head),
      cmocka_unit_test(test_tangents_differences),
      cmocka_unit_test(test_tangents_backward),
      cmocka_unit_test(test_float),
  };
  return cmocka_run_group_tests_name("transformer", tests, NULL, NULL);
}
