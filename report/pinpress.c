/* The `pinpress` command: finds the command named first and calls it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/buffer.h"
#include "report/base/options.h"
#include "report/command_program.h"
#include "report/commands.h"

#define VERSION "1.0"

enum { EXIT_UNKNOWN = -1 };

struct command {
  const char *name, *summary;
  int (*run)(int argc, char **argv);
};

static const struct command commands[] = {
    {"check", "check results against their pins", command_check},
    {"accept", "move a pin, on the record", command_accept},
    {"init", "write pins for new results", command_init},
    {"expand", "expand a template with pinned values", command_expand},
    {"plot", "draw a figure from a gnuplot template", command_plot},
    {"problems", "print a problem set: sheet, key, solutions",
     command_problems},
    {"new", "write a problem set or an article to start from", command_new},
    {"run", "run the C blocks of a document", command_run},
    {"ledger", "account for every numeral of a page", command_ledger},
    {"site", "gather all pages in a directory to publish", command_site},
    {"typeset", "typeset a document as a page", command_typeset},
    {NULL, NULL, NULL},
};

static void print_help(void) {
  puts("Usage: pinpress COMMAND [OPTION]...\n"
       "Check measured numbers against their pins, then print them.\n");
  for (const struct command *c = commands; c->name != NULL; c++)
    printf("  %-14s  %s\n", c->name, c->summary);
  for (const struct command_program *p = command_programs; p->name != NULL; p++)
    printf("  %-14s  %s\n", p->name, p->summary);
  puts("\nEach command has --help. Exit status: 0 all is well, 1 a value "
       "drifted from\nits pin, 2 wrong usage, bad input, or a file that cannot "
       "be read or written.");
}

/* The command of that name, or EXIT_UNKNOWN. */
static int run(const char *name, int argc, char **argv) {
  for (const struct command *c = commands; c->name != NULL; c++)
    if (strcmp(c->name, name) == 0) return c->run(argc, argv);
  for (const struct command_program *p = command_programs; p->name != NULL; p++)
    if (strcmp(p->name, name) == 0) return command_program(p, argv);
  return EXIT_UNKNOWN;
}

int main(int argc, char **argv) {
  const char *first = argc > 1 ? argv[1] : "";
  if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
    print_help();
    return options_finish(EXIT_HOLDS);
  }
  if (strcmp(first, "--version") == 0) {
    puts("pinpress " VERSION);
    return options_finish(EXIT_HOLDS);
  }
  if (*first == 0) {
    fputs("pinpress: a command is missing (see pinpress --help)\n", stderr);
    return EXIT_BAD;
  }
  struct buffer name = {0};
  buffer_printf(&name, "pinpress %s", first);
  argv[1] = name.bytes;
  int status = run(first, argc - 1, argv + 1);
  buffer_free(&name);
  if (status != EXIT_UNKNOWN) return status;
  fprintf(stderr, "pinpress: unknown command '%s' (see pinpress --help)\n",
          first);
  return EXIT_BAD;
}
