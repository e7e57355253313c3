#include "report/pins_directory.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool ends_in_json(const char *name) {
  size_t length = strlen(name);
  return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

const char *pins_directory_name(struct arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path;
  size_t length = strlen(base);
  return arena_copy(arena, base, ends_in_json(base) ? length - 5 : length);
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add(struct pins_directory *out, const char *directory,
                const char *name) {
  size_t length = strlen(directory);
  const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
  out->paths = memory_resize(out->paths, out->count + 1, sizeof *out->paths);
  out->paths[out->count++] =
      arena_printf(&out->arena, "%s%s%s", directory, slash, name);
}

int pins_directory_read(const char *directory, struct pins_directory *out,
                        struct error *err) {
  *out = (struct pins_directory){0};
  DIR *stream = opendir(directory);
  if (stream == NULL) return error_errno(err, directory, "cannot open");
  errno = 0;
  for (struct dirent *entry; (entry = readdir(stream)) != NULL; errno = 0)
    if (entry->d_name[0] != '.' && ends_in_json(entry->d_name))
      add(out, directory, entry->d_name);
  int result = errno != 0 ? error_errno(err, directory, "cannot read") : 0;
  closedir(stream);
  if (out->count > 1)
    qsort(out->paths, out->count, sizeof *out->paths, compare_paths);
  if (result != 0) pins_directory_free(out);
  return result;
}

void pins_directory_free(struct pins_directory *directory) {
  free(directory->paths);
  arena_free(&directory->arena);
  *directory = (struct pins_directory){0};
}
