#include "analysis/json_bounded.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/memory.h"

/* No fewer than the text has: each value but the first follows one of these
 * outside of a string. Right for whatever parses; else only a number. */
static size_t count_values(const char *text, size_t length) {
  size_t count = 1;
  bool quoted = false;
  for (size_t i = 0; i < length; i++) {
    if (quoted && text[i] == '\\')
      i++;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted)
      count += text[i] == ',' || text[i] == '[' || text[i] == '{';
  }
  return count;
}

int json_bounded_parse(const char *name, const char *text, size_t length,
                       struct json_bounds most, struct json_document *out,
                       struct error *err) {
  *out = (struct json_document){0};
  if (length > most.bytes)
    return error_set(err, "%s: %zu bytes of JSON; at most %zu are read", name,
                     length, most.bytes);
  size_t values = count_values(text, length);
  if (values > most.values)
    return error_set(err, "%s: JSON of some %zu values; at most %zu are read",
                     name, values, most.values);
  return json_parse(name, text, length, out, err);
}

/* Its length, once it is known to be a regular file within the limit. */
static int open_regular(const char *path, size_t most, size_t *length,
                        struct error *err) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return error_errno(err, path, "cannot open");
  if (fstat(fd, &status) != 0)
    error_errno(err, path, "cannot inspect");
  else if (!S_ISREG(status.st_mode))
    error_set(err, "%s: is not a regular file", path);
  else if ((unsigned long long)status.st_size > most)
    error_set(err, "%s: %lld bytes of JSON; at most %zu are read", path,
              (long long)status.st_size, most);
  else {
    *length = (size_t)status.st_size;
    return fd;
  }
  close(fd);
  return -1;
}

int json_bounded_read(const char *path, struct json_bounds most,
                      struct json_document *out, struct error *err) {
  *out = (struct json_document){0};
  size_t length = 0, done = 0;
  int fd = open_regular(path, most.bytes, &length, err), result = -1;
  if (fd < 0) return -1;
  char *text = memory_alloc(length + 1, 1);
  ssize_t got = 1;
  while (done < length && (got = read(fd, text + done, length - done)) > 0)
    done += (size_t)got;
  if (got < 0)
    error_errno(err, path, "cannot read");
  else
    result = json_bounded_parse(path, text, done, most, out, err);
  free(text);
  close(fd);
  return result;
}
