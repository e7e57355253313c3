/* What training leaves: weights as safetensors, its log as results, an entry in
 * the manifest. No clock stands in them, so that equal runs leave equal bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/json_fields.h"
#include "analysis/results.h"
#include "analysis/safetensors.h"
#include "analysis/train.h"
#include "analysis/training_recipe.h"
#include "report/base/file.h"
#include "report/base/hash.h"
#include "report/base/json.h"
#include "report/base/memory.h"

enum { PATH = 4096 };

/* DIRECTORY/NAMEending. */
static int join(char out[PATH], const char *directory, const char *name,
                const char *ending, struct error *err) {
  if (snprintf(out, PATH, "%s/%s%s", directory, name, ending) < PATH) return 0;
  return error_set(err, "the path is too long: %s/%s%s", directory, name,
                   ending);
}

/* The bytes of the model's file. */
static void print_weights(const struct train_recipe *recipe,
                          const float *weights, struct buffer *out) {
  char eps[JSON_DOUBLE_TEXT];
  json_double_text(recipe->config.eps, eps);
  const struct safetensors_text metadata[] = {
      {"norm", training_recipe_norm(recipe)}, {"eps", eps}};
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
  safetensors_print(entries, table.count, metadata, 2, out);
  free(entries);
  transformer_table_free(&table);
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

/* ---- the manifest ---- */

static cJSON *new_entry(const struct train_recipe *recipe, const char *sha256) {
  char text[256];
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddStringToObject(entry, "name", recipe->model);
  snprintf(text, sizeof text, "%s.safetensors", recipe->model);
  cJSON_AddStringToObject(entry, "file", text);
  cJSON_AddStringToObject(entry, "sha256", sha256);
  cJSON_AddStringToObject(entry, "norm", training_recipe_norm(recipe));
  cJSON_AddItemToObject(entry, "eps", json_new_double(recipe->config.eps));
  cJSON_AddStringToObject(entry, "corpus", recipe->corpus);
  snprintf(text, sizeof text, "%s.training.json", recipe->model);
  cJSON_AddStringToObject(entry, "training", text);
  return entry;
}

/* Entries are flat: strings and numbers. */
static cJSON *copy_entry(const struct json *entry) {
  cJSON *copy = cJSON_CreateObject();
  for (const struct json *m = entry->child; m != NULL; m = m->next)
    cJSON_AddItemToObject(copy, m->key,
                          m->type == JSON_STRING ? cJSON_CreateString(m->text)
                                                 : cJSON_CreateRaw(m->text));
  return copy;
}

/* The models that stand in the manifest, with this one in its place or last. */
static int add_models(cJSON *models, const struct json *root,
                      const struct train_recipe *recipe, const char *sha256,
                      struct error *err) {
  bool placed = false;
  const struct json *old = json_field(root, "models", JSON_ARRAY, err);
  if (old == NULL) return -1;
  for (const struct json *m = old->child; m != NULL; m = m->next) {
    const struct json *name = json_field(m, "name", JSON_STRING, err);
    if (name == NULL) return -1;
    for (const struct json *v = m->child; v != NULL; v = v->next)
      if (v->type != JSON_STRING && v->type != JSON_NUMBER)
        return error_at(err, v->place, "\"%s\": a string or number is needed",
                        v->key);
    bool same = strcmp(name->text, recipe->model) == 0;
    cJSON_AddItemToArray(models,
                         same ? new_entry(recipe, sha256) : copy_entry(m));
    placed = placed || same;
  }
  if (!placed) cJSON_AddItemToArray(models, new_entry(recipe, sha256));
  return 0;
}

static int save_manifest(const struct train_recipe *recipe, const char *sha256,
                         const char *directory, struct error *err) {
  char path[PATH];
  struct json_document old = {0};
  struct buffer text = {0};
  if (join(path, directory, "manifest", ".json", err) != 0) return -1;
  cJSON *root = cJSON_CreateObject();
  cJSON *models = cJSON_AddArrayToObject(root, "models");
  int result = 0;
  if (!file_exists(path)) {
    cJSON_AddItemToArray(models, new_entry(recipe, sha256));
  } else {
    result = json_read(path, &old, err);
    if (result == 0) result = add_models(models, old.root, recipe, sha256, err);
    json_free(&old);
  }
  json_print(root, &text);
  if (result == 0) result = file_write(path, text.bytes, text.length, err);
  buffer_free(&text);
  cJSON_Delete(root);
  return result;
}

/* ---- all three, and the log alone ---- */

static int save_log(const struct train_recipe *recipe,
                    const struct corpus *corpus, const char *sha256,
                    const struct train_log *log, const char *path,
                    struct error *err) {
  struct transformer_table table = transformer_table(&recipe->config);
  long long parameters = (long long)table.parameters;
  transformer_table_free(&table);
  struct results *out = results_new("training");
  results_input_hash(out, recipe->corpus, corpus->sha256);
  results_prefix(out, recipe->model);
  results_text(out, sha256, "weights_sha256");
  results_integer(out, parameters, "parameters");
  results_integer(out, log->tokens, "tokens");
  results_double(out, log->validation[log->validations - 1], "val_loss");
  training_recipe_record(out, recipe);
  results_integer(out, recipe->loss_every, "loss.every");
  results_doubles(out, log->loss, log->losses, "loss.train");
  results_integer(out, recipe->validate_every, "validation.every");
  results_integer(out, (long long)recipe->validation_batches,
                  "validation.batches");
  results_doubles(out, log->validation, log->validations, "validation.loss");
  add_ladder(out, recipe, log);
  int result = results_write(out, path, err);
  results_free(out);
  return result;
}

int train_save(const struct train_recipe *recipe, const struct corpus *corpus,
               const float *weights, const struct train_log *log,
               const char *directory, struct error *err) {
  char path[PATH], sha256[HASH_TEXT];
  struct buffer file = {0};
  print_weights(recipe, weights, &file);
  hash_bytes(file.bytes, file.length, sha256);
  int result = join(path, directory, recipe->model, ".safetensors", err);
  if (result == 0) result = file_write(path, file.bytes, file.length, err);
  buffer_free(&file);
  if (result != 0 ||
      join(path, directory, recipe->model, ".training.json", err) != 0 ||
      save_log(recipe, corpus, sha256, log, path, err) != 0)
    return -1;
  return save_manifest(recipe, sha256, directory, err);
}

int train_save_log(const struct train_recipe *recipe,
                   const struct corpus *corpus, const float *weights,
                   const struct train_log *log, const char *path,
                   struct error *err) {
  char sha256[HASH_TEXT];
  struct buffer file = {0};
  print_weights(recipe, weights, &file);
  hash_bytes(file.bytes, file.length, sha256);
  buffer_free(&file);
  return save_log(recipe, corpus, sha256, log, path, err);
}
