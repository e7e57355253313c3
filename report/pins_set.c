/* All pin files of a directory. */
#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"
#include "report/pins.h"
#include "report/pins_directory.h"

static int compare_pins(const void *a, const void *b) {
  return strcmp((*(struct pin *const *)a)->key, (*(struct pin *const *)b)->key);
}

static void sort_pins(struct pin_set *set) {
  set->by_key = memory_alloc(set->pins + 1, sizeof *set->by_key);
  size_t n = 0;
  for (size_t i = 0; i < set->count; i++)
    for (struct pin *p = set->files[i].pins; p != NULL; p = p->next)
      set->by_key[n++] = p;
  qsort(set->by_key, n, sizeof *set->by_key, compare_pins);
}

static int refuse_duplicates(const struct pin_set *set, struct error *err) {
  for (size_t i = 1; i < set->pins; i++) {
    const struct pin *a = set->by_key[i - 1], *b = set->by_key[i];
    if (strcmp(a->key, b->key) == 0)
      return error_at(err, b->place,
                      "%s: duplicate key, it also stands in "
                      "%s:%d",
                      b->key, a->place.file, a->place.line);
  }
  return 0;
}

int pins_read_directory(const char *directory, struct pin_set *out,
                        struct error *err) {
  *out = (struct pin_set){0};
  struct pins_directory listing;
  if (pins_directory_read(directory, &listing, err) != 0) return -1;
  out->files = memory_alloc(listing.count + 1, sizeof *out->files);
  int result = 0;
  for (size_t i = 0; i < listing.count && result == 0; i++) {
    result = pins_read(listing.paths[i], &out->files[i], err);
    if (result != 0) break;
    out->pins += out->files[i].count;
    out->count++;
  }
  pins_directory_free(&listing);
  if (result == 0) {
    sort_pins(out);
    result = refuse_duplicates(out, err);
  }
  if (result != 0) pins_free_set(out);
  return result;
}

void pins_free_set(struct pin_set *set) {
  for (size_t i = 0; i < set->count; i++)
    pins_free(&set->files[i]);
  free(set->files);
  free(set->by_key);
  *set = (struct pin_set){0};
}

const struct pin *pins_find(const struct pin_set *set, const char *key) {
  struct pin wanted = {.key = key}, *pointer = &wanted;
  struct pin **found = bsearch(&pointer, set->by_key, set->pins,
                               sizeof *set->by_key, compare_pins);
  return found != NULL ? *found : NULL;
}

const struct pin_file *pins_file_named(const struct pin_set *set,
                                       const char *name) {
  for (size_t i = 0; i < set->count; i++)
    if (strcmp(set->files[i].name, name) == 0) return &set->files[i];
  return NULL;
}
