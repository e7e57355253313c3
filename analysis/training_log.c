#include "analysis/training_log.h"

#include <errno.h>
#include <stdlib.h>
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

int training_log_seed(const struct json *values, const char *name,
                      uint64_t *out, struct error *err) {
  const struct json *seeds = json_field(values, "seeds", JSON_OBJECT, err);
  if (seeds == NULL) return -1;
  const struct json *seed = json_field(seeds, name, JSON_STRING, err);
  if (seed == NULL) return -1;
  const char *digits = seed->text;
  errno = 0;
  *out = strtoull(digits, NULL, 10);
  if (*digits != 0 && digits[strspn(digits, "0123456789")] == 0 && errno == 0)
    return 0;
  return error_at(err, seed->place,
                  "\"%s\": the digits of a seed below 2^64 are needed", name);
}

int training_log_count(const struct json *object, const char *key, size_t most,
                       size_t *out, struct error *err) {
  if (json_field_count(object, key, out, err) != 0) return -1;
  if (*out >= 1 && *out <= most) return 0;
  return error_at(err, json_member(object, key)->place,
                  "\"%s\" is %zu; expected 1 to %zu", key, *out, most);
}
