#include "report/pins_rules.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/compare.h"

enum { FIELDS = 5 }; /* pattern, kind, bound, unit, reason */

/* ---- patterns ------------------------------------------------------------ */

static bool element_matches(const char *pattern, size_t m, const char *element,
                            size_t n) {
  char *p = memory_alloc(m + n + 2, 1), *e = p + m + 1;
  memcpy(p, pattern, m);
  memcpy(e, element, n);
  bool matches = fnmatch(p, e, FNM_NOESCAPE) == 0;
  free(p);
  return matches;
}

/* The classic greedy match: on failure the last `**` takes one element more,
 * which is enough, so the cost is at most pattern times key. */
bool pattern_matches(const char *pattern, const char *key) {
  const char *retry_pattern = NULL, *retry_key = NULL;
  while (key != NULL) {
    size_t m = pattern != NULL ? strcspn(pattern, ".") : 0;
    size_t n = strcspn(key, ".");
    const char *next_key = key[n] != 0 ? key + n + 1 : NULL;
    bool last = pattern != NULL && pattern[m] == 0;
    if (last && m == 1 && *pattern == '*') return true;
    if (pattern != NULL && m == 2 && memcmp(pattern, "**", 2) == 0) {
      if (last) return true;
      retry_pattern = pattern = pattern + m + 1;
      retry_key = key;
    } else if (pattern != NULL && element_matches(pattern, m, key, n) &&
               (!last || next_key == NULL)) {
      pattern = last ? NULL : pattern + m + 1;
      key = next_key;
    } else if (retry_key != NULL) {
      n = strcspn(retry_key, ".");
      retry_key = retry_key[n] != 0 ? retry_key + n + 1 : NULL;
      pattern = retry_pattern;
      key = retry_key;
      if (key == NULL) return false;
    } else {
      return false;
    }
  }
  return pattern == NULL;
}

bool pattern_is_plain(const char *pattern) {
  return strpbrk(pattern, "*?[") == NULL;
}

/* ---- allowances ---------------------------------------------------------- */

static int parse_number(const char *text, size_t length, struct arena *arena,
                        const struct json **out, struct error *err) {
  struct json_document d;
  if (json_parse("bound", text, length, &d, err) != 0)
    return error_set(err, "the bound \"%.*s\" is not a number", (int)length,
                     text);
  struct json *copy = arena_alloc(arena, sizeof *copy);
  *copy = *d.root;
  if (copy->text != NULL)
    copy->text = arena_copy(arena, copy->text, strlen(copy->text));
  json_free(&d);
  *out = copy;
  if (copy->type == JSON_NUMBER) return 0;
  return error_set(err, "the bound \"%.*s\" is not a number", (int)length,
                   text);
}

static int parse_range(const char *bound, struct arena *arena,
                       struct pin_allowance *out, struct error *err) {
  const char *dots = strstr(bound, "..");
  if (dots == NULL)
    return error_set(err, "the range \"%s\" is not LOW..HIGH", bound);
  if (parse_number(bound, (size_t)(dots - bound), arena, &out->low, err) != 0 ||
      parse_number(dots + 2, strlen(dots + 2), arena, &out->high, err) != 0)
    return -1;
  if (out->low->number < out->high->number) return 0;
  return error_set(err, "the range \"%s\": low is not below high", bound);
}

static int parse_bound(const char *bound, struct arena *arena,
                       struct pin_allowance *out, struct error *err) {
  const struct json *number;
  if (parse_number(bound, strlen(bound), arena, &number, err) != 0) return -1;
  out->bound = number->number;
  const char *why = pins_bound_fault(out->kind, out->bound);
  if (why == NULL) return 0;
  return error_set(err, "the %s bound %s %s", pins_kind_name(out->kind), bound,
                   why);
}

int pins_allowance_parse(const char *kind, const char *bound,
                         struct arena *arena, struct pin_allowance *out,
                         struct error *err) {
  *out = (struct pin_allowance){0};
  if (!pins_kind_of(kind, &out->kind))
    return error_set(err,
                     "unknown kind \"%s\" (exact, abs, rel, ulp, digits or "
                     "range)",
                     kind);
  if (out->kind == PIN_EXACT)
    return *bound == 0 ? 0 : error_set(err, "kind exact takes no bound");
  if (*bound == 0)
    return error_set(err, "kind %s needs a bound", pins_kind_name(out->kind));
  if (out->kind == PIN_RANGE) return parse_range(bound, arena, out, err);
  if (out->kind != PIN_DIGITS) return parse_bound(bound, arena, out, err);
  out->format = arena_copy(arena, bound, strlen(bound));
  if (compare_format_valid(bound)) return 0;
  return error_set(err,
                   "the format \"%s\" is not one printf conversion of a "
                   "number, such as %%.4f",
                   bound);
}

int pins_allowance_suits(const struct pin_allowance *a,
                         const struct json *value, const char *key,
                         struct error *err) {
  const char *why = pins_value_fault(value, a);
  if (why != NULL)
    return error_set(err, "%s: kind %s: %s", key, pins_kind_name(a->kind), why);
  if (a->kind == PIN_RANGE && !compare_values(value, value, a).holds)
    return error_set(err, "%s: the value %s is outside its range %s to %s", key,
                     value->text, a->low->text, a->high->text);
  return 0;
}

/* ---- rules --------------------------------------------------------------- */

static char *trimmed(char *text) {
  text += strspn(text, " \t\r");
  size_t length = strlen(text);
  while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL)
    text[--length] = 0;
  return text;
}

static int split(char *line, char *fields[FIELDS]) {
  int n = 0;
  while (n < FIELDS - 1) {
    char *bar = strchr(line, '|');
    if (bar == NULL) break;
    *bar = 0;
    fields[n++] = trimmed(line);
    line = bar + 1;
  }
  fields[n++] = trimmed(line);
  return n;
}

int rules_add(const char *line, struct place at, struct rules *rules,
              struct error *err) {
  char *fields[FIELDS];
  struct error why;
  char *copy = arena_copy(&rules->arena, line, strlen(line));
  if (split(copy, fields) != FIELDS || *fields[0] == 0 || *fields[4] == 0)
    return error_at(err, at,
                    "a rule is: pattern | kind | bound | unit | reason");
  at.file = arena_copy(&rules->arena, at.file, strlen(at.file));
  struct rule rule = {.place = at,
                      .pattern = fields[0],
                      .unit = *fields[3] != 0 ? fields[3] : NULL,
                      .reason = fields[4]};
  if (pins_allowance_parse(fields[1], fields[2], &rules->arena, &rule.allowance,
                           &why) != 0)
    return error_at(err, at, "%s", why.text);
  rules->items =
      memory_resize(rules->items, rules->count + 1, sizeof *rules->items);
  rules->items[rules->count++] = rule;
  return 0;
}

int rules_read(const char *path, struct rules *rules, struct error *err) {
  struct buffer text = {0};
  int result = file_read(path, &text, err);
  struct place at = {path, 1, 1};
  char *line = text.bytes;
  while (result == 0 && line != NULL && *line != 0) {
    char *end = strchr(line, '\n');
    if (end != NULL) *end = 0;
    const char *first = line + strspn(line, " \t\r");
    if (*first != 0 && *first != '#') result = rules_add(line, at, rules, err);
    line = end != NULL ? end + 1 : NULL;
    at.line++;
  }
  buffer_free(&text);
  return result;
}

struct rule *rules_find(const struct rules *rules, const char *key) {
  for (size_t i = 0; i < rules->count; i++)
    if (pattern_matches(rules->items[i].pattern, key)) return &rules->items[i];
  return NULL;
}

void rules_free(struct rules *rules) {
  free(rules->items);
  arena_free(&rules->arena);
  *rules = (struct rules){0};
}
