/* Compile the blocks of an article as one program, run it, and take apart what
 * each block prints. Only the compiler, its flags and the libraries are given;
 * what the blocks are about is not known here.
 *
 * The compiler takes warnings for errors, and its first complaint is returned
 * with the line of the Markdown file. A block fails, at its place, when the
 * program ends in it with a status or a signal, ends early, runs longer than
 * its `timeout`, prints more than CODE_OUTPUT_MAX bytes, prints what is no
 * text, or writes to standard error.
 *
 * Compiler and program see PATH, LC_ALL=C, TZ=UTC and the variables of `pass`
 * that are set. */
#ifndef CODE_RUN_H
#define CODE_RUN_H

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/code_blocks.h"

enum { CODE_OUTPUT_MAX = 64 << 10 };

struct code_run_options {
  const char *compiler;  /* and its flags, between blanks */
  const char *libraries; /* files and flags behind the program; may be "" */
  const char *work;      /* directory for ARTICLE.run.c and the program */
  const char *const *pass;
  size_t pass_count;
};

/* `outputs` has blocks->count buffers, which start as {0}; lines end with a
 * newline. */
int code_run(const struct code_blocks *blocks,
             const struct code_run_options *options, struct buffer *outputs,
             struct error *err);

#endif
