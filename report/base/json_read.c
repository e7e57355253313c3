/* JSON reading: cJSON's tree is walked beside the text it came from. cJSON has
 * checked the structure by then, so the walk only has to be strict about what
 * cJSON lets pass. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/json.h"
#include "report/base/utf8.h"

struct walk {
  const char *name; /* in the document's arena */
  const char *at, *end;
  const char *line_start;
  int line;
  struct arena *arena;
  struct error *err;
};

static struct place here(const struct walk *w) {
  return (struct place){w->name, w->line, (int)(w->at - w->line_start) + 1};
}

static void skip_space(struct walk *w) {
  for (; w->at < w->end && strchr(" \t\r\n", *w->at) != NULL && *w->at != 0;
       w->at++) {
    if (*w->at != '\n') continue;
    w->line++;
    w->line_start = w->at + 1;
  }
}

static int expect(struct walk *w, char c) {
  skip_space(w);
  if (w->at >= w->end || *w->at != c)
    return error_at(w->err, here(w), "'%c' expected", c);
  w->at++;
  return 0;
}

/* Passes over a string that cJSON has accepted. */
static int skip_string(struct walk *w) {
  if (expect(w, '"') != 0) return -1;
  while (w->at < w->end && *w->at != '"') {
    uint32_t code;
    size_t step = utf8_decode(w->at, w->end, &code);
    if (step == 0) return error_at(w->err, here(w), "invalid UTF-8");
    if (code < 0x20)
      return error_at(w->err, here(w), "unescaped control character U+%04X",
                      (unsigned)code);
    if (code == '\\') {
      if ((size_t)(w->end - w->at) >= 6 && memcmp(w->at, "\\u0000", 6) == 0)
        return error_at(w->err, here(w), "\\u0000 in a string");
      step = 2;
    }
    w->at += step;
  }
  return expect(w, '"');
}

/* number = [-] (0 | 1-9 digits) [. digits] [e [+-] digits], RFC 8259. */
static const char *number_end(const char *at, const char *end,
                              bool *is_integer) {
#define DIGITS()                                                               \
  do {                                                                         \
    if (at >= end || *at < '0' || *at > '9') return NULL;                      \
    while (at < end && *at >= '0' && *at <= '9')                               \
      at++;                                                                    \
  } while (0)
  *is_integer = true;
  if (at < end && *at == '-') at++;
  if (at < end && *at == '0')
    at++;
  else
    DIGITS();
  if (at < end && *at == '.') {
    *is_integer = false;
    at++;
    DIGITS();
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    *is_integer = false;
    at++;
    if (at < end && (*at == '+' || *at == '-')) at++;
    DIGITS();
  }
#undef DIGITS
  return at;
}

static bool has_nonzero_digit(const char *text) {
  for (; *text != 0 && *text != 'e' && *text != 'E'; text++)
    if (*text >= '1' && *text <= '9') return true;
  return false;
}

/* Integers keep their exact value; -0 stays a double, which knows the sign. */
static int set_integer(struct walk *w, struct json *value) {
  bool negative = value->text[0] == '-';
  unsigned long long limit = 1ull << 63, magnitude = 0;
  for (const char *c = value->text + negative; *c != 0; c++) {
    unsigned digit = (unsigned)(*c - '0');
    if (magnitude > (limit - digit) / 10)
      return error_at(w->err, value->place,
                      "integer %s is beyond 2^63; write it as a string",
                      value->text);
    magnitude = magnitude * 10 + digit;
  }
  value->is_integer =
      !(negative && magnitude == 0) && (magnitude < limit || negative);
  if (!value->is_integer) return 0;
  value->integer = magnitude == limit ? INT64_MIN
                   : negative         ? -(long long)magnitude
                                      : (long long)magnitude;
  return 0;
}

static int walk_number(struct walk *w, struct json *value) {
  bool is_integer;
  const char *end = number_end(w->at, w->end, &is_integer);
  if (end == NULL || (end < w->end && strchr("+-.0123456789eE", *end)))
    return error_at(w->err, here(w), "malformed number");
  value->text = arena_copy(w->arena, w->at, (size_t)(end - w->at));
  w->at = end;
  value->number = strtod(value->text, NULL);
  if (!isfinite(value->number))
    return error_at(w->err, value->place,
                    "number %s is outside the range of a double", value->text);
  if (value->number == 0 && has_nonzero_digit(value->text))
    return error_at(w->err, value->place, "number %s underflows to 0",
                    value->text);
  return is_integer ? set_integer(w, value) : 0;
}

static int compare_keys(const void *a, const void *b) {
  const struct json *const *x = a, *const *y = b;
  int order = strcmp((*x)->key, (*y)->key);
  if (order != 0) return order;
  return (*x)->place.line != (*y)->place.line
             ? ((*x)->place.line > (*y)->place.line) * 2 - 1
             : ((*x)->place.column > (*y)->place.column) * 2 - 1;
}

static int refuse_duplicate_keys(struct walk *w, const struct json *object) {
  if (object->count < 2) return 0;
  const struct json **sorted = memory_alloc(object->count, sizeof *sorted);
  size_t n = 0;
  for (const struct json *m = object->child; m != NULL; m = m->next)
    sorted[n++] = m;
  qsort(sorted, n, sizeof *sorted, compare_keys);
  int result = 0;
  for (size_t i = 1; i < n && result == 0; i++)
    if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0)
      result = error_at(w->err, sorted[i]->place, "duplicate key \"%s\"",
                        sorted[i]->key);
  free(sorted);
  return result;
}

static int walk_value(struct walk *w, const cJSON *item, struct json *value);

/* The members or elements between the brackets. */
static int walk_children(struct walk *w, const cJSON *item,
                         struct json *value) {
  bool object = value->type == JSON_OBJECT;
  if (expect(w, object ? '{' : '[') != 0) return -1;
  struct json **link = &value->child;
  for (const cJSON *child = item->child; child != NULL; child = child->next) {
    if (value->count > 0 && expect(w, ',') != 0) return -1;
    struct json *node = arena_alloc(w->arena, sizeof *node);
    if (object) {
      if (skip_string(w) != 0 || expect(w, ':') != 0) return -1;
      node->key = arena_copy(w->arena, child->string, strlen(child->string));
    }
    if (walk_value(w, child, node) != 0) return -1;
    *link = node;
    link = &node->next;
    value->count++;
  }
  if (expect(w, object ? '}' : ']') != 0) return -1;
  return object ? refuse_duplicate_keys(w, value) : 0;
}

static int walk_value(struct walk *w, const cJSON *item, struct json *value) {
  skip_space(w);
  value->place = here(w);
  switch (item->type & 0xFF) {
  case cJSON_NULL:
    value->type = JSON_NULL;
    w->at += strlen("null");
    return 0;
  case cJSON_True:
    value->type = JSON_BOOL;
    value->boolean = true;
    w->at += strlen("true");
    return 0;
  case cJSON_False:
    value->type = JSON_BOOL;
    w->at += strlen("false");
    return 0;
  case cJSON_Number:
    value->type = JSON_NUMBER;
    return walk_number(w, value);
  case cJSON_String:
    value->type = JSON_STRING;
    value->text =
        arena_copy(w->arena, item->valuestring, strlen(item->valuestring));
    return skip_string(w);
  default:
    value->type = cJSON_IsObject(item) ? JSON_OBJECT : JSON_ARRAY;
    return walk_children(w, item, value);
  }
}

/* cJSON says how far it came; the place is counted from that. */
static int syntax_error(struct walk *w, const char *stop) {
  const char *start = w->at;
  for (; w->at < stop && w->at < w->end; w->at++)
    if (*w->at == '\n') {
      w->line++;
      w->line_start = w->at + 1;
    }
  return error_at(w->err, here(w),
                  start == w->end ? "empty, JSON expected"
                                  : "not valid JSON from here on");
}

int json_parse(const char *name, const char *text, size_t length,
               struct json_document *out, struct error *err) {
  *out = (struct json_document){0};
  struct walk w = {.name = arena_copy(&out->arena, name, strlen(name)),
                   .at = text,
                   .end = text + length,
                   .line_start = text,
                   .line = 1,
                   .arena = &out->arena,
                   .err = err};
  const char *stop = text;
  cJSON *tree = cJSON_ParseWithLengthOpts(text, length, &stop, 0);
  int result = -1;
  if (tree == NULL) {
    syntax_error(&w, stop);
    goto cleanup;
  }
  out->root = arena_alloc(&out->arena, sizeof *out->root);
  if (walk_value(&w, tree, out->root) != 0) goto cleanup;
  skip_space(&w);
  if (w.at < w.end)
    error_at(err, here(&w), "something follows the JSON value");
  else
    result = 0;
cleanup:
  cJSON_Delete(tree);
  if (result != 0) json_free(out);
  return result;
}

int json_read(const char *path, struct json_document *out, struct error *err) {
  struct buffer text = {0};
  *out = (struct json_document){0};
  int result = file_read(path, &text, err);
  if (result == 0) result = json_parse(path, text.bytes, text.length, out, err);
  buffer_free(&text);
  return result;
}

void json_free(struct json_document *document) {
  arena_free(&document->arena);
  document->root = NULL;
}

const char *json_type_name(enum json_type type) {
  static const char *const names[] = {"null",   "boolean", "number",
                                      "string", "array",   "object"};
  return names[type];
}

const char *json_scalar_text(const struct json *value) {
  if (value->type == JSON_BOOL) return value->boolean ? "true" : "false";
  return value->type == JSON_NULL ? "null" : value->text;
}

const struct json *json_member(const struct json *object, const char *key) {
  if (object == NULL || object->type != JSON_OBJECT) return NULL;
  for (const struct json *m = object->child; m != NULL; m = m->next)
    if (strcmp(m->key, key) == 0) return m;
  return NULL;
}

static const struct json *element(const struct json *array, const char *index,
                                  size_t length) {
  size_t n = 0;
  if (length == 0 || length > 9 || (length > 1 && index[0] == '0')) return NULL;
  for (size_t i = 0; i < length; i++) {
    if (index[i] < '0' || index[i] > '9') return NULL;
    n = n * 10 + (size_t)(index[i] - '0');
  }
  const struct json *e = array->child;
  while (e != NULL && n-- > 0)
    e = e->next;
  return e;
}

static const struct json *step(const struct json *value, const char *name,
                               size_t length) {
  if (value->type == JSON_ARRAY) return element(value, name, length);
  if (value->type != JSON_OBJECT) return NULL;
  for (const struct json *m = value->child; m != NULL; m = m->next)
    if (strlen(m->key) == length && memcmp(m->key, name, length) == 0) return m;
  return NULL;
}

const struct json *json_at(const struct json *root, const char *path) {
  const struct json *value = root;
  while (value != NULL) {
    size_t length = strcspn(path, ".");
    value = step(value, path, length);
    if (path[length] == 0) return value;
    path += length + 1;
  }
  return NULL;
}
