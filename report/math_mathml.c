#include "report/math_mathml.h"

#include <string.h>

#include "report/html_text.h"
#include "report/math_mathml_writer.h"
#include "report/math_symbols.h"

static void write_node(struct mathml_writer *writer, const struct math *node,
                       struct mathml_gaps gaps);
static void write_row(struct mathml_writer *writer, const struct math *first);

/* ---- styles -------------------------------------------------------------- */

/* Children are written in the style of scripts, or of a fraction's parts. */
static struct mathml_writer script_writer(const struct mathml_writer *writer) {
  int level = writer->level < 2 ? writer->level + 1 : 2;
  return (struct mathml_writer){.out = writer->out, .level = level};
}

static struct mathml_writer
fraction_writer(const struct mathml_writer *writer) {
  if (!writer->display) return script_writer(writer);
  return (struct mathml_writer){.out = writer->out};
}

/* Open <mstyle> where `style` differs from the current one; returns the writer
 * for what is inside. */
static struct mathml_writer open_style(const struct mathml_writer *writer,
                                       enum math_style style, bool *opened) {
  struct mathml_writer inside = *writer;
  inside.display = style == MATH_DISPLAY;
  inside.level = style >= MATH_SCRIPT ? (int)style - MATH_TEXT_STYLE : 0;
  *opened = style != MATH_INHERIT && (inside.display != writer->display ||
                                      inside.level != writer->level);
  if (!*opened) return *writer;
  buffer_printf(writer->out, "<mstyle displaystyle=\"%s\" scriptlevel=\"%d\">",
                inside.display ? "true" : "false", inside.level);
  return inside;
}

static void close_style(const struct mathml_writer *writer, bool opened) {
  if (opened) buffer_text(writer->out, "</mstyle>");
}

/* ---- numbers ------------------------------------------------------------- */

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

/* ---- structures ---------------------------------------------------------- */

/* The elements of a row, or the one element. */
static void write_content(struct mathml_writer *writer,
                          const struct math *node) {
  if (node->type == MATH_ROW)
    write_row(writer, node->body);
  else
    write_node(writer, node, (struct mathml_gaps){0, 0});
}

/* Exactly one MathML element. */
static void write_one(struct mathml_writer *writer, const struct math *node) {
  const struct math *only = node->type == MATH_ROW ? node->body : NULL;
  bool single = only != NULL && only->type != MATH_SPACE &&
                only->type != MATH_STYLE &&
                (only->next == NULL || after_number(only) == NULL);
  if (single)
    write_row(writer, only);
  else
    write_node(writer, node, (struct mathml_gaps){0, 0});
}

static void write_fraction(struct mathml_writer *writer,
                           const struct math *node) {
  bool opened;
  struct mathml_writer inside = open_style(writer, node->style, &opened);
  struct mathml_writer parts = fraction_writer(&inside);
  buffer_text(writer->out,
              node->bar ? "<mfrac>" : "<mfrac linethickness=\"0\">");
  write_one(&parts, node->body);
  write_one(&parts, node->below);
  buffer_text(writer->out, "</mfrac>");
  close_style(writer, opened);
}

static void write_root(struct mathml_writer *writer, const struct math *node) {
  struct buffer *out = writer->out;
  if (node->above == NULL) {
    buffer_text(out, "<msqrt>");
    write_content(writer, node->body);
    buffer_text(out, "</msqrt>");
    return;
  }
  struct mathml_writer degree = {.out = out, .level = 2};
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

/* The prime is raised in all fonts: a superscript would raise it twice. */
static void write_primed(struct mathml_writer *writer,
                         const struct math *node) {
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
static void write_scripts(struct mathml_writer *writer, const struct math *node,
                          const struct math *digits, struct mathml_gaps gaps) {
  struct buffer *out = writer->out;
  bool limits = node->limits == MATH_LIMITS_ALWAYS ||
                (node->limits == MATH_LIMITS_AUTO && writer->display);
  const char *element = scripts_element(node, limits);
  bool primes = !limits && node->above != NULL && math_is_primes(node->above);
  if (primes && digits == NULL && node->below == NULL) {
    write_primed(writer, node);
    return;
  }
  struct mathml_writer script = script_writer(writer);
  buffer_printf(out, "<%s>", element);
  if (digits != NULL) {
    mathml_open_number(out, digits);
    for (; digits != node; digits = digits->next)
      mathml_code(out, digits->code);
    mathml_code(out, node->body->code);
    buffer_text(out, "</mn>");
  } else if (mathml_has_operator(node->body)) {
    write_node(writer, node->body, gaps);
  } else {
    write_one(writer, node->body);
  }
  if (node->below != NULL) write_one(&script, node->below);
  /* The prime is raised in all fonts, here once more: lower it. */
  if (primes) buffer_text(out, "<mpadded voffset=\"-0.25em\">");
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
static void write_line(struct mathml_writer *writer, const struct math *node) {
  buffer_printf(writer->out, "<mrow class=\"%s\">",
                node->type == MATH_OVER ? "overline" : "underline");
  write_content(writer, node->body);
  buffer_text(writer->out, "</mrow>");
}

static void write_decoration(struct mathml_writer *writer,
                             const struct math *node) {
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
  mathml_code(out, node->stretchy ? node->code : accent_code(node->code));
  buffer_printf(out, "</mo></%s>", element);
}

static enum mathml_height needed_height(const struct math *node);

static enum mathml_height row_height(const struct math *first) {
  enum mathml_height most = MATHML_HEIGHT_LETTER;
  for (const struct math *node = first; node != NULL; node = node->next) {
    enum mathml_height height = needed_height(node);
    if (height > most) most = height;
  }
  return most;
}

/* The height of delimiters around an element. */
static enum mathml_height needed_height(const struct math *node) {
  switch (node->type) {
  case MATH_ROW:
    return row_height(node->body);
  case MATH_SYMBOL:
    return node->large ? MATHML_HEIGHT_ROW : MATHML_HEIGHT_LETTER;
  case MATH_OPERATOR:
  case MATH_TEXT:
  case MATH_SPACE:
    return MATHML_HEIGHT_LETTER;
  case MATH_ACCENT:
    return needed_height(node->body);
  case MATH_SCRIPTS:
    if (node->limits != MATH_LIMITS_SIDE) return MATHML_HEIGHT_ROW;
    return needed_height(node->body) == MATHML_HEIGHT_ROW ? MATHML_HEIGHT_ROW
                                                          : MATHML_HEIGHT_BIG;
  default:
    return MATHML_HEIGHT_ROW;
  }
}

static void write_fence(struct mathml_writer *writer, const struct math *node) {
  struct mathml_gaps none = {0, 0};
  enum mathml_height height = needed_height(node->body);
  buffer_text(writer->out, "<mrow>");
  mathml_delimiter(writer, node->left, "prefix", height, none);
  write_content(writer, node->body);
  mathml_delimiter(writer, node->right, "postfix", height, none);
  buffer_text(writer->out, "</mrow>");
}

static void write_table(struct mathml_writer *writer, const struct math *node) {
  static const char *const classes[] = {
      [MATH_MATRIX] = "matrix",   [MATH_SMALL_MATRIX] = "smallmatrix",
      [MATH_ARRAY] = "matrix",    [MATH_CASES] = "cases",
      [MATH_ALIGNED] = "aligned", [MATH_GATHERED] = "aligned"};
  bool display = node->table == MATH_ALIGNED || node->table == MATH_GATHERED;
  bool small = node->table == MATH_SMALL_MATRIX;
  struct mathml_writer cell = {.out = writer->out,
                               .display = display,
                               .level = small ? 1 : writer->level};
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

static void write_group(struct mathml_writer *writer, const struct math *node,
                        const char *element) {
  buffer_printf(writer->out, "<%s>", element);
  if (node->type == MATH_PHANTOM)
    write_one(writer, node->body);
  else
    write_row(writer, node->body);
  buffer_printf(writer->out, "</%s>", element);
}

static void write_style(struct mathml_writer *writer, const struct math *node) {
  bool opened;
  struct mathml_writer inside = open_style(writer, node->style, &opened);
  if (!opened) buffer_text(writer->out, "<mrow>");
  write_row(&inside, node->body->body);
  if (!opened) buffer_text(writer->out, "</mrow>");
  close_style(writer, opened);
}

static void write_node(struct mathml_writer *writer, const struct math *node,
                       struct mathml_gaps gaps) {
  switch (node->type) {
  case MATH_ROW:
    write_group(writer, node, "mrow");
    break;
  case MATH_SYMBOL:
    mathml_symbol(writer, node, gaps);
    break;
  case MATH_OPERATOR:
    mathml_name(writer, node, gaps);
    break;
  case MATH_TEXT:
    mathml_words(writer, node);
    break;
  case MATH_SPACE:
    mathml_space(writer, node->width);
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
    mathml_delimiter(writer, node->code, mathml_delimiter_form(node->class),
                     node->size > 0 ? node->size : MATHML_HEIGHT_ROW, gaps);
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

/* ---- rows ---------------------------------------------------------------- */

static const struct math *next_atom(const struct math *node) {
  do
    node = node->next;
  while (node != NULL && node->type == MATH_SPACE);
  return node;
}

/* The number that starts at `node`, with the scripts of its last digit;
 * returns its last element. */
static const struct math *write_digits(struct mathml_writer *writer,
                                       const struct math *node) {
  const struct math *end = after_number(node);
  bool scripted =
      end != NULL && end->type == MATH_SCRIPTS && is_digit_symbol(end->body);
  if (scripted) {
    write_scripts(writer, end, node, (struct mathml_gaps){0, 0});
    return end;
  }
  mathml_open_number(writer->out, node);
  mathml_code(writer->out, node->code);
  for (; node->next != end; node = node->next)
    mathml_code(writer->out, node->next->code);
  buffer_text(writer->out, "</mn>");
  return node;
}

/* Browsers know no italic correction: an f leans into a delimiter behind it. */
static int correction(const struct math *node, const struct math *after) {
  bool leans = node->type == MATH_SYMBOL && node->code == 'f' &&
               node->font == MATH_ITALIC;
  return leans && after != NULL && after->type == MATH_SYMBOL &&
         math_is_delimiter(after->code);
}

/* Browsers do not break lines in a formula: a long one is cut into pieces. */
static const char piece_break[] = "</math><wbr><math aria-hidden=\"true\">";

/* Whether a line may end behind the element. */
static bool may_break(const struct math *node, enum math_class last_break) {
  return last_break != MATH_ORD &&
         (node->class == MATH_REL ||
          (node->class == MATH_BIN && last_break == MATH_BIN));
}

static void write_row(struct mathml_writer *writer, const struct math *first) {
  enum math_class last_break = writer->last_break;
  writer->last_break = MATH_ORD;
  int owed = 0; /* to the left of the next atom */
  for (const struct math *node = first; node != NULL; node = node->next) {
    if (node->type == MATH_SPACE) {
      mathml_space(writer, node->width);
      continue;
    }
    struct mathml_gaps gaps = {owed, 0};
    bool core = mathml_has_operator(node);
    if (!core) mathml_space(writer, owed);
    const struct math *last = node;
    if (is_digit_symbol(node)) last = write_digits(writer, node);
    const struct math *after = next_atom(last);
    owed = after == NULL
               ? 0
               : math_spacing(last->class, after->class, writer->level > 0) +
                     correction(last, after);
    if (core) {
      gaps.right = owed;
      owed = 0;
    }
    if (!is_digit_symbol(node)) write_node(writer, node, gaps);
    if (core && after != NULL && may_break(node, last_break))
      buffer_text(writer->out, piece_break);
    node = last;
  }
}

/* ---- formulas ------------------------------------------------------------ */

static int row_width(const struct math *first);

static int larger(int a, int b) {
  return a > b ? a : b;
}

/* About how wide an element is, in fifths of an em. */
static int node_width(const struct math *node) {
  if (node == NULL) return 0;
  int scripts = larger(node_width(node->above), node_width(node->below));
  switch (node->type) {
  case MATH_ROW:
  case MATH_STYLE:
    return node->body == NULL ? 0 : row_width(node->body);
  case MATH_SYMBOL:
    return node->class == MATH_REL || node->class == MATH_BIN ? 6 : 3;
  case MATH_OPERATOR:
  case MATH_TEXT:
    return 3 * (int)strlen(node->text);
  case MATH_SPACE:
    return node->width * 5 / 18;
  case MATH_FRACTION:
    return larger(node_width(node->body), node_width(node->below)) * 3 / 4 + 1;
  case MATH_FENCED:
    return node_width(node->body) + 4;
  case MATH_TABLE:
    return 0;
  default:
    return node_width(node->body) + scripts * 3 / 4;
  }
}

static int row_width(const struct math *first) {
  int width = 0;
  for (const struct math *node = first; node != NULL; node = node->next)
    width += node_width(node);
  return width;
}

static enum math_class choose_breaks(const struct math_formula *formula) {
  enum { LONG = 50, VERY_LONG = 95 }; /* 10 em, 19 em: a telephone's line */
  int width = row_width(formula->root->body);
  if (formula->display || width < LONG) return MATH_ORD;
  return width < VERY_LONG ? MATH_REL : MATH_BIN;
}

static bool has_break(const struct math *first, enum math_class last_break) {
  for (const struct math *node = first; node != NULL; node = node->next)
    if (next_atom(node) != NULL && may_break(node, last_break)) return true;
  return false;
}

static void write_attribute(struct buffer *out, const char *name,
                            const struct math_formula *formula) {
  struct buffer reading = {0};
  math_speak(formula, &reading);
  buffer_printf(out, " %s=\"", name);
  html_text(out, reading.bytes == NULL ? "" : reading.bytes);
  buffer_char(out, '"');
  buffer_free(&reading);
}

void math_mathml(const struct math_formula *formula, struct buffer *out) {
  const struct math *first = formula->root->body;
  struct mathml_writer writer = {.out = out, .display = formula->display};
  enum math_class last_break = choose_breaks(formula);
  if (has_break(first, last_break)) {
    writer.cut = true;
    writer.last_break = last_break;
    buffer_text(out, "<span role=\"math\"");
    write_attribute(out, "aria-label", formula);
    buffer_text(out, "><math aria-hidden=\"true\">");
    write_row(&writer, first);
    buffer_text(out, "</math></span>");
    return;
  }
  buffer_text(out, formula->display ? "<math display=\"block\"" : "<math");
  write_attribute(out, "alttext", formula);
  buffer_char(out, '>');
  write_row(&writer, first);
  buffer_text(out, "</math>");
}
