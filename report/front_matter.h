/* Front matter: `key: value` lines between two `---` lines at the very start
 * of a document. A value runs to the end of its line, without the blanks
 * around it; a pair of double quotes around the whole value is taken off; a
 * line that starts with a blank continues the value above it; a line that
 * starts with `#` is a comment. A key holds letters, digits, `-` and `_` and
 * stands once. */
#ifndef FRONT_MATTER_H
#define FRONT_MATTER_H

#include <stddef.h>

#include "report/base/error.h"
#include "report/base/memory.h"
#include "report/origin.h"
#include "report/source_map.h"

struct front_field {
  const char *key, *value;
  struct place place;     /* of the key */
  struct origins origins; /* of the value: one for each line */
  struct front_field *next;
};

struct front_matter {
  struct front_field *fields; /* in their order; NULL without front matter */
};

/* Read the front matter of `text`. `body` becomes the offset of the first byte
 * after it, 0 when there is none. `map` covers the text. Strings live in
 * `arena`, file names in the map. */
int front_matter_parse(const char *text, size_t length,
                       const struct source_map *map, struct arena *arena,
                       struct front_matter *out, size_t *body,
                       struct error *err);

/* Put a field before all others, whose value then counts. */
void front_matter_override(struct front_matter *front, struct arena *arena,
                           const char *key, const char *value,
                           struct place place);

/* The field of that name, or NULL; its value, or `otherwise`. */
const struct front_field *front_matter_field(const struct front_matter *front,
                                             const char *key);
const char *front_matter_value(const struct front_matter *front,
                               const char *key, const char *otherwise);

#endif
