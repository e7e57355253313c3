#include "report/box.h"

#include <math.h>

struct box *box_new(struct arena *arena, enum box_kind kind) {
  struct box *box = arena_alloc(arena, sizeof *box);
  box->kind = kind;
  return box;
}

struct box *box_from_run(struct arena *arena, const struct glyph_run *run) {
  struct box *box = box_new(arena, BOX_RUN);
  box->run = run;
  box->width = run->width;
  box->height = run->height;
  box->depth = run->depth;
  return box;
}

struct box *box_from_runs(struct arena *arena, const struct glyph_run *runs) {
  struct box *box = box_new(arena, BOX_LIST);
  for (; runs; runs = runs->next)
    box_append(box, box_from_run(arena, runs));
  return box;
}

struct box *box_rule(struct arena *arena, double width, double height,
                     double depth) {
  struct box *box = box_new(arena, BOX_RULE);
  box->width = width;
  box->height = height;
  box->depth = depth;
  return box;
}

void box_place(struct box *parent, struct box *child, double x, double y) {
  child->x = x;
  child->y = y;
  if (parent->last)
    parent->last->next = child;
  else
    parent->child = child;
  parent->last = child;
}

void box_cover(struct box *parent, struct box *child, double x, double y) {
  box_place(parent, child, x, y);
  parent->height = fmax(parent->height, child->height + y);
  parent->depth = fmax(parent->depth, child->depth - y);
}

void box_append(struct box *parent, struct box *child) {
  box_cover(parent, child, parent->width, 0);
  parent->width += child->width;
}

void box_skip(struct box *parent, double width) {
  parent->width += width;
}

void box_set_color(struct box *box, struct color color) {
  struct color old = box->color;
  if (!old.red && !old.green && !old.blue && !old.transparency)
    box->color = color;
  for (struct box *child = box->child; child; child = child->next)
    box_set_color(child, color);
}

static void draw_self(const struct box *box, struct device *device, double x,
                      double y) {
  switch (box->kind) {
  case BOX_LIST:
    break;
  case BOX_RUN:
    device->glyphs(device, box->run, x, y, box->color);
    break;
  case BOX_RULE:
    device->rectangle(device, x, y - box->depth, box->width,
                      box->height + box->depth, box->color);
    break;
  case BOX_PATH:
    device->path(device, box->path, box->paint, x, y);
    break;
  }
}

static void draw_children(const struct box *box, struct device *device,
                          double x, double y) {
  if (box->matrix) {
    struct matrix matrix = *box->matrix;
    matrix.e += x;
    matrix.f += y;
    device->push_matrix(device, &matrix);
    x = y = 0;
  }
  for (const struct box *child = box->child; child; child = child->next)
    box_draw(child, device, x + child->x, y + child->y);
  if (box->matrix) device->pop(device);
}

void box_draw(const struct box *box, struct device *device, double x,
              double y) {
  if (box->tag) device->begin_tag(device, box->tag);
  if (box->destination)
    device->destination(device, box->destination, x, y + box->height);
  draw_self(box, device, x, y);
  draw_children(box, device, x, y);
  if (box->link)
    device->link(device, x, y - box->depth, box->width,
                 box->height + box->depth, box->link);
  if (box->tag) device->end_tag(device);
}
