#include "report/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/paragraph_breaks.h"

static const double line_skip = 1.5; /* least gap between inks */

void flow_space(struct flow *flow, double space, double stretch) {
  flow->space = fmax(flow->space, space);
  flow->stretch = fmax(flow->stretch, stretch);
}

void flow_keep(struct flow *flow, int penalty) {
  if (flow->penalty > PENALTY_FORCED && penalty > flow->penalty)
    flow->penalty = penalty;
}

void flow_note(struct flow *flow, const struct note *note) {
  if (flow->note_count == flow->note_room) {
    flow->note_room = flow->note_room ? flow->note_room * 2 : 8;
    flow->notes =
        memory_resize(flow->notes, flow->note_room, sizeof *flow->notes);
  }
  flow->notes[flow->note_count++] = note;
}

/* The item's own notes and those that were announced for it. */
static void take_notes(struct flow *flow, struct flow_item *item) {
  if (flow->note_count == 0) return;
  size_t count = flow->note_count + item->note_count;
  const struct note **all = arena_alloc(flow->arena, count * sizeof *all);
  memcpy(all, flow->notes, flow->note_count * sizeof *all);
  if (item->note_count)
    memcpy(all + flow->note_count, item->notes, item->note_count * sizeof *all);
  item->notes = all;
  item->note_count = count;
  flow->note_count = 0;
}

void flow_break_page(struct flow *flow) {
  flow->penalty = PENALTY_FORCED;
}

struct flow_item *flow_add(struct flow *flow, struct flow_item item,
                           double leading) {
  if (flow->count == flow->room) {
    flow->room = flow->room ? flow->room * 2 : 64;
    flow->items = memory_resize(flow->items, flow->room, sizeof *flow->items);
  }
  double space = flow->space;
  if (item.is_line && flow->after_line)
    space += fmax(leading - flow->last_depth - item.height, line_skip);
  item.space = fmax(item.space, space);
  item.stretch = fmax(item.stretch, flow->stretch);
  if (flow->penalty <= PENALTY_FORCED)
    item.penalty = PENALTY_FORCED;
  else if (flow->penalty > item.penalty)
    item.penalty = flow->penalty;
  if (flow->count == 0) item.penalty = 0;
  take_notes(flow, &item);
  item.marker = flow->marker;
  if (flow->destination) item.destination = flow->destination;
  flow->space = flow->stretch = 0;
  flow->penalty = 0;
  flow->marker = NULL;
  flow->destination = NULL;
  flow->after_line = item.is_line;
  flow->last_depth = item.depth;
  flow->items[flow->count] = item;
  return &flow->items[flow->count++];
}

void flow_add_float(struct flow *flow, struct flow_item item) {
  struct flow before = *flow;
  item.floats = true;
  flow->marker = NULL;
  flow_add(flow, item, 0);
  flow->space = before.space;
  flow->stretch = before.stretch;
  flow->penalty = before.penalty <= PENALTY_FORCED ? 0 : before.penalty;
  flow->marker = before.marker;
  flow->after_line = before.after_line;
  flow->last_depth = before.last_depth;
}

void flow_free(struct flow *flow) {
  free(flow->items);
  free(flow->notes);
  *flow = (struct flow){0};
}
