/* A parsed formula set as boxes: TeX's rules (The TeXbook, Appendix G; styles
 * D T S SS and their cramped forms, spacing by class) with the dimensions of
 * the font's OpenType MATH table in place of \fontdimen. */
#ifndef MATH_LAYOUT_H
#define MATH_LAYOUT_H

#include "report/base/error.h"
#include "report/base/memory.h"
#include "report/box.h"
#include "report/font.h"

struct math_formula; /* report/math.h */

struct math_options {
  struct font_set *fonts;
  struct arena *arena; /* owns the boxes */
  double size;         /* of the surrounding text */
  bool display;        /* display style; text style else */
};

/* The whole formula as one box, on the text's baseline. */
int math_layout(const struct math_formula *formula,
                const struct math_options *options, struct box **out,
                struct error *err);

/* The formula in pieces, for a paragraph to break lines in: a piece, then glue
 * (its natural width, stretch and shrink), where the line may break at the
 * cost of `penalty`. The glue vanishes at a break. Breaks are allowed after
 * relations and binary operators of the outermost level, at a higher price
 * between parentheses; all other glue has MATH_NO_BREAK. The last piece has no
 * glue. In display style breaks come before these signs. */
enum {
  MATH_NO_BREAK = 10000,
  MATH_BREAK_BINARY = 700,
  MATH_BREAK_RELATION = 500,
  MATH_BREAK_NESTED = 1500 /* added between parentheses */
};

struct math_piece {
  struct box *box;
  double space, stretch, shrink;
  int penalty;
  struct math_piece *next;
};

int math_layout_pieces(const struct math_formula *formula,
                       const struct math_options *options,
                       struct math_piece **out, struct error *err);

#endif
