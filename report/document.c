#include "report/document.h"

#include <string.h>

void document_free(struct document *document) {
  source_map_free(&document->map);
  arena_free(&document->arena);
}

void document_plain_text(const struct span *spans, struct buffer *out) {
  for (const struct span *span = spans; span != NULL; span = span->next) {
    switch (span->type) {
    case SPAN_TEXT:
    case SPAN_CODE:
      buffer_text(out, span->text);
      break;
    case SPAN_EMPHASIS:
    case SPAN_STRONG:
    case SPAN_LINK:
      document_plain_text(span->child, out);
      break;
    case SPAN_MATHS:
      buffer_text(out, span->formula->source);
      break;
    case SPAN_SOFT_BREAK:
    case SPAN_HARD_BREAK:
      buffer_char(out, ' ');
      break;
    case SPAN_CITATION:
      buffer_printf(out, "%d", span->reference->number);
      break;
    case SPAN_NOTE:
      break;
    }
  }
}
