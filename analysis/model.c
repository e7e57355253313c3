#include "analysis/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/json_fields.h"
#include "analysis/norm.h"
#include "analysis/rng.h"
#include "analysis/safetensors.h"
#include "report/base/file.h"
#include "report/base/json.h"
#include "report/base/memory.h"

/* ---- the manifest ---- */

static int join(char out[MODEL_PATH], const char *directory, const char *name,
                const char *ending, struct error *err) {
  int length = snprintf(out, MODEL_PATH, "%s/%s%s", directory, name, ending);
  if (length < MODEL_PATH) return 0;
  return error_set(err, "%s/%s: the path is too long", directory, name);
}

/* A file named in the manifest lies beside it. */
static int read_file_name(const struct json *object, const char *key,
                          const char *models, char out[MODEL_PATH],
                          struct error *err) {
  char name[128];
  if (json_field_text(object, key, name, sizeof name, err) != 0) return -1;
  if (name[0] == 0 || name[0] == '.' || strchr(name, '/') != NULL)
    return error_at(err, json_member(object, key)->place,
                    "\"%s\": the name of a file in %s is needed", key, models);
  return join(out, models, name, "", err);
}

static int read_entry(const struct json *object, const char *models,
                      struct model_entry *out, struct error *err) {
  if (json_field_text(object, "norm", out->norm, sizeof out->norm, err) != 0 ||
      json_field_text(object, "sha256", out->sha256, sizeof out->sha256, err) !=
          0 ||
      json_field_text(object, "corpus", out->corpus, sizeof out->corpus, err) !=
          0 ||
      json_field_number(object, "eps", &out->eps, err) != 0 ||
      read_file_name(object, "file", models, out->path, err) != 0 ||
      read_file_name(object, "training", models, out->training, err) != 0)
    return -1;
  if (strcmp(out->norm, norm_name(NORM_LAYER)) != 0 &&
      strcmp(out->norm, norm_name(NORM_RMS)) != 0)
    return error_at(err, json_member(object, "norm")->place,
                    "norm \"%s\" is unknown; LayerNorm or RMSNorm is needed",
                    out->norm);
  if (out->eps < 0)
    return error_at(err, json_member(object, "eps")->place,
                    "eps must not be negative");
  return 0;
}

int model_lookup(const char *models, const char *name, struct model_entry *out,
                 struct error *err) {
  char path[MODEL_PATH];
  struct json_document manifest;
  if (join(path, models, "manifest", ".json", err) != 0 ||
      json_read(path, &manifest, err) != 0)
    return -1;
  int result = -1;
  const struct json *list =
      json_field(manifest.root, "models", JSON_ARRAY, err);
  if (list == NULL) goto cleanup;
  for (const struct json *m = list->child; m != NULL; m = m->next) {
    *out = (struct model_entry){0};
    if (json_field_text(m, "name", out->name, sizeof out->name, err) != 0)
      goto cleanup;
    if (strcmp(out->name, name) != 0) continue;
    result = read_entry(m, models, out, err);
    goto cleanup;
  }
  error_set(err, "%s: no model is named %s", path, name);
cleanup:
  json_free(&manifest);
  return result;
}

/* ---- the weights ---- */

static int check_hash(const struct model_entry *entry, struct error *err) {
  char found[HASH_TEXT];
  if (hash_file(entry->path, found, err) != 0) return -1;
  if (strcmp(found, entry->sha256) == 0) return 0;
  return error_set(err,
                   "%s: the weights of %s are altered or incomplete: sha256 %s "
                   "expected, %s found",
                   entry->path, entry->name, entry->sha256, found);
}

static int check_metadata(const struct model_entry *entry,
                          const struct safetensors *file, struct error *err) {
  const char *norm = safetensors_metadata(file, "norm");
  const char *eps = safetensors_metadata(file, "eps");
  if (norm != NULL && strcmp(norm, entry->norm) != 0)
    return error_set(err, "%s: written for %s, the manifest says %s",
                     entry->path, norm, entry->norm);
  if (eps != NULL && strtod(eps, NULL) != entry->eps)
    return error_set(err, "%s: written for eps %s, the manifest says %g",
                     entry->path, eps, entry->eps);
  return 0;
}

static void print_shape(const size_t *shape, size_t rank, char out[64]) {
  size_t used = (size_t)snprintf(out, 64, "(");
  for (size_t i = 0; i < rank && used < 64; i++)
    used += (size_t)snprintf(out + used, 64 - used, "%s%zu", i > 0 ? "," : "",
                             shape[i]);
  if (used < 63) snprintf(out + used, 64 - used, ")");
}

static int read_tensor(const char *path, const struct safetensors *file,
                       const struct transformer_tensor *expected, float *out,
                       struct error *err) {
  const struct safetensor *found = safetensors_lookup(file, expected->name);
  if (found == NULL)
    return error_set(err, "%s: tensor \"%s\" is missing", path, expected->name);
  if (found->rank != expected->rank ||
      memcmp(found->shape, expected->shape,
             expected->rank * sizeof *found->shape) != 0) {
    char has[64], needs[64];
    print_shape(found->shape, found->rank, has);
    print_shape(expected->shape, expected->rank, needs);
    return error_set(err, "%s: tensor \"%s\" has shape %s, %s is needed", path,
                     expected->name, has, needs);
  }
  if (safetensor_floats(path, found, out, err) != 0) return -1;
  for (size_t i = 0; i < found->count; i++)
    if (!isfinite(out[i]))
      return error_set(err,
                       "%s: tensor \"%s\" holds a value that is not finite",
                       path, expected->name);
  return 0;
}

static int read_weights(const struct safetensors *file, struct model *out,
                        struct error *err) {
  const char *path = out->entry.path;
  struct transformer_table table = transformer_table(&out->config);
  int result = 0;
  out->parameters = table.parameters;
  out->weights = memory_alloc(table.parameters, sizeof *out->weights);
  out->wide = memory_alloc(table.parameters, sizeof *out->wide);
  for (size_t i = 0; i < table.count && result == 0; i++)
    result = read_tensor(path, file, &table.tensors[i],
                         out->weights + table.tensors[i].offset, err);
  if (result == 0 && file->count != table.count)
    result = error_set(err, "%s: %zu tensors, %zu are needed", path,
                       file->count, table.count);
  for (size_t i = 0; i < table.parameters; i++)
    out->wide[i] = out->weights[i];
  transformer_table_free(&table);
  return result;
}

static int load_weights(struct model *out, struct error *err) {
  struct safetensors file;
  if (check_hash(&out->entry, err) != 0 ||
      safetensors_open(out->entry.path, &file, err) != 0)
    return -1;
  int result = check_metadata(&out->entry, &file, err);
  if (result == 0) result = read_weights(&file, out, err);
  safetensors_close(&file);
  return result;
}

/* ---- the text ---- */

static int load_corpus(const char *models, const char *corpora,
                       struct model *out, struct error *err) {
  size_t end = strlen(models); /* of the directory that holds models/ */
  while (end > 1 && models[end - 1] == '/')
    end--;
  while (end > 0 && models[end - 1] != '/')
    end--;
  char list[MODEL_PATH];
  struct corpus_entry entry;
  if (snprintf(list, sizeof list, "%.*scorpora.json", (int)end, models) >=
      (int)sizeof list)
    return error_set(err, "%s: the path is too long", models);
  if (corpus_lookup(list, out->entry.corpus, &entry, err) != 0 ||
      join(out->corpus_path, corpora, entry.name, ".txt", err) != 0)
    return -1;
  if (!file_exists(out->corpus_path))
    return error_set(err,
                     "%s: the text of %s is not there; make it with "
                     "build/bin/corpus --name %s --out %s%s",
                     out->corpus_path, out->entry.name, entry.name,
                     out->corpus_path, entry.package[0] ? "" : " --from FILE");
  if (corpus_read(out->corpus_path, entry.sha256, &out->corpus, err) != 0)
    return -1;
  return corpus_check_length(&out->corpus, out->corpus_path, out->config.T,
                             err);
}

int model_load(const char *models, const char *corpora, const char *name,
               struct model *out, struct error *err) {
  *out = (struct model){0};
  if (model_lookup(models, name, &out->entry, err) != 0) return -1;
  out->config = transformer_config(
      strcmp(out->entry.norm, norm_name(NORM_RMS)) == 0, out->entry.eps);
  if (load_weights(out, err) == 0 &&
      load_corpus(models, corpora, out, err) == 0)
    return 0;
  model_free(out);
  return -1;
}

void model_free(struct model *model) {
  free(model->weights);
  free(model->wide);
  corpus_free(&model->corpus);
  *model = (struct model){0};
}

struct model model_untrained(const struct model *model, uint64_t seed) {
  struct model untrained = *model;
  struct rng rng;
  rng_seed(&rng, seed);
  untrained.weights = memory_alloc(model->parameters, sizeof(float));
  untrained.wide = memory_alloc(model->parameters, sizeof(double));
  transformer_init(&model->config, &rng, untrained.weights);
  for (size_t i = 0; i < model->parameters; i++)
    untrained.wide[i] = untrained.weights[i];
  return untrained;
}

void model_untrained_free(struct model *untrained) {
  free(untrained->weights);
  free(untrained->wide);
  *untrained = (struct model){0};
}

void model_record(const struct model *model, struct results *results) {
  results_input_hash(results, model->entry.path, model->entry.sha256);
  results_input_hash(results, model->corpus_path, model->corpus.sha256);
}
