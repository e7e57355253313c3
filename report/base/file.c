#include "report/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/memory.h"

int file_read(const char *path, struct buffer *out, struct error *err) {
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) return error_errno(err, path, "cannot open");
  struct stat status;
  int result = -1;
  if (fstat(fileno(stream), &status) != 0) {
    error_errno(err, path, "cannot inspect");
    goto cleanup;
  }
  if (S_ISDIR(status.st_mode)) {
    error_set(err, "%s: is a directory, a file is needed", path);
    goto cleanup;
  }
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) {
    error_set(err, "%s: is a device, a file is needed", path);
    goto cleanup;
  }
  buffer_add(out, "", 0);
  char chunk[65536];
  size_t got;
  while ((got = fread(chunk, 1, sizeof chunk, stream)) > 0)
    buffer_add(out, chunk, got);
  if (ferror(stream)) {
    error_errno(err, path, "cannot read");
    goto cleanup;
  }
  result = 0;
cleanup:
  fclose(stream);
  return result;
}

int file_open_regular(const char *path, size_t *length, struct error *err) {
  struct stat status;
  *length = 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return error_errno(err, path, "cannot open");
  if (fstat(fd, &status) != 0) {
    error_errno(err, path, "cannot inspect");
  } else if (!S_ISREG(status.st_mode)) {
    error_set(err, "%s: is not a regular file", path);
  } else {
    *length = (size_t)status.st_size;
    return fd;
  }
  close(fd);
  return -1;
}

int file_write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t done = write(fd, bytes, length);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return -1;
    bytes += done;
    length -= (size_t)done;
  }
  return 0;
}

/* Write all of it and close the descriptor; a replacement is flushed to disk.
 */
static int fill(int fd, const char *path, const void *bytes, size_t length,
                bool flush, struct error *err) {
  int failed =
      file_write_all(fd, bytes, length) != 0 || (flush && fsync(fd) != 0);
  if (failed) error_errno(err, path, "cannot write");
  if (close(fd) != 0 && !failed) {
    failed = 1;
    error_errno(err, path, "cannot write");
  }
  return failed ? -1 : 0;
}

/* Whether it is there and no file that a rename may replace: a device, a pipe,
 * or a link to one. */
static bool is_stream(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode) &&
         !S_ISDIR(status.st_mode);
}

static int write_stream(const char *path, const void *bytes, size_t length,
                        struct error *err) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return error_errno(err, path, "cannot open");
  return fill(fd, path, bytes, length, false, err);
}

int file_write(const char *path, const void *bytes, size_t length,
               struct error *err) {
  struct buffer part = {0};
  if (*path == 0) return error_set(err, "\"\": no file has an empty path");
  if (is_stream(path)) return write_stream(path, bytes, length, err);
  buffer_printf(&part, "%s.part", path);
  int result = -1;
  int fd = open(part.bytes, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) {
    error_errno(err, path, "cannot create");
    goto cleanup;
  }
  result = fill(fd, path, bytes, length, true, err);
  if (result == 0 && rename(part.bytes, path) != 0)
    result = error_errno(err, path, "cannot replace");
  if (result != 0) unlink(part.bytes);
cleanup:
  buffer_free(&part);
  return result;
}

int file_make_parents(const char *path, struct error *err) {
  char *copy = memory_copy_text(path);
  int result = 0;
  for (char *slash = strchr(copy + 1, '/'); slash != NULL && result == 0;
       slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(copy, 0777) != 0 && errno != EEXIST)
      result = error_errno(err, copy, "cannot make the directory");
    *slash = '/';
  }
  free(copy);
  return result;
}

bool file_exists(const char *path) {
  return access(path, F_OK) == 0;
}
