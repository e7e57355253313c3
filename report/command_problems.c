/* pinpress problems: a problem set to its sheet, key, solutions and pages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/options.h"
#include "report/commands.h"
#include "report/document_file.h"
#include "report/html.h"
#include "report/problem_set.h"
#include "report/typeset.h"

/* What can be made, in the order of enum problem_page. */
static const struct output {
  const char *part, *suffix;
} outputs[] = {{"set", ".pdf"},
               {"problems", "-problems.pdf"},
               {"key", "-key.pdf"},
               {"solutions", "-solutions.pdf"},
               {"html", ".html"}};
enum { OUTPUTS = sizeof outputs / sizeof *outputs, MOST_WORK_SPACE = 100 };

/* Options that stand for a field of the front matter. */
enum field {
  FIELD_TITLE,
  FIELD_AUTHOR,
  FIELD_COURSE,
  FIELD_SCHOOL,
  FIELD_DATE,
  FIELD_PAPER,
  FIELD_ONLY,
  FIELD_RENUMBER,
  FIELD_WORK_SPACE,
  FIELD_NAME_LINE,
  FIELD_DATE_LINE,
  FIELD_POINTS,
  FIELD_MARK,
  FIELDS
};
static const char *const fields[FIELDS] = {
    "title",     "author", "course",   "school",     "date",
    "paper",     "only",   "renumber", "work-space", "name-line",
    "date-line", "points", "mark"};

struct settings {
  struct document_values values;
  const char *directory, *parts, *style;
  const char *given[FIELDS]; /* on the command line, or NULL */
  bool wanted[OUTPUTS];
  struct typeset_options page;
  int work_space;
  struct buffer style_text;
};

/* ---- settings ------------------------------------------------------------ */

static int read_parts(struct settings *s, struct error *err) {
  for (const char *part = s->parts;; part++) {
    size_t length = strcspn(part, ","), i = 0;
    while (i < OUTPUTS && (strlen(outputs[i].part) != length ||
                           memcmp(outputs[i].part, part, length) != 0))
      i++;
    bool is_all = length == 3 && memcmp(part, "all", 3) == 0;
    if (i == OUTPUTS && !is_all)
      return error_set(err,
                       "--parts: unknown part '%.*s': all, set, problems, key, "
                       "solutions or html",
                       (int)length, part);
    for (size_t k = 0; k < OUTPUTS; k++)
      s->wanted[k] = s->wanted[k] || is_all || k == i;
    part += length;
    if (*part == 0) return 0;
  }
}

static void override_fields(const struct settings *s,
                            struct document *document) {
  for (int i = 0; i < FIELDS; i++) {
    if (s->given[i] == NULL) continue;
    struct place place = {arena_printf(&document->arena, "--%s", fields[i]), 0,
                          0};
    front_matter_override(&document->front, &document->arena, fields[i],
                          s->given[i], place);
  }
}

/* The field, or NULL when it is absent or `no`. */
static const struct front_field *field_of(const struct document *document,
                                          enum field field) {
  const struct front_field *found =
      front_matter_field(&document->front, fields[field]);
  return found != NULL && strcmp(found->value, "no") != 0 ? found : NULL;
}

static const char *text_of(const struct document *document, enum field field) {
  const struct front_field *found = field_of(document, field);
  return found != NULL && *found->value != 0 ? found->value : NULL;
}

static int read_work_space(struct settings *s, const struct document *document,
                           struct error *err) {
  const struct front_field *field = field_of(document, FIELD_WORK_SPACE);
  if (field == NULL) return 0;
  const char *text = field->value;
  if (*text == 0 || strspn(text, "0123456789") != strlen(text) ||
      strlen(text) > 3 || atoi(text) > MOST_WORK_SPACE)
    return error_at(err, field->place,
                    "work space is a number of lines up to %d, not '%s'",
                    MOST_WORK_SPACE, text);
  s->work_space = atoi(text);
  return 0;
}

static int read_paper(struct settings *s, const struct document *document,
                      struct error *err) {
  const struct front_field *field = field_of(document, FIELD_PAPER);
  if (field == NULL || typeset_paper_named(field->value, &s->page.paper))
    return 0;
  return error_at(err, field->place, "paper is a4 or letter, not '%s'",
                  field->value);
}

/* School and date, where there are both. */
static const char *place_and_time(struct document *document) {
  const char *school = text_of(document, FIELD_SCHOOL);
  const char *date = text_of(document, FIELD_DATE);
  if (school == NULL || date == NULL) return school != NULL ? school : date;
  return arena_printf(&document->arena, "%s, %s", school, date);
}

static int choose(struct problem_set *set, struct error *err) {
  const struct front_field *only = field_of(set->document, FIELD_ONLY);
  const struct front_field *renumber = field_of(set->document, FIELD_RENUMBER);
  if (renumber != NULL && strcmp(renumber->value, "yes") != 0)
    return error_at(err, renumber->place, "renumber is yes or no, not '%s'",
                    renumber->value);
  if (only == NULL) return 0;
  return problem_set_choose(set, only->value, renumber != NULL, only->place,
                            err);
}

static int read_settings(struct settings *s, struct problem_set *set,
                         struct error *err) {
  struct document *document = set->document;
  s->page.above_left = text_of(document, FIELD_COURSE);
  s->page.above_right = place_and_time(document);
  if (choose(set, err) != 0 || read_paper(s, document, err) != 0 ||
      read_work_space(s, document, err) != 0)
    return -1;
  return html_read_style(s->style, &s->style_text, err);
}

/* ---- pages --------------------------------------------------------------- */

/* The label of a blank to fill in, or NULL. */
static const char *blank(const struct document *document, enum field field,
                         enum document_label label) {
  const struct front_field *found = field_of(document, field);
  if (found == NULL) return NULL;
  bool is_plain = *found->value == 0 || strcmp(found->value, "yes") == 0;
  return is_plain ? document_label(document, label) : found->value;
}

/* Blanks stand on the sheet alone. */
static int add_blanks(const struct problem_set *set,
                      struct typeset_options *options, struct error *err) {
  const struct document *document = set->document;
  const char *all[] = {blank(document, FIELD_NAME_LINE, LABEL_NAME),
                       blank(document, FIELD_DATE_LINE, LABEL_DATE),
                       blank(document, FIELD_POINTS, LABEL_POINTS)};
  size_t count = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] != NULL) options->fields[count++] = all[i];
  double total;
  if (all[2] == NULL) return 0;
  if (problem_set_points(set, &total, err) != 0) return -1;
  if (total > 0)
    options->field_end =
        arena_printf(&set->document->arena, "/\xc2\xa0%.10g", total);
  return 0;
}

/* A page of answers does not introduce the set; its foot says what it is. */
static void set_apart(struct typeset_options *options,
                      const struct problem_set *set,
                      enum document_label label) {
  const struct front_matter *front = &set->document->front;
  const char *title = front_matter_value(front, "title", "");
  title = front_matter_value(front, "short-title", title);
  const char *words = document_label(set->document, label);
  options->description = "";
  options->foot = *title == 0
                      ? words
                      : arena_printf(&set->document->arena,
                                     "%s \xe2\x80\x93 %s", title, words);
}

static int make_pdf(const struct settings *s, const struct problem_set *set,
                    enum problem_page page, const struct document *document,
                    struct buffer *out, const char **unhyphenated,
                    struct error *err) {
  struct typeset_options options = s->page;
  if (page == PROBLEM_PAGE_PROBLEMS && add_blanks(set, &options, err) != 0)
    return -1;
  if (page == PROBLEM_PAGE_KEY) set_apart(&options, set, LABEL_ANSWERS);
  if (page == PROBLEM_PAGE_SOLUTIONS) set_apart(&options, set, LABEL_SOLUTIONS);
  return typeset_pdf(document, &options, out, unhyphenated, err);
}

static int make_page(const struct settings *s, struct problem_set *set,
                     enum problem_page page, struct buffer *out,
                     const char **unhyphenated, struct error *err) {
  struct document document;
  problem_set_assemble(set, page, s->work_space, &document);
  if (page == PROBLEM_PAGE_FOLDED)
    return html_write(&document, s->style_text.bytes, out, err);
  return make_pdf(s, set, page, &document, out, unhyphenated, err);
}

static int write_page(const char *directory, const char *file,
                      const char *suffix, const struct buffer *page,
                      struct error *err) {
  struct buffer path = {0};
  const char *slash = strrchr(file, '/');
  const char *name = slash != NULL ? slash + 1 : file;
  size_t length = strlen(name);
  if (length > 3 && strcmp(name + length - 3, ".md") == 0) length -= 3;
  buffer_printf(&path, "%s/%.*s%s", directory, (int)length, name, suffix);
  int status = file_make_parents(path.bytes, err);
  if (status == 0)
    status = file_write(path.bytes, page->bytes, page->length, err);
  buffer_free(&path);
  return status;
}

static void print_notes(const struct problem_set *set,
                        const char *unhyphenated) {
  document_print_notes(set->document, stderr);
  typeset_print_unhyphenated(unhyphenated, stderr);
  const char *before = "note: what is printed refers to left-out problems: ";
  for (size_t i = 0; i < set->count; i++) {
    const struct problem *problem = &set->problems[i];
    if (!problem->is_missed) continue;
    fprintf(stderr, "%s%zu (%s)", before, i + 1, problem->heading->id);
    before = ", ";
  }
  if (*before == ',') putc('\n', stderr);
}

/* All pages are made before the first is written. */
static int print(const char *file, const struct settings *s,
                 struct problem_set *set, struct error *err) {
  struct buffer pages[OUTPUTS] = {{0}};
  const char *unhyphenated = NULL;
  int status = 0;
  for (int i = 0; status == 0 && i < OUTPUTS; i++)
    if (s->wanted[i])
      status = make_page(s, set, (enum problem_page)i, &pages[i], &unhyphenated,
                         err);
  for (int i = 0; status == 0 && i < OUTPUTS; i++)
    if (s->wanted[i])
      status =
          write_page(s->directory, file, outputs[i].suffix, &pages[i], err);
  for (int i = 0; i < OUTPUTS; i++)
    buffer_free(&pages[i]);
  if (status == 0) print_notes(set, unhyphenated);
  return status;
}

static int run(const char *file, struct settings *s, struct error *err) {
  struct document document;
  struct problem_set set;
  if (read_parts(s, err) != 0 ||
      document_read_file(file, &s->values, &document, err) != 0)
    return -1;
  override_fields(s, &document);
  int status = problem_set_read(&document, file, &set, err);
  if (status == 0) status = read_settings(s, &set, err);
  if (status == 0) status = print(file, s, &set, err);
  buffer_free(&s->style_text);
  document_free(&document);
  return status;
}

static const char details[] =
    "Parts, made from FILE = NAME.md:\n"
    "  set        NAME.pdf            problems, answers, worked solutions and "
    "what\n"
    "                                 goes wrong, each on pages of its own\n"
    "  problems   NAME-problems.pdf   the sheet alone\n"
    "  key        NAME-key.pdf        the answers alone\n"
    "  solutions  NAME-solutions.pdf  worked solutions and what goes wrong\n"
    "  html       NAME.html           all of it, answers and solutions folded\n"
    "\n"
    "Each option from --title to --points is also a field of the file's\n"
    "head. Links to problems that --only leaves out read `Problem 3` as\n"
    "before; with --renumber they read the problem's title.\n"
    "\n"
    "A set in ten lines:\n"
    "\n"
    "  # Problems\n"
    "  ## The sum (4 points) \u00b7\u00b7 {#sum}\n"
    "  What is $1+1$?\n"
    "  ### Answer\n"
    "  $2$\n"
    "  ### Solution\n"
    "  1. $1+1$ is the number that follows $1$.\n"
    "\n"
    "     Adding one is counting on.\n"
    "  2. That number is $2$.\n"
    "\n"
    "Words have no meaning in it, headings have. The level-1 heading with\n"
    "the id `problems` holds the problems (# Problems has it; else #\n"
    "Aufgaben {#problems}). Each level-2 heading below it is a problem: its\n"
    "title, points, difficulty (one to three dots, U+00B7), and the id by\n"
    "which others refer to it: [](#sum) reads `Problem 1`. Its first level-3\n"
    "heading begins the answer, its second the worked solution, where the\n"
    "first paragraph of a numbered item is a step and those behind it its\n"
    "reason. What stands above `problems` is printed with the sheet, what\n"
    "stands below with the solutions; there the level-1 heading with the id\n"
    "`mistakes` holds one mistake a level-2 heading, with \u2717 before the\n"
    "step that is wrong.\n"
    "\n"
    "`pinpress new problems NAME` writes a file to start from. Fields of the\n"
    "head: title, short-title, author, description, language, course,\n"
    "school, date, and words in place of the language's own: problem,\n"
    "answers, solutions, name-label, date-label, points-label, difficulty.";

int command_problems(int argc, char **argv) {
  struct settings s = {.directory = ".", .parts = "all"};
  const struct option_entry entries[] = {
      {.name = "out",
       .letter = 'o',
       .argument = "DIR",
       .text = &s.directory,
       .help = "write to DIR (default: here)"},
      {.name = "parts",
       .argument = "LIST",
       .text = &s.parts,
       .help = "all (the default), or some of set, problems,\n"
               "key, solutions, html, with commas between"},
      {.name = "title",
       .argument = "TEXT",
       .text = &s.given[FIELD_TITLE],
       .help = "print this title"},
      {.name = "author",
       .argument = "TEXT",
       .text = &s.given[FIELD_AUTHOR],
       .help = "print this author"},
      {.name = "course",
       .argument = "TEXT",
       .text = &s.given[FIELD_COURSE],
       .help = "print the course above the title"},
      {.name = "school",
       .argument = "TEXT",
       .text = &s.given[FIELD_SCHOOL],
       .help = "and the school"},
      {.name = "date",
       .argument = "TEXT",
       .text = &s.given[FIELD_DATE],
       .help = "and a date, as it is to be read"},
      {.name = "paper",
       .argument = "SIZE",
       .text = &s.given[FIELD_PAPER],
       .help = "a4 (the default) or letter"},
      {.name = "only",
       .argument = "LIST",
       .text = &s.given[FIELD_ONLY],
       .help = "print these problems in this order: numbers,\n"
               "ranges or ids, such as 2,5-7,sum"},
      {.name = "renumber",
       .otherwise = "yes",
       .argument = "yes|no",
       .text = &s.given[FIELD_RENUMBER],
       .help = "number what --only leaves from 1 on"},
      {.name = "work-space",
       .otherwise = "8",
       .argument = "LINES",
       .text = &s.given[FIELD_WORK_SPACE],
       .help = "leave at least so many lines to write on below\n"
               "each problem of the sheet (default: 8)"},
      {.name = "name-line",
       .otherwise = "yes",
       .argument = "LABEL",
       .text = &s.given[FIELD_NAME_LINE],
       .help = "leave a blank for the name on the sheet"},
      {.name = "date-line",
       .otherwise = "yes",
       .argument = "LABEL",
       .text = &s.given[FIELD_DATE_LINE],
       .help = "for the date"},
      {.name = "points",
       .otherwise = "yes",
       .argument = "LABEL",
       .text = &s.given[FIELD_POINTS],
       .help = "and for the points, with their sum"},
      {.name = "mark",
       .argument = "TEXT",
       .text = &s.given[FIELD_MARK],
       .help = "say so on every page, such as DRAFT"},
      DOCUMENT_VALUE_OPTIONS(&s.values),
      {.name = "style",
       .argument = "FILE",
       .text = &s.style,
       .help = "use this style sheet in the HTML page"},
      {0}};
  const struct option_usage usage = {
      .synopsis = "[OPTION]... FILE.md",
      .summary = "Print a problem set: sheet, key and worked solutions.",
      .details = details,
      .entries = entries,
      .minimum = 1,
      .maximum = 1};
  struct error err;
  int status;
  if (!options_parse(&usage, &argc, &argv, &status)) return status;
  if (run(argv[0], &s, &err) != 0) return options_fail(&err);
  return options_finish(EXIT_HOLDS);
}
