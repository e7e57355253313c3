/* What a model's config.json says, read from the object for the part of the
 * model that the norm belongs to, then from the whole. Members that all
 * configurations share must have their type (null stands for absent); those of
 * single families count only where they have it. */
#include <string.h>

#include "analysis/final_norm_parts.h"

enum { DEEPEST = 4 };

/* The member of that type; *out stays NULL when it is absent or null. */
static int member(const struct json *object, const char *key,
                  enum json_type type, const struct json **out,
                  struct error *err) {
  const struct json *found = object != NULL ? json_member(object, key) : NULL;
  *out = NULL;
  if (found == NULL || found->type == JSON_NULL) return 0;
  if (found->type != type)
    return error_at(err, found->place, "\"%s\": %s expected, %s found", key,
                    json_type_name(type), json_type_name(found->type));
  *out = found;
  return 0;
}

static bool path_has(struct span path, const char *component) {
  struct span part;
  for (size_t at = 0; span_component(path, &at, &part);)
    if (span_is(part, component)) return true;
  return false;
}

/* The configuration inside of the part that holds the language model. */
static int find_inner(const struct json *object, struct span path,
                      const struct json **out, struct error *err) {
  static const char *const keys[] = {"text_config", "llm_config",
                                     "language_config", "thinker_config"};
  static const char *const coders[] = {"decoder", "encoder"};
  *out = NULL;
  for (size_t i = 0; i < sizeof keys / sizeof *keys && *out == NULL; i++)
    if (member(object, keys[i], JSON_OBJECT, out, err) != 0) return -1;
  for (size_t i = 0; i < sizeof coders / sizeof *coders && *out == NULL; i++) {
    const struct json *found = json_member(object, coders[i]);
    if (found != NULL && found->type == JSON_OBJECT &&
        path_has(path, coders[i]))
      *out = found;
  }
  return 0;
}

/* The object of a part beside the language model. A part that is all there is
 * has the whole configuration. */
static int side_scope(const struct json *config, const struct norm_place *place,
                      const struct family_side *side, struct config_scope *out,
                      struct error *err) {
  *out = (struct config_scope){0};
  if (side->config != NULL &&
      member(config, side->config, JSON_OBJECT, &out->inner, err) != 0)
    return -1;
  if (out->inner == NULL && place->alone) out->inner = config;
  return 0;
}

int config_scope(const struct json *config, const struct norm_place *place,
                 struct config_scope *out, struct error *err) {
  *out = (struct config_scope){config, config};
  if (config == NULL) return 0;
  if (config->type != JSON_OBJECT)
    return error_at(err, config->place,
                    "a configuration is an object, %s found",
                    json_type_name(config->type));
  const struct family_side *side = family_side(place->stem);
  if (side != NULL) return side_scope(config, place, side, out, err);
  for (int depth = 0; depth < DEEPEST; depth++) {
    const struct json *inner;
    if (find_inner(out->inner, place->stem, &inner, err) != 0) return -1;
    if (inner == NULL) break;
    out->inner = inner;
  }
  return 0;
}

int config_type(const struct config_scope *scope, const char **text,
                const struct family_type **out, struct error *err) {
  const struct json *objects[] = {scope->inner, scope->outer}, *found;
  *text = NULL;
  *out = NULL;
  for (int i = 0; i < 2 && *out == NULL; i++) {
    if (member(objects[i], "model_type", JSON_STRING, &found, err) != 0)
      return -1;
    if (found == NULL) continue;
    *out = family_type(found->text);
    *text = found->text;
  }
  return 0;
}

int config_count(const struct config_scope *scope, const char *const *keys,
                 size_t *out, struct error *err) {
  const struct json *objects[] = {scope->inner, scope->outer}, *found;
  *out = 0;
  for (int i = 0; i < 2; i++)
    for (const char *const *key = keys; *key != NULL; key++) {
      if (member(objects[i], *key, JSON_NUMBER, &found, err) != 0) return -1;
      if (found == NULL) continue;
      if (!found->is_integer || found->integer < 1)
        return error_at(err, found->place,
                        "\"%s\" is %s, an integer of at least 1 is needed",
                        *key, found->text);
      *out = (size_t)found->integer;
      return 0;
    }
  return 0;
}

int config_flag(const struct config_scope *scope, const char *key, bool *found,
                bool *value, struct error *err) {
  const struct json *objects[] = {scope->inner, scope->outer}, *flag = NULL;
  for (int i = 0; i < 2 && flag == NULL; i++)
    if (member(objects[i], key, JSON_BOOL, &flag, err) != 0) return -1;
  *found = flag != NULL;
  *value = flag != NULL && flag->boolean;
  return 0;
}

/* ---- members that tell the kind, where model_type does not ---- */

static const struct {
  const char *key;
  enum final_norm_kind kind;
} epsilons[] = {{"rms_norm_eps", FINAL_NORM_RMS},
                {"rms_norm_epsilon", FINAL_NORM_RMS},
                {"layer_norm_eps", FINAL_NORM_LAYER},
                {"layer_norm_epsilon", FINAL_NORM_LAYER},
                {"layernorm_epsilon", FINAL_NORM_LAYER}};

static const char *const flags[] = {"rmsnorm", "rms_norm", "use_rmsnorm",
                                    "use_rms_norm"};

static const char *const choices[] = {"norm_type", "layer_norm_type",
                                      "normalization", "normalization_type",
                                      "norm_class_name"};

static enum final_norm_kind kind_in_text(const char *text) {
  struct span span = span_of(text);
  if (span_has(span, "rms")) return FINAL_NORM_RMS;
  if (span_has(span, "layernorm") || span_has(span, "layer_norm") ||
      strcmp(text, "LN") == 0)
    return FINAL_NORM_LAYER;
  return FINAL_NORM_UNDECIDED;
}

int config_check_norms(const struct config_scope *scope, struct error *err) {
  const struct json *objects[] = {scope->inner, scope->outer};
  for (int i = 0; i < 2; i++) {
    if (objects[i] == NULL) continue;
    const struct json *found = json_member(objects[i], "normalization_type");
    if (found == NULL || found->type != JSON_STRING ||
        strcmp(found->text, "no_norm") != 0)
      continue;
    return error_at(err, found->place,
                    "\"%s\" is \"no_norm\": what is named a norm multiplies "
                    "and adds, and subtracts no mean",
                    found->key);
  }
  return 0;
}

static int read_epsilons(const struct json *object, struct config_kinds *out,
                         struct error *err) {
  for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
    const struct json *found;
    enum final_norm_kind kind = epsilons[i].kind;
    if (member(object, epsilons[i].key, JSON_NUMBER, &found, err) != 0)
      return -1;
    if (found != NULL && out->key[kind] == NULL)
      out->key[kind] = found->key, out->value[kind] = found->text;
  }
  return 0;
}

/* A choice by name or flag outweighs the name of an epsilon: ChatGLM has
 * `layernorm_epsilon` beside `rmsnorm: true`. */
static void read_choices(const struct json *object, struct config_kinds *out) {
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    const struct json *found = json_member(object, flags[i]);
    if (found == NULL || found->type != JSON_BOOL) continue;
    enum final_norm_kind kind =
        found->boolean ? FINAL_NORM_RMS : FINAL_NORM_LAYER;
    out->key[kind] = found->key, out->value[kind] = json_scalar_text(found);
  }
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
    const struct json *found = json_member(object, choices[i]);
    if (found == NULL || found->type != JSON_STRING) continue;
    enum final_norm_kind kind = kind_in_text(found->text);
    if (kind != FINAL_NORM_UNDECIDED)
      out->key[kind] = found->key, out->value[kind] = found->text;
  }
}

int config_kinds(const struct config_scope *scope, struct config_kinds *out,
                 struct error *err) {
  const struct json *objects[] = {scope->inner, scope->outer};
  const char **key = out->key;
  *out = (struct config_kinds){0};
  for (int i = 0; i < 2; i++) {
    if (objects[i] == NULL) continue;
    read_choices(objects[i], out);
    out->by_epsilon =
        key[FINAL_NORM_LAYER] == NULL && key[FINAL_NORM_RMS] == NULL;
    if (out->by_epsilon && read_epsilons(objects[i], out, err) != 0) return -1;
    if (key[FINAL_NORM_LAYER] != NULL || key[FINAL_NORM_RMS] != NULL) break;
  }
  return 0;
}
