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

/* The stem of `tail` in the last layer of the stack, when it has a gain. */
static const char *last_layer_gain(const struct choice *choice,
                                   const struct layer_stack *stack,
                                   const char *tail, struct arena *arena,
                                   struct span *stem) {
  stem->text = arena_printf(arena, "%.*s.%s", (int)stack->last_layer.length,
                            stack->last_layer.text, tail);
  stem->length = strlen(stem->text);
  return name_gain(choice->source, *stem);
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

/* The norm at the end of the stack's last layer, when the model is one that
 * has it there; *found says whether it is. Where layers are missing it may not
 * be the last, and is not chosen. */
static int find_post(struct choice *choice, const struct layer_stack *stack,
                     struct final_norm *out, bool *found, struct error *err) {
  struct span stem;
  const char *gain = NULL, *who = NULL;
  for (const struct family_post *p = family_posts;
       p->name != NULL && gain == NULL; p++) {
    if (p->beside != NULL &&
        !layer_has(choice->source, stack->last_layer, p->beside))
      continue;
    gain = last_layer_gain(choice, stack, p->name, &out->arena, &stem);
    who = p->who;
  }
  if (gain == NULL && choice->post != NULL) {
    gain = last_layer_gain(choice, stack, choice->post, &out->arena, &stem);
    who = choice->post_why;
  }
  *found = gain != NULL;
  if (gain == NULL) return 0;
  struct norm_place place = {stem, stack, NULL, choice->alone};
  size_t complete;
  if (missing_layers(choice, &place, &complete, err) != 0) return -1;
  add_candidate(choice, gain);
  choice->finals[choice->final_count++] =
      (struct final){place, gain, who, true, complete};
  return 0;
}

/* ---- models with a norm after all layers ---- */

/* Before its layers wav2vec has a norm of the name that others give the one
 * behind them; only the configuration tells which it is. */
static bool position_norm(const struct choice *choice, struct span stem) {
  if (!span_is(span_last(stem), "layer_norm") || !choice->post_open)
    return false;
  struct span parent = span_parent(stem);
  size_t from, to;
  layer_range(choice->source, parent, &from, &to);
  for (size_t i = from; i < to; i++)
    if (strncmp(choice->source->names[i] + parent.length + 1, "pos_conv_embed",
                14) == 0)
      return true;
  return false;
}

static void find_closing(struct choice *choice, bool *post) {
  const struct stacks *stacks = &choice->stacks;
  for (size_t i = 0; i < stacks->loose_count; i++) {
    struct span stem = stacks->loose[i];
    const char *gain = stem.text; /* the name that the stem begins */
    const struct family_closer *closer = family_closer(span_last(stem));
    const struct layer_stack *stack =
        closer != NULL ? stacks_below(stacks, span_parent(stem)) : NULL;
    if (stack == NULL && name_is_excluded(stem)) continue;
    add_candidate(choice, gain);
    if (stack == NULL || post[stack - stacks->of] ||
        position_norm(choice, stem))
      continue;
    choice->finals[choice->final_count++] = (struct final){
        {stem, stack, closer, choice->alone}, gain, closer->who, false, 0};
  }
}

/* ---- one of several ---- */

/* Drop the finals marked; returns how many are left. */
static size_t drop(struct choice *choice, const bool *dropped) {
  size_t kept = 0;
  for (size_t i = 0; i < choice->final_count; i++)
    if (!dropped[i]) choice->finals[kept++] = choice->finals[i];
  choice->final_count = kept;
  return kept;
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
  for (size_t d = 0; d < choice->final_count; d++) {
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

/* A name that no other norm has is enough where there are no layers. */
static void take_only_norm(struct choice *choice) {
  const struct stacks *stacks = &choice->stacks;
  if (stacks->count > 0 || stacks->loose_count != 1) return;
  struct span stem = stacks->loose[0];
  const struct family_closer *closer = family_closer(span_last(stem));
  if (closer == NULL || !closer->distinctive) return;
  choice->finals[choice->final_count++] = (struct final){
      {stem, NULL, closer, choice->alone}, stem.text, closer->who, false, 0};
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
        find_post(choice, &choice->stacks.of[i], out, &post[i], err) != 0)
      return -1;
  find_closing(choice, post);
  if (choice->final_count == 0) take_only_norm(choice);
  return 0;
}
