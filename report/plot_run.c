#define _GNU_SOURCE
#include "report/plot_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/base/file.h"
#include "report/deadline.h"

/* The script is an unnamed file, which the child has open as descriptor 3; no
 * directory is written to, and messages still count its lines. */
#define SCRIPT_PATH "/dev/fd/3"

enum { SCRIPT_FD = 3, MEGABYTES_MAX = 64 };

enum outcome { IN_TIME, LATE, TOO_MUCH, UNREADABLE };

/* Both ends of what the child prints, and the script. */
struct pipes {
  int script, out[2], messages[2];
};

static void close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static void close_all(struct pipes *p) {
  close_fd(&p->script);
  for (int i = 0; i < 2; i++) {
    close_fd(&p->out[i]);
    close_fd(&p->messages[i]);
  }
}

static bool open_all(struct pipes *p, const char *script, size_t length) {
  *p = (struct pipes){-1, {-1, -1}, {-1, -1}};
  p->script = memfd_create("gnuplot", MFD_CLOEXEC);
  return p->script >= 0 && file_write_all(p->script, script, length) == 0 &&
         pipe2(p->out, O_CLOEXEC) == 0 && pipe2(p->messages, O_CLOEXEC) == 0;
}

static int spawn(const struct pipes *p, pid_t *child) {
  static char *const arguments[] = {"gnuplot", "-d", SCRIPT_PATH, NULL};
  static char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin",
                                      "LC_ALL=C.UTF-8", "GNUTERM=dumb", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, p->out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, p->messages[1], 2);
  posix_spawn_file_actions_adddup2(&actions, p->script, SCRIPT_FD);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  int problem =
      posix_spawnp(child, "gnuplot", &actions, NULL, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  return problem;
}

/* One read; `*fd` becomes -1 at the end of the stream. */
static enum outcome take(int *fd, struct buffer *to) {
  char bytes[16384];
  ssize_t n = read(*fd, bytes, sizeof bytes);
  if (n < 0) return errno == EINTR ? IN_TIME : UNREADABLE;
  if (n == 0) *fd = -1;
  buffer_add(to, bytes, (size_t)n);
  return to->length > (size_t)MEGABYTES_MAX << 20 ? TOO_MUCH : IN_TIME;
}

/* Read both streams to their end. */
static enum outcome collect(const struct pipes *p, int seconds,
                            struct buffer *out, struct buffer *messages) {
  struct timespec end = deadline_in(seconds);
  struct buffer *to[] = {out, messages};
  struct pollfd fds[] = {{p->out[0], POLLIN, 0}, {p->messages[0], POLLIN, 0}};
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    int n = poll(fds, 2, deadline_milliseconds(&end));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0 ? LATE : UNREADABLE;
    for (int i = 0; i < 2; i++) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      enum outcome outcome = take(&fds[i].fd, to[i]);
      if (outcome != IN_TIME) return outcome;
    }
  }
  return IN_TIME;
}

static int fail_collect(enum outcome outcome, const char *file, int seconds,
                        struct error *err) {
  switch (outcome) {
  case LATE:
    return error_set(err, "%s: gnuplot does not end within %d seconds", file,
                     seconds);
  case TOO_MUCH:
    return error_set(err, "%s: gnuplot prints more than %d MB", file,
                     MEGABYTES_MAX);
  case UNREADABLE:
    return error_errno(err, file, "cannot read what gnuplot prints");
  case IN_TIME:
    break;
  }
  return 0;
}

static int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int plot_run(const char *file, const char *script, size_t length, int seconds,
             struct buffer *out, struct buffer *messages, int *status,
             struct error *err) {
  struct pipes pipes;
  pid_t child;
  int result = -1, problem;
  if (!open_all(&pipes, script, length)) {
    error_errno(err, file, "cannot prepare gnuplot");
    goto cleanup;
  }
  problem = spawn(&pipes, &child);
  if (problem == ENOENT) {
    error_set(err, "%s: gnuplot is not installed (Debian package gnuplot-nox)",
              file);
    goto cleanup;
  }
  if (problem != 0) {
    error_set(err, "%s: cannot run gnuplot: %s", file, strerror(problem));
    goto cleanup;
  }
  close_fd(&pipes.out[1]);
  close_fd(&pipes.messages[1]);
  enum outcome outcome = collect(&pipes, seconds, out, messages);
  result = fail_collect(outcome, file, seconds, err);
  if (result != 0) kill(child, SIGKILL);
  *status = wait_for(child);
cleanup:
  close_all(&pipes);
  return result;
}
