#include "analysis/dead_vector.h"

#include <string.h>

#include "analysis/dead_report.h"
#include "report/base/file.h"
#include "report/base/utf8.h"

static int check_claim(const struct dead_model *model, struct error *err) {
  if (model->direction.u == NULL)
    return error_set(err,
                     "%s: there is no dead direction to write: gains are 0, "
                     "and their axes alone are dead",
                     model->path);
  if (dead_claim_of(model) == DEAD_NO)
    return error_set(err,
                     "%s: there is no dead direction to write: the norm is an "
                     "RMSNorm",
                     model->path);
  if (dead_claim_of(model) == DEAD_OPEN)
    return error_set(err,
                     "%s: whether there is a dead direction to write is "
                     "undecided; say --norm layernorm if it is a LayerNorm",
                     model->path);
  return 0;
}

static int write_text(const char *path, const struct dead_direction *d,
                      struct error *err) {
  struct buffer text = {0};
  char number[JSON_DOUBLE_TEXT];
  for (size_t i = 0; i < d->width; i++) {
    json_double_text(d->u[i], number);
    buffer_printf(&text, "%s\n", number);
  }
  int result = file_write(path, text.bytes, text.length, err);
  buffer_free(&text);
  return result;
}

static int write_tensor(const char *path, const struct dead_model *model,
                        struct error *err) {
  const struct dead_direction *d = &model->direction;
  const struct safetensors_entry entry = {
      .name = "dead_direction", .rank = 1, .shape = {d->width}, .wide = d->u};
  struct buffer name = {0};
  utf8_append_valid(&name, model->path);
  const struct safetensors_text metadata[] = {
      {"model", name.bytes},
      {"gain", model->norm.gain},
      {"gain_is", model->norm.one_plus ? "1 + weight" : "weight"}};
  int result = safetensors_write(path, &entry, 1, metadata, 3, err);
  buffer_free(&name);
  return result;
}

int dead_vector_write(const char *path, const struct dead_model *model,
                      struct error *err) {
  if (check_claim(model, err) != 0) return -1;
  if (model_files_has(model->files, path))
    return error_set(err, "%s: is a file of the model; it is left as it is",
                     path);
  const char *ending = strrchr(path, '.');
  if (ending != NULL && strcmp(ending, ".safetensors") == 0)
    return write_tensor(path, model, err);
  return write_text(path, &model->direction, err);
}
