#include "analysis/json_bounded.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/base/file.h"
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

/* The length of a number as Python writes those that JSON lacks, or 0. */
static size_t python_number(const char *text, size_t length) {
  static const char *const words[] = {"-Infinity", "Infinity", "NaN"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t word = strlen(words[i]);
    if (length >= word && memcmp(text, words[i], word) == 0) return word;
  }
  return 0;
}

/* The text with null for those numbers, padded to their length, so that what
 * follows keeps its place, but for the letter that NaN has less. */
static void read_python(const char *text, size_t length, struct buffer *out) {
  bool quoted = false;
  buffer_text(out, "");
  for (size_t i = 0; i < length; i++) {
    size_t word = quoted ? 0 : python_number(text + i, length - i);
    if (word > 0) {
      buffer_text(out, "null");
      for (size_t k = 4; k < word; k++)
        buffer_char(out, ' ');
      i += word - 1;
      continue;
    }
    if (quoted && text[i] == '\\' && i + 1 < length)
      buffer_char(out, text[i++]);
    else if (text[i] == '"')
      quoted = !quoted;
    buffer_char(out, text[i]);
  }
}

static int refuse_length(const char *name, size_t length,
                         struct json_bounds most, struct error *err) {
  if (length <= most.bytes) return 0;
  return error_set(err, "%s: %zu bytes of JSON; at most %zu are read", name,
                   length, most.bytes);
}

int json_bounded_parse(const char *name, const char *text, size_t length,
                       struct json_bounds most, struct json_document *out,
                       struct error *err) {
  *out = (struct json_document){0};
  if (refuse_length(name, length, most, err) != 0) return -1;
  size_t values = count_values(text, length);
  if (values > most.values)
    return error_set(err, "%s: JSON of some %zu values; at most %zu are read",
                     name, values, most.values);
  if (!most.python) return json_parse(name, text, length, out, err);
  struct buffer plain = {0};
  read_python(text, length, &plain);
  int result = json_parse(name, plain.bytes, plain.length, out, err);
  buffer_free(&plain);
  return result;
}

int json_bounded_read(const char *path, struct json_bounds most,
                      struct json_document *out, struct error *err) {
  *out = (struct json_document){0};
  size_t length, done = 0;
  int fd = file_open_regular(path, &length, err), result = -1;
  if (fd < 0) return -1;
  char *text = NULL;
  ssize_t got = 1;
  if (refuse_length(path, length, most, err) != 0) goto cleanup;
  text = memory_alloc(length + 1, 1);
  while (done < length && (got = read(fd, text + done, length - done)) > 0)
    done += (size_t)got;
  if (got < 0)
    error_errno(err, path, "cannot read");
  else
    result = json_bounded_parse(path, text, done, most, out, err);
cleanup:
  free(text);
  close(fd);
  return result;
}
