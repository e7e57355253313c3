/* Which problems are printed. */
#include <stdlib.h>
#include <string.h>

#include "report/problem_set.h"

struct choice {
  struct problem_set *set;
  struct place at;
  bool renumber;
  struct error *err;
};

static int add(struct choice *c, size_t index) {
  struct problem *problem = &c->set->problems[index];
  if (problem->is_chosen)
    return error_at(c->err, c->at, "problem %zu is chosen twice", index + 1);
  problem->is_chosen = true;
  c->set->chosen[c->set->chosen_count++] = problem;
  if (c->renumber) problem->number = (int)c->set->chosen_count;
  return 0;
}

static int add_range(struct choice *c, long first, long last) {
  long count = (long)c->set->count,
       wrong = first < 1 || first > count ? first : last;
  if (wrong < 1 || wrong > count)
    return error_at(c->err, c->at, "there is no problem %ld, the set has %ld",
                    wrong, count);
  if (last < first)
    return error_at(c->err, c->at, "%ld-%ld counts down", first, last);
  for (long i = first; i <= last; i++)
    if (add(c, (size_t)i - 1) != 0) return -1;
  return 0;
}

static int add_named(struct choice *c, const char *name, size_t length) {
  for (size_t i = 0; i < c->set->count; i++) {
    const char *id = c->set->problems[i].heading->id;
    if (strlen(id) == length && memcmp(id, name, length) == 0) return add(c, i);
  }
  return error_at(c->err, c->at, "no problem has the id `%.*s`", (int)length,
                  name);
}

/* Digits; at most 999,999. */
static size_t read_number(const char *text, size_t length, long *out) {
  size_t n = 0;
  *out = 0;
  for (; n < length && text[n] >= '0' && text[n] <= '9' && n < 6; n++)
    *out = 10 * *out + (text[n] - '0');
  return n;
}

static int add_item(struct choice *c, const char *item, size_t length) {
  long first, last;
  if (length == 0)
    return error_at(c->err, c->at, "between two commas nothing is chosen");
  size_t n = read_number(item, length, &first);
  if (n == length) return add_range(c, first, first);
  if (n > 0 && item[n] == '-') {
    size_t m = read_number(item + n + 1, length - n - 1, &last);
    if (m > 0 && n + 1 + m == length) return add_range(c, first, last);
  }
  return add_named(c, item, length);
}

int problem_set_choose(struct problem_set *set, const char *list, bool renumber,
                       struct place at, struct error *err) {
  struct choice c = {set, at, renumber, err};
  for (size_t i = 0; i < set->count; i++)
    set->problems[i].is_chosen = false;
  set->chosen_count = 0;
  set->is_renumbered = renumber;
  for (const char *item = list;; item++) {
    item += strspn(item, " \t");
    size_t length = strcspn(item, ","), end = length;
    while (end > 0 && (item[end - 1] == ' ' || item[end - 1] == '\t'))
      end--;
    if (add_item(&c, item, end) != 0) return -1;
    item += length;
    if (*item == 0) return 0;
  }
}
