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
#include "analysis/rng.h"
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

/* The recipe from other initial weights and batches: run 0 is the recipe as it
 * stands. Runs of one number, of whatever recipe, share their batches, and of
 * one shape also their initial weights; all are judged on the same text. */
struct train_recipe train_recipe_run(const struct train_recipe *recipe,
                                     uint64_t run);

struct train_log {
  long long steps;  /* done: those of the recipe unless stopped early */
  long long tokens; /* seen in all batches */
  size_t losses;    /* loss[i]: of the batch of step i * loss_every */
  double *loss;
  size_t validations; /* of the weights after i * validate_every steps */
  double *validation;
  size_t ladders; /* (ladders, 2L+1): after i * ladder_every steps */
  struct ladder_point *ladder;
};
struct train_log train_log_new(const struct train_recipe *recipe);
void train_log_free(struct train_log *log);

/* All that the next step depends on. */
struct train_state {
  struct transformer_f32 model;
  struct adamw adamw;
  struct rng draws; /* of the batches */
  struct train_log log;
};

/* Where a run stands, in one safetensors file: weights and moments as tensors,
 * step, generator and log as metadata. Reading it where nothing stands leaves
 * the state as it is. A checkpoint of another recipe, text or BLAS core is an
 * error: going on from it would give weights that no single run gives. */
int train_checkpoint_write(const char *path, const struct train_recipe *recipe,
                           const struct corpus *corpus,
                           const struct train_state *state, struct error *err);
int train_checkpoint_read(const char *path, const struct train_recipe *recipe,
                          const struct corpus *corpus,
                          struct train_state *state, struct error *err);

struct train_options {
  int threads;
  bool progress;          /* a line on standard error as it goes */
  const char *checkpoint; /* go on from this file, and keep it up; or NULL */
  long long checkpoint_every; /* steps */
  long long stop_after;       /* steps of this call; 0: to the end */
};

/* Train from the recipe's initial weights, or on from the checkpoint: killed
 * at any step and run again, the result is the same bytes. On success `weights`
 * (parameters) and `log` are filled; the checkpoint stays, for the caller to
 * remove once the result is safe. A loss that is not finite is an error. */
int train_run(const struct train_recipe *recipe, const struct corpus *corpus,
              const struct train_options *options, float *weights,
              struct train_log *log, struct error *err);

/* Mean loss over `batches` batches of held-out text drawn from `seed`. */
double train_validate(const struct train_recipe *recipe,
                      const struct corpus *corpus, int threads,
                      const float *weights);

/* Write DIR/MODEL.safetensors and DIR/MODEL.training.json, and enter them in
 * DIR/manifest.json (analysis/model.h). */
int train_save(const struct train_recipe *recipe, const struct corpus *corpus,
               const float *weights, const struct train_log *log,
               const char *directory, struct error *err);

/* Write the log alone, the same bytes as beside the weights. */
int train_save_log(const struct train_recipe *recipe,
                   const struct corpus *corpus, const float *weights,
                   const struct train_log *log, const char *path,
                   struct error *err);

#endif
