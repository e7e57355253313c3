/* A formula as a tree, read from TeX once and shared by every writer: MathML
 * (math_mathml.h), the boxes of the PDF, the spoken reading and the evaluator.
 *
 * The tree is what TeX calls a math list (The TeXbook, ch. 17 and app. G).
 * Two things are settled here so that the writers agree: `class` is final
 * (binary operators without an operand on both sides have become ordinary,
 * rules 5 and 6 of app. G), and `font` is resolved (a letter without a font
 * command is MATH_ITALIC, a digit or capital Greek letter MATH_UPRIGHT). */
#ifndef MATH_H
#define MATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/base/memory.h"
#include "report/source_map.h"

enum math_class {
  MATH_ORD,
  MATH_OP,
  MATH_BIN,
  MATH_REL,
  MATH_OPEN,
  MATH_CLOSE,
  MATH_PUNCT,
  MATH_INNER
};

enum math_type {
  MATH_ROW,       /* body: first element, the others by `next`; may be empty */
  MATH_SYMBOL,    /* code, font; `large` for \sum, \int, ...; limits */
  MATH_OPERATOR,  /* text: upright name, \log or \operatorname{mean}; limits */
  MATH_TEXT,      /* text, font: words with their own spaces, \text{if } */
  MATH_SPACE,     /* width in mu, 18 mu = 1 em; may be negative */
  MATH_FRACTION,  /* body over below; bar; style if forced */
  MATH_ROOT,      /* body; above: the degree or NULL */
  MATH_SCRIPTS,   /* body: nucleus; above, below: scripts, one may be NULL */
  MATH_ACCENT,    /* body; code: combining accent; stretchy for \widehat */
  MATH_OVER,      /* body; code: U+203E line or U+23DE brace above it */
  MATH_UNDER,     /* body; code: U+005F line or U+23DF brace below it */
  MATH_FENCED,    /* body: row; left, right: delimiters that grow, 0 none */
  MATH_DELIMITER, /* code; size 1 to 4 of \big \Big \bigg \Bigg, 0: \middle */
  MATH_TABLE,     /* cells, rows, columns, align, table */
  MATH_STYLE,     /* body: row set in `style` */
  MATH_PHANTOM    /* body: takes its room, draws nothing */
};

/* MATH_UPRIGHT is also the font of symbols that have no variants. */
enum math_font {
  MATH_UPRIGHT,
  MATH_ITALIC,
  MATH_BOLD,
  MATH_BOLD_ITALIC,
  MATH_BLACKBOARD,
  MATH_CALLIGRAPHIC,
  MATH_FRAKTUR,
  MATH_SANS,
  MATH_MONO
};

enum math_style {
  MATH_INHERIT, /* the style of what surrounds it */
  MATH_DISPLAY,
  MATH_TEXT_STYLE,
  MATH_SCRIPT,
  MATH_SCRIPT_SCRIPT
};

/* Where scripts go. MATH_LIMITS_AUTO: above and below in display style only
 * (\sum, \max); MATH_LIMITS_SIDE is the rule for all but operators. */
enum math_limits { MATH_LIMITS_SIDE, MATH_LIMITS_AUTO, MATH_LIMITS_ALWAYS };

enum math_table {
  MATH_MATRIX,       /* text style cells, columns 1 em apart */
  MATH_SMALL_MATRIX, /* script style cells */
  MATH_ARRAY,        /* as MATH_MATRIX, aligned by the array's preamble */
  MATH_CASES,        /* text style cells, left aligned */
  MATH_ALIGNED,      /* display style cells, right and left in pairs */
  MATH_GATHERED      /* display style cells, centred */
};

struct math {
  enum math_type type;
  enum math_class class;
  struct place place;
  const struct source_value *value; /* what a tag printed here, or NULL */
  struct math *next;                /* following element of the row */

  struct math *body, *above, *below;

  uint32_t code;        /* Unicode, before the font is applied */
  uint32_t left, right; /* MATH_FENCED */
  enum math_font font;
  enum math_style style;
  enum math_limits limits; /* MATH_SCRIPTS: where this one's scripts go */
  bool large;              /* grows in display style */
  bool bar;                /* MATH_FRACTION: drawn; \binom has none */
  bool stretchy;
  int size;         /* MATH_DELIMITER */
  int width;        /* MATH_SPACE */
  const char *text; /* UTF-8, closed by a 0 byte */

  enum math_table table;
  size_t rows, columns;
  struct math **cells; /* rows * columns rows, row by row, none NULL */
  const char *align;   /* one of l, c, r for each column */
};

struct math_formula {
  const char *source; /* the TeX text, trimmed, newlines as spaces */
  size_t offset;      /* of its first byte, in the map */
  bool display;
  struct place place;
  struct math *root; /* a MATH_ROW */
};

/* Parse `text`, whose first byte stands at `offset` of `map`; the tree lives
 * in `arena`, its places' file names in the map. An unknown command, an
 * unclosed brace, nesting deeper than MATH_DEPTH, an invalid or unsupported
 * character are errors at their place. */
enum { MATH_DEPTH = 60 };
int math_parse(const char *text, size_t length, bool display,
               const struct source_map *map, size_t offset, struct arena *arena,
               struct math_formula *out, struct error *err);

/* The code point that shows `code` in `font`: U+1D465 for an italic x. */
uint32_t math_styled_code(uint32_t code, enum math_font font);

/* The space TeX sets between neighbours, in mu: 0, 3, 4 or 5 (The TeXbook,
 * p. 170); `script` in script styles, where most of it vanishes. */
int math_spacing(enum math_class left, enum math_class right, bool script);

/* Append a reading in English words, such as "x hat squared over n", for
 * screen readers and as the alternative text of the PDF. */
void math_speak(const struct math_formula *formula, struct buffer *out);

#endif
