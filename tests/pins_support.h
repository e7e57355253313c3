/* For the tests of the gate: commands run in this process on a scratch
 * directory, with their output caught. */
#ifndef PINS_SUPPORT_H
#define PINS_SUPPORT_H

#include <fcntl.h>

#include "tests/scratch.h"

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
