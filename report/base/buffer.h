/* A growing run of bytes, always followed by a 0 byte. Start it as {0}. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stddef.h>

struct buffer {
  char *bytes; /* NULL while nothing was added */
  size_t length, room;
};

void buffer_add(struct buffer *buffer, const void *bytes, size_t length);
void buffer_text(struct buffer *buffer, const char *text);
void buffer_char(struct buffer *buffer, char c);
void buffer_printf(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buffer_clear(struct buffer *buffer); /* empty, memory kept */
void buffer_free(struct buffer *buffer);

#endif
