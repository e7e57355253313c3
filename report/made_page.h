/* Pages that Pinpress makes itself, of pins, of numbers, of a site: Markdown
 * put together from texts, then written as one HTML file. */
#ifndef MADE_PAGE_H
#define MADE_PAGE_H

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/source_map.h"

/* Append a text that is no markup; as the value of a field of the front matter.
 * `name` stands for the page in messages. */
int made_page_text(const char *name, const char *text, struct buffer *out,
                   struct error *err);
int made_page_field(const char *name, const char *text, struct buffer *out,
                    struct error *err);

/* Read the Markdown and write the page `path`, with `more_style` behind the
 * default style sheet. Figures are found from the directory of `name`. `map`
 * covers the text or is empty; it moves into the page's document. */
int made_page_write(const char *name, const char *path,
                    const struct buffer *markdown, struct source_map *map,
                    const char *more_style, struct error *err);

#endif
