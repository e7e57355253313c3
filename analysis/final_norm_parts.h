/* What the files of final_norm share: what names are made of, the stacks of
 * numbered layers found in them, and the tables of what families of models do.
 *
 * A name is components joined by dots. One that is a number, or ends in one
 * behind a word for a layer (`encoder_layer_3`), numbers a layer; what stands
 * before it is the path of the layer's stack (`transformer.h`).
 *
 * Only these files include this; names carry the subject of their file. */
#ifndef FINAL_NORM_PARTS_H
#define FINAL_NORM_PARTS_H

#include "analysis/final_norm.h"

struct span {
  const char *text;
  size_t length;
};

struct span span_of(const char *text);
bool span_is(struct span span, const char *text);
bool span_has(struct span span, const char *word); /* small; in either case */
int span_compare(struct span a, struct span b);
/* The next component at *at, which moves behind it; false at the end. */
bool span_component(struct span path, size_t *at, struct span *out);
struct span span_last(struct span path);   /* the last component */
struct span span_parent(struct span path); /* all before it, or empty */
/* Whether `tail` (`output.LayerNorm`) is the end of the path. */
bool span_ends(struct span path, const char *tail);

/* ---- names ---- */

/* The name of a gain without its ending; empty when it has none of them. */
struct span name_stem(const char *name);
bool name_is_norm(struct span component);
/* A norm of queries, keys, embeddings or inputs, or of another kind. */
bool name_is_excluded(struct span stem);
const char *name_lookup(const struct final_norm_source *source,
                        struct span stem, const char *ending);
/* Whether a name begins with stem and `more`. */
bool name_begins(const struct final_norm_source *source, struct span stem,
                 const char *more);
const char *name_bias(const struct final_norm_source *source, struct span stem);

struct layer_stack {
  struct span path;          /* `transformer.h` */
  size_t layers;             /* how many numbers occur */
  unsigned long last;        /* the largest of them */
  struct span first_layer;   /* `transformer.h.0`, or the least number's */
  struct span last_layer;    /* `transformer.h.11` */
  struct span current_layer; /* while names are read */
  bool norms;                /* its layers hold norms */
};

/* A stack as seen from one or two components further up. */
struct stack_below {
  struct span parent;
  int distance;
  const struct layer_stack *stack;
};

struct stacks {
  struct layer_stack *of;
  size_t count;
  struct stack_below *below; /* in the order of their parents */
  size_t below_count;
  struct span *loose; /* stems of norms that belong to no numbered layer */
  size_t loose_count;
};

void stacks_read(const struct final_norm_source *source, struct arena *arena,
                 struct stacks *out);
/* The stack that a norm in `parent` may close: one directly below it, else one
 * a component further down; of several the deepest. One without norms only
 * where no other is. NULL when there is none. */
const struct layer_stack *stacks_below(const struct stacks *stacks,
                                       struct span parent);
/* The names in a layer, as a range of the source's. */
void layer_range(const struct final_norm_source *source, struct span layer,
                 size_t *from, size_t *to);
/* Whether the layer has a component of that name. */
bool layer_has(const struct final_norm_source *source, struct span layer,
               const char *component);

/* ---- families ---- */

/* The names of a norm that stands after all layers, and who gives them. */
struct family_closer {
  const char *name, *who;
  const char *needs;  /* a component that the last layer then has, or NULL */
  bool distinctive;   /* no other norm is named so */
  bool one_plus_open; /* some who name it so multiply by 1 + weight */
};
const struct family_closer *family_closer(struct span component);

/* Norms at the end of each layer, where none stands after all layers. */
struct family_post {
  const char *name;
  const char *beside;  /* a component that the layer then has, or NULL */
  const char *without; /* and one that it then has not */
  const char *who;
};
extern const struct family_post family_posts[];

/* What models of a model_type have. */
struct family_type {
  enum final_norm_kind kind;
  bool one_plus;
  const char *post; /* norm at the end of each layer of a post-norm model */
};
const struct family_type *family_type(const char *type);

/* Patterns of names that occur with one kind of norm only. */
struct family_pattern {
  const char *who, *says; /* the families, and the names as text */
  const char *closer;     /* the final norm's name */
  const char *has[4];     /* components of the first or the last layer */
  const char *has_not[4];
  bool one_plus, one_plus_open;
};
extern const struct family_pattern family_patterns[];

/* Parts of a larger model whose output its head does not read. */
struct family_side {
  const char *component, *what, *config;
};
const struct family_side *family_side(struct span path);

/* ---- configuration ---- */

/* Where a norm stands. */
struct norm_place {
  struct span stem;
  const struct layer_stack *stack;    /* NULL when it closes none */
  const struct family_closer *closer; /* NULL: the name is not known */
  bool alone; /* all layers are those of parts that a head does not read */
};

struct config_scope {
  const struct json *inner, *outer; /* the part's own object, and the whole */
};
/* The object for the part of the model that the norm belongs to. */
int config_scope(const struct json *config, const struct norm_place *place,
                 struct config_scope *out, struct error *err);
int config_type(const struct config_scope *scope, const char **text,
                const struct family_type **out, struct error *err);
int config_count(const struct config_scope *scope, const char *const *keys,
                 size_t *out, struct error *err);
int config_flag(const struct config_scope *scope, const char *key, bool *found,
                bool *value, struct error *err);

/* Refuses a model whose configuration says that what it names norms are none.
 */
int config_check_norms(const struct config_scope *scope, struct error *err);

/* Members other than model_type that say a kind, one of each kind. */
struct config_kinds {
  const char *key[FINAL_NORM_RMS + 1], *value[FINAL_NORM_RMS + 1];
  bool by_epsilon; /* no more than what the epsilon is named for says it */
};
int config_kinds(const struct config_scope *scope, struct config_kinds *out,
                 struct error *err);

/* ---- evidence ---- */

/* A text in the result's arena, its control characters replaced by '?'. */
const char *final_norm_text(struct final_norm *norm, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

int evidence_collect(const struct final_norm_source *source,
                     const struct final_norm_request *request,
                     const struct norm_place *place, struct final_norm *out,
                     struct error *err);

/* ---- choice ---- */

/* A norm after all layers of a stack, or at the end of its last layer. */
struct final {
  struct norm_place place;
  const char *gain;
  const char *who; /* of the families that name it so */
  bool post;       /* the last layer's own */
  size_t complete; /* how many layers there must be, when that many are not */
};

struct choice {
  const struct final_norm_source *source;
  const char *path;
  struct stacks stacks;
  struct final *finals;
  size_t final_count;
  const char *post;     /* the configuration's norm at the end of each layer */
  const char *post_why; /* and the member that says so */
  bool post_open; /* only a configuration could say whether there is one */
  bool alone;     /* all layers are those of parts that a head does not read */
  const char **candidates;
  size_t candidate_count;
  const char *rule; /* what decided among several, or NULL */
};

int choice_collect(struct choice *choice, struct final_norm *out,
                   struct error *err);
/* Leave one of the finals where a rule says which. */
void choice_decide(struct choice *choice, struct final_norm *out);
/* In doubt the norms of the last layers may be meant too. */
void choice_add_last_layers(struct choice *choice);

#endif
