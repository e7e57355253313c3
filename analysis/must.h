/* For programs that have nothing to do when a call fails: print its message and
 * end with status 2.
 *
 *   must(model_load(models, corpora, name, &model, &err), &err);
 *
 * Functions of a library return their errors instead. */
#ifndef MUST_H
#define MUST_H

#include "report/base/error.h"

/* Return if `status` is 0. */
void must(int status, const struct error *err);

#endif
