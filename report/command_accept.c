/* pinpress accept: move pins to what was measured, on the record. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/base/memory.h"
#include "report/base/options.h"
#include "report/commands.h"
#include "report/pins_check.h"
#include "report/pins_report_parts.h"
#include "report/pins_rules.h"
#include "report/pins_sheet.h"

struct accept_options {
  struct check_paths paths;
  const char *reason, *kind, *bound, *unit, *date;
  bool remove, all, review, dry_run;
};

static const char details[] =
    "A KEY names one pin; a pattern (gains.*, ladder.**.rms) names all that\n"
    "have drifted, with --all also those that hold at another value. The\n"
    "move is kept in the pin's history with its reason. --kind, --bound and\n"
    "--unit change what is allowed too; the reason then also argues the new\n"
    "bound. They are needed for a result without pin. Bounds are written as\n"
    "in pinpress init --help.";

static bool parse(int *argc, char ***argv, struct accept_options *o,
                  int *status) {
  const struct option_entry entries[] = {
      {.name = "reason",
       .letter = 'r',
       .argument = "TEXT",
       .text = &o->reason,
       .help = "why the value has moved (needed)"},
      {.name = "kind",
       .argument = "KIND",
       .text = &o->kind,
       .help = "exact, abs, rel, ulp, digits or range"},
      {.name = "bound",
       .argument = "BOUND",
       .text = &o->bound,
       .help = "how far the value may be off"},
      {.name = "unit",
       .argument = "UNIT",
       .text = &o->unit,
       .help = "the value's unit"},
      {.name = "remove",
       .flag = &o->remove,
       .help = "take away pins that have no result any more"},
      {.name = "all",
       .flag = &o->all,
       .help = "with a pattern: also move pins that hold"},
      {.name = "review",
       .flag = &o->review,
       .help = "ask for each one's reason on standard input; an\n"
               "empty line leaves the pin as it is, q ends"},
      {.name = "dry-run",
       .letter = 'n',
       .flag = &o->dry_run,
       .help = "show what would change, write nothing"},
      {.name = "date",
       .argument = "YYYY-MM-DD",
       .text = &o->date,
       .help = "date of the move (SOURCE_DATE_EPOCH's; else none)"},
      {.name = "results",
       .argument = "DIR",
       .text = &o->paths.results,
       .help = "what was measured (build/results)"},
      {.name = "pins",
       .argument = "DIR",
       .text = &o->paths.pins,
       .help = "the pins (data/pins)"},
      {.name = "measured",
       .argument = "DIR",
       .text = &o->paths.measured,
       .help = "kept results of optional studies (data/measured)"},
      {.name = NULL}};
  const struct option_usage usage = {
      .synopsis = "[OPTION]... --reason=TEXT KEY|PATTERN...",
      .summary = "Move pins to the values that were measured.",
      .details = details,
      .entries = entries,
      .minimum = 1,
      .maximum = OPTIONS_ANY_NUMBER};
  return options_parse(&usage, argc, argv, status);
}

/* ---- what is asked for --------------------------------------------------- */

static bool is_date(const char *text) {
  if (strlen(text) != 10) return false;
  for (int i = 0; i < 10; i++)
    if (i == 4 || i == 7 ? text[i] != '-' : text[i] < '0' || text[i] > '9')
      return false;
  return true;
}

/* The project reads no clock: the date is given or there is none. */
static int find_date(struct accept_options *o, char out[16],
                     struct error *err) {
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  if (o->date != NULL)
    return is_date(o->date)
               ? 0
               : error_set(err, "--date: \"%s\" is not YYYY-MM-DD", o->date);
  if (epoch == NULL || *epoch == 0) return 0;
  char *end;
  errno = 0;
  time_t seconds = (time_t)strtoll(epoch, &end, 10);
  struct tm day;
  if (errno != 0 || *end != 0 || gmtime_r(&seconds, &day) == NULL ||
      strftime(out, 16, "%Y-%m-%d", &day) == 0)
    return error_set(err,
                     "SOURCE_DATE_EPOCH: \"%s\" is not a number of "
                     "seconds",
                     epoch);
  o->date = out;
  return 0;
}

static const char *reason_fault(const char *reason) {
  if (reason[strspn(reason, " \t")] == 0) return "is empty";
  for (; *reason != 0; reason++)
    if ((unsigned char)*reason < 0x20 || *reason == 0x7f)
      return "is not one line of text";
  return NULL;
}

static int check_options(struct accept_options *o, char date[16],
                         struct error *err) {
  if ((o->reason == NULL) != o->review)
    return error_set(err, "pinpress accept: %s",
                     o->review
                         ? "--review asks for the reasons itself"
                         : "--reason is needed: why has the value moved?");
  const char *why = o->review ? NULL : reason_fault(o->reason);
  if (why != NULL) return error_set(err, "pinpress accept: --reason %s", why);
  if (o->bound != NULL && o->kind == NULL)
    return error_set(err, "pinpress accept: --bound needs --kind");
  if (o->remove && (o->kind != NULL || o->unit != NULL || o->all))
    return error_set(err, "pinpress accept: --remove goes with none of --kind, "
                          "--bound, --unit and --all");
  return find_date(o, date, err);
}

/* ---- one pin ------------------------------------------------------------- */

struct acceptance {
  const struct accept_options *options;
  const char *reason; /* of the move at hand */
  struct check check;
  struct arena arena;
  struct pin_allowance allowance; /* from --kind and --bound */
  struct pins_sheet **sheets;     /* one for each results or pin file used */
  const char **paths;
  size_t sheet_count;
  bool *done; /* for each finding */
  size_t moved, removed;
  bool stopped; /* the review was ended */
};

/* The sheet of the finding's pin file, which a new study does not have yet. */
static int sheet_of(struct acceptance *a, const struct finding *f,
                    struct pins_sheet **out, struct error *err) {
  const char *path = f->pins != NULL
                         ? f->pins->path
                         : arena_printf(&a->arena, "%s/%s.json",
                                        a->options->paths.pins, f->from->name);
  for (size_t i = 0; i < a->sheet_count; i++)
    if (strcmp(a->paths[i], path) == 0) {
      *out = a->sheets[i];
      return 0;
    }
  if (sheet_open(path, f->pins != NULL ? f->pins->study : f->from->study, out,
                 err) != 0)
    return -1;
  size_t n = a->sheet_count++;
  a->sheets = memory_resize(a->sheets, n + 1, sizeof *a->sheets);
  a->paths = memory_resize(a->paths, n + 1, sizeof *a->paths);
  a->sheets[n] = *out;
  a->paths[n] = path;
  return 0;
}

static bool same_value(const struct json *a, const struct json *b) {
  const struct pin_allowance exact = {.kind = PIN_EXACT};
  return a->type == b->type && compare_values(a, b, &exact).holds;
}

static bool same_allowance(const struct pin_allowance *a,
                           const struct pin_allowance *b) {
  struct buffer x = {0}, y = {0};
  check_allowance_text(a, &x);
  check_allowance_text(b, &y);
  bool same = strcmp(x.bytes, y.bytes) == 0;
  buffer_free(&x);
  buffer_free(&y);
  return same;
}

/* The end of a record: its date, where there is one, and its reason. */
static void add_reason(const struct acceptance *a, struct buffer *out) {
  if (a->options->date != NULL)
    buffer_printf(out, ", \"date\": \"%s\"", a->options->date);
  buffer_text(out, ", \"reason\": ");
  json_print_string(a->reason, out);
  buffer_char(out, '}');
}

/* {"from": 1, "to": 2, "reason": "..."}, with the bounds when they changed. */
static const char *history_entry(struct acceptance *a, const struct finding *f,
                                 const struct sheet_fields *fields) {
  struct buffer out = {0};
  buffer_text(&out, "{\"from\": ");
  report_value(f->pin->value, NULL, &out);
  buffer_text(&out, ", \"to\": ");
  report_value(fields->value, NULL, &out);
  if (!same_allowance(&f->pin->allowance, &fields->allowance)) {
    struct buffer text = {0};
    check_allowance_text(&f->pin->allowance, &text);
    buffer_text(&out, ", \"from_bound\": ");
    json_print_string(text.bytes, &out);
    buffer_clear(&text);
    check_allowance_text(&fields->allowance, &text);
    buffer_text(&out, ", \"to_bound\": ");
    json_print_string(text.bytes, &out);
    buffer_free(&text);
  }
  add_reason(a, &out);
  const char *entry = arena_copy(&a->arena, out.bytes, out.length);
  buffer_free(&out);
  return entry;
}

static void tell_side(const char *name, const struct json *value,
                      const char *unit, const struct pin_allowance *allowance) {
  struct buffer out = {0};
  buffer_printf(&out, "  %-7s ", name);
  report_value(value, unit, &out);
  buffer_text(&out, "   ");
  check_allowance_text(allowance, &out);
  puts(out.bytes);
  buffer_free(&out);
}

/* What would be; NULL fields: the pin goes. */
static void tell_move(const struct finding *f,
                      const struct sheet_fields *fields) {
  printf("%s\n", f->key);
  if (f->pin != NULL)
    tell_side(f->pin->draft ? "draft" : "before", f->pin->value, f->pin->unit,
              &f->pin->allowance);
  else
    puts("  before  no pin");
  if (fields != NULL)
    tell_side("after", fields->value, fields->unit, &fields->allowance);
  else
    puts("  after   no pin");
}

/* What the pin is to be; the argument of the old bound stays while the bound
 * does, a draft has none. */
static void make_fields(struct acceptance *a, const struct finding *f,
                        struct sheet_fields *fields) {
  const struct accept_options *o = a->options;
  const struct pin *pin = f->pin;
  *fields = (struct sheet_fields){.value = f->found, .unit = o->unit};
  fields->allowance = o->kind != NULL ? a->allowance : pin->allowance;
  fields->reason = a->reason;
  if (pin == NULL) return;
  if (o->unit == NULL) fields->unit = pin->unit;
  fields->platforms = json_member(pin->json, "platforms");
  fields->history = json_member(pin->json, "history");
  if (pin->draft) return;
  if (same_allowance(&fields->allowance, &pin->allowance))
    fields->reason = pin->reason;
  fields->move = history_entry(a, f, fields);
}

static bool changes(const struct finding *f,
                    const struct sheet_fields *fields) {
  const struct pin *pin = f->pin;
  if (pin == NULL || pin->draft) return true;
  bool same_unit =
      fields->unit == pin->unit || (fields->unit != NULL && pin->unit != NULL &&
                                    strcmp(fields->unit, pin->unit) == 0);
  return !same_unit || !same_value(pin->value, fields->value) ||
         !same_allowance(&pin->allowance, &fields->allowance);
}

static int move_pin(struct acceptance *a, const struct finding *f,
                    const struct sheet_fields *fields, struct error *err) {
  struct pins_sheet *sheet;
  if (pins_allowance_suits(&fields->allowance, fields->value, f->key, err) != 0)
    return -1;
  if (sheet_of(a, f, &sheet, err) != 0) return -1;
  struct sheet_fields complete = *fields;
  complete.record = sheet_record(sheet, f->from);
  sheet_set(sheet, f->key, &complete, f->from);
  a->moved++;
  return 0;
}

static int remove_pin(struct acceptance *a, const struct finding *f,
                      struct error *err) {
  struct pins_sheet *sheet;
  struct buffer entry = {0};
  if (sheet_of(a, f, &sheet, err) != 0) return -1;
  buffer_text(&entry, "{\"key\": ");
  json_print_string(f->key, &entry);
  buffer_text(&entry, ", \"value\": ");
  report_value(f->pin->value, NULL, &entry);
  add_reason(a, &entry);
  sheet_remove(sheet, f->key, entry.bytes);
  buffer_free(&entry);
  a->removed++;
  return 0;
}

/* ---- which pins ---------------------------------------------------------- */

/* Why the finding cannot be accepted, or NULL. */
static const char *obstacle(const struct acceptance *a,
                            const struct finding *f) {
  if (f->status == FINDING_NULL) return "the result is null";
  if (f->status == FINDING_STALE)
    return "the kept results are of another file: measure them again";
  if (a->options->remove)
    return f->status == FINDING_NO_RESULT ? NULL
                                          : "it has a result: not removed";
  if (f->status == FINDING_NO_RESULT)
    return "it has no result (--remove takes the pin away)";
  if (f->override != NULL)
    return "a platform override counts here: accept it where the pin was taken";
  if (f->status == FINDING_NO_PIN && a->options->kind == NULL)
    return "it has no pin yet: --kind, --bound and --reason give it one";
  return NULL;
}

/* One line from standard input becomes the reason; false: leave the pin. */
static bool ask_reason(struct acceptance *a) {
  char *line = NULL;
  size_t room = 0;
  const char *why = "";
  while (why != NULL) {
    fputs("  reason? ", stdout);
    fflush(stdout);
    ssize_t length = getline(&line, &room, stdin);
    if (length > 0 && line[length - 1] == '\n') line[length - 1] = 0;
    a->stopped = length < 0 || strcmp(line, "q") == 0;
    if (a->stopped || *line == 0) break;
    why = reason_fault(line);
    if (why != NULL) printf("  the reason %s\n", why);
  }
  if (why == NULL) a->reason = arena_copy(&a->arena, line, strlen(line));
  free(line);
  return why == NULL;
}

static int accept_one(struct acceptance *a, const struct finding *f,
                      struct error *err) {
  const char *why = obstacle(a, f);
  if (why != NULL) return error_set(err, "%s: %s", f->key, why);
  bool *done = &a->done[f - a->check.findings];
  if (*done) return error_set(err, "%s: named twice", f->key);
  *done = true;
  struct sheet_fields fields;
  if (!a->options->remove) {
    make_fields(a, f, &fields);
    if (!changes(f, &fields))
      return error_set(err, "%s: nothing changes, the pin is %s already",
                       f->key, json_scalar_text(f->pin->value));
  }
  tell_move(f, a->options->remove ? NULL : &fields);
  if (a->options->review) {
    if (!ask_reason(a)) return 0;
    if (!a->options->remove) make_fields(a, f, &fields);
  }
  return a->options->remove ? remove_pin(a, f, err)
                            : move_pin(a, f, &fields, err);
}

/* Does a pattern mean this finding? A value that holds is moved with --all. */
static bool is_meant(struct acceptance *a, const struct finding *f) {
  if (obstacle(a, f) != NULL || a->done[f - a->check.findings]) return false;
  if (a->options->remove) return true;
  struct sheet_fields fields;
  make_fields(a, f, &fields);
  if (!changes(f, &fields)) return false;
  bool new_bound = a->options->kind != NULL || a->options->unit != NULL ||
                   (f->pin != NULL && f->pin->draft);
  return f->status != FINDING_HOLDS || a->options->all || new_bound;
}

static int accept_pattern(struct acceptance *a, const char *pattern,
                          struct error *err) {
  size_t matched = 0, left = 0, before = a->moved + a->removed;
  for (size_t i = 0; i < a->check.count && !a->stopped; i++) {
    const struct finding *f = &a->check.findings[i];
    if (!pattern_matches(pattern, f->key)) continue;
    matched++;
    if (is_meant(a, f)) {
      if (accept_one(a, f, err) != 0) return -1;
    } else if (obstacle(a, f) != NULL && f->status != FINDING_HOLDS) {
      left++;
      printf("%s\n  left    %s\n", f->key, obstacle(a, f));
    }
  }
  if (matched == 0)
    return error_set(err, "%s: no pin and no result matches", pattern);
  if (a->moved + a->removed > before || a->options->review) return 0;
  return error_set(err,
                   "%s: nothing changes (%zu match, %zu of them cannot "
                   "be accepted so)",
                   pattern, matched, left);
}

static int accept_key(struct acceptance *a, const char *key,
                      struct error *err) {
  if (!pattern_is_plain(key)) return accept_pattern(a, key, err);
  for (size_t i = 0; i < a->check.count; i++)
    if (strcmp(a->check.findings[i].key, key) == 0)
      return accept_one(a, &a->check.findings[i], err);
  return error_set(err, "%s: no pin and no result has this key", key);
}

/* ---- all ----------------------------------------------------------------- */

static int write_sheets(struct acceptance *a, struct error *err) {
  for (size_t i = 0; i < a->sheet_count; i++) {
    if (sheet_write(a->sheets[i], err) != 0) return -1;
    printf("written: %s\n", a->paths[i]);
  }
  return 0;
}

static int run(struct acceptance *a, int count, char **keys,
               struct error *err) {
  const struct accept_options *o = a->options;
  if (o->kind != NULL &&
      pins_allowance_parse(o->kind, o->bound != NULL ? o->bound : "", &a->arena,
                           &a->allowance, err) != 0)
    return -1;
  if (check_run(&o->paths, &a->check, err) != 0) return -1;
  a->done = memory_alloc(a->check.count + 1, sizeof *a->done);
  a->reason = o->review ? "" : o->reason;
  for (int i = 0; i < count && !a->stopped; i++)
    if (accept_key(a, keys[i], err) != 0) return -1;
  return o->dry_run ? 0 : write_sheets(a, err);
}

int command_accept(int argc, char **argv) {
  struct accept_options o = {.paths = {.results = "build/results",
                                       .pins = "data/pins",
                                       .measured = "data/measured"}};
  struct acceptance a = {.options = &o};
  struct error err;
  char date[16];
  int status;
  if (!parse(&argc, &argv, &o, &status)) return status;
  int result = check_options(&o, date, &err);
  if (result == 0) result = run(&a, argc, argv, &err);
  for (size_t i = 0; i < a.sheet_count; i++)
    sheet_free(a.sheets[i]);
  free(a.sheets);
  free(a.paths);
  free(a.done);
  arena_free(&a.arena);
  check_free(&a.check);
  return result == 0 ? options_finish(EXIT_HOLDS) : options_fail(&err);
}
