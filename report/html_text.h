/* Text as HTML or XML content: & < > and " become character references, which
 * makes it safe between tags and inside of double quotes. */
#ifndef HTML_TEXT_H
#define HTML_TEXT_H

#include "report/base/buffer.h"

void html_text(struct buffer *out, const char *text);

#endif
