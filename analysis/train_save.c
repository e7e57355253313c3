/* What training leaves: weights as safetensors, and its log as results. No
 * clock stands in either, so that equal runs leave equal bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/norm.h"
#include "analysis/results.h"
#include "analysis/safetensors.h"
#include "analysis/train.h"
#include "report/base/json.h"
#include "report/base/memory.h"

static int save_weights(const struct train_recipe *recipe, const float *weights,
                        const char *path, struct error *err) {
  char eps[JSON_DOUBLE_TEXT];
  json_double_text(recipe->config.eps, eps);
  const struct safetensors_text metadata[] = {
      {"norm", norm_name(recipe->config.rms ? NORM_RMS : NORM_LAYER)},
      {"eps", eps}};
  struct transformer_table table = transformer_table(&recipe->config);
  struct safetensors_entry *entries =
      memory_alloc(table.count, sizeof *entries);
  for (size_t i = 0; i < table.count; i++) {
    const struct transformer_tensor *t = &table.tensors[i];
    entries[i] = (struct safetensors_entry){.name = t->name,
                                            .rank = t->rank,
                                            .shape = {t->shape[0], t->shape[1]},
                                            .values = weights + t->offset};
  }
  int result = safetensors_write(path, entries, table.count, metadata, 2, err);
  free(entries);
  transformer_table_free(&table);
  return result;
}

static void add_seed(struct results *log, const char *name, uint64_t seed) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, seed);
  results_text(log, text, "seeds.%s", name);
}

static void add_recipe(struct results *log, const struct train_recipe *r) {
  const struct transformer_config *c = &r->config;
  results_text(log, r->corpus, "recipe.corpus");
  results_text(log, norm_name(c->rms ? NORM_RMS : NORM_LAYER), "recipe.norm");
  results_double(log, c->eps, "recipe.eps");
  results_integer(log, (long long)c->V, "recipe.symbols");
  results_integer(log, (long long)c->T, "recipe.block");
  results_integer(log, (long long)c->C, "recipe.width");
  results_integer(log, (long long)c->NH, "recipe.heads");
  results_integer(log, (long long)c->L, "recipe.blocks");
  results_integer(log, (long long)r->batch, "recipe.batch");
  results_integer(log, TRAIN_SHARDS, "recipe.shards");
  results_integer(log, r->cycle.steps, "recipe.steps");
  results_double(log, r->cycle.lr_max, "recipe.lr_max");
  results_double(log, r->cycle.warm_up, "recipe.warm_up");
  results_double(log, r->cycle.start_div, "recipe.start_div");
  results_double(log, r->cycle.end_div, "recipe.end_div");
  results_double(log, r->cycle.beta1_high, "recipe.beta1_high");
  results_double(log, r->cycle.beta1_low, "recipe.beta1_low");
  results_double(log, r->beta2, "recipe.beta2");
  results_double(log, r->adam_eps, "recipe.adam_eps");
  results_double(log, r->decay, "recipe.weight_decay");
  results_double(log, r->clip, "recipe.clip");
  add_seed(log, "weights", r->seed_weights);
  add_seed(log, "draws", r->seed_draws);
  add_seed(log, "validation", r->seed_validation);
  add_seed(log, "ladder", r->seed_ladder);
}

static void add_ladder(struct results *out, const struct train_recipe *r,
                       const struct train_log *log) {
  size_t points = transformer_points(&r->config);
  double *rms = memory_alloc(2 * log->ladders, sizeof *rms);
  double *inv_sigma = rms + log->ladders;
  results_integer(out, r->ladder_every, "ladder.every");
  results_integer(out, (long long)r->ladder_batch, "ladder.sequences");
  for (size_t n = 0; n < points; n++) {
    char name[TRANSFORMER_NAME];
    transformer_point_name(n, name);
    for (size_t i = 0; i < log->ladders; i++) {
      rms[i] = log->ladder[i * points + n].rms;
      inv_sigma[i] = log->ladder[i * points + n].inv_sigma;
    }
    results_doubles(out, rms, log->ladders, "ladder.points.%s.rms", name);
    results_doubles(out, inv_sigma, log->ladders, "ladder.points.%s.inv_sigma",
                    name);
  }
  free(rms);
}

int train_save(const struct train_recipe *recipe, const struct corpus *corpus,
               const float *weights, const struct train_log *log,
               const char *directory, struct error *err) {
  char path[4096], sha256[HASH_TEXT];
  snprintf(path, sizeof path, "%s/%s.safetensors", directory, recipe->model);
  struct transformer_table table = transformer_table(&recipe->config);
  long long parameters = (long long)table.parameters;
  transformer_table_free(&table);
  if (save_weights(recipe, weights, path, err) != 0 ||
      hash_file(path, sha256, err) != 0)
    return -1;

  struct results *out = results_new("training");
  results_input_hash(out, recipe->corpus, corpus->sha256);
  results_prefix(out, recipe->model);
  results_text(out, sha256, "weights_sha256");
  results_integer(out, parameters, "parameters");
  results_integer(out, log->tokens, "tokens");
  results_double(out, log->validation[log->validations - 1], "val_loss");
  add_recipe(out, recipe);
  results_integer(out, recipe->loss_every, "loss.every");
  results_doubles(out, log->loss, log->losses, "loss.train");
  results_integer(out, recipe->validate_every, "validation.every");
  results_integer(out, (long long)recipe->validation_batches,
                  "validation.batches");
  results_doubles(out, log->validation, log->validations, "validation.loss");
  add_ladder(out, recipe, log);
  snprintf(path, sizeof path, "%s/%s.training.json", directory, recipe->model);
  int result = results_write(out, path, err);
  results_free(out);
  return result;
}
