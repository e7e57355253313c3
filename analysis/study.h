/* The main program shared by all studies, so that a study's file is only its
 * measurement:
 *
 *   static int measure(struct results *results, struct error *err) { ... }
 *   int main(int argc, char **argv) {
 *     const struct study study = {"jacobian", "Rank of ...", measure};
 *     return study_main(&study, argc, argv);
 *   }
 *
 * Every study takes --out FILE and --help. A study on a model also takes
 * --model NAME (required), --models DIR and --corpora DIR; its model comes
 * loaded and is recorded among the inputs, and its values stand below the
 * model's name. Exit status: 0, or 2 with one line on standard error. */
#ifndef STUDY_H
#define STUDY_H

#include "analysis/results.h"
#include "report/base/error.h"

struct model; /* analysis/model.h */

struct study {
  const char *name;    /* first element of every key */
  const char *purpose; /* a sentence for --help */
  /* One of the two: */
  int (*measure)(struct results *results, struct error *err);
  int (*measure_model)(const struct model *model, struct results *results,
                       struct error *err);
};

int study_main(const struct study *study, int argc, char **argv);

#endif
