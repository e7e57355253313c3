/* pinpress check: the gate before every page. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/base/file.h"
#include "report/base/memory.h"
#include "report/base/options.h"
#include "report/commands.h"
#include "report/pins_report.h"

struct check_options {
  struct check_paths paths;
  const char *templates, *stamp, *json;
  struct option_texts results, pages;
  struct report_options report;
};

static const char details[] =
    "Results DIR/NAME.json are checked against pins DIR/NAME.json. On\n"
    "success the stamp is written; before anything is read it is removed, so\n"
    "that no page can rest on an older one.\n"
    "\n"
    "Exit status: 0 all pins hold, 1 drift or drafts, 2 wrong usage, bad\n"
    "input or a file that cannot be read or written. The last line is for\n"
    "machines, none when the status is 2:\n"
    "\n"
    "    pinpress: ok|drift|draft keys=N ...";

static bool parse(int *argc, char ***argv, struct check_options *o,
                  int *status) {
  const struct option_entry entries[] = {
      {.name = "results",
       .argument = "DIR",
       .texts = &o->results,
       .help = "what was measured (build/results); repeated, each\n"
               "pin is checked with the worst of all"},
      {.name = "pins",
       .argument = "DIR",
       .text = &o->paths.pins,
       .help = "what it must be (data/pins)"},
      {.name = "measured",
       .argument = "DIR",
       .text = &o->paths.measured,
       .help = "kept results of optional studies (data/measured)"},
      {.name = "templates",
       .argument = "DIR",
       .text = &o->templates,
       .help = "where to look for pages that use a drifted key\n"
               "(templates)"},
      {.name = "page",
       .argument = "NAME",
       .texts = &o->pages,
       .help = "a page that is held back on drift (may be repeated)"},
      {.name = "stamp",
       .argument = "FILE",
       .text = &o->stamp,
       .help = "written when all pins hold, else removed"},
      {.name = "json",
       .argument = "FILE",
       .text = &o->json,
       .help = "write the findings as JSON, - for standard output\n"
               "(instead of the text)"},
      {.name = "draft",
       .flag = &o->report.allow_drafts,
       .help = "let drafts pass that hold"},
      {.name = "tighten",
       .flag = &o->report.tighten,
       .help = "list bounds that are far wider than what is\n"
               "observed"},
      {.name = "verbose",
       .letter = 'v',
       .flag = &o->report.verbose,
       .help = "every pin's row, every drift in full"},
      {.name = "quiet",
       .letter = 'q',
       .flag = &o->report.quiet,
       .help = "only what drifted and the last line"},
      {.name = NULL}};
  const struct option_usage usage = {
      .synopsis = "[OPTION]...",
      .summary = "Check every measured value against its pin, worst first.",
      .details = details,
      .entries = entries};
  return options_parse(&usage, argc, argv, status);
}

static int remove_stamp(const char *path, struct error *err) {
  if (path == NULL || unlink(path) == 0 || errno == ENOENT) return 0;
  return error_errno(err, path, "cannot remove the old stamp");
}

static int write_text(const char *path, const struct buffer *text,
                      struct error *err) {
  if (file_make_parents(path, err) != 0) return -1;
  return file_write(path, text->bytes, text->length, err);
}

static int find_pages(const struct check_options *o, const struct check *check,
                      struct pages *pages, struct error *err) {
  if (report_succeeds(check, &o->report)) return 0;
  for (size_t i = 0; i < o->pages.count; i++)
    pins_pages_add(pages, o->pages.items[i]);
  return pins_pages_scan(o->templates, check, pages, err);
}

static int write_reports(const struct check_options *o,
                         const struct check *check, const struct pages *pages,
                         struct error *err) {
  struct buffer text = {0};
  int result = 0;
  bool only_json = o->json != NULL && strcmp(o->json, "-") == 0;
  if (o->json != NULL) report_json(check, pages, &o->report, &text);
  if (o->json != NULL && !only_json) {
    result = write_text(o->json, &text, err);
    buffer_clear(&text);
  }
  if (!only_json) report_text(check, pages, &o->report, &text);
  if (result == 0) fwrite(text.bytes, 1, text.length, stdout);
  if (result == 0 && (fflush(stdout) != 0 || ferror(stdout)))
    result = error_errno(err, "standard output", "cannot write");
  buffer_free(&text);
  return result;
}

static int write_stamp(const struct check_options *o, const struct check *check,
                       struct error *err) {
  if (o->stamp == NULL) return 0;
  struct buffer text = {0};
  report_stamp(check, &o->report, &text);
  int result = write_text(o->stamp, &text, err);
  buffer_free(&text);
  return result;
}

/* One check of each directory, all merged into the first. */
static int check_all(const struct check_options *o, struct check *checks,
                     struct error *err) {
  for (size_t i = 0; i < o->results.count; i++) {
    struct check_paths paths = o->paths;
    paths.results = o->results.items[i];
    if (check_run(&paths, &checks[i], err) != 0) return -1;
    if (i > 0) check_merge(&checks[0], &checks[i]);
  }
  return 0;
}

static int report(const struct check_options *o, const struct check *check,
                  struct error *err) {
  struct pages pages = {0};
  struct error other;
  int status = EXIT_BAD;
  bool well = report_succeeds(check, &o->report);
  /* Templates that cannot be searched do not hide what has drifted. */
  int searched = find_pages(o, check, &pages, err);
  /* The stamp first: the report's last line must not say ok without it. */
  if (searched == 0 && well && write_stamp(o, check, err) != 0) goto cleanup;
  if (write_reports(o, check, &pages, searched == 0 ? err : &other) == 0) {
    if (searched == 0) status = well ? EXIT_HOLDS : EXIT_DRIFT;
  } else if (o->stamp != NULL) {
    unlink(o->stamp);
  }
cleanup:
  pins_pages_free(&pages);
  return status;
}

static int run(const struct check_options *o, struct error *err) {
  if (remove_stamp(o->stamp, err) != 0) return EXIT_BAD;
  struct check *checks = memory_alloc(o->results.count, sizeof *checks);
  int status = EXIT_BAD;
  if (check_all(o, checks, err) == 0) status = report(o, &checks[0], err);
  for (size_t i = 0; i < o->results.count; i++)
    check_free(&checks[i]);
  free(checks);
  return status;
}

int command_check(int argc, char **argv) {
  struct check_options o = {
      .paths = {.pins = "data/pins", .measured = "data/measured"},
      .templates = "templates"};
  struct error err;
  int status;
  if (!parse(&argc, &argv, &o, &status)) return status;
  if (o.results.count == 0) options_add_text(&o.results, "build/results");
  status = run(&o, &err);
  options_free_texts(&o.results);
  options_free_texts(&o.pages);
  return status == EXIT_BAD ? options_fail(&err) : options_finish(status);
}
