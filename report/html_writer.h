/* The HTML writer's parts: the page (html.c), blocks (html_blocks.c), spans
 * (html_spans.c), printed values (html_values.c), figures (html_figure.c).
 *
 * Ids that the page adds hold a colon, which ids of documents do not. */
#ifndef HTML_WRITER_H
#define HTML_WRITER_H

#include "report/base/buffer.h"
#include "report/document.h"

struct html_writer {
  const struct document *document;
  struct buffer *out;
  int lift;    /* added to the level of headings */
  int figures; /* written so far, with or without number */
  bool inert;  /* inside of a link: no links, no marks of notes */
  struct error *err;
};

int html_blocks(struct html_writer *writer, const struct block *blocks);
void html_spans(struct html_writer *writer, const struct span *spans);

/* The bytes [start, end) of a text; what a tag printed there becomes
 * <span class="pin" data-key="KEY" data-value="WHOLE VALUE">. */
void html_sourced_text(struct html_writer *writer, const char *text,
                       const struct origins *origins, size_t start, size_t end);

/* Links from a note or reference, `kind`, back to its marks. */
void html_back_links(struct html_writer *writer, const char *kind, int number,
                     size_t marks);

/* The SVG file of a figure, made part of the page: checked to be well-formed
 * and to draw on nothing outside, its ids made unique, its alternative text
 * attached. */
int html_figure_drawing(struct html_writer *writer, const struct block *figure);

#endif
