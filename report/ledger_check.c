/* What can be said once all is entered: declarations that nothing needs, and
 * literals that are results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/ledger_internal.h"

enum { NUMERAL = 64 };

/* Digits and point of a numeral without groups; false for other numerals. */
static bool plain_digits(const char *text, char out[NUMERAL]) {
  size_t length = 0;
  for (; *text != 0; text++) {
    if (strchr(",{}", *text) != NULL) continue;
    if (strchr("0123456789.", *text) == NULL || length + 1 == NUMERAL)
      return false;
    out[length++] = *text;
  }
  out[length] = 0;
  return length > 0;
}

/* The digits that a value shows: without sign, unit, power of ten. */
static bool printed_digits(const char *text, char out[NUMERAL]) {
  char part[NUMERAL];
  const char *start = text + strcspn(text, "0123456789");
  size_t length = strspn(start, "0123456789.,{}");
  if (length >= NUMERAL) return false;
  memcpy(part, start, length);
  part[length] = 0;
  bool power = strstr(start + length, "10") != NULL ||
               start[length] == 'e'; /* a mantissa is no number of its own */
  return !power && plain_digits(part, out);
}

bool ledger_is_chance(const struct ledger_literal *literal, const char *key) {
  const char *at = literal == NULL ? "" : literal->chance;
  while (*(at += strspn(at, " ,")) != 0) {
    size_t length = strcspn(at, " ,");
    bool open = at[length - 1] == '*';
    if (open ? strncmp(at, key, length - 1) == 0
             : strncmp(at, key, length) == 0 && key[length] == 0)
      return true;
    at += length;
  }
  return false;
}

static void find_result(struct ledger *ledger, const struct ledger_entry *entry,
                        const char *key) {
  ledger_find(ledger, entry->place,
              "the numeral %s is typed, but %s gives the same: print it from "
              "that key, or declare it with `| not %s`",
              entry->text, key, key);
}

/* ---- what the page prints ------------------------------------------------ */

/* A printed value, or a typed numeral, by its digits. */
struct numeral {
  char digits[NUMERAL];
  const struct ledger_entry *entry;
  size_t order;
};

struct numerals {
  struct numeral *items;
  size_t count;
};

static int compare_numerals(const void *x, const void *y) {
  const struct numeral *a = x, *b = y;
  int order = strcmp(a->digits, b->digits);
  return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

static bool is_printed(const struct ledger_entry *entry, char out[NUMERAL]) {
  return entry->source == LEDGER_KEY && entry->value->is_number &&
         printed_digits(entry->text, out);
}

/* A numeral of mathematics, of code in a line of text, or given to a name in a
 * figure's script, is no result unless it has the digits of one. */
static bool is_typed(const struct ledger_entry *entry, char out[NUMERAL]) {
  size_t least = entry->source == LEDGER_LITERAL ? 2 : 3;
  bool wanted = entry->source == LEDGER_LITERAL ||
                entry->source == LEDGER_STRUCTURE ||
                ledger_is_checked(entry->source, entry->part);
  if (!wanted) return false;
  return plain_digits(entry->text, out) &&
         ledger_significant(out, strlen(out)) >= least;
}

static struct numerals collect(const struct ledger *ledger,
                               bool (*wanted)(const struct ledger_entry *,
                                              char[NUMERAL])) {
  struct numerals list = {memory_alloc(ledger->count + 1, sizeof *list.items),
                          0};
  for (const struct ledger_entry *e = ledger->entries; e != NULL; e = e->next) {
    struct numeral *item = &list.items[list.count];
    if (!wanted(e, item->digits)) continue;
    item->entry = e;
    item->order = list.count++;
  }
  qsort(list.items, list.count, sizeof *list.items, compare_numerals);
  return list;
}

/* The first printed value with these digits that is not there by chance. */
static const char *find_printed(const struct numerals *printed,
                                const struct numeral *typed) {
  size_t low = 0, high = printed->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(printed->items[middle].digits, typed->digits) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < printed->count; low++) {
    const struct numeral *item = &printed->items[low];
    if (strcmp(item->digits, typed->digits) != 0) return NULL;
    if (!ledger_is_chance(typed->entry->literal, item->entry->value->key))
      return item->entry->value->key;
  }
  return NULL;
}

/* ---- results that were typed --------------------------------------------- */

static void check_typed(struct ledger *ledger, const struct numerals *printed,
                        const struct numeral *typed,
                        const struct ledger_values *values) {
  enum { ANY = 3 };
  const char *key = find_printed(printed, typed);
  size_t significant = ledger_significant(typed->digits, strlen(typed->digits));
  if (key == NULL && significant >= ANY)
    key = ledger_values_find(values, typed->digits, typed->entry->literal);
  if (key != NULL) find_result(ledger, typed->entry, key);
}

/* A literal that stands in several places is looked at once. */
static bool is_repeated(const struct numerals *typed, size_t index) {
  if (index == 0) return false;
  const struct numeral *a = &typed->items[index - 1], *b = a + 1;
  return strcmp(a->digits, b->digits) == 0 &&
         a->entry->literal == b->entry->literal;
}

/* ---- order --------------------------------------------------------------- */

struct placed {
  struct place place;
  size_t rank, order;
  void *item;
};

static int compare_placed(const void *x, const void *y) {
  const struct placed *a = x, *b = y;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  if (a->place.line != b->place.line)
    return a->place.line < b->place.line ? -1 : 1;
  if (a->place.column != b->place.column)
    return a->place.column < b->place.column ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

static struct placed placed(const struct ledger *ledger, struct place place,
                            size_t order, void *item) {
  const struct ledger_file *file = ledger->files;
  while (file->name != place.file)
    file = file->next;
  return (struct placed){place, file->rank, order, item};
}

static void sort_entries(struct ledger *ledger) {
  struct placed *list = memory_alloc(ledger->count + 1, sizeof *list);
  size_t count = 0;
  for (struct ledger_entry *e = ledger->entries; e != NULL; e = e->next) {
    list[count] = placed(ledger, e->place, count, e);
    count++;
  }
  qsort(list, count, sizeof *list, compare_placed);
  struct ledger_entry **tail = &ledger->entries;
  for (size_t i = 0; i < count; i++) {
    *tail = list[i].item;
    tail = &(*tail)->next;
  }
  *tail = NULL;
  ledger->entry_tail = tail;
  free(list);
}

static void sort_findings(struct ledger *ledger) {
  struct placed *list = memory_alloc(ledger->findings_count + 1, sizeof *list);
  size_t count = 0;
  for (struct ledger_finding *f = ledger->findings; f != NULL; f = f->next) {
    list[count] = placed(ledger, f->place, count, f);
    count++;
  }
  qsort(list, count, sizeof *list, compare_placed);
  struct ledger_finding **tail = &ledger->findings;
  for (size_t i = 0; i < count; i++) {
    *tail = list[i].item;
    tail = &(*tail)->next;
  }
  *tail = NULL;
  ledger->finding_tail = tail;
  free(list);
}

void ledger_check(struct ledger *ledger, const struct json *values) {
  sort_entries(ledger);
  for (const struct ledger_literal *l = ledger->literals; l; l = l->next)
    if (l->uses == 0)
      ledger_find(ledger, l->place,
                  "the literal `%s` is declared but stands nowhere", l->phrase);
  struct numerals printed = collect(ledger, is_printed);
  struct numerals typed = collect(ledger, is_typed);
  struct ledger_values all = {0};
  if (typed.count > 0) ledger_values_collect(values, &all);
  for (size_t i = 0; i < typed.count; i++)
    if (!is_repeated(&typed, i))
      check_typed(ledger, &printed, &typed.items[i], &all);
  free(printed.items);
  free(typed.items);
  ledger_values_free(&all);
  sort_findings(ledger);
}
