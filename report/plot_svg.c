#include "report/plot_svg.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "report/escape.h"
#include "report/svg_tree.h"

#define INK "#1a1a1a"
#define FONTS                                                                  \
  "'TeX Gyre Pagella', Palatino, 'Palatino Linotype', 'Book Antiqua', serif"

struct writer {
  const char *file;
  const struct plot_caption *caption;
  const struct svg_node *root;
  size_t texts;
  struct arena arena;
  struct buffer *out;
  struct error *err;
};

static bool is(const char *a, const char *b) {
  return a != NULL && strcmp(a, b) == 0;
}

static void write_escaped(struct writer *w, const char *text) {
  struct error ignored; /* XML text holds no control characters */
  escape_text(ESCAPE_HTML, text, (struct place){w->file, 0, 0}, w->out,
              &ignored);
}

/* ---- what is used -------------------------------------------------------- */

static const struct svg_node *next_in_tree(const struct svg_node *node) {
  if (node->child != NULL) return node->child;
  while (node != NULL && node->next == NULL)
    node = node->parent;
  return node != NULL ? node->next : NULL;
}

static bool refers_to(const char *value, const char *id) {
  size_t length = strlen(id);
  for (const char *hash = strchr(value, '#'); hash != NULL;
       hash = strchr(hash + 1, '#'))
    if (strncmp(hash + 1, id, length) == 0 &&
        (hash[1 + length] == 0 || hash[1 + length] == ')'))
      return true;
  return false;
}

static bool is_used(const struct writer *w, const struct svg_node *definition);

/* A reference counts when it is drawn itself. */
static bool is_drawn(const struct writer *w, const struct svg_node *node) {
  for (; node != NULL; node = node->parent)
    if (node->parent != NULL && is(node->parent->name, "defs"))
      return is_used(w, node);
  return true;
}

/* gnuplot's definitions refer to earlier ones only, so this ends. */
static bool is_used(const struct writer *w, const struct svg_node *definition) {
  const char *id = svg_attribute(definition, "id");
  if (id == NULL) return false;
  for (const struct svg_node *n = w->root; n != NULL; n = next_in_tree(n))
    for (size_t i = 0; i < n->attribute_count; i++)
      if (strcmp(n->attributes[i].name, "id") != 0 &&
          refers_to(n->attributes[i].value, id) &&
          n->place.line > definition->place.line && is_drawn(w, n))
        return true;
  return false;
}

/* ---- attributes ---------------------------------------------------------- */

/* `black`, `rgb( 0, 158, 115)`, `white` in one form. */
static const char *normal_colour(struct writer *w, const char *value) {
  int red, green, blue;
  if (is(value, "black")) return "currentColor";
  if (is(value, "white")) return "#ffffff";
  if (sscanf(value, "rgb(%d,%d,%d)", &red, &green, &blue) == 3)
    return (red | green | blue) == 0
               ? "currentColor"
               : arena_printf(&w->arena, "#%02x%02x%02x", red & 255,
                              green & 255, blue & 255);
  return value;
}

static bool is_dropped(const char *name, const char *value, bool in_defs) {
  if (is(name, "font-family") || is(name, "class")) return true;
  if (is(name, "id")) return !in_defs;
  if (is(name, "stroke-linecap")) return is(value, "butt");
  if (is(name, "stroke-linejoin")) return is(value, "miter");
  return is(name, "color") && is(value, "black"); /* the root's */
}

static void write_attribute(struct writer *w, const char *name,
                            const char *value, bool in_defs) {
  const char *prefix = w->caption->name;
  if (is_dropped(name, value, in_defs)) return;
  if (is(name, "id"))
    value = arena_printf(&w->arena, "%s-%s", prefix, value);
  else if (value[0] == '#' && is(name, "href"))
    value = arena_printf(&w->arena, "#%s-%s", prefix, value + 1);
  else if (strncmp(value, "url(#", 5) == 0)
    value = arena_printf(&w->arena, "url(#%s-%s", prefix, value + 5);
  else if (is(name, "fill") || is(name, "stroke") || is(name, "color"))
    value = normal_colour(w, value);
  buffer_printf(w->out, " %s=\"", name);
  write_escaped(w, value);
  buffer_char(w->out, '"');
}

static bool is_geometry(const char *name) {
  static const char *const names[] = {
      "d",  "points", "transform", "x",  "y", "x1",    "y1",
      "x2", "y2",     "cx",        "cy", "r", "width", "height"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

/* NaN or an infinity as a word of its own, however it is written. */
static bool holds_no_number(const char *text) {
  for (const char *c = text; *c != 0; c++) {
    bool begins = c == text || !isalpha((unsigned char)c[-1]);
    bool word = strncasecmp(c, "nan", 3) == 0 || strncasecmp(c, "inf", 3) == 0;
    if (begins && word && !isalpha((unsigned char)c[3])) return true;
  }
  return false;
}

static int check_geometry(struct writer *w, const struct svg_node *node) {
  for (size_t i = 0; i < node->attribute_count; i++)
    if (is_geometry(node->attributes[i].name) &&
        holds_no_number(node->attributes[i].value))
      return error_set(w->err, "%s: gnuplot drew a NaN: <%s> has %s=\"%.60s\"",
                       w->file, node->name, node->attributes[i].name,
                       node->attributes[i].value);
  return 0;
}

/* ---- elements ------------------------------------------------------------ */

static int write_node(struct writer *w, const struct svg_node *node);

static int write_children(struct writer *w, const struct svg_node *node) {
  for (const struct svg_node *n = node->child; n != NULL; n = n->next)
    if (write_node(w, n) != 0) return -1;
  return 0;
}

static bool is_inline(const struct svg_node *node) {
  return is(node->name, "tspan");
}

/* Elements that do nothing without an attribute. */
static bool is_wrapper(const struct svg_node *node) {
  return is_inline(node) || is(node->name, "g");
}

/* A path that only moves, as axes without ticks leave them. */
static bool draws_nothing(const struct svg_node *node) {
  const char *d = svg_attribute(node, "d");
  if (is(node->name, "path"))
    return d != NULL && strpbrk(d, "LlHhVvCcSsQqTtAa") == NULL;
  return is(node->name, "rect") && is(svg_attribute(node, "fill"), "none") &&
         svg_attribute(node, "stroke") == NULL &&
         !is(node->parent->name, "defs");
}

static int write_element(struct writer *w, const struct svg_node *node) {
  bool text = is(node->name, "text"), in_defs = is(node->parent->name, "defs");
  size_t start = w->out->length;
  if (check_geometry(w, node) != 0) return -1;
  buffer_printf(w->out, "<%s", node->name);
  size_t name_end = w->out->length;
  for (size_t i = 0; i < node->attribute_count; i++)
    write_attribute(w, node->attributes[i].name, node->attributes[i].value,
                    in_defs);
  bool bare = w->out->length == name_end;
  buffer_text(w->out, text || is_inline(node) ? ">" : ">\n");
  size_t body = w->out->length;
  if (bare && is_wrapper(node)) w->out->length = start; /* unwrapped */
  size_t inside = w->out->length;
  if (write_children(w, node) != 0) return -1;
  bool empty = w->out->length == inside;
  if (empty && (is(node->name, "g") || is(node->name, "defs") || text)) {
    w->out->length = start;
  } else if (empty && !is_inline(node)) {
    w->out->length = body - 2;
    buffer_text(w->out, "/>\n");
  } else if (!(bare && is_wrapper(node))) {
    buffer_printf(w->out, "</%s>%s", node->name, is_inline(node) ? "" : "\n");
  }
  w->texts += text && !empty;
  return 0;
}

static int write_node(struct writer *w, const struct svg_node *node) {
  if (node->name == NULL) {
    if (holds_no_number(node->text))
      return error_set(w->err, "%s: the figure's text \"%.60s\" holds a NaN",
                       w->file, node->text);
    write_escaped(w, node->text);
    return 0;
  }
  if (is(node->name, "title") || is(node->name, "desc")) return 0;
  if (is(node->name, "script") || is(node->name, "style"))
    return error_set(w->err, "%s: the figure has a <%s>", w->file, node->name);
  if (is(node->parent->name, "defs") && !is_used(w, node)) return 0;
  if (draws_nothing(node)) return 0;
  return write_element(w, node);
}

/* ---- the whole ----------------------------------------------------------- */

static void write_caption(struct writer *w, const char *element,
                          const char *text) {
  buffer_printf(w->out, "<%s id=\"%s-%s\">", element, w->caption->name,
                element);
  write_escaped(w, text);
  buffer_printf(w->out, "</%s>\n", element);
}

static void write_head(struct writer *w, const char *box, double width,
                       double height) {
  const char *name = w->caption->name;
  buffer_printf(w->out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%s\" "
                "width=\"%g\" height=\"%g\" role=\"img\" "
                "aria-labelledby=\"%s-title %s-desc\" color=\"" INK "\" "
                "font-family=\"" FONTS "\">\n",
                box, width, height, name, name);
  write_caption(w, "title", w->caption->title);
  write_caption(w, "desc", w->caption->alt);
  buffer_printf(w->out,
                "<rect class=\"plate\" width=\"%g\" height=\"%g\" "
                "fill=\"#ffffff\"/>\n",
                width, height);
}

static int refuse_output(struct writer *w) {
  return error_set(w->err,
                   "%s: gnuplot's output is no SVG with a viewBox; "
                   "use `set terminal svg`",
                   w->file);
}

static int write_figure(struct writer *w) {
  const char *box = svg_attribute(w->root, "viewBox");
  double width, height;
  if (!is(w->root->name, "svg") || box == NULL ||
      sscanf(box, "0 0 %lf %lf", &width, &height) != 2)
    return refuse_output(w);
  write_head(w, box, width, height);
  if (write_children(w, w->root) != 0) return -1;
  buffer_text(w->out, "</svg>\n");
  if (w->texts == 0)
    return error_set(w->err, "%s: the figure has no text", w->file);
  return 0;
}

int plot_svg_clean(const char *file, const char *bytes, size_t length,
                   const struct plot_caption *caption, struct buffer *out,
                   struct error *err) {
  struct writer w = {.file = file, .caption = caption, .out = out, .err = err};
  struct svg_node *root = NULL;
  if (length == 0 || *bytes != '<') return refuse_output(&w);
  int result = svg_tree_parse(file, bytes, length, &w.arena, &root, err);
  w.root = root;
  if (result == 0) result = write_figure(&w);
  arena_free(&w.arena);
  return result;
}
