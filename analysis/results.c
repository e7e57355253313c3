/* Results: a cJSON tree grown by dotted paths, with provenance around it. */
#include <cblas.h>
#include <cjson/cJSON.h>
#include <gnu/libc-version.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/results.h"
#include "report/base/file.h"
#include "report/base/hash.h"
#include "report/base/json.h"
#include "report/base/memory.h"

#ifndef RESULTS_CFLAGS
#error "define RESULTS_CFLAGS as the text of the flags studies compile with"
#endif

struct results {
  char *study;
  char *prefix; /* NULL, or what stands before every path */
  cJSON *inputs, *values;
  struct error mistake; /* the first one; empty text while there is none */
};

struct results *results_new(const char *study) {
  struct results *results = memory_alloc(1, sizeof *results);
  results->study = memory_copy_text(study);
  results->inputs = cJSON_CreateArray();
  results->values = cJSON_CreateObject();
  return results;
}

void results_free(struct results *results) {
  if (results == NULL) return;
  cJSON_Delete(results->inputs);
  cJSON_Delete(results->values);
  free(results->prefix);
  free(results->study);
  free(results);
}

void results_prefix(struct results *results, const char *prefix) {
  free(results->prefix);
  bool none = prefix == NULL || *prefix == 0;
  results->prefix = none ? NULL : memory_copy_text(prefix);
}

void results_input_hash(struct results *results, const char *path,
                        const char *sha256) {
  cJSON *input = cJSON_CreateObject();
  cJSON_AddStringToObject(input, "path", path);
  cJSON_AddStringToObject(input, "sha256", sha256);
  cJSON_AddItemToArray(results->inputs, input);
}

int results_input(struct results *results, const char *path,
                  struct error *err) {
  char sha256[HASH_TEXT];
  if (hash_file(path, sha256, err) < 0) return -1;
  results_input_hash(results, path, sha256);
  return 0;
}

/* ---- the tree ------------------------------------------------------------ */

static void mistake(struct results *results, const char *path,
                    const char *what) {
  if (results->mistake.text[0] != 0) return;
  error_set(&results->mistake, "%s.%s: %s", results->study, path, what);
}

static bool is_index(const char *element) {
  return *element != 0 && element[strspn(element, "0123456789")] == 0;
}

static cJSON *child_of(cJSON *parent, const char *element) {
  if (cJSON_IsArray(parent)) return cJSON_GetArrayItem(parent, atoi(element));
  return cJSON_GetObjectItemCaseSensitive(parent, element);
}

/* Why `element` cannot name a member of `parent`, or NULL when it can. */
static const char *refusal(const cJSON *parent, const char *element) {
  if (*element == 0) return "empty path element";
  if (cJSON_IsArray(parent)) {
    if (!is_index(element) || strlen(element) > 9)
      return "an array's element must be an index";
    if (atoi(element) > cJSON_GetArraySize(parent))
      return "array index skips elements";
    return NULL;
  }
  if (!cJSON_IsObject(parent)) return "path leads through a value";
  return NULL;
}

static void attach(cJSON *parent, const char *element, cJSON *item) {
  if (cJSON_IsArray(parent))
    cJSON_AddItemToArray(parent, item);
  else
    cJSON_AddItemToObject(parent, element, item);
}

/* Put `item`, which this takes over, at `path`; `work` is a copy of `path`
 * that is cut at its dots. */
static const char *place_item(cJSON *parent, char *work, cJSON *item) {
  for (char *element = work, *rest; element != NULL; element = rest) {
    rest = strchr(element, '.');
    if (rest != NULL) *rest++ = 0;
    const char *why = refusal(parent, element);
    cJSON *child = why == NULL ? child_of(parent, element) : NULL;
    if (why == NULL && rest == NULL && child != NULL) why = "value given twice";
    if (why != NULL) {
      cJSON_Delete(item);
      return why;
    }
    if (child == NULL) {
      size_t length = rest != NULL ? strcspn(rest, ".") : 0;
      bool array = length > 0 && strspn(rest, "0123456789") == length;
      child = rest == NULL ? item
              : array      ? cJSON_CreateArray()
                           : cJSON_CreateObject();
      attach(parent, element, child);
    }
    parent = child;
  }
  return NULL;
}

static char *full_path(const struct results *results, const char *path,
                       va_list arguments) {
  struct buffer text = {0};
  if (results->prefix != NULL) buffer_printf(&text, "%s.", results->prefix);
  char own[512];
  int length = vsnprintf(own, sizeof own, path, arguments);
  if (length < 0 || (size_t)length >= sizeof own)
    own[0] = 0; /* refused below as an empty element */
  buffer_text(&text, own);
  return text.bytes;
}

/* `item` NULL stands for a number that is not finite. */
static void add(struct results *results, cJSON *item, const char *path,
                va_list arguments) {
  char *full = full_path(results, path, arguments);
  char *work = memory_copy_text(full);
  const char *why = item == NULL ? "value is not finite"
                                 : place_item(results->values, work, item);
  if (why != NULL) mistake(results, full, why);
  free(work);
  free(full);
}

void results_double(struct results *results, double value, const char *path,
                    ...) {
  va_list arguments;
  va_start(arguments, path);
  add(results, json_new_double(value), path, arguments);
  va_end(arguments);
}

void results_integer(struct results *results, long long value, const char *path,
                     ...) {
  va_list arguments;
  va_start(arguments, path);
  add(results, json_new_integer(value), path, arguments);
  va_end(arguments);
}

void results_text(struct results *results, const char *value, const char *path,
                  ...) {
  va_list arguments;
  va_start(arguments, path);
  add(results, cJSON_CreateString(value), path, arguments);
  va_end(arguments);
}

void results_bool(struct results *results, bool value, const char *path, ...) {
  va_list arguments;
  va_start(arguments, path);
  add(results, cJSON_CreateBool(value), path, arguments);
  va_end(arguments);
}

static cJSON *array_of(const double *values, size_t n) {
  cJSON *array = cJSON_CreateArray();
  for (size_t i = 0; i < n; i++) {
    cJSON *item = json_new_double(values[i]);
    if (item == NULL) {
      cJSON_Delete(array);
      return NULL;
    }
    cJSON_AddItemToArray(array, item);
  }
  return array;
}

void results_doubles(struct results *results, const double *values, size_t n,
                     const char *path, ...) {
  va_list arguments;
  va_start(arguments, path);
  add(results, array_of(values, n), path, arguments);
  va_end(arguments);
}

/* ---- the environment ----------------------------------------------------- */

static void add_cpu_model(cJSON *environment) {
  char line[512], model[512] = "unknown";
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "model name : %511[^\n]", model) == 1) break;
  if (file != NULL) fclose(file);
  cJSON_AddStringToObject(environment, "cpu", model);
}

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "GCC " __VERSION__
#endif

static cJSON *environment_new(void) {
  cJSON *environment = cJSON_CreateObject();
  cJSON_AddStringToObject(environment, "compiler", COMPILER);
  cJSON_AddStringToObject(environment, "flags", RESULTS_CFLAGS);
  cJSON_AddStringToObject(environment, "libc", gnu_get_libc_version());
  cJSON_AddStringToObject(environment, "blas", openblas_get_config());
  cJSON_AddStringToObject(environment, "blas_core", openblas_get_corename());
  cJSON_AddItemToObject(environment, "blas_threads",
                        json_new_integer(openblas_get_num_threads()));
  add_cpu_model(environment);
  return environment;
}

/* ---- writing ------------------------------------------------------------- */

static void print(const struct results *results, struct buffer *out) {
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "study", results->study);
  cJSON_AddItemReferenceToObject(root, "inputs", results->inputs);
  cJSON_AddItemToObject(root, "environment", environment_new());
  cJSON_AddItemReferenceToObject(root, "values", results->values);
  json_print(root, out);
  cJSON_Delete(root);
}

static int write_out(const char *path, const struct buffer *text,
                     struct error *err) {
  if (path != NULL) {
    if (file_make_parents(path, err) < 0) return -1;
    return file_write(path, text->bytes, text->length, err);
  }
  fwrite(text->bytes, 1, text->length, stdout);
  if (fflush(stdout) != 0 || ferror(stdout))
    return error_errno(err, "standard output", "cannot write");
  return 0;
}

int results_write(const struct results *results, const char *path,
                  struct error *err) {
  if (results->mistake.text[0] != 0) {
    *err = results->mistake;
    return -1;
  }
  struct buffer text = {0};
  print(results, &text);
  int status = write_out(path, &text, err);
  buffer_free(&text);
  return status;
}
