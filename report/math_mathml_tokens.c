/* Operators, identifiers, words and spaces in MathML. */
#include "report/math_mathml_writer.h"

#include <string.h>

#include "report/base/utf8.h"
#include "report/html_text.h"
#include "report/math_symbols.h"

void mathml_code(struct buffer *out, uint32_t code) {
  struct buffer text = {0};
  utf8_append(&text, code);
  html_text(out, text.bytes);
  buffer_free(&text);
}

/* mu as em */
static void write_em(struct buffer *out, int mu) {
  buffer_printf(out, "%.4g%s", mu / 18.0, mu == 0 ? "" : "em");
}

void mathml_space(struct mathml_writer *writer, int mu) {
  if (mu == 0) return;
  buffer_text(writer->out,
              mu > 0 ? "<mspace width=\"" : "<mspace style=\"margin-left:");
  write_em(writer->out, mu);
  buffer_text(writer->out, "\"/>");
}

/* ---- operators ----------------------------------------------------------- */

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

bool mathml_has_operator(const struct math *node) {
  if (node->type == MATH_SCRIPTS) return mathml_has_operator(node->body);
  if (node->type == MATH_SYMBOL) return is_operator(node);
  return node->type == MATH_DELIMITER ||
         (node->type == MATH_OPERATOR && node->limits != MATH_LIMITS_SIDE);
}

/* Operators whose default space every browser has right between operands. */
static bool has_default_space(uint32_t code, struct mathml_gaps gaps) {
  if (gaps.left == 4 && gaps.right == 4) return code == '+' || code == 0x2212;
  if (gaps.left != 5 || gaps.right != 5) return false;
  return code == '=' || code == '<' || code == '>' || code == 0x2264 ||
         code == 0x2265 || code == 0x2260 || code == 0x2248 || code == 0x2208;
}

static void write_gaps(struct mathml_writer *writer, struct mathml_gaps gaps) {
  buffer_text(writer->out, " lspace=\"");
  write_em(writer->out, gaps.left);
  buffer_text(writer->out, "\" rspace=\"");
  write_em(writer->out, gaps.right);
  buffer_char(writer->out, '"');
}

static void write_operator(struct mathml_writer *writer,
                           const struct math *node, struct mathml_gaps gaps) {
  struct buffer *out = writer->out;
  buffer_text(out, "<mo");
  if (math_is_delimiter(node->code)) buffer_text(out, " stretchy=\"false\"");
  if (node->large && node->limits == MATH_LIMITS_ALWAYS)
    buffer_text(out, " movablelimits=\"false\"");
  bool known = !writer->cut && has_default_space(node->code, gaps);
  if (!known && node->code != 0x2032) write_gaps(writer, gaps);
  buffer_char(out, '>');
  mathml_code(out, node->code);
  buffer_text(out, "</mo>");
}

void mathml_delimiter(struct mathml_writer *writer, uint32_t code,
                      const char *form, int height, struct mathml_gaps gaps) {
  static const char *const sizes[] = {"", "", "1.8em", "2.4em", "3em"};
  struct buffer *out = writer->out;
  if (code == 0) return;
  buffer_printf(out, "<mo form=\"%s\" stretchy=\"%s\"", form,
                height <= MATHML_HEIGHT_BIG ? "false" : "true");
  if (height == MATHML_HEIGHT_BIG) buffer_text(out, " mathsize=\"120%\"");
  if (height > MATHML_HEIGHT_BIG) buffer_text(out, " symmetric=\"true\"");
  if (height > MATHML_HEIGHT_BIG && height <= MATHML_HEIGHT_BIGG_LAST)
    buffer_printf(out, " minsize=\"%s\" maxsize=\"%s\"", sizes[height],
                  sizes[height]);
  write_gaps(writer, gaps);
  buffer_char(out, '>');
  mathml_code(out, code);
  buffer_text(out, "</mo>");
}

const char *mathml_delimiter_form(enum math_class class) {
  if (class == MATH_OPEN) return "prefix";
  return class == MATH_CLOSE ? "postfix" : "infix";
}

/* ---- identifiers, numbers, words ----------------------------------------- */

void mathml_open_number(struct buffer *out, const struct math *node) {
  if (node->value == NULL) {
    buffer_text(out, "<mn>");
    return;
  }
  buffer_text(out, "<mn class=\"pin\" data-key=\"");
  html_text(out, node->value->key);
  buffer_text(out, "\" data-value=\"");
  html_text(out, node->value->text);
  buffer_text(out, "\">");
}

void mathml_symbol(struct mathml_writer *writer, const struct math *node,
                   struct mathml_gaps gaps) {
  struct buffer *out = writer->out;
  if (is_operator(node)) {
    write_operator(writer, node, gaps);
  } else if (math_is_digit(node->code)) {
    mathml_open_number(out, node);
    mathml_code(out, math_styled_code(node->code, node->font));
    buffer_text(out, "</mn>");
  } else {
    /* <mi> makes a single letter, nabla and partial italic of itself. */
    bool upright =
        node->font == MATH_UPRIGHT && (is_letter(node) || node->code == 0x2207);
    buffer_text(out, upright ? "<mi mathvariant=\"normal\">" : "<mi>");
    mathml_code(out, node->font == MATH_ITALIC
                         ? node->code
                         : math_styled_code(node->code, node->font));
    buffer_text(out, "</mi>");
  }
}

void mathml_name(struct mathml_writer *writer, const struct math *node,
                 struct mathml_gaps gaps) {
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

void mathml_words(struct mathml_writer *writer, const struct math *node) {
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
