/* The list of references, and footnotes. */
#include <string.h>

#include "report/layout.h"
#include "report/paragraph_breaks.h"

static int add_entry(struct layout *layout, const struct reference *reference,
                     struct layout_place place, const struct tag_path *list,
                     struct error *err) {
  struct arena *arena = layout->arena;
  const struct tag_path *path =
      layout_path(layout, list, layout_tag(layout, TAG_BIBLIOGRAPHY_ENTRY));
  struct layout_text text = {.width = place.width, .size = place.size};
  struct paragraph_line *lines;
  size_t count;
  if (layout_lines(layout, reference->spans, &text, &lines, &count, err) != 0)
    return -1;
  struct marker *marker = arena_alloc(arena, sizeof *marker);
  const char *label = arena_printf(arena, "[%d]", reference->number);
  if (layout_label(layout, FONT_ROMAN, place.size, place.color, label,
                   reference->place, &marker->box, err) != 0)
    return -1;
  marker->x = place.x - 0.5 * place.size - marker->box->width;
  marker->path = layout_path(layout, path, layout_tag(layout, TAG_LABEL));
  layout->flow->marker = marker;
  layout->flow->destination =
      arena_printf(arena, "reference-%d", reference->number);
  place.path = path;
  flow_space(layout->flow, 3, 1);
  layout_add_lines(layout, lines, count, place, reference->place);
  return 0;
}

/* The box inside the elements of `path`, up to `base`. */
static struct box *wrap(struct arena *arena, struct box *box,
                        const struct tag_path *path,
                        const struct tag_path *base) {
  for (; path && path != base; path = path->parent) {
    struct box *outer = box_new(arena, BOX_LIST);
    outer->tag = path->tag;
    box_append(outer, box);
    box = outer;
  }
  return box;
}

/* A column as one box on the baseline of its first item. */
static struct box *stack_flow(struct arena *arena, const struct flow *flow,
                              const struct tag_path *base, double width) {
  struct box *box = box_new(arena, BOX_LIST);
  double y = 0;
  box->width = width;
  for (size_t i = 0; i < flow->count; i++) {
    const struct flow_item *item = &flow->items[i];
    if (i > 0) y -= flow->items[i - 1].depth + item->space + item->height;
    for (const struct marker *m = item->marker; m; m = m->next)
      box_cover(box, wrap(arena, m->box, m->path, base), m->x, y);
    box_cover(box, wrap(arena, item->box, item->path, base), item->x, y);
  }
  return box;
}

int layout_note(struct layout *layout, const struct note *note, double width,
                struct box **out, struct error *err) {
  static const double mark_size = 0.7, mark_rise = 0.33;
  double size = layout->style->note, shift = 0.9 * size;
  struct flow flow = {.arena = layout->arena}, *outer = layout->flow;
  struct marker *marker = arena_alloc(layout->arena, sizeof *marker);
  const char *label = arena_printf(layout->arena, "%d", note->number);
  struct layout_place place = {.x = shift,
                               .width = width - shift,
                               .size = size,
                               .leading = size * 1.27,
                               .depth = 1};
  if (layout_label(layout, FONT_ROMAN, size * mark_size, place.color, label,
                   note->place, &marker->box, err) != 0)
    return -1;
  struct box *raised = box_new(layout->arena, BOX_LIST);
  box_cover(raised, marker->box, 0, mark_rise * size);
  marker->x = shift - 0.2 * size - marker->box->width;
  marker->box = raised;
  marker->path = layout_path(layout, NULL, layout_tag(layout, TAG_LABEL));
  flow.marker = marker;
  layout->flow = &flow;
  int status = layout_blocks(layout, note->blocks, place, err);
  layout->flow = outer;
  if (status == 0) {
    *out = stack_flow(layout->arena, &flow, NULL, width);
    (*out)->tag = layout_tag(layout, TAG_NOTE);
    (*out)->destination = arena_printf(layout->arena, "note-%d", note->number);
  }
  flow_free(&flow);
  return status;
}

int layout_references(struct layout *layout, const struct block *block,
                      struct layout_place place, struct error *err) {
  const struct document *document = layout->document;
  if (document->reference_count == 0) return 0;
  struct span title = {.type = SPAN_TEXT,
                       .place = block->place,
                       .text = document_label(document, LABEL_REFERENCES)};
  struct block heading = {.type = BLOCK_HEADING,
                          .place = block->place,
                          .spans = &title,
                          .id = "references",
                          .level = layout->heading_level};
  if (layout_blocks(layout, &heading, place, err) != 0) return -1;
  place.size = layout->style->small + 0.4;
  double shift = (document->reference_count > 9 ? 2.4 : 1.9) * place.size;
  place.leading = place.size * 1.28;
  place.x += shift;
  place.width -= shift;
  for (size_t i = 0; i < document->reference_count; i++)
    if (add_entry(layout, document->references[i], place, place.path, err) != 0)
      return -1;
  return 0;
}
