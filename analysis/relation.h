/* What a measured number has to do with a published one. */
#ifndef RELATION_H
#define RELATION_H

#include <stdbool.h>

#include "report/base/buffer.h"

enum relation_kind {
  RELATION_PRINTED, /* both print the same with `decimals` decimals */
  RELATION_EQUAL,   /* measured = bound */
  RELATION_BELOW,   /* measured < bound */
  RELATION_ABOVE,   /* measured > bound */
  RELATION_WITHIN,  /* |measured - published| <= bound |published| */
  RELATION_FACTOR,  /* of one sign, and at most `bound` times apart */
  RELATION_INSIDE,  /* measured <= published <= bound */
  RELATION_KINDS
};

struct relation {
  enum relation_kind kind;
  int decimals;
  double bound;
};

/* The kind of that name ("printed", "equal", ...), or RELATION_KINDS. */
enum relation_kind relation_named(const char *name);

bool relation_holds(const struct relation *relation, double published,
                    double measured);

/* "within 10 %", "below the random median": `than` is what the bound is called,
 * or NULL to print it, with blanks that do not break. */
void relation_words(const struct relation *relation, const char *than,
                    struct buffer *out);

#endif
