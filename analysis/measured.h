/* Values that other studies have measured, looked up by their key. The results
 * of a study lie in NAME.json below one of some directories, the first of them
 * that has the file counts; NAME is the study, or study-model. */
#ifndef MEASURED_H
#define MEASURED_H

#include "analysis/results.h"
#include "report/base/error.h"

struct measured;

/* `directories` is a NULL-terminated list that must live on. */
struct measured *measured_new(const char *const *directories);
void measured_free(struct measured *measured);

/* The number at `key`; `model` says whose, or NULL for a study without one. */
int measured_number(struct measured *measured, const char *key,
                    const char *model, double *out, struct error *err);

/* Record the files that were read as inputs. */
int measured_record(const struct measured *measured, struct results *results,
                    struct error *err);

#endif
