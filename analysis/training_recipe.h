/* What a training log says of its recipe: one list for who writes a log and
 * who reads one, so that a log of anything else is refused. */
#ifndef TRAINING_RECIPE_H
#define TRAINING_RECIPE_H

#include "analysis/results.h"
#include "analysis/train.h"
#include "report/base/error.h"
#include "report/base/json.h"

/* "LayerNorm" or "RMSNorm". */
const char *training_recipe_norm(const struct train_recipe *recipe);

/* Add `recipe` and `seeds`. */
void training_recipe_record(struct results *log,
                            const struct train_recipe *recipe);

/* The values of a log (`values.MODEL`) name exactly this recipe and its seeds;
 * else -1, with the place of what differs. */
int training_recipe_check(const struct json *values,
                          const struct train_recipe *recipe, struct error *err);

#endif
