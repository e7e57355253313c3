/* All values of a tree, by their size: which of them print given digits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/ledger_internal.h"

/* The reader of JSON allows no deeper tree. */
enum { DEEPEST = 1000 };

static void add_value(struct ledger_values *values, const struct json *value,
                      const char *key) {
  if (values->count == values->room) {
    values->room = values->room > 0 ? 2 * values->room : 256;
    values->items =
        memory_resize(values->items, values->room, sizeof *values->items);
  }
  values->items[values->count] = (struct ledger_value){
      .size = fabs(value->number),
      .key = arena_copy(&values->arena, key, strlen(key)),
      .digits = value->is_integer ? value->text + (*value->text == '-') : NULL,
      .order = values->count};
  values->count++;
}

static void collect(struct ledger_values *values, const struct json *value,
                    struct buffer *key, int depth) {
  size_t length = key->length, index = 0;
  if (value->type == JSON_NUMBER) add_value(values, value, key->bytes);
  if (depth == DEEPEST) return;
  for (const struct json *child = value->child; child; child = child->next) {
    if (length > 0) buffer_char(key, '.');
    if (child->key != NULL)
      buffer_text(key, child->key);
    else
      buffer_printf(key, "%zu", index++);
    collect(values, child, key, depth + 1);
    key->length = length;
    key->bytes[length] = 0;
  }
}

static int compare_values(const void *x, const void *y) {
  const struct ledger_value *a = x, *b = y;
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

void ledger_values_collect(const struct json *tree, struct ledger_values *out) {
  struct buffer key = {0};
  *out = (struct ledger_values){0};
  buffer_text(&key, "");
  if (tree != NULL) collect(out, tree, &key, 0);
  buffer_free(&key);
  if (out->count > 0)
    qsort(out->items, out->count, sizeof *out->items, compare_values);
}

void ledger_values_free(struct ledger_values *values) {
  arena_free(&values->arena);
  free(values->items);
}

static bool prints(const struct ledger_value *value, const char *digits) {
  char text[512];
  const char *point = strchr(digits, '.');
  if (point == NULL)
    return value->digits != NULL && strcmp(value->digits, digits) == 0;
  snprintf(text, sizeof text, "%.*f", (int)strlen(point + 1), value->size);
  return strcmp(text, digits) == 0;
}

/* The first value that is not below `size`. */
static size_t lower_bound(const struct ledger_values *values, double size) {
  size_t low = 0, high = values->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (values->items[middle].size < size)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const char *ledger_values_find(const struct ledger_values *values,
                               const char *digits,
                               const struct ledger_literal *literal) {
  const char *point = strchr(digits, '.');
  double size = strtod(digits, NULL);
  double unit = point == NULL ? 0 : pow(10, -(double)strlen(point + 1));
  for (size_t i = lower_bound(values, size - unit);
       i < values->count && values->items[i].size <= size + unit; i++)
    if (prints(&values->items[i], digits) &&
        !ledger_is_chance(literal, values->items[i].key))
      return values->items[i].key;
  return NULL;
}
