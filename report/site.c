/* The index of a site, and the pages it leads to. */
#include "report/site.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/json.h"
#include "report/front_matter.h"
#include "report/made_page.h"
#include "report/pins.h"
#include "report/template.h"

enum { MOST_DIGITS = 6 };

struct source {
  const char *path, *kind, *name; /* DIR/KIND/NAME.md */
  const char *title, *description;
  int order; /* 0: none is given */
};

struct site {
  const struct site_options *options;
  struct arena arena;
  struct source *sources;
  struct buffer index; /* Markdown */
  struct source_map map;
};

/* ---- sources ------------------------------------------------------------- */

/* Split DIR/KIND/NAME.md. */
static int split_path(struct site *site, const char *path, struct source *out,
                      struct error *err) {
  char *copy = arena_copy(&site->arena, path, strlen(path));
  char *dot = strrchr(copy, '.'), *slash = strrchr(copy, '/');
  if (dot == NULL || strcmp(dot, ".md") != 0 || slash == NULL || slash == copy)
    return error_set(err, "%s: a source is called KIND/NAME.md", path);
  *dot = *slash = 0;
  char *kind = strrchr(copy, '/');
  *out = (struct source){
      .path = path, .kind = kind == NULL ? copy : kind + 1, .name = slash + 1};
  return 0;
}

static int read_order(const struct front_matter *front, int *out,
                      struct error *err) {
  const struct front_field *field = front_matter_field(front, "order");
  *out = 0;
  if (field == NULL) return 0;
  size_t length = strlen(field->value);
  if (strspn(field->value, "0123456789") == length && length <= MOST_DIGITS)
    *out = atoi(field->value);
  if (*out == 0)
    return error_at(err, field->place,
                    "order is a whole number from 1 to 999999, not '%s'",
                    field->value);
  return 0;
}

static int read_source(struct site *site, const char *path, struct source *out,
                       struct error *err) {
  struct buffer text = {0};
  struct source_map map = {0};
  struct front_matter front;
  size_t body;
  if (split_path(site, path, out, err) != 0) return -1;
  int status = file_read(path, &text, err);
  source_map_add_text(&map, 0, (struct place){path, 1, 1}, text.bytes,
                      text.length);
  if (status == 0)
    status = front_matter_parse(text.bytes, text.length, &map, &site->arena,
                                &front, &body, err);
  if (status == 0) {
    out->title = front_matter_value(&front, "title", out->name);
    out->description = front_matter_value(&front, "description", "");
    status = read_order(&front, &out->order, err);
  }
  source_map_free(&map);
  buffer_free(&text);
  return status;
}

static bool stands_before(const struct source *a, const struct source *b) {
  return a->order != 0 && (b->order == 0 || a->order < b->order);
}

/* Among neighbours of one kind: by their order, then those without, each as
 * given where nothing decides. */
static void sort_sources(struct source *sources, size_t count) {
  for (size_t i = 1; i < count; i++) {
    struct source moved = sources[i];
    size_t at = i;
    for (; at > 0 && strcmp(sources[at - 1].kind, moved.kind) == 0 &&
           stands_before(&moved, &sources[at - 1]);
         at--)
      sources[at] = sources[at - 1];
    sources[at] = moved;
  }
}

/* ---- pages --------------------------------------------------------------- */

/* How much of `file` is the source's name, 0 when it is not its page. */
static size_t match(const struct source *source, const char *kind,
                    const char *file) {
  size_t length = strlen(source->name);
  if (strcmp(source->kind, kind) != 0 ||
      strncmp(file, source->name, length) != 0 ||
      (file[length] != '.' && file[length] != '-'))
    return 0;
  return length;
}

static bool belongs(const struct site *site, const struct source *source,
                    const char *file) {
  size_t own = match(source, source->kind, file);
  for (size_t i = 0; i < site->options->source_count && own > 0; i++)
    if (match(&site->sources[i], source->kind, file) > own) own = 0;
  const char *dot = strrchr(file, '.');
  return own > 0 && dot != NULL &&
         (strcmp(dot, ".html") == 0 || strcmp(dot, ".pdf") == 0);
}

/* By stem, a stem before its longer ones, then by ending: a.html, a.pdf,
 * a-key.pdf. */
static int compare_files(const void *x, const void *y) {
  const char *a = *(char *const *)x, *b = *(char *const *)y;
  size_t m = (size_t)(strrchr(a, '.') - a), n = (size_t)(strrchr(b, '.') - b);
  int order = memcmp(a, b, m < n ? m : n);
  if (order == 0 && m != n) order = m < n ? -1 : 1;
  return order != 0 ? order : strcmp(a + m, b + n);
}

/* The names in PAGES/KIND that belong to the source, in order. */
static int list_pages(struct site *site, const struct source *source,
                      char ***out, size_t *count, struct error *err) {
  const char *path =
      arena_printf(&site->arena, "%s/%s", site->options->pages, source->kind);
  DIR *directory = opendir(path);
  if (directory == NULL) return error_errno(err, path, "cannot open");
  *out = NULL;
  *count = 0;
  errno = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL; errno = 0) {
    if (!belongs(site, source, entry->d_name)) continue;
    *out = memory_resize(*out, *count + 1, sizeof **out);
    (*out)[(*count)++] =
        arena_copy(&site->arena, entry->d_name, strlen(entry->d_name));
  }
  int status = errno != 0 ? error_errno(err, path, "cannot read") : 0;
  closedir(directory);
  if (status == 0 && *count == 0)
    status = error_set(err, "%s: no page of it in %s", source->path, path);
  if (status != 0) return -1;
  qsort(*out, *count, sizeof **out, compare_files);
  return 0;
}

static int copy_page(const struct site *site, const char *kind,
                     const char *file, struct error *err) {
  struct buffer from = {0}, to = {0}, bytes = {0};
  buffer_printf(&from, "%s/%s/%s", site->options->pages, kind, file);
  buffer_printf(&to, "%s/%s/%s", site->options->out, kind, file);
  int status = file_read(from.bytes, &bytes, err);
  if (status == 0) status = file_make_parents(to.bytes, err);
  if (status == 0)
    status = file_write(to.bytes, bytes.bytes, bytes.length, err);
  buffer_free(&bytes);
  buffer_free(&to);
  buffer_free(&from);
  return status;
}

/* ---- the index ----------------------------------------------------------- */

static int put_text(struct site *site, const char *text, struct error *err) {
  return made_page_text(site->options->index, text, &site->index, err);
}

/* NAME.html is the page, NAME.pdf its PDF, NAME-key.pdf "key (PDF)". */
static int put_link(struct site *site, const struct source *source,
                    const char *file, struct error *err) {
  const char *rest = file + strlen(source->name), *dot = strrchr(file, '.');
  bool is_pdf = strcmp(dot, ".pdf") == 0;
  buffer_char(&site->index, '[');
  if (rest == dot) {
    buffer_text(&site->index, is_pdf ? "PDF" : "read");
  } else {
    const char *word =
        arena_copy(&site->arena, rest + 1, (size_t)(dot - rest - 1));
    if (put_text(site, word, err) != 0) return -1;
    if (is_pdf) buffer_text(&site->index, " (PDF)");
  }
  buffer_printf(&site->index, "](<%s/%s>)", source->kind, file);
  return 0;
}

static int put_source(struct site *site, const struct source *source,
                      struct error *err) {
  char **files = NULL;
  size_t count = 0;
  int status = list_pages(site, source, &files, &count, err);
  if (status == 0) {
    buffer_text(&site->index, "\n### ");
    status = put_text(site, source->title, err);
    buffer_text(&site->index, "\n\n");
  }
  if (status == 0) status = put_text(site, source->description, err);
  buffer_text(&site->index, "\n\n");
  for (size_t i = 0; i < count && status == 0; i++) {
    if (i > 0) buffer_text(&site->index, " · ");
    status = put_link(site, source, files[i], err);
    if (status == 0) status = copy_page(site, source->kind, files[i], err);
  }
  buffer_char(&site->index, '\n');
  free(files);
  return status;
}

static int put_sources(struct site *site, struct error *err) {
  for (size_t i = 0; i < site->options->source_count; i++) {
    const struct source *source = &site->sources[i];
    if (i == 0 || strcmp(source->kind, source[-1].kind) != 0) {
      char *heading =
          arena_copy(&site->arena, source->kind, strlen(source->kind));
      if (*heading >= 'a' && *heading <= 'z') *heading -= 'a' - 'A';
      buffer_text(&site->index, "\n## ");
      if (put_text(site, heading, err) != 0) return -1;
      buffer_char(&site->index, '\n');
    }
    if (put_source(site, source, err) != 0) return -1;
  }
  buffer_text(&site->index,
              "\n## The check\n\n[The check's report](pins.html), with "
              "every pinned value, its bound and the reason for "
              "it.\n");
  return 0;
}

/* The author's words, with tags filled in. */
static int begin_index(struct site *site, struct error *err) {
  struct json_document values;
  const struct template_options options = {.mode = TEMPLATE_MARKDOWN};
  if (pins_values(site->options->pins, &values, err) != 0) return -1;
  int status = template_render_file(site->options->index, values.root, &options,
                                    &site->index, &site->map, err);
  buffer_char(&site->index, '\n');
  json_free(&values);
  return status;
}

int site_write(const struct site_options *options, struct error *err) {
  struct site site = {.options = options};
  int status = 0;
  site.sources = memory_alloc(options->source_count, sizeof *site.sources);
  for (size_t i = 0; i < options->source_count && status == 0; i++)
    status = read_source(&site, options->sources[i], &site.sources[i], err);
  if (status == 0) sort_sources(site.sources, options->source_count);
  if (status == 0) status = begin_index(&site, err);
  if (status == 0) status = put_sources(&site, err);
  if (status == 0) {
    const char *path = arena_printf(&site.arena, "%s/index.html", options->out);
    status =
        made_page_write(options->index, path, &site.index, &site.map, "", err);
  }
  if (status == 0) status = site_write_pins(options->pins, options->out, err);
  source_map_free(&site.map);
  buffer_free(&site.index);
  free(site.sources);
  arena_free(&site.arena);
  return status;
}
