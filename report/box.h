/* Boxes: what maths and paragraphs are built from (The TeXbook, chapter 11).
 *
 * A box has a reference point at the left end of its baseline, a width to the
 * right, a height above and a depth below (positive; either may be negative).
 * Lengths are in points, y upwards. A box belongs to one parent and keeps its
 * own position (x, y) relative to the parent's reference point; all are owned
 * by an arena. Drawing visits children in order, which is the reading order. */
#ifndef BOX_H
#define BOX_H

#include "report/base/memory.h"
#include "report/device.h"
#include "report/font.h"
#include "report/tag.h"

enum box_kind {
  BOX_LIST, /* children */
  BOX_RUN,  /* one glyph run */
  BOX_RULE, /* filled rectangle width x (height + depth) */
  BOX_PATH  /* drawing; coordinates from the reference point, y upwards */
};

struct box {
  enum box_kind kind;
  double x, y; /* of the reference point in the parent */
  double width, height, depth;
  struct color color;
  const struct tag *tag;   /* element opened around it, or NULL */
  const char *link;        /* URI, or "#name" for a destination; or NULL */
  const char *destination; /* name that links may lead to, or NULL */
  const struct glyph_run *run;
  const struct path *path;
  const struct paint *paint;
  const struct matrix *matrix; /* applied to the children about the reference
                                  point; NULL for none */
  struct box *child, *last, *next;
};

struct box *box_new(struct arena *arena, enum box_kind kind);

/* One run (its `next` is not followed) with the run's width and ink extent. */
struct box *box_from_run(struct arena *arena, const struct glyph_run *run);

/* A list of runs side by side as one box. */
struct box *box_from_runs(struct arena *arena, const struct glyph_run *runs);

struct box *box_rule(struct arena *arena, double width, double height,
                     double depth);

/* Put `child` at (x, y) as the last child; extents do not change. */
void box_place(struct box *parent, struct box *child, double x, double y);

/* The same, then grow height and depth (not the width) to cover it. */
void box_cover(struct box *parent, struct box *child, double x, double y);

/* Put `child` behind the box's right end, on its baseline, and grow. */
void box_append(struct box *parent, struct box *child);

/* Move the right end by `width` (glue or kern). */
void box_skip(struct box *parent, double width);

/* Give every descendant that is still black this colour. */
void box_set_color(struct box *box, struct color color);

/* Draw with the reference point at (x, y) of the page. */
void box_draw(const struct box *box, struct device *device, double x, double y);

#endif
