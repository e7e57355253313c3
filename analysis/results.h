/* The results of a study as JSON: `study`, `inputs` (path and sha256 of each
 * file read), `environment` (compiler, flags, libraries, CPU) and `values`.
 *
 * A value is added by its dotted path below the study's name, written as a
 * printf format; an element of digits only is an array index, and arrays grow
 * by one element at a time:
 *
 *   results_double(results, loss, "%s.rows.%d.loss", model, i);
 *
 * Adding cannot fail there and then: the first mistake (a value that is not
 * finite, a path given twice or leading through a value, an index that skips)
 * is kept, names its key, and makes results_write fail. So a study reads as
 * its measurements, and nothing wrong is ever written. */
#ifndef RESULTS_H
#define RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"

struct results;

struct results *results_new(const char *study);
void results_free(struct results *results);

/* Everything added from now on stands below `prefix`, which may itself be a
 * dotted path; NULL or "" ends that. */
void results_prefix(struct results *results, const char *prefix);

/* Record a file that was read: by reading it again, or with a known hash. */
int results_input(struct results *results, const char *path, struct error *err);
void results_input_hash(struct results *results, const char *path,
                        const char *sha256);

void results_double(struct results *results, double value, const char *path,
                    ...) __attribute__((format(printf, 3, 4)));
void results_integer(struct results *results, long long value, const char *path,
                     ...) __attribute__((format(printf, 3, 4)));
void results_text(struct results *results, const char *value, const char *path,
                  ...) __attribute__((format(printf, 3, 4)));
void results_bool(struct results *results, bool value, const char *path, ...)
    __attribute__((format(printf, 3, 4)));
/* An array of n doubles. */
void results_doubles(struct results *results, const double *values, size_t n,
                     const char *path, ...)
    __attribute__((format(printf, 4, 5)));

/* Write the file atomically, making its directories; a NULL path prints to
 * standard output. Fails with the first mistake made in adding. */
int results_write(const struct results *results, const char *path,
                  struct error *err);

#endif
