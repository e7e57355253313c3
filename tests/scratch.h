/* A scratch directory below $BUILD, and files in it. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/buffer.h"
#include "report/base/file.h"

#define SUPPORT static __attribute__((unused))

static char scratch[256];

SUPPORT int scratch_make(void **state) {
  (void)state;
  struct error err;
  const char *build = getenv("BUILD");
  snprintf(scratch, sizeof scratch, "%s/tests/scratch-XXXXXX",
           build != NULL ? build : "build");
  if (file_make_parents(scratch, &err) != 0) return -1;
  return mkdtemp(scratch) == NULL;
}

SUPPORT void remove_all(const char *path) {
  struct stat status;
  if (lstat(path, &status) != 0) return;
  if (S_ISDIR(status.st_mode)) {
    chmod(path, 0700);
    DIR *stream = opendir(path);
    for (struct dirent *e; (e = readdir(stream)) != NULL;) {
      if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
      char below[1024];
      snprintf(below, sizeof below, "%s/%s", path, e->d_name);
      remove_all(below);
    }
    closedir(stream);
  }
  remove(path);
}

SUPPORT int scratch_remove(void **state) {
  (void)state;
  remove_all(scratch);
  return 0;
}

/* Empty the scratch directory between tests. */
SUPPORT int scratch_empty(void **state) {
  (void)state;
  remove_all(scratch);
  return mkdir(scratch, 0777);
}

/* The path of a name in the scratch directory; the last eight stay valid. */
SUPPORT const char *in_scratch(const char *name) {
  static char paths[8][512];
  static int turn;
  turn = (turn + 1) % 8;
  snprintf(paths[turn], sizeof paths[turn], "%s/%s", scratch, name);
  return paths[turn];
}

SUPPORT void put(const char *name, const char *text) {
  struct error err = {{0}};
  const char *path = in_scratch(name);
  if (file_make_parents(path, &err) != 0 ||
      file_write(path, text, strlen(text), &err) != 0)
    fail_msg("%s", err.text);
}

/* The file's text; the caller frees it. */
SUPPORT char *get(const char *name) {
  struct buffer text = {0};
  struct error err = {{0}};
  if (file_read(in_scratch(name), &text, &err) != 0) fail_msg("%s", err.text);
  return text.bytes;
}

#endif
