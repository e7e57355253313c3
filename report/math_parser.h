/* The formula parser's own interface: state and rules that its files share,
 * math_parse.c, math_parse_command.c and math_parse_table.c.
 *
 * A rule returns 0 and a node, or -1 with the error set. Rows end before `}`,
 * `&`, `\\`, `\right`, `\end` and the text's end (and before `]` while
 * `bracket` is set); who asked for the row checks what ended it. */
#ifndef MATH_PARSER_H
#define MATH_PARSER_H

#include "report/math.h"
#include "report/math_symbols.h"

enum { MATH_FONT_DEFAULT = -1 }; /* no font command is in force */

struct math_parser {
  const char *text;
  size_t length, at;
  const struct source_map *map;
  size_t offset; /* of the text in the map */
  struct arena *arena;
  struct error *err;
  int depth;    /* rules that are open */
  int fences;   /* \left that are open */
  bool bracket; /* reading the degree of a root */
  bool led;     /* the next row starts with an empty nucleus */
  int font;     /* enum math_font or MATH_FONT_DEFAULT */
};

int math_parser_fail(struct math_parser *parser, size_t at, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));
struct math *math_parser_node(struct math_parser *parser, enum math_type type,
                              size_t at);
void math_parser_blanks(struct math_parser *parser);
bool math_parser_take(struct math_parser *parser, const char *token);

int math_parser_peek(const struct math_parser *parser); /* a byte, -1: end */

/* The command at the reading position without reading it: its name's length
 * without the backslash, 0 when something else stands there. */
size_t math_parser_command(const struct math_parser *parser);
bool math_parser_at_command(const struct math_parser *parser, const char *name);

/* Read a command; an unknown one is an error that guesses what was meant. */
int math_parser_read_command(struct math_parser *parser,
                             const struct math_command **out);

struct math *math_parser_symbol(struct math_parser *parser, size_t at,
                                uint32_t code, enum math_class class);
int math_parser_row(struct math_parser *parser, struct math **out);

/* What the command or script at `owner` applies to. */
int math_parser_argument(struct math_parser *parser, size_t owner,
                         struct math **out);

/* A command and its arguments. */
int math_parser_apply(struct math_parser *parser, struct math **out);

/* `{name}` as plain letters; `what` names it in messages. */
int math_parser_word(struct math_parser *parser, const char *what,
                     const char **out);

/* After \begin: the environment up to its \end. */
int math_parser_environment(struct math_parser *parser, size_t at,
                            struct math **out);

/* Wrap in delimiters that grow; 0 for none. */
struct math *math_parser_fence(struct math_parser *parser, size_t at,
                               uint32_t left, uint32_t right,
                               struct math *body);

#endif
