#include "report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/svg_style.h"
#include "report/svg_text.h"
#include "report/svg_values.h"

/* `use` within `use` could draw without end. */
enum { MOST_ELEMENTS = 1000000, DEEPEST_USE = 8 };

struct drawing {
  const struct svg_options *options;
  const struct svg_node *root;
  struct box *box;
  struct path_builder path;
  long elements;
  int use_depth;
};

static int draw_node(struct drawing *d, const struct svg_node *node,
                     struct svg_style style, struct matrix m,
                     struct error *err);

static double scale_of(struct matrix m) {
  return sqrt(fabs(m.a * m.d - m.b * m.c));
}

static struct paint *make_paint(struct drawing *d,
                                const struct svg_style *style, double scale) {
  struct paint *paint = arena_alloc(d->options->arena, sizeof *paint);
  *paint = (struct paint){
      .fill = style->has_fill && svg_fill_color(style).transparency < 255,
      .stroke = style->has_stroke && style->stroke_width > 0 &&
                svg_stroke_color(style).transparency < 255,
      .fill_color = svg_fill_color(style),
      .stroke_color = svg_stroke_color(style),
      .line_width = style->stroke_width * scale,
      .cap = style->cap,
      .join = style->join,
      .miter_limit = style->miter_limit,
      .dash_count = style->dash_count,
      .dash_phase = style->dash_phase * scale,
  };
  for (size_t i = 0; i < style->dash_count; i++)
    paint->dash[i] = style->dash[i] * scale;
  return paint;
}

/* Move the path that was built into a box, unless it would draw nothing. */
static void emit_path(struct drawing *d, const struct svg_style *style,
                      struct matrix m) {
  struct paint *paint = make_paint(d, style, scale_of(m));
  bool draws = (paint->fill || paint->stroke) && d->path.step_count > 1;
  if (!draws || style->is_hidden) {
    d->path.step_count = d->path.point_count = 0;
    return;
  }
  struct box *box = box_new(d->options->arena, BOX_PATH);
  box->path = path_finish(&d->path, d->options->arena);
  box->paint = paint;
  for (size_t i = 0; i < box->path->point_count; i++) {
    const struct path_point *p = &box->path->points[i];
    if (i == 0 || p->x > box->width) box->width = p->x;
    if (i == 0 || p->y > box->height) box->height = p->y;
    if (i == 0 || -p->y > box->depth) box->depth = -p->y;
  }
  box_place(d->box, box, 0, 0);
}

static int attribute_number(const struct svg_node *node, const char *name,
                            double otherwise, double *out, struct error *err) {
  const char *value = svg_attribute(node, name);
  *out = otherwise;
  return value ? svg_number(value, node->place, out, err) : 0;
}

static int draw_path(struct drawing *d, const struct svg_node *node,
                     struct matrix m, struct error *err) {
  const char *data = svg_attribute(node, "d");
  return data ? svg_path_data(data, node->place, m, &d->path, err) : 0;
}

static int draw_points(struct drawing *d, const struct svg_node *node,
                       struct matrix m, struct error *err) {
  const char *points = svg_attribute(node, "points");
  bool is_closed = strcmp(node->name, "polygon") == 0;
  if (!points) return 0;
  return svg_points(points, node->place, m, is_closed, &d->path, err);
}

static int draw_line(struct drawing *d, const struct svg_node *node,
                     struct matrix m, struct error *err) {
  double x1, y1, x2, y2;
  if (attribute_number(node, "x1", 0, &x1, err) != 0 ||
      attribute_number(node, "y1", 0, &y1, err) != 0 ||
      attribute_number(node, "x2", 0, &x2, err) != 0 ||
      attribute_number(node, "y2", 0, &y2, err) != 0)
    return -1;
  path_step(&d->path, PATH_MOVE);
  path_point(&d->path, matrix_apply(m, x1, y1));
  path_step(&d->path, PATH_LINE);
  path_point(&d->path, matrix_apply(m, x2, y2));
  return 0;
}

static int draw_rectangle(struct drawing *d, const struct svg_node *node,
                          struct matrix m, struct error *err) {
  double x, y, width, height;
  if (attribute_number(node, "x", 0, &x, err) != 0 ||
      attribute_number(node, "y", 0, &y, err) != 0 ||
      attribute_number(node, "width", 0, &width, err) != 0 ||
      attribute_number(node, "height", 0, &height, err) != 0)
    return -1;
  if (svg_attribute(node, "rx") || svg_attribute(node, "ry"))
    return error_at(err, node->place, "rounded rectangles are not supported");
  const double corner[4][2] = {
      {x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
  for (int i = 0; i < 4; i++) {
    path_step(&d->path, i ? PATH_LINE : PATH_MOVE);
    path_point(&d->path, matrix_apply(m, corner[i][0], corner[i][1]));
  }
  path_step(&d->path, PATH_CLOSE);
  return 0;
}

/* Four Bezier quarters: k = 4/3 (sqrt(2) - 1), radial error below 3e-4. */
static int draw_circle(struct drawing *d, const struct svg_node *node,
                       struct matrix m, struct error *err) {
  double cx, cy, r;
  if (attribute_number(node, "cx", 0, &cx, err) != 0 ||
      attribute_number(node, "cy", 0, &cy, err) != 0 ||
      attribute_number(node, "r", 0, &r, err) != 0)
    return -1;
  const double k = 0.5522847498307936;
  path_step(&d->path, PATH_MOVE);
  path_point(&d->path, matrix_apply(m, cx + r, cy));
  double c = 1, s = 0; /* direction of the quarter's start */
  for (int quarter = 0; quarter < 4; quarter++) {
    double c1 = -s, s1 = c;
    path_step(&d->path, PATH_CURVE);
    path_point(&d->path,
               matrix_apply(m, cx + r * (c + k * c1), cy + r * (s + k * s1)));
    path_point(&d->path,
               matrix_apply(m, cx + r * (c1 + k * c), cy + r * (s1 + k * s)));
    path_point(&d->path, matrix_apply(m, cx + r * c1, cy + r * s1));
    c = c1;
    s = s1;
  }
  path_step(&d->path, PATH_CLOSE);
  return 0;
}

static int draw_use(struct drawing *d, const struct svg_node *node,
                    struct svg_style style, struct matrix m,
                    struct error *err) {
  const char *target = svg_attribute(node, "href");
  double x, y;
  if (!target || target[0] != '#')
    return error_at(err, node->place, "use without a target in this figure");
  if (attribute_number(node, "x", 0, &x, err) != 0 ||
      attribute_number(node, "y", 0, &y, err) != 0)
    return -1;
  const struct svg_node *used = svg_find(d->root, target + 1);
  if (!used)
    return error_at(err, node->place, "nothing has the id \"%.40s\"",
                    target + 1);
  if (d->use_depth == DEEPEST_USE)
    return error_at(err, node->place, "use nested too deeply");
  d->use_depth++;
  struct matrix moved = matrix_multiply((struct matrix){1, 0, 0, 1, x, y}, m);
  int status = draw_node(d, used, style, moved, err);
  d->use_depth--;
  return status;
}

static int draw_children(struct drawing *d, const struct svg_node *node,
                         struct svg_style style, struct matrix m,
                         struct error *err) {
  for (const struct svg_node *n = node->child; n; n = n->next)
    if (n->name && draw_node(d, n, style, m, err) != 0) return -1;
  return 0;
}

static const struct shape {
  const char *name;
  int (*draw)(struct drawing *, const struct svg_node *, struct matrix,
              struct error *);
} shapes[] = {
    {"path", draw_path}, {"polygon", draw_points}, {"polyline", draw_points},
    {"line", draw_line}, {"rect", draw_rectangle}, {"circle", draw_circle},
};

static bool is_skipped(const char *name) {
  static const char *const skipped[] = {"title", "desc",     "defs",
                                        "style", "metadata", "symbol"};
  for (size_t i = 0; i < sizeof skipped / sizeof skipped[0]; i++)
    if (strcmp(name, skipped[i]) == 0) return true;
  return false;
}

static int draw_shape(struct drawing *d, const struct svg_node *node,
                      struct svg_style style, struct matrix m,
                      struct error *err) {
  const char *name = node->name;
  if (strcmp(name, "g") == 0 || strcmp(name, "svg") == 0)
    return draw_children(d, node, style, m, err);
  if (strcmp(name, "use") == 0) return draw_use(d, node, style, m, err);
  if (strcmp(name, "text") == 0)
    return svg_text(node, &style, m, d->options, d->box, err);
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    if (strcmp(name, shapes[i].name) != 0) continue;
    if (shapes[i].draw(d, node, m, err) != 0) return -1;
    emit_path(d, &style, m);
    return 0;
  }
  return error_at(err, node->place, "unsupported element <%.40s>", name);
}

static int draw_node(struct drawing *d, const struct svg_node *node,
                     struct svg_style style, struct matrix m,
                     struct error *err) {
  if (is_skipped(node->name)) return 0;
  if (++d->elements > MOST_ELEMENTS)
    return error_at(err, node->place, "the figure has too many elements");
  if (svg_style_apply(node, &style, err) != 0) return -1;
  const char *transform = svg_attribute(node, "transform");
  if (transform) {
    struct matrix own;
    if (svg_transform(transform, node->place, &own, err) != 0) return -1;
    m = matrix_multiply(own, m);
  }
  return draw_shape(d, node, style, m, err);
}

/* The canvas: the view box, else width and height from the origin. */
static int read_canvas(const struct svg_node *root, double canvas[4],
                       struct error *err) {
  const char *view = svg_attribute(root, "viewBox");
  if (attribute_number(root, "width", 0, &canvas[2], err) != 0 ||
      attribute_number(root, "height", 0, &canvas[3], err) != 0)
    return -1;
  if (view) {
    const char *c = view;
    for (int i = 0; i < 4; i++) {
      char *end;
      canvas[i] = strtod(c, &end);
      if (end == c) return error_at(err, root->place, "malformed viewBox");
      c = end + (*end == ',');
    }
  }
  if (!(canvas[2] > 0 && canvas[3] > 0 && canvas[2] < 1e5 && canvas[3] < 1e5))
    return error_at(err, root->place, "the figure has no size");
  return 0;
}

int svg_import(const char *file, const char *bytes, size_t length,
               const struct svg_options *options, struct box **out,
               struct error *err) {
  struct arena tree = {0};
  struct drawing d = {.options = options};
  struct svg_node *root;
  double canvas[4] = {0};
  int status = -1;
  if (svg_tree_parse(file, bytes, length, &tree, &root, err) != 0) goto cleanup;
  if (strcmp(root->name, "svg") != 0) {
    error_at(err, root->place, "<svg> expected, not <%.40s>", root->name);
    goto cleanup;
  }
  if (read_canvas(root, canvas, err) != 0) goto cleanup;
  double scale = options->width / canvas[2];
  if (options->max_height > 0)
    scale = fmin(scale, options->max_height / canvas[3]);
  if (options->max_scale > 0) scale = fmin(scale, options->max_scale);
  d.root = root;
  d.box = box_new(options->arena, BOX_LIST);
  d.box->width = canvas[2] * scale;
  d.box->height = canvas[3] * scale;
  struct matrix m = {
      scale, 0, 0, -scale, -canvas[0] * scale, (canvas[1] + canvas[3]) * scale};
  status = draw_node(&d, root, svg_initial_style, m, err);
  *out = d.box;
cleanup:
  path_free(&d.path);
  arena_free(&tree);
  return status;
}
