#include "analysis/final_norm_file.h"

#include <stdio.h>
#include <string.h>

#include "analysis/model_files.h"
#include "report/base/buffer.h"

static int copy(const char *path, const char *from, size_t size, char *to,
                struct error *err) {
  if (strlen(from) >= size)
    return error_set(err, "%s: what is said of its norm is too long", path);
  memcpy(to, from, strlen(from) + 1);
  return 0;
}

static int join_evidence(const char *path, const struct final_norm *norm,
                         struct final_norm_file *out, struct error *err) {
  struct buffer text = {0};
  for (size_t i = 0; i < norm->evidence_count; i++)
    buffer_printf(&text, "%s%s: %s", i == 0 ? "" : "; ",
                  norm->evidence[i].source, norm->evidence[i].text);
  int status = copy(path, norm->evidence_count == 0 ? "none" : text.bytes,
                    sizeof out->evidence, out->evidence, err);
  buffer_free(&text);
  return status;
}

static int describe(const char *path, const struct final_norm *norm,
                    struct final_norm_file *out, struct error *err) {
  *out = (struct final_norm_file){.kind = norm->kind};
  if (norm->gain == NULL)
    return error_set(err, "%s: which norm is the final one is not clear", path);
  if (copy(path, norm->gain, sizeof out->gain, out->gain, err) != 0) return -1;
  return join_evidence(path, norm, out, err);
}

int final_norm_file_read(const char *path, bool metadata,
                         struct final_norm_file *out, struct error *err) {
  struct model_files *files;
  if (model_files_open(path, &files, err) != 0) return -1;
  const struct final_norm_request request = {0};
  struct final_norm_source source = {.config = model_files_config(files)};
  struct final_norm norm;
  source.names = model_files_names(files, &source.count);
  if (metadata) source.metadata_norm = model_files_metadata(files, "norm");
  int status = final_norm_find(path, &source, &request, &norm, err);
  if (status == 0) {
    status = describe(path, &norm, out, err);
    final_norm_free(&norm);
  }
  model_files_close(files);
  return status;
}
