#include "report/pins_results.h"

#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"
#include "report/pins_directory.h"

/* ---- facts --------------------------------------------------------------- */

static int compare_facts(const void *a, const void *b) {
  return strcmp(((const struct fact *)a)->name, ((const struct fact *)b)->name);
}

static void add_fact(struct facts *out, const char *name, const char *text,
                     bool is_string) {
  if ((out->count & (out->count + 1)) == 0)
    out->items =
        memory_resize(out->items, 2 * (out->count + 1), sizeof *out->items);
  out->items[out->count++] = (struct fact){name, text, is_string};
}

/* Depth is bounded by the JSON reader's. */
static void collect(const struct json *value, const char *name,
                    struct arena *arena, struct facts *out) {
  const struct json *path = json_member(value, "path");
  const struct json *hash = json_member(value, "sha256");
  if (path != NULL && path->type == JSON_STRING && hash != NULL &&
      hash->type == JSON_STRING) {
    add_fact(out, path->text, hash->text, true);
    return;
  }
  if (value->type != JSON_OBJECT && value->type != JSON_ARRAY) {
    add_fact(out, name, json_scalar_text(value), value->type == JSON_STRING);
    return;
  }
  size_t index = 0;
  for (const struct json *m = value->child; m != NULL; m = m->next, index++) {
    const char *dot = *name != 0 ? "." : "";
    collect(m,
            m->key != NULL ? arena_printf(arena, "%s%s%s", name, dot, m->key)
                           : arena_printf(arena, "%s%s%zu", name, dot, index),
            arena, out);
  }
}

void facts_collect(const struct json *object, struct arena *arena,
                   struct facts *out) {
  *out = (struct facts){0};
  if (object != NULL) collect(object, "", arena, out);
  if (out->count > 1)
    qsort(out->items, out->count, sizeof *out->items, compare_facts);
}

const char *facts_find(const struct facts *facts, const char *name) {
  if (facts->count == 0) return NULL;
  const struct fact wanted = {.name = name};
  const struct fact *found = bsearch(&wanted, facts->items, facts->count,
                                     sizeof *facts->items, compare_facts);
  return found != NULL ? found->text : NULL;
}

bool facts_equal(const struct facts *a, const struct facts *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++)
    if (strcmp(a->items[i].name, b->items[i].name) != 0 ||
        strcmp(a->items[i].text, b->items[i].text) != 0)
      return false;
  return true;
}

void facts_free(struct facts *facts) {
  free(facts->items);
  *facts = (struct facts){0};
}

/* ---- flattening ---------------------------------------------------------- */

struct flattening {
  struct results_file *file;
  struct buffer key;
  size_t room;
  struct error *err;
};

static void add_result(struct flattening *f, const struct json *value) {
  struct results_file *file = f->file;
  if (file->count == f->room) {
    f->room = f->room > 0 ? 2 * f->room : 64;
    file->results =
        memory_resize(file->results, f->room, sizeof *file->results);
  }
  const char *key =
      arena_copy(&file->document.arena, f->key.bytes, f->key.length);
  file->results[file->count++] = (struct result){key, value};
}

static bool is_element(const char *name) {
  if (*name == 0) return false;
  for (; *name != 0; name++)
    if (*name == '.' || (unsigned char)*name < 0x20 || *name == 0x7f)
      return false;
  return true;
}

static int flatten(struct flattening *f, const struct json *value) {
  if (value->type != JSON_OBJECT && value->type != JSON_ARRAY) {
    add_result(f, value);
    return 0;
  }
  size_t length = f->key.length, index = 0;
  for (const struct json *m = value->child; m != NULL; m = m->next, index++) {
    if (m->key != NULL && !is_element(m->key))
      return error_at(f->err, m->place,
                      "\"%s\" is no name in a key: it is empty, has a dot or a "
                      "control character",
                      m->key);
    if (m->key != NULL)
      buffer_printf(&f->key, ".%s", m->key);
    else
      buffer_printf(&f->key, ".%zu", index);
    if (flatten(f, m) != 0) return -1;
    f->key.length = length;
  }
  return 0;
}

/* ---- files --------------------------------------------------------------- */

static int compare_results(const void *a, const void *b) {
  return strcmp((*(struct result *const *)a)->key,
                (*(struct result *const *)b)->key);
}

static void sort_results(struct results_file *file) {
  file->by_key = memory_alloc(file->count + 1, sizeof *file->by_key);
  for (size_t i = 0; i < file->count; i++)
    file->by_key[i] = &file->results[i];
  qsort(file->by_key, file->count, sizeof *file->by_key, compare_results);
}

static int read_study(struct results_file *out, const struct json **values,
                      struct error *err) {
  const struct json *root = out->document.root;
  const struct json *study = json_member(root, "study");
  *values = json_member(root, "values");
  if (root->type != JSON_OBJECT)
    return error_at(err, root->place, "a results file is an object");
  if (study == NULL || *values == NULL)
    return error_at(err, root->place,
                    "missing \"%s\": results are {\"study\": NAME, "
                    "\"values\": {...}}",
                    study == NULL ? "study" : "values");
  if (study->type != JSON_STRING || *study->text == 0 ||
      strchr(study->text, '.') != NULL)
    return error_at(err, study->place, "a study is a name without a dot");
  if ((*values)->type != JSON_OBJECT)
    return error_at(err, (*values)->place, "\"values\" must be an object");
  out->study = study->text;
  return 0;
}

int pins_results_read(const char *path, struct results_file *out,
                      struct error *err) {
  *out = (struct results_file){0};
  if (json_read(path, &out->document, err) != 0) return -1;
  struct arena *arena = &out->document.arena;
  out->path = arena_copy(arena, path, strlen(path));
  out->name = pins_directory_name(arena, path);
  const struct json *values, *root = out->document.root;
  struct flattening f = {.file = out, .err = err};
  int result = read_study(out, &values, err);
  if (result == 0) {
    buffer_text(&f.key, out->study);
    result = flatten(&f, values);
  }
  buffer_free(&f.key);
  facts_collect(json_member(root, "inputs"), arena, &out->inputs);
  facts_collect(json_member(root, "environment"), arena, &out->environment);
  if (result == 0)
    sort_results(out);
  else
    pins_results_free(out);
  return result;
}

int pins_results_read_all(const char *directory, struct results_set *out,
                          struct error *err) {
  *out = (struct results_set){0};
  struct pins_directory listing;
  if (pins_directory_read(directory, &listing, err) != 0) return -1;
  out->files = memory_alloc(listing.count + 1, sizeof *out->files);
  int result = 0;
  for (size_t i = 0; i < listing.count && result == 0; i++) {
    result = pins_results_read(listing.paths[i], &out->files[i], err);
    if (result == 0) out->count++;
  }
  pins_directory_free(&listing);
  if (result != 0) pins_results_free_all(out);
  return result;
}

void pins_results_free(struct results_file *file) {
  free(file->results);
  free(file->by_key);
  facts_free(&file->inputs);
  facts_free(&file->environment);
  json_free(&file->document);
  *file = (struct results_file){0};
}

void pins_results_free_all(struct results_set *set) {
  for (size_t i = 0; i < set->count; i++)
    pins_results_free(&set->files[i]);
  free(set->files);
  *set = (struct results_set){0};
}

const struct result *pins_results_find(const struct results_file *file,
                                       const char *key) {
  struct result wanted = {key, NULL}, *pointer = &wanted;
  struct result **found = bsearch(&pointer, file->by_key, file->count,
                                  sizeof *file->by_key, compare_results);
  return found != NULL ? *found : NULL;
}

const struct results_file *pins_results_named(const struct results_set *set,
                                              const char *name) {
  for (size_t i = 0; i < set->count; i++)
    if (strcmp(set->files[i].name, name) == 0) return &set->files[i];
  return NULL;
}
