/* Training: recipe, loop, and the log of what happened.
 *
 * Each step draws `batch` start indices, cuts the batch into TRAIN_SHARDS equal
 * shards, and adds the shards' gradients in their order; threads only decide
 * who computes which shard. So one seed gives the same bytes on one machine
 * with any number of threads. Kernels of another BLAS core round otherwise. */
#ifndef TRAIN_H
#define TRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/adamw.h"
#include "analysis/corpus.h"
#include "analysis/ladder.h"
#include "analysis/transformer.h"
#include "report/base/error.h"

enum { TRAIN_SHARDS = 4 };

struct train_recipe {
  const char *model, *corpus; /* names */
  struct transformer_config config;
  size_t batch; /* sequences of config.T tokens; a multiple of TRAIN_SHARDS */
  struct one_cycle cycle;
  double beta2, adam_eps, decay, clip;
  uint64_t seed_weights, seed_draws;
  /* Measurements along the way, in steps between them. */
  long long loss_every, ladder_every, validate_every;
  size_t validation_batches, ladder_batch;
  uint64_t seed_validation, seed_ladder;
};

/* The recipe of a model by name, or NULL. `train_recipe_name(i)`: the names in
 * order, NULL after the last. */
const struct train_recipe *train_recipe(const char *name);
const char *train_recipe_name(size_t i);

struct train_log {
  size_t losses; /* loss[i]: of the batch of step i * loss_every */
  double *loss;
  size_t validations; /* of the weights after i * validate_every steps */
  double *validation;
  size_t ladders; /* (ladders, 2L+1): after i * ladder_every steps */
  struct ladder_point *ladder;
  long long tokens; /* seen in all batches */
};
void train_log_free(struct train_log *log);

/* Train from the recipe's initial weights. `progress` prints a line on standard
 * error as it goes. On success `weights` (parameters) is filled, and `log`. A
 * loss that is not finite is an error. */
int train_run(const struct train_recipe *recipe, const struct corpus *corpus,
              int threads, bool progress, float *weights, struct train_log *log,
              struct error *err);

/* Mean loss over `batches` batches of held-out text drawn from `seed`. */
double train_validate(const struct train_recipe *recipe,
                      const struct corpus *corpus, int threads,
                      const float *weights);

/* Write DIR/MODEL.safetensors and DIR/MODEL.training.json. */
int train_save(const struct train_recipe *recipe, const struct corpus *corpus,
               const float *weights, const struct train_log *log,
               const char *directory, struct error *err);

#endif
