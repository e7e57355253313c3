#include "report/made_page.h"

#include "report/base/file.h"
#include "report/escape.h"
#include "report/html.h"
#include "report/markdown.h"

int made_page_text(const char *name, const char *text, struct buffer *out,
                   struct error *err) {
  return escape_text(ESCAPE_MARKDOWN, text, (struct place){name, 0, 0}, out,
                     err);
}

int made_page_field(const char *name, const char *text, struct buffer *out,
                    struct error *err) {
  return escape_text(ESCAPE_HEAD, text, (struct place){name, 0, 0}, out, err);
}

int made_page_write(const char *name, const char *path,
                    const struct buffer *markdown, struct source_map *map,
                    const char *more_style, struct error *err) {
  struct document document;
  struct buffer style = {0}, page = {0};
  if (markdown_parse(name, markdown->bytes, markdown->length, map, &document,
                     err) != 0)
    return -1;
  buffer_printf(&style, "%s%s", html_default_style, more_style);
  int status = html_write(&document, style.bytes, &page, err);
  if (status == 0) status = file_make_parents(path, err);
  if (status == 0) status = file_write(path, page.bytes, page.length, err);
  buffer_free(&page);
  buffer_free(&style);
  document_free(&document);
  return status;
}
