/* A gnuplot script's titles, labels and data as passages.
 *
 * Printed are: `# title:` and `# alt:` of the head; strings, except those that
 * name a font or colour, set the terminal or the encoding. Of the strings of
 * `set format`, `set xtics` and their like the digits are ticks, and so is the
 * 10 of 10^{%T} in a format given to gprintf; conversions (%.2f) and sizes of
 * enhanced text ({/=14 x}) are never printed. Rows of data hold values; a
 * whole number that starts a row is a tick. Numbers typed as arguments of
 * sprintf are printed; one that is given to a name is a tick as long as it is
 * no result. Elsewhere a value is a figure place, and what is typed is layout.
 */
#include <ctype.h>
#include <string.h>

#include "report/ledger_internal.h"
#include "report/plot_text.h"
#include "report/template.h"

struct figure {
  struct ledger_reading reading;
  struct ledger_passage passage;
  const char *script, *end;
  char terminator[PLOT_WORD]; /* of the data block that is open, or "" */
};

/* ---- passages ------------------------------------------------------------ */

static void add_part(struct figure *figure, const char *start, const char *end,
                     enum ledger_source kind) {
  const struct origin origin = {.offset = (size_t)(start - figure->script)};
  const struct origins origins = {.items = &origin, .count = 1};
  if (end > start)
    ledger_passage_add(&figure->passage, start, (size_t)(end - start), &origins,
                       kind);
}

static void read_part(struct figure *figure, const char *start, const char *end,
                      enum ledger_part part, enum ledger_source kind) {
  ledger_passage_clear(&figure->passage, part);
  add_part(figure, start, end, kind);
  ledger_read_passage(&figure->reading, &figure->passage);
}

static bool is_value(const struct figure *figure, const char *at) {
  const struct source_segment *segment =
      source_map_segment(figure->reading.map, (size_t)(at - figure->script));
  return segment != NULL && segment->value != NULL;
}

/* ---- the head ------------------------------------------------------------ */

static int read_literals(struct figure *figure) {
  struct plot_head_line line;
  const char *at = figure->script;
  while (plot_next_head_line(&at, figure->end, &line))
    if (plot_is_key(&line, "literal") &&
        ledger_declare(&figure->reading, line.text.start,
                       (size_t)(line.text.end - line.text.start),
                       (size_t)(line.text.start - figure->script)) != 0)
      return -1;
  return 0;
}

static void read_head_text(struct figure *figure, const char *key,
                           enum ledger_part part) {
  struct plot_head_line line;
  const char *at = figure->script;
  bool open = false;
  ledger_passage_clear(&figure->passage, part);
  while (plot_next_head_line(&at, figure->end, &line)) {
    if (line.key != NULL) open = plot_is_key(&line, key);
    if (!open) continue;
    if (figure->passage.text.length > 0)
      ledger_passage_mark(&figure->passage, " ");
    add_part(figure, line.text.start, line.text.end, LEDGER_UNDECLARED);
  }
  ledger_read_passage(&figure->reading, &figure->passage);
}

/* ---- data ---------------------------------------------------------------- */

static const char *string_end(const char *at, const char *end) {
  char quote = *at++;
  for (; at < end && *at != quote; at++)
    if (quote == '"' && *at == '\\' && at + 1 < end) at++;
  return at < end ? at + 1 : end;
}

static bool is_whole_number(const char *at, const char *end) {
  if (at < end && (*at == '-' || *at == '+')) at++;
  for (; at < end; at++)
    if (*at < '0' || *at > '9') return false;
  return true;
}

static void read_row(struct figure *figure, const struct plot_line *line) {
  const char *at = plot_skip_blanks(line->start, line->end);
  bool first = true;
  for (; at < line->end && *at != '#'; at = plot_skip_blanks(at, line->end)) {
    const char *stop = at;
    bool string = *at == '"';
    if (string)
      stop = string_end(at, line->end);
    else
      while (stop < line->end && !isspace((unsigned char)*stop))
        stop++;
    bool tick = first && !string && is_whole_number(at, stop);
    read_part(figure, at, stop,
              string ? LEDGER_FIGURE_LABEL : LEDGER_FIGURE_DATA,
              tick ? LEDGER_TICK : LEDGER_UNDECLARED);
    first = false;
    at = stop;
  }
}

/* ---- commands ------------------------------------------------------------ */

/* The word that ends before `at`, without blanks and an opening parenthesis
 * between. */
static bool follows(const struct plot_line *line, const char *at,
                    const char *word) {
  size_t length = strlen(word);
  while (at > line->start && (at[-1] == ' ' || at[-1] == '('))
    at--;
  return (size_t)(at - line->start) >= length &&
         memcmp(at - length, word, length) == 0 &&
         (at - length == line->start ||
          !isalnum((unsigned char)at[-(ptrdiff_t)length - 1]));
}

/* `set word`, abbreviated or not. */
static bool sets(const struct plot_line *line, const char *const *words) {
  const char *at = plot_skip_blanks(line->start, line->end);
  if (line->end - at < 4 || memcmp(at, "set ", 4) != 0) return false;
  at = plot_skip_blanks(at + 4, line->end);
  for (; *words != NULL; words++) {
    size_t length = strlen(*words);
    if ((size_t)(line->end - at) >= length && memcmp(at, *words, length) == 0)
      return true;
  }
  return false;
}

/* "#0072b2" */
static bool is_color(const char *string) {
  if (string[1] != '#') return false;
  size_t length = strspn(string + 2, "0123456789abcdefABCDEF");
  return (length == 6 || length == 8) && string[2 + length] == *string;
}

/* Strings that nobody reads. */
static bool is_setting(const struct plot_line *line, const char *string) {
  static const char *const words[] = {"term",        "enc",      "datafile",
                                      "loadpath",    "fontpath", "locale",
                                      "decimalsign", NULL};
  return sets(line, words) || follows(line, string, "font") ||
         follows(line, string, "rgb") || follows(line, string, "rgbcolor") ||
         is_color(string);
}

static bool is_ticks(const struct plot_line *line) {
  static const char *const words[] = {"format", "xtics",   "ytics",
                                      "x2tics", "y2tics",  "ztics",
                                      "cbtics", "timefmt", NULL};
  return sets(line, words);
}

/* The end of a conversion or of a size that starts at `at`, or `at`: %5.2f,
 * {/=14. */
static const char *markup_end(const char *at, const char *end, bool format) {
  if (format && *at == '%') {
    at++;
    while (at < end && strchr("0123456789.+-# ", *at) != NULL)
      at++;
    return at;
  }
  if (end - at > 2 && at[0] == '{' && at[1] == '/') {
    while (at < end && *at != ' ' && *at != '}')
      at++;
  }
  return at;
}

static void read_label(struct figure *figure, const struct plot_line *line,
                       const char *start, const char *end, bool ticks) {
  bool format = ticks || follows(line, start, "sprintf") ||
                follows(line, start, "gprintf");
  const char *from = start;
  enum ledger_source kind = ticks ? LEDGER_TICK : LEDGER_UNDECLARED;
  ledger_passage_clear(&figure->passage, LEDGER_FIGURE_LABEL);
  for (const char *at = start; at < end;) {
    bool base = format && end - at > 5 && memcmp(at, "10^{%", 5) == 0;
    const char *stop = base ? at + 4 : markup_end(at, end, format);
    if (stop == at) {
      at++;
      continue;
    }
    add_part(figure, from, at, kind);
    if (base)
      add_part(figure, at, stop, LEDGER_TICK);
    else
      ledger_passage_mark(&figure->passage, " ");
    from = at = stop;
  }
  add_part(figure, from, end, kind);
  ledger_read_passage(&figure->reading, &figure->passage);
}

/* Numbers typed as arguments of sprintf are printed by it; `at` is behind its
 * format. A column, $3, is none. */
static void read_arguments(struct figure *figure, const struct plot_line *line,
                           const char *at) {
  for (int depth = 1; at < line->end && depth > 0;) {
    const char *start = at;
    if (*at == '"' || *at == '\'') {
      at = string_end(at, line->end);
    } else if (isalnum((unsigned char)*at) || *at == '_' || *at == '$') {
      while (at < line->end &&
             (isalnum((unsigned char)*at) || strchr("_$.", *at) != NULL))
        at++;
      if (isdigit((unsigned char)*start) && !is_value(figure, start))
        read_part(figure, start, at, LEDGER_FIGURE_LABEL, LEDGER_UNDECLARED);
    } else {
      depth += (*at == '(') - (*at == ')');
      at++;
    }
  }
}

static void read_string(struct figure *figure, const struct plot_line *line,
                        const char *start, const char *end) {
  if (is_setting(line, start)) return;
  read_label(figure, line, start, end, is_ticks(line));
  if (follows(line, start, "sprintf") || follows(line, start, "gprintf"))
    read_arguments(figure, line, end);
}

/* `name = 0.55`: what is typed there might be printed by that name. */
static void read_assignment(struct figure *figure,
                            const struct plot_line *line) {
  const char *at = plot_skip_blanks(line->start, line->end);
  const char *name = at;
  while (at < line->end && (isalnum((unsigned char)*at) || *at == '_'))
    at++;
  if (at == name) return;
  at = plot_skip_blanks(at, line->end);
  if (at == line->end || *at != '=') return;
  at = plot_skip_blanks(at + 1, line->end);
  const char *stop = at;
  while (stop < line->end && (isalnum((unsigned char)*stop) || *stop == '.'))
    stop++;
  if (at < stop && isdigit((unsigned char)*at) && !is_value(figure, at))
    read_part(figure, at, stop, LEDGER_FIGURE_PLACE, LEDGER_TICK);
}

/* Values outside of strings; typed coordinates are no numerals. */
static void read_places(struct figure *figure, const char *start,
                        const char *end) {
  const struct source_map *map = figure->reading.map;
  const char *at = start;
  while (at < end) {
    const struct source_segment *segment =
        source_map_segment(map, (size_t)(at - figure->script));
    const char *stop = at + 1;
    while (stop < end &&
           source_map_segment(map, (size_t)(stop - figure->script)) == segment)
      stop++;
    if (segment != NULL && segment->value != NULL)
      read_part(figure, at, stop, LEDGER_FIGURE_PLACE, LEDGER_TICK);
    at = stop;
  }
}

static void read_command(struct figure *figure, const struct plot_line *line) {
  const char *from = line->start, *at = line->start;
  read_assignment(figure, line);
  while (at < line->end && *at != '#') {
    if (*at != '"' && *at != '\'') {
      at++;
      continue;
    }
    const char *stop = string_end(at, line->end);
    read_places(figure, from, at);
    read_string(figure, line, at, stop);
    from = at = stop;
  }
  read_places(figure, from, at);
}

/* A command goes on behind a backslash at the end of a line. */
static void join_lines(const char **at, const char *end,
                       struct plot_line *line) {
  struct plot_line next;
  while (line->end > line->start && line->end[-1] == '\\' &&
         plot_next_line(at, end, &next))
    line->end = next.end;
}

static void read_lines(struct figure *figure) {
  struct plot_line line;
  for (const char *at = figure->script;
       plot_next_line(&at, figure->end, &line);) {
    if (figure->terminator[0] == 0) {
      if (plot_opens_data(line, figure->terminator)) continue;
      join_lines(&at, figure->end, &line);
      read_command(figure, &line);
    } else if (plot_closes_data(line, figure->terminator)) {
      figure->terminator[0] = 0;
    } else {
      read_row(figure, &line);
    }
  }
}

/* ---- entry --------------------------------------------------------------- */

int ledger_add_script(struct ledger *ledger, const char *script, size_t length,
                      const struct source_map *map, struct error *err) {
  struct figure figure = {.reading = {.ledger = ledger, .map = map, .err = err},
                          .script = script,
                          .end = script + length};
  int status = read_literals(&figure);
  if (status == 0) {
    read_head_text(&figure, "title", LEDGER_FIGURE_TITLE);
    read_head_text(&figure, "alt", LEDGER_FIGURE_ALT);
    read_lines(&figure);
  }
  ledger_passage_free(&figure.passage);
  return status;
}

int ledger_script_strict(const char *script, size_t length,
                         const struct source_map *map, bool *out,
                         struct error *err) {
  struct plot_head_line line;
  *out = false;
  for (const char *at = script;
       plot_next_head_line(&at, script + length, &line);) {
    if (!plot_is_key(&line, "ledger")) continue;
    const char *end = line.text.end;
    while (end > line.text.start && isspace((unsigned char)end[-1]))
      end--;
    *out =
        end - line.text.start == 6 && memcmp(line.text.start, "strict", 6) == 0;
    if (!*out)
      return error_at(err,
                      source_map_place(map, (size_t)(line.text.start - script)),
                      "`# ledger:` is `strict` or left out");
  }
  return 0;
}

int ledger_add_figure(struct ledger *ledger, const char *path,
                      const struct json *values, struct error *err) {
  const char *slash = strrchr(path, '/');
  const char *directory =
      slash == NULL ? "."
                    : arena_copy(&ledger->arena, path, (size_t)(slash - path));
  const struct template_options options = {TEMPLATE_GNUPLOT, directory};
  struct source_map map = {0};
  struct buffer script = {0};
  int status = template_render_file(path, values, &options, &script, &map, err);
  if (status == 0) {
    buffer_text(&script, "");
    status = ledger_add_script(ledger, script.bytes, script.length, &map, err);
  }
  buffer_free(&script);
  source_map_free(&map);
  return status;
}
