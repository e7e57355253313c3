/* Text made safe for the place it is printed to: whatever the text holds, it
 * shows there as itself and ends nothing that was open.
 *
 * Where no escape exists (a formula, code, a gnuplot number) a text that would
 * break out is refused; the caller says where. */
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/buffer.h"
#include "report/base/error.h"

enum escape_target {
  ESCAPE_NONE,
  ESCAPE_HTML,           /* & < > " ' become character references */
  ESCAPE_MARKDOWN,       /* CommonMark text, also in tables and link targets */
  ESCAPE_HEAD,           /* a front matter line: no line end */
  ESCAPE_FORMULA,        /* TeX: letters, digits, space and .,:;!?()/+-=' */
  ESCAPE_CODE_SPAN,      /* no backtick, no line end */
  ESCAPE_CODE_BLOCK,     /* no line that begins with a fence */
  ESCAPE_GNUPLOT_DOUBLE, /* "...", enhanced text; also in a data block */
  ESCAPE_GNUPLOT_SINGLE, /* '...', enhanced text */
  ESCAPE_GNUPLOT_NUMBER, /* exactly one number token */
  ESCAPE_GNUPLOT_COMMENT /* no line end */
};

/* Append `text` (UTF-8, no NUL) to `out`. Control characters other than tab
 * and newline are refused everywhere but by ESCAPE_NONE. `at` is the tag's
 * place, for the message. */
int escape_text(enum escape_target target, const char *text, struct place at,
                struct buffer *out, struct error *err);

/* Whether `text` is one number token: [-+] digits [. digits] [e [-+] digits].
 * Neither `1,5` nor `nan` nor `.5` is. */
bool escape_is_number(const char *text);

#endif
