/* pinpress init: first pins for new results. */
#include <stdio.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/options.h"
#include "report/commands.h"
#include "report/pins_check.h"
#include "report/pins_rules.h"
#include "report/pins_sheet.h"

struct init_options {
  const char *pins, *rules_file, *optional, *tied_to;
  struct option_texts rules;
};

struct init_counts {
  size_t ruled, drafts, kept;
};

static const char details[] =
    "Pins that exist keep their bytes; drafts are made anew where a rule\n"
    "matches. A rule, in the file one a line, is\n"
    "\n"
    "    pattern | kind | bound | unit | reason\n"
    "\n"
    "with exact (no bound), abs, rel, ulp (a number), digits (a printf\n"
    "format) or range (LOW..HIGH). In a pattern * and ? stand for characters\n"
    "of one element, an element ** for any number of elements, a last\n"
    "element * for all that follows; the first rule that matches counts.\n"
    "What no rule matches becomes a draft: edit its kind, bound and reason\n"
    "and delete \"draft\", or use pinpress accept KEY --kind KIND --bound\n"
    "BOUND --reason TEXT.";

static bool parse(int *argc, char ***argv, struct init_options *o,
                  int *status) {
  const struct option_entry entries[] = {
      {.name = "pins",
       .argument = "DIR",
       .text = &o->pins,
       .help = "where the pin files stand (data/pins)"},
      {.name = "rules",
       .argument = "FILE",
       .text = &o->rules_file,
       .help = "rules that argue the pins"},
      {.name = "rule",
       .argument = "RULE",
       .texts = &o->rules,
       .help = "one more rule, before those of the file"},
      {.name = "optional",
       .argument = "REASON",
       .text = &o->optional,
       .help = "these results may be absent, for that reason"},
      {.name = "tied-to",
       .argument = "FILE",
       .text = &o->tied_to,
       .help = "with --optional: kept results count only for\n"
               "this file's content"},
      {.name = NULL}};
  const struct option_usage usage = {
      .synopsis = "[OPTION]... RESULTS.json...",
      .summary = "Write pins for results that have none yet.",
      .details = details,
      .entries = entries,
      .minimum = 1,
      .maximum = OPTIONS_ANY_NUMBER};
  return options_parse(&usage, argc, argv, status);
}

static int read_rules(const struct init_options *o, struct rules *rules,
                      struct error *err) {
  for (size_t i = 0; i < o->rules.count; i++)
    if (rules_add(o->rules.items[i], (struct place){"--rule", (int)i + 1, 1},
                  rules, err) != 0)
      return -1;
  return o->rules_file != NULL ? rules_read(o->rules_file, rules, err) : 0;
}

/* ---- one pin ------------------------------------------------------------- */

/* A proposal that somebody has to argue: whole numbers, text and zero exactly,
 * other numbers to a part in 10^12. */
static void make_draft(const struct json *value, struct sheet_fields *fields) {
  bool exact =
      value->type != JSON_NUMBER || value->is_integer || value->number == 0;
  fields->allowance.kind = exact ? PIN_EXACT : PIN_REL;
  fields->allowance.bound = 1e-12;
  fields->reason = "draft: argue kind and bound";
  fields->draft = true;
}

static int apply_rule(struct rule *rule, const char *key,
                      struct sheet_fields *fields, struct error *err) {
  struct error why;
  if (pins_allowance_suits(&rule->allowance, fields->value, key, &why) != 0)
    return error_at(err, rule->place, "%s", why.text);
  fields->allowance = rule->allowance;
  fields->unit = fields->value->type == JSON_NUMBER ? rule->unit : NULL;
  fields->reason = rule->reason;
  rule->uses++;
  return 0;
}

static int init_pin(struct pins_sheet *sheet,
                    const struct results_file *results, size_t i,
                    const char *record, const struct rules *rules,
                    struct init_counts *counts, struct error *err) {
  const char *key = results->results[i].key;
  struct sheet_fields fields = {.value = results->results[i].value,
                                .record = record};
  if (fields.value->type == JSON_NULL)
    return error_at(err, fields.value->place, "%s is null, nothing to pin",
                    key);
  struct rule *rule = rules_find(rules, key);
  bool draft;
  if (sheet_has(sheet, key, &draft) && (rule == NULL || !draft)) {
    counts->kept++;
    if (rule != NULL) rule->uses++;
    return 0;
  }
  if (rule == NULL)
    make_draft(fields.value, &fields);
  else if (apply_rule(rule, key, &fields, err) != 0)
    return -1;
  counts->ruled += rule != NULL;
  counts->drafts += rule == NULL;
  sheet_set(sheet, key, &fields, results);
  return 0;
}

/* ---- one results file ---------------------------------------------------- */

static int init_sheet(const struct results_file *results,
                      struct pins_sheet *sheet, const struct rules *rules,
                      struct init_counts *counts, struct error *err) {
  const char *record = sheet_record(sheet, results);
  for (size_t i = 0; i < results->count; i++)
    if (init_pin(sheet, results, i, record, rules, counts, err) != 0) return -1;
  return 0;
}

static int init_file(const char *path, const struct init_options *o,
                     const struct rules *rules, struct error *err) {
  struct results_file results;
  struct pins_sheet *sheet = NULL;
  struct init_counts counts = {0};
  struct buffer to = {0};
  if (pins_results_read(path, &results, err) != 0) return -1;
  buffer_printf(&to, "%s/%s.json", o->pins, results.name);
  int result = sheet_open(to.bytes, results.study, &sheet, err);
  if (result == 0) result = init_sheet(&results, sheet, rules, &counts, err);
  if (result == 0 && o->optional != NULL)
    sheet_set_optional(sheet, o->optional, o->tied_to);
  bool changed = counts.ruled + counts.drafts > 0 || o->optional != NULL;
  if (result == 0 && changed) result = sheet_write(sheet, err);
  if (result == 0)
    printf("%s: %zu pins by rules, %zu drafts, %zu kept\n", to.bytes,
           counts.ruled, counts.drafts, counts.kept);
  buffer_free(&to);
  sheet_free(sheet);
  pins_results_free(&results);
  return result;
}

static void tell_unused(const struct rules *rules) {
  for (size_t i = 0; i < rules->count; i++)
    if (rules->items[i].uses == 0)
      printf("%s:%d: the rule %s matches no result\n",
             rules->items[i].place.file, rules->items[i].place.line,
             rules->items[i].pattern);
}

int command_init(int argc, char **argv) {
  struct init_options o = {.pins = "data/pins"};
  struct rules rules = {0};
  struct error err;
  int status;
  if (!parse(&argc, &argv, &o, &status)) return status;
  int result = 0;
  if (o.tied_to != NULL && o.optional == NULL)
    result = error_set(&err, "pinpress init: --tied-to needs --optional");
  if (result == 0) result = read_rules(&o, &rules, &err);
  for (int i = 0; i < argc && result == 0; i++)
    result = init_file(argv[i], &o, &rules, &err);
  if (result == 0) tell_unused(&rules);
  rules_free(&rules);
  options_free_texts(&o.rules);
  return result == 0 ? options_finish(EXIT_HOLDS) : options_fail(&err);
}
