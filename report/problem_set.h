/* Problem sets: one Markdown document (markdown.h) read as problems with their
 * answers and worked solutions, and put together again as pages.
 *
 * The format gives no meaning to words, so a set may be written in any
 * language. Headings say what is what:
 *
 *   ---
 *   title: Two sums            ("pinpress problems --help" lists the fields)
 *   ---
 *   # Problems                 holds the problems: the level-1 heading with the
 *                              id `problems` (# Aufgaben {#problems})
 *   ## The sum (4 points) ·· {#sum}
 *                              one problem. Dots (U+00B7), one to three, are
 *                              its difficulty; parentheses that begin with a
 *                              digit are its points; the id is what others
 *                              refer to. Each of them may be left out, and the
 *                              title too.
 *   What is $1+1$?             its statement
 *   ### Answer                 the first level-3 heading begins the answer,
 *   $2$
 *   ### Solution               the second the worked solution.
 *   1. One and one is two.     A numbered list holds its steps: the first
 *                              paragraph of an item is the step,
 *      By counting.            those behind it say why.
 *
 * Level-1 headings above `problems` are the preface, printed with the sheet.
 * Those below it are printed with the solutions; in the one with the id
 * `mistakes` each level-2 heading is a wrong derivation, and at least one of
 * its steps starts with ✗: the tempting one.
 *
 * `[](#sum)` reads "Problem 1". Problems count in the order of the file. */
#ifndef PROBLEM_SET_H
#define PROBLEM_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/document.h"

enum { PROBLEM_MOST_DOTS = 3 };

struct problem {
  const struct block *heading; /* in the source, which links lead to */
  const struct span *title;    /* without points and dots; NULL: none */
  int number;                  /* printed */
  int difficulty;              /* dots, 0 to PROBLEM_MOST_DOTS */
  const char *points;          /* "4 points", or NULL */
  double worth;                /* the number that `points` begins with */
  struct block *statement, *answer, *solution; /* never empty */
  const struct block *answer_heading, *solution_heading;
  bool is_chosen;
  bool is_missed; /* not chosen, but a page that was made refers to it */
};

struct problem_set {
  struct document *document; /* lent; its arena owns all that follows */
  struct block *preface;
  const struct block *heading; /* with the id `problems` */
  struct block *introduction;  /* between it and the first problem */
  struct problem *problems;    /* all, in the order of the file */
  size_t count;
  struct problem **chosen; /* those to print, in their order */
  size_t chosen_count;
  bool is_renumbered;
  struct block *closing; /* from the next level-1 heading on */
};

/* Take the document of that file apart. All problems are chosen. A set that is
 * not in the format is an error at its place. */
int problem_set_read(struct document *document, const char *file,
                     struct problem_set *out, struct error *err);

/* Choose what to print and in which order: `2,5-7,sum` (numbers, ranges, ids;
 * none twice). `at` is where the list was written. Problems keep their numbers
 * unless `renumber`. */
int problem_set_choose(struct problem_set *set, const char *list, bool renumber,
                       struct place at, struct error *err);

/* The sum of the chosen problems' points; 0 when none of them has points, an
 * error when only some have. */
int problem_set_points(const struct problem_set *set, double *out,
                       struct error *err);

enum problem_page {
  PROBLEM_PAGE_SET,       /* problems, answers, solutions, each on new pages */
  PROBLEM_PAGE_PROBLEMS,  /* the sheet */
  PROBLEM_PAGE_KEY,       /* answers */
  PROBLEM_PAGE_SOLUTIONS, /* with what is below `problems` */
  PROBLEM_PAGE_FOLDED /* for the screen: all, answers and solutions folded */
};

/* Put the chosen problems together as a document, valid until the next call
 * and never freed: it shares the set's. `work_space` is how many lines to write
 * on follow each problem of the sheet.
 *
 * Footnotes and references are numbered anew. A link to what the page does not
 * show becomes plain text: a problem's number, or its title when problems were
 * renumbered. */
void problem_set_assemble(struct problem_set *set, enum problem_page page,
                          int work_space, struct document *out);

#endif
