#include "analysis/dead_report.h"
#include "report/base/json.h"
#include "report/base/utf8.h"

/* ---- values; an infinite one is null, as is what there is none of ---- */

static void add_text(cJSON *object, const char *key, const char *text) {
  struct buffer valid = {0};
  buffer_text(&valid, "");
  if (text != NULL) utf8_append_valid(&valid, text);
  cJSON_AddItemToObject(object, key,
                        text != NULL ? cJSON_CreateString(valid.bytes)
                                     : cJSON_CreateNull());
  buffer_free(&valid);
}

static void add_number(cJSON *object, const char *key, double value) {
  cJSON *number = json_new_double(value);
  cJSON_AddItemToObject(object, key,
                        number != NULL ? number : cJSON_CreateNull());
}

static void add_count(cJSON *object, const char *key, size_t value) {
  cJSON_AddItemToObject(object, key, json_new_integer((long long)value));
}

/* ---- one model ---- */

static void add_norm(cJSON *object, const struct dead_model *model) {
  const struct final_norm *norm = &model->norm;
  cJSON *out = cJSON_AddObjectToObject(object, "norm");
  add_text(out, "gain", norm->gain);
  add_text(out, "bias", norm->bias);
  add_text(out, "file", model->file);
  add_text(out, "dtype", model->dtype);
  add_count(out, "width", model->direction.width);
  add_text(out, "reason", norm->reason);
  cJSON *others = cJSON_AddArrayToObject(out, "candidates");
  for (size_t i = 0; i < norm->candidate_count; i++)
    cJSON_AddItemToArray(others, cJSON_CreateString(norm->candidates[i]));
  cJSON_AddBoolToObject(out, "one_plus", norm->one_plus);
  cJSON_AddBoolToObject(out, "one_plus_open", norm->one_plus_open);
  add_text(out, "one_plus_reason", norm->one_plus_reason);
}

static void add_evidence(cJSON *object, const struct final_norm *norm) {
  cJSON *list = cJSON_AddArrayToObject(object, "evidence");
  for (size_t i = 0; i < norm->evidence_count; i++) {
    cJSON *item = cJSON_CreateObject();
    add_text(item, "source", norm->evidence[i].source);
    add_text(item, "says", final_norm_kind_name(norm->evidence[i].says));
    add_text(item, "text", norm->evidence[i].text);
    cJSON_AddItemToArray(list, item);
  }
}

static void add_gains(cJSON *object, const struct dead_direction *d) {
  cJSON *out = cJSON_AddObjectToObject(object, "gains");
  add_number(out, "smallest", d->smallest);
  add_number(out, "largest", d->largest);
  add_number(out, "conditioning", d->conditioning);
  cJSON_AddBoolToObject(out, "meaningless", d->meaningless);
  add_count(out, "negative", d->negative_count);
  add_count(out, "subnormal", d->subnormal_count);
  cJSON *zeros = cJSON_AddArrayToObject(out, "zero_axes");
  for (size_t i = 0; i < d->zero_count; i++)
    cJSON_AddItemToArray(zeros, json_new_integer((long long)d->zeros[i]));
}

/* Null where no u is dead for certain or perhaps. */
static void add_direction(cJSON *object, const struct dead_model *model) {
  const struct dead_direction *d = &model->direction;
  if (dead_claim_of(model) == DEAD_NO) {
    cJSON_AddNullToObject(object, "direction");
    return;
  }
  cJSON *out = cJSON_AddObjectToObject(object, "direction");
  cJSON_AddBoolToObject(out, "only_if_layernorm",
                        dead_claim_of(model) == DEAD_OPEN);
  add_number(out, "cosine_uniform", d->cosine_uniform);
  add_number(out, "constant", d->constant);
  cJSON *largest = cJSON_AddArrayToObject(out, "largest");
  for (size_t i = 0; i < d->top_count; i++) {
    cJSON *item = cJSON_CreateObject();
    add_count(item, "axis", d->top[i]);
    add_number(item, "value", d->u[d->top[i]]);
    cJSON_AddItemToArray(largest, item);
  }
}

static cJSON *outcome_json(const struct dead_outcome *outcome) {
  cJSON *out = cJSON_CreateObject();
  add_text(out, "path", outcome->path);
  if (outcome->failed) {
    add_text(out, "error", outcome->err.text);
    return out;
  }
  const struct dead_model *model = &outcome->model;
  add_norm(out, model);
  add_text(out, "kind", final_norm_kind_name(model->norm.kind));
  add_evidence(out, &model->norm);
  add_gains(out, &model->direction);
  add_direction(out, model);
  return out;
}

void dead_report_json(const struct dead_outcome *outcomes, size_t count,
                      struct buffer *out) {
  cJSON *root = cJSON_CreateObject();
  cJSON *models = cJSON_AddArrayToObject(root, "models");
  for (size_t i = 0; i < count; i++)
    cJSON_AddItemToArray(models, outcome_json(&outcomes[i]));
  json_print(root, out);
  cJSON_Delete(root);
}
