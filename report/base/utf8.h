/* UTF-8 (RFC 3629): no overlong form, no surrogate, nothing above U+10FFFF. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "report/base/buffer.h"

/* Decode the character at `text`; returns its length in bytes, 0 when the
 * bytes up to `end` hold no valid character. */
size_t utf8_decode(const char *text, const char *end, uint32_t *code);

void utf8_append(struct buffer *out, uint32_t code);

/* Offset of the first invalid byte, or `length` when all is valid. */
size_t utf8_valid_prefix(const char *text, size_t length);

/* Append a text of unknown origin so that it cannot move, colour or reorder
 * what a terminal shows: control characters, line and paragraph separators,
 * marks of direction and bytes that are no UTF-8 as escapes, \x1b or \u202e.
 */
void utf8_append_shown(struct buffer *out, const char *text);

/* Only bytes that are no UTF-8 as escapes: what JSON can hold. */
void utf8_append_valid(struct buffer *out, const char *text);

/* Characters in a valid text. */
size_t utf8_count(const char *text);

#endif
