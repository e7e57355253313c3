#include "report/plot_data.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/escape.h"

enum { FIELD = 64, WORD = 64 };

struct reader {
  const char *script, *at, *end; /* `end` of the script, not of the line */
  const struct source_map *map;
  struct error *err;
  /* The open block. */
  char word[WORD];
  size_t start, rows, columns;
};

static struct place place_of(const struct reader *r, const char *at) {
  return source_map_place(r->map, (size_t)(at - r->script));
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
    at++;
  return at;
}

static const char *word_end(const char *at, const char *end) {
  while (at < end && *at != ' ' && *at != '\t' && *at != '\r')
    at++;
  return at;
}

static const char *line_end(const char *at, const char *end) {
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  return newline != NULL ? newline : end;
}

/* `$name << WORD`; true when the line opens a block. */
static bool open_block(struct reader *r, const char *line, const char *end) {
  const char *at = skip_blanks(line, end);
  if (at == end || *at != '$') return false;
  while (at < end && *at != '<' && *at != ' ' && *at != '\t')
    at++;
  at = skip_blanks(at, end);
  if (end - at < 2 || memcmp(at, "<<", 2) != 0) return false;
  at = skip_blanks(at + 2, end);
  size_t length = (size_t)(word_end(at, end) - at);
  if (length == 0 || length >= WORD) return false;
  memcpy(r->word, at, length);
  r->word[length] = 0;
  r->start = (size_t)(line - r->script);
  r->rows = r->columns = 0;
  return true;
}

static bool closes_block(const struct reader *r, const char *line,
                         const char *end) {
  const char *at = skip_blanks(line, end);
  size_t length = strlen(r->word);
  return (size_t)(end - at) >= length && memcmp(at, r->word, length) == 0 &&
         skip_blanks(at + length, end) == end;
}

/* A quoted string; its end, or NULL when it does not close on its line. */
static const char *string_end(const char *at, const char *end) {
  for (at++; at < end && *at != '"'; at++)
    if (*at == '\\' && at + 1 < end) at++;
  return at < end ? at + 1 : NULL;
}

static int check_number(struct reader *r, const char *at, const char *end) {
  char field[FIELD];
  size_t length = (size_t)(end - at);
  if (length < FIELD) {
    memcpy(field, at, length);
    field[length] = 0;
    if (escape_is_number(field) && isfinite(strtod(field, NULL))) return 0;
  }
  return error_at(r->err, place_of(r, at),
                  "\"%.*s\" is neither a finite number nor a quoted string",
                  length < FIELD ? (int)length : FIELD, at);
}

static int check_row(struct reader *r, const char *line, const char *end) {
  size_t columns = 0;
  const char *at = skip_blanks(line, end);
  if (at < end && *at == '#') return 0;
  for (; at < end && *at != '#'; at = skip_blanks(at, end), columns++) {
    const char *stop = *at == '"' ? string_end(at, end) : word_end(at, end);
    if (stop == NULL)
      return error_at(r->err, place_of(r, at), "string does not end");
    if (*at != '"' && check_number(r, at, stop) != 0) return -1;
    at = stop;
  }
  if (columns == 0)
    return error_at(r->err, place_of(r, line), "empty row of data");
  if (r->rows > 0 && columns != r->columns)
    return error_at(r->err, place_of(r, line),
                    "row of %zu fields below rows of %zu", columns, r->columns);
  r->columns = columns;
  r->rows++;
  return 0;
}

static int check_line(struct reader *r, const char *line, const char *end) {
  if (r->word[0] == 0) {
    open_block(r, line, end);
    return 0;
  }
  if (!closes_block(r, line, end)) return check_row(r, line, end);
  r->word[0] = 0;
  if (r->rows > 0) return 0;
  return error_at(r->err, place_of(r, r->script + r->start),
                  "data block without a row");
}

int plot_data_check(const char *script, size_t length,
                    const struct source_map *map, struct error *err) {
  struct reader r = {.script = script,
                     .at = script,
                     .end = script + length,
                     .map = map,
                     .err = err};
  while (r.at < r.end) {
    const char *end = line_end(r.at, r.end);
    if (check_line(&r, r.at, end) != 0) return -1;
    r.at = end + 1;
  }
  if (r.word[0] == 0) return 0;
  return error_at(err, place_of(&r, script + r.start),
                  "data block does not end: no line \"%s\"", r.word);
}
