/* For the tests of the gate: a scratch directory, files in it, and commands run
 * in this process with their output caught. */
#ifndef PINS_SUPPORT_H
#define PINS_SUPPORT_H

#include <dirent.h>
#include <fcntl.h>
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
  snprintf(scratch, sizeof scratch, "%s/tests/pins-XXXXXX",
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

struct output {
  int status;
  struct buffer out, err;
};

SUPPORT void catch_stream(FILE *stream, const char *path, int *saved) {
  fflush(stream);
  *saved = dup(fileno(stream));
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  dup2(fd, fileno(stream));
  close(fd);
}

SUPPORT void release_stream(FILE *stream, const char *path, int saved,
                            struct buffer *text) {
  struct error err;
  fflush(stream);
  dup2(saved, fileno(stream));
  close(saved);
  file_read(path, text, &err);
  unlink(path);
}

/* Runs a command; arguments are separated by spaces, @ stands for the scratch
 * directory and _ for a space inside an argument. */
SUPPORT struct output run(int (*command)(int, char **), const char *name,
                          const char *arguments) {
  char *words[64] = {0}, program[64];
  struct buffer line = {0};
  int count = 1, saved_out, saved_err;
  for (const char *c = arguments; *c != 0; c++)
    if (*c == '@')
      buffer_text(&line, scratch);
    else
      buffer_char(&line, *c);
  snprintf(program, sizeof program, "pinpress %s", name);
  words[0] = program;
  for (char *w = strtok(line.bytes, " \n"); w != NULL;
       w = strtok(NULL, " \n")) {
    for (char *c = w; *c != 0; c++)
      if (*c == '_' && w[0] != '/' && strstr(w, "json") == NULL) *c = ' ';
    words[count++] = w;
  }
  char out_path[300], err_path[300];
  snprintf(out_path, sizeof out_path, "%s.out", scratch);
  snprintf(err_path, sizeof err_path, "%s.err", scratch);
  struct output o = {0};
  catch_stream(stdout, out_path, &saved_out);
  catch_stream(stderr, err_path, &saved_err);
  o.status = command(count, words);
  release_stream(stdout, out_path, saved_out, &o.out);
  release_stream(stderr, err_path, saved_err, &o.err);
  buffer_free(&line);
  return o;
}

SUPPORT void output_free(struct output *o) {
  buffer_free(&o->out);
  buffer_free(&o->err);
}

/* Text with each occurrence of the scratch directory's path as @. */
SUPPORT void hide_scratch(struct buffer *text) {
  size_t length = strlen(scratch);
  for (char *at;
       text->bytes != NULL && (at = strstr(text->bytes, scratch)) != NULL;) {
    *at = '@';
    memmove(at + 1, at + length, strlen(at + length) + 1);
    text->length -= length - 1;
  }
}

#endif
