/* Tables with three rules: columns as wide as they need, or broken lines in
 * the widest when the page is narrower. A table that would fill most of a page
 * may break between its rows, with its head repeated. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/layout.h"
#include "report/paragraph_breaks.h"

static const double column_gap = 1.5;         /* em */
static const double heavy = 0.9, light = 0.5; /* rules */
static const double row_above = 2.4, row_below = 2.4, rule_gap = 1.2;
static const double row_extra = 3; /* below rows of several lines */
static const double table_space = 11, table_stretch = 5, caption_gap = 6;
static const double whole_share = 0.35; /* of a page: larger tables may break */
static const double shrunk = 0.86;      /* type of a table that is too wide */
enum { ROW_PENALTY = 50, EDGE_PENALTY = 3000 };
static const struct tag artifact = {.role = TAG_ARTIFACT};

struct grid {
  struct layout *layout;
  const struct table *table;
  struct layout_place place;
  double size, leading;
  double *widths; /* of the columns */
  double width, gap;
};

static enum layout_shape shape_of(const struct table *table, size_t column) {
  switch (table->align[column]) {
  case 'r':
    return SHAPE_RIGHT;
  case 'c':
    return SHAPE_CENTRED;
  default:
    return SHAPE_LEFT;
  }
}

static const struct table_cell *cell_at(const struct table *table, size_t row,
                                        size_t column) {
  return row == 0 ? &table->head[column]
                  : &table->cells[(row - 1) * table->columns + column];
}

static int measure_cell(struct grid *g, size_t row, size_t column,
                        double *natural, double *least, struct error *err) {
  struct layout_text text = {.width = 1e5,
                             .size = g->size,
                             .shape = SHAPE_LEFT,
                             .bold = row == 0 || g->place.is_bold};
  struct paragraph *paragraph;
  const struct table_cell *cell = cell_at(g->table, row, column);
  if (layout_paragraph(g->layout, cell->spans, &text, &paragraph, err) != 0)
    return -1;
  double own_natural, own_least;
  paragraph_widths(paragraph, &own_natural, &own_least);
  paragraph_free(paragraph);
  *natural = fmax(*natural, own_natural);
  *least = fmax(*least, own_least);
  return 0;
}

/* Columns that need no more than an even share of what is left get their
 * natural width; the others share the rest, each beyond its least width in
 * proportion to what it lacks. False when the least widths do not fit. */
static bool share_width(struct grid *g, const double *natural,
                        const double *least) {
  size_t n = g->table->columns, open = n, before = 0;
  double gaps = g->gap * (double)(n - 1), left = g->place.width - gaps;
  double needed = 0, wanted = 0;
  for (size_t c = 0; c < n; c++) {
    needed += least[c];
    g->widths[c] = 0;
  }
  if (needed > left) return false;
  while (open > 0 && open != before) {
    double even = left / (double)open;
    before = open;
    for (size_t c = 0; c < n; c++) {
      bool is_modest = g->widths[c] == 0 && natural[c] <= even;
      bool leaves_enough = left - natural[c] >= needed - least[c];
      if (!is_modest || !leaves_enough) continue;
      g->widths[c] = natural[c] + 0.01;
      left -= natural[c];
      needed -= least[c];
      open--;
    }
  }
  for (size_t c = 0; c < n; c++)
    if (g->widths[c] == 0) wanted += natural[c];
  double share =
      wanted > needed ? fmin((left - needed) / (wanted - needed), 1) : 1;
  g->width = gaps;
  for (size_t c = 0; c < n; c++) {
    if (g->widths[c] == 0)
      g->widths[c] = least[c] + share * (natural[c] - least[c]) + 0.01;
    g->width += g->widths[c];
  }
  return true;
}

static int find_widths(struct grid *g, double scale, bool *fits,
                       struct error *err) {
  size_t n = g->table->columns;
  double *natural = memory_alloc(n, sizeof *natural);
  double *least = memory_alloc(n, sizeof *least);
  int status = 0;
  g->size = g->place.size * scale;
  g->leading = g->size * 1.24;
  g->gap = column_gap * g->size;
  for (size_t row = 0; row <= g->table->rows && status == 0; row++)
    for (size_t c = 0; c < n && status == 0; c++)
      status = measure_cell(g, row, c, &natural[c], &least[c], err);
  *fits = status == 0 && share_width(g, natural, least);
  free(natural);
  free(least);
  return status;
}

/* One row as a box whose baseline is that of its first lines. */
static int set_row(struct grid *g, size_t row, bool tagged, struct box **out,
                   struct error *err) {
  struct layout *layout = g->layout;
  struct box *box = box_new(layout->arena, BOX_LIST);
  box->height = 0.72 * g->size;
  box->depth = 0.22 * g->size;
  double x = 0;
  bool is_high = false;
  for (size_t c = 0; c < g->table->columns; c++) {
    const struct table_cell *cell = cell_at(g->table, row, c);
    struct layout_text text = {.width = g->widths[c],
                               .size = g->size,
                               .shape = shape_of(g->table, c),
                               .bold = row == 0 || g->place.is_bold};
    struct paragraph_line *lines;
    size_t count;
    if (layout_lines(layout, cell->spans, &text, &lines, &count, err) != 0)
      return -1;
    is_high = is_high || count > 1;
    struct box *stack =
        layout_stack(layout, lines, count, g->widths[c], g->leading);
    struct tag *tag = layout_tag(layout, row == 0 ? TAG_HEADER_CELL : TAG_CELL);
    if (row == 0) tag->scope = TAG_SCOPE_COLUMN;
    if (tagged) stack->tag = tag;
    box_cover(box, stack, x, 0);
    x += g->widths[c] + g->gap;
  }
  if (tagged) box->tag = layout_tag(layout, TAG_ROW);
  box->width = g->width;
  box->height += row_above;
  box->depth += row_below + (is_high && row > 0 ? row_extra : 0);
  *out = box;
  return 0;
}

/* Enclose a row with the rules above and below it that belong to it. */
static struct box *with_rules(struct grid *g, struct box *row, double above,
                              double below) {
  struct arena *arena = g->layout->arena;
  struct box *box = box_new(arena, BOX_LIST);
  box->width = g->width;
  if (above > 0) {
    struct box *rule = box_rule(arena, g->width, above, 0);
    rule->tag = &artifact;
    box_cover(box, rule, 0, row->height + rule_gap);
  }
  box_cover(box, row, 0, 0);
  if (below > 0) {
    struct box *rule = box_rule(arena, g->width, below, 0);
    rule->tag = &artifact;
    box_cover(box, rule, 0, -row->depth - rule_gap - below);
    box->depth += rule_gap; /* before the row below */
  }
  return box;
}

static int set_rows(struct grid *g, struct box **rows, struct error *err) {
  size_t last = g->table->rows;
  for (size_t row = 0; row <= last; row++) {
    if (set_row(g, row, true, &rows[row], err) != 0) return -1;
    rows[row] = with_rules(g, rows[row], row == 0 ? heavy : 0,
                           row == last ? heavy
                           : row == 0  ? light
                                       : 0);
  }
  return 0;
}

/* Caption and rows as one box, on the baseline of what comes first. */
static struct box *assemble(struct grid *g, struct box *caption,
                            struct box **rows) {
  struct layout *layout = g->layout;
  struct box *box = box_new(layout->arena, BOX_LIST);
  struct box *grid = box_new(layout->arena, BOX_LIST);
  double y = 0;
  box->width = g->place.width;
  if (caption) {
    box_cover(box, caption, 0, 0);
    y = -caption->depth - caption_gap;
  }
  for (size_t row = 0; row <= g->table->rows; row++) {
    if (row > 0 || caption) y -= rows[row]->height;
    box_cover(grid, rows[row], 0, y);
    y -= rows[row]->depth;
  }
  grid->width = g->width;
  grid->tag = layout_tag(layout, TAG_TABLE);
  box_cover(box, grid, (g->place.width - g->width) / 2, 0);
  return box;
}

static void add_whole(struct grid *g, const struct block *block,
                      struct box *caption, struct box **rows) {
  struct box *box = assemble(g, caption, rows);
  struct flow_item item = {.box = box,
                           .x = g->place.x,
                           .height = box->height,
                           .depth = box->depth,
                           .space = table_space,
                           .stretch = table_stretch,
                           .below = table_space,
                           .path = g->place.path,
                           .decoration = g->place.decoration,
                           .place = block->place};
  if (block->number > 0 && g->place.depth == 0) {
    flow_add_float(g->layout->flow, item);
    return;
  }
  flow_add(g->layout->flow, item, 0);
  flow_space(g->layout->flow, table_space, table_stretch);
}

/* A repeated head is no content. */
static int repeated_head(struct grid *g, struct box **out, struct error *err) {
  struct box *head;
  if (set_row(g, 0, false, &head, err) != 0) return -1;
  *out = with_rules(g, head, heavy, light);
  (*out)->tag = &artifact;
  return 0;
}

static int add_by_row(struct grid *g, const struct block *block,
                      struct box *caption, struct box **rows,
                      struct error *err) {
  struct flow *flow = g->layout->flow;
  struct box *head;
  if (repeated_head(g, &head, err) != 0) return -1;
  struct flow_item item = {.x = g->place.x,
                           .path = g->place.path,
                           .decoration = g->place.decoration,
                           .place = block->place};
  if (caption) {
    item.box = caption;
    item.height = caption->height;
    item.depth = caption->depth;
    flow_add(flow, item, 0);
    flow_keep(flow, PENALTY_NEVER);
    flow_space(flow, caption_gap, 0);
  }
  item.x += (g->place.width - g->width) / 2;
  item.path =
      layout_path(g->layout, g->place.path, layout_tag(g->layout, TAG_TABLE));
  for (size_t row = 0; row <= g->table->rows; row++) {
    bool is_edge = row <= 2 || row + 1 >= g->table->rows;
    item.box = rows[row];
    item.height = rows[row]->height;
    item.depth = rows[row]->depth;
    item.repeat = row > 0 ? head : NULL;
    item.penalty = row == 0 ? 0 : is_edge ? EDGE_PENALTY : ROW_PENALTY;
    flow_add(flow, item, 0);
  }
  return 0;
}

static int add_table(struct grid *g, const struct block *block,
                     struct box **rows, struct error *err) {
  struct box *caption = NULL;
  if (block->number > 0 && layout_caption(g->layout, block, LABEL_TABLE,
                                          g->place.width, &caption, err) != 0)
    return -1;
  if (set_rows(g, rows, err) != 0) return -1;
  double height = caption ? caption->height + caption->depth + caption_gap : 0;
  for (size_t row = 0; row <= g->table->rows; row++)
    height += rows[row]->height + rows[row]->depth;
  if (block->id) g->layout->flow->destination = block->id;
  if (height <= whole_share * g->layout->page_height) {
    add_whole(g, block, caption, rows);
    return 0;
  }
  flow_space(g->layout->flow, table_space, table_stretch);
  if (add_by_row(g, block, caption, rows, err) != 0) return -1;
  flow_space(g->layout->flow, table_space, table_stretch);
  return 0;
}

int layout_table(struct layout *layout, const struct block *block,
                 struct layout_place place, struct error *err) {
  struct grid g = {.layout = layout, .table = block->table, .place = place};
  if (g.table->columns == 0) return 0;
  struct box **rows = memory_alloc(g.table->rows + 1, sizeof *rows);
  g.widths = memory_alloc(g.table->columns, sizeof *g.widths);
  bool fits = false;
  int status =
      find_widths(&g, layout->style->small / layout->style->size, &fits, err);
  if (status == 0 && !fits)
    status = find_widths(
        &g, shrunk * layout->style->small / layout->style->size, &fits, err);
  if (status == 0 && !fits)
    status = error_at(err, block->place,
                      "the table's columns do not fit in %.0f pt; shorten "
                      "their longest words or formulas",
                      place.width);
  if (status == 0) status = add_table(&g, block, rows, err);
  free(g.widths);
  free(rows);
  return status;
}
