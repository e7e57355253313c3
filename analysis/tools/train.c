/* Trains a model from its corpus, which takes minutes: weights, log and their
 * entry in the manifest appear at the end, each whole or not at all. A run from
 * other seeds leaves its log alone, to be compared with. */
#include <cblas.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/corpus.h"
#include "analysis/train.h"
#include "report/base/file.h"
#include "report/base/memory.h"
#include "report/base/options.h"

enum { MOST_SEED = 1000000 };

struct options {
  const char *model, *corpus, *out, *log, *seed, *list, *threads, *checkpoint,
      *stop_after;
};

/* The names of all recipes, one a line. */
static void list_recipes(struct buffer *out) {
  buffer_text(out, "one of");
  for (size_t i = 0; train_recipe_name(i) != NULL; i++)
    buffer_printf(out, "\n  %s", train_recipe_name(i));
}

static bool parse(struct options *o, int *argc, char ***argv, int *status) {
  struct buffer recipes = {0};
  list_recipes(&recipes);
  const struct option_entry entries[] = {
      {.name = "model",
       .argument = "NAME",
       .text = &o->model,
       .help = recipes.bytes},
      {.name = "corpus",
       .argument = "FILE",
       .text = &o->corpus,
       .help = "the text that the model's corpus names"},
      {.name = "out",
       .argument = "DIR",
       .text = &o->out,
       .help = "where weights and log go"},
      {.name = "log",
       .argument = "FILE",
       .text = &o->log,
       .help = "where the log alone goes"},
      {.name = "seed",
       .argument = "N",
       .text = &o->seed,
       .help = "add N to the seeds of initial weights and batches;\ndefault 0"},
      {.name = "corpora",
       .argument = "FILE",
       .text = &o->list,
       .help = "the list of corpora (data/corpora.json)"},
      {.name = "threads",
       .argument = "N",
       .text = &o->threads,
       .help = "1 to 4, default 2; the result is the same"},
      {.name = "checkpoint",
       .argument = "FILE",
       .text = &o->checkpoint,
       .help = "go on from this file if it is there, keep it up\nevery 100 "
               "steps, remove it at the end"},
      {.name = "stop-after",
       .argument = "N",
       .text = &o->stop_after,
       .help = "stop after N steps, leaving the checkpoint"},
      {.name = NULL}};
  const struct option_usage usage = {
      .synopsis = "--model NAME --corpus FILE (--out DIR | --seed N --log "
                  "FILE) [OPTION]...",
      .summary =
          "Train a model; write DIR/NAME.safetensors and "
          "DIR/NAME.training.json, and\nrecord their hash in "
          "DIR/manifest.json. From other seeds, to see what they\nchange, "
          "write the log alone.",
      .entries = entries};
  bool go_on = options_parse(&usage, argc, argv, status);
  buffer_free(&recipes);
  return go_on;
}

/* Options that need one another. */
static int check(const struct options *o, struct error *err) {
  if (o->model == NULL || o->corpus == NULL ||
      (o->out == NULL) == (o->log == NULL))
    return error_set(err, "--model NAME, --corpus FILE and one of --out DIR "
                          "and --log FILE are needed");
  if (o->seed != NULL && o->log == NULL)
    return error_set(err, "--seed N goes with --log FILE; a model is of its "
                          "recipe's seeds");
  if (o->stop_after != NULL && o->checkpoint == NULL)
    return error_set(err, "--stop-after needs --checkpoint FILE");
  return 0;
}

/* Digits for a number from `least`, which is not negative, to `most`. */
static int read_count(const char *option, const char *text, long long least,
                      long long most, long long *out, struct error *err) {
  char *end;
  errno = 0;
  *out = strtoll(text, &end, 10);
  if (text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0 &&
      *out >= least && *out <= most)
    return 0;
  return error_set(err, "--%s %s: a number from %lld to %lld is needed", option,
                   text, least, most);
}

/* OpenBLAS may not know a newer CPU and fall back to the oldest. */
static void warn_of_slow_core(void) {
  if (strcmp(openblas_get_corename(), "Prescott") == 0 &&
      __builtin_cpu_supports("avx2"))
    fputs("train: OpenBLAS takes this CPU for a Prescott; with "
          "OPENBLAS_CORETYPE=Haswell it is several times faster\n",
          stderr);
}

static int prepare(const struct options *options,
                   const struct train_recipe *recipe, struct train_options *run,
                   struct corpus *corpus, struct error *err) {
  struct corpus_entry entry;
  long long threads = 2;
  char within[4096];
  const char *output = options->log != NULL ? options->log : within;
  if (options->out != NULL && snprintf(within, sizeof within, "%s/x",
                                       options->out) >= (int)sizeof within)
    return error_set(err, "the path is too long: %s", options->out);
  if ((options->threads != NULL &&
       read_count("threads", options->threads, 1, TRAIN_SHARDS, &threads,
                  err) != 0) ||
      (options->stop_after != NULL &&
       read_count("stop-after", options->stop_after, 1, recipe->cycle.steps,
                  &run->stop_after, err) != 0))
    return -1;
  run->threads = (int)threads;
  if (file_make_parents(output, err) != 0 ||
      corpus_lookup(options->list, recipe->corpus, &entry, err) != 0)
    return -1;
  return corpus_read(options->corpus, entry.sha256, corpus, err);
}

static int save(const struct options *options,
                const struct train_recipe *recipe, const struct corpus *corpus,
                const float *weights, const struct train_log *log,
                struct error *err) {
  if (options->log != NULL)
    return train_save_log(recipe, corpus, weights, log, options->log, err);
  return train_save(recipe, corpus, weights, log, options->out, err);
}

static int finish(const struct options *options,
                  const struct train_recipe *recipe,
                  const struct corpus *corpus, const float *weights,
                  const struct train_log *log, struct error *err) {
  if (log->steps < recipe->cycle.steps) {
    printf("%s: stopped after step %lld of %lld; run again to go on\n",
           recipe->model, log->steps, recipe->cycle.steps);
    return 0;
  }
  if (save(options, recipe, corpus, weights, log, err) != 0) return -1;
  if (options->checkpoint != NULL) unlink(options->checkpoint);
  double loss = log->validation[log->validations - 1];
  if (options->log != NULL)
    printf("%s: held-out loss %.4f\n", options->log, loss);
  else
    printf("%s/%s.safetensors: held-out loss %.4f\n", options->out,
           recipe->model, loss);
  return 0;
}

static int train(const struct options *options, struct error *err) {
  struct train_options run = {.progress = true,
                              .checkpoint = options->checkpoint,
                              .checkpoint_every = 100};
  struct corpus corpus = {0};
  struct train_log log = {0};
  const struct train_recipe *found = train_recipe(options->model);
  long long seed = 0;
  if (found == NULL)
    return error_set(err, "no recipe is named %s; --help lists them",
                     options->model);
  if ((options->seed != NULL &&
       read_count("seed", options->seed, 0, MOST_SEED, &seed, err) != 0) ||
      prepare(options, found, &run, &corpus, err) != 0)
    return -1;
  const struct train_recipe recipe = train_recipe_run(found, (uint64_t)seed);
  warn_of_slow_core();
  struct transformer_table table = transformer_table(&recipe.config);
  float *weights = memory_alloc(table.parameters, sizeof *weights);
  transformer_table_free(&table);
  int result = train_run(&recipe, &corpus, &run, weights, &log, err);
  if (result == 0)
    result = finish(options, &recipe, &corpus, weights, &log, err);
  free(weights);
  train_log_free(&log);
  corpus_free(&corpus);
  return result;
}

int main(int argc, char **argv) {
  struct options options = {.list = "data/corpora.json"};
  struct error err = {{0}};
  int status;
  argv[0] = "train"; /* the prefix of messages */
  if (!parse(&options, &argc, &argv, &status)) return status;
  if (check(&options, &err) == 0 && train(&options, &err) == 0)
    return options_finish(0);
  fprintf(stderr, "train: %s\n", err.text);
  return 2;
}
