/* Reading pin files: every member is known, every pin is complete. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/memory.h"
#include "report/compare.h"
#include "report/pins.h"
#include "report/pins_directory.h"

/* Recursion over a key stays shallow; JSON itself nests no deeper. */
enum { MAXIMUM_ELEMENTS = 1000 };

static const char *const kind_names[PIN_KINDS] = {"exact", "abs",    "rel",
                                                  "ulp",   "digits", "range"};

const char *pins_kind_name(enum pin_kind kind) {
  return kind_names[kind];
}

bool pins_kind_of(const char *name, enum pin_kind *out) {
  for (int k = 0; k < PIN_KINDS; k++)
    if (strcmp(name, kind_names[k]) == 0) {
      *out = (enum pin_kind)k;
      return true;
    }
  return false;
}

/* ---- members ------------------------------------------------------------- */

/* What an error says about: the pin's key, or the file's own members. */
struct subject {
  const char *key; /* "" for the file */
  const struct json *object;
};

static int fault(const struct subject *s, struct place at, struct error *err,
                 const char *what, const char *name) {
  return error_at(err, at, "%s%s%s \"%s\"", s->key, *s->key != 0 ? ": " : "",
                  what, name);
}

static int refuse_unknown(const struct subject *s, const char *const *known,
                          struct error *err) {
  for (const struct json *m = s->object->child; m != NULL; m = m->next) {
    size_t i = 0;
    while (known[i] != NULL && strcmp(known[i], m->key) != 0)
      i++;
    if (known[i] == NULL)
      return fault(s, m->place, err, "unknown member", m->key);
  }
  return 0;
}

static bool is_line(const char *text) {
  bool blank = true;
  for (; *text != 0; text++) {
    if ((unsigned char)*text < 0x20 || *text == 0x7f) return false;
    blank = blank && *text == ' ';
  }
  return !blank;
}

/* One line of text; *out stays as it is when an optional one is absent. */
static int get_text(const struct subject *s, const char *name, bool required,
                    const char **out, struct error *err) {
  const struct json *m = json_member(s->object, name);
  if (m == NULL)
    return required ? fault(s, s->object->place, err, "missing", name) : 0;
  if (m->type != JSON_STRING || !is_line(m->text))
    return fault(s, m->place, err, "one line of text is needed as", name);
  *out = m->text;
  return 0;
}

static int get_number(const struct subject *s, const char *name,
                      const struct json **out, struct error *err) {
  *out = json_member(s->object, name);
  if (*out == NULL) return fault(s, s->object->place, err, "missing", name);
  if ((*out)->type != JSON_NUMBER)
    return fault(s, (*out)->place, err, "a number is needed as", name);
  return 0;
}

static int get_object(const struct subject *s, const char *name, bool required,
                      const struct json **out, struct error *err) {
  *out = json_member(s->object, name);
  if (*out == NULL)
    return required ? fault(s, s->object->place, err, "missing", name) : 0;
  if ((*out)->type != JSON_OBJECT)
    return fault(s, (*out)->place, err, "an object is needed as", name);
  return 0;
}

/* ---- allowances ---------------------------------------------------------- */

void pins_bound_text(double bound, char out[JSON_DOUBLE_TEXT]) {
  json_double_text(bound, out);
  char *exponent = strchr(out, 'e');
  if (exponent != NULL && exponent[2] == '0')
    memmove(exponent + 2, exponent + 3, strlen(exponent + 2));
}

const char *pins_bound_fault(enum pin_kind kind, double bound) {
  if (!(bound > 0)) return "must be above 0 (use kind exact for 0)";
  if (kind == PIN_REL && bound >= 1)
    return "of 1 or more admits 0 and the other sign (use abs or range)";
  if (kind == PIN_ULP && (bound != trunc(bound) || bound > 0x1p53))
    return "must be a whole number of doubles";
  return NULL;
}

static int get_bound(const struct subject *s, struct pin_allowance *out,
                     struct error *err) {
  const struct json *bound;
  if (get_number(s, "bound", &bound, err) != 0) return -1;
  out->bound = bound->number;
  const char *why = pins_bound_fault(out->kind, out->bound);
  if (why == NULL) return 0;
  return error_at(err, bound->place, "%s: the %s bound %s %s", s->key,
                  pins_kind_name(out->kind), bound->text, why);
}

static int get_format(const struct subject *s, struct pin_allowance *out,
                      struct error *err) {
  if (get_text(s, "format", true, &out->format, err) != 0) return -1;
  if (compare_format_valid(out->format)) return 0;
  return error_at(err, json_member(s->object, "format")->place,
                  "%s: the format \"%s\" is not one printf conversion of a "
                  "number, such as %%.4f",
                  s->key, out->format);
}

static int get_range(const struct subject *s, const struct json *value,
                     struct pin_allowance *out, struct error *err) {
  if (get_number(s, "low", &out->low, err) != 0 ||
      get_number(s, "high", &out->high, err) != 0)
    return -1;
  if (!(out->low->number < out->high->number))
    return error_at(err, out->low->place, "%s: low %s is not below high %s",
                    s->key, out->low->text, out->high->text);
  if (!compare_values(value, value, out).holds)
    return error_at(err, value->place,
                    "%s: the value %s is outside its range %s to %s", s->key,
                    value->text, out->low->text, out->high->text);
  return 0;
}

static int get_kind(const struct subject *s, struct pin_allowance *out,
                    struct error *err) {
  const char *name;
  if (get_text(s, "kind", true, &name, err) != 0) return -1;
  if (pins_kind_of(name, &out->kind)) return 0;
  return error_at(err, json_member(s->object, "kind")->place,
                  "%s: unknown kind \"%s\" (exact, abs, rel, ulp, digits or "
                  "range)",
                  s->key, name);
}

/* Members that belong to another kind would only seem to count. */
static int refuse_foreign(const struct subject *s, enum pin_kind kind,
                          struct error *err) {
  static const char *const names[] = {"bound", "format", "low", "high"};
  bool own_bound = kind == PIN_ABS || kind == PIN_REL || kind == PIN_ULP;
  const bool own[] = {own_bound, kind == PIN_DIGITS, kind == PIN_RANGE,
                      kind == PIN_RANGE};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    const struct json *m = json_member(s->object, names[i]);
    if (m != NULL && !own[i])
      return error_at(err, m->place, "%s: kind %s takes no \"%s\"", s->key,
                      pins_kind_name(kind), names[i]);
  }
  return 0;
}

const char *pins_value_fault(const struct json *value,
                             const struct pin_allowance *a) {
  if (value->type != JSON_NUMBER)
    return a->kind == PIN_EXACT ? NULL : "only numbers may be off, use exact";
  bool beyond = value->is_integer &&
                (value->integer > 1ll << 53 || value->integer < -(1ll << 53));
  if (!beyond) return NULL;
  if (a->kind == PIN_REL || a->kind == PIN_ULP)
    return "an integer beyond 2^53 needs exact, abs, range or digits with %d";
  if (a->kind == PIN_DIGITS && a->format[strlen(a->format) - 1] != 'd')
    return "an integer beyond 2^53 prints exactly with %d only";
  return NULL;
}

static int get_allowance(const struct subject *s, const struct json *value,
                         struct pin_allowance *out, struct error *err) {
  if (get_kind(s, out, err) != 0 || refuse_foreign(s, out->kind, err) != 0)
    return -1;
  int result = 0;
  if (value->type == JSON_NUMBER && out->kind == PIN_DIGITS)
    result = get_format(s, out, err);
  else if (value->type == JSON_NUMBER && out->kind == PIN_RANGE)
    result = get_range(s, value, out, err);
  else if (out->kind != PIN_EXACT && value->type == JSON_NUMBER)
    result = get_bound(s, out, err);
  if (result != 0) return -1;
  const char *why = pins_value_fault(value, out);
  if (why == NULL) return 0;
  return error_at(err, value->place, "%s: kind %s: %s", s->key,
                  pins_kind_name(out->kind), why);
}

static int get_value(const struct subject *s, bool required,
                     const struct json **out, struct error *err) {
  *out = json_member(s->object, "value");
  if (*out == NULL)
    return required ? fault(s, s->object->place, err, "missing", "value") : 0;
  if ((*out)->type == JSON_NUMBER || (*out)->type == JSON_STRING ||
      (*out)->type == JSON_BOOL)
    return 0;
  return error_at(err, (*out)->place,
                  "%s: a number, string or boolean can be pinned, not %s",
                  s->key, json_type_name((*out)->type));
}

/* ---- platforms and history ----------------------------------------------- */

static int get_where(const struct subject *s, struct pin_override *out,
                     struct error *err) {
  if (get_object(s, "where", true, &out->where, err) != 0) return -1;
  if (out->where->count == 0)
    return fault(s, out->where->place, err, "an environment field is needed in",
                 "where");
  for (const struct json *m = out->where->child; m != NULL; m = m->next)
    if (m->type != JSON_STRING || *m->text == 0)
      return fault(s, m->place, err, "a text is needed as", m->key);
  return 0;
}

static int read_override(const struct pin *pin, const struct json *object,
                         struct pin_override *out, struct error *err) {
  static const char *const known[] = {"where", "value",  "kind",
                                      "bound", "format", "low",
                                      "high",  "reason", NULL};
  const struct subject s = {pin->key, object};
  if (object->type != JSON_OBJECT)
    return error_at(err, object->place, "%s: an object is needed here",
                    pin->key);
  if (refuse_unknown(&s, known, err) != 0 || get_where(&s, out, err) != 0 ||
      get_value(&s, false, &out->value, err) != 0 ||
      get_text(&s, "reason", true, &out->reason, err) != 0)
    return -1;
  const struct json *value = out->value != NULL ? out->value : pin->value;
  if (value->type != pin->value->type)
    return error_at(err, value->place,
                    "%s: the value's type differs from the "
                    "pin's",
                    pin->key);
  return get_allowance(&s, value, &out->allowance, err);
}

static int get_array(const struct subject *s, const char *name,
                     const struct json **first, struct error *err) {
  const struct json *array = json_member(s->object, name);
  *first = array != NULL ? array->child : NULL;
  if (array != NULL && array->type != JSON_ARRAY)
    return fault(s, array->place, err, "an array is needed as", name);
  return 0;
}

static int read_overrides(const struct subject *s, struct arena *arena,
                          struct pin *pin, struct error *err) {
  const struct json *item;
  if (get_array(s, "platforms", &item, err) != 0) return -1;
  struct pin_override **link = &pin->overrides;
  for (; item != NULL; item = item->next) {
    *link = arena_alloc(arena, sizeof **link);
    if (read_override(pin, item, *link, err) != 0) return -1;
    link = &(*link)->next;
  }
  return 0;
}

/* Moves and removals: objects with a reason, and whatever else is known. */
static int check_entries(const struct subject *s, const char *name,
                         const char *const *known, struct error *err) {
  const struct json *item;
  if (get_array(s, name, &item, err) != 0) return -1;
  for (; item != NULL; item = item->next) {
    const struct subject entry = {s->key, item};
    const char *text;
    if (item->type != JSON_OBJECT)
      return fault(s, item->place, err, "objects are needed in", name);
    if (refuse_unknown(&entry, known, err) != 0 ||
        get_text(&entry, "reason", true, &text, err) != 0 ||
        get_text(&entry, "date", false, &text, err) != 0)
      return -1;
  }
  return 0;
}

static int check_history(const struct subject *s, struct error *err) {
  static const char *const known[] = {
      "from", "to", "from_bound", "to_bound", "date", "reason", NULL};
  return check_entries(s, "history", known, err);
}

static int check_removed(const struct subject *s, struct error *err) {
  static const char *const known[] = {"key", "value", "date", "reason", NULL};
  return check_entries(s, "removed", known, err);
}

/* ---- one pin ------------------------------------------------------------- */

static int get_draft(const struct subject *s, struct pin *pin,
                     struct error *err) {
  const struct json *m = json_member(s->object, "draft");
  if (m != NULL && m->type != JSON_BOOL)
    return fault(s, m->place, err, "true or false is needed as", "draft");
  pin->draft = m != NULL && m->boolean;
  return 0;
}

/* The record a pin names, or the file's first. */
static int get_taken(const struct subject *s, const struct json *records,
                     struct pin *pin, struct error *err) {
  pin->taken = records != NULL ? records->child : NULL;
  const char *name = NULL;
  if (get_text(s, "taken", false, &name, err) != 0) return -1;
  if (name == NULL) return 0;
  pin->taken = records != NULL ? json_member(records, name) : NULL;
  if (pin->taken != NULL) return 0;
  return fault(s, json_member(s->object, "taken")->place, err,
               "the file's \"taken\" has no record", name);
}

/* Why the part behind the study's name is no path, or NULL. */
static const char *path_fault(const char *path) {
  size_t elements = 1;
  for (const char *c = path; *c != 0; c++) {
    if ((unsigned char)*c < 0x20 || *c == 0x7f)
      return "control character in the key";
    if (*c == '.' && (c[1] == '.' || c[1] == 0))
      return "an element of the key is empty";
    elements += *c == '.';
  }
  return elements > MAXIMUM_ELEMENTS ? "the key has too many elements" : NULL;
}

static int check_key(const struct pin_file *file, const struct pin *pin,
                     struct error *err) {
  size_t length = strlen(file->study);
  if (strncmp(pin->key, file->study, length) != 0 || pin->key[length] != '.')
    return error_at(err, pin->place,
                    "%.200s: the key does not begin with "
                    "\"%.200s.\"",
                    pin->key, file->study);
  const char *why = path_fault(pin->key + length);
  if (why == NULL) return 0;
  return error_at(err, pin->place, "%.200s: %s", pin->key, why);
}

static int read_pin(struct pin_file *file, const struct json *object,
                    const struct json *records, struct pin *pin,
                    struct error *err) {
  static const char *const known[] = {
      "value", "kind",  "bound",  "format",    "low",     "high", "unit",
      "draft", "taken", "reason", "platforms", "history", NULL};
  pin->key = object->key;
  pin->place = object->place;
  pin->json = object;
  const struct subject s = {pin->key, object};
  if (check_key(file, pin, err) != 0) return -1;
  if (object->type != JSON_OBJECT)
    return error_at(err, object->place, "%s: an object is needed here",
                    pin->key);
  if (refuse_unknown(&s, known, err) != 0 ||
      get_value(&s, true, &pin->value, err) != 0 ||
      get_allowance(&s, pin->value, &pin->allowance, err) != 0 ||
      get_text(&s, "unit", false, &pin->unit, err) != 0 ||
      get_text(&s, "reason", true, &pin->reason, err) != 0 ||
      get_draft(&s, pin, err) != 0 || get_taken(&s, records, pin, err) != 0 ||
      check_history(&s, err) != 0)
    return -1;
  return read_overrides(&s, &file->document.arena, pin, err);
}

/* ---- one file ------------------------------------------------------------ */

static int check_taken(const struct json *records, struct error *err) {
  static const char *const known[] = {"inputs", "environment", NULL};
  for (const struct json *r = records->child; r != NULL; r = r->next) {
    const struct subject s = {"", r};
    const struct json *part;
    if (r->type != JSON_OBJECT)
      return error_at(err, r->place, "an object is needed here");
    if (refuse_unknown(&s, known, err) != 0 ||
        get_object(&s, "inputs", false, &part, err) != 0 ||
        get_object(&s, "environment", false, &part, err) != 0)
      return -1;
  }
  return 0;
}

static int get_optional(struct pin_file *file, const struct subject *s,
                        struct error *err) {
  static const char *const known[] = {"reason", "tied_to", NULL};
  const struct json *object;
  if (get_object(s, "optional", false, &object, err) != 0) return -1;
  if (object == NULL) return 0;
  const struct subject optional = {"", object};
  if (refuse_unknown(&optional, known, err) != 0 ||
      get_text(&optional, "reason", true, &file->optional, err) != 0)
    return -1;
  return get_text(&optional, "tied_to", false, &file->tied_to, err);
}

static int read_head(struct pin_file *file, const struct json **records,
                     const struct json **pins, struct error *err) {
  static const char *const known[] = {"study", "optional", "taken",
                                      "pins",  "removed",  NULL};
  const struct json *root = file->document.root;
  const struct subject s = {"", root};
  if (root->type != JSON_OBJECT)
    return error_at(err, root->place, "a pin file is an object");
  if (refuse_unknown(&s, known, err) != 0 ||
      get_text(&s, "study", true, &file->study, err) != 0 ||
      get_optional(file, &s, err) != 0 ||
      get_object(&s, "taken", false, records, err) != 0 ||
      get_object(&s, "pins", true, pins, err) != 0 ||
      check_removed(&s, err) != 0)
    return -1;
  if (strchr(file->study, '.') != NULL)
    return error_at(err, json_member(root, "study")->place,
                    "a study's name has no dot");
  return *records != NULL ? check_taken(*records, err) : 0;
}

/* The document has been read, the rest of *out is empty. */
static int read_pins(const char *path, struct pin_file *out,
                     struct error *err) {
  struct arena *arena = &out->document.arena;
  out->path = arena_copy(arena, path, strlen(path));
  out->name = pins_directory_name(arena, path);
  const struct json *records = NULL, *pins = NULL;
  int result = read_head(out, &records, &pins, err);
  struct pin **link = &out->pins;
  for (const struct json *m = result == 0 ? pins->child : NULL;
       m != NULL && result == 0; m = m->next) {
    *link = arena_alloc(arena, sizeof **link);
    result = read_pin(out, m, records, *link, err);
    link = &(*link)->next;
    out->count++;
  }
  if (result != 0) pins_free(out);
  return result;
}

/* The name of the last pin that begins before the offset: a string with a dot
 * in it, followed by a colon and an object. */
static size_t pin_before(const char *text, size_t offset, const char **key) {
  size_t length = 0;
  for (size_t at = 0; at < offset; at++) {
    if (text[at] != '"') continue;
    size_t start = ++at;
    while (at < offset && text[at] != '"')
      at += 1 + (text[at] == '\\');
    if (at >= offset) break;
    size_t next = at + 1 + strspn(text + at + 1, " \t\r\n");
    if (text[next] != ':') continue;
    next += 1 + strspn(text + next + 1, " \t\r\n");
    if (text[next] != '{' || memchr(text + start, '.', at - start) == NULL)
      continue;
    *key = text + start;
    length = at - start;
  }
  return length;
}

/* The JSON reader knows places, not pins; its message gets the pin's key. */
static int name_pin(const char *path, const char *text, size_t length,
                    struct error *err) {
  int line, column;
  size_t prefix = strlen(path), offset = 0;
  const char *key = NULL;
  if (strncmp(err->text, path, prefix) != 0 ||
      sscanf(err->text + prefix, ":%d:%d:", &line, &column) != 2)
    return -1;
  for (; line > 1 && offset < length; offset++)
    line -= text[offset] == '\n';
  offset += (size_t)column - 1;
  size_t n = pin_before(text, offset < length ? offset : length, &key);
  struct error copy = *err;
  if (n > 0) error_set(err, "%s (pin %.*s)", copy.text, (int)n, key);
  return -1;
}

int pins_parse(const char *path, const char *text, size_t length,
               struct pin_file *out, struct error *err) {
  *out = (struct pin_file){0};
  if (json_parse(path, text, length, &out->document, err) != 0)
    return name_pin(path, text, length, err);
  return read_pins(path, out, err);
}

int pins_read(const char *path, struct pin_file *out, struct error *err) {
  struct buffer text = {0};
  *out = (struct pin_file){0};
  int result = file_read(path, &text, err);
  if (result == 0) result = pins_parse(path, text.bytes, text.length, out, err);
  buffer_free(&text);
  return result;
}

void pins_free(struct pin_file *file) {
  json_free(&file->document);
  *file = (struct pin_file){0};
}
