/* For the tests of problem sets: a file read as one, and words looked for in
 * what is made of it. Included after cmocka.h. */
#ifndef PROBLEM_SET_SUPPORT_H
#define PROBLEM_SET_SUPPORT_H

#include <string.h>

#include "report/base/file.h"
#include "report/markdown.h"
#include "report/problem_set.h"

#define SUPPORT static __attribute__((unused))

SUPPORT int parse(const char *file, const char *text, size_t length,
                  struct document *out, struct error *err) {
  struct source_map map = {0};
  source_map_add_text(&map, 0, (struct place){file, 1, 1}, text, length);
  return markdown_parse(file, text, length, &map, out, err);
}

SUPPORT void read_set(const char *path, struct buffer *text,
                      struct document *document, struct problem_set *set) {
  struct error err;
  if (file_read(path, text, &err) != 0 ||
      parse(path, text->bytes, text->length, document, &err) != 0 ||
      problem_set_read(document, path, set, &err) != 0)
    fail_msg("%s", err.text);
}

/* Where `text` stands after `from`; it must. */
SUPPORT const char *find(const char *from, const char *text) {
  const char *at = strstr(from, text);
  if (at == NULL) fail_msg("\"%s\" is missing or too early", text);
  return at;
}

#endif
