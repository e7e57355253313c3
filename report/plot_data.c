#include "report/plot_data.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/escape.h"
#include "report/plot_text.h"

enum { FIELD = 64 };

struct reader {
  const char *script;
  const struct source_map *map;
  struct error *err;
  /* The open block. */
  char word[PLOT_WORD];
  const char *start;
  size_t rows, columns;
};

static struct place place_of(const struct reader *r, const char *at) {
  return source_map_place(r->map, (size_t)(at - r->script));
}

static const char *word_end(const char *at, const char *end) {
  while (at < end && *at != ' ' && *at != '\t' && *at != '\r')
    at++;
  return at;
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

static int check_row(struct reader *r, struct plot_line line) {
  size_t columns = 0;
  const char *at = plot_skip_blanks(line.start, line.end);
  if (at < line.end && *at == '#') return 0;
  for (; at < line.end && *at != '#';
       at = plot_skip_blanks(at, line.end), columns++) {
    const char *stop =
        *at == '"' ? string_end(at, line.end) : word_end(at, line.end);
    if (stop == NULL)
      return error_at(r->err, place_of(r, at), "string does not end");
    if (*at != '"' && check_number(r, at, stop) != 0) return -1;
    at = stop;
  }
  if (columns == 0)
    return error_at(r->err, place_of(r, line.start), "empty row of data");
  if (r->rows > 0 && columns != r->columns)
    return error_at(r->err, place_of(r, line.start),
                    "row of %zu fields below rows of %zu", columns, r->columns);
  r->columns = columns;
  r->rows++;
  return 0;
}

static int check_line(struct reader *r, struct plot_line line) {
  if (r->word[0] == 0) {
    if (!plot_opens_data(line, r->word)) return 0;
    r->start = line.start;
    r->rows = r->columns = 0;
    return 0;
  }
  if (!plot_closes_data(line, r->word)) return check_row(r, line);
  r->word[0] = 0;
  if (r->rows > 0) return 0;
  return error_at(r->err, place_of(r, r->start), "data block without a row");
}

int plot_data_check(const char *script, size_t length,
                    const struct source_map *map, struct error *err) {
  struct reader r = {.script = script, .map = map, .err = err};
  struct plot_line line;
  for (const char *at = script; plot_next_line(&at, script + length, &line);)
    if (check_line(&r, line) != 0) return -1;
  if (r.word[0] == 0) return 0;
  return error_at(err, place_of(&r, r.start),
                  "data block does not end: no line \"%s\"", r.word);
}
