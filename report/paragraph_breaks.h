/* Total-fit line breaking over boxes, glue and penalties.
 *
 * D. E. Knuth, M. F. Plass, "Breaking paragraphs into lines" (1981), with
 * TeX's demerits (The TeXbook, chapter 14). Knows nothing of fonts: lengths
 * are in whatever unit the caller uses throughout.
 *
 * Passes of growing patience, the first that succeeds wins: without flagged
 * breaks (hyphens); with them; with emergency stretch; and at last with any
 * line at all, so that every paragraph gets its lines. A line is longer than
 * its width only where no break exists within it. */
#ifndef PARAGRAPH_BREAKS_H
#define PARAGRAPH_BREAKS_H

#include <stdbool.h>
#include <stddef.h>

enum line_item_kind { LINE_BOX, LINE_GLUE, LINE_PENALTY };

/* Breaks from PENALTY_RELUCTANT on are tried when the first passes fail, those
 * from PENALTY_DESPERATE on in the last pass only. */
enum {
  PENALTY_NEVER = 10000,
  PENALTY_RELUCTANT = 1000,
  PENALTY_DESPERATE = 2000,
  PENALTY_FORCED = -10000
};

struct line_item {
  enum line_item_kind kind;
  int penalty;    /* LINE_PENALTY: cost of a break here */
  bool flagged;   /* LINE_PENALTY: the break leaves a hyphen */
  double width;   /* LINE_PENALTY: added only when the line breaks here */
  double stretch; /* LINE_GLUE */
  double shrink;  /* LINE_GLUE */
};

struct line_options {
  double width;         /* of every line */
  double first_indent;  /* the first line is shorter by this much */
  double right_stretch; /* stretch at each line's end: ragged when > 0 */
};

/* One line: items first..last-1 hold its boxes and glue (glue and penalties
 * at its start are already left out); `break_at` is the glue or penalty it
 * ends with, item `break_at` itself belongs to no line when it is glue. */
struct line_break {
  size_t first, break_at;
};

struct line_breaks {
  struct line_break *lines; /* freed by line_breaks_free */
  size_t count;
};

/* The items must end with a penalty of PENALTY_FORCED. */
void line_breaks_find(const struct line_item *items, size_t count,
                      const struct line_options *options,
                      struct line_breaks *out);
void line_breaks_free(struct line_breaks *breaks);

/* How far a line's glue must stretch (> 0) or shrink (< 0) to fill its width;
 * INFINITY when it would have to stretch and cannot. */
double line_ratio(const struct line_item *items, struct line_break line,
                  const struct line_options *options, bool is_first);

#endif
