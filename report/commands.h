/* The commands of `pinpress`. Each lives in report/command_NAME.c, is declared
 * here and has its line in the table of pinpress.c.
 *
 * A command is called with argv[0] = "pinpress NAME" (the prefix of its usage
 * messages), reads its options through report/base/options.h, prints its own
 * error as one line on standard error and returns the exit status. */
#ifndef COMMANDS_H
#define COMMANDS_H

enum exit_status {
  EXIT_HOLDS = 0, /* done; every pin holds */
  EXIT_DRIFT = 1, /* a value drifted from its pin */
  EXIT_BAD = 2    /* usage, bad input, input/output */
};

int command_expand(int argc, char **argv);
int command_accept(int argc, char **argv);
int command_check(int argc, char **argv);
int command_init(int argc, char **argv);
int command_ledger(int argc, char **argv);
int command_plot(int argc, char **argv);
int command_problems(int argc, char **argv);
int command_new(int argc, char **argv);
int command_run(int argc, char **argv);
int command_site(int argc, char **argv);
int command_typeset(int argc, char **argv);

#endif
