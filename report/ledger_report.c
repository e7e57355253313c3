/* The ledger as text and as JSON. */
#include <stdlib.h>
#include <string.h>

#include "report/base/json.h"
#include "report/base/utf8.h"
#include "report/ledger_internal.h"

/* ---- rows ---------------------------------------------------------------- */

/* Entries that print the same from the same source, at all their places. */
struct row {
  const char *text, *key, *format, *part;
  const struct ledger_entry *first;
  size_t order, count;
};

struct rows {
  struct arena arena;
  struct row *items;
  size_t count;
};

static const char *series_of(struct arena *arena, const char *key) {
  struct buffer name = {0};
  ledger_put_series(key, &name);
  const char *copy = arena_copy(arena, name.bytes, name.length);
  buffer_free(&name);
  return copy;
}

static struct row row_of(struct rows *rows, const struct ledger_entry *entry) {
  struct row row = {.text = entry->text,
                    .key = "",
                    .format = "",
                    .part = ledger_part_name(entry->part),
                    .first = entry,
                    .order = rows->count,
                    .count = 1};
  if (entry->literal != NULL)
    row.key = arena_printf(&rows->arena, "%s: %s", entry->literal->phrase,
                           entry->literal->reason);
  if (entry->value == NULL) return row;
  bool data = entry->part == LEDGER_FIGURE_DATA;
  row.key =
      data ? series_of(&rows->arena, entry->value->key) : entry->value->key;
  row.format = entry->value->format;
  if (data) row.text = "data";
  return row;
}

static int compare_same(const struct row *a, const struct row *b) {
  int order = strcmp(a->key, b->key);
  if (order == 0) order = strcmp(a->text, b->text);
  if (order == 0) order = strcmp(a->format, b->format);
  return order;
}

static int compare_rows(const void *x, const void *y) {
  const struct row *a = x, *b = y;
  int order = compare_same(a, b);
  return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

static int compare_order(const void *x, const void *y) {
  const struct row *a = x, *b = y;
  return (a->order > b->order) - (a->order < b->order);
}

/* Rows of the entries of one source, in the order of their first places. */
static void collect(struct rows *rows, const struct ledger *ledger,
                    enum ledger_source source) {
  size_t kept = 0;
  rows->items = memory_alloc(ledger->count + 1, sizeof *rows->items);
  for (const struct ledger_entry *e = ledger->entries; e != NULL; e = e->next)
    if (e->source == source) {
      rows->items[rows->count] = row_of(rows, e);
      rows->count++;
    }
  qsort(rows->items, rows->count, sizeof *rows->items, compare_rows);
  for (size_t i = 0; i < rows->count; i++) {
    if (kept > 0 && compare_same(&rows->items[kept - 1], &rows->items[i]) == 0)
      rows->items[kept - 1].count++;
    else
      rows->items[kept++] = rows->items[i];
  }
  rows->count = kept;
  qsort(rows->items, kept, sizeof *rows->items, compare_order);
}

static void free_rows(struct rows *rows) {
  arena_free(&rows->arena);
  free(rows->items);
}

/* ---- text ---------------------------------------------------------------- */

static size_t width_of(const char *text) {
  size_t width = 0;
  for (; *text != 0; text++)
    width += (*text & 0xC0) != 0x80;
  return width;
}

static void put_padded(struct buffer *out, const char *text, size_t width) {
  buffer_text(out, text);
  size_t n = width_of(text);
  buffer_text(out, "  ");
  for (; n < width; n++)
    buffer_char(out, ' ');
}

static size_t widest(const struct rows *rows, size_t member) {
  enum { MOST = 48 };
  size_t width = 0;
  for (size_t i = 0; i < rows->count; i++) {
    const char *text =
        *(const char *const *)((const char *)&rows->items[i] + member);
    size_t n = width_of(text);
    if (n > width && n <= MOST) width = n;
  }
  return width;
}

static void put_rows(const struct ledger *ledger, enum ledger_source source,
                     const char *title, struct buffer *out) {
  struct rows rows = {0};
  collect(&rows, ledger, source);
  if (rows.count > 0) buffer_printf(out, "%s\n", title);
  size_t text = widest(&rows, offsetof(struct row, text));
  size_t key = widest(&rows, offsetof(struct row, key));
  size_t format = widest(&rows, offsetof(struct row, format));
  for (size_t i = 0; i < rows.count; i++) {
    const struct row *row = &rows.items[i];
    const struct place *at = &row->first->place;
    buffer_text(out, "  ");
    put_padded(out, row->text, text);
    if (key > 0) put_padded(out, row->key, key);
    if (format > 0) put_padded(out, row->format, format);
    buffer_printf(out, "%s %s:%d:%d", row->part, at->file, at->line,
                  at->column);
    if (row->count > 1) buffer_printf(out, " and %zu more", row->count - 1);
    buffer_char(out, '\n');
  }
  if (rows.count > 0) buffer_char(out, '\n');
  free_rows(&rows);
}

void ledger_report_text(const struct ledger *ledger, struct buffer *out) {
  put_rows(ledger, LEDGER_KEY, "printed from keys", out);
  put_rows(ledger, LEDGER_LITERAL, "declared literals", out);
  put_rows(ledger, LEDGER_STRUCTURE, "structure of formulas", out);
  put_rows(ledger, LEDGER_CODE, "typed in code", out);
  put_rows(ledger, LEDGER_ADDRESS, "addresses", out);
  put_rows(ledger, LEDGER_TICK, "ticks", out);
  put_rows(ledger, LEDGER_UNDECLARED, "undeclared", out);
  buffer_printf(out, "pinpress: ledger %s numerals=%zu",
                ledger->findings_count == 0 ? "ok" : "findings", ledger->count);
  for (int s = 0; s < LEDGER_SOURCES; s++)
    buffer_printf(out, " %s=%zu", ledger_source_name((enum ledger_source)s),
                  ledger->by_source[s]);
  buffer_printf(out, " findings=%zu\n", ledger->findings_count);
}

/* ---- JSON ---------------------------------------------------------------- */

static void add_place(cJSON *object, const struct place *at) {
  cJSON_AddStringToObject(object, "file", at->file);
  cJSON_AddItemToObject(object, "line", json_new_integer(at->line));
  cJSON_AddItemToObject(object, "column", json_new_integer(at->column));
}

static cJSON *entry_object(const struct ledger_entry *entry) {
  cJSON *object = cJSON_CreateObject();
  cJSON_AddStringToObject(object, "text", entry->text);
  cJSON_AddStringToObject(object, "source", ledger_source_name(entry->source));
  if (entry->value != NULL) {
    cJSON_AddStringToObject(object, "key", entry->value->key);
    cJSON_AddStringToObject(object, "format", entry->value->format);
    cJSON_AddStringToObject(object, "value", entry->value->text);
  }
  if (entry->literal != NULL) {
    cJSON_AddStringToObject(object, "literal", entry->literal->phrase);
    cJSON_AddStringToObject(object, "reason", entry->literal->reason);
  }
  cJSON_AddStringToObject(object, "part", ledger_part_name(entry->part));
  add_place(object, &entry->place);
  return object;
}

static cJSON *finding_object(const struct ledger_finding *finding) {
  cJSON *object = cJSON_CreateObject();
  cJSON_AddStringToObject(object, "message", finding->text);
  add_place(object, &finding->place);
  return object;
}

void ledger_report_json(const struct ledger *ledger, struct buffer *out) {
  cJSON *root = cJSON_CreateObject();
  cJSON *totals = cJSON_AddObjectToObject(root, "totals");
  for (int s = 0; s < LEDGER_SOURCES; s++)
    cJSON_AddItemToObject(totals, ledger_source_name((enum ledger_source)s),
                          json_new_integer((long long)ledger->by_source[s]));
  cJSON *numerals = cJSON_AddArrayToObject(root, "numerals");
  for (const struct ledger_entry *e = ledger->entries; e != NULL; e = e->next)
    cJSON_AddItemToArray(numerals, entry_object(e));
  cJSON *findings = cJSON_AddArrayToObject(root, "findings");
  for (const struct ledger_finding *f = ledger->findings; f; f = f->next)
    cJSON_AddItemToArray(findings, finding_object(f));
  json_print(root, out);
  cJSON_Delete(root);
}
