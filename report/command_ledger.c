/* pinpress ledger: where every numeral of a page comes from. */
#include <stdio.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/options.h"
#include "report/commands.h"
#include "report/document_file.h"
#include "report/ledger.h"
#include "report/made_page.h"
#include "report/pins.h"

struct account {
  struct document_values from; /* where its values come from */
  const char *figures, *html;
  struct option_texts sources;
  bool json, is_read;
  struct json_document values;
  struct pin_set set;
  struct document document;
  struct ledger ledger;
};

/* ---- figures ------------------------------------------------------------- */

/* DIR/NAME.gp of a figure .../NAME.svg, or NULL. */
static const char *template_of(struct account *a, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash == NULL ? path : slash + 1;
  const char *dot = strrchr(name, '.');
  if (dot == NULL || strcmp(dot, ".svg") != 0) return NULL;
  const char *template = arena_printf(&a->ledger.arena, "%s/%.*s.gp",
                                      a->figures, (int)(dot - name), name);
  return file_exists(template) ? template : NULL;
}

static int add_figures(struct account *a, const struct block *block,
                       struct error *err) {
  for (; block != NULL; block = block->next) {
    if (add_figures(a, block->child, err) != 0) return -1;
    if (block->type != BLOCK_FIGURE) continue;
    const char *template = template_of(a, block->path);
    if (template == NULL)
      ledger_find(&a->ledger, block->place,
                  "the figure %s has no template in %s, so that its numerals "
                  "cannot be traced",
                  block->path, a->figures);
    else if (ledger_add_figure(&a->ledger, template, a->values.root, err) != 0)
      return -1;
  }
  return 0;
}

/* ---- the page of numbers ------------------------------------------------- */

static const char page_style[] =
    "body { max-width: 64rem; }\n"
    "table { width: 100%; }\n"
    "td:nth-child(1), td:nth-child(2) { white-space: nowrap; }\n"
    "td:nth-child(1) { width: 8rem; }\n";

static int write_page(struct account *a, const char *path, struct error *err) {
  struct ledger_page_options options = {
      .title = front_matter_value(&a->document.front, "title", ""),
      .path = path,
      .sources = a->sources.items,
      .source_count = a->sources.count};
  struct buffer text = {0};
  struct source_map map = {0};
  int status = ledger_page(&a->ledger, &a->set, &options, &text, err);
  if (status == 0)
    status = made_page_write(a->html, a->html, &text, &map, page_style, err);
  buffer_free(&text);
  return status;
}

/* ---- the command --------------------------------------------------------- */

static int enter_all(struct account *a, const char *path, struct error *err) {
  if (pins_values(a->from.pins, &a->values, err) != 0 ||
      pins_read_directory(a->from.pins, &a->set, err) != 0 ||
      document_expand_file(path, &a->from, a->values.root, &a->document, err) !=
          0)
    return -1;
  a->is_read = true;
  if (ledger_add_document(&a->ledger, &a->document, err) != 0 ||
      add_figures(a, a->document.blocks, err) != 0)
    return -1;
  ledger_check(&a->ledger, a->values.root);
  return 0;
}

static void print(const struct account *a) {
  struct buffer out = {0};
  if (a->json)
    ledger_report_json(&a->ledger, &out);
  else
    ledger_report_text(&a->ledger, &out);
  fwrite(out.bytes, 1, out.length, stdout);
  buffer_free(&out);
  for (const struct ledger_finding *f = a->ledger.findings; f; f = f->next)
    fprintf(stderr, "%s:%d:%d: %s\n", f->place.file, f->place.line,
            f->place.column, f->text);
}

static int run(struct account *a, const char *path, struct error *err) {
  if (enter_all(a, path, err) != 0) return -1;
  if (a->html != NULL && write_page(a, path, err) != 0) return -1;
  print(a);
  return 0;
}

static const char details[] =
    "A numeral is printed by a tag, declared as a literal, part of a\n"
    "formula's structure, of code, of an address, of tick labels, or\n"
    "undeclared. Literals are declared in the front matter, in a figure's\n"
    "head by `# literal:`\n"
    "  ledger: strict\n"
    "  literals:\n"
    "    episode 3 | number of the lecture\n"
    "    0.97 | published elsewhere | not study.key\n"
    "Exit status: 1 when a numeral is undeclared, a literal is stale or\n"
    "equals a result.";

int command_ledger(int argc, char **argv) {
  struct account a = {.from.pins = "data/pins", .figures = "templates/figures"};
  const struct option_entry entries[] = {
      {.name = "pins",
       .argument = "DIR",
       .text = &a.from.pins,
       .help = "take the values of tags from the pins of DIR\n"
               "(default: data/pins)"},
      {.name = "figures",
       .argument = "DIR",
       .text = &a.figures,
       .help = "find the template NAME.gp of a figure NAME.svg in DIR\n"
               "(default: templates/figures)"},
      {.name = "partials",
       .argument = "DIR",
       .text = &a.from.partials,
       .help = "find partials ({{> name}}) in DIR"},
      {.name = "blocks",
       .argument = "FILE",
       .text = &a.from.blocks,
       .help = "show the outputs of the blocks to run that FILE holds"},
      {.name = "json", .flag = &a.json, .help = "print the account as JSON"},
      {.name = "html",
       .argument = "FILE",
       .text = &a.html,
       .help = "write the page's numbers as a page: key, value, bound,\n"
               "reason, study"},
      {.name = "sources",
       .argument = "DIR",
       .texts = &a.sources,
       .help = "find a study's program, STUDY.c, in DIR for --html;\n"
               "may be repeated"},
      {0}};
  const struct option_usage usage = {
      .synopsis = "[OPTION]... FILE.md",
      .summary = "Account for every numeral of a document and of its figures.",
      .details = details,
      .entries = entries,
      .minimum = 1,
      .maximum = 1};
  struct error err;
  int status;
  if (!options_parse(&usage, &argc, &argv, &status)) return status;
  int result = run(&a, argv[0], &err);
  status = a.ledger.findings_count > 0 ? EXIT_DRIFT : EXIT_HOLDS;
  if (a.is_read) document_free(&a.document);
  ledger_free(&a.ledger);
  pins_free_set(&a.set);
  json_free(&a.values);
  options_free_texts(&a.sources);
  if (result != 0) return options_fail(&err);
  return options_finish(status);
}
