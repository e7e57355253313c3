/* What the training log of a model says: the results of the training run,
 * which lie beside the weights. */
#ifndef TRAINING_LOG_H
#define TRAINING_LOG_H

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

#endif
