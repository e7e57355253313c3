#include "report/svg_tree.h"

#include <expat.h>
#include <limits.h>
#include <string.h>

struct reader {
  XML_Parser parser;
  struct arena *arena;
  const char *file;
  struct svg_node *root, *open;
  int depth;
  struct error *err;
  int failed;
};

static struct place place_now(const struct reader *r) {
  return (struct place){r->file, (int)XML_GetCurrentLineNumber(r->parser),
                        (int)XML_GetCurrentColumnNumber(r->parser) + 1};
}

static void stop(struct reader *r, const char *message) {
  r->failed = error_at(r->err, place_now(r), "%s", message);
  XML_StopParser(r->parser, XML_FALSE);
}

static struct svg_node *add_node(struct reader *r) {
  struct svg_node *node = arena_alloc(r->arena, sizeof *node);
  node->place = place_now(r);
  node->parent = r->open;
  if (r->open && r->open->last)
    r->open->last->next = node;
  else if (r->open)
    r->open->child = node;
  if (r->open) r->open->last = node;
  return node;
}

static const char *local_name(struct reader *r, const char *name) {
  const char *colon = strchr(name, ':');
  const char *local = colon ? colon + 1 : name;
  return arena_copy(r->arena, local, strlen(local));
}

static void on_start(void *data, const char *name, const char **attributes) {
  struct reader *r = data;
  if (r->failed) return;
  if (++r->depth > SVG_DEPTH) {
    stop(r, "elements nested too deeply");
    return;
  }
  struct svg_node *node = add_node(r);
  node->name = local_name(r, name);
  size_t count = 0;
  while (attributes[2 * count])
    count++;
  node->attributes =
      arena_alloc(r->arena, (count + 1) * sizeof(struct svg_attribute));
  node->attribute_count = count;
  for (size_t i = 0; i < count; i++) {
    const char *value = attributes[2 * i + 1];
    node->attributes[i].name = local_name(r, attributes[2 * i]);
    node->attributes[i].value = arena_copy(r->arena, value, strlen(value));
  }
  if (!r->root) r->root = node;
  r->open = node;
}

static void on_end(void *data, const char *name) {
  struct reader *r = data;
  (void)name;
  if (r->failed) return;
  r->depth--;
  r->open = r->open->parent;
}

/* Only text elements hold text; expat hands it over in pieces. */
static void on_text(void *data, const char *bytes, int length) {
  struct reader *r = data;
  if (r->failed || !r->open) return;
  if (strcmp(r->open->name, "text") != 0 && strcmp(r->open->name, "tspan") != 0)
    return;
  struct svg_node *node = add_node(r);
  node->text = arena_copy(r->arena, bytes, (size_t)length);
}

static void on_doctype(void *data, const char *name, const char *system,
                       const char *public, int has_subset) {
  (void)name, (void)system, (void)public, (void)has_subset;
  stop(data, "a document type is not allowed in a figure");
}

int svg_tree_parse(const char *file, const char *bytes, size_t length,
                   struct arena *arena, struct svg_node **root,
                   struct error *err) {
  struct reader r = {.arena = arena, .err = err};
  r.file = arena_copy(arena, file, strlen(file));
  struct place whole = {r.file, 0, 0};
  if (length > INT_MAX / 2) return error_at(err, whole, "figure is too large");
  r.parser = XML_ParserCreate("UTF-8");
  if (!r.parser) return error_at(err, whole, "out of memory");
  XML_SetUserData(r.parser, &r);
  XML_SetElementHandler(r.parser, on_start, on_end);
  XML_SetCharacterDataHandler(r.parser, on_text);
  XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
  if (XML_Parse(r.parser, bytes, (int)length, 1) == XML_STATUS_ERROR &&
      !r.failed)
    r.failed = error_at(err, place_now(&r), "not well-formed XML: %s",
                        XML_ErrorString(XML_GetErrorCode(r.parser)));
  XML_ParserFree(r.parser);
  *root = r.root;
  return r.failed;
}

const char *svg_attribute(const struct svg_node *node, const char *name) {
  for (size_t i = 0; i < node->attribute_count; i++)
    if (strcmp(node->attributes[i].name, name) == 0)
      return node->attributes[i].value;
  return NULL;
}

const struct svg_node *svg_find(const struct svg_node *root, const char *id) {
  const char *own = root->name ? svg_attribute(root, "id") : NULL;
  if (own && strcmp(own, id) == 0) return root;
  for (const struct svg_node *n = root->child; n; n = n->next) {
    const struct svg_node *found = svg_find(n, id);
    if (found) return found;
  }
  return NULL;
}
