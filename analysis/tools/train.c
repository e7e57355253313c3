/* Trains a model from its corpus, which takes minutes: weights and log appear
 * at the end, whole or not at all. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/corpus.h"
#include "analysis/train.h"
#include "report/base/file.h"
#include "report/base/memory.h"

struct options {
  const char *model, *corpus, *out, *list, *threads;
};

static void print_help(void) {
  puts("usage: train --model NAME --corpus FILE --out DIR\n\n"
       "Trains a model and writes DIR/NAME.safetensors and "
       "DIR/NAME.training.json.\n\n"
       "  --model NAME    one of:");
  for (size_t i = 0; train_recipe_name(i) != NULL; i++)
    printf("                    %s\n", train_recipe_name(i));
  puts("  --corpus FILE   the text that the model's corpus names\n"
       "  --out DIR       where weights and log go\n"
       "  --corpora FILE  the list of corpora (data/corpora.json)\n"
       "  --threads N     1 to 4, default 2; the result is the same\n"
       "  --help          print this text");
}

/* 0 to go on, 1 when all is done, -1 on a usage error already printed. */
static int parse(int argc, char **argv, struct options *options) {
  static const struct option known[] = {
      {"model", required_argument, NULL, 'm'},
      {"corpus", required_argument, NULL, 'c'},
      {"out", required_argument, NULL, 'o'},
      {"corpora", required_argument, NULL, 'l'},
      {"threads", required_argument, NULL, 't'},
      {"help", no_argument, NULL, 'h'},
      {0}};
  int c;
  while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
    switch (c) {
    case 'm':
      options->model = optarg;
      break;
    case 'c':
      options->corpus = optarg;
      break;
    case 'o':
      options->out = optarg;
      break;
    case 'l':
      options->list = optarg;
      break;
    case 't':
      options->threads = optarg;
      break;
    case 'h':
      print_help();
      return 1;
    default:
      return -1;
    }
  }
  if (optind == argc && options->model != NULL && options->corpus != NULL &&
      options->out != NULL)
    return 0;
  fprintf(stderr, "train: --model NAME, --corpus FILE and --out DIR are "
                  "needed, and no other argument\n");
  return -1;
}

static int read_threads(const char *text, int *threads, struct error *err) {
  if (strlen(text) != 1 || text[0] < '1' || text[0] > '0' + TRAIN_SHARDS)
    return error_set(err, "--threads %s: a number from 1 to %d is needed", text,
                     TRAIN_SHARDS);
  *threads = text[0] - '0';
  return 0;
}

static int train(const struct options *options, struct error *err) {
  struct corpus_entry entry;
  struct corpus corpus = {0};
  struct train_log log = {0};
  float *weights = NULL;
  int threads = 0, result = -1;
  char probe[4096];
  const struct train_recipe *recipe = train_recipe(options->model);
  if (recipe == NULL)
    return error_set(err, "no recipe is named %s; --help lists them",
                     options->model);
  snprintf(probe, sizeof probe, "%s/x", options->out);
  if (read_threads(options->threads, &threads, err) != 0 ||
      file_make_parents(probe, err) != 0 ||
      corpus_lookup(options->list, recipe->corpus, &entry, err) != 0 ||
      corpus_read(options->corpus, entry.sha256, &corpus, err) != 0)
    goto cleanup;
  struct transformer_table table = transformer_table(&recipe->config);
  weights = memory_alloc(table.parameters, sizeof *weights);
  transformer_table_free(&table);
  if (train_run(recipe, &corpus, threads, true, weights, &log, err) != 0)
    goto cleanup;
  result = train_save(recipe, &corpus, weights, &log, options->out, err);
  if (result == 0)
    printf("%s/%s.safetensors: held-out loss %.4f\n", options->out,
           recipe->model, log.validation[log.validations - 1]);
cleanup:
  free(weights);
  train_log_free(&log);
  corpus_free(&corpus);
  return result;
}

int main(int argc, char **argv) {
  struct options options = {.list = "data/corpora.json", .threads = "2"};
  struct error err = {{0}};
  int status = parse(argc, argv, &options);
  if (status != 0) return status > 0 ? 0 : 2;
  if (train(&options, &err) == 0) return 0;
  fprintf(stderr, "train: %s\n", err.text);
  return 2;
}
