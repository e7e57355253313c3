/* The check as text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/base/hash.h"
#include "report/pins_report_parts.h"

enum {
  WORST_ROWS = 10,    /* rows that hold */
  LOOSE_FACTOR = 100, /* observed/allowed below 1/100 is loose */
  KEY_WIDTH = 72
};

bool report_succeeds(const struct check *check,
                     const struct report_options *options) {
  return check->drifted == 0 && (check->drafts == 0 || options->allow_drafts);
}

void report_ratio(double ratio, char out[JSON_DOUBLE_TEXT]) {
  if (isinf(ratio))
    strcpy(out, "inf");
  else
    snprintf(out, JSON_DOUBLE_TEXT, "%.2g", ratio);
}

static bool is_measured(const struct finding *f) {
  return f->status == FINDING_HOLDS || f->status == FINDING_MOVED;
}

/* ---- table --------------------------------------------------------------- */

static void print_row(const struct finding *f, int width, struct buffer *out) {
  char ratio[JSON_DOUBLE_TEXT];
  report_ratio(f->comparison.ratio, ratio);
  buffer_printf(out, "%16s  %-*s  ", ratio, width, f->key);
  if (!is_measured(f)) {
    buffer_printf(out, "%10s", check_status_name(f->status));
  } else {
    char observed[JSON_DOUBLE_TEXT];
    report_ratio(f->comparison.observed, observed);
    buffer_printf(out, "%10s", observed);
  }
  buffer_text(out, "  ");
  if (f->allowance != NULL)
    check_allowance_text(f->allowance, out);
  else
    buffer_char(out, '-');
  if (f->override != NULL) buffer_text(out, " (platform)");
  if (f->pin != NULL && f->pin->draft) buffer_text(out, " (draft)");
  buffer_char(out, '\n');
}

/* Every drift, unless its file is told as one; of what holds the worst, a ratio
 * of 0 being no news. */
static bool has_row(const struct check *check, size_t i,
                    const struct report_options *options) {
  const struct finding *f = &check->findings[i];
  if (options->verbose) return true;
  if (i < check->drifted) return !report_with_file(f);
  if (options->quiet || i >= check->drifted + WORST_ROWS) return false;
  return f->comparison.ratio > 0;
}

static void print_table(const struct check *check,
                        const struct report_options *options,
                        struct buffer *out) {
  int width = 0;
  for (size_t i = 0; i < check->count; i++) {
    int length = (int)strlen(check->findings[i].key);
    if (length > width && has_row(check, i, options))
      width = length < KEY_WIDTH ? length : KEY_WIDTH;
  }
  if (width == 0) return;
  buffer_printf(out, "observed/allowed  %-*s    observed  allowed\n", width,
                "key");
  for (size_t i = 0; i < check->count; i++)
    if (has_row(check, i, options)) print_row(&check->findings[i], width, out);
  buffer_char(out, '\n');
}

/* ---- loose bounds -------------------------------------------------------- */

static bool is_loose(const struct finding *f) {
  return f->status == FINDING_HOLDS && f->override == NULL &&
         f->pinned->type == JSON_NUMBER && f->allowance->kind != PIN_EXACT &&
         f->allowance->kind != PIN_DIGITS &&
         f->comparison.ratio * LOOSE_FACTOR < 1;
}

/* A bound ten times what was observed, to one digit and not below. */
static double proposal(double observed) {
  double power = pow(10, floor(log10(10 * observed)));
  return ceil(10 * observed / power) * power;
}

static void print_loose_pin(const struct finding *f, struct buffer *out) {
  double observed = f->comparison.observed;
  buffer_printf(out, "  %s: ", f->key);
  check_allowance_text(f->allowance, out);
  if (f->allowance->kind == PIN_RANGE)
    buffer_printf(out, ", %.1g from its middle\n", observed);
  else
    buffer_printf(out, ", observed %.1g: %.1g would leave a factor of 10\n",
                  observed, proposal(observed));
}

/* Where nothing was observed, this machine has nothing to say. */
static void print_loose(const struct check *check, struct buffer *out) {
  size_t loose = 0, silent = 0;
  for (size_t i = check->count; i-- > check->drifted;) {
    const struct finding *f = &check->findings[i];
    if (!is_loose(f)) continue;
    if (f->comparison.observed == 0) {
      silent++;
      continue;
    }
    if (loose++ == 0)
      buffer_printf(out,
                    "bounds more than %d times what was observed, loosest "
                    "first:\n",
                    LOOSE_FACTOR);
    print_loose_pin(f, out);
  }
  if (loose == 0)
    buffer_printf(out, "no bound is more than %d times what was observed\n",
                  LOOSE_FACTOR);
  if (silent > 0)
    buffer_printf(out,
                  "pins whose value was found as it is: %zu (--results of "
                  "another compiler or machine tell more)\n",
                  silent);
}

/* ---- summary ------------------------------------------------------------- */

static void print_studies(const struct check *check, struct buffer *out) {
  size_t line = out->length;
  for (size_t i = 0; i < check->pins.count; i++) {
    const struct pin_file *file = &check->pins.files[i];
    struct buffer item = {0};
    buffer_printf(&item, "%s%s %zu", i > 0 ? ", " : "", file->name,
                  file->count);
    if (out->length - line + item.length > 78) {
      buffer_text(out, ",\n");
      line = out->length;
      buffer_text(out, item.bytes + 2);
    } else {
      buffer_text(out, item.bytes);
    }
    buffer_free(&item);
  }
  buffer_char(out, '\n');
}

static void print_skipped(const struct check *check, struct buffer *out) {
  for (size_t i = 0; i < check->skipped_count; i++)
    buffer_printf(out, "skipped: %s, %zu pins: %s\n", check->skipped[i]->path,
                  check->skipped[i]->count, check->skipped[i]->optional);
}

static bool same_reason(const struct pin_file *a, const struct pin_file *b) {
  return strcmp(a->optional, b->optional) == 0;
}

/* The optional studies that only kept results speak for: a line per reason. */
static void print_reused(const struct check *check, struct buffer *out) {
  for (size_t i = 0; i < check->reused_count; i++) {
    const struct pin_file *file = check->reused[i];
    size_t studies = 0, pins = 0;
    bool told = false;
    for (size_t j = 0; j < check->reused_count; j++)
      if (same_reason(check->reused[j], file)) {
        told |= j < i;
        studies++;
        pins += check->reused[j]->count;
      }
    if (told) continue;
    buffer_printf(out, "kept, not measured here: %zu stud%s, %zu pins: %s\n",
                  studies, studies == 1 ? "y" : "ies", pins, file->optional);
  }
}

static void print_drafts(const struct check *check,
                         const struct report_options *options,
                         struct buffer *out) {
  if (check->drafts == 0) return;
  size_t told = 0;
  buffer_printf(out, "drafts, whose bounds nobody has argued yet:\n");
  for (size_t i = 0; i < check->pins.count; i++)
    for (const struct pin *p = check->pins.files[i].pins; p != NULL;
         p = p->next)
      if (p->draft && (told++ < WORST_ROWS || options->verbose))
        buffer_printf(out, "  %s:%d: %s\n", p->place.file, p->place.line,
                      p->key);
  if (told > WORST_ROWS && !options->verbose)
    buffer_printf(out, "  ... and %zu more\n", told - WORST_ROWS);
  buffer_text(out, "  (pinpress accept KEY --kind KIND --bound BOUND --reason "
                   "TEXT argues one)\n");
}

static size_t skipped_pins(const struct check *check) {
  size_t n = 0;
  for (size_t i = 0; i < check->skipped_count; i++)
    n += check->skipped[i]->count;
  return n;
}

static void print_machine_line(const struct check *check,
                               const struct report_options *options,
                               struct buffer *out) {
  size_t checked = check->count - check->drifted;
  if (check->drifted > 0)
    buffer_printf(
        out,
        "pinpress: drift keys=%zu moved=%zu no_result=%zu "
        "no_pin=%zu holds=%zu",
        check->drifted,
        check->by_status[FINDING_MOVED] + check->by_status[FINDING_TYPE] +
            check->by_status[FINDING_NULL],
        check->by_status[FINDING_NO_RESULT] + check->by_status[FINDING_STALE],
        check->by_status[FINDING_NO_PIN], checked);
  else if (!report_succeeds(check, options))
    buffer_printf(out, "pinpress: draft keys=%zu holds=%zu", check->drafts,
                  checked);
  else
    buffer_printf(out, "pinpress: ok keys=%zu", checked);
  char worst[JSON_DOUBLE_TEXT];
  report_ratio(check->count > 0 ? check->findings[0].comparison.ratio : 0,
               worst);
  buffer_printf(out, " drafts=%zu skipped=%zu worst=%s\n", check->drafts,
                skipped_pins(check), worst);
}

void report_text(const struct check *check, const struct pages *pages,
                 const struct report_options *options, struct buffer *out) {
  print_table(check, options, out);
  if (check->drifted > 0) {
    report_drifts(check, options, out);
    report_changes(check, out);
  }
  if (!options->quiet || !options->allow_drafts)
    print_drafts(check, options, out);
  print_skipped(check, out);
  print_reused(check, out);
  if (!report_succeeds(check, options)) report_pages(pages, out);
  if (options->tighten) print_loose(check, out);
  if (report_succeeds(check, options) && !options->quiet)
    print_studies(check, out);
  print_machine_line(check, options, out);
}

/* ---- stamp --------------------------------------------------------------- */

static void print_found(const struct results_set *results, const char *key,
                        struct buffer *out) {
  for (size_t i = 0; i < results->count; i++) {
    const struct result *found = pins_results_find(&results->files[i], key);
    if (found == NULL) continue;
    buffer_char(out, ' ');
    report_value(found->value, NULL, out);
  }
}

void report_stamp(const struct check *check,
                  const struct report_options *options, struct buffer *out) {
  struct buffer text = {0};
  char hash[HASH_TEXT];
  for (size_t i = 0; i < check->pins.pins; i++) {
    const struct pin *pin = check->pins.by_key[i];
    buffer_printf(&text, "%s ", pin->key);
    report_value(pin->value, NULL, &text);
    buffer_char(&text, ' ');
    check_allowance_text(&pin->allowance, &text);
    print_found(&check->results, pin->key, &text);
    print_found(&check->kept, pin->key, &text);
    buffer_char(&text, '\n');
  }
  hash_bytes(text.bytes, text.length, hash);
  buffer_free(&text);
  print_machine_line(check, options, out);
  buffer_printf(out, "sha256 of pins and values: %s\n", hash);
}
