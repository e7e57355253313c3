/* The tree that pages and figures print from. */
#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"
#include "report/pins.h"
#include "report/pins_results.h"

/* ---- order of keys ------------------------------------------------------- */

/* The index an element stands for: digits without a leading zero. */
static bool is_index(const char *element, size_t length, size_t *out) {
  if (length == 0 || length > 9 || (length > 1 && *element == '0'))
    return false;
  *out = 0;
  for (size_t i = 0; i < length; i++) {
    if (element[i] < '0' || element[i] > '9') return false;
    *out = *out * 10 + (size_t)(element[i] - '0');
  }
  return true;
}

/* Indices by number and before names, names by bytes. */
static int compare_elements(const char *a, size_t a_length, const char *b,
                            size_t b_length) {
  size_t i, j;
  bool a_index = is_index(a, a_length, &i), b_index = is_index(b, b_length, &j);
  if (a_index && b_index) return (i > j) - (i < j);
  if (a_index != b_index) return a_index ? -1 : 1;
  int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_paths(const void *x, const void *y) {
  const char *a = (*(struct pin *const *)x)->key;
  const char *b = (*(struct pin *const *)y)->key;
  for (;;) {
    size_t m = strcspn(a, "."), n = strcspn(b, ".");
    int order = compare_elements(a, m, b, n);
    if (order != 0) return order;
    if (a[m] == 0 || b[n] == 0) return (a[m] != 0) - (b[n] != 0);
    a += m + 1;
    b += n + 1;
  }
}

/* ---- building ------------------------------------------------------------ */

/* A node whose last child is at hand, so that each step down is O(1). */
struct branch {
  struct json node;
  struct branch *last;
};

struct tree {
  struct arena *arena;
  const char *file; /* the file name last copied, and its copy */
  const char *copy;
};

static struct place place_in(struct tree *tree, struct place place) {
  if (place.file != tree->file) {
    tree->file = place.file;
    tree->copy = arena_copy(tree->arena, place.file, strlen(place.file));
  }
  place.file = tree->copy;
  return place;
}

static struct branch *append(struct tree *tree, struct branch *parent,
                             const char *name, size_t length,
                             enum json_type type, struct place place) {
  struct branch *child = arena_alloc(tree->arena, sizeof *child);
  child->node.type = type;
  child->node.key = arena_copy(tree->arena, name, length);
  child->node.place = place;
  if (parent->last != NULL)
    parent->last->node.next = &child->node;
  else
    parent->node.child = &child->node;
  parent->last = child;
  parent->node.count++;
  return child;
}

static bool is_named(const struct branch *branch, const char *name,
                     size_t length) {
  return branch != NULL && strlen(branch->node.key) == length &&
         memcmp(branch->node.key, name, length) == 0;
}

static void copy_value(struct tree *tree, const struct json *from,
                       struct json *to) {
  to->type = from->type;
  to->boolean = from->boolean;
  to->number = from->number;
  to->is_integer = from->is_integer;
  to->integer = from->integer;
  if (from->text != NULL)
    to->text = arena_copy(tree->arena, from->text, strlen(from->text));
}

/* Pins come in the order of compare_paths: what a key shares with an earlier
 * one is always the last child. */
static int add_pin(struct tree *tree, struct branch *root,
                   const struct pin *pin, struct error *err) {
  struct place place = place_in(tree, pin->place);
  struct branch *at = root;
  for (const char *name = pin->key;;) {
    size_t length = strcspn(name, ".");
    bool leaf = name[length] == 0;
    if (!is_named(at->last, name, length))
      append(tree, at, name, length, JSON_OBJECT, place);
    else if (leaf || at->last->node.type != JSON_OBJECT)
      return error_at(err, pin->place,
                      "%s: one key is a part of another, %s:%d", pin->key,
                      at->last->node.place.file, at->last->node.place.line);
    at = at->last;
    if (leaf) break;
    name += length + 1;
  }
  copy_value(tree, pin->value, &at->node);
  return 0;
}

/* Depth is that of the longest key. */
static void make_arrays(struct json *node) {
  size_t n = 0, index;
  bool indices = node->type == JSON_OBJECT && node->count > 0;
  for (struct json *m = node->child; m != NULL; m = m->next, n++) {
    if (!is_index(m->key, strlen(m->key), &index) || index != n)
      indices = false;
    make_arrays(m);
  }
  if (!indices) return;
  node->type = JSON_ARRAY;
  for (struct json *m = node->child; m != NULL; m = m->next)
    m->key = NULL;
}

/* ---- where the pins were taken ------------------------------------------- */

static bool contains(const struct facts *facts, struct fact fact) {
  for (size_t i = 0; i < facts->count; i++)
    if (strcmp(facts->items[i].name, fact.name) == 0 &&
        strcmp(facts->items[i].text, fact.text) == 0)
      return true;
  return false;
}

/* The distinct fields of all records that a pin refers to, in the order of the
 * files. Few records differ, so the search is linear. */
static struct facts all_fields(const struct pin_set *set, struct arena *arena) {
  struct facts all = {0};
  const struct json *before = NULL;
  for (size_t f = 0; f < set->count; f++)
    for (const struct pin *p = set->files[f].pins; p != NULL; p = p->next) {
      if (p->taken == NULL || p->taken == before) continue;
      before = p->taken;
      struct facts some;
      facts_collect(json_member(p->taken, "environment"), arena, &some);
      all.items = memory_resize(all.items, all.count + some.count + 1,
                                sizeof *all.items);
      for (size_t i = 0; i < some.count; i++)
        if (!contains(&all, some.items[i]))
          all.items[all.count++] = some.items[i];
      facts_free(&some);
    }
  return all;
}

/* A nested field's name has no dots here, so that a page can name it. */
static const char *plain_name(struct arena *arena, const char *name) {
  char *copy = arena_copy(arena, name, strlen(name));
  for (char *c = copy; *c != 0; c++)
    if (*c == '.') *c = '_';
  return copy;
}

static struct json *field_at(struct tree *tree, struct branch *parent,
                             const char *name) {
  for (struct json *m = parent->node.child; m != NULL; m = m->next)
    if (strcmp(m->key, name) == 0) return m;
  return &append(tree, parent, name, strlen(name), JSON_STRING,
                 parent->node.place)
              ->node;
}

static void add_environment(struct tree *tree, struct branch *root,
                            const struct pin_set *set, struct place place) {
  struct branch *top =
      append(tree, root, "environment", 11, JSON_OBJECT, place);
  struct facts all = all_fields(set, tree->arena);
  for (size_t i = 0; i < all.count; i++) {
    struct json *m =
        field_at(tree, top, plain_name(tree->arena, all.items[i].name));
    const char *text = all.items[i].text;
    m->text = m->text == NULL
                  ? arena_copy(tree->arena, text, strlen(text))
                  : arena_printf(tree->arena, "%s; %s", m->text, text);
  }
  facts_free(&all);
}

static void add_number(struct tree *tree, struct branch *parent,
                       const char *name, size_t n, struct place place) {
  struct branch *b =
      append(tree, parent, name, strlen(name), JSON_NUMBER, place);
  b->node.number = (double)n;
  b->node.is_integer = true;
  b->node.integer = (long long)n;
  b->node.text = arena_printf(tree->arena, "%zu", n);
}

static void add_counts(struct tree *tree, struct branch *root,
                       const struct pin_set *set, struct place place) {
  size_t drafts = 0;
  for (size_t i = 0; i < set->pins; i++)
    drafts += set->by_key[i]->draft;
  struct branch *top = append(tree, root, "pins", 4, JSON_OBJECT, place);
  add_number(tree, top, "count", set->pins, place);
  add_number(tree, top, "drafts", drafts, place);
}

static int refuse_own_names(const struct pin_set *set, struct error *err) {
  for (size_t f = 0; f < set->count; f++) {
    const struct json *study =
        json_member(set->files[f].document.root, "study");
    if (strcmp(study->text, "pins") == 0 ||
        strcmp(study->text, "environment") == 0)
      return error_at(err, study->place,
                      "the study's name \"%s\" is taken by what pages print "
                      "about the pins themselves",
                      study->text);
  }
  return 0;
}

static int build(const struct pin_set *set, const char *directory,
                 struct json_document *out, struct error *err) {
  struct tree tree = {.arena = &out->arena};
  struct place whole = place_in(&tree, (struct place){directory, 0, 0});
  struct branch *root = arena_alloc(tree.arena, sizeof *root);
  root->node = (struct json){.type = JSON_OBJECT, .place = whole};
  out->root = &root->node;
  struct pin **sorted = memory_alloc(set->pins + 1, sizeof *sorted);
  memcpy(sorted, set->by_key, set->pins * sizeof *sorted);
  qsort(sorted, set->pins, sizeof *sorted, compare_paths);
  int result = 0;
  for (size_t i = 0; i < set->pins && result == 0; i++)
    result = add_pin(&tree, root, sorted[i], err);
  free(sorted);
  for (struct json *study = root->node.child; study != NULL;
       study = study->next)
    make_arrays(study);
  add_counts(&tree, root, set, whole);
  add_environment(&tree, root, set, whole);
  return result;
}

int pins_values(const char *directory, struct json_document *out,
                struct error *err) {
  *out = (struct json_document){0};
  struct pin_set set;
  if (pins_read_directory(directory, &set, err) != 0) return -1;
  int result = refuse_own_names(&set, err);
  if (result == 0) result = build(&set, directory, out, err);
  pins_free_set(&set);
  if (result != 0) json_free(out);
  return result;
}
