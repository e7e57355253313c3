#include "report/document_file.h"

#include "report/base/json.h"
#include "report/markdown.h"
#include "report/pins.h"
#include "report/template.h"

static int read_values(const struct document_values *values,
                       struct json_document *out, struct error *err) {
  if (values->pins != NULL && values->data != NULL)
    return error_set(err, "--pins and --data exclude each other");
  if (values->pins != NULL) return pins_values(values->pins, out, err);
  if (values->data != NULL) return json_read(values->data, out, err);
  return json_parse("no values", "{}", 2, out, err);
}

int document_read_file(const char *path, const struct document_values *values,
                       struct document *out, struct error *err) {
  const struct template_options options = {.mode = TEMPLATE_MARKDOWN,
                                           .partials = values->partials};
  struct json_document json = {0};
  struct source_map map = {0};
  struct buffer text = {0};
  int status = -1;
  if (read_values(values, &json, err) != 0 ||
      template_render_file(path, json.root, &options, &text, &map, err) != 0)
    goto cleanup;
  buffer_text(&text, "");
  status = markdown_parse(path, text.bytes, text.length, &map, out, err);
cleanup:
  source_map_free(&map);
  buffer_free(&text);
  json_free(&json);
  return status;
}
