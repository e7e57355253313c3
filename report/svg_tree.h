/* An SVG file as a tree of elements, read with expat. Document types, and
 * with them entities, are refused; so is nesting beyond SVG_DEPTH. */
#ifndef SVG_TREE_H
#define SVG_TREE_H

#include <stddef.h>

#include "report/base/error.h"
#include "report/base/memory.h"

enum { SVG_DEPTH = 64 };

struct svg_attribute {
  const char *name, *value;
};

/* An element, or a piece of text between elements (then `name` is NULL). Names
 * stand without their namespace prefix ("href" for "xlink:href"). */
struct svg_node {
  const char *name;
  const char *text;
  struct svg_attribute *attributes;
  size_t attribute_count;
  struct svg_node *parent, *child, *last, *next;
  struct place place;
};

/* `file` stands in places and is copied; the tree lives in `arena`. */
int svg_tree_parse(const char *file, const char *bytes, size_t length,
                   struct arena *arena, struct svg_node **root,
                   struct error *err);

/* The attribute's value, or NULL. */
const char *svg_attribute(const struct svg_node *node, const char *name);

/* The element with that id in the tree, or NULL. */
const struct svg_node *svg_find(const struct svg_node *root, const char *id);

#endif
