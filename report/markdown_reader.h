/* Reading Markdown, between its steps: scan (markdown_scan.h), build blocks and
 * spans from md4c's events (markdown.c, markdown_inline.c), finish each block
 * (markdown_finish.c), resolve what points elsewhere (markdown_resolve.c).
 *
 * While building, a formula or figure that is to be a block of its own is a
 * SPAN_MATHS whose `target` is that block; notes and citations carry their key
 * as `text`. Both are gone afterwards. */
#ifndef MARKDOWN_READER_H
#define MARKDOWN_READER_H

#include "report/document.h"
#include "report/markdown_scan.h"

enum { MARKDOWN_DEPTH = 50 }; /* of blocks in blocks, and of spans in spans */

struct markdown_reader {
  const char *path;
  struct document *document;
  struct arena *arena; /* of the document */
  struct markdown_scan scan;
  int figures, tables; /* numbered so far */
  struct error *err;
};

/* Where spans are appended while md4c reports them. */
struct markdown_spans {
  struct markdown_reader *reader;
  struct span **tail;
  size_t end; /* of the text that was added last */
};

int markdown_fail(struct markdown_reader *reader, size_t offset,
                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Parse the range of one of the scan's copies as a document of its own. */
int markdown_read_range(struct markdown_reader *reader, const char *copy,
                        struct range range, struct block **out);

struct span *markdown_add_span(struct markdown_spans *spans,
                               enum span_type type, size_t offset);

/* Text as md4c reports it, from the source at `offset`; `&name;`. */
int markdown_add_text(struct markdown_spans *spans, size_t offset,
                      size_t length);
int markdown_add_entity(struct markdown_spans *spans, size_t offset,
                        const char *entity, size_t length);

/* Append the character that `&name;` stands for; false if there is none. */
bool markdown_decode_entity(const char *entity, size_t length,
                            struct buffer *out);

/* Quotes, dashes and ellipses, in place. Signs that were escaped arrive as
 * code points from MARKDOWN_LITERAL on and become themselves. */
enum {
  MARKDOWN_LITERAL_QUOTE = 0xFDD0,
  MARKDOWN_LITERAL_APOSTROPHE,
  MARKDOWN_LITERAL_HYPHEN,
  MARKDOWN_LITERAL_POINT
};
void markdown_typography(struct arena *arena, const char *language,
                         struct span *spans);

/* Ids, captions, blocks lifted out of paragraphs, typography. */
int markdown_finish(struct markdown_reader *reader, struct block **blocks);

/* Links, citations and notes of the whole document, and their numbers. */
int markdown_resolve(struct markdown_reader *reader);

#endif
