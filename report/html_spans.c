#include <string.h>

#include "report/html_text.h"
#include "report/html_writer.h"
#include "report/math_mathml.h"

static void write_element(struct html_writer *writer, const char *element,
                          const struct span *span) {
  buffer_printf(writer->out, "<%s>", element);
  html_spans(writer, span->child);
  buffer_printf(writer->out, "</%s>", element);
}

static void write_link(struct html_writer *writer, const struct span *span) {
  if (writer->inert || span->url == NULL) {
    html_spans(writer, span->child);
    return;
  }
  buffer_text(writer->out, "<a href=\"");
  html_text(writer->out, span->url);
  buffer_text(writer->out, "\">");
  html_spans(writer, span->child);
  buffer_text(writer->out, "</a>");
}

static void write_code(struct html_writer *writer, const struct span *span) {
  buffer_text(writer->out, "<code>");
  html_text(writer->out, span->text);
  buffer_text(writer->out, "</code>");
}

static void write_mark(struct html_writer *writer, const char *kind,
                       const char *role, int number, size_t occurrence) {
  if (writer->inert) {
    buffer_printf(writer->out, "%d", number);
    return;
  }
  buffer_printf(writer->out,
                "<a href=\"#%s:%d\" id=\"%s:%d:%zu\" role=\"%s\">%d</a>", kind,
                number, kind, number, occurrence, role, number);
}

void html_back_links(struct html_writer *writer, const char *kind, int number,
                     size_t marks) {
  const char *label = document_label(writer->document, LABEL_BACK);
  for (size_t i = 1; i <= marks; i++) {
    buffer_printf(
        writer->out,
        " <a class=\"back\" href=\"#%s:%d:%zu\" role=\"doc-backlink\" "
        "aria-label=\"",
        kind, number, i);
    html_text(writer->out, label);
    buffer_text(writer->out, "\">\u21a9\ufe0e</a>");
  }
}

void html_spans(struct html_writer *writer, const struct span *spans) {
  struct buffer *out = writer->out;
  for (const struct span *span = spans; span != NULL; span = span->next) {
    switch (span->type) {
    case SPAN_TEXT:
      html_text(out, span->text);
      break;
    case SPAN_EMPHASIS:
      write_element(writer, "em", span);
      break;
    case SPAN_STRONG:
      write_element(writer, "strong", span);
      break;
    case SPAN_CODE:
      write_code(writer, span);
      break;
    case SPAN_LINK:
      write_link(writer, span);
      break;
    case SPAN_MATHS:
      math_mathml(span->formula, out);
      break;
    case SPAN_SOFT_BREAK:
      buffer_char(out, '\n');
      break;
    case SPAN_HARD_BREAK:
      buffer_text(out, "<br>\n");
      break;
    case SPAN_NOTE:
      if (writer->inert) break;
      buffer_text(out, "<sup>");
      write_mark(writer, "note", "doc-noteref", span->note->number,
                 span->occurrence);
      buffer_text(out, "</sup>");
      break;
    case SPAN_CITATION:
      write_mark(writer, "reference", "doc-biblioref", span->reference->number,
                 span->occurrence);
      break;
    }
  }
}
