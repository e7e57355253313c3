#include "report/plot_text.h"

#include <string.h>

bool plot_next_line(const char **at, const char *end, struct plot_line *out) {
  if (*at >= end) return false;
  const char *newline = memchr(*at, '\n', (size_t)(end - *at));
  *out = (struct plot_line){*at, newline != NULL ? newline : end};
  *at = out->end + 1;
  return true;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

const char *plot_skip_blanks(const char *at, const char *end) {
  while (at < end && is_blank(*at))
    at++;
  return at;
}

/* ---- the head ------------------------------------------------------------ */

bool plot_next_head_line(const char **at, const char *end,
                         struct plot_head_line *out) {
  struct plot_line line;
  if (*at >= end || **at != '#' || !plot_next_line(at, end, &line))
    return false;
  const char *start = line.start + 1;
  while (start < line.end && *start == ' ')
    start++;
  *out = (struct plot_head_line){.text = {start, line.end}};
  if (start - line.start > 2) return true;
  const char *colon = memchr(start, ':', (size_t)(line.end - start));
  out->key = start;
  if (colon == NULL) return true;
  out->key_length = (size_t)(colon - start);
  out->text.start = plot_skip_blanks(colon + 1, line.end);
  return true;
}

bool plot_is_key(const struct plot_head_line *line, const char *key) {
  return line->key != NULL && line->key_length == strlen(key) &&
         memcmp(line->key, key, line->key_length) == 0;
}

/* ---- data ---------------------------------------------------------------- */

bool plot_opens_data(struct plot_line line, char word[PLOT_WORD]) {
  const char *at = plot_skip_blanks(line.start, line.end);
  if (at == line.end || *at != '$') return false;
  while (at < line.end && *at != '<' && *at != ' ' && *at != '\t')
    at++;
  at = plot_skip_blanks(at, line.end);
  if (line.end - at < 2 || memcmp(at, "<<", 2) != 0) return false;
  at = plot_skip_blanks(at + 2, line.end);
  const char *stop = at;
  while (stop < line.end && !is_blank(*stop))
    stop++;
  size_t length = (size_t)(stop - at);
  if (length == 0 || length >= PLOT_WORD) return false;
  memcpy(word, at, length);
  word[length] = 0;
  return true;
}

bool plot_closes_data(struct plot_line line, const char *word) {
  const char *at = plot_skip_blanks(line.start, line.end);
  size_t length = strlen(word);
  return (size_t)(line.end - at) >= length && memcmp(at, word, length) == 0 &&
         plot_skip_blanks(at + length, line.end) == line.end;
}
