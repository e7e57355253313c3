/* Members of a JSON object that must be there and have a form: the small
 * reading of lists, manifests and logs. Messages name the place and the key. */
#ifndef JSON_FIELDS_H
#define JSON_FIELDS_H

#include <stddef.h>

#include "report/base/json.h"

/* The member of that name and type, or NULL with `err` set. */
const struct json *json_field(const struct json *object, const char *key,
                              enum json_type type, struct error *err);

/* Copy a string member, which must fit, into `out`. */
int json_field_text(const struct json *object, const char *key, char *out,
                    size_t room, struct error *err);

/* A member that counts something: an integer of at least 0. */
int json_field_count(const struct json *object, const char *key, size_t *out,
                     struct error *err);

int json_field_number(const struct json *object, const char *key, double *out,
                      struct error *err);

#endif
