#include "analysis/relation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/base/json.h"

enum relation_kind relation_named(const char *name) {
  static const char *const names[RELATION_KINDS] = {
      "printed", "equal", "below", "above", "within", "factor", "inside"};
  int kind = 0;
  while (kind < RELATION_KINDS && strcmp(names[kind], name) != 0)
    kind++;
  return (enum relation_kind)kind;
}

static bool print_the_same(double a, double b, int decimals) {
  char x[400], y[400];
  snprintf(x, sizeof x, "%.*f", decimals, a);
  snprintf(y, sizeof y, "%.*f", decimals, b);
  return strcmp(x, y) == 0;
}

bool relation_holds(const struct relation *relation, double published,
                    double measured) {
  double bound = relation->bound;
  switch (relation->kind) {
  case RELATION_PRINTED:
    return print_the_same(published, measured, relation->decimals);
  case RELATION_EQUAL:
    return measured == bound;
  case RELATION_BELOW:
    return measured < bound;
  case RELATION_ABOVE:
    return measured > bound;
  case RELATION_WITHIN:
    return fabs(measured - published) <= bound * fabs(published);
  case RELATION_FACTOR:
    return measured * published > 0 &&
           fabs(measured) <= bound * fabs(published) &&
           fabs(published) <= bound * fabs(measured);
  case RELATION_INSIDE:
    return measured <= published && published <= bound;
  case RELATION_KINDS:
    break;
  }
  return false;
}

void relation_words(const struct relation *relation, const char *than,
                    struct buffer *out) {
  static const char *const words[RELATION_KINDS] = {
      "the same digits",
      "equal to",
      "below",
      "above",
      "within",
      "factor\302\240of",
      "inside the measured range"};
  char number[JSON_DOUBLE_TEXT];
  buffer_text(out, words[relation->kind]);
  if (relation->kind == RELATION_PRINTED || relation->kind == RELATION_INSIDE)
    return;
  json_double_text(relation->kind == RELATION_WITHIN ? 100 * relation->bound
                                                     : relation->bound,
                   number);
  buffer_printf(out, "%s%s", than != NULL ? " " : "\302\240",
                than != NULL ? than : number);
  if (relation->kind == RELATION_WITHIN) buffer_text(out, "\302\240%");
}
