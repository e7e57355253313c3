/* Blocks that belong together, with or without a label at their left. */
#include <math.h>

#include "report/layout.h"
#include "report/paragraph_breaks.h"

static const double label_share = 0.26; /* of the width */
static const double label_gap = 1.1;    /* em */
static const double entry_space = 5, entry_stretch = 2;
static const double entry_height = 0.86, entry_depth = 0.4; /* em, at least */
static const double steps_share = 0.36; /* of a page: more is divided */
static const double rule_thickness = 0.4;
static const struct color rule_color = {0xb4, 0xb4, 0xb4, 0};
static const struct tag artifact = {.role = TAG_ARTIFACT};

void layout_keep(struct layout *layout, size_t first, double share) {
  struct flow *flow = layout->flow;
  double height = 0;
  for (size_t i = first; i < flow->count; i++) {
    const struct flow_item *item = &flow->items[i];
    height += item->height + item->depth + (i > first ? item->space : 0);
  }
  if (height > share * layout->page_height) return;
  for (size_t i = first + 1; i < flow->count; i++)
    if (flow->items[i].penalty > PENALTY_FORCED)
      flow->items[i].penalty = PENALTY_NEVER;
}

/* From the first baseline down to the end. */
static double reach(const struct flow *flow, size_t first) {
  double depth = 0;
  for (size_t i = first; i < flow->count; i++) {
    const struct flow_item *item = &flow->items[i];
    if (i > first) depth += item->space + item->height;
    depth += item->depth;
  }
  return depth;
}

static void add_rule_above(struct layout *layout, const struct block *block,
                           struct layout_place place) {
  struct box *rule = box_rule(layout->arena, place.width, rule_thickness, 0);
  rule->color = rule_color;
  rule->tag = &artifact;
  struct flow_item item = {.box = rule,
                           .x = place.x,
                           .height = rule_thickness,
                           .path = place.path,
                           .place = block->place};
  flow_space(layout->flow, entry_space, entry_stretch);
  flow_add(layout->flow, item, 0);
  flow_space(layout->flow, entry_space, 0);
  flow_keep(layout->flow, PENALTY_NEVER);
}

static int set_label(struct layout *layout, const struct block *block,
                     struct layout_place place, struct box **out,
                     struct error *err) {
  struct layout_text text = {.width = label_share * place.width,
                             .size = layout->style->small,
                             .shape = SHAPE_LEFT};
  struct paragraph_line *lines;
  size_t count;
  if (layout_lines(layout, block->spans, &text, &lines, &count, err) != 0)
    return -1;
  *out = layout_stack(layout, lines, count, text.width, text.size * 1.25);
  return 0;
}

/* Rows without tall formulas stand no closer than those with them. */
static void give_room(struct flow *flow, size_t first, double size) {
  if (first == flow->count) return;
  struct flow_item *top = &flow->items[first];
  struct flow_item *bottom = &flow->items[flow->count - 1];
  top->height = fmax(top->height, entry_height * size);
  bottom->depth = fmax(bottom->depth, entry_depth * size);
  flow->last_depth = bottom->depth;
}

/* The label hangs in the margin of the blocks, on their first baseline. */
static int add_labelled(struct layout *layout, const struct block *block,
                        struct layout_place place, struct error *err) {
  struct flow *flow = layout->flow;
  struct marker *marker = arena_alloc(layout->arena, sizeof *marker);
  add_rule_above(layout, block, place);
  if (set_label(layout, block, place, &marker->box, err) != 0) return -1;
  marker->x = place.x;
  marker->path =
      layout_path(layout, place.path, layout_tag(layout, TAG_PARAGRAPH));
  flow->marker = marker;
  flow->destination = block->id;
  double body = label_share * place.width + label_gap * place.size;
  place.x += body;
  place.width -= body;
  place.depth++;
  size_t first = flow->count;
  if (layout_blocks(layout, block->child, place, err) != 0) return -1;
  give_room(flow, first, place.size);
  double lack = marker->box->depth - reach(flow, first);
  flow_space(flow, entry_space + fmax(lack, 0), entry_stretch);
  return 0;
}

static bool has_steps(const struct block *blocks) {
  for (; blocks; blocks = blocks->next)
    if (blocks->steps) return true;
  return false;
}

int layout_group(struct layout *layout, const struct block *block,
                 struct layout_place place, struct error *err) {
  size_t first = layout->flow->count;
  place.path = layout_path(layout, place.path, layout_tag(layout, TAG_SECTION));
  int status = block->spans ? add_labelled(layout, block, place, err)
                            : layout_blocks(layout, block->child, place, err);
  if (status == 0)
    layout_keep(layout, first, has_steps(block->child) ? steps_share : 1);
  return status;
}
