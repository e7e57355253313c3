/* A column of lines, figures and other boxes before it is cut into pages.
 *
 * Items are stacked downwards. Between two items lies the space of the lower
 * one, which vanishes at the top of a page. Lengths are in points. */
#ifndef FLOW_H
#define FLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/base/memory.h"
#include "report/box.h"
#include "report/tag.h"

struct note;

/* The elements that are open around an item, innermost first. */
struct tag_path {
  const struct tag *tag;
  const struct tag_path *parent;
};

/* Drawn behind or beside a row of items that share it: a tinted ground, or a
 * bar at their left. */
struct decoration {
  enum { DECORATION_GROUND, DECORATION_BAR } kind;
  double x, width, above, below; /* reach beyond the first and last item */
  struct color color;
  const struct decoration *parent;
};

/* A bullet or number in front of an item, on its baseline. */
struct marker {
  struct box *box;
  double x;
  const struct tag_path *path;
  struct marker *next;
};

/* An entry of the bookmarks. */
struct outline_entry {
  int level;
  const char *title, *destination;
};

struct flow_item {
  struct box *box;
  double x; /* of its reference point from the column's left */
  double height, depth;
  double space, stretch; /* above it */
  double below;          /* space below one that floats, where it stays */
  int penalty;   /* of a page break above it, as in paragraph_breaks.h */
  bool is_line;  /* text: distance counts from baseline to baseline */
  bool floats;   /* may move to the top of a later page */
  bool is_ruled; /* a line to write on, of which a page with room has more */
  const struct tag_path *path;
  const struct decoration *decoration;
  struct marker *marker;
  const struct outline_entry *outline;
  const char *destination;
  const struct note **notes;
  size_t note_count;
  const struct box *repeat; /* set above it when a page begins with it */
  struct place place;
};

struct flow {
  struct arena *arena;
  struct flow_item *items; /* freed by flow_free; the rest is an arena's */
  size_t count, room;
  /* Of what comes next. */
  double space, stretch; /* at least this much above it */
  int penalty;           /* at least this much; flow_add takes it up */
  struct marker *marker;
  const char *destination;
  double last_depth;
  bool after_line;
  const struct note **notes; /* freed by flow_free */
  size_t note_count, note_room;
};

/* Ask for space above the next item; the largest request counts. */
void flow_space(struct flow *flow, double space, double stretch);

/* Ask for no page break (or a dear one) above the next item. */
void flow_keep(struct flow *flow, int penalty);

/* The next item refers to this note. */
void flow_note(struct flow *flow, const struct note *note);

/* A page break above the next item. */
void flow_break_page(struct flow *flow);

/* Append an item, whose own penalty and space are completed by what was asked
 * for, and return it; valid until the next call. A line's space is enlarged so
 * that baselines lie `leading` apart, and nothing collides. */
struct flow_item *flow_add(struct flow *flow, struct flow_item item,
                           double leading);

/* The same for an item that floats: its `space` and `below` stand only where it
 * stays, and what was asked for the next item is left to that item. */
void flow_add_float(struct flow *flow, struct flow_item item);

void flow_free(struct flow *flow);

#endif
