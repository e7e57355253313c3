#include "report/base/utf8.h"

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
