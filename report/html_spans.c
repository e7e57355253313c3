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
  html_sourced_text(writer, span->text, &span->origins, 0, strlen(span->text));
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

/* ---- formulas and the signs beside them ---------------------------------- */

/* Browsers break lines between a formula and a comma, or a parenthesis: what
 * stands next to a formula without a blank is kept on its line. */

static bool is_maths(const struct span *span) {
  return span != NULL && span->type == SPAN_MATHS;
}

enum { LONGEST_KEPT = 16 }; /* bytes; a longer word may leave the formula */

/* Length of what is kept at the start of a text behind a formula. */
static size_t kept_head(const struct span *before, const char *text) {
  if (!is_maths(before)) return 0;
  size_t length = strcspn(text, " \t\n");
  return length <= LONGEST_KEPT ? length : 0;
}

/* And at the end of a text that starts at `head`, before a formula. */
static size_t kept_tail(const struct span *after, const char *text,
                        size_t head) {
  if (!is_maths(after)) return 0;
  size_t end = strlen(text), start = end;
  while (start > head && strchr(" \t\n", text[start - 1]) == NULL)
    start--;
  return end - start <= LONGEST_KEPT ? end - start : 0;
}

static void write_part(struct html_writer *writer, const struct span *span,
                       size_t start, size_t end) {
  html_sourced_text(writer, span->text, &span->origins, start, end);
}

static void write_text(struct html_writer *writer, const struct span *span,
                       const struct span *before) {
  size_t head = kept_head(before, span->text);
  size_t tail = kept_tail(span->next, span->text, head);
  write_part(writer, span, head, strlen(span->text) - tail);
}

static void write_formula(struct html_writer *writer, const struct span *span,
                          const struct span *before,
                          const struct span *before_that) {
  struct buffer *out = writer->out;
  bool text_before = before != NULL && before->type == SPAN_TEXT;
  bool text_behind = span->next != NULL && span->next->type == SPAN_TEXT;
  size_t tail = text_before ? kept_tail(span, before->text,
                                        kept_head(before_that, before->text))
                            : 0;
  size_t head = text_behind ? kept_head(span, span->next->text) : 0;
  if (head + tail > 0) buffer_text(out, "<span class=\"kept\">");
  if (tail > 0) {
    size_t length = strlen(before->text);
    write_part(writer, before, length - tail, length);
  }
  math_mathml(span->formula, out);
  if (head > 0) write_part(writer, span->next, 0, head);
  if (head + tail > 0) buffer_text(out, "</span>");
}

void html_spans(struct html_writer *writer, const struct span *spans) {
  struct buffer *out = writer->out;
  const struct span *before = NULL, *before_that = NULL;
  for (const struct span *span = spans; span != NULL; span = span->next) {
    switch (span->type) {
    case SPAN_TEXT:
      write_text(writer, span, before);
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
      write_formula(writer, span, before, before_that);
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
    before_that = before;
    before = span;
  }
}
