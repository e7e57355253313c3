/* Whole files in and out. An output is complete or absent: it is written to
 * `<path>.part`, flushed to disk, then renamed. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/buffer.h"
#include "report/base/error.h"

/* Append the file's bytes to `out`. A directory or a device is an error; a pipe
 * is read to its end. */
int file_read(const char *path, struct buffer *out, struct error *err);

/* A descriptor to read, of a regular file alone: a pipe is refused rather than
 * waited for. The caller closes it. */
int file_open_regular(const char *path, size_t *length, struct error *err);

/* Replace `path` atomically; on failure what stood there is untouched and no
 * `.part` is left. A device or a pipe is written to instead. */
int file_write(const char *path, const void *bytes, size_t length,
               struct error *err);

/* Write all of it to a descriptor; -1, with errno set, when that fails. */
int file_write_all(int fd, const char *bytes, size_t length);

/* Make the directories that lead to `path`. */
int file_make_parents(const char *path, struct error *err);

bool file_exists(const char *path);

#endif
