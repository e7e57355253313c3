/* Errors: one line that names the file and the place, built where the error
 * arises and passed upwards unchanged.
 *
 * Convention of the whole project: a fallible function returns 0 on success
 * and -1 on failure, takes `struct error *` as its last parameter and sets it
 * exactly when it fails. Only `main` functions print the line and exit, with
 * status 2. Drift of a pinned value is a finding, not an error. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

struct error {
  char text[1024]; /* one line without its newline, truncated if longer */
};

/* Where something stands in a source file; line and column count from 1,
 * column in bytes. A line of 0 means the file as a whole. */
struct place {
  const char *file;
  int line, column;
};

/* Set the message and return -1, so that callers write
 * `return error_set(err, ...)`. Control characters and line
 * separators become '?'. */
int error_set(struct error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same with `file:line:column: ` in front. */
int error_at(struct error *err, struct place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with `file: ` in front and `: strerror(errno)` behind. */
int error_errno(struct error *err, const char *file, const char *action);

#endif
