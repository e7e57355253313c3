/* Which norms may be the final one, and which of them is. */
#include <stdlib.h>
#include <string.h>

#include "analysis/final_norm_parts.h"

/* ---- norms that may be the final one ---- */

static void add_candidate(struct choice *choice, const char *gain) {
  choice->candidates[choice->candidate_count++] = gain;
}

/* ---- models that norm after each layer ---- */

/* OPT and wav2vec say it by a flag, others by their type. */
static int read_post_norm(struct choice *choice, struct final_norm *out,
                          struct error *err) {
  static const char *const flags[] = {"do_layer_norm_before",
                                      "do_stable_layer_norm"};
  struct config_scope scope;
  const char *text;
  const struct family_type *type;
  bool found = false, value = false;
  if (config_scope(choice->source->config, &(struct norm_place){0}, &scope,
                   err) != 0)
    return -1;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    bool here;
    if (config_flag(&scope, flags[i], &here, &value, err) != 0) return -1;
    found = found || here;
    if (!here || value) continue;
    choice->post = "final_layer_norm";
    choice->post_why = final_norm_text(out, "\"%s\" is false", flags[i]);
  }
  if (config_type(&scope, &text, &type, err) != 0) return -1;
  if (type != NULL && type->post != NULL) {
    choice->post = type->post;
    choice->post_why = final_norm_text(out, "model_type is \"%s\"", text);
  }
  choice->post_open = !found;
  return 0;
}

/* How many layers there must be: as configured, and up to the largest number.
 * Left 0 when so many are there. ALBERT's layers repeat. */
static int missing_layers(const struct choice *choice,
                          const struct norm_place *place, size_t *out,
                          struct error *err) {
  static const char *const usual[] = {"num_hidden_layers", "n_layer",
                                      "n_layers", "num_layers", NULL};
  static const char *const decoder[] = {"decoder_layers", NULL};
  static const char *const encoder[] = {"encoder_layers", NULL};
  const struct layer_stack *stack = place->stack;
  struct config_scope scope;
  size_t wanted = 0;
  *out = 0;
  if (span_ends(stack->path, "albert_layer_groups")) return 0;
  if (config_scope(choice->source->config, place, &scope, err) != 0) return -1;
  if (span_has(stack->path, "decoder") &&
      config_count(&scope, decoder, &wanted, err) != 0)
    return -1;
  if (span_has(stack->path, "encoder") && wanted == 0 &&
      config_count(&scope, encoder, &wanted, err) != 0)
    return -1;
  if (wanted == 0 && config_count(&scope, usual, &wanted, err) != 0) return -1;
  if (wanted < stack->last + 1) wanted = stack->last + 1;
  if (stack->layers != wanted) *out = wanted;
  return 0;
}

/* Who has a norm of that name at the end of each layer, or NULL. */
static const char *post_norm(const struct choice *choice,
                             const struct layer_stack *stack,
                             struct span tail) {
  for (const struct family_post *p = family_posts; p->name != NULL; p++)
    if (span_is(tail, p->name) &&
        (p->beside == NULL ||
         layer_has(choice->source, stack->last_layer, p->beside)) &&
        (p->without == NULL ||
         !layer_has(choice->source, stack->last_layer, p->without)))
      return p->who;
  if (choice->post != NULL && span_is(tail, choice->post))
    return choice->post_why;
  return NULL;
}

/* The norm at the end of the stack's last layer, when the model is one that
 * has it there; *found says whether it is. Where layers are missing it may not
 * be the last, and is not chosen. */
static int find_post(struct choice *choice, const struct layer_stack *stack,
                     bool *found, struct error *err) {
  size_t from, to, start = stack->last_layer.length + 1;
  layer_range(choice->source, stack->last_layer, &from, &to);
  for (size_t i = from; i < to && !*found; i++) {
    const char *gain = choice->source->names[i];
    struct span stem = name_stem(gain);
    if (stem.length <= start) continue;
    struct norm_place place = {stem, stack, NULL, choice->alone};
    struct span tail = {gain + start, stem.length - start};
    const char *who = post_norm(choice, stack, tail);
    if (who == NULL) continue;
    *found = true;
    struct final *final = &choice->finals[choice->final_count++];
    *final = (struct final){place, gain, who, true, 0};
    if (missing_layers(choice, &place, &final->complete, err) != 0) return -1;
    add_candidate(choice, gain);
  }
  return 0;
}

/* ---- models with a norm after all layers ---- */

/* Before its layers wav2vec has a norm of the name that others give the one
 * behind them; only the configuration tells which it is. */
static bool position_norm(const struct choice *choice, struct span stem) {
  if (!span_is(span_last(stem), "layer_norm") || !choice->post_open)
    return false;
  return name_begins(choice->source, span_parent(stem), ".pos_conv_embed");
}

/* A norm in the head of a classifier is none of the model's. */
static bool in_head(struct span stem) {
  static const char *const heads[] = {"classifier", "head", "pooler", "cls",
                                      "score"};
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    if (span_has(span_parent(stem), heads[i])) return true;
  return false;
}

/* The stack that the norm closes by its name and place, or NULL. */
static const struct layer_stack *closed_by(const struct choice *choice,
                                           struct span stem,
                                           const struct family_closer *closer) {
  if (closer == NULL) return NULL;
  const struct layer_stack *stack =
      stacks_below(&choice->stacks, span_parent(stem));
  if (stack != NULL && closer->needs != NULL &&
      !layer_has(choice->source, stack->last_layer, closer->needs))
    return NULL;
  return stack;
}

static void find_closing(struct choice *choice, const bool *post) {
  const struct stacks *stacks = &choice->stacks;
  for (size_t i = 0; i < stacks->loose_count; i++) {
    struct span stem = stacks->loose[i];
    const char *gain = stem.text; /* the name that the stem begins */
    const struct family_closer *closer = family_closer(span_last(stem));
    const struct layer_stack *stack = closed_by(choice, stem, closer);
    if (stack == NULL && name_is_excluded(stem)) continue;
    add_candidate(choice, gain);
    if (stack == NULL || post[stack - stacks->of] ||
        position_norm(choice, stem) || (!stack->norms && in_head(stem)))
      continue;
    choice->finals[choice->final_count++] = (struct final){
        {stem, stack, closer, choice->alone}, gain, closer->who, false, 0};
  }
}

/* Layers without norms are followed by one only where no others are. */
static void drop_weak(struct choice *choice) {
  size_t kept = 0;
  bool strong = false;
  for (size_t i = 0; i < choice->final_count; i++)
    strong = strong || choice->finals[i].place.stack->norms;
  for (size_t i = 0; i < choice->final_count; i++)
    if (!strong || choice->finals[i].place.stack->norms)
      choice->finals[kept++] = choice->finals[i];
  choice->final_count = kept;
}

/* ---- one of several ---- */

/* Drop the finals marked. */
static void drop(struct choice *choice, const bool *dropped) {
  size_t kept = 0;
  for (size_t i = 0; i < choice->final_count; i++)
    if (!dropped[i]) choice->finals[kept++] = choice->finals[i];
  choice->final_count = kept;
}

/* Pooling stands between timm's `norm` and `fc_norm`, which the head reads. */
static void prefer_pooled(struct choice *choice, bool *dropped) {
  struct final *f = choice->finals;
  if (choice->final_count != 2) return;
  for (int i = 0; i < 2; i++)
    dropped[i] = !span_is(span_last(f[i].place.stem), "fc_norm");
  if (dropped[0] == dropped[1] ||
      span_compare(span_parent(f[0].place.stem),
                   span_parent(f[1].place.stem)) != 0)
    return;
  drop(choice, dropped);
  choice->rule = "the head reads fc_norm, which follows the pooling";
}

/* Two towers that are compared with one another have no common head; the
 * comparison has a scale. */
static bool is_contrastive(const struct final_norm_source *source) {
  for (size_t i = 0; i < source->count; i++) {
    struct span last = span_last(span_of(source->names[i]));
    if (span_is(last, "logit_scale") || span_is(last, "logit_scale_a"))
      return true;
  }
  return false;
}

static void prefer_main(struct choice *choice, struct final_norm *out,
                        bool *dropped) {
  const struct family_side *side = NULL;
  size_t sides = 0;
  if (is_contrastive(choice->source)) return;
  for (size_t i = 0; i < choice->final_count; i++) {
    const struct family_side *found = family_side(choice->finals[i].place.stem);
    dropped[i] = found != NULL;
    if (found != NULL) side = found, sides++;
  }
  if (sides == 0 || sides == choice->final_count) return;
  drop(choice, dropped);
  choice->rule = final_norm_text(
      out, "the head reads the language model, not the %s", side->what);
}

/* Whether two paths part at a component that ends in `encoder` in one and in
 * `decoder` in the other. */
static bool encodes_for(struct span encoder, struct span decoder) {
  struct span a, b;
  for (size_t i = 0, k = 0;
       span_component(encoder, &i, &a) && span_component(decoder, &k, &b);) {
    if (span_compare(a, b) == 0) continue;
    return a.length >= 7 && b.length >= 7 &&
           memcmp(a.text + a.length - 7, "encoder", 7) == 0 &&
           memcmp(b.text + b.length - 7, "decoder", 7) == 0;
  }
  return false;
}

static void prefer_decoder(struct choice *choice, bool *dropped) {
  enum { FEW = 16 }; /* of which every one is compared with all */
  for (size_t d = 0; d < choice->final_count && choice->final_count < FEW;
       d++) {
    bool of_all = true;
    for (size_t e = 0; e < choice->final_count; e++) {
      dropped[e] = e != d;
      if (e != d && !encodes_for(choice->finals[e].place.stem,
                                 choice->finals[d].place.stem))
        of_all = false;
    }
    if (!of_all) continue;
    drop(choice, dropped);
    choice->rule = "of encoder and decoder the head reads the decoder";
    return;
  }
}

void choice_decide(struct choice *choice, struct final_norm *out) {
  bool *dropped =
      arena_alloc(&out->arena, choice->final_count * sizeof *dropped + 1);
  if (choice->final_count > 1) prefer_pooled(choice, dropped);
  if (choice->final_count > 1) prefer_main(choice, out, dropped);
  if (choice->final_count > 1) prefer_decoder(choice, dropped);
}

/* Where no layers are, as in a last shard, the only norm is enough if no other
 * norm is named so. */
static void take_only_norm(struct choice *choice) {
  const struct stacks *stacks = &choice->stacks;
  if (stacks->count > 0 || choice->candidate_count != 1) return;
  struct span stem = name_stem(choice->candidates[0]);
  const struct family_closer *closer = family_closer(span_last(stem));
  if (closer == NULL ||
      (!closer->distinctive && !span_ends(stem, "model.norm")))
    return;
  choice->finals[choice->final_count++] =
      (struct final){{stem, NULL, closer, choice->alone},
                     choice->candidates[0],
                     closer->who,
                     false,
                     0};
}

/* In doubt the norms of the last layers may be meant too. */
void choice_add_last_layers(struct choice *choice) {
  for (size_t s = 0; s < choice->stacks.count; s++) {
    size_t from, to;
    layer_range(choice->source, choice->stacks.of[s].last_layer, &from, &to);
    for (size_t i = from; i < to; i++) {
      struct span stem = name_stem(choice->source->names[i]);
      if (stem.length > 0 && name_is_norm(span_last(stem)) &&
          !name_is_excluded(stem))
        add_candidate(choice, choice->source->names[i]);
    }
  }
}

/* ---- all together ---- */

int choice_collect(struct choice *choice, struct final_norm *out,
                   struct error *err) {
  size_t names = choice->source->count;
  stacks_read(choice->source, &out->arena, &choice->stacks);
  size_t stacks = choice->stacks.count;
  bool *post = arena_alloc(&out->arena, stacks + 1);
  choice->finals =
      arena_alloc(&out->arena, (stacks + names + 1) * sizeof *choice->finals);
  choice->candidates = arena_alloc(&out->arena, (2 * names + stacks + 1) *
                                                    sizeof *choice->candidates);
  if (read_post_norm(choice, out, err) != 0) return -1;
  choice->alone = true;
  for (size_t i = 0; i < stacks; i++)
    if (choice->stacks.of[i].norms &&
        family_side(choice->stacks.of[i].path) == NULL)
      choice->alone = false;
  for (size_t i = 0; i < stacks; i++)
    if (choice->stacks.of[i].norms &&
        find_post(choice, &choice->stacks.of[i], &post[i], err) != 0)
      return -1;
  find_closing(choice, post);
  drop_weak(choice);
  if (choice->final_count == 0) take_only_norm(choice);
  return 0;
}
