/* A compiler or a compiled program as a child process: nothing on its standard
 * input, both streams into unnamed files, a socket as descriptor 3, a group of
 * its own, and a limit on what it may write. */
#ifndef CODE_CHILD_H
#define CODE_CHILD_H

#include <stddef.h>
#include <sys/types.h>

#include "report/base/buffer.h"

struct code_child {
  pid_t pid;         /* 0 when it has ended */
  int socket;        /* our end of its descriptor 3 */
  int out, messages; /* what it prints */
  int status;        /* when it has ended: exit status, or 128 + signal */
};

enum code_event {
  CODE_ENDED,    /* `status` is set */
  CODE_REPORTED, /* it wrote a byte to descriptor 3 and waits for one */
  CODE_LATE      /* neither, within the time */
};

/* Start a program, found on this process's PATH when its name has no slash; no
 * file may grow beyond `limit` bytes. Returns 0 or an errno; code_child_close
 * is due in either case. */
int code_child_start(struct code_child *child, char *const *arguments,
                     char *const *environment, size_t limit);

enum code_event code_child_wait(struct code_child *child, int seconds);

void code_child_answer(struct code_child *child);

/* Bytes printed so far. */
size_t code_child_printed(const struct code_child *child);

/* Append what stands in `out` or `messages` from `offset` to `end`. Returns 0
 * or an errno. */
int code_child_read(int file, size_t offset, size_t end, struct buffer *to);

/* Kill what is left of the group, and close all. */
void code_child_close(struct code_child *child);

#endif
