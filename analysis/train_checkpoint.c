/* Where a training run stands, as a safetensors file. Numbers that are not
 * float are text in its metadata: doubles in the shortest form that reads back
 * to the same bits, the generator in hexadecimal. */
#include <cblas.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/safetensors.h"
#include "analysis/train.h"
#include "report/base/buffer.h"
#include "report/base/file.h"
#include "report/base/hash.h"
#include "report/base/json.h"

/* A hash of all that decides which bytes a run gives. */
static void fingerprint(const struct train_recipe *r,
                        const struct corpus *corpus, char out[HASH_TEXT]) {
  struct buffer text = {0};
  const struct transformer_config *c = &r->config;
  const double numbers[] = {c->eps,
                            r->cycle.lr_max,
                            r->cycle.warm_up,
                            r->cycle.start_div,
                            r->cycle.end_div,
                            r->cycle.beta1_high,
                            r->cycle.beta1_low,
                            r->beta2,
                            r->adam_eps,
                            r->decay,
                            r->clip};
  buffer_printf(&text, "%s %s %s %d %zu %zu %zu %zu %zu", r->model,
                corpus->sha256, openblas_get_corename(), c->rms, c->V, c->T,
                c->C, c->NH, c->L);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    buffer_printf(&text, " %a", numbers[i]);
  buffer_printf(&text, " %zu %lld %lld %lld %lld %zu %zu", r->batch,
                r->cycle.steps, r->loss_every, r->ladder_every,
                r->validate_every, r->validation_batches, r->ladder_batch);
  buffer_printf(&text, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
                r->seed_weights, r->seed_draws, r->seed_validation,
                r->seed_ladder);
  hash_bytes(text.bytes, text.length, out);
  buffer_free(&text);
}

static void print_doubles(struct buffer *out, const double *values, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char text[JSON_DOUBLE_TEXT];
    json_double_text(values[i], text);
    buffer_printf(out, " %s", text);
  }
}

/* "steps tokens state increment spare held losses validations ladders" and the
 * values of the last three. */
static void print_progress(const struct train_recipe *recipe,
                           const struct train_state *state,
                           struct buffer *out) {
  const struct train_log *log = &state->log;
  const struct rng *rng = &state->draws;
  buffer_printf(out, "%lld %lld", log->steps, log->tokens);
  buffer_printf(out, " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64,
                (uint64_t)(rng->state >> 64), (uint64_t)rng->state,
                (uint64_t)(rng->increment >> 64), (uint64_t)rng->increment);
  buffer_printf(out, " %" PRIx32 " %d %zu %zu %zu", rng->spare, rng->spare_held,
                log->losses, log->validations, log->ladders);
  print_doubles(out, log->loss, log->losses);
  print_doubles(out, log->validation, log->validations);
  print_doubles(out, &log->ladder->rms,
                2 * log->ladders * transformer_points(&recipe->config));
}

int train_checkpoint_write(const char *path, const struct train_recipe *recipe,
                           const struct corpus *corpus,
                           const struct train_state *state, struct error *err) {
  char of[HASH_TEXT];
  struct buffer progress = {0};
  size_t n = state->model.parameters;
  fingerprint(recipe, corpus, of);
  print_progress(recipe, state, &progress);
  const struct safetensors_text metadata[] = {{"of", of},
                                              {"progress", progress.bytes}};
  const struct safetensors_entry entries[] = {
      {"weights", 1, {n}, state->model.weights.slab, NULL},
      {"m", 1, {n}, state->adamw.m, NULL},
      {"v", 1, {n}, state->adamw.v, NULL}};
  int result = file_make_parents(path, err);
  if (result == 0)
    result = safetensors_write(path, entries, 3, metadata, 2, err);
  buffer_free(&progress);
  return result;
}

/* False when the text ends early or holds something else. */
static bool scan_doubles(const char **text, double *out, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char *end;
    out[i] = strtod(*text, &end);
    if (end == *text) return false;
    *text = end;
  }
  return true;
}

/* As many measurements as a run has after that many steps; the arrays have room
 * for those. */
static bool counts_fit(const struct train_recipe *r,
                       const struct train_log *log) {
  long long steps = log->steps;
  return steps >= 0 && steps <= r->cycle.steps &&
         (long long)log->losses ==
             (steps + r->loss_every - 1) / r->loss_every &&
         (long long)log->validations == steps / r->validate_every + 1 &&
         (long long)log->ladders == steps / r->ladder_every + 1;
}

static bool scan_progress(const struct train_recipe *recipe, const char *text,
                          struct train_state *state) {
  struct train_log *log = &state->log;
  struct rng *rng = &state->draws;
  uint64_t words[4];
  int held, length;
  if (sscanf(text,
             "%lld %lld %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
             " %" SCNx32 " %d %zu %zu %zu%n",
             &log->steps, &log->tokens, &words[0], &words[1], &words[2],
             &words[3], &rng->spare, &held, &log->losses, &log->validations,
             &log->ladders, &length) != 11 ||
      !counts_fit(recipe, log))
    return false;
  rng->state = (unsigned __int128)words[0] << 64 | words[1];
  rng->increment = (unsigned __int128)words[2] << 64 | words[3];
  rng->spare_held = held != 0;
  text += length;
  return scan_doubles(&text, log->loss, log->losses) &&
         scan_doubles(&text, log->validation, log->validations) &&
         scan_doubles(&text, &log->ladder->rms,
                      2 * log->ladders * transformer_points(&recipe->config));
}

static int read_slab(const char *path, const struct safetensors *file,
                     const char *name, size_t n, float *out,
                     struct error *err) {
  const struct safetensor *tensor = safetensors_lookup(file, name);
  if (tensor == NULL || tensor->count != n)
    return error_set(err, "%s: tensor \"%s\" of %zu values is needed", path,
                     name, n);
  return safetensor_floats(path, tensor, out, err);
}

static int read_state(const char *path, const struct safetensors *file,
                      const struct train_recipe *recipe, const char *of,
                      struct train_state *state, struct error *err) {
  size_t n = state->model.parameters;
  const char *found = safetensors_metadata(file, "of");
  const char *progress = safetensors_metadata(file, "progress");
  if (found == NULL || strcmp(found, of) != 0)
    return error_set(err,
                     "%s: a checkpoint of another recipe, text or BLAS core; "
                     "remove it to start anew",
                     path);
  if (progress == NULL || !scan_progress(recipe, progress, state))
    return error_set(err, "%s: no checkpoint; remove it to start anew", path);
  state->adamw.t = state->log.steps;
  if (read_slab(path, file, "weights", n, state->model.weights.slab, err) !=
          0 ||
      read_slab(path, file, "m", n, state->adamw.m, err) != 0 ||
      read_slab(path, file, "v", n, state->adamw.v, err) != 0)
    return -1;
  return 0;
}

int train_checkpoint_read(const char *path, const struct train_recipe *recipe,
                          const struct corpus *corpus,
                          struct train_state *state, struct error *err) {
  struct safetensors file;
  char of[HASH_TEXT];
  if (!file_exists(path)) return 0;
  if (safetensors_open(path, &file, err) != 0) return -1;
  fingerprint(recipe, corpus, of);
  int result = read_state(path, &file, recipe, of, state, err);
  safetensors_close(&file);
  return result;
}
