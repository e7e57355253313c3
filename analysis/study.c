/* Options, provenance and exit of a study program. */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/model.h"
#include "analysis/study.h"

struct options {
  const char *out;
  const char *model, *models, *corpora; /* of a study on a model */
};

static bool takes_model(const struct study *study) {
  return study->measure_model != NULL;
}

static void print_help(const struct study *study) {
  printf("usage: %s [--out FILE]%s\n\n%s\n\n", study->name,
         takes_model(study) ? " --model NAME" : "", study->purpose);
  puts("  --out FILE     write the results there instead of standard output");
  if (takes_model(study)) {
    puts("  --model NAME   the model to measure");
    puts("  --models DIR   where model files lie (data/models)");
    puts("  --corpora DIR  where normalised corpora lie (build/corpora)");
  }
  puts("  --help         print this text");
}

/* 0 to go on, 1 when all is done, -1 on a usage error already printed. */
static int parse(const struct study *study, int argc, char **argv,
                 struct options *options) {
  static const struct option on_model[] = {
      {"out", required_argument, NULL, 'o'},
      {"help", no_argument, NULL, 'h'},
      {"model", required_argument, NULL, 'm'},
      {"models", required_argument, NULL, 'd'},
      {"corpora", required_argument, NULL, 'c'},
      {0}};
  static const struct option alone[] = {{"out", required_argument, NULL, 'o'},
                                        {"help", no_argument, NULL, 'h'},
                                        {0}};
  int c;
  while ((c = getopt_long(argc, argv, "", takes_model(study) ? on_model : alone,
                          NULL)) != -1) {
    if (c == 'o') options->out = optarg;
    if (c == 'm') options->model = optarg;
    if (c == 'd') options->models = optarg;
    if (c == 'c') options->corpora = optarg;
    if (c == '?') return -1;
    if (c == 'h') {
      print_help(study);
      return 1;
    }
  }
  if (optind < argc) {
    fprintf(stderr, "%s: unexpected argument %s\n", study->name, argv[optind]);
    return -1;
  }
  if (takes_model(study) && options->model == NULL) {
    fprintf(stderr, "%s: --model NAME is missing\n", study->name);
    return -1;
  }
  return 0;
}

static int measure(const struct study *study, const struct options *options,
                   struct results *results, struct error *err) {
  if (study->measure_model == NULL) return study->measure(results, err);
  struct model model;
  if (model_load(options->models, options->corpora, options->model, &model,
                 err) != 0)
    return -1;
  model_record(&model, results);
  int status = study->measure_model(&model, results, err);
  model_free(&model);
  return status;
}

int study_main(const struct study *study, int argc, char **argv) {
  struct options options = {.models = "data/models",
                            .corpora = "build/corpora"};
  int status = parse(study, argc, argv, &options);
  if (status != 0) return status > 0 ? 0 : 2;

  struct error err = {{0}};
  struct results *results = results_new(study->name);
  results_prefix(results, options.model);
  status = measure(study, &options, results, &err);
  if (status == 0) status = results_write(results, options.out, &err);
  if (status < 0) fprintf(stderr, "%s: %s\n", study->name, err.text);
  results_free(results);
  return status < 0 ? 2 : 0;
}
