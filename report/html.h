/* A document as one HTML file that needs nothing else: style sheet and figures
 * inside, formulas as MathML, no script. */
#ifndef HTML_H
#define HTML_H

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/document.h"

/* The style sheet of the pages (html_style.c). */
extern const char html_default_style[];

/* Append the text of that style sheet, or of the pages' own when path is NULL;
 * an empty file is one. */
int html_read_style(const char *path, struct buffer *out, struct error *err);

/* Append the page. Figures are read from their paths. `style` is the style
 * sheet's text. */
int html_write(const struct document *document, const char *style,
               struct buffer *out, struct error *err);

#endif
