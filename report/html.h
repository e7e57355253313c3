/* A document as one HTML file that needs nothing else: style sheet and figures
 * inside, formulas as MathML, no script. */
#ifndef HTML_H
#define HTML_H

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/document.h"

/* The style sheet of the pages (html_style.c). */
extern const char html_default_style[];

/* Append the page. Figures are read from their paths. `style` is the style
 * sheet's text. */
int html_write(const struct document *document, const char *style,
               struct buffer *out, struct error *err);

#endif
