#include "analysis/final_norm.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/final_norm_parts.h"

const char *final_norm_kind_name(enum final_norm_kind kind) {
  if (kind == FINAL_NORM_LAYER) return "LayerNorm";
  return kind == FINAL_NORM_RMS ? "RMSNorm" : "undecided";
}

void final_norm_free(struct final_norm *norm) {
  arena_free(&norm->arena);
  *norm = (struct final_norm){0};
}

const char *final_norm_text(struct final_norm *norm, const char *format, ...) {
  char text[800];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (char *c = text; *c != 0; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
  return arena_copy(&norm->arena, text, strlen(text));
}

/* ---- what is told of the choice ---- */

static const char *explain(const struct final *final, const char *rule,
                           struct final_norm *out) {
  const struct layer_stack *stack = final->place.stack;
  struct span stem = final->place.stem, last = span_last(stem);
  const char *and = rule != NULL ? "; " : "";
  if (stack == NULL)
    return final_norm_text(out, "the only norm, named as %s name theirs",
                           final->who);
  if (final->post)
    return final_norm_text(
        out, "%.*s ends the last layer, %.*s: post-norm (%s)%s%s",
        (int)(stem.length - stack->last_layer.length - 1),
        stem.text + stack->last_layer.length + 1, (int)stack->last_layer.length,
        stack->last_layer.text, final->who, and, rule != NULL ? rule : "");
  return final_norm_text(out, "%.*s follows the last layer, %.*s, as in %s%s%s",
                         (int)last.length, last.text,
                         (int)stack->last_layer.length, stack->last_layer.text,
                         final->who, and, rule != NULL ? rule : "");
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* In the order of their bytes, each once, without the norm chosen. */
static void publish_candidates(struct choice *choice, struct final_norm *out) {
  size_t kept = 0;
  const char **of = choice->candidates;
  qsort(of, choice->candidate_count, sizeof *of, compare_texts);
  for (size_t i = 0; i < choice->candidate_count; i++)
    if ((kept == 0 || strcmp(of[kept - 1], of[i]) != 0) &&
        (out->gain == NULL || strcmp(out->gain, of[i]) != 0))
      of[kept++] = of[i];
  out->candidates = of;
  out->candidate_count = kept;
}

/* ---- finding ---- */

static const char *find_name(const struct final_norm_source *source,
                             const char *name) {
  return name_lookup(source, span_of(name), "");
}

/* The user's tensors stand in for what the names would say. */
static int take_asked(const struct choice *choice,
                      const struct final_norm_request *request,
                      struct norm_place *place, struct final_norm *out,
                      struct error *err) {
  out->gain = find_name(choice->source, request->gain);
  if (out->gain == NULL)
    return error_set(err, "%s: no tensor is named \"%s\"", choice->path,
                     request->gain);
  out->reason = "asked for";
  *place = (struct norm_place){name_stem(out->gain), NULL, NULL, choice->alone};
  if (place->stem.length == 0) place->stem = span_of(out->gain);
  for (size_t i = 0; i < choice->final_count; i++)
    if (strcmp(choice->finals[i].gain, out->gain) == 0)
      *place = choice->finals[i].place;
  return 0;
}

static int take_bias(const struct choice *choice,
                     const struct final_norm_request *request,
                     const struct norm_place *place, struct final_norm *out,
                     struct error *err) {
  if (request->bias == NULL) {
    out->bias = name_bias(choice->source, place->stem);
    return 0;
  }
  out->bias = find_name(choice->source, request->bias);
  if (out->bias != NULL) return 0;
  return error_set(err, "%s: no tensor is named \"%s\"", choice->path,
                   request->bias);
}

/* Why none is chosen. */
static const char *explain_doubt(const struct choice *choice,
                                 struct final_norm *out) {
  if (choice->final_count > 1)
    return "several norms follow layers, and no rule says which is meant";
  if (choice->final_count == 0) return "no norm is known to follow all layers";
  const struct layer_stack *stack = choice->finals[0].place.stack;
  return final_norm_text(
      out, "layers are missing: %zu of %zu are there, the last is %.*s",
      stack->layers, choice->finals[0].complete, (int)stack->last_layer.length,
      stack->last_layer.text);
}

static int take_found(struct choice *choice, struct norm_place *place,
                      struct final_norm *out, struct error *err) {
  choice_decide(choice, out);
  const struct final *found = choice->finals;
  if (choice->final_count == 1 && found->complete == 0) {
    *place = found->place;
    out->gain = found->gain;
    out->of_layer = found->post;
    out->reason = explain(found, choice->rule, out);
    return 0;
  }
  if (choice->final_count == 0) choice_add_last_layers(choice);
  if (choice->candidate_count == 0)
    return error_set(err,
                     "%s: no tensor is named like a norm after the last layer; "
                     "--gain NAME says which is meant",
                     choice->path);
  out->reason = explain_doubt(choice, out);
  return 0;
}

static int find(struct choice *choice, const struct final_norm_request *request,
                struct final_norm *out, struct error *err) {
  struct norm_place place = {0};
  if (choice_collect(choice, out, err) != 0) return -1;
  int status = request->gain != NULL
                   ? take_asked(choice, request, &place, out, err)
                   : take_found(choice, &place, out, err);
  if (status != 0) return -1;
  publish_candidates(choice, out);
  if (out->gain == NULL) return 0;
  if (take_bias(choice, request, &place, out, err) != 0) return -1;
  return evidence_collect(choice->source, request, &place, out, err);
}

int final_norm_find(const char *path, const struct final_norm_source *source,
                    const struct final_norm_request *request,
                    struct final_norm *out, struct error *err) {
  struct choice choice = {.source = source, .path = path};
  *out = (struct final_norm){0};
  if (find(&choice, request, out, err) == 0) return 0;
  final_norm_free(out);
  return -1;
}
