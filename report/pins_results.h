/* Results: what a program has measured, as a flat list of keys.
 *
 *   {"study": "jacobian",
 *    "inputs": {"data/models/m.safetensors": "<sha256>"},
 *    "environment": {"cpu": "...", "threads": 2},
 *    "values": {"rank": 126, "rows": [{"loss": 1.5}]}}
 *
 * gives jacobian.rank and jacobian.rows.0.loss. `inputs` (also as an array of
 * objects with `path` and `sha256`) and `environment` may be absent; further
 * members are not looked at, so that any program's JSON can be checked. */
#ifndef PINS_RESULTS_H
#define PINS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/base/json.h"

struct result {
  const char *key;
  const struct json *value; /* a null, boolean, number or string */
};

/* A named text: an input's hash or a field of the environment. */
struct fact {
  const char *name, *text;
  bool is_string; /* else a number, true, false or null */
};

struct facts {
  struct fact *items; /* by name */
  size_t count;
};

struct results_file {
  struct json_document document; /* owns the texts */
  const char *path, *name, *study;
  struct result *results; /* in the file's order */
  struct result **by_key; /* sorted */
  size_t count;
  struct facts inputs, environment;
};

struct results_set {
  struct results_file *files; /* by name */
  size_t count;
};

int pins_results_read(const char *path, struct results_file *out,
                      struct error *err);
int pins_results_read_all(const char *directory, struct results_set *out,
                          struct error *err);
void pins_results_free(struct results_file *file);
void pins_results_free_all(struct results_set *set);

const struct result *pins_results_find(const struct results_file *file,
                                       const char *key); /* or NULL */
const struct results_file *pins_results_named(const struct results_set *set,
                                              const char *name); /* or NULL */

/* The facts of an object, nested members with dotted names; items are the
 * caller's to free, texts are the arena's. NULL gives none. */
void facts_collect(const struct json *object, struct arena *arena,
                   struct facts *out);
const char *facts_find(const struct facts *facts, const char *name);
/* The same names with the same texts? 2 and "2" are the same. */
bool facts_equal(const struct facts *a, const struct facts *b);
void facts_free(struct facts *facts);

#endif
