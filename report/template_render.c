/* Nodes to text. */
#include "report/base/file.h"

#include <stdlib.h>
#include <string.h>

#include "report/template_internal.h"
#include "report/template_place.h"

enum {
  STEPS_MAX = 20 * 1000 * 1000, /* nodes rendered */
  OUTPUT_MAX = 64 << 20         /* bytes */
};

/* `key` leads from the root to the value; "" for the root. */
struct context {
  const struct json *value;
  const struct context *parent;
  const char *key;
};

/* A partial as it was parsed for one indentation. */
struct partial {
  const char *name, *indent;
  struct template_node *nodes;
  struct partial *next;
};

struct renderer {
  const struct template_options *options;
  struct template_place place;
  struct arena arena;
  struct partial *partials;
  const char *open[TEMPLATE_PARTIALS]; /* names of the partials being printed */
  size_t depth;
  long steps;
  struct buffer scratch;
  struct buffer key; /* of the value looked up last */
  struct buffer *out;
  struct source_map *map;
  struct error *err;
};

/* ---- names --------------------------------------------------------------- */

enum { WORD = 64 };

/* Edit distance (insert, delete, replace) of words shorter than WORD. */
static size_t distance(const char *a, const char *b) {
  size_t row[WORD], length = strlen(b);
  for (size_t j = 0; j <= length; j++)
    row[j] = j;
  for (size_t i = 1; a[i - 1] != 0; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= length; j++) {
      size_t best = diagonal + (a[i - 1] != b[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[length];
}

/* The member whose name is nearly `name`, or NULL. */
static const char *similar(const struct json *value, const char *name) {
  const char *best = NULL;
  size_t length = strlen(name);
  size_t least = length < 3 ? 1 : length < 6 ? 2 : 3; /* more than allowed */
  if (value->type != JSON_OBJECT || length >= WORD) return NULL;
  for (const struct json *m = value->child; m != NULL; m = m->next) {
    if (strlen(m->key) >= WORD) continue;
    size_t steps = distance(name, m->key);
    if (steps >= least) continue;
    least = steps;
    best = m->key;
  }
  return best;
}

/* `value` is what the first `found` parts name; without any, the context. */
static int missing(struct renderer *r, const struct template_node *node,
                   size_t found, const struct json *value) {
  struct buffer reason = {0};
  const char *part = node->path[found];
  const char *near = similar(value, part);
  size_t length = 0;
  for (size_t i = 0; i < found; i++)
    length += strlen(node->path[i]) + (i > 0);
  buffer_text(&reason, "");
  if (found > 0)
    buffer_printf(&reason, ": \"%.*s\" has no \"%s\"", (int)length, node->text,
                  part);
  else if (node->parts > 1)
    buffer_printf(&reason, ": there is no \"%s\"", part);
  if (near != NULL) buffer_printf(&reason, "; did you mean \"%s\"?", near);
  error_at(r->err, node->at, "no value is named \"%s\"%s", node->text,
           reason.bytes);
  buffer_free(&reason);
  return -1;
}

/* Note the key of what `node` names in the context where it was found. */
static void set_key(struct renderer *r, const struct context *context,
                    const struct template_node *node) {
  buffer_clear(&r->key);
  buffer_text(&r->key, context->key);
  if (node->parts == 0) return;
  if (*context->key != 0) buffer_char(&r->key, '.');
  buffer_text(&r->key, node->text);
}

/* The first part is looked up from the innermost context outwards, the others
 * in what it gave. */
static int look_up(struct renderer *r, const struct template_node *node,
                   const struct context *context, const struct json **out) {
  const struct json *value = context->value;
  const struct context *at = context;
  size_t found = 0;
  for (; found < node->parts; found++) {
    const struct json *inner = json_at(value, node->path[found]);
    for (const struct context *outer = context->parent;
         found == 0 && inner == NULL && outer != NULL; outer = outer->parent) {
      inner = json_at(outer->value, node->path[0]);
      at = outer;
    }
    if (inner == NULL) return missing(r, node, found, value);
    value = inner;
  }
  if (value->type == JSON_NULL)
    return error_at(r->err, node->at, "\"%s\" is null", node->text);
  set_key(r, at, node);
  *out = value;
  return 0;
}

/* ---- text and values ----------------------------------------------------- */

static void print_text(struct renderer *r, const struct template_node *node) {
  if (r->map != NULL && node->kind == NODE_INDENT)
    source_map_add(r->map, r->out->length, node->at, SOURCE_VALUE);
  else if (r->map != NULL)
    source_map_add_text(r->map, r->out->length, node->at, node->text,
                        node->length);
  buffer_add(r->out, node->text, node->length);
  template_place_text(&r->place, node->text, node->length);
}

/* The map's note of the value to be printed at `start`. */
static int map_value(struct renderer *r, const struct template_node *node,
                     const struct json *value, size_t start) {
  static const struct format plain = {.precision = -1};
  struct buffer text = {0};
  if (r->map == NULL) return 0;
  buffer_text(&text, "");
  int status =
      format_print(&plain, value, FORMAT_ASCII, node->at, &text, r->err);
  const struct source_value note = {.key = r->key.bytes,
                                    .format = node->format_text,
                                    .text = text.bytes,
                                    .is_number = value->type == JSON_NUMBER};
  if (status == 0) source_map_add_value(r->map, start, node->at, &note);
  buffer_free(&text);
  return status;
}

static int escape_value(struct renderer *r, const struct template_node *node,
                        const struct json *value, enum escape_target target) {
  const struct buffer *text = &r->scratch;
  bool as_it_is = node->raw || (value->type == JSON_NUMBER &&
                                target != ESCAPE_GNUPLOT_NUMBER);
  if (!as_it_is)
    return escape_text(target, text->bytes, node->at, r->out, r->err);
  buffer_add(r->out, text->bytes, text->length);
  return 0;
}

static int print_value(struct renderer *r, const struct template_node *node,
                       const struct context *context) {
  const struct json *value;
  if (look_up(r, node, context, &value) != 0) return -1;
  bool nested = value->type == JSON_ARRAY || value->type == JSON_OBJECT;
  if (nested)
    return error_at(r->err, node->at, "\"%s\" is an %s, which has no text",
                    node->text, json_type_name(value->type));
  enum escape_target target = template_place_target(&r->place);
  enum format_style style = template_place_style(r->options->mode, target);
  buffer_clear(&r->scratch);
  buffer_text(&r->scratch, "");
  if (format_print(&node->format, value, style, node->at, &r->scratch,
                   r->err) != 0)
    return -1;
  size_t start = r->out->length;
  if (map_value(r, node, value, start) != 0) return -1;
  if (escape_value(r, node, value, target) != 0) return -1;
  if (node->raw)
    template_place_text(&r->place, r->out->bytes + start,
                        r->out->length - start);
  else
    template_place_value(&r->place);
  return 0;
}

/* ---- sections and partials ----------------------------------------------- */

static int print_nodes(struct renderer *r, const struct template_node *node,
                       const struct context *context);

static bool is_false(const struct json *value) {
  return (value->type == JSON_BOOL && !value->boolean) ||
         (value->type == JSON_ARRAY && value->count == 0);
}

static int print_section(struct renderer *r, const struct template_node *node,
                         const struct context *context) {
  const struct json *value;
  if (look_up(r, node, context, &value) != 0) return -1;
  if (node->kind == NODE_INVERTED)
    return is_false(value) ? print_nodes(r, node->body, context) : 0;
  if (is_false(value)) return 0;
  struct buffer key = {0};
  buffer_add(&key, r->key.bytes, r->key.length);
  size_t length = key.length;
  struct context inner = {value, context, key.bytes};
  int status = 0;
  if (value->type != JSON_ARRAY) status = print_nodes(r, node->body, &inner);
  size_t index = 0;
  for (inner.value = value->type == JSON_ARRAY ? value->child : NULL;
       status == 0 && inner.value != NULL; inner.value = inner.value->next) {
    key.length = length;
    buffer_printf(&key, length > 0 ? ".%zu" : "%zu", index++);
    inner.key = key.bytes;
    status = print_nodes(r, node->body, &inner);
  }
  buffer_free(&key);
  return status;
}

static int load_partial(struct renderer *r, const struct template_node *node,
                        struct partial *partial) {
  struct buffer text = {0};
  struct error err;
  const char *path =
      arena_printf(&r->arena, "%s/%s", r->options->partials, node->text);
  int result = file_read(path, &text, &err);
  if (result != 0)
    error_at(r->err, node->at, "partial not readable: %s", err.text);
  else
    result = template_parse(path, text.bytes, text.length, node->indent,
                            r->options->mode, false, &r->arena, &partial->nodes,
                            r->err);
  buffer_free(&text);
  return result;
}

static int find_partial(struct renderer *r, const struct template_node *node,
                        const struct partial **out) {
  if (r->options->partials == NULL)
    return error_at(r->err, node->at, "no directory of partials was given");
  for (const struct partial *p = r->partials; p != NULL; p = p->next)
    if (strcmp(p->name, node->text) == 0 &&
        strcmp(p->indent, node->indent) == 0) {
      *out = p;
      return 0;
    }
  struct partial *partial = arena_alloc(&r->arena, sizeof *partial);
  if (load_partial(r, node, partial) != 0) return -1;
  partial->name = node->text;
  partial->indent = node->indent;
  partial->next = r->partials;
  r->partials = partial;
  *out = partial;
  return 0;
}

static bool is_open(const struct renderer *r, const char *name) {
  for (size_t i = 0; i < r->depth; i++)
    if (strcmp(r->open[i], name) == 0) return true;
  return false;
}

static int print_partial(struct renderer *r, const struct template_node *node,
                         const struct context *context) {
  const struct partial *partial = NULL;
  if (r->depth == TEMPLATE_PARTIALS)
    return error_at(r->err, node->at, "partial \"%s\" %s (more than %d deep)",
                    node->text,
                    is_open(r, node->text) ? "includes itself without end"
                                           : "is nested too deep",
                    TEMPLATE_PARTIALS);
  if (find_partial(r, node, &partial) != 0) return -1;
  r->open[r->depth++] = node->text;
  int result = print_nodes(r, partial->nodes, context);
  r->depth--;
  return result;
}

static int print_node(struct renderer *r, const struct template_node *node,
                      const struct context *context) {
  switch (node->kind) {
  case NODE_TEXT:
  case NODE_INDENT:
    print_text(r, node);
    return 0;
  case NODE_VALUE:
    return print_value(r, node, context);
  case NODE_SECTION:
  case NODE_INVERTED:
    return print_section(r, node, context);
  case NODE_PARTIAL:
    return print_partial(r, node, context);
  }
  return 0;
}

static int print_nodes(struct renderer *r, const struct template_node *node,
                       const struct context *context) {
  for (; node != NULL; node = node->next) {
    if (++r->steps > STEPS_MAX || r->out->length > OUTPUT_MAX)
      return error_at(r->err, node->at, "the template expands without end");
    if (print_node(r, node, context) != 0) return -1;
  }
  return 0;
}

/* ---- entry --------------------------------------------------------------- */

int template_render(const char *name, const char *text, size_t length,
                    const struct json *root,
                    const struct template_options *options, struct buffer *out,
                    struct source_map *map, struct error *err) {
  struct renderer r = {.options = options,
                       .place = {.mode = options->mode},
                       .out = out,
                       .map = map,
                       .err = err};
  struct template_node *nodes;
  struct context context = {root, NULL, ""};
  int result = template_parse(name, text, length, "", options->mode, true,
                              &r.arena, &nodes, err);
  if (result == 0) result = print_nodes(&r, nodes, &context);
  buffer_free(&r.scratch);
  buffer_free(&r.key);
  arena_free(&r.arena);
  return result;
}

int template_render_file(const char *path, const struct json *root,
                         const struct template_options *options,
                         struct buffer *out, struct source_map *map,
                         struct error *err) {
  struct buffer text = {0};
  int result = file_read(path, &text, err);
  if (result == 0)
    result = template_render(path, text.bytes, text.length, root, options, out,
                             map, err);
  buffer_free(&text);
  return result;
}
