/* What the names of the tensors say: which are norms, which stacks of numbered
 * layers there are, and what lies in a layer. Names come in the order of their
 * bytes, so that all of a layer stand together. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/final_norm_parts.h"

/* ---- gains ---- */

static const struct {
  const char *gain, *bias;
} endings[] = {{".weight", ".bias"},
               {".gamma", ".beta"},
               {".gain", ".bias"},
               {".scale", ".bias"}};
enum { ENDINGS = sizeof endings / sizeof *endings };

struct span name_stem(const char *name) {
  struct span whole = span_of(name);
  for (size_t i = 0; i < ENDINGS; i++) {
    size_t length = strlen(endings[i].gain);
    if (whole.length > length &&
        strcmp(name + whole.length - length, endings[i].gain) == 0)
      return (struct span){name, whole.length - length};
  }
  return (struct span){name, 0};
}

/* `ln` as a word of its own: ln_1, lnf, ln2. */
static bool has_ln(struct span component) {
  for (size_t i = 0; i + 2 <= component.length; i++) {
    if (strncmp(component.text + i, "ln", 2) != 0) continue;
    bool starts = i == 0 || component.text[i - 1] == '_';
    char next = i + 2 < component.length ? component.text[i + 2] : 0;
    bool ends = next == 0 || next == '_' || isdigit((unsigned char)next) ||
                (next == 'f' && i + 3 == component.length);
    if (starts && ends) return true;
  }
  return false;
}

bool name_is_norm(struct span component) {
  return span_has(component, "norm") || has_ln(component);
}

bool name_is_excluded(struct span stem) {
  static const char *const words[] = {
      /* before the layers */
      "emb_", "_emb", "pre_", "_pre", "patch",
      /* of queries and keys */
      "q_norm", "k_norm", "q_layernorm", "k_layernorm", "kv_a_", "q_a_",
      "query_norm", "key_norm",
      /* of another kind */
      "batch", "group_norm", "groupnorm", "instance"};
  struct span last = span_last(stem);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (span_has(last, words[i])) return true;
  return span_has(stem, "embed");
}

/* ---- looking names up ---- */

/* The order of `name` against stem and ending put together. */
static int compare_joined(const char *name, struct span stem,
                          const char *ending) {
  int order = strncmp(name, stem.text, stem.length);
  return order != 0 ? order : strcmp(name + stem.length, ending);
}

/* The first name that is not before stem and ending. */
static size_t lower_bound(const struct final_norm_source *source,
                          struct span stem, const char *ending) {
  size_t from = 0, to = source->count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (compare_joined(source->names[middle], stem, ending) < 0)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

const char *name_lookup(const struct final_norm_source *source,
                        struct span stem, const char *ending) {
  size_t at = lower_bound(source, stem, ending);
  if (at == source->count ||
      compare_joined(source->names[at], stem, ending) != 0)
    return NULL;
  return source->names[at];
}

bool name_begins(const struct final_norm_source *source, struct span stem,
                 const char *more) {
  size_t at = lower_bound(source, stem, more);
  return at < source->count &&
         strncmp(source->names[at], stem.text, stem.length) == 0 &&
         strncmp(source->names[at] + stem.length, more, strlen(more)) == 0;
}

const char *name_bias(const struct final_norm_source *source,
                      struct span stem) {
  const char *found = name_lookup(source, stem, ".bias");
  return found != NULL ? found : name_lookup(source, stem, ".beta");
}

void layer_range(const struct final_norm_source *source, struct span layer,
                 size_t *from, size_t *to) {
  *from = lower_bound(source, layer, ".");
  *to = lower_bound(source, layer, "/"); /* the byte behind the dot */
}

bool layer_has(const struct final_norm_source *source, struct span layer,
               const char *component) {
  size_t from, to;
  layer_range(source, layer, &from, &to);
  for (size_t i = from; i < to; i++) {
    struct span rest = span_of(source->names[i] + layer.length + 1), part;
    for (size_t at = 0; span_component(rest, &at, &part);)
      if (span_is(part, component)) return true;
  }
  return false;
}

/* ---- stacks of layers ---- */

static bool read_number(struct span digits, unsigned long *out) {
  if (digits.length == 0 || digits.length > 9) return false;
  *out = 0;
  for (size_t i = 0; i < digits.length; i++) {
    if (!isdigit((unsigned char)digits.text[i])) return false;
    *out = *out * 10 + (unsigned long)(digits.text[i] - '0');
  }
  return true;
}

/* The number of a component that is one, or ends in one behind a word for a
 * layer; *word is the length before it. */
static bool layer_number(struct span part, unsigned long *number,
                         size_t *word) {
  static const char *const words[] = {
      "layer", "layer_", "block", "block_", "encoder_layer_", "decoder_layer_"};
  *word = 0;
  if (read_number(part, number)) return true;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    *word = strlen(words[i]);
    if (part.length > *word && strncmp(part.text, words[i], *word) == 0 &&
        read_number((struct span){part.text + *word, part.length - *word},
                    number))
      return true;
  }
  return false;
}

/* The outermost layer that a name lies in: its path with and without number.
 * A number that begins the name (`0.auto_model`) is that of a whole model. */
static bool find_layer(const char *name, struct span *stack, struct span *layer,
                       unsigned long *number) {
  struct span part;
  size_t word;
  struct span whole = span_of(name);
  for (size_t at = 0; span_component(whole, &at, &part);) {
    if (!layer_number(part, number, &word)) continue;
    if (word == 0 && part.text == name) continue;
    if (part.text[part.length] == 0) return false; /* nothing lies in it */
    size_t start = (size_t)(part.text - name);
    *stack = (struct span){name, word > 0 ? start + word : start - 1};
    *layer = (struct span){name, start + part.length};
    return true;
  }
  return false;
}

static void add_layer(struct stacks *stacks, struct span path,
                      struct span layer, unsigned long number, bool norm) {
  struct layer_stack *s =
      stacks->count > 0 ? &stacks->of[stacks->count - 1] : NULL;
  if (s == NULL || span_compare(s->path, path) != 0) {
    s = &stacks->of[stacks->count++];
    *s = (struct layer_stack){.path = path, .first_layer = layer};
  }
  s->norms = s->norms || norm;
  if (s->layers > 0 && span_compare(s->current_layer, layer) == 0) return;
  s->current_layer = layer;
  s->layers++;
  if (s->layers == 1 || number > s->last) {
    s->last = number;
    s->last_layer = layer;
  }
}

static int compare_stacks(const void *a, const void *b) {
  const struct layer_stack *x = a, *y = b;
  int order = span_compare(x->path, y->path);
  return order != 0 ? order : span_compare(x->first_layer, y->first_layer);
}

/* Runs of names can be interrupted by other stacks; join what is one. */
static void join_stacks(struct stacks *stacks) {
  size_t kept = 0;
  qsort(stacks->of, stacks->count, sizeof *stacks->of, compare_stacks);
  for (size_t i = 0; i < stacks->count; i++) {
    struct layer_stack *s = &stacks->of[i];
    struct layer_stack *into = kept > 0 ? &stacks->of[kept - 1] : NULL;
    if (into == NULL || span_compare(into->path, s->path) != 0) {
      stacks->of[kept++] = *s;
      continue;
    }
    into->layers += s->layers; /* no layer is in two runs */
    into->norms = into->norms || s->norms;
    if (s->last > into->last) {
      into->last = s->last;
      into->last_layer = s->last_layer;
    }
  }
  stacks->count = kept;
}

/* Those that hold norms first, then the nearest, then the deepest. */
static int compare_below(const void *a, const void *b) {
  const struct stack_below *x = a, *y = b;
  int order = span_compare(x->parent, y->parent);
  if (order != 0) return order;
  if (x->stack->norms != y->stack->norms) return x->stack->norms ? -1 : 1;
  if (x->distance != y->distance) return x->distance - y->distance;
  size_t deep = x->stack->layers, other = y->stack->layers;
  if (deep != other) return deep > other ? -1 : 1;
  return span_compare(x->stack->path, y->stack->path);
}

static void find_parents(struct stacks *stacks, struct arena *arena) {
  stacks->below =
      arena_alloc(arena, (2 * stacks->count + 1) * sizeof *stacks->below);
  for (size_t i = 0; i < stacks->count; i++) {
    const struct layer_stack *s = &stacks->of[i];
    struct span parent = span_parent(s->path);
    stacks->below[stacks->below_count++] = (struct stack_below){parent, 1, s};
    if (parent.length == 0) continue;
    stacks->below[stacks->below_count++] =
        (struct stack_below){span_parent(parent), 2, s};
  }
  qsort(stacks->below, stacks->below_count, sizeof *stacks->below,
        compare_below);
}

void stacks_read(const struct final_norm_source *source, struct arena *arena,
                 struct stacks *out) {
  *out = (struct stacks){0};
  out->of = arena_alloc(arena, (source->count + 1) * sizeof *out->of);
  out->loose = arena_alloc(arena, (source->count + 1) * sizeof *out->loose);
  for (size_t i = 0; i < source->count; i++) {
    struct span stem = name_stem(source->names[i]), stack, layer;
    unsigned long number;
    bool norm = stem.length > 0 && name_is_norm(span_last(stem));
    if (find_layer(source->names[i], &stack, &layer, &number))
      add_layer(out, stack, layer, number, norm);
    else if (norm)
      out->loose[out->loose_count++] = stem;
  }
  join_stacks(out);
  find_parents(out, arena);
}

const struct layer_stack *stacks_below(const struct stacks *stacks,
                                       struct span parent) {
  size_t from = 0, to = stacks->below_count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (span_compare(stacks->below[middle].parent, parent) < 0)
      from = middle + 1;
    else
      to = middle;
  }
  if (from == stacks->below_count ||
      span_compare(stacks->below[from].parent, parent) != 0)
    return NULL;
  return stacks->below[from].stack;
}
