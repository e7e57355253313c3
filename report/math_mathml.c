#include "report/math_mathml.h"

#include <string.h>

#include "report/base/utf8.h"
#include "report/html_text.h"
#include "report/math_symbols.h"

struct writer {
  struct buffer *out;
  bool display; /* TeX's display style; text style else, if level is 0 */
  int level;    /* 0, 1 script, 2 scriptscript */
};

/* Space on both sides, in mu, that an operator must ask for itself. */
struct gaps {
  int left, right;
};

static void write_node(struct writer *writer, const struct math *node,
                       struct gaps gaps);
static void write_row(struct writer *writer, const struct math *first);

static void write_code(struct buffer *out, uint32_t code) {
  struct buffer text = {0};
  utf8_append(&text, code);
  html_text(out, text.bytes);
  buffer_free(&text);
}

/* mu as em */
static void write_em(struct buffer *out, int mu) {
  buffer_printf(out, "%.4g%s", mu / 18.0, mu == 0 ? "" : "em");
}

static void write_space(struct writer *writer, int mu) {
  if (mu == 0) return;
  buffer_text(writer->out,
              mu > 0 ? "<mspace width=\"" : "<mspace style=\"margin-left:");
  write_em(writer->out, mu);
  buffer_text(writer->out, "\"/>");
}

/* ---- operators ------------------------------------------------------------*/

static bool is_letter(const struct math *node) {
  return math_is_latin(node->code) || math_is_small_greek(node->code) ||
         math_is_capital_greek(node->code);
}

/* Whether a symbol is an <mo>: all but identifiers and digits. */
static bool is_operator(const struct math *node) {
  if (node->class != MATH_ORD || node->large) return true;
  if (is_letter(node) || math_is_digit(node->code)) return false;
  if (math_is_delimiter(node->code) || node->code == 0x2032) return true;
  const struct math_command *command = math_command_of_code(node->code);
  return command == NULL || command->kind != COMMAND_SYMBOL ||
         command->value != MATH_ORD;
}

/* Whether the element is an operator or one with scripts, which MathML then
 * spaces by the operator's attributes. */
static bool has_operator_core(const struct math *node) {
  if (node->type == MATH_SCRIPTS) return has_operator_core(node->body);
  if (node->type == MATH_SYMBOL) return is_operator(node);
  return node->type == MATH_DELIMITER ||
         (node->type == MATH_OPERATOR && node->limits != MATH_LIMITS_SIDE);
}

/* Operators whose default space every browser has right between operands. */
static bool has_default_space(uint32_t code, struct gaps gaps) {
  if (gaps.left == 4 && gaps.right == 4) return code == '+' || code == 0x2212;
  if (gaps.left != 5 || gaps.right != 5) return false;
  return code == '=' || code == '<' || code == '>' || code == 0x2264 ||
         code == 0x2265 || code == 0x2260 || code == 0x2248 || code == 0x2208;
}

static void write_gaps(struct writer *writer, struct gaps gaps) {
  buffer_text(writer->out, " lspace=\"");
  write_em(writer->out, gaps.left);
  buffer_text(writer->out, "\" rspace=\"");
  write_em(writer->out, gaps.right);
  buffer_char(writer->out, '"');
}

static void write_operator(struct writer *writer, const struct math *node,
                           struct gaps gaps) {
  struct buffer *out = writer->out;
  buffer_text(out, "<mo");
  if (math_is_delimiter(node->code)) buffer_text(out, " stretchy=\"false\"");
  if (node->large && node->limits == MATH_LIMITS_ALWAYS)
    buffer_text(out, " movablelimits=\"false\"");
  if (!has_default_space(node->code, gaps) && node->code != 0x2032)
    write_gaps(writer, gaps);
  buffer_char(out, '>');
  write_code(out, node->code);
  buffer_text(out, "</mo>");
}

/* How high a delimiter is: as letters, a little higher (a larger letter, since
 * Chromium leaves wide gaps beside small delimiters that stretch), one of the
 * \big family, or as high as its row. */
enum height { HEIGHT_LETTER, HEIGHT_BIG, HEIGHT_BIGG_LAST = 4, HEIGHT_ROW };

static void write_delimiter(struct writer *writer, uint32_t code,
                            const char *form, int height, struct gaps gaps) {
  static const char *const sizes[] = {"", "", "1.8em", "2.4em", "3em"};
  struct buffer *out = writer->out;
  if (code == 0) return;
  buffer_printf(out, "<mo form=\"%s\" stretchy=\"%s\"", form,
                height <= HEIGHT_BIG ? "false" : "true");
  if (height == HEIGHT_BIG) buffer_text(out, " mathsize=\"120%\"");
  if (height > HEIGHT_BIG) buffer_text(out, " symmetric=\"true\"");
  if (height > HEIGHT_BIG && height <= HEIGHT_BIGG_LAST)
    buffer_printf(out, " minsize=\"%s\" maxsize=\"%s\"", sizes[height],
                  sizes[height]);
  write_gaps(writer, gaps);
  buffer_char(out, '>');
  write_code(out, code);
  buffer_text(out, "</mo>");
}

static const char *delimiter_form(enum math_class class) {
  if (class == MATH_OPEN) return "prefix";
  return class == MATH_CLOSE ? "postfix" : "infix";
}

/* ---- identifiers, numbers, words ------------------------------------------*/

static void write_symbol(struct writer *writer, const struct math *node,
                         struct gaps gaps) {
  struct buffer *out = writer->out;
  if (is_operator(node)) {
    write_operator(writer, node, gaps);
  } else if (math_is_digit(node->code)) {
    buffer_text(out, "<mn>");
    write_code(out, math_styled_code(node->code, node->font));
    buffer_text(out, "</mn>");
  } else {
    /* <mi> makes a single letter, nabla and partial italic of itself. */
    bool upright =
        node->font == MATH_UPRIGHT && (is_letter(node) || node->code == 0x2207);
    buffer_text(out, upright ? "<mi mathvariant=\"normal\">" : "<mi>");
    write_code(out, node->font == MATH_ITALIC
                        ? node->code
                        : math_styled_code(node->code, node->font));
    buffer_text(out, "</mi>");
  }
}

static void write_name(struct writer *writer, const struct math *node,
                       struct gaps gaps) {
  struct buffer *out = writer->out;
  bool movable = node->limits != MATH_LIMITS_SIDE;
  if (movable) {
    buffer_text(out, "<mo movablelimits=\"false\"");
    write_gaps(writer, gaps);
    buffer_char(out, '>');
  } else {
    buffer_text(out, strlen(node->text) == 1 ? "<mi mathvariant=\"normal\">"
                                             : "<mi>");
  }
  html_text(out, node->text);
  buffer_text(out, movable ? "</mo>" : "</mi>");
}

static void write_words(struct writer *writer, const struct math *node) {
  static const char *const styles[] = {[MATH_ITALIC] = "font-style:italic",
                                       [MATH_BOLD] = "font-weight:bold",
                                       [MATH_SANS] = "font-family:sans-serif",
                                       [MATH_MONO] = "font-family:monospace"};
  struct buffer *out = writer->out;
  size_t length = strlen(node->text);
  bool styled =
      node->font < sizeof styles / sizeof *styles && styles[node->font] != NULL;
  buffer_text(out, "<mtext");
  if (styled) buffer_printf(out, " style=\"%s\"", styles[node->font]);
  buffer_char(out, '>');
  /* Blanks at the ends of mtext vanish: no-break spaces stay. */
  size_t lead = strspn(node->text, " "), trail = length;
  while (trail > lead && node->text[trail - 1] == ' ')
    trail--;
  struct buffer middle = {0};
  buffer_add(&middle, node->text + lead, trail - lead);
  for (size_t i = 0; i < lead; i++)
    buffer_text(out, "\u00a0");
  html_text(out, middle.bytes == NULL ? "" : middle.bytes);
  for (size_t i = trail; i < length; i++)
    buffer_text(out, "\u00a0");
  buffer_free(&middle);
  buffer_text(out, "</mtext>");
}

/* ---- styles ---------------------------------------------------------------*/

/* Children are written in the style of scripts, or of a fraction's parts. */
static struct writer script_writer(const struct writer *writer) {
  int level = writer->level < 2 ? writer->level + 1 : 2;
  return (struct writer){writer->out, false, level};
}

static struct writer fraction_writer(const struct writer *writer) {
  if (!writer->display) return script_writer(writer);
  return (struct writer){writer->out, false, 0};
}

/* Open <mstyle> where `style` differs from the current one; returns the writer
 * for what is inside. */
static struct writer open_style(const struct writer *writer,
                                enum math_style style, bool *opened) {
  struct writer inside = *writer;
  inside.display = style == MATH_DISPLAY;
  inside.level = style >= MATH_SCRIPT ? (int)style - MATH_TEXT_STYLE : 0;
  *opened = style != MATH_INHERIT && (inside.display != writer->display ||
                                      inside.level != writer->level);
  if (!*opened) return *writer;
  buffer_printf(writer->out, "<mstyle displaystyle=\"%s\" scriptlevel=\"%d\">",
                inside.display ? "true" : "false", inside.level);
  return inside;
}

static void close_style(const struct writer *writer, bool opened) {
  if (opened) buffer_text(writer->out, "</mstyle>");
}

/* ---- numbers --------------------------------------------------------------*/

static bool is_digit_symbol(const struct math *node) {
  return node != NULL && node->type == MATH_SYMBOL &&
         math_is_digit(node->code) && node->font == MATH_UPRIGHT;
}

/* What follows the digits (and a point between digits) that start here. */
static const struct math *after_number(const struct math *node) {
  while (node != NULL) {
    bool point = node->type == MATH_SYMBOL && node->code == '.' &&
                 is_digit_symbol(node->next);
    if (!point && !is_digit_symbol(node)) break;
    node = node->next;
  }
  return node;
}

/* ---- structures -----------------------------------------------------------*/

/* The elements of a row, or the one element. */
static void write_content(struct writer *writer, const struct math *node) {
  if (node->type == MATH_ROW)
    write_row(writer, node->body);
  else
    write_node(writer, node, (struct gaps){0, 0});
}

/* Exactly one MathML element. */
static void write_one(struct writer *writer, const struct math *node) {
  const struct math *only = node->type == MATH_ROW ? node->body : NULL;
  bool single = only != NULL && only->type != MATH_SPACE &&
                only->type != MATH_STYLE &&
                (only->next == NULL || after_number(only) == NULL);
  if (single)
    write_row(writer, only);
  else
    write_node(writer, node, (struct gaps){0, 0});
}

static void write_fraction(struct writer *writer, const struct math *node) {
  bool opened;
  struct writer inside = open_style(writer, node->style, &opened);
  struct writer parts = fraction_writer(&inside);
  buffer_text(writer->out,
              node->bar ? "<mfrac>" : "<mfrac linethickness=\"0\">");
  write_one(&parts, node->body);
  write_one(&parts, node->below);
  buffer_text(writer->out, "</mfrac>");
  close_style(writer, opened);
}

static void write_root(struct writer *writer, const struct math *node) {
  struct buffer *out = writer->out;
  if (node->above == NULL) {
    buffer_text(out, "<msqrt>");
    write_content(writer, node->body);
    buffer_text(out, "</msqrt>");
    return;
  }
  struct writer degree = {out, false, 2};
  buffer_text(out, "<mroot>");
  write_one(writer, node->body);
  write_one(&degree, node->above);
  buffer_text(out, "</mroot>");
}

static const char *scripts_element(const struct math *node, bool limits) {
  if (node->above == NULL) return limits ? "munder" : "msub";
  if (node->below == NULL) return limits ? "mover" : "msup";
  return limits ? "munderover" : "msubsup";
}

static bool is_prime(const struct math *node) {
  return node->type == MATH_SYMBOL && node->code == 0x2032;
}

static bool is_primes(const struct math *node) {
  if (node->type != MATH_ROW) return is_prime(node);
  const struct math *part = node->body;
  while (part != NULL && is_prime(part))
    part = part->next;
  return node->body != NULL && part == NULL;
}

/* The prime is raised in all fonts: a superscript would raise it twice. */
static void write_primed(struct writer *writer, const struct math *node) {
  static const char *const marks[] = {"\u2032", "\u2033", "\u2034"};
  size_t count = 0;
  if (node->above->type == MATH_ROW)
    for (struct math *part = node->above->body->next; part; part = part->next)
      count++;
  buffer_text(writer->out, "<mrow>");
  write_content(writer, node->body);
  for (; count > 2; count -= 3)
    buffer_text(writer->out, "<mo>\u2034</mo>");
  buffer_printf(writer->out, "<mo>%s</mo></mrow>", marks[count]);
}

/* Digits that stand before the nucleus of `10^6` belong to its number. */
static void write_scripts(struct writer *writer, const struct math *node,
                          const struct math *digits, struct gaps gaps) {
  struct buffer *out = writer->out;
  bool limits = node->limits == MATH_LIMITS_ALWAYS ||
                (node->limits == MATH_LIMITS_AUTO && writer->display);
  const char *element = scripts_element(node, limits);
  bool primes = !limits && node->above != NULL && is_primes(node->above);
  if (primes && digits == NULL && node->below == NULL) {
    write_primed(writer, node);
    return;
  }
  struct writer script = script_writer(writer);
  buffer_printf(out, "<%s>", element);
  if (digits != NULL) {
    buffer_text(out, "<mn>");
    for (; digits != node; digits = digits->next)
      write_code(out, digits->code);
    write_code(out, node->body->code);
    buffer_text(out, "</mn>");
  } else if (has_operator_core(node->body)) {
    write_node(writer, node->body, gaps);
  } else {
    write_one(writer, node->body);
  }
  if (node->below != NULL) write_one(&script, node->below);
  /* The prime is raised in all fonts, here once more: lower it. */
  if (primes) buffer_text(out, "<mpadded voffset=\"-0.4em\">");
  if (node->above != NULL) write_one(&script, node->above);
  if (primes) buffer_text(out, "</mpadded>");
  buffer_printf(out, "</%s>", element);
}

/* The spacing form of a combining accent: combining ones stretch well, but are
 * misplaced where they do not stretch. */
static uint32_t accent_code(uint32_t combining) {
  static const uint32_t pairs[][2] = {
      {0x302, 0x2C6}, {0x304, 0xAF}, {0x303, 0x2DC}, {0x20D7, 0x2192},
      {0x307, 0x2D9}, {0x308, 0xA8}, {0x30C, 0x2C7}, {0x306, 0x2D8},
      {0x301, 0xB4},  {0x300, '`'},  {0x30A, 0x2DA}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i][0] == combining) return pairs[i][1];
  return combining;
}

/* A line above or below is a border: fonts lack one that stretches. */
static void write_line(struct writer *writer, const struct math *node) {
  buffer_printf(writer->out, "<mrow class=\"%s\">",
                node->type == MATH_OVER ? "overline" : "underline");
  write_content(writer, node->body);
  buffer_text(writer->out, "</mrow>");
}

static void write_decoration(struct writer *writer, const struct math *node) {
  struct buffer *out = writer->out;
  const char *element = node->type == MATH_UNDER ? "munder" : "mover";
  bool accent = node->type == MATH_ACCENT;
  if (node->code == 0x203E || node->code == 0x5F) {
    write_line(writer, node);
    return;
  }
  buffer_printf(out, "<%s%s>", element, accent ? " accent=\"true\"" : "");
  write_one(writer, node->body);
  buffer_printf(out, "<mo stretchy=\"%s\"%s>",
                node->stretchy ? "true" : "false",
                node->code == 0x20D7 ? " mathsize=\"70%\"" : "");
  write_code(out, node->stretchy ? node->code : accent_code(node->code));
  buffer_printf(out, "</mo></%s>", element);
}

static enum height needed_height(const struct math *node);

static enum height row_height(const struct math *first) {
  enum height most = HEIGHT_LETTER;
  for (const struct math *node = first; node != NULL; node = node->next) {
    enum height height = needed_height(node);
    if (height > most) most = height;
  }
  return most;
}

/* The height of delimiters around an element. */
static enum height needed_height(const struct math *node) {
  switch (node->type) {
  case MATH_ROW:
    return row_height(node->body);
  case MATH_SYMBOL:
    return node->large ? HEIGHT_ROW : HEIGHT_LETTER;
  case MATH_OPERATOR:
  case MATH_TEXT:
  case MATH_SPACE:
    return HEIGHT_LETTER;
  case MATH_ACCENT:
    return needed_height(node->body);
  case MATH_SCRIPTS:
    if (node->limits != MATH_LIMITS_SIDE) return HEIGHT_ROW;
    return needed_height(node->body) == HEIGHT_ROW ? HEIGHT_ROW : HEIGHT_BIG;
  default:
    return HEIGHT_ROW;
  }
}

static void write_fence(struct writer *writer, const struct math *node) {
  struct gaps none = {0, 0};
  enum height height = needed_height(node->body);
  buffer_text(writer->out, "<mrow>");
  write_delimiter(writer, node->left, "prefix", height, none);
  write_content(writer, node->body);
  write_delimiter(writer, node->right, "postfix", height, none);
  buffer_text(writer->out, "</mrow>");
}

static void write_table(struct writer *writer, const struct math *node) {
  static const char *const classes[] = {
      [MATH_MATRIX] = "matrix",   [MATH_SMALL_MATRIX] = "smallmatrix",
      [MATH_ARRAY] = "matrix",    [MATH_CASES] = "cases",
      [MATH_ALIGNED] = "aligned", [MATH_GATHERED] = "aligned"};
  bool display = node->table == MATH_ALIGNED || node->table == MATH_GATHERED;
  bool small = node->table == MATH_SMALL_MATRIX;
  struct writer cell = {writer->out, display, small ? 1 : writer->level};
  struct buffer *out = writer->out;
  buffer_printf(out, "<mtable class=\"%s\"%s>", classes[node->table],
                display ? " displaystyle=\"true\""
                : small ? " displaystyle=\"false\" scriptlevel=\"1\""
                        : "");
  for (size_t i = 0; i < node->rows; i++) {
    buffer_text(out, "<mtr>");
    for (size_t j = 0; j < node->columns; j++) {
      buffer_printf(out, "<mtd class=\"%c\">", node->align[j]);
      write_row(&cell, node->cells[i * node->columns + j]->body);
      buffer_text(out, "</mtd>");
    }
    buffer_text(out, "</mtr>");
  }
  buffer_text(out, "</mtable>");
}

static void write_group(struct writer *writer, const struct math *node,
                        const char *element) {
  buffer_printf(writer->out, "<%s>", element);
  if (node->type == MATH_PHANTOM)
    write_one(writer, node->body);
  else
    write_row(writer, node->body);
  buffer_printf(writer->out, "</%s>", element);
}

static void write_style(struct writer *writer, const struct math *node) {
  bool opened;
  struct writer inside = open_style(writer, node->style, &opened);
  if (!opened) buffer_text(writer->out, "<mrow>");
  write_row(&inside, node->body->body);
  if (!opened) buffer_text(writer->out, "</mrow>");
  close_style(writer, opened);
}

static void write_node(struct writer *writer, const struct math *node,
                       struct gaps gaps) {
  switch (node->type) {
  case MATH_ROW:
    write_group(writer, node, "mrow");
    break;
  case MATH_SYMBOL:
    write_symbol(writer, node, gaps);
    break;
  case MATH_OPERATOR:
    write_name(writer, node, gaps);
    break;
  case MATH_TEXT:
    write_words(writer, node);
    break;
  case MATH_SPACE:
    write_space(writer, node->width);
    break;
  case MATH_FRACTION:
    write_fraction(writer, node);
    break;
  case MATH_ROOT:
    write_root(writer, node);
    break;
  case MATH_SCRIPTS:
    write_scripts(writer, node, NULL, gaps);
    break;
  case MATH_ACCENT:
  case MATH_OVER:
  case MATH_UNDER:
    write_decoration(writer, node);
    break;
  case MATH_FENCED:
    write_fence(writer, node);
    break;
  case MATH_DELIMITER:
    write_delimiter(writer, node->code, delimiter_form(node->class),
                    node->size > 0 ? node->size : HEIGHT_ROW, gaps);
    break;
  case MATH_TABLE:
    write_table(writer, node);
    break;
  case MATH_STYLE:
    write_style(writer, node);
    break;
  case MATH_PHANTOM:
    write_group(writer, node, "mphantom");
    break;
  }
}

/* ---- rows -----------------------------------------------------------------*/

static const struct math *next_atom(const struct math *node) {
  do
    node = node->next;
  while (node != NULL && node->type == MATH_SPACE);
  return node;
}

/* The number that starts at `node`, with the scripts of its last digit;
 * returns its last element. */
static const struct math *write_digits(struct writer *writer,
                                       const struct math *node) {
  const struct math *end = after_number(node);
  bool scripted =
      end != NULL && end->type == MATH_SCRIPTS && is_digit_symbol(end->body);
  if (scripted) {
    write_scripts(writer, end, node, (struct gaps){0, 0});
    return end;
  }
  buffer_text(writer->out, "<mn>");
  write_code(writer->out, node->code);
  for (; node->next != end; node = node->next)
    write_code(writer->out, node->next->code);
  buffer_text(writer->out, "</mn>");
  return node;
}

static void write_row(struct writer *writer, const struct math *first) {
  int owed = 0; /* to the left of the next atom */
  for (const struct math *node = first; node != NULL; node = node->next) {
    if (node->type == MATH_SPACE) {
      write_space(writer, node->width);
      continue;
    }
    struct gaps gaps = {owed, 0};
    bool core = has_operator_core(node);
    if (!core) write_space(writer, owed);
    const struct math *last = node;
    if (is_digit_symbol(node)) last = write_digits(writer, node);
    const struct math *after = next_atom(last);
    owed = after == NULL
               ? 0
               : math_spacing(last->class, after->class, writer->level > 0);
    if (core) {
      gaps.right = owed;
      owed = 0;
    }
    if (!is_digit_symbol(node)) write_node(writer, node, gaps);
    node = last;
  }
}

void math_mathml(const struct math_formula *formula, struct buffer *out) {
  struct writer writer = {out, formula->display, 0};
  struct buffer reading = {0};
  math_speak(formula, &reading);
  buffer_printf(out, "<math%s alttext=\"",
                formula->display ? " display=\"block\"" : "");
  html_text(out, reading.bytes == NULL ? "" : reading.bytes);
  buffer_text(out, "\">");
  buffer_free(&reading);
  write_row(&writer, formula->root->body);
  buffer_text(out, "</math>");
}
