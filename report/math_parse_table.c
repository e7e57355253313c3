/* \begin{...} ... \end{...}: matrices, cases, aligned equations.
 *
 *   environment = row { "&" row } { "\\" row { "&" row } }
 */
#include <string.h>

#include "report/math_parser.h"

struct environment {
  const char *name;
  enum math_table table;
  const char *columns; /* alignment, repeated; "" when the source says it */
  uint32_t left, right;
};

static const struct environment environments[] = {
    {"matrix", MATH_MATRIX, "c", 0, 0},
    {"pmatrix", MATH_MATRIX, "c", '(', ')'},
    {"bmatrix", MATH_MATRIX, "c", '[', ']'},
    {"Bmatrix", MATH_MATRIX, "c", '{', '}'},
    {"vmatrix", MATH_MATRIX, "c", '|', '|'},
    {"Vmatrix", MATH_MATRIX, "c", 0x2016, 0x2016},
    {"smallmatrix", MATH_SMALL_MATRIX, "c", 0, 0},
    {"array", MATH_ARRAY, "", 0, 0},
    {"cases", MATH_CASES, "l", '{', 0},
    {"aligned", MATH_ALIGNED, "rl", 0, 0},
    {"split", MATH_ALIGNED, "rl", 0, 0},
    {"gathered", MATH_GATHERED, "c", 0, 0},
};

static const struct environment *find_environment(const char *name) {
  for (size_t i = 0; i < sizeof environments / sizeof *environments; i++)
    if (strcmp(environments[i].name, name) == 0) return &environments[i];
  return NULL;
}

static int fail_environment(struct math_parser *parser, size_t at,
                            const char *name) {
  bool block = strncmp(name, "align", 5) == 0 ||
               strncmp(name, "equation", 8) == 0 ||
               strncmp(name, "gather", 6) == 0;
  if (block)
    return math_parser_fail(parser, at,
                            "\\begin{%s} is not for use inside of $$: write "
                            "aligned or gathered",
                            name);
  return math_parser_fail(parser, at, "unknown environment \\begin{%s}", name);
}

struct cell {
  struct math *row;
  bool last; /* of its line */
  struct cell *next;
};

/* Read cells up to \end; returns their list and the widest line's length. */
static int read_cells(struct math_parser *parser,
                      const struct environment *environment,
                      struct cell **first, size_t *columns) {
  struct cell **tail = first;
  size_t column = 0;
  *columns = 0;
  for (;;) {
    struct cell *cell = arena_alloc(parser->arena, sizeof *cell);
    *tail = cell;
    tail = &cell->next;
    parser->led = environment->table == MATH_ALIGNED && column % 2 == 1;
    if (math_parser_row(parser, &cell->row) != 0) return -1;
    if (++column > *columns) *columns = column;
    if (math_parser_take(parser, "&")) continue;
    cell->last = true;
    column = 0;
    if (!math_parser_take(parser, "\\\\")) return 0;
    if (parser->at < parser->length && parser->text[parser->at] == '[')
      return math_parser_fail(parser, parser->at,
                              "a distance after \\\\ is not supported");
  }
}

/* LaTeX ignores a line that holds nothing after the last `\\`. */
static void drop_empty_last(struct cell **first) {
  struct cell **last_line = first;
  for (struct cell *cell = *first; cell->next != NULL; cell = cell->next)
    if (cell->last) last_line = &cell->next;
  if (last_line != first && (*last_line)->last &&
      (*last_line)->row->body == NULL)
    *last_line = NULL;
}

static void fill_table(struct math_parser *parser, struct math *table,
                       const struct cell *first) {
  for (const struct cell *cell = first; cell != NULL; cell = cell->next)
    table->rows += cell->last;
  size_t count = table->rows * table->columns, at = 0;
  table->cells = arena_alloc(parser->arena, count * sizeof *table->cells);
  for (const struct cell *cell = first; cell != NULL; cell = cell->next) {
    table->cells[at++] = cell->row;
    if (!cell->last) continue;
    while (at % table->columns != 0)
      table->cells[at++] = math_parser_node(parser, MATH_ROW, parser->at);
  }
}

static void fill_alignment(struct math_parser *parser, struct math *table,
                           const char *columns) {
  char *align = arena_alloc(parser->arena, table->columns + 1);
  size_t period = strlen(columns);
  for (size_t i = 0; i < table->columns; i++)
    align[i] = columns[i % period];
  table->align = align;
}

/* `{lcr}` after \begin{array} */
static int read_preamble(struct math_parser *parser, const char **columns) {
  size_t at = parser->at;
  if (math_parser_word(parser, "the columns of the array", columns) != 0)
    return -1;
  if (**columns == 0 || strspn(*columns, "lcr") != strlen(*columns))
    return math_parser_fail(parser, at,
                            "the columns of an array are given as letters l, "
                            "c, r");
  return 0;
}

static int read_end(struct math_parser *parser, size_t at, const char *name) {
  size_t end = parser->at;
  const char *closed;
  if (!math_parser_take(parser, "\\end"))
    return math_parser_fail(parser, at, "\\begin{%s} without its \\end", name);
  if (math_parser_word(parser, "the environment's name", &closed) != 0)
    return -1;
  if (strcmp(name, closed) != 0)
    return math_parser_fail(parser, end, "\\end{%s} closes \\begin{%s}", closed,
                            name);
  return 0;
}

/* Cells times columns is bounded, whatever one long line does to the rest. */
static int check_size(struct math_parser *parser, size_t at, size_t columns) {
  enum { MOST_COLUMNS = 100 };
  if (columns > MOST_COLUMNS)
    return math_parser_fail(parser, at, "a table of more than %d columns",
                            MOST_COLUMNS);
  return 0;
}

int math_parser_environment(struct math_parser *parser, size_t at,
                            struct math **out) {
  const char *name;
  if (math_parser_word(parser, "the environment's name", &name) != 0) return -1;
  const struct environment *environment = find_environment(name);
  if (environment == NULL) return fail_environment(parser, at, name);
  const char *columns = environment->columns;
  if (*columns == 0 && read_preamble(parser, &columns) != 0) return -1;

  struct math *table = math_parser_node(parser, MATH_TABLE, at);
  struct cell *first;
  bool bracket = parser->bracket;
  int fences = parser->fences;
  parser->bracket = false;
  parser->fences = 0;
  if (read_cells(parser, environment, &first, &table->columns) != 0 ||
      read_end(parser, at, name) != 0 ||
      check_size(parser, at, table->columns) != 0)
    return -1;
  parser->bracket = bracket;
  parser->fences = fences;
  if (*environment->columns == 0 && table->columns > strlen(columns))
    return math_parser_fail(parser, at,
                            "a line of the array has more cells than columns");
  drop_empty_last(&first);
  table->table = environment->table;
  fill_table(parser, table, first);
  fill_alignment(parser, table, columns);
  *out = table;
  if (environment->left != 0)
    *out = math_parser_fence(parser, at, environment->left, environment->right,
                             table);
  return 0;
}
