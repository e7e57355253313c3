/* gnuplot as a child process: a script in, what it prints out. */
#ifndef REPORT_PLOT_RUN_H
#define REPORT_PLOT_RUN_H

#include <stddef.h>

#include "report/base/buffer.h"
#include "report/base/error.h"

/* Run gnuplot on `script` with no settings file and a fixed environment, for
 * at most `seconds`. Its standard output is appended to `out`, its standard
 * error to `messages`; `status` becomes its exit status (128 + signal when it
 * was killed). Fails when it cannot be run or takes too long; `file` stands in
 * the message. */
int plot_run(const char *file, const char *script, size_t length, int seconds,
             struct buffer *out, struct buffer *messages, int *status,
             struct error *err);

#endif
