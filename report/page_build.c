#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/page.h"
#include "report/paragraph_breaks.h"

static const double note_space = 15; /* between text and notes */
static const double note_gap = 2.5;  /* between notes */
static const double float_space = 14;
static const double hanging_depth = 5; /* a last line may reach lower by this */
static const double easy_lack = 20; /* room that is left without much regret */

struct page_geometry page_geometry(double width, double height, double measure,
                                   double leading) {
  const double top = 0.098 * height, bottom = 0.118 * height;
  struct page_geometry g = {.width = width,
                            .height = height,
                            .left = (width - measure) / 2,
                            .top = top,
                            .text_width = measure,
                            .first_baseline = 0.74 * leading,
                            .foot = 0.062 * height};
  double lines = floor((height - top - bottom - g.first_baseline) / leading);
  g.text_height = g.first_baseline + lines * leading;
  return g;
}

/* The page being filled. */
struct filling {
  struct placed *items;
  size_t count, room;
  const struct note **notes;
  size_t note_count, note_room;
  double bottom;   /* lower edge of what stands so far */
  double overhang; /* of it, how much may hang below the text */
  double stretch;  /* of all spaces */
  double note_height;
  double below; /* wanted under the float that stands last */
  bool has_text;
};

struct builder {
  const struct flow *flow;
  const struct page_options *options;
  struct filling page;
  size_t *deferred; /* items that float and wait */
  size_t deferred_count, deferred_room;
  struct pages *out;
};

/* Where the page may end, as far as it is filled. */
struct stop {
  size_t next; /* item the next page begins with */
  size_t count, note_count, deferred_count;
  double cost, lack, stretch;
  double room; /* the lack where spaces must not take it up, too */
};

static double height_left(const struct builder *b) {
  const struct filling *p = &b->page;
  double notes = p->note_height > 0 ? note_space + p->note_height : 0;
  return b->options->geometry.text_height - notes - p->bottom + p->overhang;
}

static double note_extent(const struct builder *b, const struct note *note) {
  const struct box *box = b->options->notes[note->number - 1];
  return box->height + box->depth;
}

/* A note that has several marks stands with its first. */
static bool has_note(const struct filling *p, const struct note *note) {
  for (size_t i = 0; i < p->note_count; i++)
    if (p->notes[i] == note) return true;
  return false;
}

static void add_note(struct builder *b, const struct note *note) {
  struct filling *p = &b->page;
  if (has_note(p, note)) return;
  if (p->note_count == p->note_room) {
    p->note_room = p->note_room ? p->note_room * 2 : 8;
    p->notes = memory_resize(p->notes, p->note_room, sizeof *p->notes);
  }
  p->note_height += note_extent(b, note) + (p->note_count ? note_gap : 0);
  p->notes[p->note_count++] = note;
}

static double notes_wanted(const struct builder *b,
                           const struct flow_item *item) {
  double height = 0;
  bool any = b->page.note_count > 0;
  for (size_t i = 0; i < item->note_count; i++) {
    if (has_note(&b->page, item->notes[i])) continue;
    height += note_extent(b, item->notes[i]) + (any ? note_gap : note_space);
    any = true;
  }
  return height;
}

static void push_placed(struct filling *p, struct placed placed) {
  if (p->count == p->room) {
    p->room = p->room ? p->room * 2 : 64;
    p->items = memory_resize(p->items, p->room, sizeof *p->items);
  }
  p->items[p->count++] = placed;
}

static double space_above(const struct builder *b,
                          const struct flow_item *item) {
  const struct filling *p = &b->page;
  return p->has_text ? fmax(item->space, p->below) : 0;
}

/* The baseline that the item would get. */
static double baseline_of(const struct builder *b,
                          const struct flow_item *item) {
  const struct filling *p = &b->page;
  if (p->has_text) return p->bottom + space_above(b, item) + item->height;
  if (!item->is_line) return item->height;
  return fmax(b->options->geometry.first_baseline, item->height);
}

static void place(struct builder *b, const struct flow_item *item,
                  const struct box *box, double y) {
  struct filling *p = &b->page;
  if (p->has_text && box == item->box) p->stretch += item->stretch;
  push_placed(p, (struct placed){item, box, y, false});
  double depth = box == item->box ? item->depth : box->depth;
  p->bottom = y + depth;
  p->overhang = item->is_line ? fmin(depth, hanging_depth) : 0;
  p->has_text = true;
  p->below = item->floats ? item->below : 0;
  if (box == item->box)
    for (size_t i = 0; i < item->note_count; i++)
      add_note(b, item->notes[i]);
}

/* True when the item fits below what stands on the page. */
static bool fits(const struct builder *b, const struct flow_item *item) {
  double depth =
      item->is_line ? fmax(0, item->depth - hanging_depth) : item->depth;
  double notes = b->page.note_height > 0 ? note_space + b->page.note_height : 0;
  double end = baseline_of(b, item) + depth + notes + notes_wanted(b, item);
  return end <= b->options->geometry.text_height + 0.01;
}

static void defer(struct builder *b, size_t index) {
  if (b->deferred_count == b->deferred_room) {
    b->deferred_room = b->deferred_room ? b->deferred_room * 2 : 8;
    b->deferred =
        memory_resize(b->deferred, b->deferred_room, sizeof *b->deferred);
  }
  b->deferred[b->deferred_count++] = index;
  const struct flow_item *item = &b->flow->items[index];
  push_placed(&b->page, (struct placed){item, item->box, 0, true});
}

/* Begin a page with the floats that waited, as many as fit. */
static void place_deferred(struct builder *b) {
  size_t done = 0;
  for (; done < b->deferred_count; done++) {
    const struct flow_item *item = &b->flow->items[b->deferred[done]];
    if (!fits(b, item)) break;
    place(b, item, item->box, baseline_of(b, item));
    b->page.below = fmax(item->below, float_space);
  }
  b->deferred_count -= done;
  if (b->deferred_count > 0)
    memmove(b->deferred, b->deferred + done,
            b->deferred_count * sizeof *b->deferred);
}

static void consider(const struct builder *b, size_t next, size_t start,
                     struct stop *best) {
  const struct flow_item *item = &b->flow->items[next];
  if (item->penalty >= PENALTY_NEVER || next == start) return;
  double lack = fmax(height_left(b), 0);
  double ratio = lack / (b->page.stretch + easy_lack);
  double cost = fmin(100 * ratio * ratio * ratio, 1e6) + item->penalty;
  if (cost > best->cost) return;
  *best = (struct stop){.next = next,
                        .count = b->page.count,
                        .note_count = b->page.note_count,
                        .deferred_count = b->deferred_count,
                        .cost = cost,
                        .lack = lack,
                        .room = lack,
                        .stretch = b->page.stretch};
}

static int too_tall(const struct builder *b, const struct flow_item *item,
                    struct error *err) {
  const struct box *head = item->repeat;
  double height = item->height + item->depth + notes_wanted(b, item);
  if (head != NULL) height += head->height + head->depth - item->space;
  return error_at(err, item->place,
                  "this is taller than a page (%.0f pt of %.0f pt)", height,
                  b->options->geometry.text_height);
}

/* Place items from `start` on until one does not fit or must not follow. */
static int fill(struct builder *b, size_t start, struct stop *stop,
                struct error *err) {
  const struct flow *flow = b->flow;
  struct stop best = {.cost = HUGE_VAL};
  size_t i = start, floats = b->page.count;
  bool overflows = false;
  for (; i < flow->count; i++) {
    const struct flow_item *item = &flow->items[i];
    if (item->penalty <= PENALTY_FORCED && i > start) break;
    consider(b, i, start, &best);
    if (item->floats && b->page.has_text &&
        (b->deferred_count > 0 || !fits(b, item))) {
      defer(b, i);
      continue;
    }
    if (item->repeat && i == start) {
      double top = b->page.has_text ? b->page.bottom + float_space : 0;
      place(b, item, item->repeat, top + item->repeat->height);
      b->page.bottom -= item->space;
    }
    if (!fits(b, item)) {
      if (i == start) b->page.count = floats; /* no head without a row */
      if (b->page.count == 0) return too_tall(b, item, err);
      overflows = true;
      break;
    }
    place(b, item, item->box, baseline_of(b, item));
  }
  bool is_end = !overflows || best.cost == HUGE_VAL;
  if (is_end)
    best = (struct stop){.next = i,
                         .count = b->page.count,
                         .note_count = b->page.note_count,
                         .deferred_count = b->deferred_count,
                         .room = fmax(height_left(b), 0)};
  *stop = best;
  return 0;
}

/* Let the spaces take up what is left, when they can. */
static void justify(struct page *page, const struct stop *stop) {
  if (stop->lack <= 0 || stop->stretch <= 0 || stop->lack > stop->stretch)
    return;
  double ratio = stop->lack / stop->stretch, shift = 0;
  bool is_first = true;
  for (size_t i = 0; i < page->count; i++) {
    struct placed *p = &page->items[i];
    if (p->is_deferred) continue;
    if (!is_first && p->box == p->item->box) shift += ratio * p->item->stretch;
    p->y += shift;
    is_first = false;
  }
}

/* ---- lines to write on ----------------------------------------------------*/

static bool is_ruled(const struct page *page, size_t i) {
  return i < page->count && page->items[i].item->is_ruled;
}

/* How many times all lines that end a group of lines can be set again; at most
 * doubles what is there. */
static size_t lines_to_add(const struct page *page, double room,
                           size_t *groups) {
  size_t lines = 0, last = 0;
  *groups = 0;
  for (size_t i = 0; i < page->count; i++) {
    if (!is_ruled(page, i)) continue;
    lines++;
    last = i;
    *groups += !is_ruled(page, i + 1);
  }
  if (lines == 0) return 0;
  double pitch = page->items[last].item->height;
  return (size_t)fmin(floor(room / pitch), (double)lines);
}

/* Groups get the same number of lines, those in front one more. */
static void add_ruled(struct builder *b, struct page *page, struct stop *stop) {
  size_t groups, group = 0, count = 0;
  size_t more = lines_to_add(page, stop->room, &groups);
  if (more == 0) return;
  struct placed *items =
      arena_alloc(b->options->arena, (page->count + more) * sizeof *items);
  double shift = 0;
  for (size_t i = 0; i < page->count; i++) {
    struct placed p = page->items[i];
    p.y += shift;
    items[count++] = p;
    if (!is_ruled(page, i) || is_ruled(page, i + 1)) continue;
    size_t own = more / groups + (group++ < more % groups);
    for (; own > 0; own--) {
      p.y += p.item->height;
      shift += p.item->height;
      items[count++] = p;
      stop->stretch += p.item->stretch;
    }
  }
  page->items = items;
  page->count = count;
  stop->lack = fmax(stop->lack - shift, 0);
}

/* ---- pages ----------------------------------------------------------------*/

static void set_notes(struct builder *b, struct page *page, size_t count) {
  struct arena *arena = b->options->arena;
  double height = 0;
  page->notes = arena_alloc(arena, (count + 1) * sizeof *page->notes);
  page->note_count = count;
  for (size_t i = 0; i < count; i++)
    height += note_extent(b, b->page.notes[i]) + (i ? note_gap : 0);
  double y = b->options->geometry.text_height - height + hanging_depth / 2;
  page->rule_y = y - 0.45 * note_space;
  for (size_t i = 0; i < count; i++) {
    const struct box *box = b->options->notes[b->page.notes[i]->number - 1];
    page->notes[i] = (struct placed_note){box, y + box->height};
    y += box->height + box->depth + note_gap;
  }
}

static void finish_page(struct builder *b, struct stop *stop) {
  struct pages *out = b->out;
  if (out->count == out->room) {
    out->room = out->room ? out->room * 2 : 16;
    out->pages = memory_resize(out->pages, out->room, sizeof *out->pages);
  }
  struct page *page = &out->pages[out->count++];
  *page = (struct page){.count = stop->count};
  page->items =
      arena_alloc(b->options->arena, (stop->count + 1) * sizeof *page->items);
  if (stop->count > 0)
    memcpy(page->items, b->page.items, stop->count * sizeof *page->items);
  add_ruled(b, page, stop);
  justify(page, stop);
  set_notes(b, page, stop->note_count);
  b->deferred_count = stop->deferred_count;
}

static void clear_page(struct filling *p) {
  p->count = p->note_count = 0;
  p->bottom = p->overhang = p->stretch = p->note_height = p->below = 0;
  p->has_text = false;
}

/* Floats that wait are set before a part that must begin on a new page. */
static int build_page(struct builder *b, size_t *next, struct error *err) {
  clear_page(&b->page);
  bool must_wait = b->deferred_count > 0 && *next < b->flow->count &&
                   b->flow->items[*next].penalty <= PENALTY_FORCED;
  place_deferred(b);
  if (b->deferred_count > 0 && b->page.count == 0)
    return too_tall(b, &b->flow->items[b->deferred[0]], err);
  struct stop stop = {.next = *next,
                      .count = b->page.count,
                      .deferred_count = b->deferred_count};
  if (!must_wait && *next < b->flow->count && fill(b, *next, &stop, err) != 0)
    return -1;
  finish_page(b, &stop);
  *next = stop.next;
  return 0;
}

int pages_build(const struct flow *flow, const struct page_options *options,
                struct pages *out, struct error *err) {
  struct builder b = {.flow = flow, .options = options, .out = out};
  size_t next = 0;
  int status = 0;
  *out = (struct pages){0};
  do
    status = build_page(&b, &next, err);
  while (status == 0 && (next < flow->count || b.deferred_count > 0));
  free(b.page.items);
  free(b.page.notes);
  free(b.deferred);
  if (status != 0) pages_free(out);
  return status;
}

void pages_free(struct pages *pages) {
  free(pages->pages);
  *pages = (struct pages){0};
}
