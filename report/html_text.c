#include "report/html_text.h"

#include <string.h>

static const char *reference(char c) {
  switch (c) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  default:
    return "&quot;";
  }
}

void html_text(struct buffer *out, const char *text) {
  for (;;) {
    size_t plain = strcspn(text, "&<>\"");
    if (plain > 0) buffer_add(out, text, plain);
    text += plain;
    if (*text == 0) return;
    buffer_text(out, reference(*text++));
  }
}
