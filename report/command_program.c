#include "report/command_program.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/base/buffer.h"
#include "report/base/file.h"
#include "report/commands.h"

const struct command_program command_programs[] = {
    {"dead-direction", "read the dead direction of a model's final norm",
     "dead_direction"},
    {NULL, NULL, NULL},
};

/* The directory of this executable, with its closing slash. */
static int own_directory(char directory[PATH_MAX], struct error *err) {
  ssize_t length = readlink("/proc/self/exe", directory, PATH_MAX - 1);
  if (length < 0)
    return error_errno(err, "/proc/self/exe", "cannot read the link");
  directory[length] = 0;
  strrchr(directory, '/')[1] = 0;
  return 0;
}

static int find_program(const char *file, struct buffer *path,
                        struct error *err) {
  static const char *const places[] = {"", "../libexec/pinpress/"};
  char directory[PATH_MAX];
  if (own_directory(directory, err) != 0) return -1;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    buffer_clear(path);
    buffer_printf(path, "%s%s%s", directory, places[i], file);
    if (file_exists(path->bytes)) return 0;
  }
  return error_set(err,
                   "%s%s: is missing; `make` in the sources of pinpress "
                   "builds it",
                   directory, file);
}

int command_program(const struct command_program *program, char **argv) {
  struct buffer path = {0};
  struct error err;
  if (find_program(program->file, &path, &err) == 0) {
    execv(path.bytes, argv);
    error_errno(&err, path.bytes, "cannot run");
  }
  fprintf(stderr, "%s\n", err.text);
  buffer_free(&path);
  return EXIT_BAD;
}
