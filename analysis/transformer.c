#include "analysis/transformer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/rng.h"
#include "report/base/memory.h"

struct transformer_config transformer_config(bool rms, double eps) {
  return (struct transformer_config){
      .V = 65, .T = 64, .C = 128, .NH = 4, .L = 4, .rms = rms, .eps = eps};
}

enum norm_kind transformer_norm_kind(const struct transformer_config *config) {
  return config->rms ? NORM_RMS : NORM_LAYER;
}

/* Append one tensor; cols 0 means a vector. */
static void add(struct transformer_table *table, const char *prefix,
                const char *name, size_t rows, size_t cols,
                enum transformer_role role, size_t fan_in) {
  struct transformer_tensor *t = &table->tensors[table->count++];
  snprintf(t->name, sizeof t->name, "%s%s", prefix, name);
  t->rank = cols == 0 ? 1 : 2;
  t->shape[0] = rows;
  t->shape[1] = cols;
  t->offset = table->parameters;
  t->count = cols == 0 ? rows : rows * cols;
  t->role = role;
  t->fan_in = fan_in;
  table->parameters += t->count;
}

static void add_norm(struct transformer_table *table, const char *prefix,
                     const char *name, const struct transformer_config *c) {
  char full[24];
  snprintf(full, sizeof full, "%s.weight", name);
  add(table, prefix, full, c->C, 0, TRANSFORMER_GAIN, 0);
  if (c->rms) return;
  snprintf(full, sizeof full, "%s.bias", name);
  add(table, prefix, full, c->C, 0, TRANSFORMER_BIAS, 0);
}

struct transformer_table transformer_table(const struct transformer_config *c) {
  struct transformer_table table = {0};
  size_t C = c->C;
  table.tensors = memory_alloc(5 + 10 * c->L, sizeof *table.tensors);
  add(&table, "transformer.", "wte.weight", c->V, C, TRANSFORMER_EMBEDDING, 0);
  add(&table, "transformer.", "wpe.weight", c->T, C, TRANSFORMER_EMBEDDING, 0);
  for (size_t b = 0; b < c->L; b++) {
    char prefix[24];
    snprintf(prefix, sizeof prefix, "transformer.h.%u.", (unsigned)b);
    add_norm(&table, prefix, "ln_1", c);
    add(&table, prefix, "attn.c_attn.weight", 3 * C, C, TRANSFORMER_LINEAR, C);
    add(&table, prefix, "attn.c_proj.weight", C, C, TRANSFORMER_LINEAR, C);
    add_norm(&table, prefix, "ln_2", c);
    add(&table, prefix, "mlp.c_fc.weight", 4 * C, C, TRANSFORMER_LINEAR, C);
    add(&table, prefix, "mlp.c_fc.bias", 4 * C, 0, TRANSFORMER_LINEAR, C);
    add(&table, prefix, "mlp.c_proj.weight", C, 4 * C, TRANSFORMER_LINEAR,
        4 * C);
    add(&table, prefix, "mlp.c_proj.bias", C, 0, TRANSFORMER_LINEAR, 4 * C);
  }
  add_norm(&table, "transformer.", "ln_f", c);
  add(&table, "", "lm_head.weight", c->V, C, TRANSFORMER_LINEAR, C);
  return table;
}

void transformer_table_free(struct transformer_table *table) {
  free(table->tensors);
  *table = (struct transformer_table){0};
}

size_t transformer_points(const struct transformer_config *config) {
  return 2 * config->L + 1;
}

void transformer_point_name(size_t n, char out[TRANSFORMER_NAME]) {
  if (n == 0)
    snprintf(out, TRANSFORMER_NAME, "embed");
  else
    snprintf(out, TRANSFORMER_NAME, "b%u_%s", (unsigned)((n - 1) / 2),
             n % 2 == 1 ? "attn" : "mlp");
}

void transformer_norm_name(const struct transformer_config *config, size_t n,
                           char out[TRANSFORMER_NAME]) {
  if (n == 2 * config->L)
    snprintf(out, TRANSFORMER_NAME, "lnf");
  else
    snprintf(out, TRANSFORMER_NAME, "b%u.ln%u", (unsigned)(n / 2),
             (unsigned)(n % 2 + 1));
}

static void init_tensor(const struct transformer_tensor *t, struct rng *rng,
                        float *out) {
  double bound = t->fan_in > 0 ? 1 / sqrt((double)t->fan_in) : 0;
  for (size_t i = 0; i < t->count; i++)
    switch (t->role) {
    case TRANSFORMER_EMBEDDING:
      out[i] = (float)rng_normal(rng);
      break;
    case TRANSFORMER_LINEAR:
      out[i] = (float)(-bound + 2 * bound * rng_double(rng));
      break;
    case TRANSFORMER_GAIN:
      out[i] = 1;
      break;
    case TRANSFORMER_BIAS:
      out[i] = 0;
      break;
    }
}

void transformer_init(const struct transformer_config *config, struct rng *rng,
                      float *weights) {
  struct transformer_table table = transformer_table(config);
  for (size_t i = 0; i < table.count; i++)
    init_tensor(&table.tensors[i], rng, weights + table.tensors[i].offset);
  transformer_table_free(&table);
}
