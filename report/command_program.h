/* Commands of `pinpress` that are programs of their own, because they compute:
 * they are built from analysis/tools/, and pinpress becomes the program that
 * lies beside it, or in ../libexec/pinpress/ when both are installed. */
#ifndef COMMAND_PROGRAM_H
#define COMMAND_PROGRAM_H

struct command_program {
  const char *name, *summary;
  const char *file; /* the program's name */
};

/* Closed by an entry without name. */
extern const struct command_program command_programs[];

/* Run the program with argv[0] as the prefix of its messages. Returns only when
 * that is impossible: the exit status, after one line on standard error. */
int command_program(const struct command_program *program, char **argv);

#endif
