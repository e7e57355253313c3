/* Pins: what each measured value must be, how far it may be off and why.
 *
 * A pin file, data/pins/NAME.json, belongs to the results file of that name:
 *
 *   {
 *     "study": "jacobian",
 *     "taken": {
 *       "debian12": {
 *         "inputs": {"data/models/m.safetensors": "<sha256>"},
 *         "environment": {"cpu": "...", "compiler": "..."}
 *       }
 *     },
 *     "pins": {
 *       "jacobian.rank": {"value": 126, "kind": "exact",
 *         "reason": "..."},
 *       "jacobian.inv_sigma": {"value": 0.525682, "kind": "rel",
 *         "bound": 1e-13, "unit": "1/x", "reason": "..."}
 *     }
 *   }
 *
 * kind     beside it         holds when
 * exact    -                 same bits (-0 is not 0), same text, same boolean
 * abs      bound > 0         |found - value| <= bound
 * rel      bound > 0         |found - value| <= bound |value|
 * ulp      bound >= 1        at most that many doubles apart
 * digits   format            both print the same at this printf format
 * range    low < high        low <= found <= high
 *
 * `unit` is optional, `reason` never is: it argues the bound. Further members:
 * `draft` (true: nobody has argued it yet), `taken` (the record of the pin when
 * it is not the file's first), `platforms` (overrides, see struct pin_override)
 * and `history` (one entry per move, oldest first). Beside `study` a file may
 * have `optional`, with the `reason` why its results may be absent and the file
 * `tied_to` whose hash the kept results must name, and `removed`, the record of
 * pins taken away. An unknown member is an error, since a misspelt `bound` must
 * not pass. */
#ifndef PINS_H
#define PINS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/base/json.h"

enum pin_kind {
  PIN_EXACT,
  PIN_ABS,
  PIN_REL,
  PIN_ULP,
  PIN_DIGITS,
  PIN_RANGE,
  PIN_KINDS
};

/* How far a value may be off. */
struct pin_allowance {
  enum pin_kind kind;
  double bound;                  /* abs, rel, ulp */
  const char *format;            /* digits */
  const struct json *low, *high; /* range */
};

/* Another allowance, and perhaps another value, where the environment of the
 * results fits: each member of `where` names an environment field whose text
 * contains the given text. The first that fits counts. */
struct pin_override {
  const struct json *where;
  const struct json *value; /* NULL: the pin's own */
  struct pin_allowance allowance;
  const char *reason;
  struct pin_override *next;
};

struct pin {
  const char *key;          /* <study>.<path> */
  struct place place;       /* of the pin's object */
  const struct json *json;  /* that object */
  const struct json *value; /* number, string or boolean */
  struct pin_allowance allowance;
  const char *unit; /* NULL without one */
  const char *reason;
  bool draft;
  const struct json *taken; /* {inputs, environment}, or NULL */
  struct pin_override *overrides;
  struct pin *next;
};

struct pin_file {
  struct json_document document; /* owns all that is below */
  const char *path;
  const char *name; /* the path's last part without `.json` */
  const char *study;
  const char *optional; /* why the results may be absent, or NULL */
  const char *tied_to;  /* whose hash kept results must name, or NULL */
  struct pin *pins;     /* in the file's order */
  size_t count;
};

struct pin_set {
  struct pin_file *files; /* by name */
  size_t count;
  struct pin **by_key; /* the pins of all files, sorted */
  size_t pins;
};

/* Read one file or every *.json of a directory; malformed pins and keys that
 * stand twice, in whichever files, are errors with their place. */
int pins_read(const char *path, struct pin_file *out, struct error *err);
int pins_parse(const char *path, const char *text, size_t length,
               struct pin_file *out, struct error *err);
int pins_read_directory(const char *directory, struct pin_set *out,
                        struct error *err);
void pins_free(struct pin_file *file);
void pins_free_set(struct pin_set *set);

const struct pin *pins_find(const struct pin_set *set,
                            const char *key); /* or NULL */
const struct pin_file *pins_file_named(const struct pin_set *set,
                                       const char *name); /* or NULL */

const char *pins_kind_name(enum pin_kind kind); /* "exact", "abs", ... */
bool pins_kind_of(const char *name, enum pin_kind *out);

/* The shortest text that reads back, its exponent as people write it: 1e-9. */
void pins_bound_text(double bound, char out[JSON_DOUBLE_TEXT]);

/* Why that bound, or a value under that allowance, is none; NULL when it is. */
const char *pins_bound_fault(enum pin_kind kind, double bound);
const char *pins_value_fault(const struct json *value,
                             const struct pin_allowance *allowance);

/* What pages and figures print: all pinned values of the directory as one tree
 * keyed <study>.<path>, each value with the place of its pin. Where the
 * children of an object are exactly 0..n-1 it is an array. Two more members:
 *   pins.count, pins.drafts   how many there are
 *   environment               where the pins were taken: each field's text;
 *                             several are joined by "; " */
int pins_values(const char *directory, struct json_document *out,
                struct error *err);

#endif
