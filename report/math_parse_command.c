/* The commands of a formula: names, fonts, delimiters, fractions, roots,
 * accents. Each rule is called behind its command, which stands at `at`. */
#include <string.h>

#include "report/math_parser.h"

/* ---- words in a formula -------------------------------------------------- */

static int text_escape(struct math_parser *parser, struct buffer *out) {
  size_t length = math_parser_command(parser);
  const char *name = parser->text + parser->at + 1;
  if (length == 1 && strchr("%#&$_{} ", *name) != NULL) {
    buffer_char(out, *name);
  } else if (length == 1 && *name == ',') {
    buffer_text(out, "\u2009");
  } else {
    return math_parser_fail(parser, parser->at,
                            "a command inside of words in a formula: end the "
                            "words first");
  }
  parser->at += 2;
  return 0;
}

/* "{" anything "}" as words: braces group, blanks are kept. */
static int read_words(struct math_parser *parser, size_t owner,
                      struct buffer *out) {
  math_parser_blanks(parser);
  if (!math_parser_take(parser, "{"))
    return math_parser_fail(parser, owner, "words must stand in {...}");
  for (size_t open = 1; parser->at < parser->length;) {
    char c = parser->text[parser->at];
    if (c == '\\') {
      if (text_escape(parser, out) != 0) return -1;
      continue;
    }
    parser->at++;
    if (c == '{') open++;
    if (c == '}' && --open == 0) return 0;
    if (c == '~')
      buffer_text(out, "\u00a0");
    else if (c != '{' && c != '}')
      buffer_char(out, c == '\n' || c == '\t' || c == '\r' ? ' ' : c);
  }
  return math_parser_fail(parser, owner, "`{` is not closed in this formula");
}

static int parse_words(struct math_parser *parser, size_t owner,
                       struct math *node) {
  struct buffer words = {0};
  int status = read_words(parser, owner, &words);
  if (status == 0)
    node->text = arena_copy(parser->arena, words.length > 0 ? words.bytes : "",
                            words.length);
  buffer_free(&words);
  return status;
}

int math_parser_word(struct math_parser *parser, const char *what,
                     const char **out) {
  size_t owner = parser->at;
  math_parser_blanks(parser);
  if (!math_parser_take(parser, "{"))
    return math_parser_fail(parser, owner, "%s must stand in {...}", what);
  size_t start = parser->at;
  while (math_parser_peek(parser) != -1 && math_parser_peek(parser) != '}' &&
         math_parser_peek(parser) != '{')
    parser->at++;
  size_t end = parser->at;
  if (!math_parser_take(parser, "}"))
    return math_parser_fail(parser, owner, "%s is not closed by `}`", what);
  *out = arena_copy(parser->arena, parser->text + start, end - start);
  return 0;
}

/* \operatorname{mean}, \operatorname*{arg\,max} */
static int parse_name(struct math_parser *parser, size_t at,
                      struct math **out) {
  struct math *node = math_parser_node(parser, MATH_OPERATOR, at);
  node->class = MATH_OP;
  node->limits =
      math_parser_take(parser, "*") ? MATH_LIMITS_AUTO : MATH_LIMITS_SIDE;
  *out = node;
  return parse_words(parser, at, node);
}

/* ---- fonts --------------------------------------------------------------- */

/* Length of the word in `{word}` at the reading position if it is two or more
 * letters or digits, which are then one name and not a product. */
static size_t name_length(struct math_parser *parser) {
  math_parser_blanks(parser);
  size_t start = parser->at + 1, end = start;
  if (math_parser_peek(parser) != '{') return 0;
  while (end < parser->length &&
         (math_is_latin((unsigned char)parser->text[end]) ||
          math_is_digit((unsigned char)parser->text[end])))
    end++;
  bool closed = end < parser->length && parser->text[end] == '}';
  return closed && end - start >= 2 ? end - start : 0;
}

static bool font_makes_names(enum math_font font) {
  return font == MATH_UPRIGHT || font == MATH_ITALIC || font == MATH_BOLD ||
         font == MATH_SANS || font == MATH_MONO;
}

static int parse_font(struct math_parser *parser, size_t at,
                      enum math_font font, struct math **out) {
  size_t name = font_makes_names(font) ? name_length(parser) : 0;
  if (name > 0) {
    *out = math_parser_node(parser, MATH_TEXT, at);
    (*out)->font = font;
    (*out)->text =
        arena_copy(parser->arena, parser->text + parser->at + 1, name);
    parser->at += name + 2;
    return 0;
  }
  int outer = parser->font;
  parser->font = font;
  int status = math_parser_argument(parser, at, out);
  parser->font = outer;
  return status;
}

/* \not before a relation */
static int parse_not(struct math_parser *parser, size_t at, struct math **out) {
  if (math_parser_argument(parser, at, out) != 0) return -1;
  uint32_t negated =
      (*out)->type == MATH_SYMBOL ? math_negated((*out)->code) : 0;
  if (negated == 0)
    return math_parser_fail(parser, at, "\\not has no form for what follows");
  (*out)->code = negated;
  return 0;
}

/* ---- delimiters ---------------------------------------------------------- */

static int fail_delimiter(struct math_parser *parser, size_t owner) {
  return math_parser_fail(parser, owner,
                          "a delimiter must follow, such as ( or \\| or `.`");
}

/* The delimiter at the reading position; code 0 for `.` if that is allowed. */
static int read_delimiter(struct math_parser *parser, size_t owner, bool empty,
                          uint32_t *code, enum math_class *class) {
  math_parser_blanks(parser);
  if (math_parser_peek(parser) == '\\') {
    const struct math_command *command;
    if (math_parser_read_command(parser, &command) != 0) return -1;
    if (command->kind != COMMAND_SYMBOL) return fail_delimiter(parser, owner);
    *code = command->code;
    *class = (enum math_class)command->value;
  } else {
    uint32_t typed =
        math_parser_peek(parser) == -1 ? 0 : (uint32_t)math_parser_peek(parser);
    parser->at += typed != 0;
    *code = 0;
    if (typed == '.' && empty) return 0;
    if (!math_character(typed, code, class))
      return fail_delimiter(parser, owner);
    if (typed == '<') *code = 0x27E8, *class = MATH_OPEN;
    if (typed == '>') *code = 0x27E9, *class = MATH_CLOSE;
  }
  if (!math_is_delimiter(*code)) return fail_delimiter(parser, owner);
  return 0;
}

struct math *math_parser_fence(struct math_parser *parser, size_t at,
                               uint32_t left, uint32_t right,
                               struct math *body) {
  struct math *fence = math_parser_node(parser, MATH_FENCED, at);
  fence->class = MATH_INNER;
  fence->left = left;
  fence->right = right;
  fence->body = body;
  return fence;
}

/* \left delimiter row \right delimiter */
static int parse_left(struct math_parser *parser, size_t at,
                      struct math **out) {
  uint32_t left, right;
  enum math_class class;
  struct math *body;
  bool bracket = parser->bracket;
  if (read_delimiter(parser, at, true, &left, &class) != 0) return -1;
  parser->bracket = false;
  parser->fences++;
  if (math_parser_row(parser, &body) != 0) return -1;
  parser->fences--;
  parser->bracket = bracket;
  if (!math_parser_at_command(parser, "right"))
    return math_parser_fail(parser, at, "\\left without its \\right");
  size_t right_at = parser->at;
  parser->at += strlen("\\right");
  if (read_delimiter(parser, right_at, true, &right, &class) != 0) return -1;
  *out = math_parser_fence(parser, at, left, right, body);
  return 0;
}

/* \big and its family; \middle */
static int parse_delimiter(struct math_parser *parser, size_t at,
                           const struct math_command *command,
                           struct math **out) {
  struct math *node = math_parser_node(parser, MATH_DELIMITER, at);
  if (command->kind == COMMAND_MIDDLE && parser->fences == 0)
    return math_parser_fail(parser, at, "\\middle outside of \\left, \\right");
  if (read_delimiter(parser, at, false, &node->code, &node->class) != 0)
    return -1;
  node->size = command->value;
  if (command->code != 0) node->class = (enum math_class)command->code;
  if (command->kind == COMMAND_MIDDLE) node->class = MATH_REL;
  *out = node;
  return 0;
}

/* ---- commands with arguments --------------------------------------------- */

/* \frac{above}{below}, \binom{above}{below}; ordinary, since LaTeX's have
 * braces around \over */
static int parse_fraction(struct math_parser *parser, size_t at,
                          const struct math_command *command,
                          struct math **out) {
  struct math *node = math_parser_node(parser, MATH_FRACTION, at);
  node->class = MATH_ORD;
  node->style = (enum math_style)command->value;
  node->bar = command->kind == COMMAND_FRACTION;
  if (math_parser_argument(parser, at, &node->body) != 0 ||
      math_parser_argument(parser, at, &node->below) != 0)
    return -1;
  *out = node;
  if (!node->bar) {
    *out = math_parser_fence(parser, at, '(', ')', node);
    (*out)->class = MATH_ORD;
  }
  return 0;
}

/* \sqrt[degree]{body} */
static int parse_root(struct math_parser *parser, size_t at,
                      struct math **out) {
  struct math *node = math_parser_node(parser, MATH_ROOT, at);
  *out = node;
  math_parser_blanks(parser);
  if (math_parser_take(parser, "[")) {
    bool outer = parser->bracket;
    parser->bracket = true;
    if (math_parser_row(parser, &node->above) != 0) return -1;
    parser->bracket = outer;
    if (!math_parser_take(parser, "]"))
      return math_parser_fail(parser, at, "the root's `[` is not closed");
  }
  return math_parser_argument(parser, at, &node->body);
}

static int parse_decoration(struct math_parser *parser, size_t at,
                            const struct math_command *command,
                            struct math **out) {
  enum math_type type = command->kind == COMMAND_ACCENT ? MATH_ACCENT
                        : command->kind == COMMAND_OVER ? MATH_OVER
                                                        : MATH_UNDER;
  struct math *node = math_parser_node(parser, type, at);
  bool brace = node->type != MATH_ACCENT && command->code >= 0x23DE;
  node->code = command->code;
  node->stretchy = type == MATH_ACCENT ? command->value != 0 : true;
  node->limits = brace ? MATH_LIMITS_ALWAYS : MATH_LIMITS_SIDE;
  *out = node;
  return math_parser_argument(parser, at, &node->body);
}

/* \overset{script}{body}, \underset{script}{body} */
static int parse_stack(struct math_parser *parser, size_t at, bool above,
                       struct math **out) {
  struct math *node = math_parser_node(parser, MATH_SCRIPTS, at), *script;
  node->limits = MATH_LIMITS_ALWAYS;
  if (math_parser_argument(parser, at, &script) != 0 ||
      math_parser_argument(parser, at, &node->body) != 0)
    return -1;
  if (above)
    node->above = script;
  else
    node->below = script;
  /* `\overset{!}{=}`: the brace made an ordinary row of the relation. */
  const struct math *inside = node->body;
  if (inside->type == MATH_ROW && inside->body != NULL &&
      inside->body->next == NULL)
    inside = inside->body;
  node->class = inside->class;
  *out = node;
  return 0;
}

/* \mathrel{...} and its family */
static int parse_class(struct math_parser *parser, size_t at,
                       enum math_class class, struct math **out) {
  struct math *body;
  if (math_parser_argument(parser, at, &body) != 0) return -1;
  *out = math_parser_node(parser, MATH_ROW, at);
  (*out)->class = class;
  (*out)->body = body;
  if (class == MATH_OP) (*out)->limits = MATH_LIMITS_AUTO;
  return 0;
}

static int parse_phantom(struct math_parser *parser, size_t at,
                         struct math **out) {
  *out = math_parser_node(parser, MATH_PHANTOM, at);
  return math_parser_argument(parser, at, &(*out)->body);
}

static int fail_misplaced(struct math_parser *parser, size_t at) {
  return math_parser_fail(parser, at, "\\%.*s does not belong here",
                          (int)(parser->at - at - 1), parser->text + at + 1);
}

/* Symbols and names, which take no argument. */
static struct math *simple_command(struct math_parser *parser, size_t at,
                                   const struct math_command *command) {
  struct math *node;
  switch (command->kind) {
  case COMMAND_SYMBOL:
    return math_parser_symbol(parser, at, command->code,
                              (enum math_class)command->value);
  case COMMAND_LARGE:
    node = math_parser_node(parser, MATH_SYMBOL, at);
    node->code = command->code;
    node->large = true;
    break;
  case COMMAND_OPERATOR:
    node = math_parser_node(parser, MATH_OPERATOR, at);
    node->text = command->spoken;
    break;
  case COMMAND_SPACE:
    node = math_parser_node(parser, MATH_SPACE, at);
    node->width = command->value;
    return node;
  case COMMAND_STYLE:
    node = math_parser_node(parser, MATH_STYLE, at);
    node->style = (enum math_style)command->value;
    node->body = math_parser_node(parser, MATH_ROW, at); /* as an argument */
    return node;
  default:
    return NULL;
  }
  node->class = MATH_OP;
  node->limits = (enum math_limits)command->value;
  return node;
}

int math_parser_apply(struct math_parser *parser, struct math **out) {
  size_t at = parser->at;
  const struct math_command *command;
  if (math_parser_read_command(parser, &command) != 0) return -1;
  *out = simple_command(parser, at, command);
  if (*out != NULL) return 0;
  switch (command->kind) {
  case COMMAND_ACCENT:
  case COMMAND_OVER:
  case COMMAND_UNDER:
    return parse_decoration(parser, at, command, out);
  case COMMAND_FRACTION:
  case COMMAND_BINOMIAL:
    return parse_fraction(parser, at, command, out);
  case COMMAND_ROOT:
    return parse_root(parser, at, out);
  case COMMAND_FONT:
    return parse_font(parser, at, (enum math_font)command->value, out);
  case COMMAND_TEXT:
    *out = math_parser_node(parser, MATH_TEXT, at);
    (*out)->font = (enum math_font)command->value;
    return parse_words(parser, at, *out);
  case COMMAND_BIG:
  case COMMAND_MIDDLE:
    return parse_delimiter(parser, at, command, out);
  case COMMAND_LEFT:
    return parse_left(parser, at, out);
  case COMMAND_BEGIN:
    return math_parser_environment(parser, at, out);
  case COMMAND_CLASS:
    return parse_class(parser, at, (enum math_class)command->value, out);
  case COMMAND_NOT:
    return parse_not(parser, at, out);
  case COMMAND_STACK:
    return parse_stack(parser, at, command->value == 1, out);
  case COMMAND_PHANTOM:
    return parse_phantom(parser, at, out);
  case COMMAND_NAME:
    return parse_name(parser, at, out);
  default:
    return fail_misplaced(parser, at);
  }
}
