#include "analysis/measured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/json.h"
#include "report/base/memory.h"

enum { PATH = 1024 };

struct source {
  char path[PATH];
  char name[256];
  struct json_document document;
  struct source *next;
};

struct measured {
  const char *const *directories;
  struct source *sources;
};

struct measured *measured_new(const char *const *directories) {
  struct measured *measured = memory_alloc(1, sizeof *measured);
  *measured = (struct measured){directories, NULL};
  return measured;
}

void measured_free(struct measured *measured) {
  for (struct source *s = measured->sources, *next; s != NULL; s = next) {
    next = s->next;
    json_free(&s->document);
    free(s);
  }
  free(measured);
}

static int find_path(const struct measured *measured, const char *name,
                     char path[PATH], struct error *err) {
  for (const char *const *d = measured->directories; *d != NULL; d++) {
    if (snprintf(path, PATH, "%s/%s.json", *d, name) >= PATH)
      return error_set(err, "%s: this name is too long", name);
    if (file_exists(path)) return 0;
  }
  struct buffer searched = {0};
  for (const char *const *d = measured->directories; *d != NULL; d++)
    buffer_printf(&searched, "%s%s", d > measured->directories ? " or " : "",
                  *d);
  error_set(err, "%s.json: no such results in %s", name, searched.bytes);
  buffer_free(&searched);
  return -1;
}

static struct source *open_source(struct measured *measured, const char *name,
                                  struct error *err) {
  struct source *s = measured->sources;
  while (s != NULL && strcmp(s->name, name) != 0)
    s = s->next;
  if (s != NULL) return s;
  s = memory_alloc(1, sizeof *s);
  *s = (struct source){.next = measured->sources};
  snprintf(s->name, sizeof s->name, "%s", name);
  if (find_path(measured, name, s->path, err) != 0 ||
      json_read(s->path, &s->document, err) != 0) {
    json_free(&s->document);
    free(s);
    return NULL;
  }
  return measured->sources = s;
}

int measured_number(struct measured *measured, const char *key,
                    const char *model, double *out, struct error *err) {
  char name[256];
  int study = (int)strcspn(key, ".");
  if (key[study] == '\0' ||
      snprintf(name, sizeof name, "%.*s%s%s", study, key,
               model != NULL ? "-" : "",
               model != NULL ? model : "") >= (int)sizeof name)
    return error_set(err, "%s: this is no key", key);
  const struct source *source = open_source(measured, name, err);
  if (source == NULL) return -1;
  const struct json *values = json_member(source->document.root, "values");
  const struct json *value =
      values != NULL ? json_at(values, key + study + 1) : NULL;
  if (value == NULL || value->type != JSON_NUMBER)
    return error_set(err, "%s: no number %s", source->path, key);
  *out = value->number;
  return 0;
}

int measured_record(const struct measured *measured, struct results *results,
                    struct error *err) {
  for (const struct source *s = measured->sources; s != NULL; s = s->next)
    if (results_input(results, s->path, err) != 0) return -1;
  return 0;
}
