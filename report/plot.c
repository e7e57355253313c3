#include "report/plot.h"

#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"
#include "report/ledger.h"
#include "report/plot_data.h"
#include "report/plot_run.h"
#include "report/plot_svg.h"
#include "report/plot_text.h"
#include "report/template.h"

enum { SECONDS = 60 };

struct plot {
  const char *path;
  struct arena arena;
  struct buffer script, raw, messages;
  struct source_map map;
  struct plot_caption caption;
  struct error *err;
};

/* ---- names --------------------------------------------------------------- */

static const char *directory_of(struct plot *p) {
  const char *slash = strrchr(p->path, '/');
  if (slash == NULL) return ".";
  size_t length = slash == p->path ? 1 : (size_t)(slash - p->path);
  return arena_copy(&p->arena, p->path, length);
}

/* The file's name without its suffix, fit for an id. */
static const char *name_of(struct plot *p) {
  const char *slash = strrchr(p->path, '/');
  const char *start = slash != NULL ? slash + 1 : p->path;
  char *name = arena_copy(&p->arena, start, strcspn(start, "."));
  for (char *c = name; *c != 0; c++)
    if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
               "0123456789",
               *c) == NULL)
      *c = '-';
  return *name != 0 ? name : "figure";
}

/* ---- the head's comments ------------------------------------------------- */

/* The text of `# key: ...` and of the lines that continue it, or NULL. */
static const char *head_field(struct plot *p, const char *key) {
  struct buffer text = {0};
  struct plot_head_line line;
  const char *at = p->script.bytes, *end = at + p->script.length;
  bool open = false;
  while (plot_next_head_line(&at, end, &line)) {
    if (line.key != NULL) open = plot_is_key(&line, key);
    if (!open) continue;
    if (text.length > 0) buffer_char(&text, ' ');
    buffer_add(&text, line.text.start,
               (size_t)(line.text.end - line.text.start));
  }
  const char *copy =
      text.length > 0 ? arena_copy(&p->arena, text.bytes, text.length) : NULL;
  buffer_free(&text);
  return copy;
}

static int read_caption(struct plot *p) {
  p->caption.name = name_of(p);
  p->caption.title = head_field(p, "title");
  p->caption.alt = head_field(p, "alt");
  struct place head = {p->path, 1, 1};
  if (p->caption.title == NULL)
    return error_at(p->err, head, "the head lacks a line `# title: ...`");
  if (p->caption.alt == NULL)
    return error_at(p->err, head,
                    "the head lacks a line `# alt: ...` that says what the "
                    "figure shows");
  return 0;
}

/* ---- gnuplot's messages -------------------------------------------------- */

/* The place in the template of the script's line `line`. */
static struct place place_of_line(const struct plot *p, long line) {
  const char *at = p->script.bytes;
  for (long n = 1; n < line; n++) {
    const char *newline = strchr(at, '\n');
    if (newline == NULL) break;
    at = newline + 1;
  }
  return source_map_place(&p->map, (size_t)(at - p->script.bytes));
}

/* gnuplot echoes the line, marks the place, then says
 * `"/dev/fd/3" line 12: what is wrong`; some warnings have no line. */
static int report_messages(struct plot *p, int status) {
  char *text = p->messages.bytes;
  struct place whole = {p->path, 0, 0};
  if (text == NULL || text[strspn(text, " \n")] == 0)
    return error_at(p->err, whole, "gnuplot ends with status %d", status);
  for (char *line = text; line != NULL; line = strchr(line + 1, '\n')) {
    char *mark = strstr(line, " line ");
    if (mark == NULL) break;
    char *end;
    long number = strtol(mark + 6, &end, 10);
    line = mark;
    if (*end != ':' || number < 1) continue;
    end += 1 + strspn(end + 1, " ");
    return error_at(p->err, place_of_line(p, number), "gnuplot: %.*s",
                    (int)strcspn(end, "\n"), end);
  }
  text += strspn(text, " \n");
  return error_at(p->err, whole, "gnuplot: %.*s", (int)strcspn(text, "\n"),
                  text);
}

/* ---- steps --------------------------------------------------------------- */

static int expand(struct plot *p, const struct json *root) {
  struct template_options options = {TEMPLATE_GNUPLOT, directory_of(p)};
  buffer_text(&p->script, "");
  if (template_render_file(p->path, root, &options, &p->script, &p->map,
                           p->err) != 0)
    return -1;
  struct place whole = {p->path, 0, 0};
  if (memchr(p->script.bytes, 0, p->script.length) != NULL)
    return error_at(p->err, whole, "the template holds a 0 byte");
  if (read_caption(p) != 0) return -1;
  if (ledger_require_script(p->script.bytes, p->script.length, &p->map, root,
                            p->err) != 0)
    return -1;
  return plot_data_check(p->script.bytes, p->script.length, &p->map, p->err);
}

static int draw(struct plot *p, struct buffer *svg) {
  int status = 0;
  if (plot_run(p->path, p->script.bytes, p->script.length, SECONDS, &p->raw,
               &p->messages, &status, p->err) != 0)
    return -1;
  if (status != 0 || p->messages.length > 0) return report_messages(p, status);
  if (p->raw.length == 0)
    return error_set(p->err,
                     "%s: gnuplot drew nothing; leave `set output` to "
                     "pinpress and plot at least once",
                     p->path);
  return plot_svg_clean(p->path, p->raw.bytes, p->raw.length, &p->caption, svg,
                        p->err);
}

int plot_draw(const char *path, const struct json *root, struct buffer *svg,
              struct error *err) {
  struct plot p = {.path = path, .err = err};
  int result = expand(&p, root);
  if (result == 0) result = draw(&p, svg);
  buffer_free(&p.script);
  buffer_free(&p.raw);
  buffer_free(&p.messages);
  source_map_free(&p.map);
  arena_free(&p.arena);
  return result;
}
