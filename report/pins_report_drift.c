/* The account of a drift: what moved, what has changed, what is held back. */
#include <stdio.h>
#include <string.h>

#include "report/pins_report_parts.h"

enum { DETAILED = 20, HASH_SHOWN = 12, TEXT_SHOWN = 200 };

/* ---- one drift ----------------------------------------------------------- */

void report_value(const struct json *value, const char *unit,
                  struct buffer *out) {
  if (value == NULL)
    buffer_text(out, "nothing");
  else if (value->type == JSON_STRING)
    json_print_string(value->text, out);
  else
    buffer_text(out, json_scalar_text(value));
  if (unit != NULL) buffer_printf(out, " %s", unit);
}

static void print_line(struct buffer *out, const char *name) {
  buffer_printf(out, "  %-9s", name);
}

static void print_verdict(const struct finding *f, struct buffer *out) {
  char observed[JSON_DOUBLE_TEXT], ratio[JSON_DOUBLE_TEXT];
  report_ratio(f->comparison.observed, observed);
  report_ratio(f->comparison.ratio, ratio);
  print_line(out, "observed");
  if (f->allowance->kind == PIN_DIGITS) {
    struct buffer a = {0}, b = {0};
    compare_print(f->pinned, f->allowance->format, &a);
    compare_print(f->found, f->allowance->format, &b);
    buffer_printf(out, "prints \"%s\", not \"%s\"\n", b.bytes, a.bytes);
    buffer_free(&a);
    buffer_free(&b);
  } else if (f->allowance->kind == PIN_REL && f->pinned->number == 0) {
    buffer_text(out, "relative to 0 only 0 holds\n");
  } else if (f->pinned->type != JSON_NUMBER) {
    buffer_text(out, "another value\n");
  } else if (f->allowance->kind == PIN_EXACT) {
    buffer_printf(out, "differs by %s, nothing is allowed\n", observed);
  } else {
    buffer_printf(out, "%s, %s times what is allowed\n", observed, ratio);
  }
}

static const char *explanation(enum finding_status status) {
  static const char *const texts[FINDING_STATUSES] = {
      "no result (measure it, or pinpress accept --remove)",
      "the kept result is of another file, measure it again",
      "no pin (pinpress init makes a draft)",
      "the result is null",
      "the result is of another type",
      "outside its bound",
      "holds"};
  return texts[status];
}

static void print_found(const struct finding *f, struct buffer *out) {
  const char *unit = f->pin != NULL && f->found != NULL ? f->pin->unit : NULL;
  print_line(out, "found");
  report_value(f->found, unit, out);
  if (f->found != NULL)
    buffer_printf(out, "   at %s:%d\n", f->found->place.file,
                  f->found->place.line);
  else
    buffer_printf(out, "   in %s\n", f->from->path);
}

static void print_drift(const struct finding *f, struct buffer *out) {
  buffer_printf(out, "%s: %s\n", f->key, explanation(f->status));
  if (f->pin != NULL) {
    print_line(out, "pinned");
    report_value(f->pinned, f->pin->unit, out);
    buffer_printf(out, "   at %s:%d\n", f->pin->place.file, f->pin->place.line);
  }
  print_found(f, out);
  if (f->pin == NULL) return;
  print_line(out, "bound");
  check_allowance_text(f->allowance, out);
  buffer_printf(out, ": %s\n",
                f->override != NULL ? f->override->reason : f->pin->reason);
  if (f->status == FINDING_MOVED) print_verdict(f, out);
}

bool report_with_file(const struct finding *f) {
  return f->status == FINDING_STALE ||
         (f->status == FINDING_NO_RESULT && f->from == NULL) ||
         (f->status == FINDING_NO_PIN && f->pins == NULL);
}

static void print_absent_files(const struct check *check, struct buffer *out) {
  for (size_t i = 0; i < check->pins.count; i++) {
    const struct pin_file *file = &check->pins.files[i];
    size_t absent = 0, stale = 0;
    for (size_t k = 0; k < check->drifted; k++) {
      const struct finding *f = &check->findings[k];
      absent += f->pins == file && f->pin != NULL && f->from == NULL;
      stale += f->pins == file && f->status == FINDING_STALE;
    }
    if (absent > 0)
      buffer_printf(out,
                    "%s: no results file %s.json (pins without result: "
                    "%zu)\n",
                    file->path, file->name, absent);
    if (stale > 0)
      buffer_printf(out,
                    "%s: the kept results are of another %s, measure them "
                    "again (pins: %zu)\n",
                    file->path, file->tied_to, stale);
  }
  for (size_t i = 0; i < check->results.count; i++) {
    const struct results_file *from = &check->results.files[i];
    if (from->count > 0 && pins_file_named(&check->pins, from->name) == NULL)
      buffer_printf(out,
                    "%s: no pin file %s.json, pinpress init makes drafts "
                    "(results without pin: %zu)\n",
                    from->path, from->name, from->count);
  }
}

void report_drifts(const struct check *check,
                   const struct report_options *options, struct buffer *out) {
  size_t told = 0, left = 0;
  for (size_t i = 0; i < check->drifted; i++) {
    const struct finding *f = &check->findings[i];
    if (report_with_file(f)) continue;
    if (told < DETAILED || options->verbose) {
      print_drift(f, out);
      told++;
    } else {
      left++;
    }
  }
  if (left > 0)
    buffer_printf(out, "... and %zu more (--verbose tells all)\n", left);
  print_absent_files(check, out);
}

/* ---- what has changed ---------------------------------------------------- */

/* A program's text stays on its line and sends no control sequences. */
static void print_free(const char *text, size_t limit, struct buffer *out) {
  for (size_t i = 0; text[i] != 0 && i < limit; i++)
    buffer_char(
        out, (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? ' ' : text[i]);
}

static void print_changed(const struct check_change *c, struct buffer *out) {
  size_t limit = strcmp(c->part, "input") == 0 ? HASH_SHOWN : TEXT_SHOWN;
  buffer_printf(out, "  %s ", c->part);
  print_free(c->name, TEXT_SHOWN, out);
  buffer_text(out, c->before == NULL ? ": new, " : ": ");
  if (c->before != NULL) print_free(c->before, limit, out);
  if (c->before != NULL)
    buffer_text(out, c->after == NULL ? ", now gone" : " -> ");
  if (c->after != NULL) print_free(c->after, limit, out);
  buffer_char(out, '\n');
}

/* Where the first drifted pin of that record was checked, or NULL. */
static const struct results_file *checked_with(const struct check *check,
                                               const struct json *record) {
  for (size_t i = 0; i < check->drifted; i++)
    if (check->findings[i].pin != NULL &&
        check->findings[i].pin->taken == record &&
        check->findings[i].from != NULL)
      return check->findings[i].from;
  return NULL;
}

void report_changes(const struct check *check, struct buffer *out) {
  for (size_t i = 0; i < check->pins.count; i++) {
    const struct pin_file *file = &check->pins.files[i];
    const struct json *records = json_member(file->document.root, "taken");
    const struct json *r = records != NULL ? records->child : NULL;
    for (; r != NULL; r = r->next) {
      const struct results_file *from = checked_with(check, r);
      if (from == NULL) continue;
      struct check_changes changes;
      check_changes_find(r, from, &changes);
      buffer_printf(out, "%s, since its pins were taken", from->path);
      if (records->count > 1) buffer_printf(out, " (record %s)", r->key);
      buffer_text(out, ":\n");
      for (size_t c = 0; c < changes.count; c++)
        print_changed(&changes.items[c], out);
      if (changes.count == 0)
        buffer_text(out,
                    "  same inputs and same environment: the program or the "
                    "pin has changed, or the program does not repeat "
                    "itself\n");
      check_changes_free(&changes);
    }
  }
}

/* ---- pages --------------------------------------------------------------- */

void report_pages(const struct pages *pages, struct buffer *out) {
  buffer_text(out,
              "held back: nothing is printed while a pin fails or is a draft");
  if (pages->using > 0) {
    buffer_text(out, "; what drifted is used in\n");
    for (size_t i = 0; i < pages->count; i++) {
      const struct page *p = &pages->items[i];
      if (p->key != NULL)
        buffer_printf(out, "  %s:%d:%d: %s\n", p->path, p->place.line,
                      p->place.column, p->key);
    }
  } else {
    buffer_char(out, '\n');
  }
  if (pages->count == pages->using) return;
  buffer_text(out, pages->using > 0 ? "and with them\n" : "");
  for (size_t i = 0; i < pages->count; i++)
    if (pages->items[i].key == NULL)
      buffer_printf(out, "  %s\n", pages->items[i].path);
}
