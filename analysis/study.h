/* The main program shared by all studies, so that a study's file is only its
 * measurement:
 *
 *   static int measure(const struct study_run *run, struct results *results,
 *                      struct error *err) { ... }
 *   int main(int argc, char **argv) {
 *     const struct study study = {"jacobian", "Rank of ...", measure, false};
 *     return study_main(&study, argc, argv);
 *   }
 *
 * Every study takes --out FILE and --help; a study on a model also takes
 * --model NAME (required), --models DIR and --corpora DIR, and its values
 * stand below the model's name. Exit status: 0, or 2 with one line on standard
 * error. */
#ifndef STUDY_H
#define STUDY_H

#include <stdbool.h>

#include "analysis/results.h"
#include "report/base/error.h"

struct study_run {
  const char *model;   /* NULL for a study without a model */
  const char *models;  /* directory of model files: data/models */
  const char *corpora; /* directory of normalised corpora: build/corpora */
};

struct study {
  const char *name;    /* first element of every key */
  const char *purpose; /* a sentence for --help */
  int (*measure)(const struct study_run *run, struct results *results,
                 struct error *err);
  bool on_model;
};

int study_main(const struct study *study, int argc, char **argv);

#endif
