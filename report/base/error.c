#include "report/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Values from hostile input may end up in a message: it stays one line, and
 * moves no cursor. In UTF-8 the further controls U+0080 to U+009F begin with
 * C2, the line separators U+2028 and U+2029 are E2 80 A8 and E2 80 A9. */
static void keep_on_one_line(char *text) {
  for (unsigned char *c = (unsigned char *)text; *c != 0; c++)
    if (*c < 0x20 || *c == 0x7f)
      *c = '?';
    else if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
      memset(c, '?', 2);
    else if (c[0] == 0xe2 && c[1] == 0x80 && (c[2] & 0xfe) == 0xa8)
      memset(c, '?', 3);
}

static void append(struct error *err, const char *format, va_list args) {
  size_t used = strlen(err->text);
  vsnprintf(err->text + used, sizeof err->text - used, format, args);
  keep_on_one_line(err->text);
}

int error_set(struct error *err, const char *format, ...) {
  va_list args;
  va_start(args, format);
  err->text[0] = 0;
  append(err, format, args);
  va_end(args);
  return -1;
}

int error_at(struct error *err, struct place at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (at.line > 0)
    snprintf(err->text, sizeof err->text, "%s:%d:%d: ", at.file, at.line,
             at.column);
  else
    snprintf(err->text, sizeof err->text, "%s: ", at.file);
  append(err, format, args);
  va_end(args);
  return -1;
}

int error_errno(struct error *err, const char *file, const char *action) {
  return error_set(err, "%s: %s: %s", file, action, strerror(errno));
}
