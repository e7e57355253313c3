/* JSON from files that anybody may have written: refused before it is parsed
 * when it is not a regular file, too long, or made of too many values. A value
 * takes two bytes of text and some two hundred of memory, so that a limit on
 * bytes alone would bound nothing. */
#ifndef JSON_BOUNDED_H
#define JSON_BOUNDED_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/json.h"

struct json_bounds {
  size_t bytes, values; /* the most that is read */
  bool python; /* Infinity, -Infinity and NaN, no JSON but what Python writes
                  for them, are read as null */
};

/* As json_parse and json_read. A pipe is refused without waiting for it. */
int json_bounded_parse(const char *name, const char *text, size_t length,
                       struct json_bounds most, struct json_document *out,
                       struct error *err);
int json_bounded_read(const char *path, struct json_bounds most,
                      struct json_document *out, struct error *err);

#endif
