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

void html_sourced_text(struct html_writer *writer, const char *text,
                       const struct origins *origins, size_t start,
                       size_t end) {
  if (writer->inert || origins->count == 0) {
    write_plain(writer, text, start, end);
    return;
  }
  for (size_t stop; start < end; start = stop) {
    const struct source_segment *printed =
        origins_printed(origins, &writer->document->map, start, end, &stop);
    if (printed != NULL) open_value(writer->out, printed->value);
    write_plain(writer, text, start, stop);
    if (printed != NULL) buffer_text(writer->out, "</span>");
  }
}
