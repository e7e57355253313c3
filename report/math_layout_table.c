/* Matrices, cases, aligned equations: cells in columns, rows on struts, the
 * whole centred on the axis (LaTeX's array; amsmath's aligned and cases). */
#include <math.h>

#include "report/math_layout_internal.h"

/* Per kind, in ems of the text size: height and depth of a row's strut, extra
 * between rows, space between columns and at both sides. */
struct measures {
  double height, depth, between, column, margin;
  int level; /* style of the cells */
};

static struct measures measures_of(enum math_table table) {
  static const struct measures MEASURES[] = {
      [MATH_MATRIX] = {0.84, 0.36, 0, 1, 0.167, 1},
      [MATH_SMALL_MATRIX] = {0.42, 0.18, 0.15, 0.28, 0.167, 2},
      [MATH_ARRAY] = {0.84, 0.36, 0, 1, 0.5, 1},
      [MATH_CASES] = {1.008, 0.432, 0, 1, 0, 1},
      [MATH_ALIGNED] = {0.84, 0.36, 0.3, 0, 0, 0},
      [MATH_GATHERED] = {0.84, 0.36, 0.3, 0, 0, 0},
  };
  return MEASURES[table];
}

static int set_cells(const struct setter *set, const struct math *node,
                     struct style style, struct box **cells, double *widths,
                     struct error *err) {
  bool aligned = node->table == MATH_ALIGNED;
  for (size_t i = 0; i < node->rows * node->columns; i++) {
    size_t column = i % node->columns;
    /* In aligned, what follows & has an empty atom before it. */
    int previous = aligned && column % 2 ? MATH_ORD : -1;
    if (math_set_row(set, math_first(node->cells[i]), NULL, previous, style,
                     &cells[i], err) != 0)
      return -1;
    widths[column] = fmax(widths[column], cells[i]->width);
  }
  return 0;
}

static double column_gap(const struct setter *set, const struct math *node,
                         const struct measures *m, size_t column) {
  if (node->table == MATH_ALIGNED) return column % 2 ? set->size : 0;
  return m->column * set->size;
}

static void place_row(const struct setter *set, const struct math *node,
                      const struct measures *m, struct box **cells,
                      const double *widths, double y, struct box *all) {
  double x = 0;
  for (size_t c = 0; c < node->columns; c++) {
    double room = widths[c] - cells[c]->width;
    char align = node->align[c];
    double indent = align == 'l' ? 0 : align == 'r' ? room : room / 2;
    box_place(all, cells[c], x + indent, y);
    x += widths[c];
    if (c + 1 < node->columns) x += column_gap(set, node, m, c);
  }
  all->width = x;
}

int math_set_table(const struct setter *set, const struct math *node,
                   struct style style, struct atom *out, struct error *err) {
  struct measures m = measures_of(node->table);
  struct style inner = {.level = (int)fmax(m.level, style.level),
                        .cramped = style.cramped};
  if (style.level >= 2) inner.level = style.level;
  double em = math_size(set, style);
  struct box **cells =
      arena_alloc(set->arena, node->rows * node->columns * sizeof *cells + 1);
  double *widths = arena_alloc(set->arena, node->columns * sizeof *widths + 1);
  if (set_cells(set, node, inner, cells, widths, err) != 0) return -1;
  struct box *all = box_new(set->arena, BOX_LIST);
  double y = 0;
  for (size_t r = 0; r < node->rows; r++) {
    double height = m.height * em, depth = m.depth * em;
    double clear = 0.08 * em; /* around cells that outgrow the strut */
    for (size_t c = 0; c < node->columns; c++) {
      height = fmax(height, cells[r * node->columns + c]->height + clear);
      depth = fmax(depth, cells[r * node->columns + c]->depth + clear);
    }
    if (r > 0) y -= height + m.between * em;
    if (r == 0) all->height = height;
    place_row(set, node, &m, cells + r * node->columns, widths, y, all);
    y -= depth;
    all->depth = -y;
  }
  struct box *centred = math_centre(set, style, all);
  centred->child->x += m.margin * em;
  centred->width += 2 * m.margin * em;
  *out = (struct atom){.box = centred, .attach = centred->width / 2};
  return 0;
}
