#include "report/base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"

/* Room for `length` more bytes and the closing 0; doubles, so that adding n
 * bytes one by one costs O(n). */
static void reserve(struct buffer *buffer, size_t length) {
  size_t need = buffer->length + length + 1;
  if (need <= buffer->room) return;
  size_t room = buffer->room > 0 ? buffer->room : 64;
  while (room < need)
    room *= 2;
  buffer->bytes = memory_resize(buffer->bytes, room, 1);
  buffer->room = room;
}

void buffer_add(struct buffer *buffer, const void *bytes, size_t length) {
  reserve(buffer, length);
  if (length > 0) memcpy(buffer->bytes + buffer->length, bytes, length);
  buffer->length += length;
  buffer->bytes[buffer->length] = 0;
}

void buffer_text(struct buffer *buffer, const char *text) {
  buffer_add(buffer, text, strlen(text));
}

void buffer_char(struct buffer *buffer, char c) {
  buffer_add(buffer, &c, 1);
}

void buffer_printf(struct buffer *buffer, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  reserve(buffer, (size_t)length);
  vsnprintf(buffer->bytes + buffer->length, (size_t)length + 1, format, again);
  buffer->length += (size_t)length;
  va_end(again);
  va_end(args);
}

void buffer_clear(struct buffer *buffer) {
  buffer->length = 0;
  if (buffer->bytes != NULL) buffer->bytes[0] = 0;
}

void buffer_free(struct buffer *buffer) {
  free(buffer->bytes);
  *buffer = (struct buffer){0};
}
