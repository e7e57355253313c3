#include "report/pins_sheet.h"

#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/hash.h"
#include "report/base/memory.h"

enum { RECORD_NAME = 8 };

struct record {
  const char *name, *text;
  struct facts inputs, environment;
  bool used;
  struct record *next;
};

struct sheet_pin {
  const char *key, *text; /* of the pin's object */
  const char *record;     /* its record's name; NULL: the file's first */
  bool draft, removed;
  struct sheet_pin *next;
};

struct removal {
  const char *text;
  struct removal *next;
};

struct pins_sheet {
  struct arena arena;
  const char *path, *study;
  const char *optional; /* that member's text, or NULL */
  struct record *records;
  struct removal *removals;
  struct sheet_pin head;       /* .next is the first pin */
  struct pin_file file;        /* as opened; empty for a new file */
  struct sheet_pin **original; /* the opened file's pins, by key */
  struct sheet_pin **added;    /* new pins, not in the list yet */
  size_t added_count;
  const struct results_file *order;
};

/* ---- slices of the opened text ------------------------------------------- */

struct source {
  const char *text;
  size_t length;
  size_t *lines; /* offset of each line's first byte */
};

static struct source source_of(const struct buffer *text) {
  struct source s = {text->bytes, text->length, NULL};
  size_t count = 1, n = 0;
  for (size_t i = 0; i < s.length; i++)
    count += s.text[i] == '\n';
  s.lines = memory_alloc(count, sizeof *s.lines);
  s.lines[n++] = 0;
  for (size_t i = 0; i < s.length; i++)
    if (s.text[i] == '\n') s.lines[n++] = i + 1;
  return s;
}

/* The text of an object; the JSON reader has accepted it. */
static const char *slice(struct arena *arena, const struct source *s,
                         const struct json *object) {
  size_t start =
      s->lines[object->place.line - 1] + (size_t)object->place.column - 1;
  size_t at = start, depth = 0;
  do {
    if (s->text[at] == '"')
      for (at++; s->text[at] != '"'; at++)
        at += s->text[at] == '\\';
    depth += s->text[at] == '{' || s->text[at] == '[';
    depth -= s->text[at] == '}' || s->text[at] == ']';
    at++;
  } while (depth > 0);
  return arena_copy(arena, s->text + start, at - start);
}

/* ---- opening ------------------------------------------------------------- */

static int compare_pins(const void *a, const void *b) {
  return strcmp((*(struct sheet_pin *const *)a)->key,
                (*(struct sheet_pin *const *)b)->key);
}

static void add_record(struct pins_sheet *sheet, struct record record) {
  struct record **link = &sheet->records;
  while (*link != NULL)
    link = &(*link)->next;
  *link = arena_alloc(&sheet->arena, sizeof **link);
  **link = record;
}

/* The facts of that member, all of them in the sheet's arena. */
static struct facts facts_of(struct pins_sheet *sheet,
                             const struct json *record, const char *member) {
  struct facts found;
  facts_collect(json_member(record, member), &sheet->arena, &found);
  struct facts kept = {
      arena_alloc(&sheet->arena, (found.count + 1) * sizeof *kept.items),
      found.count};
  for (size_t i = 0; i < found.count; i++)
    kept.items[i] = found.items[i];
  facts_free(&found);
  return kept;
}

static void add_removal(struct pins_sheet *sheet, const char *text) {
  struct removal **link = &sheet->removals;
  while (*link != NULL)
    link = &(*link)->next;
  *link = arena_alloc(&sheet->arena, sizeof **link);
  (*link)->text = text;
}

static void take_over(struct pins_sheet *sheet, const struct source *source) {
  const struct json *root = sheet->file.document.root;
  const struct json *optional = json_member(root, "optional");
  const struct json *taken = json_member(root, "taken");
  if (optional != NULL)
    sheet->optional = slice(&sheet->arena, source, optional);
  for (const struct json *r = taken != NULL ? taken->child : NULL; r != NULL;
       r = r->next)
    add_record(sheet, (struct record){.name = r->key,
                                      .text = slice(&sheet->arena, source, r),
                                      .inputs = facts_of(sheet, r, "inputs"),
                                      .environment =
                                          facts_of(sheet, r, "environment")});
  const struct json *removed = json_member(root, "removed");
  for (const struct json *r = removed != NULL ? removed->child : NULL;
       r != NULL; r = r->next)
    add_removal(sheet, slice(&sheet->arena, source, r));
  sheet->original =
      memory_alloc(sheet->file.count + 1, sizeof *sheet->original);
  struct sheet_pin *last = &sheet->head;
  size_t n = 0;
  for (const struct pin *p = sheet->file.pins; p != NULL; p = p->next) {
    last->next = arena_alloc(&sheet->arena, sizeof *last);
    last = last->next;
    last->key = p->key;
    last->draft = p->draft;
    last->text = slice(&sheet->arena, source, p->json);
    const struct json *record = json_member(p->json, "taken");
    last->record = record != NULL ? record->text : NULL;
    sheet->original[n++] = last;
  }
  qsort(sheet->original, n, sizeof *sheet->original, compare_pins);
}

int sheet_open(const char *path, const char *study, struct pins_sheet **out,
               struct error *err) {
  struct pins_sheet *sheet = memory_alloc(1, sizeof *sheet);
  struct buffer text = {0};
  int result = 0;
  sheet->path = arena_copy(&sheet->arena, path, strlen(path));
  sheet->study = arena_copy(&sheet->arena, study, strlen(study));
  if (file_exists(path)) {
    result = pins_read(path, &sheet->file, err);
    if (result == 0) result = file_read(path, &text, err);
    if (result == 0 && strcmp(sheet->file.study, study) != 0)
      result = error_set(err, "%s: pins of the study \"%s\", not \"%s\"", path,
                         sheet->file.study, study);
  }
  if (result == 0 && sheet->file.document.root != NULL) {
    struct source source = source_of(&text);
    take_over(sheet, &source);
    free(source.lines);
  }
  buffer_free(&text);
  if (result == 0)
    *out = sheet;
  else
    sheet_free(sheet);
  return result;
}

void sheet_free(struct pins_sheet *sheet) {
  if (sheet == NULL) return;
  free(sheet->original);
  free(sheet->added);
  pins_free(&sheet->file);
  arena_free(&sheet->arena);
  free(sheet);
}

/* ---- JSON text ----------------------------------------------------------- */

/* On one line; depth is bounded by the JSON reader's. */
static void print_compact(const struct json *value, struct buffer *out) {
  if (value->type == JSON_STRING) {
    json_print_string(value->text, out);
  } else if (value->type == JSON_OBJECT || value->type == JSON_ARRAY) {
    bool object = value->type == JSON_OBJECT;
    buffer_char(out, object ? '{' : '[');
    for (const struct json *m = value->child; m != NULL; m = m->next) {
      if (object) {
        json_print_string(m->key, out);
        buffer_text(out, ": ");
      }
      print_compact(m, out);
      if (m->next != NULL) buffer_text(out, ", ");
    }
    buffer_char(out, object ? '}' : ']');
  } else {
    buffer_text(out, json_scalar_text(value));
  }
}

static void print_text_member(const char *name, const char *text,
                              struct buffer *out) {
  buffer_printf(out, "\"%s\": ", name);
  json_print_string(text, out);
}

static void print_allowance(const struct pin_allowance *a, struct buffer *out) {
  char bound[JSON_DOUBLE_TEXT];
  buffer_printf(out, ", \"kind\": \"%s\"", pins_kind_name(a->kind));
  switch (a->kind) {
  case PIN_EXACT:
    return;
  case PIN_DIGITS:
    buffer_text(out, ", ");
    print_text_member("format", a->format, out);
    return;
  case PIN_RANGE:
    buffer_printf(out, ", \"low\": %s, \"high\": %s", a->low->text,
                  a->high->text);
    return;
  default:
    pins_bound_text(a->bound, bound);
    buffer_printf(out, ", \"bound\": %s", bound);
  }
}

/* One entry a line. */
static void print_list(const char *name, const struct json *array,
                       const char *more, struct buffer *out) {
  buffer_printf(out, ",\n      \"%s\": [", name);
  const char *separator = "\n        ";
  for (const struct json *e = array != NULL ? array->child : NULL; e != NULL;
       e = e->next) {
    buffer_text(out, separator);
    print_compact(e, out);
    separator = ",\n        ";
  }
  if (more != NULL) buffer_printf(out, "%s%s", separator, more);
  buffer_char(out, ']');
}

static bool is_first(const struct pins_sheet *sheet, const char *record) {
  return record == NULL ||
         (sheet->records != NULL && strcmp(sheet->records->name, record) == 0);
}

static void set_fields(struct pins_sheet *sheet, struct sheet_pin *pin,
                       const struct sheet_fields *f) {
  struct buffer out = {0};
  buffer_text(&out, "{\"value\": ");
  print_compact(f->value, &out);
  print_allowance(&f->allowance, &out);
  if (f->unit != NULL) {
    buffer_text(&out, ", ");
    print_text_member("unit", f->unit, &out);
  }
  if (f->draft) buffer_text(&out, ", \"draft\": true");
  pin->record = is_first(sheet, f->record) ? NULL : f->record;
  if (pin->record != NULL) {
    buffer_text(&out, ", ");
    print_text_member("taken", pin->record, &out);
  }
  buffer_text(&out, ",\n      ");
  print_text_member("reason", f->reason, &out);
  if (f->platforms != NULL) print_list("platforms", f->platforms, NULL, &out);
  if (f->history != NULL || f->move != NULL)
    print_list("history", f->history, f->move, &out);
  buffer_char(&out, '}');
  pin->text = arena_copy(&sheet->arena, out.bytes, out.length);
  buffer_free(&out);
}

/* ---- editing ------------------------------------------------------------- */

void sheet_set_optional(struct pins_sheet *sheet, const char *reason,
                        const char *tied_to) {
  struct buffer out = {0};
  buffer_char(&out, '{');
  print_text_member("reason", reason, &out);
  if (tied_to != NULL) {
    buffer_text(&out, ", ");
    print_text_member("tied_to", tied_to, &out);
  }
  buffer_char(&out, '}');
  sheet->optional = arena_copy(&sheet->arena, out.bytes, out.length);
  buffer_free(&out);
}

static void print_facts(const char *name, const struct facts *facts,
                        struct buffer *out) {
  buffer_printf(out, "\n      \"%s\": {", name);
  for (size_t i = 0; i < facts->count; i++) {
    buffer_printf(out, "%s\n        ", i > 0 ? "," : "");
    json_print_string(facts->items[i].name, out);
    buffer_text(out, ": ");
    if (facts->items[i].is_string)
      json_print_string(facts->items[i].text, out);
    else
      buffer_text(out, facts->items[i].text);
  }
  buffer_text(out, facts->count > 0 ? "\n      }" : "}");
}

/* A record's name, the beginning of its text's SHA-256. */
static const char *name_record(struct pins_sheet *sheet,
                               const struct buffer *text) {
  char hash[HASH_TEXT];
  hash_bytes(text->bytes, text->length, hash);
  return arena_copy(&sheet->arena, hash, RECORD_NAME);
}

/* The name of the record that says the same, whoever has written it. */
static const char *record_of_facts(struct pins_sheet *sheet,
                                   const struct facts *inputs,
                                   const struct facts *environment) {
  for (const struct record *r = sheet->records; r != NULL; r = r->next)
    if (facts_equal(&r->inputs, inputs) &&
        facts_equal(&r->environment, environment))
      return r->name;
  struct buffer text = {0};
  buffer_char(&text, '{');
  print_facts("inputs", inputs, &text);
  buffer_char(&text, ',');
  print_facts("environment", environment, &text);
  buffer_text(&text, "\n    }");
  struct record record = {
      .name = name_record(sheet, &text),
      .text = arena_copy(&sheet->arena, text.bytes, text.length),
      .inputs = *inputs,
      .environment = *environment};
  buffer_free(&text);
  add_record(sheet, record);
  return record.name;
}

const char *sheet_record(struct pins_sheet *sheet,
                         const struct results_file *results) {
  const struct facts none = {0};
  bool silent = results->inputs.count == 0 && results->environment.count == 0;
  if (sheet->records == NULL && silent) return NULL;
  /* Pins that name no record mean the first: it must not become theirs. */
  if (sheet->records == NULL && sheet->file.count > 0)
    record_of_facts(sheet, &none, &none);
  return record_of_facts(sheet, &results->inputs, &results->environment);
}

static struct sheet_pin *find(struct sheet_pin *const *sorted, size_t count,
                              const char *key) {
  if (count == 0) return NULL;
  struct sheet_pin wanted = {.key = key}, *pointer = &wanted;
  struct sheet_pin **found =
      bsearch(&pointer, sorted, count, sizeof *sorted, compare_pins);
  return found != NULL ? *found : NULL;
}

void sheet_set(struct pins_sheet *sheet, const char *key,
               const struct sheet_fields *fields,
               const struct results_file *results) {
  struct sheet_pin *pin = find(sheet->original, sheet->file.count, key);
  if (pin == NULL) {
    pin = arena_alloc(&sheet->arena, sizeof *pin);
    pin->key = arena_copy(&sheet->arena, key, strlen(key));
    if ((sheet->added_count & (sheet->added_count + 1)) == 0)
      sheet->added = memory_resize(sheet->added, 2 * (sheet->added_count + 1),
                                   sizeof *sheet->added);
    sheet->added[sheet->added_count++] = pin;
    sheet->order = results;
  }
  set_fields(sheet, pin, fields);
}

void sheet_remove(struct pins_sheet *sheet, const char *key,
                  const char *entry) {
  struct sheet_pin *pin = find(sheet->original, sheet->file.count, key);
  if (pin == NULL) return;
  pin->removed = true;
  add_removal(sheet, arena_copy(&sheet->arena, entry, strlen(entry)));
}

bool sheet_has(const struct pins_sheet *sheet, const char *key, bool *draft) {
  const struct sheet_pin *pin = find(sheet->original, sheet->file.count, key);
  *draft = pin != NULL && pin->draft;
  return pin != NULL;
}

/* Each new pin comes behind the pin of the result before its own. */
static void place_added(struct pins_sheet *sheet) {
  if (sheet->added_count == 0) return;
  qsort(sheet->added, sheet->added_count, sizeof *sheet->added, compare_pins);
  struct sheet_pin *last = &sheet->head;
  for (size_t i = 0; i < sheet->order->count; i++) {
    const char *key = sheet->order->results[i].key;
    struct sheet_pin *pin = find(sheet->original, sheet->file.count, key);
    if (pin == NULL) {
      pin = find(sheet->added, sheet->added_count, key);
      if (pin == NULL) continue;
      pin->next = last->next;
      last->next = pin;
    }
    last = pin;
  }
  sheet->added_count = 0;
}

/* ---- writing ------------------------------------------------------------- */

/* The first record stays as long as a pin refers to it by not naming any. */
static void mark_used(struct pins_sheet *sheet) {
  for (struct record *r = sheet->records; r != NULL; r = r->next)
    r->used = false;
  for (struct sheet_pin *p = sheet->head.next; p != NULL; p = p->next)
    for (struct record *r = sheet->records; r != NULL && !p->removed;
         r = r->next)
      if (p->record == NULL || strcmp(p->record, r->name) == 0) {
        r->used = true;
        break;
      }
}

static void print_records(struct pins_sheet *sheet, struct buffer *out) {
  const char *separator = "\n    ";
  mark_used(sheet);
  size_t start = out->length;
  buffer_text(out, "  \"taken\": {");
  for (const struct record *r = sheet->records; r != NULL; r = r->next) {
    if (!r->used) continue;
    buffer_text(out, separator);
    json_print_string(r->name, out);
    buffer_printf(out, ": %s", r->text);
    separator = ",\n    ";
  }
  if (separator[0] == ',')
    buffer_text(out, "\n  },\n");
  else
    out->length = start;
}

static void print_sheet(struct pins_sheet *sheet, struct buffer *out) {
  buffer_text(out, "{\n  ");
  print_text_member("study", sheet->study, out);
  buffer_text(out, ",\n");
  if (sheet->optional != NULL)
    buffer_printf(out, "  \"optional\": %s,\n", sheet->optional);
  print_records(sheet, out);
  buffer_text(out, "  \"pins\": {");
  const char *separator = "\n    ";
  for (const struct sheet_pin *p = sheet->head.next; p != NULL; p = p->next) {
    if (p->removed) continue;
    buffer_text(out, separator);
    json_print_string(p->key, out);
    buffer_printf(out, ": %s", p->text);
    separator = ",\n    ";
  }
  buffer_text(out, separator[0] == ',' ? "\n  }" : "}");
  separator = ",\n  \"removed\": [\n    ";
  for (const struct removal *r = sheet->removals; r != NULL; r = r->next) {
    buffer_printf(out, "%s%s", separator, r->text);
    separator = ",\n    ";
  }
  buffer_text(out, sheet->removals != NULL ? "\n  ]\n}\n" : "\n}\n");
}

int sheet_write(struct pins_sheet *sheet, struct error *err) {
  struct buffer out = {0};
  struct pin_file again = {0};
  place_added(sheet);
  print_sheet(sheet, &out);
  int result = pins_parse(sheet->path, out.bytes, out.length, &again, err);
  if (result == 0) result = file_make_parents(sheet->path, err);
  if (result == 0) result = file_write(sheet->path, out.bytes, out.length, err);
  pins_free(&again);
  buffer_free(&out);
  return result;
}
