/* Writes data/models/manifest.json anew from what lies beside it: for each
 * NAME.training.json the weights NAME.safetensors, whose hash must be the one
 * the log recorded. To be run after training, so that no hash is copied by
 * hand. */
#include <dirent.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/json_fields.h"
#include "analysis/safetensors.h"
#include "report/base/file.h"
#include "report/base/hash.h"
#include "report/base/json.h"
#include "report/base/memory.h"

#define LOG_ENDING ".training.json"

/* The names of the models in a directory, in the order of strcmp. */
struct names {
  char **items;
  size_t count;
};

static void free_names(struct names *names) {
  for (size_t i = 0; i < names->count; i++)
    free(names->items[i]);
  free(names->items);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int find_names(const char *directory, struct names *out,
                      struct error *err) {
  DIR *stream = opendir(directory);
  if (stream == NULL) return error_errno(err, directory, "cannot open");
  const struct dirent *entry;
  while ((entry = readdir(stream)) != NULL) {
    size_t length = strlen(entry->d_name), ending = strlen(LOG_ENDING);
    if (length <= ending ||
        strcmp(entry->d_name + length - ending, LOG_ENDING) != 0)
      continue;
    char *name = memory_copy_text(entry->d_name);
    name[length - ending] = 0;
    out->items = memory_resize(out->items, out->count + 1, sizeof *out->items);
    out->items[out->count++] = name;
  }
  closedir(stream);
  if (out->count == 0)
    return error_set(err, "%s: no *" LOG_ENDING " lies there", directory);
  qsort(out->items, out->count, sizeof *out->items, compare_names);
  return 0;
}

/* What the log says: the corpus, and the hash of the weights it belongs to. */
static int read_log(const char *path, const char *name, char corpus[64],
                    char sha256[HASH_TEXT], struct error *err) {
  struct json_document log;
  if (json_read(path, &log, err) != 0) return -1;
  const struct json *values = json_field(log.root, "values", JSON_OBJECT, err);
  if (values != NULL) values = json_field(values, name, JSON_OBJECT, err);
  const struct json *recipe =
      values == NULL ? NULL : json_field(values, "recipe", JSON_OBJECT, err);
  int result = recipe == NULL ? -1 : 0;
  if (result == 0) result = json_field_text(recipe, "corpus", corpus, 64, err);
  if (result == 0)
    result = json_field_text(values, "weights_sha256", sha256, HASH_TEXT, err);
  json_free(&log);
  return result;
}

static int add_weights(const char *path, cJSON *entry, struct error *err) {
  struct safetensors file;
  if (safetensors_open(path, &file, err) != 0) return -1;
  const char *norm = safetensors_metadata(&file, "norm");
  const char *eps = safetensors_metadata(&file, "eps");
  int result = 0;
  if (norm == NULL || eps == NULL) {
    result = error_set(err, "%s: __metadata__ must give norm and eps", path);
  } else {
    cJSON_AddStringToObject(entry, "norm", norm);
    cJSON *number = json_new_double(strtod(eps, NULL));
    if (number == NULL)
      result = error_set(err, "%s: eps \"%s\" is not a number", path, eps);
    else
      cJSON_AddItemToObject(entry, "eps", number);
  }
  safetensors_close(&file);
  return result;
}

static int add_model(const char *directory, const char *name, cJSON *list,
                     struct error *err) {
  struct buffer weights = {0}, log = {0};
  char corpus[64], expected[HASH_TEXT], found[HASH_TEXT];
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddItemToArray(list, entry);
  buffer_printf(&weights, "%s/%s.safetensors", directory, name);
  buffer_printf(&log, "%s/%s" LOG_ENDING, directory, name);
  int result = read_log(log.bytes, name, corpus, expected, err);
  if (result == 0) result = hash_file(weights.bytes, found, err);
  if (result == 0 && strcmp(expected, found) != 0)
    result = error_set(err,
                       "%s: not the weights of its log: sha256 %s "
                       "expected, %s found",
                       weights.bytes, expected, found);
  if (result == 0) {
    cJSON_AddStringToObject(entry, "name", name);
    cJSON_AddStringToObject(entry, "file", strrchr(weights.bytes, '/') + 1);
    cJSON_AddStringToObject(entry, "sha256", found);
    result = add_weights(weights.bytes, entry, err);
    cJSON_AddStringToObject(entry, "corpus", corpus);
    cJSON_AddStringToObject(entry, "training", strrchr(log.bytes, '/') + 1);
  }
  buffer_free(&weights);
  buffer_free(&log);
  return result;
}

static int write_manifest(const char *directory, struct error *err) {
  struct names names = {0};
  struct buffer path = {0}, text = {0};
  cJSON *root = cJSON_CreateObject();
  cJSON *list = cJSON_AddArrayToObject(root, "models");
  int result = find_names(directory, &names, err);
  for (size_t i = 0; i < names.count && result == 0; i++)
    result = add_model(directory, names.items[i], list, err);
  if (result == 0) {
    json_print(root, &text);
    buffer_printf(&path, "%s/manifest.json", directory);
    result = file_write(path.bytes, text.bytes, text.length, err);
  }
  cJSON_Delete(root);
  free_names(&names);
  buffer_free(&path);
  buffer_free(&text);
  return result;
}

static void print_help(void) {
  puts("usage: manifest [--models DIR]\n\n"
       "Writes DIR/manifest.json from the weights and training logs in DIR.\n\n"
       "  --models DIR  where they lie (data/models)\n"
       "  --help        print this text");
}

int main(int argc, char **argv) {
  static const struct option known[] = {
      {"models", required_argument, NULL, 'm'},
      {"help", no_argument, NULL, 'h'},
      {0}};
  const char *directory = "data/models";
  struct error err = {{0}};
  int c;
  while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
    if (c == '?') return 2;
    if (c == 'm') directory = optarg;
    if (c == 'h') {
      print_help();
      return 0;
    }
  }
  if (optind < argc) {
    fprintf(stderr, "manifest: unexpected argument %s\n", argv[optind]);
    return 2;
  }
  if (write_manifest(directory, &err) == 0) return 0;
  fprintf(stderr, "manifest: %s\n", err.text);
  return 2;
}
