#define _GNU_SOURCE
#include "report/code_run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/utf8.h"
#include "report/code_child.h"
#include "report/code_program.h"

enum { COMPILE_SECONDS = 300, COMPILE_LIMIT = 1 << 30, WORDS = 256 };

/* Both processes of one article. */
struct run {
  const struct code_blocks *blocks;
  const struct code_run_options *options;
  struct arena arena;
  const char *source, *program;
  char **environment;
  struct buffer *outputs;
  struct error *err;
};

static void set_environment(struct run *run) {
  static const char *const fixed[] = {"PATH=/usr/local/bin:/usr/bin:/bin",
                                      "LC_ALL=C", "TZ=UTC"};
  enum { FIXED = sizeof fixed / sizeof *fixed };
  size_t count = 0, room = FIXED + run->options->pass_count + 1;
  run->environment = arena_alloc(&run->arena, room * sizeof(char *));
  for (size_t i = 0; i < FIXED; i++)
    run->environment[count++] =
        arena_copy(&run->arena, fixed[i], strlen(fixed[i]));
  for (size_t i = 0; i < run->options->pass_count; i++) {
    const char *name = run->options->pass[i], *value = getenv(name);
    if (value != NULL)
      run->environment[count++] =
          arena_printf(&run->arena, "%s=%s", name, value);
  }
}

/* ---- compiling ----------------------------------------------------------- */

struct words {
  char *items[WORDS + 1];
  size_t count;
};

static int add_word(struct run *run, struct words *words, const char *text,
                    size_t length) {
  if (words->count == WORDS)
    return error_set(run->err,
                     "%s: the compiler's command has more than %d "
                     "words",
                     run->blocks->path, WORDS);
  words->items[words->count++] = arena_copy(&run->arena, text, length);
  return 0;
}

static int add_words(struct run *run, struct words *words, const char *text) {
  for (;;) {
    text += strspn(text, " \t\n");
    size_t length = strcspn(text, " \t\n");
    if (length == 0) return 0;
    if (add_word(run, words, text, length) != 0) return -1;
    text += length;
  }
}

/* How much a line of the compiler's messages tells: an error with its line,
 * what the linker says of this file or of a name, any error, other lines. */
static int weight(const char *line, const char *path) {
  size_t length = strlen(path);
  const char *error = strstr(line, " fatal error: ");
  if (error == NULL) error = strstr(line, " error: ");
  if (strncmp(line, "collect2:", 9) == 0) return 0;
  if (error != NULL && error > line + 1 && error[-1] == ':' &&
      error[-2] >= '0' && error[-2] <= '9')
    return 4;
  if (strstr(line, " In function ") != NULL) return 0;
  if (strncmp(line, path, length) == 0 && line[length] == ':') return 3;
  if (strstr(line, "undefined reference") != NULL) return 2;
  return error != NULL;
}

/* The first of the lines that tell most. */
static const char *complaint(struct run *run, char *messages) {
  const char *best = "it says nothing";
  int best_weight = -1;
  char *rest;
  for (char *line = strtok_r(messages, "\n", &rest); line != NULL;
       line = strtok_r(NULL, "\n", &rest)) {
    int w = weight(line, run->blocks->path);
    if (w > best_weight) {
      best_weight = w;
      best = line;
    }
  }
  return best;
}

static int fail_compile(struct run *run, struct code_child *child) {
  struct buffer messages = {0};
  const char *path = run->blocks->path;
  code_child_read(child->messages, 0, COMPILE_LIMIT, &messages);
  buffer_text(&messages, "");
  const char *line = complaint(run, messages.bytes);
  size_t length = strlen(path);
  if (strncmp(line, path, length) == 0 && line[length] == ':')
    error_set(run->err, "%s", line);
  else
    error_set(run->err, "%s: its blocks do not compile: %s", path, line);
  buffer_free(&messages);
  return -1;
}

static int fail_start(struct run *run, const char *program, int problem) {
  return error_set(run->err, "%s: cannot run %s: %s", run->blocks->path,
                   program, strerror(problem));
}

static int compile(struct run *run) {
  struct words words = {.count = 0};
  struct code_child child;
  int status = -1;
  if (add_words(run, &words, run->options->compiler) != 0) return -1;
  if (words.count == 0)
    return error_set(run->err, "%s: no compiler is given", run->blocks->path);
  const char *own[] = {"-Werror", "-o", run->program, run->source};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (add_word(run, &words, own[i], strlen(own[i])) != 0) return -1;
  if (add_words(run, &words, run->options->libraries) != 0) return -1;
  int problem =
      code_child_start(&child, words.items, run->environment, COMPILE_LIMIT);
  if (problem != 0)
    fail_start(run, words.items[0], problem);
  else if (code_child_wait(&child, COMPILE_SECONDS) != CODE_ENDED)
    error_set(run->err, "%s: the compiler takes longer than %d seconds",
              run->blocks->path, COMPILE_SECONDS);
  else if (child.status != 0)
    fail_compile(run, &child);
  else
    status = 0;
  code_child_close(&child);
  return status;
}

/* ---- running ------------------------------------------------------------- */

static int fail_block(struct run *run, const struct code_block *block,
                      const char *what, const char *detail) {
  bool has_detail = detail != NULL && *detail != 0;
  return error_at(run->err, block->place, "block `%s` %s%s%s", block->name,
                  what, has_detail ? ": " : "", has_detail ? detail : "");
}

/* The last line that was written to standard error. */
static const char *last_message(struct run *run, struct code_child *child) {
  struct buffer messages = {0};
  code_child_read(child->messages, 0, CODE_OUTPUT_MAX, &messages);
  while (messages.length > 0 && messages.bytes[messages.length - 1] == '\n')
    messages.length--;
  size_t start = messages.length;
  while (start > 0 && messages.bytes[start - 1] != '\n')
    start--;
  const char *line = messages.length == 0
                         ? ""
                         : arena_copy(&run->arena, messages.bytes + start,
                                      messages.length - start);
  buffer_free(&messages);
  return line;
}

static int fail_ended(struct run *run, const struct code_block *block,
                      struct code_child *child) {
  const char *message = last_message(run, child);
  int status = child->status;
  if (status == 128 + SIGXFSZ)
    return fail_block(
        run, block,
        arena_printf(&run->arena, "prints more than %d bytes", CODE_OUTPUT_MAX),
        NULL);
  if (status > 128)
    return fail_block(run, block,
                      arena_printf(&run->arena, "dies of signal %d (%s)",
                                   status - 128, strsignal(status - 128)),
                      message);
  if (status != 0)
    return fail_block(
        run, block,
        arena_printf(&run->arena, "ends the program with status %d", status),
        message);
  return fail_block(run, block, "ends the program before its own end", NULL);
}

/* Text: valid UTF-8 of which nothing but newlines controls a terminal. */
static int check_text(struct run *run, const struct code_block *block,
                      const struct buffer *text) {
  if (utf8_valid_prefix(text->bytes, text->length) < text->length)
    return fail_block(run, block, "prints what is not UTF-8", NULL);
  for (size_t i = 0; i < text->length; i++) {
    unsigned char c = (unsigned char)text->bytes[i];
    if ((c < 0x20 && c != '\n') || c == 0x7f)
      return fail_block(
          run, block,
          arena_printf(&run->arena, "prints the control character 0x%02x", c),
          NULL);
  }
  return 0;
}

static int take_output(struct run *run, const struct code_block *block,
                       struct code_child *child, size_t from,
                       struct buffer *out) {
  int problem =
      code_child_read(child->out, from, code_child_printed(child), out);
  if (problem != 0) return fail_start(run, run->program, problem);
  const char *message = last_message(run, child);
  if (*message != 0)
    return fail_block(run, block, "writes to standard error", message);
  if (out->length > 0 && out->bytes[out->length - 1] != '\n')
    buffer_char(out, '\n');
  return out->length > 0 ? check_text(run, block, out) : 0;
}

/* After its last block the program has only to end. */
static int finish(struct run *run, struct code_child *child, size_t printed) {
  const struct code_block *last = &run->blocks->items[run->blocks->count - 1];
  switch (code_child_wait(child, last->timeout)) {
  case CODE_LATE:
    return fail_block(run, last, "is followed by no end of the program", NULL);
  case CODE_REPORTED:
    return fail_block(run, last, "reports twice", NULL);
  case CODE_ENDED:
    break;
  }
  if (child->status != 0) return fail_ended(run, last, child);
  if (code_child_printed(child) != printed)
    return fail_block(run, last, "leaves output to the program's end", NULL);
  return 0;
}

static int follow(struct run *run, struct code_child *child) {
  size_t printed = 0;
  for (size_t i = 0; i < run->blocks->count; i++) {
    const struct code_block *block = &run->blocks->items[i];
    enum code_event event = code_child_wait(child, block->timeout);
    if (event == CODE_LATE)
      return fail_block(run, block,
                        arena_printf(&run->arena,
                                     "runs longer than its %d s (timeout=)",
                                     block->timeout),
                        NULL);
    if (event == CODE_ENDED) return fail_ended(run, block, child);
    if (take_output(run, block, child, printed, &run->outputs[i]) != 0)
      return -1;
    printed = code_child_printed(child);
    code_child_answer(child);
  }
  return finish(run, child, printed);
}

static int execute(struct run *run) {
  struct code_child child;
  char *arguments[] = {(char *)run->program, NULL};
  int problem =
      code_child_start(&child, arguments, run->environment, CODE_OUTPUT_MAX);
  int status = problem == 0 ? follow(run, &child)
                            : fail_start(run, run->program, problem);
  code_child_close(&child);
  return status;
}

/* ---- both ---------------------------------------------------------------- */

static int write_source(struct run *run) {
  struct buffer text = {0};
  int status = code_program_text(run->blocks, CODE_MARKED, &text, run->err);
  if (status == 0) status = file_make_parents(run->source, run->err);
  if (status == 0)
    status = file_write(run->source, text.bytes, text.length, run->err);
  buffer_free(&text);
  return status;
}

int code_run(const struct code_blocks *blocks,
             const struct code_run_options *options, struct buffer *outputs,
             struct error *err) {
  if (blocks->count == 0) return 0;
  struct run run = {
      .blocks = blocks, .options = options, .outputs = outputs, .err = err};
  run.source =
      arena_printf(&run.arena, "%s/%s.run.c", options->work, blocks->article);
  /* With a slash, or it would be looked for on the PATH. */
  run.program =
      arena_printf(&run.arena, "%s/%s.run", options->work, blocks->article);
  set_environment(&run);
  int status = write_source(&run);
  if (status == 0) status = compile(&run);
  if (status == 0) status = execute(&run);
  arena_free(&run.arena);
  return status;
}
