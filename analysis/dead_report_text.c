#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/dead_report.h"
#include "report/base/utf8.h"

enum { LINE = 76, LABEL = 17, AXES_SHOWN = 8 };

enum dead_claim dead_claim_of(const struct dead_model *model) {
  if (model->direction.u == NULL || model->norm.kind == FINAL_NORM_RMS)
    return DEAD_NO;
  return model->norm.kind == FINAL_NORM_LAYER ? DEAD_YES : DEAD_OPEN;
}

/* ---- lines ---- */

/* Words of a text without newlines, broken before the end of the line and
 * continued at column `indent`. */
static void add_wrapped(struct buffer *out, const char *text, size_t indent) {
  struct buffer word = {0};
  size_t column = indent;
  while (*text != 0) {
    size_t length = strcspn(text, " ");
    buffer_clear(&word);
    buffer_add(&word, text, length);
    size_t width = utf8_count(word.bytes);
    if (column > indent && column + 1 + width > LINE) {
      buffer_printf(out, "\n%*s", (int)indent, "");
      column = indent;
    } else if (column > indent) {
      buffer_char(out, ' ');
      column++;
    }
    buffer_text(out, word.bytes);
    column += width;
    text += length + (text[length] == ' ');
  }
  buffer_char(out, '\n');
  buffer_free(&word);
}

__attribute__((format(printf, 2, 0))) static void
format_shown(struct buffer *out, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  struct buffer raw = {0};
  for (int i = 0; i <= length; i++)
    buffer_char(&raw, ' ');
  vsnprintf(raw.bytes, (size_t)length + 1, format, args);
  utf8_append_shown(out, raw.bytes);
  buffer_free(&raw);
}

/* A label with what it says; a label of "" goes on under the one before. */
__attribute__((format(printf, 3, 4))) static void
add_field(struct buffer *out, const char *label, const char *format, ...) {
  struct buffer text = {0};
  va_list args;
  va_start(args, format);
  format_shown(&text, format, args);
  va_end(args);
  size_t width = utf8_count(label);
  buffer_printf(out, "%s%*s", label, width < LABEL ? (int)(LABEL - width) : 1,
                "");
  add_wrapped(out, text.bytes, LABEL);
  buffer_free(&text);
}

__attribute__((format(printf, 2, 3))) static void
add_paragraph(struct buffer *out, const char *format, ...) {
  struct buffer text = {0};
  va_list args;
  va_start(args, format);
  format_shown(&text, format, args);
  va_end(args);
  buffer_char(out, '\n');
  add_wrapped(out, text.bytes, 0);
  buffer_free(&text);
}

static const char *plural(size_t count) {
  return count == 1 ? "" : "s";
}

/* ---- the norm ---- */

static void add_norm(const struct dead_model *model, struct buffer *out) {
  const struct final_norm *norm = &model->norm;
  size_t width = model->direction.width;
  add_field(out, "Final norm", "%s, %s, %zu feature%s", norm->gain,
            model->dtype, width, plural(width));
  if (strcmp(model->file, model->path) != 0)
    add_field(out, "  file", "%s", model->file);
  add_field(out, "  chosen", "%s", norm->reason);
  for (size_t i = 0; i < norm->candidate_count; i++)
    add_field(out, i == 0 ? "  not chosen" : "", "%s", norm->candidates[i]);
  if (norm->one_plus || norm->one_plus_open)
    add_field(out, "  gain", "%s; %s",
              norm->one_plus ? "1 + weight"
                             : "the weight, unless --one-plus says 1 + weight",
              norm->one_plus_reason);
  add_field(out, "  bias", "%s", norm->bias != NULL ? norm->bias : "none");
  add_field(out, "Kind", "%s", final_norm_kind_name(norm->kind));
  for (size_t i = 0; i < norm->evidence_count; i++) {
    const struct final_norm_evidence *e = &norm->evidence[i];
    struct buffer label = {0};
    buffer_printf(&label, "  %s", e->source);
    add_field(out, label.bytes, "%s: %s", final_norm_kind_name(e->says),
              e->text);
    buffer_free(&label);
  }
}

/* ---- its gains and the direction ---- */

static void add_gains(const struct dead_direction *d, struct buffer *out) {
  if (d->zero_count == d->width) {
    add_field(out, "Gains", "all are 0");
    return;
  }
  if (isinf(d->conditioning))
    add_field(out, "Gains", "|gain| from %.6g to %.6g, conditioning over 1e308",
              d->smallest, d->largest);
  else
    add_field(out, "Gains", "|gain| from %.6g to %.6g, conditioning %.5g",
              d->smallest, d->largest, d->conditioning);
  if (d->zero_count + d->negative_count + d->subnormal_count == 0)
    add_field(out, "", "none is zero, negative or subnormal");
  else
    add_field(out, "", "%zu zero, %zu negative, %zu subnormal", d->zero_count,
              d->negative_count, d->subnormal_count);
}

static void add_direction(const struct dead_model *model, struct buffer *out) {
  const struct dead_direction *d = &model->direction;
  bool open = dead_claim_of(model) == DEAD_OPEN;
  add_field(out, "Direction", "u = 1/gain, scaled to length 1%s",
            open ? "; dead if this is a LayerNorm" : "");
  for (size_t i = 0; i < d->top_count; i++)
    add_field(out, i == 0 ? "  largest" : "", "axis %-6zu %+.8g", d->top[i],
              d->u[d->top[i]]);
  add_field(out, "  cosine", "%.8g with the uniform vector", d->cosine_uniform);
  if (model->norm.bias != NULL)
    add_field(out, "  constant", "u . bias = %.8g", d->constant);
  else
    add_field(out, "  constant", "0, as there is no bias");
}

static void add_zero_rule(const struct dead_direction *d, struct buffer *out) {
  struct buffer axes = {0};
  for (size_t i = 0; i < d->zero_count && i < AXES_SHOWN; i++)
    buffer_printf(&axes, "%s%zu", i > 0 ? ", " : "", d->zeros[i]);
  if (d->zero_count > AXES_SHOWN)
    buffer_printf(&axes, " and %zu more", d->zero_count - AXES_SHOWN);
  add_field(out, "Direction", "none; dead are the axes whose gain is 0");
  add_field(out, d->zero_count == 1 ? "  axis" : "  axes", "%s", axes.bytes);
  add_paragraph(out, "A gain of exactly 0 makes the output y constant on its "
                     "axis, for a norm of either kind. These axes span the "
                     "whole dead space, and there is no u.");
  buffer_free(&axes);
}

static void add_meaning(const struct dead_model *model, struct buffer *out) {
  if (model->norm.kind == FINAL_NORM_LAYER) {
    add_paragraph(out,
                  "u . y = %.8g for every input: a LayerNorm's features sum to "
                  "0 before the gain, so its output y never varies along u.",
                  model->direction.constant);
    return;
  }
  add_paragraph(out,
                "%s whether this is a LayerNorm or an RMSNorm. If it is a "
                "LayerNorm, u . y = %.8g for every input; an RMSNorm has no "
                "dead direction. To find out, run the model and look whether "
                "u . y varies from input to input. Where you know, say "
                "--norm layernorm or --norm rmsnorm.",
                model->norm.evidence_count > 0 ? "The evidence leaves open"
                                               : "Nothing in the file tells",
                model->direction.constant);
}

/* ---- rules that apply to u ---- */

static void add_rules(const struct dead_model *model, struct buffer *out) {
  const struct dead_direction *d = &model->direction;
  if (model->norm.one_plus_open)
    add_paragraph(out, "This u is that of the weight as gain. Should the norm "
                       "multiply by 1 + weight, another is dead: say "
                       "--one-plus.");
  if (d->negative_count > 0)
    add_paragraph(out,
                  "Negative gains keep their sign: %zu component%s of u %s "
                  "negative.",
                  d->negative_count, plural(d->negative_count),
                  d->negative_count == 1 ? "is" : "are");
  if (d->subnormal_count > 0)
    add_paragraph(out,
                  "%zu gain%s %s subnormal in %s, where 1/gain may overflow: u "
                  "is computed from ratios to the gain nearest 0. A machine "
                  "that flushes subnormal numbers to 0 has dead axes instead.",
                  d->subnormal_count, plural(d->subnormal_count),
                  d->subnormal_count == 1 ? "is" : "are", model->dtype);
  if (d->meaningless)
    add_paragraph(out,
                  "The conditioning reaches 1/roundoff of %s, %.3g: u is "
                  "numerically meaningless at that precision, where the axes "
                  "of the smallest gains look as dead as u.",
                  model->dtype, 1 / model->roundoff);
}

void dead_report_text(const struct dead_model *model, struct buffer *out) {
  const struct dead_direction *d = &model->direction;
  utf8_append_shown(out, model->path);
  buffer_text(out, "\n\n");
  add_norm(model, out);
  add_gains(d, out);
  if (d->zero_count > 0) {
    add_zero_rule(d, out);
  } else if (model->norm.kind == FINAL_NORM_RMS) {
    add_field(out, "Direction", "none");
    add_paragraph(out, "An RMSNorm subtracts no mean: it has no dead "
                       "direction. No gain is 0, so no axis is dead either.");
  } else {
    add_direction(model, out);
    add_meaning(model, out);
    add_rules(model, out);
  }
}
