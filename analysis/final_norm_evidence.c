/* LayerNorm or RMSNorm, and whether the weight is the gain less 1: pieces of
 * evidence from the metadata, the configuration, a bias, the names and the
 * user. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/final_norm_parts.h"

__attribute__((format(printf, 4, 5))) static void add(struct final_norm *out,
                                                      const char *source,
                                                      enum final_norm_kind says,
                                                      const char *format, ...) {
  char text[600];
  va_list arguments;
  assert(out->evidence_count < FINAL_NORM_EVIDENCE); /* 7 at most */
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  out->evidence[out->evidence_count++] = (struct final_norm_evidence){
      source, says, final_norm_text(out, "%s", text)};
}

/* ---- names ---- */

/* Which of the words of all patterns are components of a layer's names, and
 * whether a norm in it has a bias. */
enum { WORDS = 64 };
struct layer_words {
  const char *word[WORDS]; /* in the order of their bytes */
  bool seen[WORDS];
  size_t count;
  bool norm_bias;
};

static int compare_words(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int compare_word(const void *key, const void *word) {
  return span_compare(*(const struct span *)key,
                      span_of(*(const char *const *)word));
}

static bool *word_seen(struct layer_words *words, struct span component) {
  const char **found = bsearch(&component, words->word, words->count,
                               sizeof *words->word, compare_word);
  return found != NULL ? &words->seen[found - words->word] : NULL;
}

static void add_words(struct layer_words *words, const char *const of[4]) {
  for (int i = 0; i < 4 && of[i] != NULL; i++) {
    bool known = false;
    for (size_t k = 0; k < words->count && !known; k++)
      known = strcmp(words->word[k], of[i]) == 0;
    if (!known && words->count < WORDS) words->word[words->count++] = of[i];
  }
}

static void read_layer(const struct final_norm_source *source,
                       struct span layer, struct layer_words *words) {
  size_t from, to;
  layer_range(source, layer, &from, &to);
  for (size_t i = from; i < to; i++) {
    struct span rest = span_of(source->names[i] + layer.length + 1), part;
    for (size_t at = 0; span_component(rest, &at, &part);) {
      bool *seen = word_seen(words, part);
      if (seen != NULL) *seen = true;
    }
    struct span last = span_last(rest), owner = span_parent(rest);
    if ((span_is(last, "bias") || span_is(last, "beta")) &&
        name_is_norm(span_last(owner)) && !name_is_excluded(owner))
      words->norm_bias = true;
  }
}

static bool all_seen(struct layer_words *words, const char *const of[4],
                     bool wanted) {
  for (int i = 0; i < 4 && of[i] != NULL; i++)
    if (*word_seen(words, span_of(of[i])) != wanted) return false;
  return true;
}

/* The pattern that the layers before the norm show, or NULL. */
static const struct family_pattern *
find_pattern(const struct final_norm_source *source,
             const struct norm_place *place) {
  struct layer_words words = {0};
  if (place->stack == NULL || place->closer == NULL) return NULL;
  for (const struct family_pattern *p = family_patterns; p->who != NULL; p++) {
    add_words(&words, p->has);
    add_words(&words, p->has_not);
  }
  qsort(words.word, words.count, sizeof *words.word, compare_words);
  read_layer(source, place->stack->first_layer, &words);
  if (place->stack->layers > 1)
    read_layer(source, place->stack->last_layer, &words);
  if (words.norm_bias || name_bias(source, place->stem) != NULL) return NULL;
  for (const struct family_pattern *p = family_patterns; p->who != NULL; p++)
    if (strcmp(p->closer, place->closer->name) == 0 &&
        all_seen(&words, p->has, true) && all_seen(&words, p->has_not, false))
      return p;
  return NULL;
}

static void add_names(const struct norm_place *place,
                      const struct family_pattern *pattern,
                      struct final_norm *out) {
  struct span last = span_last(place->stem);
  if (span_has(last, "rms"))
    add(out, "names", FINAL_NORM_RMS, "the name %.*s", (int)last.length,
        last.text);
  if (pattern != NULL)
    add(out, "names", FINAL_NORM_RMS,
        "%s without bias, as in %s: these names occur with RMSNorm only",
        pattern->says, pattern->who);
}

/* ---- configuration ---- */

static int add_configuration(const struct config_scope *scope,
                             struct final_norm *out, struct error *err) {
  const char *text;
  const struct family_type *type;
  if (config_type(scope, &text, &type, err) != 0) return -1;
  if (type != NULL) {
    add(out, "configuration", type->kind, "model_type \"%s\" has %ss", text,
        final_norm_kind_name(type->kind));
    return 0;
  }
  struct config_kinds kinds;
  if (config_kinds(scope, &kinds, err) != 0) return -1;
  for (int kind = FINAL_NORM_LAYER; kind <= FINAL_NORM_RMS; kind++)
    if (kinds.key[kind] != NULL && kind == FINAL_NORM_LAYER &&
        kinds.by_epsilon && out->bias == NULL)
      add(out, "configuration", FINAL_NORM_UNDECIDED,
          "\"%s\" is %s, but RMSNorms have one of that name too, as in T5",
          kinds.key[kind], kinds.value[kind]);
    else if (kinds.key[kind] != NULL)
      add(out, "configuration", (enum final_norm_kind)kind, "\"%s\" is %s",
          kinds.key[kind], kinds.value[kind]);
  return 0;
}

/* ---- metadata ---- */

/* Our own files write this; another project's `norm` may mean anything. */
static enum final_norm_kind
metadata_kind(const struct final_norm_source *source) {
  for (int kind = FINAL_NORM_LAYER; kind <= FINAL_NORM_RMS; kind++)
    if (source->metadata_norm != NULL &&
        strcmp(source->metadata_norm,
               final_norm_kind_name((enum final_norm_kind)kind)) == 0)
      return (enum final_norm_kind)kind;
  return FINAL_NORM_UNDECIDED;
}

/* ---- the gain as 1 + weight ---- */

static int plus_by_flag(const struct config_scope *scope,
                        struct final_norm *out, bool *found,
                        struct error *err) {
  static const char *const keys[] = {"use_gemma_norm", "apply_layernorm_1p",
                                     "layernorm_zero_centered_gamma",
                                     "norm_add_unit_offset"};
  *found = false;
  for (size_t i = 0; i < sizeof keys / sizeof *keys && !*found; i++) {
    if (config_flag(scope, keys[i], found, &out->one_plus, err) != 0) return -1;
    if (*found)
      out->one_plus_reason =
          final_norm_text(out, "configuration: \"%s\" is %s", keys[i],
                          out->one_plus ? "true" : "false");
  }
  return 0;
}

static int plus_by_configuration(const struct config_scope *scope,
                                 struct final_norm *out, bool *found,
                                 struct error *err) {
  const char *text;
  const struct family_type *type;
  if (plus_by_flag(scope, out, found, err) != 0) return -1;
  if (*found) return 0;
  if (config_type(scope, &text, &type, err) != 0) return -1;
  *found = type != NULL;
  if (type == NULL) return 0;
  out->one_plus = type->one_plus;
  out->one_plus_reason = final_norm_text(
      out, "configuration: model_type \"%s\" multiplies by %s", text,
      type->one_plus ? "1 + weight" : "the weight itself");
  return 0;
}

static void plus_by_names(const struct norm_place *place,
                          const struct family_pattern *pattern,
                          struct final_norm *out) {
  if (pattern != NULL && !pattern->one_plus_open) {
    out->one_plus = pattern->one_plus;
    out->one_plus_reason = final_norm_text(
        out, "names: %s of %s multiply by %s", pattern->says, pattern->who,
        pattern->one_plus ? "1 + weight" : "the weight itself");
    return;
  }
  bool layers =
      place->stack != NULL && span_is(span_last(place->stack->path), "layers");
  out->one_plus_open = place->closer != NULL
                           ? place->closer->one_plus_open && layers
                           : place->stack == NULL;
  if (out->one_plus_open)
    out->one_plus_reason = final_norm_text(
        out, place->closer == NULL
                 ? "nothing tells; some norms multiply by 1 + weight"
                 : "the names do not tell: some of those who use them "
                   "multiply by 1 + weight (Gemma, Nemotron)");
}

static int find_one_plus(const struct final_norm_source *source,
                         const struct final_norm_request *request,
                         const struct config_scope *scope,
                         const struct norm_place *place,
                         const struct family_pattern *pattern,
                         struct final_norm *out, struct error *err) {
  bool found;
  if (request->one_plus) {
    out->one_plus = true;
    out->one_plus_reason = "user: the norm multiplies by 1 + weight";
    return 0;
  }
  if (plus_by_configuration(scope, out, &found, err) != 0) return -1;
  if (found) return 0;
  if (metadata_kind(source) != FINAL_NORM_UNDECIDED) return 0;
  plus_by_names(place, pattern, out);
  return 0;
}

/* ---- all together ---- */

/* Evidence that tells nothing alone still is against an RMSNorm. */
static void decide(const struct final_norm_request *request,
                   struct final_norm *out) {
  bool layer = false, rms = false, open = false;
  for (size_t i = 0; i < out->evidence_count; i++) {
    layer |= out->evidence[i].says == FINAL_NORM_LAYER;
    rms |= out->evidence[i].says == FINAL_NORM_RMS;
    open |= out->evidence[i].says == FINAL_NORM_UNDECIDED;
  }
  out->kind = FINAL_NORM_UNDECIDED;
  if (request->kind != FINAL_NORM_UNDECIDED)
    out->kind = request->kind;
  else if (layer && !rms)
    out->kind = FINAL_NORM_LAYER;
  else if (rms && !layer && !open)
    out->kind = FINAL_NORM_RMS;
}

int evidence_collect(const struct final_norm_source *source,
                     const struct final_norm_request *request,
                     const struct norm_place *place, struct final_norm *out,
                     struct error *err) {
  static const char *const widths[] = {"hidden_size", "n_embd", "n_embed",
                                       "d_model",     "dim",    NULL};
  struct config_scope scope;
  if (config_scope(source->config, place, &scope, err) != 0) return -1;
  if (config_count(&scope, widths, &out->width, err) != 0) return -1;
  if (request->kind == FINAL_NORM_UNDECIDED &&
      config_check_norms(&scope, err) != 0)
    return -1;
  if (request->kind != FINAL_NORM_UNDECIDED)
    add(out, "user", request->kind, "asked for");
  if (metadata_kind(source) != FINAL_NORM_UNDECIDED)
    add(out, "metadata", metadata_kind(source), "norm is %s",
        source->metadata_norm);
  if (add_configuration(&scope, out, err) != 0) return -1;
  if (out->bias != NULL)
    add(out, "bias", FINAL_NORM_LAYER, "the norm adds %s", out->bias);
  const struct family_pattern *pattern = find_pattern(source, place);
  add_names(place, pattern, out);
  decide(request, out);
  return find_one_plus(source, request, &scope, place, pattern, out, err);
}
