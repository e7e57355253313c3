/* What the training log says, and the held-out loss measured anew from the
 * weights: the proof that log and weights belong together. */
#include <math.h>
#include <stdlib.h>

#include "analysis/json_fields.h"
#include "analysis/model.h"
#include "analysis/rng.h"
#include "analysis/study.h"
#include "analysis/training_log.h"
#include "report/base/json.h"
#include "report/base/memory.h"

/* What the log says of its validation; a batch is taken in parts of PART
 * sequences. */
struct validation {
  size_t batches, batch;
  uint64_t seed;
};
enum { PART = 8 };

#define REAL_BITS 32
#include "analysis/real.h"
#include "analysis/model_studies/training.inc"
#undef REAL_BITS
#define REAL_BITS 64
#include "analysis/real.h"
#include "analysis/model_studies/training.inc"
#undef REAL_BITS

static int read_validation(const struct json *values, struct validation *out,
                           struct error *err) {
  const struct json *validation =
      json_field(values, "validation", JSON_OBJECT, err);
  if (validation == NULL) return -1;
  const struct json *recipe = json_field(values, "recipe", JSON_OBJECT, err);
  if (recipe == NULL ||
      training_log_count(validation, "batches", 1024, &out->batches, err) !=
          0 ||
      training_log_count(recipe, "batch", 1024, &out->batch, err) != 0 ||
      training_log_seed(values, "validation", &out->seed, err) != 0)
    return -1;
  if (out->batch % PART == 0) return 0;
  return error_at(err, json_member(recipe, "batch")->place,
                  "\"batch\" is %zu; a multiple of %d is needed", out->batch,
                  PART);
}

static int record_losses(const struct json *values, struct results *results,
                         struct error *err) {
  size_t every, n = 0;
  const struct json *validation =
      json_field(values, "validation", JSON_OBJECT, err);
  if (validation == NULL ||
      json_field_count(validation, "every", &every, err) != 0)
    return -1;
  const struct json *losses = json_field(validation, "loss", JSON_ARRAY, err);
  if (losses == NULL) return -1;
  for (const struct json *l = losses->child; l != NULL; l = l->next, n++) {
    if (l->type != JSON_NUMBER)
      return error_at(err, l->place, "a loss must be a number");
    results_integer(results, (long long)(n * every), "validation.%zu.step", n);
    results_double(results, l->number, "validation.%zu.loss", n);
  }
  return 0;
}

static int record_log(const struct json *values, const struct model *model,
                      double *val_loss, struct results *results,
                      struct error *err) {
  size_t tokens, parameters;
  if (json_field_number(values, "val_loss", val_loss, err) != 0 ||
      json_field_count(values, "tokens", &tokens, err) != 0 ||
      json_field_count(values, "parameters", &parameters, err) != 0)
    return -1;
  if (parameters != model->parameters)
    return error_at(err, json_member(values, "parameters")->place,
                    "the log counts %zu parameters, the weights have %zu",
                    parameters, model->parameters);
  results_double(results, *val_loss, "val_loss");
  results_integer(results, (long long)tokens, "tokens");
  results_integer(results, (long long)parameters, "parameters");
  return record_losses(values, results, err);
}

static void record_recomputed(const struct model *model,
                              const struct validation *validation,
                              double val_loss, struct results *results) {
  double wide =
      validate_f64(&model->config, model->wide, &model->corpus, validation);
  double single =
      validate_f32(&model->config, model->weights, &model->corpus, validation);
  results_double(results, wide, "recomputed.float64");
  results_double(results, single, "recomputed.float32");
  results_double(results, wide - val_loss, "recomputed.float64_minus_log");
  results_double(results, single - val_loss, "recomputed.float32_minus_log");
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  struct json_document document = {0};
  struct validation validation;
  double val_loss;
  int result = -1;
  const struct json *values = training_log_read(model, results, &document, err);
  if (values == NULL ||
      record_log(values, model, &val_loss, results, err) != 0 ||
      read_validation(values, &validation, err) != 0)
    goto cleanup;
  record_recomputed(model, &validation, val_loss, results);
  results_integer(results, (long long)model->corpus.distinct, "symbols_used");
  results_integer(results, CORPUS_SYMBOLS, "symbols");
  results_double(results, log(CORPUS_SYMBOLS), "uniform_loss");
  result = 0;
cleanup:
  json_free(&document);
  return result;
}

int main(int argc, char **argv) {
  const struct study study = {.name = "training",
                              .purpose = "Held-out loss of the training log, "
                                         "and measured anew from the weights.",
                              .measure_model = measure};
  return study_main(&study, argc, argv);
}
