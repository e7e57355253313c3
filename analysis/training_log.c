#include "analysis/training_log.h"

#include <string.h>

#include "analysis/json_fields.h"

const struct json *training_log_read(const struct model *model,
                                     struct results *results,
                                     struct json_document *out,
                                     struct error *err) {
  char sha256[HASH_TEXT];
  *out = (struct json_document){0};
  if (json_read(model->entry.training, out, err) != 0 ||
      results_input(results, model->entry.training, err) != 0)
    return NULL;
  const struct json *values = json_field(out->root, "values", JSON_OBJECT, err);
  if (values == NULL) return NULL;
  values = json_field(values, model->entry.name, JSON_OBJECT, err);
  if (values == NULL || json_field_text(values, "weights_sha256", sha256,
                                        sizeof sha256, err) != 0)
    return NULL;
  if (strcmp(sha256, model->entry.sha256) == 0) return values;
  error_at(err, json_member(values, "weights_sha256")->place,
           "the log is of other weights than %s", model->entry.path);
  return NULL;
}
