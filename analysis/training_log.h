/* What the training log of a model says: the results of the training run,
 * which lie beside the weights. */
#ifndef TRAINING_LOG_H
#define TRAINING_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/model.h"
#include "analysis/results.h"
#include "report/base/json.h"

/* Read the model's log, record it as an input, and give its values; refused
 * when it is of other weights. `out` owns them and must be freed, also on
 * failure. */
const struct json *training_log_read(const struct model *model,
                                     struct results *results,
                                     struct json_document *out,
                                     struct error *err);

/* The seed of that name ("validation", "ladder"), which is kept as text. */
int training_log_seed(const struct json *values, const char *name,
                      uint64_t *out, struct error *err);

/* A count at least 1 and at most `most`, so that no log asks for more than a
 * study can give. */
int training_log_count(const struct json *object, const char *key, size_t most,
                       size_t *out, struct error *err);

#endif
