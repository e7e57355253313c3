/* TeX formulas by recursive descent. The grammar stands above its rules:
 *
 *   row     = { element }
 *   element = nucleus { "^" argument | "_" argument | "'" | \limits }
 *   nucleus = character | "{" row "}" | command
 *   argument = "{" row "}" | character | command
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/base/utf8.h"
#include "report/math_parser.h"

int math_parser_fail(struct math_parser *parser, size_t at, const char *format,
                     ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return error_at(parser->err,
                  source_map_place(parser->map, parser->offset + at), "%s",
                  message);
}

static int enter(struct math_parser *parser, size_t at) {
  if (++parser->depth > MATH_DEPTH)
    return math_parser_fail(
        parser, at, "the formula is nested deeper than %d levels", MATH_DEPTH);
  return 0;
}

struct math *math_parser_node(struct math_parser *parser, enum math_type type,
                              size_t at) {
  struct math *node = arena_alloc(parser->arena, sizeof *node);
  node->type = type;
  size_t offset = parser->offset + at;
  const struct source_segment *segment =
      source_map_segment(parser->map, offset);
  node->place = source_map_place(parser->map, offset);
  node->value = segment == NULL ? NULL : segment->value;
  node->text = "";
  return node;
}

/* ---- tokens -------------------------------------------------------------- */

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void math_parser_blanks(struct math_parser *parser) {
  while (parser->at < parser->length && is_blank(parser->text[parser->at]))
    parser->at++;
}

bool math_parser_take(struct math_parser *parser, const char *token) {
  size_t length = strlen(token);
  if (parser->length - parser->at < length ||
      memcmp(parser->text + parser->at, token, length) != 0)
    return false;
  parser->at += length;
  return true;
}

int math_parser_peek(const struct math_parser *parser) {
  return parser->at < parser->length ? (unsigned char)parser->text[parser->at]
                                     : -1;
}

size_t math_parser_command(const struct math_parser *parser) {
  if (math_parser_peek(parser) != '\\' || parser->at + 1 >= parser->length)
    return 0;
  const char *name = parser->text + parser->at + 1;
  size_t rest = parser->length - parser->at - 1, length = 0;
  while (length < rest && math_is_latin((unsigned char)name[length]))
    length++;
  if (length > 0) return length;
  uint32_t code;
  size_t character = utf8_decode(name, name + rest, &code);
  return character > 0 ? character : 1;
}

bool math_parser_at_command(const struct math_parser *parser,
                            const char *name) {
  size_t length = math_parser_command(parser);
  return length == strlen(name) &&
         memcmp(parser->text + parser->at + 1, name, length) == 0;
}

static bool at_end_of_row(const struct math_parser *parser) {
  int c = math_parser_peek(parser);
  return c == -1 || c == '}' || c == '&' || (c == ']' && parser->bracket) ||
         math_parser_at_command(parser, "\\") ||
         math_parser_at_command(parser, "right") ||
         math_parser_at_command(parser, "end");
}

/* Read a command; an unknown one is an error that guesses what was meant. */
int math_parser_read_command(struct math_parser *parser,
                             const struct math_command **out) {
  size_t at = parser->at, length = math_parser_command(parser);
  const char *name = parser->text + at + 1;
  if (length == 0)
    return math_parser_fail(parser, at, "a lone backslash in a formula");
  parser->at += 1 + length;
  *out = math_command_find(name, length);
  if (*out != NULL) return 0;
  const struct math_command *guess = math_command_guess(name, length);
  int shown = length > 40 ? 40 : (int)length;
  if (guess != NULL)
    return math_parser_fail(parser, at,
                            "unknown command \\%.*s in a formula; did you "
                            "mean \\%s?",
                            shown, name, guess->name);
  return math_parser_fail(parser, at, "unknown command \\%.*s in a formula",
                          shown, name);
}

/* ---- groups, arguments --------------------------------------------------- */

/* A row of one ordinary element is that element. */
static struct math *unwrap(struct math *row) {
  struct math *only = row->body;
  bool plain = only != NULL && only->next == NULL && only->class == MATH_ORD &&
               only->type != MATH_SPACE && only->type != MATH_STYLE;
  return plain ? only : row;
}

/* "{" row "}", its brace at the reading position */
static int parse_group(struct math_parser *parser, struct math **out) {
  size_t at = parser->at++;
  bool bracket = parser->bracket;
  parser->bracket = false;
  if (math_parser_row(parser, out) != 0) return -1;
  parser->bracket = bracket;
  if (!math_parser_take(parser, "}")) {
    if (math_parser_peek(parser) == -1)
      return math_parser_fail(parser, at, "`{` is not closed in this formula");
    size_t length = math_parser_command(parser);
    return math_parser_fail(parser, parser->at,
                            "`%.*s` inside of braces that are still open",
                            (int)(length + 1), parser->text + parser->at);
  }
  *out = unwrap(*out);
  return 0;
}

static int parse_nucleus(struct math_parser *parser, struct math **out);

static int fail_argument(struct math_parser *parser, size_t owner) {
  size_t at = parser->at;
  parser->at = owner;
  size_t length = math_parser_command(parser);
  parser->at = at;
  return math_parser_fail(parser, owner,
                          "`%.*s` lacks what it applies to: write {...} "
                          "behind it",
                          (int)(length + 1), parser->text + owner);
}

int math_parser_argument(struct math_parser *parser, size_t owner,
                         struct math **out) {
  math_parser_blanks(parser);
  if (at_end_of_row(parser)) return fail_argument(parser, owner);
  return parse_nucleus(parser, out);
}

/* ---- symbols ------------------------------------------------------------- */

static enum math_font resolve_font(int font, uint32_t code) {
  bool latin = math_is_latin(code), small = math_is_small_greek(code);
  bool slanted = latin || small || code == 0x131 || code == 0x237 ||
                 code == 0x2202; /* partial, as in TeX */
  bool letter = slanted || math_is_capital_greek(code) || math_is_digit(code);
  if (!letter) return MATH_UPRIGHT;
  if (font == MATH_FONT_DEFAULT) return slanted ? MATH_ITALIC : MATH_UPRIGHT;
  if (font == MATH_BOLD_ITALIC && !slanted) return MATH_BOLD;
  if (math_styled_code(code, (enum math_font)font) == code)
    return font == MATH_UPRIGHT || !slanted ? MATH_UPRIGHT : MATH_ITALIC;
  return (enum math_font)font;
}

struct math *math_parser_symbol(struct math_parser *parser, size_t at,
                                uint32_t code, enum math_class class) {
  struct math *node = math_parser_node(parser, MATH_SYMBOL, at);
  node->code = code;
  node->class = class;
  node->font = resolve_font(parser->font, code);
  return node;
}

static int fail_character(struct math_parser *parser, size_t at,
                          uint32_t code) {
  if (code == '%' || code == '#' || code == '$')
    return math_parser_fail(parser, at, "write \\%c for this sign in a formula",
                            (char)code);
  if (code < 0x20 || code == 0x7F)
    return math_parser_fail(parser, at, "a control character in a formula");
  return math_parser_fail(parser, at,
                          "a formula cannot hold the character U+%04X; words "
                          "go into \\text{...}",
                          (unsigned)code);
}

static int parse_character(struct math_parser *parser, struct math **out) {
  size_t at = parser->at;
  uint32_t typed, code;
  enum math_class class;
  size_t length =
      utf8_decode(parser->text + at, parser->text + parser->length, &typed);
  if (length == 0) return math_parser_fail(parser, at, "invalid UTF-8");
  parser->at += length;
  if (typed == '~') {
    *out = math_parser_node(parser, MATH_SPACE, at);
    (*out)->width = 6;
    return 0;
  }
  if (!math_character(typed, &code, &class))
    return fail_character(parser, at, typed);
  *out = math_parser_symbol(parser, at, code, class);
  return 0;
}

static int parse_nucleus(struct math_parser *parser, struct math **out) {
  if (enter(parser, parser->at) != 0) return -1;
  int c = math_parser_peek(parser), status;
  if (c == '{')
    status = parse_group(parser, out);
  else if (c == '\\')
    status = math_parser_apply(parser, out);
  else if (c == '^' || c == '_' || c == '\'')
    status = math_parser_fail(parser, parser->at, "a script needs {...} here");
  else
    status = parse_character(parser, out);
  parser->depth--;
  return status;
}

/* ---- scripts ------------------------------------------------------------- */

/* Primes, and a superscript behind them, are one superscript. */
static int parse_primes(struct math_parser *parser, struct math *node) {
  size_t at = parser->at;
  if (node->above != NULL)
    return math_parser_fail(parser, at, "a second superscript: use braces");
  struct math *row = math_parser_node(parser, MATH_ROW, at),
              **tail = &row->body;
  for (; math_parser_peek(parser) == '\''; parser->at++) {
    *tail = math_parser_symbol(parser, parser->at, 0x2032, MATH_ORD);
    tail = &(*tail)->next;
  }
  if (math_parser_peek(parser) == '^') {
    size_t owner = parser->at++;
    if (math_parser_argument(parser, owner, tail) != 0) return -1;
  }
  node->above = unwrap(row);
  return 0;
}

static int parse_script(struct math_parser *parser, struct math *node) {
  size_t at = parser->at;
  if (math_parser_peek(parser) == '\'') return parse_primes(parser, node);
  bool above = parser->text[parser->at++] == '^';
  struct math **script = above ? &node->above : &node->below;
  if (*script != NULL)
    return math_parser_fail(parser, at, "a second %sscript: use braces",
                            above ? "super" : "sub");
  return math_parser_argument(parser, at, script);
}

static int take_limits(struct math_parser *parser, struct math *nucleus) {
  size_t at = parser->at;
  bool always = math_parser_at_command(parser, "limits");
  parser->at += strlen(always ? "\\limits" : "\\nolimits");
  if (nucleus == NULL || nucleus->class != MATH_OP)
    return math_parser_fail(parser, at, "\\limits must follow an operator");
  nucleus->limits = always ? MATH_LIMITS_ALWAYS : MATH_LIMITS_SIDE;
  return 0;
}

/* nucleus with its scripts */
static int parse_element(struct math_parser *parser, struct math **out) {
  size_t at = parser->at;
  struct math *nucleus = NULL, *scripts = NULL;
  int c = math_parser_peek(parser);
  if (c != '^' && c != '_' && c != '\'' && parse_nucleus(parser, &nucleus) != 0)
    return -1;
  for (;;) {
    math_parser_blanks(parser);
    c = math_parser_peek(parser);
    if (math_parser_at_command(parser, "limits") ||
        math_parser_at_command(parser, "nolimits")) {
      if (take_limits(parser, nucleus) != 0) return -1;
      continue;
    }
    if (c != '^' && c != '_' && c != '\'') break;
    if (scripts == NULL) scripts = math_parser_node(parser, MATH_SCRIPTS, at);
    if (parse_script(parser, scripts) != 0) return -1;
  }
  *out = nucleus;
  if (scripts == NULL) return 0;
  if (nucleus == NULL) nucleus = math_parser_node(parser, MATH_ROW, at);
  scripts->body = nucleus;
  scripts->class = nucleus->class;
  scripts->limits = nucleus->limits;
  *out = scripts;
  return 0;
}

/* ---- rows ---------------------------------------------------------------- */

static bool has_no_class(const struct math *node) {
  return node->type == MATH_SPACE || node->type == MATH_STYLE;
}

/* Rules 5 and 6 of appendix G: a binary operator that lacks an operand on one
 * side is an ordinary symbol. */
static void settle_classes(struct math *first) {
  struct math *before = NULL;
  for (struct math *node = first; node != NULL; node = node->next) {
    if (has_no_class(node)) continue;
    enum math_class left = before == NULL ? MATH_OPEN : before->class;
    if (node->class == MATH_BIN &&
        (left == MATH_BIN || left == MATH_OP || left == MATH_REL ||
         left == MATH_OPEN || left == MATH_PUNCT))
      node->class = MATH_ORD;
    if ((node->class == MATH_REL || node->class == MATH_CLOSE ||
         node->class == MATH_PUNCT) &&
        left == MATH_BIN)
      before->class = MATH_ORD;
    before = node;
  }
  if (before != NULL && before->class == MATH_BIN) before->class = MATH_ORD;
}

/* A style command governs the rest of its row, which becomes its body. */
static int nest_styles(struct math_parser *parser, struct math *row) {
  enum { MOST = 8 };
  for (int styles = 0;; styles++) {
    struct math *node = row->body;
    while (node != NULL && node->type != MATH_STYLE)
      node = node->next;
    if (node == NULL) return 0;
    if (styles == MOST)
      return error_at(parser->err, node->place,
                      "more than %d style commands in one row", MOST);
    row = arena_alloc(parser->arena, sizeof *row);
    *row = (struct math){.type = MATH_ROW, .place = node->place, .text = ""};
    row->body = node->next;
    node->next = NULL;
    node->body = row;
    const struct math *inside = row->body;
    while (inside != NULL && has_no_class(inside))
      inside = inside->next;
    node->class = inside == NULL ? MATH_ORD : inside->class;
  }
}

int math_parser_row(struct math_parser *parser, struct math **out) {
  if (enter(parser, parser->at) != 0) return -1;
  math_parser_blanks(parser);
  struct math *row = math_parser_node(parser, MATH_ROW, parser->at);
  struct math **tail = &row->body;
  if (parser->led) {
    *tail = math_parser_node(parser, MATH_ROW, parser->at);
    tail = &(*tail)->next;
    parser->led = false;
  }
  while (!at_end_of_row(parser)) {
    if (parse_element(parser, tail) != 0) return -1;
    tail = &(*tail)->next;
    math_parser_blanks(parser);
  }
  settle_classes(row->body);
  if (nest_styles(parser, row) != 0) return -1;
  parser->depth--;
  *out = row;
  return 0;
}

/* ---- the whole formula --------------------------------------------------- */

static int fail_unexpected(struct math_parser *parser) {
  size_t at = parser->at, length = math_parser_command(parser);
  if (length == 1 && parser->text[at + 1] == '\\')
    return math_parser_fail(parser, at,
                            "`\\\\` outside of \\begin{aligned} or another "
                            "table");
  return math_parser_fail(parser, at, "`%.*s` without what opens it",
                          (int)(length + 1), parser->text + at);
}

static const char *trimmed_source(struct arena *arena, const char *text,
                                  size_t length) {
  while (length > 0 && is_blank(text[length - 1]))
    length--;
  while (length > 0 && is_blank(*text))
    text++, length--;
  char *copy = arena_copy(arena, text, length);
  for (char *c = copy; *c != 0; c++)
    if (is_blank(*c)) *c = ' ';
  return copy;
}

int math_parse(const char *text, size_t length, bool display,
               const struct source_map *map, size_t offset, struct arena *arena,
               struct math_formula *out, struct error *err) {
  struct math_parser parser = {.text = text,
                               .length = length,
                               .map = map,
                               .offset = offset,
                               .arena = arena,
                               .err = err,
                               .font = MATH_FONT_DEFAULT};
  *out = (struct math_formula){.display = display,
                               .place = source_map_place(map, offset)};
  if (math_parser_row(&parser, &out->root) != 0) return -1;
  if (parser.at < length) return fail_unexpected(&parser);
  if (out->root->body == NULL)
    return math_parser_fail(&parser, 0, "an empty formula");
  out->source = trimmed_source(arena, text, length);
  while (is_blank(*text))
    text++, out->offset++;
  out->offset += offset;
  return 0;
}
