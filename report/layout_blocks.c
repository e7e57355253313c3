/* Headings, paragraphs, quotes, lists; and which kind of block goes where. */
#include <string.h>

#include "report/base/buffer.h"
#include "report/layout.h"
#include "report/paragraph_breaks.h"

/* Costs of a page break between a lead-in and what it leads to. */
enum {
  LEAD_IN_PENALTY = 2500,
  LIST_LEAD_IN_PENALTY = 600,
  CODE_LEAD_IN_PENALTY = 200
};
enum { LONE_STEP_PENALTY = 400 }; /* one step, or none, apart from others */
enum { HEADING_PENALTY = -60 };   /* before a heading a break is welcome */
static const double indent = 1.3; /* em, of a paragraph */
static const double paragraph_stretch = 1; /* between paragraphs */
static const double block_space = 6, block_stretch = 3;
static const double quote_indent = 1.7; /* em */
static const double cross_scale = 1.25;
static const double step_share = 0.4; /* of a page, that a step stays on one */
static const struct color quote_bar = {0xc4, 0xc4, 0xc4, 0};
static const struct color cross_color = {0xb0, 0x1c, 0x1c, 0};
static const struct color aside_color = {0x45, 0x45, 0x45, 0};

static const struct heading_style {
  double scale, before, after;
} heading_styles[] = {{1.42, 21, 7}, {1.17, 15, 4.5}, {1, 11, 3}};
enum { HEADING_STYLES = sizeof heading_styles / sizeof heading_styles[0] };

static const enum tag_role heading_roles[] = {TAG_H1, TAG_H2, TAG_H3,
                                              TAG_H4, TAG_H5, TAG_H6};

static void add_outline(struct layout *layout, const struct block *block,
                        struct flow_item *item) {
  struct buffer text = {0};
  document_plain_text(block->spans, &text);
  struct outline_entry *entry = arena_alloc(layout->arena, sizeof *entry);
  *entry = (struct outline_entry){
      .level = block->level - layout->heading_level + 1,
      .title =
          arena_copy(layout->arena, text.bytes ? text.bytes : "", text.length),
      .destination = block->id};
  if (entry->level < 1) entry->level = 1;
  item->outline = entry;
  buffer_free(&text);
}

/* What stands at a heading's right end, as one line. */
static int set_aside(struct layout *layout, const struct block *block,
                     struct layout_place place, struct box **out,
                     struct error *err) {
  struct layout_text text = {.width = place.width,
                             .size = layout->style->small,
                             .shape = SHAPE_LEFT,
                             .color = aside_color};
  struct paragraph *paragraph;
  struct paragraph_line *lines;
  size_t count;
  double natural, least;
  if (layout_paragraph(layout, block->aside, &text, &paragraph, err) != 0)
    return -1;
  paragraph_widths(paragraph, &natural, &least);
  paragraph_free(paragraph);
  if (natural > 0.6 * place.width)
    return error_at(err, block->place, "no room for this beside a heading");
  if (layout_lines(layout, block->aside, &text, &lines, &count, err) != 0)
    return -1;
  *out = box_new(layout->arena, BOX_LIST);
  if (count > 0) box_cover(*out, lines[0].box, 0, 0);
  (*out)->width = natural;
  (*out)->tag = layout_tag(layout, TAG_SPAN);
  return 0;
}

static int add_heading(struct layout *layout, const struct block *block,
                       struct layout_place place, struct error *err) {
  int rank = block->level - layout->heading_level;
  if (rank < 0) rank = 0;
  int last = HEADING_STYLES - 1;
  const struct heading_style *style =
      &heading_styles[rank < last ? rank : last];
  struct layout_text text = {.width = place.width,
                             .size = layout->style->size * style->scale,
                             .shape = SHAPE_LEFT,
                             .bold = true,
                             .italic = rank >= last,
                             .unhyphenated = true};
  struct paragraph_line *lines;
  size_t count;
  struct box *aside = NULL;
  if (block->aside) {
    if (set_aside(layout, block, place, &aside, err) != 0) return -1;
    text.width -= aside->width + 1.5 * place.size;
  }
  if (layout_lines(layout, block->spans, &text, &lines, &count, err) != 0)
    return -1;
  size_t role = (size_t)rank + layout->has_title;
  if (aside && count > 0)
    box_cover(lines[0].box, aside, place.width - aside->width, 0);
  flow_space(layout->flow, style->before, style->before / 4);
  layout->flow->destination = block->id;
  size_t first = layout->flow->count;
  place.leading = text.size * 1.2;
  place.path =
      layout_path(layout, place.path,
                  layout_tag(layout, heading_roles[role < 5 ? role : 5]));
  layout_add_lines(layout, lines, count, place, block->place);
  for (size_t i = first + 1; i < layout->flow->count; i++)
    layout->flow->items[i].penalty = PENALTY_NEVER;
  if (first < layout->flow->count) {
    struct flow_item *item = &layout->flow->items[first];
    if (item->penalty == 0) item->penalty = HEADING_PENALTY;
    add_outline(layout, block, item);
  }
  flow_keep(layout->flow, PENALTY_NEVER);
  flow_space(layout->flow, style->after, 1);
  return 0;
}

static bool may_float(const struct block *block) {
  return block->type == BLOCK_FIGURE ||
         (block->type == BLOCK_TABLE && block->number > 0);
}

/* `before` is the block above, floats left out; NULL at the start. */
static int add_paragraph(struct layout *layout, const struct block *block,
                         const struct block *before, struct layout_place place,
                         struct error *err) {
  bool follows = before && before->type == BLOCK_PARAGRAPH;
  bool is_indented = follows && !block->continues && place.depth == 0;
  struct layout_text text = {.width = place.width,
                             .first_indent =
                                 is_indented ? indent * place.size : 0,
                             .size = place.size,
                             .bold = place.is_bold,
                             .color = place.color};
  struct paragraph_line *lines;
  size_t count;
  if (layout_lines(layout, block->spans, &text, &lines, &count, err) != 0)
    return -1;
  place.path =
      layout_path(layout, place.path, layout_tag(layout, TAG_PARAGRAPH));
  flow_space(layout->flow, follows && place.depth > 0 ? 3 : 0,
             follows ? paragraph_stretch : 0);
  if (block->continues) flow_keep(layout->flow, 150);
  if (block->id) layout->flow->destination = block->id;
  layout_add_lines(layout, lines, count, place, block->place);
  return 0;
}

static int add_quote(struct layout *layout, const struct block *block,
                     struct layout_place place, struct error *err) {
  struct decoration *bar = arena_alloc(layout->arena, sizeof *bar);
  *bar = (struct decoration){.kind = DECORATION_BAR,
                             .x = place.x + 0.4 * place.size,
                             .width = 1.6,
                             .above = 1,
                             .below = 1,
                             .color = quote_bar,
                             .parent = place.decoration};
  place.decoration = bar;
  place.path =
      layout_path(layout, place.path, layout_tag(layout, TAG_BLOCK_QUOTE));
  place.x += quote_indent * place.size;
  place.width -= 1.4 * quote_indent * place.size;
  place.depth++;
  flow_space(layout->flow, block_space, block_stretch);
  if (layout_blocks(layout, block->child, place, err) != 0) return -1;
  flow_space(layout->flow, block_space, block_stretch);
  return 0;
}

/* A break between thoughts: a short rule in the middle. */
static void add_rule(struct layout *layout, const struct block *block,
                     struct layout_place place) {
  static const struct tag artifact = {.role = TAG_ARTIFACT};
  double width = 5 * place.size;
  struct box *rule = box_rule(layout->arena, width, 0.5, 0);
  rule->tag = &artifact;
  flow_space(layout->flow, place.leading * 0.8, block_stretch);
  struct flow_item item = {.box = rule,
                           .x = place.x + (place.width - width) / 2,
                           .height = 0.5,
                           .path = place.path,
                           .place = block->place};
  flow_add(layout->flow, item, 0);
  flow_space(layout->flow, place.leading * 0.8, block_stretch);
}

/* Keep what a paragraph announces with its last line. */
static void keep_lead_in(struct layout *layout, const struct block *block,
                         const struct block *before) {
  if (!before || before->type != BLOCK_PARAGRAPH) return;
  if (block->type == BLOCK_MATHS) flow_keep(layout->flow, LEAD_IN_PENALTY);
  if (block->type == BLOCK_LIST)
    flow_keep(layout->flow,
              block->steps ? LONE_STEP_PENALTY : LIST_LEAD_IN_PENALTY);
  if (block->type == BLOCK_CODE) flow_keep(layout->flow, CODE_LEAD_IN_PENALTY);
}

/* Paper hides nothing. */
static int add_fold(struct layout *layout, const struct block *block,
                    struct layout_place place, struct error *err) {
  int status = block->level > 0
                   ? add_heading(layout, block, place, err)
                   : add_paragraph(layout, block, NULL, place, err);
  return status != 0 ? status : layout_blocks(layout, block->child, place, err);
}

static int add_list(struct layout *layout, const struct block *list,
                    struct layout_place place, struct error *err);

static int add_block(struct layout *layout, const struct block *block,
                     const struct block *before, struct layout_place place,
                     struct error *err) {
  if (place.depth > LAYOUT_DEPTH || place.width < 6 * place.size)
    return error_at(err, block->place,
                    "lists and quotes are nested too deeply for the page");
  keep_lead_in(layout, block, before);
  switch (block->type) {
  case BLOCK_HEADING:
    return add_heading(layout, block, place, err);
  case BLOCK_PARAGRAPH:
    return add_paragraph(layout, block, before, place, err);
  case BLOCK_LIST:
    return add_list(layout, block, place, err);
  case BLOCK_ITEM:
    return layout_blocks(layout, block->child, place, err);
  case BLOCK_QUOTE:
    return add_quote(layout, block, place, err);
  case BLOCK_CODE:
    return layout_code(layout, block, place, err);
  case BLOCK_RULE:
    add_rule(layout, block, place);
    return 0;
  case BLOCK_TABLE:
    return layout_table(layout, block, place, err);
  case BLOCK_MATHS:
    return layout_display(layout, block, place, err);
  case BLOCK_FIGURE:
    return layout_figure(layout, block, place, err);
  case BLOCK_REFERENCES:
    return layout_references(layout, block, place, err);
  case BLOCK_GROUP:
    return layout_group(layout, block, place, err);
  case BLOCK_FOLD:
    return add_fold(layout, block, place, err);
  case BLOCK_PAGE_BREAK:
    flow_break_page(layout->flow);
    return 0;
  case BLOCK_WORK_SPACE:
    layout_work_space(layout, block->lines, place);
    return 0;
  }
  return 0;
}

int layout_blocks(struct layout *layout, const struct block *blocks,
                  struct layout_place place, struct error *err) {
  const struct block *before = NULL;
  for (const struct block *block = blocks; block; block = block->next) {
    if (add_block(layout, block, before, place, err) != 0) return -1;
    if (!may_float(block)) before = block;
  }
  return 0;
}

/* ---- lists --------------------------------------------------------------- */

/* A cross in front of the number. */
static int add_cross(struct layout *layout, const struct block *item,
                     struct layout_place place, struct marker *number,
                     struct error *err) {
  struct marker *cross = arena_alloc(layout->arena, sizeof *cross);
  if (layout_label(layout, FONT_ROMAN, cross_scale * place.size, cross_color,
                   "\xe2\x9c\x97", item->place, &cross->box, err) != 0)
    return -1;
  cross->x = number->x - 0.3 * place.size - cross->box->width;
  cross->path = number->path;
  cross->next = number->next;
  struct marker swap = *number;
  *number = *cross;
  number->next = cross;
  *cross = swap;
  return 0;
}

static int add_marker(struct layout *layout, const struct block *list,
                      const struct block *item, unsigned number,
                      struct layout_place place, double body,
                      const struct tag_path *path, struct error *err) {
  const char *text = list->ordered ? arena_printf(layout->arena, "%u.", number)
                                   : "\xe2\x80\xa2";
  struct marker *marker = arena_alloc(layout->arena, sizeof *marker);
  if (layout_label(layout, FONT_ROMAN, place.size, place.color, text,
                   item->place, &marker->box, err) != 0)
    return -1;
  marker->x = body - 0.5 * place.size - marker->box->width;
  marker->path = layout_path(layout, path, layout_tag(layout, TAG_LABEL));
  struct marker **end = &layout->flow->marker;
  while (*end)
    end = &(*end)->next;
  *end = marker;
  return item->is_crossed ? add_cross(layout, item, place, marker, err) : 0;
}

/* What follows the first paragraph says why: set small. */
static int add_step(struct layout *layout, const struct block *item,
                    struct layout_place place, struct error *err) {
  const struct block *before = NULL;
  for (const struct block *block = item->child; block; block = block->next) {
    struct layout_place own = place;
    bool is_reason =
        before && block->type == BLOCK_PARAGRAPH && !block->continues;
    if (is_reason) {
      own.size = place.size * 0.88;
      own.leading = place.leading * 0.88;
      own.x += 1.2 * place.size;
      own.width -= 1.2 * place.size;
      flow_keep(layout->flow, LEAD_IN_PENALTY);
    }
    if (add_block(layout, block, before, own, err) != 0) return -1;
    before = block;
  }
  return 0;
}

static int add_item(struct layout *layout, const struct block *list,
                    const struct block *item, unsigned number,
                    struct layout_place place, double body, struct error *err) {
  struct layout_place own = place;
  const struct tag_path *path =
      layout_path(layout, place.path, layout_tag(layout, TAG_ITEM));
  if (add_marker(layout, list, item, number, place, body, path, err) != 0)
    return -1;
  own.width -= body - place.x;
  own.x = body;
  own.path = layout_path(layout, path, layout_tag(layout, TAG_ITEM_BODY));
  own.depth++;
  size_t first = layout->flow->count;
  int status = list->steps ? add_step(layout, item, own, err)
                           : layout_blocks(layout, item->child, own, err);
  if (list->steps) layout_keep(layout, first, step_share);
  if (status != 0 || !layout->flow->marker) return status;
  /* An item without content still shows its marker. */
  struct flow_item empty = {.box = box_new(layout->arena, BOX_LIST),
                            .height = 0.7 * place.size,
                            .is_line = true,
                            .path = own.path,
                            .place = item->place};
  flow_add(layout->flow, empty, place.leading);
  return 0;
}

static int add_list(struct layout *layout, const struct block *list,
                    struct layout_place place, struct error *err) {
  unsigned number = list->ordered ? list->start : 0, last = number;
  for (const struct block *item = list->child; item; item = item->next)
    last++;
  struct tag *tag = layout_tag(layout, TAG_LIST);
  tag->numbering = list->ordered ? TAG_NUMBERING_DECIMAL : TAG_NUMBERING_DISC;
  place.path = layout_path(layout, place.path, tag);
  double digits = last > 100 ? 3 : last > 10 ? 2 : 1;
  double body =
      place.x + (list->ordered ? 0.85 + 0.5 * digits : 1.4) * place.size;
  double gap = list->tight ? 1.2 : 4;
  flow_space(layout->flow, place.depth ? gap : block_space - 1, block_stretch);
  for (const struct block *item = list->child; item; item = item->next) {
    bool is_second = item != list->child && number == list->start + 1;
    if (list->steps && (is_second || !item->next) && last - list->start > 2)
      flow_keep(layout->flow, LONE_STEP_PENALTY);
    if (add_item(layout, list, item, number++, place, body, err) != 0)
      return -1;
    flow_space(layout->flow, gap, 1);
  }
  flow_space(layout->flow, place.depth ? gap : block_space - 1, block_stretch);
  return 0;
}
