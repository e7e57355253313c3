#include "report/escape.h"

#include <stdbool.h>
#include <string.h>

static int html(const char *text, struct buffer *out) {
  for (; *text != 0; text++) {
    switch (*text) {
    case '&':
      buffer_text(out, "&amp;");
      break;
    case '<':
      buffer_text(out, "&lt;");
      break;
    case '>':
      buffer_text(out, "&gt;");
      break;
    case '"':
      buffer_text(out, "&quot;");
      break;
    case '\'':
      buffer_text(out, "&#39;");
      break;
    default:
      buffer_char(out, *text);
    }
  }
  return 0;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* `.` and `)` make a list item only behind digits that begin a line; hyphens
 * only first in a line or doubled (dashes). The value may begin a line. */
static bool needs_backslash(const char *text, size_t i) {
  char c = text[i];
  if (strchr("\\`*_{}[]()<>#!|$~^&\"'@=", c) != NULL) return true;
  if (c == '+') return i == 0;
  if (c == '-') return i == 0 || text[i - 1] == '-' || text[i + 1] == '-';
  return c == '.' && i > 0 && strspn(text, "0123456789") == i;
}

/* Backslash escapes, CommonMark 2.4; white space that would be dropped, or
 * end the paragraph, becomes a numeric reference, 2.5. */
static int markdown(const char *text, struct buffer *out) {
  for (size_t i = 0; text[i] != 0; i++) {
    char c = text[i];
    bool edge = i == 0 || text[i + 1] == 0 || text[i - 1] == ' ';
    if (c == '\n' || c == '\t' || (c == ' ' && edge)) {
      buffer_printf(out, "&#%d;", c);
      continue;
    }
    if (needs_backslash(text, i)) buffer_char(out, '\\');
    buffer_char(out, c);
  }
  return 0;
}

/* What gnuplot's enhanced text would take as markup stands behind a backslash;
 * gnuplot 5.4 writes `&` into SVG unescaped, hence `&amp;`. In "..." octal
 * escapes are the only form that data blocks read as well. */
static int gnuplot_string(const char *text, bool single, struct buffer *out) {
  const char *backslash = single ? "\\" : "\\134";
  for (; *text != 0; text++) {
    if (strchr("\\{}_^@&~", *text) != NULL) buffer_text(out, backslash);
    if (*text == '&')
      buffer_text(out, "&amp;");
    else if (*text == '\\')
      buffer_text(out, backslash);
    else if (*text == '\'' && single)
      buffer_text(out, "''");
    else if (strchr("\"`", *text) != NULL && !single)
      buffer_printf(out, "\\%03o", *text);
    else
      buffer_char(out, *text);
  }
  return 0;
}

bool escape_is_number(const char *text) {
  text += *text == '-' || *text == '+';
  if (!is_digit(*text)) return false;
  text += strspn(text, "0123456789");
  if (*text == '.') {
    if (!is_digit(*++text)) return false;
    text += strspn(text, "0123456789");
  }
  if (*text == 'e' || *text == 'E') {
    text++;
    text += *text == '-' || *text == '+';
    if (!is_digit(*text)) return false;
    text += strspn(text, "0123456789");
  }
  return *text == 0;
}

static int gnuplot_number(const char *text, struct place at, struct buffer *out,
                          struct error *err) {
  text += strspn(text, " "); /* a width's padding */
  if (!escape_is_number(text))
    return error_at(err, at,
                    "\"%s\" is not a number; put quotes around the tag for "
                    "text",
                    text);
  buffer_text(out, text);
  return 0;
}

static int formula(const char *text, struct place at, struct buffer *out,
                   struct error *err) {
  for (const unsigned char *c = (const unsigned char *)text; *c != 0; c++)
    if (*c < 0x20 || (*c < 0x80 && strchr("\\{}$&#^_%~`|<>\"@*[]", *c) != NULL))
      return error_at(err, at, "text with '%c' cannot stand in a formula", *c);
  buffer_text(out, text);
  return 0;
}

static bool holds_fence(const char *text) {
  for (const char *line = text; line != NULL;) {
    line += strspn(line, " ");
    if (strncmp(line, "```", 3) == 0 || strncmp(line, "~~~", 3) == 0)
      return true;
    line = strchr(line, '\n');
    if (line != NULL) line++;
  }
  return false;
}

static int code(const char *text, bool span, struct place at,
                struct buffer *out, struct error *err) {
  if (span && strchr(text, '`') != NULL)
    return error_at(err, at,
                    "text with a backtick cannot stand in a code "
                    "span");
  if (!span && holds_fence(text))
    return error_at(err, at,
                    "text with a code fence cannot stand in a code "
                    "block");
  buffer_text(out, text);
  return 0;
}

static int check_characters(enum escape_target target, const char *text,
                            struct place at, struct error *err) {
  bool one_line = target == ESCAPE_HEAD || target == ESCAPE_CODE_SPAN ||
                  target >= ESCAPE_GNUPLOT_DOUBLE;
  for (const unsigned char *c = (const unsigned char *)text; *c != 0; c++) {
    bool white = *c == '\t' || *c == '\n';
    if ((*c < 0x20 && !white) || *c == 0x7f)
      return error_at(err, at, "text with control character U+%04X", *c);
    if (*c == '\n' && one_line)
      return error_at(err, at, "text of several lines cannot stand here");
  }
  return 0;
}

int escape_text(enum escape_target target, const char *text, struct place at,
                struct buffer *out, struct error *err) {
  if (target != ESCAPE_NONE && check_characters(target, text, at, err) != 0)
    return -1;
  switch (target) {
  case ESCAPE_HTML:
    return html(text, out);
  case ESCAPE_MARKDOWN:
    return markdown(text, out);
  case ESCAPE_FORMULA:
    return formula(text, at, out, err);
  case ESCAPE_CODE_SPAN:
  case ESCAPE_CODE_BLOCK:
    return code(text, target == ESCAPE_CODE_SPAN, at, out, err);
  case ESCAPE_GNUPLOT_DOUBLE:
  case ESCAPE_GNUPLOT_SINGLE:
    return gnuplot_string(text, target == ESCAPE_GNUPLOT_SINGLE, out);
  case ESCAPE_GNUPLOT_NUMBER:
    return gnuplot_number(text, at, out, err);
  case ESCAPE_NONE:
  case ESCAPE_HEAD:
  case ESCAPE_GNUPLOT_COMMENT:
    break;
  }
  buffer_text(out, text);
  return 0;
}
