/* A formula read aloud in English, in the way of a lecturer who says where
 * long parts end: "fraction x minus mu over sigma end fraction". */
#include <string.h>

#include "report/base/utf8.h"
#include "report/math.h"
#include "report/math_symbols.h"

static void say_node(const struct math *node, struct buffer *out);
static void say_row(const struct math *first, struct buffer *out);

static void say(struct buffer *out, const char *words) {
  if (*words == 0) return;
  bool joined = out->length == 0 || *words == ',' || *words == ';';
  if (!joined) buffer_char(out, ' ');
  buffer_text(out, words);
}

static void say_code(struct buffer *out, uint32_t code) {
  struct buffer text = {0};
  utf8_append(&text, code);
  say(out, text.bytes);
  buffer_free(&text);
}

/* Words without the blanks around them. */
static void say_words(const char *text, struct buffer *out) {
  text += strspn(text, " ");
  say(out, text);
  while (out->length > 0 && out->bytes[out->length - 1] == ' ')
    out->length--;
}

/* A part that needs no words to say where it ends. */
static bool is_short(const struct math *node) {
  if (node->type == MATH_ROW) {
    const struct math *part = node->body;
    if (part == NULL || part->next == NULL)
      return part == NULL || is_short(part);
    for (; part != NULL; part = part->next)
      if (part->type != MATH_SYMBOL || !math_is_digit(part->code)) return false;
    return true;
  }
  return node->type == MATH_SYMBOL || node->type == MATH_TEXT ||
         (node->type == MATH_ACCENT && is_short(node->body));
}

/* ---- symbols ------------------------------------------------------------- */

static const char *character_words(uint32_t code) {
  static const struct {
    uint32_t code;
    const char *words;
  } table[] = {{'+', "plus"},
               {0x2212, "minus"},
               {0x2217, "star"},
               {'=', "equals"},
               {'<', "is less than"},
               {'>', "is greater than"},
               {'/', "divided by"},
               {'!', "factorial"},
               {'(', "open paren"},
               {')', "close paren"},
               {'[', "open bracket"},
               {']', "close bracket"},
               {'|', "bar"},
               {':', "colon"},
               {0x2032, "prime"},
               {0x226E, "is not less than"},
               {0x226F, "is not more than"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].code == code) return table[i].words;
  return NULL;
}

static const char *code_words(uint32_t code) {
  const char *words = character_words(code);
  if (words != NULL) return words;
  const struct math_command *command = math_command_of_code(code);
  if (command == NULL) return NULL;
  return command->spoken != NULL ? command->spoken : command->name;
}

static void say_symbol(const struct math *node, struct buffer *out) {
  static const char *const fonts[] = {[MATH_BOLD] = "bold",
                                      [MATH_BOLD_ITALIC] = "bold",
                                      [MATH_BLACKBOARD] = "blackboard",
                                      [MATH_CALLIGRAPHIC] = "script",
                                      [MATH_FRAKTUR] = "fraktur",
                                      [MATH_MONO] = NULL};
  if (node->font < sizeof fonts / sizeof *fonts && fonts[node->font] != NULL)
    say(out, fonts[node->font]);
  const char *words = code_words(node->code);
  if (words != NULL)
    say(out, words);
  else
    say_code(out, node->code);
}

/* ---- structures ---------------------------------------------------------- */

static void say_between(const char *before, const struct math *node,
                        const char *after, struct buffer *out) {
  say(out, before);
  say_node(node, out);
  if (!is_short(node)) say(out, after);
}

static void say_fraction(const struct math *node, struct buffer *out) {
  bool brief = is_short(node->body) && is_short(node->below);
  const char *word = node->bar ? "over" : "choose";
  if (!brief) say(out, node->bar ? "fraction" : "binomial");
  say_node(node->body, out);
  say(out, word);
  say_node(node->below, out);
  if (!brief) say(out, node->bar ? "end fraction" : "end binomial");
}

static void say_root(const struct math *node, struct buffer *out) {
  if (node->above == NULL) {
    say(out, "square root of");
  } else {
    say(out, "root of degree");
    say_node(node->above, out);
    say(out, "of");
  }
  say_node(node->body, out);
  if (!is_short(node->body)) say(out, "end root");
}

static bool is_code(const struct math *node, uint32_t code) {
  return node->type == MATH_SYMBOL && node->code == code;
}

static void say_superscript(const struct math *script, struct buffer *out) {
  if (is_code(script, '2'))
    say(out, "squared");
  else if (is_code(script, '3'))
    say(out, "cubed");
  else if (is_code(script, 0x22A4))
    say(out, "transpose");
  else if (is_code(script, 0x2217))
    say(out, "star");
  else if (math_is_primes(script))
    say_node(script, out);
  else
    say_between("to the power", script, "end power", out);
}

static bool is_brace(const struct math *node) {
  return (node->type == MATH_OVER || node->type == MATH_UNDER) &&
         node->code >= 0x23DE;
}

/* A sum or integral: "sum from i equals 1 to n of". */
static void say_limits(const struct math *node, struct buffer *out) {
  say_node(node->body, out);
  if (node->below != NULL) {
    say(out, node->above != NULL ? "from" : "over");
    say_node(node->below, out);
  }
  if (node->above != NULL) {
    say(out, node->below != NULL ? "to" : "up to");
    say_node(node->above, out);
  }
  say(out, "of");
}

static void say_script_words(const struct math *node, struct buffer *out) {
  bool stacked = node->limits == MATH_LIMITS_ALWAYS;
  if (node->below != NULL)
    say_between(stacked ? "with below it" : "sub", node->below, "end sub", out);
  if (node->above == NULL) return;
  if (stacked)
    say_between("with above it", node->above, "", out);
  else
    say_superscript(node->above, out);
}

static void say_scripts(const struct math *node, struct buffer *out) {
  const struct math *body = node->body;
  if (is_brace(body)) {
    say_node(body->body, out);
    say_between("braced as", node->below != NULL ? node->below : node->above,
                "", out);
  } else if (body->class == MATH_OP &&
             (body->large || node->limits != MATH_LIMITS_SIDE)) {
    say_limits(node, out);
  } else {
    say_node(body, out);
    say_script_words(node, out);
  }
}

static void say_decoration(const struct math *node, struct buffer *out) {
  if (!is_short(node->body)) say(out, "the group");
  say_node(node->body, out);
  if (!is_short(node->body)) say(out, "with");
  say(out, node->code == 0x5F ? "underlined" : code_words(node->code));
}

static void say_fence(const struct math *node, struct buffer *out) {
  bool same = node->left == node->right;
  const char *open = node->left != 0 ? code_words(node->left) : "";
  const char *close = node->right != 0 ? code_words(node->right) : "";
  if (same && node->left == '|')
    open = "absolute value of", close = "end value";
  if (same && node->left == 0x2016) open = "norm of", close = "end norm";
  bool quiet = node->body->type == MATH_TABLE ||
               (node->body->type == MATH_FRACTION && !node->body->bar);
  if (quiet) open = close = "";
  say(out, open != NULL ? open : "");
  say_node(node->body, out);
  say(out, close != NULL ? close : "");
}

static void say_table(const struct math *node, struct buffer *out) {
  bool lines = node->table == MATH_ALIGNED || node->table == MATH_GATHERED;
  if (node->table == MATH_CASES)
    say(out, "cases:");
  else if (!lines)
    buffer_printf(out, "%smatrix of %zu rows and %zu columns:",
                  out->length > 0 ? " " : "", node->rows, node->columns);
  for (size_t i = 0; i < node->rows * node->columns; i++) {
    bool starts = i % node->columns == 0;
    if (i > 0 && starts) say(out, ";");
    if (!starts && !lines) say(out, ",");
    say_row(node->cells[i]->body, out);
  }
}

static void say_node(const struct math *node, struct buffer *out) {
  switch (node->type) {
  case MATH_ROW:
    say_row(node->body, out);
    break;
  case MATH_SYMBOL:
  case MATH_DELIMITER:
    say_symbol(node, out);
    break;
  case MATH_OPERATOR:
  case MATH_TEXT:
    say_words(node->text, out);
    break;
  case MATH_FRACTION:
    say_fraction(node, out);
    break;
  case MATH_ROOT:
    say_root(node, out);
    break;
  case MATH_SCRIPTS:
    say_scripts(node, out);
    break;
  case MATH_ACCENT:
  case MATH_OVER:
  case MATH_UNDER:
    say_decoration(node, out);
    break;
  case MATH_FENCED:
    say_fence(node, out);
    break;
  case MATH_TABLE:
    say_table(node, out);
    break;
  case MATH_STYLE:
    say_row(node->body->body, out);
    break;
  case MATH_SPACE:
  case MATH_PHANTOM:
    break;
  }
}

static bool is_digit(const struct math *node) {
  return node->type == MATH_SYMBOL && node->font == MATH_UPRIGHT &&
         math_is_digit(node->code);
}

/* Digits follow each other without blanks, the last one with its scripts. */
static void say_row(const struct math *first, struct buffer *out) {
  bool number = false; /* what was said last ends with a digit or point */
  for (const struct math *node = first; node != NULL; node = node->next) {
    bool point = node->type == MATH_SYMBOL && node->code == '.';
    const struct math *digit = node->type == MATH_SCRIPTS ? node->body : node;
    bool joins = point || (number && is_digit(digit));
    if (joins) buffer_char(out, point ? '.' : (char)digit->code);
    if (joins && node->type == MATH_SCRIPTS)
      say_script_words(node, out);
    else if (!joins)
      say_node(node, out);
    number = is_digit(node) || (point && number);
  }
}

void math_speak(const struct math_formula *formula, struct buffer *out) {
  struct buffer reading = {0};
  say_row(formula->root->body, &reading);
  if (reading.length > 0) buffer_add(out, reading.bytes, reading.length);
  buffer_free(&reading);
}
