/* The check as JSON. */
#include <math.h>

#include "report/pins_report.h"

static void add_number(cJSON *object, const char *name, double value) {
  if (isinf(value))
    cJSON_AddStringToObject(object, name, "infinite");
  else
    cJSON_AddItemToObject(object, name, json_new_double(value));
}

static void add_count(cJSON *object, const char *name, size_t n) {
  cJSON_AddItemToObject(object, name, json_new_integer((long long)n));
}

static void add_value(cJSON *object, const char *name,
                      const struct json *value) {
  cJSON *item;
  if (value == NULL || value->type == JSON_NULL)
    item = cJSON_CreateNull();
  else if (value->type == JSON_NUMBER)
    item = cJSON_CreateRaw(value->text);
  else if (value->type == JSON_STRING)
    item = cJSON_CreateString(value->text);
  else
    item = cJSON_CreateBool(value->boolean);
  cJSON_AddItemToObject(object, name, item);
}

static cJSON *finding_new(const struct finding *f) {
  cJSON *object = cJSON_CreateObject();
  cJSON_AddStringToObject(object, "key", f->key);
  cJSON_AddStringToObject(object, "status", check_status_name(f->status));
  if (f->pin != NULL) {
    struct buffer allowed = {0};
    check_allowance_text(f->allowance, &allowed);
    add_value(object, "pinned", f->pinned);
    cJSON_AddStringToObject(object, "bound", allowed.bytes);
    buffer_free(&allowed);
    if (f->pin->unit != NULL)
      cJSON_AddStringToObject(object, "unit", f->pin->unit);
    cJSON_AddStringToObject(object, "reason",
                            f->override != NULL ? f->override->reason
                                                : f->pin->reason);
    if (f->pin->draft) cJSON_AddBoolToObject(object, "draft", true);
  }
  if (f->found != NULL) add_value(object, "found", f->found);
  if (f->status == FINDING_MOVED || f->status == FINDING_HOLDS) {
    add_number(object, "observed", f->comparison.observed);
    add_number(object, "allowed", f->comparison.allowed);
    add_number(object, "ratio", f->comparison.ratio);
  }
  return object;
}

static void add_changes(cJSON *list, const struct json *record,
                        const struct results_file *from) {
  struct check_changes changes;
  check_changes_find(record, from, &changes);
  for (size_t i = 0; i < changes.count; i++) {
    const struct check_change *c = &changes.items[i];
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "results", from->path);
    cJSON_AddStringToObject(item, "part", c->part);
    cJSON_AddStringToObject(item, "name", c->name);
    if (c->before != NULL) cJSON_AddStringToObject(item, "before", c->before);
    if (c->after != NULL) cJSON_AddStringToObject(item, "after", c->after);
    cJSON_AddItemToArray(list, item);
  }
  check_changes_free(&changes);
}

/* Each record of a pin file against the results it was checked with. */
static void add_all_changes(cJSON *list, const struct check *check) {
  for (size_t i = 0; i < check->pins.count; i++) {
    const struct pin_file *file = &check->pins.files[i];
    const struct json *taken = json_member(file->document.root, "taken");
    const struct results_file *from =
        pins_results_named(&check->results, file->name);
    if (taken == NULL || from == NULL) continue;
    for (const struct json *r = taken->child; r != NULL; r = r->next)
      add_changes(list, r, from);
  }
}

static void add_pages(cJSON *list, const struct pages *pages) {
  for (size_t i = 0; i < pages->count; i++) {
    const struct page *page = &pages->items[i];
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "path", page->path);
    if (page->key != NULL) {
      cJSON_AddStringToObject(item, "uses", page->key);
      add_count(item, "line", (size_t)page->place.line);
      add_count(item, "column", (size_t)page->place.column);
    }
    cJSON_AddItemToArray(list, item);
  }
}

void report_json(const struct check *check, const struct pages *pages,
                 const struct report_options *options, struct buffer *out) {
  cJSON *root = cJSON_CreateObject();
  bool well = report_succeeds(check, options);
  cJSON_AddStringToObject(root, "status",
                          check->drifted > 0 ? "drift"
                          : well             ? "ok"
                                             : "draft");
  add_count(root, "keys", check->count);
  add_count(root, "drifted", check->drifted);
  add_count(root, "drafts", check->drafts);
  cJSON *skipped = cJSON_AddArrayToObject(root, "skipped");
  for (size_t i = 0; i < check->skipped_count; i++)
    cJSON_AddItemToArray(skipped, cJSON_CreateString(check->skipped[i]->path));
  add_all_changes(cJSON_AddArrayToObject(root, "changed"), check);
  add_pages(cJSON_AddArrayToObject(root, "held_back"), pages);
  cJSON *findings = cJSON_AddArrayToObject(root, "findings");
  for (size_t i = 0; i < check->count; i++)
    cJSON_AddItemToArray(findings, finding_new(&check->findings[i]));
  json_print(root, out);
  cJSON_Delete(root);
}
