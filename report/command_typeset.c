/* pinpress typeset: a Markdown document and pinned values to a page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/options.h"
#include "report/commands.h"
#include "report/document_file.h"
#include "report/html.h"
#include "report/typeset.h"

struct typesetting {
  struct document_values values;
  const char *style, *html, *pdf, *paper, *mark;
};

static int make_html(const struct document *document,
                     const struct typesetting *t, struct buffer *page,
                     struct error *err) {
  struct buffer style = {0};
  int status = html_read_style(t->style, &style, err);
  if (status == 0) status = html_write(document, style.bytes, page, err);
  buffer_free(&style);
  return status;
}

static int make_pdf(const struct document *document,
                    const struct typesetting *t, struct buffer *pages,
                    struct error *err) {
  struct typeset_options options = {0};
  const char *unhyphenated;
  if (t->paper != NULL && !typeset_paper_named(t->paper, &options.paper))
    return error_set(err, "pinpress typeset: --paper is a4 or letter, not %s",
                     t->paper);
  if (typeset_pdf(document, &options, pages, &unhyphenated, err) != 0)
    return -1;
  typeset_print_unhyphenated(unhyphenated, stderr);
  return 0;
}

static int write_output(const char *path, const struct buffer *bytes,
                        struct error *err) {
  if (path == NULL) return 0;
  if (file_make_parents(path, err) != 0) return -1;
  return file_write(path, bytes->bytes, bytes->length, err);
}

/* Both are made before either is written. */
static int write_outputs(const struct document *document,
                         const struct typesetting *t, struct error *err) {
  struct buffer page = {0}, pages = {0};
  int status = 0;
  if (t->html != NULL) status = make_html(document, t, &page, err);
  if (status == 0 && t->pdf != NULL)
    status = make_pdf(document, t, &pages, err);
  if (status == 0) status = write_output(t->html, &page, err);
  if (status == 0) status = write_output(t->pdf, &pages, err);
  buffer_free(&page);
  buffer_free(&pages);
  return status;
}

int command_typeset(int argc, char **argv) {
  struct typesetting t = {0};
  const struct option_entry entries[] = {
      {.name = "html",
       .argument = "FILE",
       .text = &t.html,
       .help = "write a self-contained HTML page"},
      {.name = "pdf",
       .argument = "FILE",
       .text = &t.pdf,
       .help = "write printable pages"},
      {.name = "mark",
       .argument = "TEXT",
       .text = &t.mark,
       .help = "say so on every page, such as DRAFT"},
      {.name = "paper",
       .argument = "SIZE",
       .text = &t.paper,
       .help = "a4 (the default) or letter"},
      DOCUMENT_VALUE_OPTIONS(&t.values),
      {.name = "style",
       .argument = "FILE",
       .text = &t.style,
       .help = "use this style sheet in place of the built-in one"},
      {0}};
  const struct option_usage usage = {
      .synopsis = "[OPTION]... FILE.md",
      .summary = "Typeset a Markdown document.",
      .details = "Without --pins or --data the document has no values: a tag "
                 "in it is an error.",
      .entries = entries,
      .minimum = 1,
      .maximum = 1};
  struct document document;
  struct error err;
  int status;
  if (!options_parse(&usage, &argc, &argv, &status)) return status;
  if (t.html == NULL && t.pdf == NULL) {
    error_set(&err, "pinpress typeset: say what to write: --html FILE, --pdf "
                    "FILE or both");
    return options_fail(&err);
  }
  if (document_read_file(argv[0], &t.values, &document, &err) != 0)
    return options_fail(&err);
  if (t.mark != NULL)
    front_matter_override(&document.front, &document.arena, "mark", t.mark,
                          (struct place){"--mark", 0, 0});
  document_print_notes(&document, stderr);
  status = write_outputs(&document, &t, &err);
  document_free(&document);
  if (status != 0) return options_fail(&err);
  return options_finish(EXIT_HOLDS);
}
