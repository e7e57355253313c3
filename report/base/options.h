/* GNU long options, the same way for every command: one table describes the
 * options, serves getopt_long and prints --help.
 *
 *   bool verbose = false;
 *   const char *results = "build/results";
 *   struct option_texts pages = {0};
 *   const struct option_entry entries[] = {
 *       {.name = "verbose", .letter = 'v', .flag = &verbose, .help = "..."},
 *       {.name = "results", .argument = "DIR", .text = &results,
 *        .help = "..."},
 *       {.name = "page", .argument = "NAME", .texts = &pages, .help = "..."},
 *       {0}};
 *   const struct option_usage usage = {
 *       .synopsis = "[OPTION]... FILE", .summary = "...", .entries = entries,
 *       .minimum = 1, .maximum = 1};
 *   int status;
 *   if (!options_parse(&usage, &argc, &argv, &status)) return status;
 *
 * After a true return argc and argv hold the operands alone. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"

/* The arguments of an option that may be repeated; start it as {0}. */
struct option_texts {
  const char **items; /* freed by options_free_texts */
  size_t count;
};

struct option_entry {
  const char *name; /* without its dashes; NULL closes the table */
  char letter;      /* short form, or 0 */
  const char *argument, *help;
  /* Exactly one of these says where the option is kept. */
  bool *flag;        /* no argument */
  const char **text; /* the last one given */
  struct option_texts *texts;
  /* With `text`: its value when the argument is left out, which then is given
   * as --name=ARGUMENT only; NULL: the argument is needed. */
  const char *otherwise;
};

enum { OPTIONS_ANY_NUMBER = -1 };

struct option_usage {
  const char *synopsis; /* what follows the command's name */
  const char *summary;  /* what it does; may have several lines */
  const char *details;  /* printed after the options; may be NULL */
  const struct option_entry *entries;
  int minimum, maximum; /* operands; OPTIONS_ANY_NUMBER: no upper limit */
};

/* False when the command is over: --help was printed (*status = 0) or the usage
 * is wrong (one line on standard error, *status = 2). */
bool options_parse(const struct option_usage *usage, int *argc, char ***argv,
                   int *status);

void options_add_text(struct option_texts *texts, const char *text);
void options_free_texts(struct option_texts *texts);

/* Print the error's line on standard error and return the status for it, 2. */
int options_fail(const struct error *err);

/* Flush standard output; a full disk or a closed pipe must not pass for
 * success. Returns `status`, or 2 with a message when the flush fails. */
int options_finish(int status);

#endif
