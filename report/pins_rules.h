/* Rules that give many new pins their kind, bound, unit and reason:
 *
 *   # pattern          | kind  | bound      | unit | reason
 *   jacobian.rank      | exact |            |      | an integer
 *   ladder.**.rms      | rel   | 1e-12      |      | ...
 *   gains.*.*.spread   | range | 1.0..2.5   |      | ...
 *   random_plane.*     | digits| %.4f       |      | ...
 *
 * The first rule that matches counts; the reason may contain bars. A rules
 * file is only read by `pinpress init`: pins stand for themselves. */
#ifndef PINS_RULES_H
#define PINS_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/base/memory.h"
#include "report/pins.h"

/* `*` and `?` stand for characters of one element, an element `**` for any
 * number of elements, a last element `*` for all that follows. */
bool pattern_matches(const char *pattern, const char *key);
bool pattern_is_plain(const char *pattern); /* it can match one key only */

/* An allowance from its texts: the bound is empty for exact, a number for abs,
 * rel and ulp, a printf format for digits and LOW..HIGH for range. */
int pins_allowance_parse(const char *kind, const char *bound,
                         struct arena *arena, struct pin_allowance *out,
                         struct error *err);

/* Does the value suit the allowance? Else an error that names the key. */
int pins_allowance_suits(const struct pin_allowance *allowance,
                         const struct json *value, const char *key,
                         struct error *err);

struct rule {
  struct place place;
  const char *pattern, *unit, *reason; /* unit may be NULL */
  struct pin_allowance allowance;
  size_t uses;
};

struct rules {
  struct arena arena;
  struct rule *items;
  size_t count;
};

int rules_read(const char *path, struct rules *rules, struct error *err);
int rules_add(const char *line, struct place at, struct rules *rules,
              struct error *err);
struct rule *rules_find(const struct rules *rules, const char *key);
void rules_free(struct rules *rules);

#endif
