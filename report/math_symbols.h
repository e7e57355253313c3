/* What the TeX commands of a formula mean, and what its characters are. */
#ifndef MATH_SYMBOLS_H
#define MATH_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/math.h"

enum math_command_kind {
  COMMAND_SYMBOL,   /* code, value: its class */
  COMMAND_LARGE,    /* code; value: its limits */
  COMMAND_OPERATOR, /* spoken: its text; value: its limits */
  COMMAND_ACCENT,   /* code; value: stretchy */
  COMMAND_OVER,     /* code */
  COMMAND_UNDER,    /* code */
  COMMAND_FRACTION, /* value: its style */
  COMMAND_BINOMIAL, /* value: its style */
  COMMAND_ROOT,
  COMMAND_FONT,  /* value: the font */
  COMMAND_TEXT,  /* value: the font */
  COMMAND_SPACE, /* value: mu */
  COMMAND_STYLE, /* value: the style */
  COMMAND_BIG,   /* value: size; code: class, 0 for the delimiter's own */
  COMMAND_LEFT,
  COMMAND_RIGHT,
  COMMAND_MIDDLE,
  COMMAND_BEGIN,
  COMMAND_END,
  COMMAND_LIMITS, /* value: the limits */
  COMMAND_CLASS,  /* value: the class */
  COMMAND_NOT,
  COMMAND_STACK, /* value: 1 above, 0 below */
  COMMAND_PHANTOM,
  COMMAND_NAME /* \operatorname */
};

struct math_command {
  const char *name; /* without its backslash */
  enum math_command_kind kind;
  uint32_t code;
  int value;
  const char *spoken; /* in a reading; NULL: the name */
};

/* The command of that name, or NULL. */
const struct math_command *math_command_find(const char *name, size_t length);

/* The command that a misspelt name is closest to, or NULL. */
const struct math_command *math_command_guess(const char *name, size_t length);

/* The symbol command that shows `code`, or NULL. */
const struct math_command *math_command_of_code(uint32_t code);

/* Class and code of a character typed as it is (`-` is U+2212); false when a
 * formula may not hold it. */
bool math_character(uint32_t typed, uint32_t *code, enum math_class *class);

/* Whether `code` may follow \left or \big. */
bool math_is_delimiter(uint32_t code);

/* The negated form of a relation, or 0 when Unicode has none. */
uint32_t math_negated(uint32_t code);

/* Is it a prime, or a row of them? */
bool math_is_primes(const struct math *node);

bool math_is_latin(uint32_t code);
bool math_is_digit(uint32_t code);
bool math_is_small_greek(uint32_t code); /* the partial sign too */
bool math_is_capital_greek(uint32_t code);

#endif
