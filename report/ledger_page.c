/* The numbers of a page, as a page: Markdown in, whatever writer out. */
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/ledger_internal.h"
#include "report/made_page.h"
#include "report/pins_check.h"

/* Entries printed from keys, those of one key together. */
struct keyed {
  const struct ledger_entry *entry;
  size_t order;
};

struct page {
  const struct ledger *ledger;
  const struct pin_set *pins;
  const struct ledger_page_options *options;
  struct keyed *items;
  size_t count;
  struct buffer *out;
  struct error *err;
};

static int compare_keyed(const void *x, const void *y) {
  const struct keyed *a = x, *b = y;
  int order = strcmp(a->entry->value->key, b->entry->value->key);
  return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

static void collect(struct page *page) {
  const struct ledger *ledger = page->ledger;
  page->items = memory_alloc(ledger->count + 1, sizeof *page->items);
  for (const struct ledger_entry *e = ledger->entries; e != NULL; e = e->next)
    if (e->source == LEDGER_KEY) {
      page->items[page->count] = (struct keyed){e, page->count};
      page->count++;
    }
  qsort(page->items, page->count, sizeof *page->items, compare_keyed);
}

/* The entries of `key`: the first one's index, and how many. */
static size_t find_key(const struct page *page, const char *key,
                       size_t *count) {
  size_t low = 0, high = page->count, first;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(page->items[middle].entry->value->key, key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (first = low; low < page->count; low++)
    if (strcmp(page->items[low].entry->value->key, key) != 0) break;
  *count = low - first;
  return first;
}

/* ---- text ---------------------------------------------------------------- */

static const char page_name[] = "ledger"; /* in messages */

static int put_text(struct page *page, const char *text) {
  return made_page_text(page_name, text, page->out, page->err);
}

/* Keys and paths hold no backtick unless somebody wants to break the page. */
static int put_code(struct page *page, const char *text) {
  if (strpbrk(text, "`|\n") != NULL || *text == 0) return put_text(page, text);
  buffer_printf(page->out, "`%s`", text);
  return 0;
}

static bool is_drawn(const struct ledger_entry *entry) {
  return entry->part == LEDGER_FIGURE_DATA ||
         entry->part == LEDGER_FIGURE_PLACE;
}

/* What is printed for the key, each text once, a formula's as TeX; of very
 * many texts the first ones. */
static int put_printed(struct page *page, size_t first, size_t count) {
  enum { MOST = 6 };
  const char *seen[MOST];
  size_t texts = 0;
  for (size_t i = first; i < first + count && texts < MOST; i++) {
    const struct ledger_entry *entry = page->items[i].entry;
    size_t same = 0;
    while (same < texts && strcmp(seen[same], entry->text) != 0)
      same++;
    if (is_drawn(entry) || same < texts) continue;
    if (texts > 0) buffer_text(page->out, "; ");
    seen[texts++] = entry->text;
    bool formula = entry->part == LEDGER_FORMULA;
    if (formula) buffer_printf(page->out, "$%s$", entry->text);
    if (!formula && put_text(page, entry->text) != 0) return -1;
  }
  if (texts == 0) buffer_text(page->out, "(drawn)");
  return 0;
}

/* "table, line 60", or of another file "figure label, shares.gp:49". */
static int put_place(struct page *page, const struct ledger_entry *entry) {
  const char *slash = strrchr(entry->place.file, '/');
  buffer_printf(page->out, "%s, ", ledger_part_name(entry->part));
  if (strcmp(entry->place.file, page->options->path) == 0) {
    buffer_printf(page->out, "line %d", entry->place.line);
    return 0;
  }
  if (put_text(page, slash == NULL ? entry->place.file : slash + 1) != 0)
    return -1;
  buffer_printf(page->out, ":%d", entry->place.line);
  return 0;
}

static int put_places(struct page *page, size_t first, size_t count) {
  enum { MOST = 3 };
  for (size_t i = 0; i < count && i < MOST; i++) {
    if (i > 0) buffer_text(page->out, "; ");
    if (put_place(page, page->items[first + i].entry) != 0) return -1;
  }
  if (count > MOST) buffer_printf(page->out, " and %zu more", count - MOST);
  return 0;
}

static int put_row(struct page *page, const char *key) {
  size_t count, first = find_key(page, key, &count);
  buffer_text(page->out, "| ");
  if (put_printed(page, first, count) != 0) return -1;
  buffer_text(page->out, " | ");
  if (put_code(page, key) != 0) return -1;
  buffer_text(page->out, " | ");
  if (put_text(page, page->items[first].entry->value->text) != 0) return -1;
  buffer_text(page->out, " | ");
  if (put_places(page, first, count) != 0) return -1;
  buffer_text(page->out, " |\n");
  return 0;
}

/* ---- series -------------------------------------------------------------- */

/* Data of a figure that no other place prints; one row tells all of them. */
static bool is_series(const struct page *page, const char *key) {
  size_t count, first = find_key(page, key, &count);
  for (size_t i = 0; i < count; i++)
    if (page->items[first + i].entry->part != LEDGER_FIGURE_DATA) return false;
  return strpbrk(key, "0123456789") != NULL;
}

/* The caller frees it. */
static char *series_of(const char *key) {
  struct buffer name = {0};
  ledger_put_series(key, &name);
  return name.bytes;
}

static int put_series(struct page *page, const char *series, size_t members,
                      const char *key) {
  size_t count, first = find_key(page, key, &count);
  buffer_text(page->out, "| (drawn) | ");
  if (put_code(page, series) != 0) return -1;
  buffer_printf(page->out, " | %zu values | ", members);
  if (put_place(page, page->items[first].entry) != 0) return -1;
  buffer_text(page->out, " |\n");
  return 0;
}

static void put_head(struct page *page) {
  buffer_text(page->out, "\n| printed | key | value | where |\n"
                         "|---:|:---|---:|:---|\n");
}

/* ---- studies ------------------------------------------------------------- */

/* The program of a study that is `length` bytes of `key`, or NULL. */
static char *find_source(const struct page *page, const char *key,
                         size_t length) {
  struct buffer path = {0};
  for (size_t i = 0; i < page->options->source_count; i++) {
    buffer_clear(&path);
    buffer_printf(&path, "%s/%.*s.c", page->options->sources[i], (int)length,
                  key);
    if (file_exists(path.bytes)) return path.bytes;
  }
  buffer_free(&path);
  return NULL;
}

static int put_source(struct page *page, const char *study) {
  char *path = find_source(page, study, strlen(study));
  int status = 0;
  if (path != NULL) {
    buffer_text(page->out, "Measured by ");
    status = put_code(page, path);
    buffer_text(page->out, ". ");
  }
  free(path);
  return status;
}

static bool is_used(const struct page *page, const struct pin *pin) {
  size_t count;
  find_key(page, pin->key, &count);
  return count > 0;
}

static bool same_bound(const struct pin *a, const struct pin *b) {
  if (a->allowance.kind != b->allowance.kind ||
      strcmp(a->reason, b->reason) != 0)
    return false;
  struct buffer one = {0}, other = {0};
  check_allowance_text(&a->allowance, &one);
  check_allowance_text(&b->allowance, &other);
  bool same = strcmp(one.bytes, other.bytes) == 0;
  buffer_free(&one);
  buffer_free(&other);
  return same;
}

/* The pins from `pin` on that are of its series and share the bound. */
static int put_rest(struct page *page, const struct pin *pin, bool *done) {
  char *series = series_of(pin->key);
  size_t members = 0, index = 0;
  for (const struct pin *p = pin; p != NULL; p = p->next, index++) {
    bool other = index > 0 && done[index];
    if (other || !is_used(page, p) || !same_bound(pin, p) ||
        !is_series(page, p->key))
      continue;
    char *own = series_of(p->key);
    if (strcmp(own, series) == 0) {
      done[index] = true;
      members++;
    }
    free(own);
  }
  int status = members == 1 ? put_row(page, pin->key)
                            : put_series(page, series, members, pin->key);
  free(series);
  return status;
}

/* The pins from `first` on that share its bound and reason. */
static int put_group(struct page *page, const struct pin *first, bool *done) {
  buffer_text(page->out, "\n**");
  struct buffer bound = {0};
  check_allowance_text(&first->allowance, &bound);
  int status = put_text(page, bound.bytes);
  buffer_free(&bound);
  buffer_text(page->out, "**: ");
  if (status != 0 || put_text(page, first->reason) != 0) return -1;
  buffer_char(page->out, '\n');
  put_head(page);
  size_t index = 0;
  for (const struct pin *pin = first; pin != NULL; pin = pin->next, index++) {
    if (done[index] || !is_used(page, pin) || !same_bound(first, pin)) continue;
    done[index] = true;
    if ((is_series(page, pin->key) ? put_rest(page, pin, done + index)
                                   : put_row(page, pin->key)) != 0)
      return -1;
  }
  return 0;
}

static int put_file(struct page *page, const struct pin_file *file) {
  bool *done = memory_alloc(file->count + 1, sizeof *done), any = false;
  size_t index = 0;
  int status = 0;
  for (const struct pin *pin = file->pins; pin != NULL && status == 0;
       pin = pin->next, index++) {
    if (done[index] || !is_used(page, pin)) continue;
    if (!any) {
      buffer_text(page->out, "\n# ");
      status = put_text(page, file->name);
      buffer_text(page->out, "\n\n");
      if (status == 0) status = put_source(page, file->study);
      buffer_text(page->out, "Pinned in ");
      if (status == 0) status = put_code(page, file->path);
      buffer_text(page->out, ".\n");
      any = true;
    }
    if (status == 0) status = put_group(page, pin, done + index);
  }
  free(done);
  return status;
}

/* ---- figures ------------------------------------------------------------- */

/* What of the key stands in the file: how often, and whether only as data. */
static size_t count_in(const struct page *page, const char *file, size_t first,
                       bool *only_data, const struct ledger_entry **shown) {
  const char *key = page->items[first].entry->value->key;
  size_t count = 0;
  *only_data = true;
  *shown = NULL;
  for (size_t i = first; i < page->count; i++) {
    const struct ledger_entry *entry = page->items[i].entry;
    if (strcmp(entry->value->key, key) != 0) break;
    if (strcmp(entry->place.file, file) != 0) continue;
    count++;
    *only_data = *only_data && entry->part == LEDGER_FIGURE_DATA;
    if (*shown == NULL && !is_drawn(entry)) *shown = entry;
  }
  return count;
}

/* A figure's key, or `members` keys of its series. */
static int put_figure_row(struct page *page, const char *name, const char *key,
                          const struct ledger_entry *shown, const char *value,
                          size_t members) {
  buffer_text(page->out, "| ");
  if (put_text(page, shown != NULL ? shown->text : "(drawn)") != 0) return -1;
  buffer_text(page->out, " | ");
  if (put_code(page, name) != 0) return -1;
  buffer_text(page->out, " | ");
  if (members > 1)
    buffer_printf(page->out, "%zu values", members);
  else if (put_text(page, value) != 0)
    return -1;
  buffer_text(page->out, " | ");
  char *source = find_source(page, key, strcspn(key, "."));
  int status = source != NULL ? put_code(page, source) : 0;
  free(source);
  buffer_text(page->out, " |\n");
  return status;
}

/* Keys of one series stand together, since they are sorted, but for those of
 * other members of the same rows; a series is told where it first stands. */
static size_t count_series(const struct page *page, const char *file,
                           size_t from, const char *series, bool *done) {
  size_t members = 0;
  for (size_t i = from; i < page->count; i++) {
    const struct ledger_entry *shown;
    bool only_data;
    bool first = i == 0 || strcmp(page->items[i].entry->value->key,
                                  page->items[i - 1].entry->value->key) != 0;
    if (!first || done[i] || count_in(page, file, i, &only_data, &shown) == 0 ||
        !only_data)
      continue;
    char *own = series_of(page->items[i].entry->value->key);
    if (strcmp(own, series) == 0) {
      done[i] = true;
      members++;
    }
    free(own);
  }
  return members;
}

static int put_figure_rows(struct page *page, const char *file, bool *done) {
  int status = 0;
  for (size_t i = 0; i < page->count && status == 0; i++) {
    const struct source_value *value = page->items[i].entry->value;
    const struct ledger_entry *shown;
    bool only_data;
    bool first =
        i == 0 || strcmp(value->key, page->items[i - 1].entry->value->key) != 0;
    if (!first || done[i] || count_in(page, file, i, &only_data, &shown) == 0)
      continue;
    char *series = series_of(value->key);
    size_t members = 1;
    if (only_data && strchr(series, '*') != NULL)
      members = count_series(page, file, i, series, done);
    status = put_figure_row(page, members > 1 ? series : value->key, value->key,
                            shown, value->text, members);
    free(series);
  }
  return status;
}

static int put_figure(struct page *page, const char *file) {
  bool *done = memory_alloc(page->count + 1, sizeof *done);
  const char *slash = strrchr(file, '/');
  buffer_text(page->out, "\n# ");
  int status = put_text(page, slash == NULL ? file : slash + 1);
  buffer_text(page->out, "\n\nWhat the figure of ");
  if (status == 0) status = put_code(page, file);
  buffer_text(page->out,
              " is drawn from.\n\n| printed | key | value | measured "
              "by |\n|---:|:---|---:|:---|\n");
  if (status == 0) status = put_figure_rows(page, file, done);
  free(done);
  return status;
}

static bool has_keys(const struct page *page, const char *file) {
  for (size_t i = 0; i < page->count; i++)
    if (strcmp(page->items[i].entry->place.file, file) == 0) return true;
  return false;
}

/* Files in the order in which they were entered. */
static int put_figures(struct page *page, const struct ledger_file *file) {
  if (file == NULL) return 0;
  if (put_figures(page, file->next) != 0) return -1;
  if (strcmp(file->name, page->options->path) == 0 ||
      !has_keys(page, file->name))
    return 0;
  return put_figure(page, file->name);
}

/* ---- the rest ------------------------------------------------------------ */

/* What the pins say of themselves: how many, taken where. */
static int put_others(struct page *page) {
  bool any = false;
  for (size_t i = 0; i < page->count; i++) {
    const char *key = page->items[i].entry->value->key;
    bool repeated =
        i > 0 && strcmp(key, page->items[i - 1].entry->value->key) == 0;
    if (repeated || pins_find(page->pins, key) != NULL) continue;
    if (!any) {
      buffer_text(page->out, "\n# The pins themselves\n");
      put_head(page);
    }
    any = true;
    if (put_row(page, key) != 0) return -1;
  }
  return 0;
}

static int put_literals(struct page *page) {
  const struct ledger_literal *literal = page->ledger->literals;
  if (literal == NULL) return 0;
  buffer_text(page->out, "\n# Typed, with a reason\n\n| literal | reason | "
                         "where |\n|:---|:---|:---|\n");
  for (; literal != NULL; literal = literal->next) {
    const char *slash = strrchr(literal->place.file, '/');
    buffer_text(page->out, "| ");
    if (put_text(page, literal->phrase) != 0) return -1;
    buffer_text(page->out, " | ");
    if (put_text(page, literal->reason) != 0) return -1;
    buffer_text(page->out, " | ");
    if (put_text(page, slash == NULL ? literal->place.file : slash + 1) != 0)
      return -1;
    buffer_printf(page->out, ":%d |\n", literal->place.line);
  }
  return 0;
}

/* ---- the page ------------------------------------------------------------ */

static int put_front(struct page *page) {
  const struct ledger *ledger = page->ledger;
  buffer_text(page->out, "---\ntitle: The numbers of “");
  if (made_page_field(page_name, page->options->title, page->out, page->err) !=
      0)
    return -1;
  buffer_text(page->out, "”\n---\n\n");
  buffer_printf(
      page->out,
      "%zu numerals: %zu printed from keys, %zu declared as literals "
      "with a reason, %zu part of the structure of formulas, %zu in "
      "code, addresses and ticks, %zu undeclared. A value holds "
      "while a new measurement stays within its bound, which is "
      "argued beside it.\n",
      ledger->count, ledger->by_source[LEDGER_KEY],
      ledger->by_source[LEDGER_LITERAL], ledger->by_source[LEDGER_STRUCTURE],
      ledger->by_source[LEDGER_CODE] + ledger->by_source[LEDGER_ADDRESS] +
          ledger->by_source[LEDGER_TICK],
      ledger->by_source[LEDGER_UNDECLARED]);
  return 0;
}

int ledger_page(const struct ledger *ledger, const struct pin_set *pins,
                const struct ledger_page_options *options, struct buffer *out,
                struct error *err) {
  struct page page = {.ledger = ledger,
                      .pins = pins,
                      .options = options,
                      .out = out,
                      .err = err};
  collect(&page);
  int status = put_front(&page);
  for (size_t i = 0; i < pins->count && status == 0; i++)
    status = put_file(&page, &pins->files[i]);
  if (status == 0) status = put_figures(&page, ledger->files);
  if (status == 0) status = put_others(&page);
  if (status == 0) status = put_literals(&page);
  free(page.items);
  return status;
}
