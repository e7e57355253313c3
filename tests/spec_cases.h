/* Spec files: text in, text out, many cases a file.
 *
 *   === name of the case
 *   input, one or more lines
 *   ->
 *   expected output
 *
 * What stands before the first case is a comment. With SPEC_PRINT=1 in the
 * environment each case is printed as it came out, in the form of a spec
 * file. */
#ifndef SPEC_CASES_H
#define SPEC_CASES_H

#include <stdlib.h>
#include <string.h>

#include "report/base/buffer.h"
#include "report/base/file.h"

/* Append the output for `input`, or the error's text, without closing newline
 * where there is a choice. */
typedef void spec_render(const char *name, const char *input, size_t length,
                         struct buffer *out);

/* The text up to the line `mark`, or to a line that starts with it. */
static const char *spec_line(const char *text, const char *mark) {
  size_t length = strlen(mark);
  for (const char *line = text; line != NULL;) {
    if (strncmp(line, mark, length) == 0) return line;
    line = strchr(line, '\n');
    if (line != NULL) line++;
  }
  return NULL;
}

static size_t spec_trimmed(const char *text, const char *end) {
  size_t length = (size_t)(end - text);
  while (length > 0 && text[length - 1] == '\n')
    length--;
  return length;
}

/* Run all cases of a file; returns how many there were. */
static size_t spec_run(const char *path, spec_render *render) {
  struct buffer file = {0}, out = {0};
  struct error err;
  size_t count = 0;
  if (file_read(path, &file, &err) != 0) fail_msg("%s", err.text);
  for (const char *at = spec_line(file.bytes, "=== "); at != NULL; count++) {
    const char *input = strchr(at, '\n') + 1;
    const char *arrow = spec_line(input, "->\n");
    if (arrow == NULL) fail_msg("%s: a case without `->`", path);
    const char *expected = arrow + 3, *next = spec_line(expected, "=== ");
    const char *end = next != NULL ? next : file.bytes + file.length;
    char name[200];
    snprintf(name, sizeof name, "%.*s", (int)(input - at - 5), at + 4);
    buffer_clear(&out);
    buffer_text(&out, "");
    render(name, input, spec_trimmed(input, arrow), &out);
    size_t found = spec_trimmed(out.bytes, out.bytes + out.length);
    size_t wanted = spec_trimmed(expected, end);
    if (getenv("SPEC_PRINT") != NULL)
      printf("=== %s\n%.*s->\n%.*s\n\n", name, (int)(arrow - input), input,
             (int)found, out.bytes);
    else if (found != wanted || memcmp(out.bytes, expected, wanted) != 0)
      fail_msg("%s: %s\nexpected:\n%.*s\nfound:\n%.*s", path, name, (int)wanted,
               expected, (int)found, out.bytes);
    at = next;
  }
  buffer_free(&file);
  buffer_free(&out);
  return count;
}

#endif
