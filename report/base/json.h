/* JSON in and out, exact where cJSON alone is not.
 *
 * Reading: cJSON parses; the text is then walked beside its tree, so that each
 * value keeps its line, column and the digits it was written with. Refused,
 * with their place: duplicate keys, numbers outside the double range (`1e999`)
 * or underflowing to 0 (`1e-999`), integers beyond 2^63, number forms that JSON
 * does not allow (`01`, `1.`), raw control characters and \u0000 in strings,
 * anything after the value.
 *
 * Writing: build a cJSON tree with json_new_double / json_new_integer for its
 * numbers; they become raw text that reads back to the same bits. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/base/memory.h"

enum json_type {
  JSON_NULL,
  JSON_BOOL,
  JSON_NUMBER,
  JSON_STRING,
  JSON_ARRAY,
  JSON_OBJECT
};

struct json {
  enum json_type type;
  const char *key;    /* member name; NULL for elements and the root */
  struct json *child; /* first member or element */
  struct json *next;  /* following sibling */
  size_t count;       /* members or elements */
  struct place place; /* of the value's first byte */
  bool boolean;       /* JSON_BOOL */
  double number;      /* JSON_NUMBER */
  bool is_integer;    /* written without fraction or exponent, and not -0 */
  long long integer;  /* exact when is_integer */
  const char *text;   /* JSON_STRING: its bytes; JSON_NUMBER: its digits */
};

struct json_document {
  struct arena arena; /* owns everything below */
  struct json *root;
};

/* `name` stands in messages and places; `text` need not outlive the call. */
int json_parse(const char *name, const char *text, size_t length,
               struct json_document *out, struct error *err);
int json_read(const char *path, struct json_document *out, struct error *err);
void json_free(struct json_document *document);

const char *json_type_name(enum json_type type); /* "number", "string", ... */

/* What a scalar says: null, true, false, a number's digits, a string's bytes.
 */
const char *json_scalar_text(const struct json *value);

/* The member of that name, or NULL. */
const struct json *json_member(const struct json *object, const char *key);

/* The value at a dotted path (`rows.0.loss`), or NULL. */
const struct json *json_at(const struct json *root, const char *path);

enum { JSON_DOUBLE_TEXT = 32 };

/* The shortest of 15, 16 and 17 digits that reads back to the same bits, in
 * the form of the C locale, which no program here leaves; `value` must be
 * finite. */
void json_double_text(double value, char out[JSON_DOUBLE_TEXT]);

/* New number nodes for a cJSON tree; NULL for a value that is not finite. */
cJSON *json_new_double(double value);
cJSON *json_new_integer(long long value);

/* Append the tree's text and a newline to `out`: two-space indentation, one
 * member a line, arrays of scalars on one line. */
void json_print(const cJSON *tree, struct buffer *out);

/* A JSON string literal with its quotes. */
void json_print_string(const char *text, struct buffer *out);

#endif
