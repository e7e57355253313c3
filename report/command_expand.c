/* pinpress expand: a template's text with the pinned values in it. */
#include <stdio.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/json.h"
#include "report/base/options.h"
#include "report/commands.h"
#include "report/pins.h"
#include "report/template.h"

struct settings {
  const char *pins, *data, *partials, *escape, *output;
};

static const struct {
  const char *name, *suffix;
  enum template_mode mode;
} modes[] = {{"none", "", TEMPLATE_PLAIN},
             {"markdown", ".md", TEMPLATE_MARKDOWN},
             {"html", ".html", TEMPLATE_HTML},
             {"gnuplot", ".gp", TEMPLATE_GNUPLOT}};

enum { MODES = sizeof modes / sizeof modes[0] };

static int choose_mode(const char *path, const char *escape,
                       enum template_mode *out, struct error *err) {
  const char *dot = strrchr(path, '.');
  *out = TEMPLATE_PLAIN;
  for (int i = 0; i < MODES; i++) {
    const char *wanted = escape != NULL ? modes[i].name : modes[i].suffix;
    const char *given = escape != NULL ? escape : dot;
    if (given == NULL || strcmp(given, wanted) != 0) continue;
    *out = modes[i].mode;
    return 0;
  }
  if (escape == NULL) return 0;
  return error_set(err,
                   "--escape: \"%s\" is none of none, markdown, html, "
                   "gnuplot",
                   escape);
}

/* The members of `data` behind those of `pins`, in a root of their own. */
static int join(const struct json_document *pins,
                const struct json_document *data, struct json *out,
                struct error *err) {
  struct json **link = &out->child;
  *out = (struct json){.type = JSON_OBJECT};
  const struct json *roots[] = {pins->root, data->root};
  for (int i = 0; i < 2; i++) {
    if (roots[i] == NULL) continue;
    if (roots[i]->type != JSON_OBJECT)
      return error_at(err, roots[i]->place, "an object is expected");
    for (const struct json *m = roots[i]->child; i == 1 && m != NULL;
         m = m->next)
      if (json_member(pins->root, m->key) != NULL)
        return error_at(err, m->place, "\"%s\" is also a study of the pins",
                        m->key);
    *link = roots[i]->child;
    while (*link != NULL)
      link = &(*link)->next;
    out->count += roots[i]->count;
  }
  return 0;
}

static int write_out(const struct settings *s, const struct buffer *text,
                     struct error *err) {
  if (s->output != NULL)
    return file_write(s->output, text->bytes, text->length, err);
  fwrite(text->bytes, 1, text->length, stdout);
  return 0;
}

static int expand(const char *path, const struct settings *s,
                  struct error *err) {
  struct json_document pins = {0}, data = {0};
  struct json root;
  struct template_options options = {.partials = s->partials};
  struct buffer out = {0};
  int result = -1;
  buffer_text(&out, "");
  if (choose_mode(path, s->escape, &options.mode, err) != 0) goto cleanup;
  if (s->pins != NULL && pins_values(s->pins, &pins, err) != 0) goto cleanup;
  if (s->data != NULL && json_read(s->data, &data, err) != 0) goto cleanup;
  if (join(&pins, &data, &root, err) != 0) goto cleanup;
  if (template_render_file(path, &root, &options, &out, NULL, err) != 0)
    goto cleanup;
  result = write_out(s, &out, err);
cleanup:
  buffer_free(&out);
  json_free(&data);
  json_free(&pins);
  return result;
}

int command_expand(int argc, char **argv) {
  struct settings s = {0};
  const struct option_entry entries[] = {
      {.name = "pins",
       .argument = "DIR",
       .text = &s.pins,
       .help = "take values from the pins of DIR"},
      {.name = "data",
       .argument = "FILE",
       .text = &s.data,
       .help = "take values from the JSON object of FILE"},
      {.name = "partials",
       .argument = "DIR",
       .text = &s.partials,
       .help = "look up partials in DIR"},
      {.name = "escape",
       .argument = "FOR",
       .text = &s.escape,
       .help = "none, markdown, html or gnuplot (default: by\n"
               "the file's name: .md, .html, .gp, else none)"},
      {.name = "output",
       .letter = 'o',
       .argument = "FILE",
       .text = &s.output,
       .help = "write FILE instead of standard output"},
      {0}};
  const struct option_usage usage = {
      .synopsis = "[OPTION]... FILE",
      .summary = "Expand the Mustache template FILE.",
      .details = "A format may follow a bar: {{key|%.3f}}, {{key|%,d}}, "
                 "{{key|sci.2}},\n"
                 "{{key|sig.3}}, {{key|percent.1}}.",
      .entries = entries,
      .minimum = 1,
      .maximum = 1};
  struct error err;
  int status;
  if (!options_parse(&usage, &argc, &argv, &status)) return status;
  if (expand(argv[0], &s, &err) != 0) return options_fail(&err);
  return options_finish(EXIT_HOLDS);
}
