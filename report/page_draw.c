#include <math.h>

#include "report/page.h"

static const struct tag artifact = {.role = TAG_ARTIFACT};
static const double note_rule_width = 110, note_rule = 0.4;
enum { DEEPEST_PATH = 128 };

struct drawing {
  const struct page_geometry *geometry;
  struct device *device;
  const struct tag *open[DEEPEST_PATH];
  int depth;
};

static double page_y(const struct drawing *d, double y) {
  return d->geometry->height - d->geometry->top - y;
}

static void enter_path(struct drawing *d, const struct tag_path *path) {
  const struct tag *chain[DEEPEST_PATH];
  int depth = 0, common = 0;
  for (const struct tag_path *p = path; p; p = p->parent)
    depth++;
  if (depth > DEEPEST_PATH) depth = DEEPEST_PATH;
  int i = depth;
  for (const struct tag_path *p = path; p && i > 0; p = p->parent)
    chain[--i] = p->tag;
  while (common < depth && common < d->depth &&
         d->open[common] == chain[common])
    common++;
  for (; d->depth > common; d->depth--)
    d->device->end_tag(d->device);
  for (; d->depth < depth; d->depth++) {
    d->open[d->depth] = chain[d->depth];
    d->device->begin_tag(d->device, chain[d->depth]);
  }
}

/* Enter a box's outermost elements without drawing, so that they have their
 * place in the reading order; what is inside follows when it is drawn. */
static void enter_tags(struct device *device, const struct box *box) {
  if (box->tag && box->tag->role == TAG_ARTIFACT) return;
  if (box->tag) {
    device->begin_tag(device, box->tag);
    device->end_tag(device);
    return;
  }
  for (const struct box *child = box->child; child; child = child->next)
    enter_tags(device, child);
}

static bool has_decoration(const struct placed *placed,
                           const struct decoration *decoration) {
  if (placed->is_deferred) return false;
  const struct decoration *d = placed->item->decoration;
  while (d && d != decoration)
    d = d->parent;
  return d != NULL;
}

/* Draw what begins at item `i`, the outer first. */
static void draw_decoration(struct drawing *d, const struct page *page,
                            size_t i, const struct decoration *decoration) {
  if (!decoration) return;
  draw_decoration(d, page, i, decoration->parent);
  if (i > 0 && has_decoration(&page->items[i - 1], decoration)) return;
  size_t last = i;
  while (last + 1 < page->count &&
         has_decoration(&page->items[last + 1], decoration))
    last++;
  const struct placed *a = &page->items[i], *z = &page->items[last];
  double top = a->y - a->item->height - decoration->above;
  double bottom = z->y + z->item->depth + decoration->below;
  d->device->begin_tag(d->device, &artifact);
  d->device->rectangle(d->device, d->geometry->left + decoration->x,
                       page_y(d, bottom), decoration->width, bottom - top,
                       decoration->color);
  d->device->end_tag(d->device);
}

static void draw_decorations(struct drawing *d, const struct page *page) {
  for (size_t i = 0; i < page->count; i++)
    if (!page->items[i].is_deferred)
      draw_decoration(d, page, i, page->items[i].item->decoration);
}

static void draw_item(struct drawing *d, const struct placed *placed) {
  const struct flow_item *item = placed->item;
  double x = d->geometry->left, y = page_y(d, placed->y);
  if (placed->is_deferred) {
    enter_path(d, item->path);
    enter_tags(d->device, placed->box);
    return;
  }
  bool is_repeat = placed->box != item->box;
  for (const struct marker *m = is_repeat ? NULL : item->marker; m;
       m = m->next) {
    enter_path(d, m->path);
    box_draw(m->box, d->device, x + m->x, y);
  }
  enter_path(d, item->path);
  if (item->destination && !is_repeat)
    d->device->destination(d->device, item->destination, x, y + item->height);
  if (item->outline && !is_repeat)
    d->device->outline(d->device, item->outline->level, item->outline->title,
                       item->outline->destination);
  box_draw(placed->box, d->device, x + item->x, y);
}

static void draw_notes(struct drawing *d, const struct page *page,
                       const struct tag_path *base) {
  struct device *device = d->device;
  double x = d->geometry->left;
  if (page->note_count == 0) return;
  enter_path(d, NULL);
  device->begin_tag(device, &artifact);
  device->rectangle(device, x, page_y(d, page->rule_y), note_rule_width,
                    note_rule, (struct color){0, 0, 0, 0});
  device->end_tag(device);
  enter_path(d, base);
  for (size_t i = 0; i < page->note_count; i++)
    box_draw(page->notes[i].box, device, x, page_y(d, page->notes[i].y));
}

static void draw_foot(struct drawing *d, const struct foot *foot, size_t page,
                      size_t count) {
  struct device *device = d->device;
  double left = d->geometry->left, right = left + d->geometry->text_width;
  device->begin_tag(device, &artifact);
  if (foot->left && (page > 0 || foot->left_on_first))
    box_draw(foot->left, device, left, d->geometry->foot);
  struct box *number = foot->number(foot->context, page, count);
  if (foot->head)
    box_draw(foot->head, device, (left + right - foot->head->width) / 2,
             d->geometry->height - d->geometry->top / 2);
  if (number)
    box_draw(number, device, right - number->width, d->geometry->foot);
  device->end_tag(device);
}

void pages_draw(const struct pages *pages, const struct page_geometry *geometry,
                const struct foot *foot, const struct tag_path *base,
                struct device *device) {
  struct drawing d = {.geometry = geometry, .device = device};
  for (size_t i = 0; i < pages->count; i++) {
    const struct page *page = &pages->pages[i];
    device->begin_page(device, geometry->width, geometry->height);
    draw_decorations(&d, page);
    for (size_t k = 0; k < page->count; k++)
      draw_item(&d, &page->items[k]);
    draw_notes(&d, page, base);
    enter_path(&d, NULL);
    draw_foot(&d, foot, i, pages->count);
    device->end_page(device);
  }
}
