#include "report/document_file.h"

#include "report/base/json.h"
#include "report/code_results.h"
#include "report/ledger.h"
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

/* With pins the lines shown are theirs. */
static int show_blocks(const char *path, const struct document_values *values,
                       const struct json *tree, struct document *document,
                       struct error *err) {
  struct json_document results = {0};
  if (values->blocks != NULL && json_read(values->blocks, &results, err) != 0)
    return -1;
  int status = code_results_show(path, document, results.root,
                                 values->pins != NULL ? tree : NULL, err);
  json_free(&results);
  return status;
}

int document_expand_file(const char *path, const struct document_values *values,
                         const struct json *tree, struct document *out,
                         struct error *err) {
  const struct template_options options = {.mode = TEMPLATE_MARKDOWN,
                                           .partials = values->partials};
  struct source_map map = {0};
  struct buffer text = {0};
  int status = -1;
  if (template_render_file(path, tree, &options, &text, &map, err) != 0)
    goto cleanup;
  buffer_text(&text, "");
  if (markdown_parse(path, text.bytes, text.length, &map, out, err) != 0)
    goto cleanup;
  status = show_blocks(path, values, tree, out, err);
  if (status != 0) document_free(out);
cleanup:
  source_map_free(&map);
  buffer_free(&text);
  return status;
}

int document_read_file(const char *path, const struct document_values *values,
                       struct document *out, struct error *err) {
  struct json_document json = {0};
  int status = -1;
  if (read_values(values, &json, err) != 0) return -1;
  if (document_expand_file(path, values, json.root, out, err) != 0)
    goto cleanup;
  status = ledger_require_document(out, json.root, err);
  if (status != 0) document_free(out);
cleanup:
  json_free(&json);
  return status;
}
