#include "report/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Values from hostile input may end up in a message: it stays one line. */
static void keep_on_one_line(char *text) {
  for (unsigned char *c = (unsigned char *)text; *c != 0; c++)
    if (*c < 0x20 || *c == 0x7f) *c = '?';
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
