#include "report/base/utf8.h"

#include <stdbool.h>
#include <string.h>

/* Length by the lead byte, 0 if it cannot lead. */
static size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

size_t utf8_decode(const char *text, const char *end, uint32_t *code) {
  static const uint32_t lowest[5] = {0, 0, 0x80, 0x800, 0x10000};
  if (text >= end) return 0;
  unsigned char lead = (unsigned char)*text;
  size_t length = sequence_length(lead);
  if (length == 0 || (size_t)(end - text) < length) return 0;
  uint32_t value = length == 1 ? lead : lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    unsigned char next = (unsigned char)text[i];
    if ((next & 0xC0) != 0x80) return 0;
    value = value << 6 | (next & 0x3F);
  }
  if (value < lowest[length] || value > 0x10FFFF) return 0;
  if (value >= 0xD800 && value <= 0xDFFF) return 0;
  *code = value;
  return length;
}

void utf8_append(struct buffer *out, uint32_t code) {
  if (code < 0x80) {
    buffer_char(out, (char)code);
  } else if (code < 0x800) {
    buffer_char(out, (char)(0xC0 | code >> 6));
    buffer_char(out, (char)(0x80 | (code & 0x3F)));
  } else if (code < 0x10000) {
    buffer_char(out, (char)(0xE0 | code >> 12));
    buffer_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
    buffer_char(out, (char)(0x80 | (code & 0x3F)));
  } else {
    buffer_char(out, (char)(0xF0 | code >> 18));
    buffer_char(out, (char)(0x80 | (code >> 12 & 0x3F)));
    buffer_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
    buffer_char(out, (char)(0x80 | (code & 0x3F)));
  }
}

size_t utf8_valid_prefix(const char *text, size_t length) {
  const char *at = text, *end = text + length;
  uint32_t code;
  while (at < end) {
    size_t step = utf8_decode(at, end, &code);
    if (step == 0) break;
    at += step;
  }
  return (size_t)(at - text);
}

/* Unicode's categories Cc, Zl, Zp, and of Cf what has no shape of its own but
 * changes how others appear. */
static bool changes_display(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD ||
         code == 0x061C || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
         (code >= 0xFFF9 && code <= 0xFFFB) ||
         (code >= 0xE0000 && code <= 0xE0FFF);
}

static void append_escaped(struct buffer *out, const char *text, bool shown) {
  const char *end = text + strlen(text);
  while (text < end) {
    uint32_t code;
    size_t step = utf8_decode(text, end, &code);
    if (step == 0)
      buffer_printf(out, "\\x%02x", (unsigned char)*text);
    else if (shown && changes_display(code))
      buffer_printf(out, code < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)code);
    else
      buffer_add(out, text, step);
    text += step == 0 ? 1 : step;
  }
}

void utf8_append_shown(struct buffer *out, const char *text) {
  append_escaped(out, text, true);
}

void utf8_append_valid(struct buffer *out, const char *text) {
  append_escaped(out, text, false);
}

size_t utf8_count(const char *text) {
  size_t count = 0;
  for (; *text != 0; text++)
    count += (*text & 0xC0) != 0x80;
  return count;
}
