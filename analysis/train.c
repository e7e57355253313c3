#include "analysis/train.h"

#include <cblas.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/base/memory.h"

/* ---- recipes ---- */

#define RECIPE(name, text, is_rms, epsilon)                                    \
  {                                                                            \
    .model = name, .corpus = text,                                             \
    .config = {.V = CORPUS_SYMBOLS,                                            \
               .T = 64,                                                        \
               .C = 128,                                                       \
               .NH = 4,                                                        \
               .L = 4,                                                         \
               .rms = is_rms,                                                  \
               .eps = epsilon},                                                \
    .batch = 32,                                                               \
    .cycle = {.steps = 3000,                                                   \
              .lr_max = 3e-3,                                                  \
              .warm_up = 0.3,                                                  \
              .start_div = 25,                                                 \
              .end_div = 1e4,                                                  \
              .beta1_high = 0.95,                                              \
              .beta1_low = 0.85},                                              \
    .beta2 = 0.999, .adam_eps = 1e-8, .decay = 0.1, .clip = 1,                 \
    .seed_weights = 1, .seed_draws = 0, .loss_every = 10, .ladder_every = 100, \
    .validate_every = 500, .validation_batches = 20, .ladder_batch = 8,        \
    .seed_validation = 0, .seed_ladder = 0                                     \
  }

static const struct train_recipe recipes[] = {
    RECIPE("kjv-layernorm", "kjv", false, 1e-5),
    RECIPE("shakespeare-layernorm", "shakespeare", false, 1e-5),
    RECIPE("kjv-rmsnorm", "kjv", true, 1e-5),
    RECIPE("kjv-large-eps", "kjv", false, 0.1),
};
enum { RECIPES = sizeof recipes / sizeof *recipes };

const char *train_recipe_name(size_t i) {
  return i < RECIPES ? recipes[i].model : NULL;
}

const struct train_recipe *train_recipe(const char *name) {
  for (size_t i = 0; i < RECIPES; i++)
    if (strcmp(recipes[i].model, name) == 0) return &recipes[i];
  return NULL;
}

struct train_recipe train_recipe_run(const struct train_recipe *recipe,
                                     uint64_t run) {
  struct train_recipe other = *recipe;
  other.seed_weights += run;
  other.seed_draws += run;
  return other;
}

/* ---- shards of a batch, and the threads that work on them ---- */

struct shard {
  struct transformer_pass_f32 pass;
  struct transformer_tensors_f32 gradients;
  float loss; /* mean over the shard */
};

struct team {
  const struct transformer_f32 *model;
  struct shard shards[TRAIN_SHARDS];
  size_t batch;
  int *x, *y; /* (batch, T) */
  int threads;
  bool backward;
};

struct worker {
  struct team *team;
  int index;
};

static void work_on(struct team *team, int i) {
  struct shard *shard = &team->shards[i];
  size_t at = team->batch / TRAIN_SHARDS * team->model->config.T * (size_t)i;
  const int *x = team->x + at, *y = team->y + at;
  shard->loss = transformer_forward_f32(team->model, &shard->pass, x, y);
  if (!team->backward) return;
  float scale = 1 / (float)(team->batch * team->model->config.T);
  memset(shard->gradients.slab, 0, team->model->parameters * sizeof(float));
  transformer_backward_f32(team->model, &shard->pass, x, y, scale,
                           &shard->gradients);
}

static void *worker_main(void *argument) {
  struct worker *worker = argument;
  struct team *team = worker->team;
  for (int i = worker->index; i < TRAIN_SHARDS; i += team->threads)
    work_on(team, i);
  return NULL;
}

/* All shards of x, y; returns the mean loss. A thread that cannot be had is
 * done without. */
static double team_run(struct team *team) {
  pthread_t threads[TRAIN_SHARDS];
  struct worker workers[TRAIN_SHARDS];
  bool started[TRAIN_SHARDS] = {false};
  for (int k = 0; k < team->threads; k++) {
    workers[k] = (struct worker){team, k};
    started[k] = k > 0 && pthread_create(&threads[k], NULL, worker_main,
                                         &workers[k]) == 0;
  }
  for (int k = 0; k < team->threads; k++)
    if (!started[k]) worker_main(&workers[k]);
  for (int k = 0; k < team->threads; k++)
    if (started[k]) pthread_join(threads[k], NULL);
  double loss = 0;
  for (int i = 0; i < TRAIN_SHARDS; i++)
    loss += (double)team->shards[i].loss;
  return loss / TRAIN_SHARDS;
}

static struct team team_new(const struct transformer_f32 *model, size_t batch,
                            int threads, bool backward) {
  struct team team = {.model = model, .batch = batch, .backward = backward};
  team.threads = threads < 1              ? 1
                 : threads > TRAIN_SHARDS ? TRAIN_SHARDS
                                          : threads;
  team.x = memory_alloc(batch * model->config.T, sizeof *team.x);
  team.y = memory_alloc(batch * model->config.T, sizeof *team.y);
  for (int i = 0; i < TRAIN_SHARDS; i++) {
    team.shards[i].pass = transformer_pass_new_f32(
        &model->config, batch / TRAIN_SHARDS, model->config.T);
    if (backward)
      team.shards[i].gradients = transformer_gradients_new_f32(&model->config);
  }
  openblas_set_num_threads(1);
  return team;
}

static void team_free(struct team *team) {
  free(team->x);
  free(team->y);
  for (int i = 0; i < TRAIN_SHARDS; i++) {
    transformer_pass_free_f32(&team->shards[i].pass);
    transformer_tensors_free_f32(&team->shards[i].gradients);
  }
}

/* ---- measurements ---- */

static double validate(const struct train_recipe *recipe,
                       const struct corpus *corpus, struct team *team) {
  struct rng rng;
  double loss = 0;
  bool backward = team->backward;
  team->backward = false;
  rng_seed(&rng, recipe->seed_validation);
  for (size_t i = 0; i < recipe->validation_batches; i++) {
    corpus_batch(corpus, CORPUS_HELD_OUT, &rng, recipe->batch, recipe->config.T,
                 team->x, team->y);
    loss += team_run(team);
  }
  team->backward = backward;
  return loss / (double)recipe->validation_batches;
}

double train_validate(const struct train_recipe *recipe,
                      const struct corpus *corpus, int threads,
                      const float *weights) {
  struct transformer_f32 model = transformer_new_f32(&recipe->config, weights);
  struct team team = team_new(&model, recipe->batch, threads, false);
  double loss = validate(recipe, corpus, &team);
  team_free(&team);
  transformer_free_f32(&model);
  return loss;
}

static void measure_ladder(const struct train_recipe *recipe,
                           const struct corpus *corpus,
                           const struct transformer_f32 *model,
                           struct ladder_point *points) {
  size_t T = recipe->config.T, batch = recipe->ladder_batch;
  struct transformer_f64 wide = transformer_new_f64(&recipe->config, NULL);
  struct transformer_pass_f64 pass =
      transformer_pass_new_f64(&recipe->config, batch, T);
  int *x = corpus_held_out(corpus, recipe->seed_ladder, batch, T);
  for (size_t i = 0; i < model->parameters; i++)
    wide.weights.slab[i] = (double)model->weights.slab[i];
  transformer_forward_f64(&wide, &pass, x, NULL);
  ladder_measure(&wide, &pass, points);
  free(x);
  transformer_pass_free_f64(&pass);
  transformer_free_f64(&wide);
}

/* ---- the loop ---- */

struct trainer {
  const struct train_recipe *recipe;
  const struct corpus *corpus;
  const struct train_options *options;
  struct train_state state;
  struct team team;
};

struct train_log train_log_new(const struct train_recipe *recipe) {
  size_t steps = (size_t)recipe->cycle.steps;
  struct train_log log = {0};
  log.loss =
      memory_alloc(steps / (size_t)recipe->loss_every + 1, sizeof *log.loss);
  log.validation = memory_alloc(steps / (size_t)recipe->validate_every + 1,
                                sizeof *log.validation);
  log.ladder = memory_alloc((steps / (size_t)recipe->ladder_every + 1) *
                                transformer_points(&recipe->config),
                            sizeof *log.ladder);
  return log;
}

void train_log_free(struct train_log *log) {
  free(log->loss);
  free(log->validation);
  free(log->ladder);
  *log = (struct train_log){0};
}

/* What is measured of the weights as they stand. */
static void measure(struct trainer *t) {
  const struct train_recipe *r = t->recipe;
  struct train_log *log = &t->state.log;
  if (log->steps % r->ladder_every == 0)
    measure_ladder(r, t->corpus, &t->state.model,
                   log->ladder +
                       log->ladders++ * transformer_points(&r->config));
  if (log->steps % r->validate_every == 0)
    log->validation[log->validations++] = validate(r, t->corpus, &t->team);
}

/* One step; returns the loss of its batch before the update. */
static double step_once(struct trainer *t) {
  const struct train_recipe *r = t->recipe;
  struct train_log *log = &t->state.log;
  size_t n = t->state.model.parameters;
  double lr, beta1;
  corpus_batch(t->corpus, CORPUS_TRAIN, &t->state.draws, r->batch, r->config.T,
               t->team.x, t->team.y);
  double loss = team_run(&t->team);
  float *sum = t->team.shards[0].gradients.slab;
  for (int k = 1; k < TRAIN_SHARDS; k++) {
    const float *part = t->team.shards[k].gradients.slab;
    for (size_t i = 0; i < n; i++)
      sum[i] += part[i];
  }
  adamw_clip(n, r->clip, sum);
  one_cycle(&r->cycle, log->steps, &lr, &beta1);
  adamw_step(&t->state.adamw, lr, beta1, sum, t->state.model.weights.slab);
  if (log->steps % r->loss_every == 0) log->loss[log->losses++] = loss;
  log->steps++;
  log->tokens += (long long)(r->batch * r->config.T);
  return loss;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* `done` steps of this call took `spent` seconds. */
static void print_progress(const struct trainer *t, long long done, double loss,
                           double spent) {
  const struct train_log *log = &t->state.log;
  long long steps = t->recipe->cycle.steps;
  double rate = (double)done / spent;
  int left = (int)((double)(steps - log->steps) / rate);
  fprintf(stderr, "%s: step %lld of %lld, loss %.4f", t->recipe->model,
          log->steps, steps, loss);
  if (log->validations > 0)
    fprintf(stderr, ", held out %.4f", log->validation[log->validations - 1]);
  fprintf(stderr, ", %.0f tokens/s, %d:%02d left\n",
          rate * (double)(t->recipe->batch * t->recipe->config.T), left / 60,
          left % 60);
}

static int save_state(const struct trainer *t, struct error *err) {
  return train_checkpoint_write(t->options->checkpoint, t->recipe, t->corpus,
                                &t->state, err);
}

static int run(struct trainer *t, struct error *err) {
  const struct train_recipe *r = t->recipe;
  const struct train_options *options = t->options;
  struct train_log *log = &t->state.log;
  double start = seconds_now();
  long long first = log->steps, last = r->cycle.steps;
  if (options->stop_after > 0 && options->stop_after < last - first)
    last = first + options->stop_after;
  if (log->ladders == 0) measure(t);
  while (log->steps < last) {
    double loss = step_once(t);
    if (!isfinite(loss))
      return error_set(err, "%s: the loss is not finite at step %lld", r->model,
                       log->steps - 1);
    measure(t);
    if (options->progress && log->steps % r->ladder_every == 0)
      print_progress(t, log->steps - first, loss, seconds_now() - start);
    if (options->checkpoint != NULL &&
        (log->steps == last || log->steps % options->checkpoint_every == 0) &&
        save_state(t, err) != 0)
      return -1;
  }
  return 0;
}

static struct train_state state_new(const struct train_recipe *recipe) {
  struct train_state state = {.log = train_log_new(recipe)};
  struct rng rng;
  state.model = transformer_new_f32(&recipe->config, NULL);
  state.adamw = adamw_new(state.model.parameters, recipe->beta2,
                          recipe->adam_eps, recipe->decay);
  rng_seed(&rng, recipe->seed_weights);
  transformer_init(&recipe->config, &rng, state.model.weights.slab);
  rng_seed(&state.draws, recipe->seed_draws);
  return state;
}

int train_run(const struct train_recipe *recipe, const struct corpus *corpus,
              const struct train_options *options, float *weights,
              struct train_log *log, struct error *err) {
  if (corpus_check_length(corpus, recipe->corpus, recipe->config.T, err) != 0)
    return -1;
  struct trainer t = {.recipe = recipe, .corpus = corpus, .options = options};
  t.state = state_new(recipe);
  t.team = team_new(&t.state.model, recipe->batch, options->threads, true);
  int result = 0;
  if (options->checkpoint != NULL)
    result = train_checkpoint_read(options->checkpoint, recipe, corpus,
                                   &t.state, err);
  if (result == 0) result = run(&t, err);
  if (result == 0) {
    memcpy(weights, t.state.model.weights.slab,
           t.state.model.parameters * sizeof *weights);
    *log = t.state.log;
  } else {
    train_log_free(&t.state.log);
  }
  team_free(&t.team);
  adamw_free(&t.state.adamw);
  transformer_free_f32(&t.state.model);
  return result;
}
