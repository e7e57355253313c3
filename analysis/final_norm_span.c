/* Names as components joined by dots. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "analysis/final_norm_parts.h"

struct span span_of(const char *text) {
  return (struct span){text, strlen(text)};
}

bool span_is(struct span span, const char *text) {
  return strncmp(text, span.text, span.length) == 0 && text[span.length] == 0;
}

bool span_has(struct span span, const char *word) {
  size_t length = strlen(word);
  for (size_t i = 0; i + length <= span.length; i++)
    if (tolower((unsigned char)span.text[i]) == word[0] &&
        strncasecmp(span.text + i, word, length) == 0)
      return true;
  return false;
}

/* In the order of bytes, a shorter one before what it begins. */
int span_compare(struct span a, struct span b) {
  size_t shorter = a.length < b.length ? a.length : b.length;
  int order = shorter > 0 ? memcmp(a.text, b.text, shorter) : 0;
  if (order != 0) return order;
  return (a.length > b.length) - (a.length < b.length);
}

bool span_component(struct span path, size_t *at, struct span *out) {
  if (*at > path.length || path.length == 0) return false;
  const char *start = path.text + *at;
  const char *dot = memchr(start, '.', path.length - *at);
  out->text = start;
  out->length =
      dot != NULL ? (size_t)(dot - start) : (size_t)(path.length - *at);
  *at += out->length + 1;
  return true;
}

/* Where the last component begins. */
static size_t last_start(struct span path) {
  size_t at = path.length;
  while (at > 0 && path.text[at - 1] != '.')
    at--;
  return at;
}

struct span span_last(struct span path) {
  size_t start = last_start(path);
  return (struct span){path.text + start, path.length - start};
}

struct span span_parent(struct span path) {
  size_t start = last_start(path);
  return (struct span){path.text, start > 0 ? start - 1 : 0};
}

bool span_ends(struct span path, const char *tail) {
  size_t length = strlen(tail);
  if (path.length < length) return false;
  size_t start = path.length - length;
  return memcmp(path.text + start, tail, length) == 0 &&
         (start == 0 || path.text[start - 1] == '.');
}
