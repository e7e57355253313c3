#include "report/pins_check.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/base/file.h"
#include "report/base/hash.h"
#include "report/base/memory.h"

const char *check_status_name(enum finding_status status) {
  static const char *const names[FINDING_STATUSES] = {
      "no result", "stale", "no pin", "null", "other type", "moved", "holds"};
  return names[status];
}

void check_allowance_text(const struct pin_allowance *a, struct buffer *out) {
  char bound[JSON_DOUBLE_TEXT];
  buffer_text(out, pins_kind_name(a->kind));
  switch (a->kind) {
  case PIN_EXACT:
    return;
  case PIN_DIGITS:
    buffer_printf(out, " %s", a->format);
    return;
  case PIN_RANGE:
    buffer_printf(out, " %s to %s", a->low->text, a->high->text);
    return;
  default:
    pins_bound_text(a->bound, bound);
    buffer_printf(out, " %s", bound);
  }
}

/* ---- one pin ------------------------------------------------------------- */

static bool fits(const struct pin_override *o,
                 const struct facts *environment) {
  for (const struct json *m = o->where->child; m != NULL; m = m->next) {
    const char *text = facts_find(environment, m->key);
    if (text == NULL || strstr(text, m->text) == NULL) return false;
  }
  return true;
}

static void choose_platform(struct finding *f) {
  const struct pin_override *o = f->pin->overrides;
  while (o != NULL && !fits(o, &f->from->environment))
    o = o->next;
  f->override = o;
  f->pinned = o != NULL && o->value != NULL ? o->value : f->pin->value;
  f->allowance = o != NULL ? &o->allowance : &f->pin->allowance;
}

static void judge(struct finding *f) {
  if (f->found->type == JSON_NULL) {
    f->status = FINDING_NULL;
  } else if (f->found->type != f->pinned->type) {
    f->status = FINDING_TYPE;
  } else {
    f->comparison = compare_values(f->pinned, f->found, f->allowance);
    f->status = f->comparison.holds ? FINDING_HOLDS : FINDING_MOVED;
  }
}

static struct finding *add(struct check *check, enum finding_status status,
                           const char *key) {
  struct finding *f = &check->findings[check->count++];
  *f = (struct finding){.status = status, .key = key};
  f->comparison.ratio = INFINITY;
  return f;
}

static void check_pin(struct check *check, const struct pin_file *file,
                      const struct pin *pin, const struct results_file *from,
                      bool stale) {
  struct finding *f = add(check, FINDING_NO_RESULT, pin->key);
  f->pin = pin;
  f->pins = file;
  f->from = from;
  f->pinned = pin->value;
  f->allowance = &pin->allowance;
  check->drafts += pin->draft;
  if (from == NULL) return;
  choose_platform(f);
  const struct result *result = pins_results_find(from, pin->key);
  f->found = result != NULL ? result->value : NULL;
  if (stale)
    f->status = FINDING_STALE;
  else if (f->found != NULL)
    judge(f);
}

/* Results without pin, but for those of `told`, which may be NULL. */
static void check_unpinned(struct check *check, const struct results_file *from,
                           const struct results_file *told) {
  const struct pin_file *file = pins_file_named(&check->pins, from->name);
  for (size_t i = 0; i < from->count; i++) {
    const char *key = from->results[i].key;
    const struct pin *pin = pins_find(&check->pins, key);
    if (told != NULL && pins_results_find(told, key) != NULL) continue;
    /* The pin of the same key in another file does not count here. */
    if (pin != NULL && file != NULL &&
        pin->place.file == file->document.root->place.file)
      continue;
    struct finding *f = add(check, FINDING_NO_PIN, key);
    f->found = from->results[i].value;
    f->pins = file;
    f->from = from;
  }
}

/* ---- optional studies ---------------------------------------------------- */

/* Kept results count for the file they are tied to, where that is at hand. */
static int is_stale(const struct pin_file *file,
                    const struct results_file *kept, bool *stale,
                    struct error *err) {
  *stale = false;
  if (file->tied_to == NULL) return 0;
  const char *recorded = facts_find(&kept->inputs, file->tied_to);
  if (recorded == NULL)
    return error_set(err, "%s: its inputs do not name %s, which %s ties it to",
                     kept->path, file->tied_to, file->path);
  if (!file_exists(file->tied_to)) return 0;
  char hash[HASH_TEXT];
  if (hash_file(file->tied_to, hash, err) != 0) return -1;
  *stale = strcmp(hash, recorded) != 0;
  return 0;
}

static int compare_findings(const void *x, const void *y) {
  const struct finding *a = x, *b = y;
  bool a_holds = a->status == FINDING_HOLDS,
       b_holds = b->status == FINDING_HOLDS;
  if (a_holds != b_holds) return a_holds ? 1 : -1;
  double p = a->comparison.ratio, q = b->comparison.ratio;
  if (p != q) return p > q ? -1 : 1;
  if (a->status != b->status) return a->status < b->status ? -1 : 1;
  return strcmp(a->key, b->key);
}

/* The pin of an optional study against what was measured here and against what
 * is kept: the worse counts. */
static void check_both(struct check *check, const struct pin_file *file,
                       const struct pin *pin, const struct results_file *from,
                       const struct results_file *kept, bool stale) {
  check_pin(check, file, pin, from, false);
  check_pin(check, file, pin, kept, stale);
  check->drafts -= pin->draft;
  struct finding *second = &check->findings[--check->count];
  if (compare_findings(second, second - 1) < 0) second[-1] = *second;
}

static int check_file(struct check *check, const struct pin_file *file,
                      struct error *err) {
  const struct results_file *from =
      pins_results_named(&check->results, file->name);
  const struct results_file *kept =
      file->optional == NULL ? NULL
                             : pins_results_named(&check->kept, file->name);
  bool stale = false;
  if (from == NULL && kept == NULL && file->optional != NULL) {
    check->skipped[check->skipped_count++] = file;
    return 0;
  }
  if (kept != NULL) {
    if (is_stale(file, kept, &stale, err) != 0) return -1;
    check_unpinned(check, kept, from);
    if (from == NULL && !stale) check->reused[check->reused_count++] = file;
  }
  for (const struct pin *p = file->pins; p != NULL; p = p->next)
    if (from != NULL && kept != NULL)
      check_both(check, file, p, from, kept, stale);
    else
      check_pin(check, file, p, from != NULL ? from : kept, stale);
  return 0;
}

/* ---- all ----------------------------------------------------------------- */

static void finish(struct check *check) {
  qsort(check->findings, check->count, sizeof *check->findings,
        compare_findings);
  memset(check->by_status, 0, sizeof check->by_status);
  check->drifted = 0;
  for (size_t i = 0; i < check->count; i++) {
    check->by_status[check->findings[i].status]++;
    check->drifted += check->findings[i].status != FINDING_HOLDS;
  }
}

static int read_kept(const char *directory, struct results_set *out,
                     struct error *err) {
  struct stat status;
  if (directory == NULL) return 0;
  if (stat(directory, &status) == 0)
    return pins_results_read_all(directory, out, err);
  return errno == ENOENT ? 0 : error_errno(err, directory, "cannot inspect");
}

static int read_all(const struct check_paths *paths, struct check *out,
                    struct error *err) {
  if (pins_read_directory(paths->pins, &out->pins, err) != 0 ||
      pins_results_read_all(paths->results, &out->results, err) != 0 ||
      read_kept(paths->measured, &out->kept, err) != 0)
    return -1;
  size_t room = out->pins.pins + 2;
  for (size_t i = 0; i < out->results.count; i++)
    room += out->results.files[i].count;
  for (size_t i = 0; i < out->kept.count; i++)
    room += out->kept.files[i].count;
  out->findings = memory_alloc(room, sizeof *out->findings);
  out->skipped = memory_alloc(out->pins.count + 1, sizeof *out->skipped);
  out->reused = memory_alloc(out->pins.count + 1, sizeof *out->reused);
  return 0;
}

int check_run(const struct check_paths *paths, struct check *out,
              struct error *err) {
  *out = (struct check){0};
  int result = read_all(paths, out, err);
  for (size_t i = 0; i < out->pins.count && result == 0; i++)
    result = check_file(out, &out->pins.files[i], err);
  for (size_t i = 0; i < out->results.count && result == 0; i++)
    check_unpinned(out, &out->results.files[i], NULL);
  if (result == 0 && out->count == 0 && out->skipped_count == 0)
    result = error_set(err,
                       "%s and %s: no result and no pin to check (see pinpress "
                       "init --help)",
                       paths->results, paths->pins);
  if (result == 0)
    finish(out);
  else
    check_free(out);
  return result;
}

static int compare_keys(const void *x, const void *y) {
  return strcmp(((const struct finding *)x)->key,
                ((const struct finding *)y)->key);
}

/* Keep those of `files` that `other` did not measure. */
static void drop_measured(const struct pin_file **files, size_t *count,
                          const struct check *other) {
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++)
    if (pins_results_named(&other->results, files[i]->name) == NULL)
      files[kept++] = files[i];
  *count = kept;
}

void check_merge(struct check *check, const struct check *other) {
  drop_measured(check->skipped, &check->skipped_count, other);
  drop_measured(check->reused, &check->reused_count, other);
  size_t known = check->count;
  check->findings = memory_resize(check->findings, known + other->count + 1,
                                  sizeof *check->findings);
  qsort(check->findings, known, sizeof *check->findings, compare_keys);
  for (size_t i = 0; i < other->count; i++) {
    const struct finding *f = &other->findings[i];
    struct finding *mine = bsearch(f, check->findings, known,
                                   sizeof *check->findings, compare_keys);
    if (mine == NULL) {
      mine = &check->findings[check->count++];
      *mine = *f;
      mine->pins = pins_file_named(&check->pins, f->from->name);
    } else if (compare_findings(f, mine) < 0) {
      const struct finding old = *mine;
      *mine = *f;
      mine->pin = old.pin; /* the pin and its file stay this check's own */
      mine->pins = old.pins;
    }
  }
  finish(check);
}

void check_free(struct check *check) {
  free(check->findings);
  free(check->skipped);
  free(check->reused);
  pins_free_set(&check->pins);
  pins_results_free_all(&check->results);
  pins_results_free_all(&check->kept);
  *check = (struct check){0};
}

/* ---- what has changed ---------------------------------------------------- */

static void add_change(struct check_changes *out, const char *part,
                       const char *name, const char *before,
                       const char *after) {
  out->items = memory_resize(out->items, out->count + 1, sizeof *out->items);
  out->items[out->count++] = (struct check_change){part, name, before, after};
}

/* Both lists are in the order of their names. */
static void merge(struct check_changes *out, const char *part,
                  const struct facts *before, const struct facts *after) {
  size_t i = 0, j = 0;
  while (i < before->count || j < after->count) {
    const struct fact *a = &before->items[i], *b = &after->items[j];
    int order = i == before->count  ? 1
                : j == after->count ? -1
                                    : strcmp(a->name, b->name);
    if (order < 0)
      add_change(out, part, a->name, a->text, NULL);
    else if (order > 0)
      add_change(out, part, b->name, NULL, b->text);
    else if (strcmp(a->text, b->text) != 0)
      add_change(out, part, a->name, a->text, b->text);
    i += order <= 0;
    j += order >= 0;
  }
}

void check_changes_find(const struct json *taken,
                        const struct results_file *from,
                        struct check_changes *out) {
  *out = (struct check_changes){0};
  struct facts before;
  facts_collect(json_member(taken, "inputs"), &out->arena, &before);
  merge(out, "input", &before, &from->inputs);
  facts_free(&before);
  facts_collect(json_member(taken, "environment"), &out->arena, &before);
  merge(out, "environment", &before, &from->environment);
  facts_free(&before);
}

void check_changes_free(struct check_changes *changes) {
  free(changes->items);
  arena_free(&changes->arena);
  *changes = (struct check_changes){0};
}
