/* Printed values: the key and the whole value go with what is shown, so that a
 * reader, or a program, can follow each number to its pin. */
#include <string.h>

#include "report/html_text.h"
#include "report/html_writer.h"

static void write_plain(struct html_writer *writer, const char *text,
                        size_t start, size_t end) {
  struct buffer part = {0};
  if (start == end) return;
  buffer_add(&part, text + start, end - start);
  html_text(writer->out, part.bytes);
  buffer_free(&part);
}

static void open_value(struct buffer *out, const struct source_value *value) {
  buffer_text(out, "<span class=\"pin\" data-key=\"");
  html_text(out, value->key);
  buffer_text(out, "\" data-value=\"");
  html_text(out, value->text);
  buffer_text(out, "\" title=\"");
  html_text(out, value->key);
  buffer_text(out, " = ");
  html_text(out, value->text);
  buffer_text(out, "\">");
}

/* The values of neighbouring tags differ even if their keys do not. */
static size_t run_end(const struct html_writer *writer,
                      const struct origins *origins, size_t start, size_t end) {
  const struct source_value *value =
      document_value(writer->document, origins, start);
  while (start < end &&
         document_value(writer->document, origins, start) == value)
    start++;
  return start;
}

void html_sourced_text(struct html_writer *writer, const char *text,
                       const struct origins *origins, size_t start,
                       size_t end) {
  if (writer->inert || origins->count == 0) {
    write_plain(writer, text, start, end);
    return;
  }
  for (size_t stop; start < end; start = stop) {
    const struct source_value *value =
        document_value(writer->document, origins, start);
    stop = run_end(writer, origins, start, end);
    if (value != NULL) open_value(writer->out, value);
    write_plain(writer, text, start, stop);
    if (value != NULL) buffer_text(writer->out, "</span>");
  }
}
