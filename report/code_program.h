/* The blocks of an article as one C program. Each block's statements follow
 * those of the block before in one `main`, so that blocks build on each other;
 * #include, #define and definitions of functions move out of it, and stand
 * before it in their order. */
#ifndef CODE_PROGRAM_H
#define CODE_PROGRAM_H

#include "report/base/buffer.h"
#include "report/code_blocks.h"

enum code_program {
  CODE_PLAIN, /* to read, to compile by hand, and to compare: no line numbers */
  CODE_MARKED /* to run: with #line, and a report at the end of each block: a
                 byte written to descriptor 3, and one waited for */
};

/* Append the program. A block that leaves a bracket or comment open is an
 * error. */
int code_program_text(const struct code_blocks *blocks, enum code_program form,
                      struct buffer *out, struct error *err);

#endif
