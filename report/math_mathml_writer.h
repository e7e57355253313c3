/* The MathML writer, between its files: tokens (math_mathml_tokens.c) and what
 * is built from them (math_mathml.c). */
#ifndef MATH_MATHML_WRITER_H
#define MATH_MATHML_WRITER_H

#include "report/base/buffer.h"
#include "report/math.h"

struct mathml_writer {
  struct buffer *out;
  bool display; /* TeX's display style; text style else, if level is 0 */
  int level;    /* 0, 1 script, 2 scriptscript */
  bool cut;     /* into pieces, whose ends must not lose their space */
  enum math_class last_break; /* of the outermost row: pieces end behind
                                 relations (MATH_REL) or also behind binary
                                 operators (MATH_BIN); MATH_ORD: no pieces */
};

/* Space on both sides, in mu, that an operator must ask for itself. */
struct mathml_gaps {
  int left, right;
};

/* How high a delimiter is: as letters, a little higher (a larger letter, since
 * Chromium leaves wide gaps beside small delimiters that stretch), one of the
 * \big family, or as high as its row. */
enum mathml_height {
  MATHML_HEIGHT_LETTER,
  MATHML_HEIGHT_BIG,
  MATHML_HEIGHT_BIGG_LAST = 4,
  MATHML_HEIGHT_ROW
};

void mathml_code(struct buffer *out, uint32_t code);

/* <mn> of the number that starts at `node`; what a tag printed carries its key
 * and the whole value. */
void mathml_open_number(struct buffer *out, const struct math *node);
void mathml_space(struct mathml_writer *writer, int mu);

/* Whether the element is an operator or one with scripts, which MathML then
 * spaces by the operator's attributes. */
bool mathml_has_operator(const struct math *node);

void mathml_symbol(struct mathml_writer *writer, const struct math *node,
                   struct mathml_gaps gaps);
void mathml_name(struct mathml_writer *writer, const struct math *node,
                 struct mathml_gaps gaps);
void mathml_words(struct mathml_writer *writer, const struct math *node);
void mathml_delimiter(struct mathml_writer *writer, uint32_t code,
                      const char *form, int height, struct mathml_gaps gaps);
const char *mathml_delimiter_form(enum math_class class);

#endif
