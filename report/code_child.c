#define _GNU_SOURCE
#include "report/code_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "report/deadline.h"

enum { SOCKET = 3 }; /* the child's */

/* Move descriptors away from those that the child is given. */
static int above(int fd) {
  return fcntl(fd, F_DUPFD, SOCKET + 1);
}

/* In the child: only what may be called between fork and exec. */
static void become(const struct code_child *child, int socket, int failed,
                   char *const *arguments, char *const *environment,
                   size_t limit) {
  struct rlimit size = {limit, limit}, none = {0, 0};
  int in = open("/dev/null", O_RDONLY);
  int fds[] = {above(in), above(child->out), above(child->messages),
               above(socket)};
  int report = fcntl(failed, F_DUPFD_CLOEXEC, 16);
  setpgid(0, 0);
  setrlimit(RLIMIT_FSIZE, &size);
  setrlimit(RLIMIT_CORE, &none);
  for (int i = 0; i < 4; i++) {
    dup2(fds[i], i);
    close(fds[i]);
  }
  execvpe(arguments[0], arguments, environment);
  int problem = errno;
  if (write(report, &problem, sizeof problem) < 0) _exit(126);
  _exit(127);
}

static int fork_child(struct code_child *child, char *const *arguments,
                      char *const *environment, size_t limit) {
  int sockets[2], failed[2], problem = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return errno;
  child->socket = sockets[0];
  if (pipe2(failed, O_CLOEXEC) != 0) {
    problem = errno;
    close(sockets[1]);
    return problem;
  }
  child->pid = fork();
  if (child->pid == 0)
    become(child, sockets[1], failed[1], arguments, environment, limit);
  problem = child->pid < 0 ? errno : 0;
  if (child->pid < 0) child->pid = 0;
  close(sockets[1]);
  close(failed[1]);
  if (problem == 0 && read(failed[0], &problem, sizeof problem) <= 0)
    problem = 0;
  close(failed[0]);
  return problem;
}

int code_child_start(struct code_child *child, char *const *arguments,
                     char *const *environment, size_t limit) {
  *child =
      (struct code_child){.socket = -1,
                          .out = memfd_create("output", MFD_CLOEXEC),
                          .messages = memfd_create("messages", MFD_CLOEXEC)};
  if (child->out < 0 || child->messages < 0) return errno;
  return fork_child(child, arguments, environment, limit);
}

/* Kill the group, also what a child that has ended left running: its number
 * is not given to another before the child is waited for. */
static void reap(struct code_child *child) {
  int status = 0;
  kill(-child->pid, SIGKILL);
  while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
    ;
  child->status =
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  child->pid = 0;
}

/* The child has closed its socket, as it does when it ends, or time is up. */
static enum code_event wait_end(struct code_child *child,
                                const struct timespec *end) {
  const struct timespec pause = {0, 1000000};
  for (;;) {
    siginfo_t info = {0};
    waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    if (info.si_pid == child->pid) break;
    if (deadline_milliseconds(end) == 0) return CODE_LATE;
    nanosleep(&pause, NULL);
  }
  reap(child);
  return CODE_ENDED;
}

enum code_event code_child_wait(struct code_child *child, int seconds) {
  struct timespec end = deadline_in(seconds);
  struct pollfd fd = {child->socket, POLLIN, 0};
  char byte;
  int n;
  do
    n = poll(&fd, 1, deadline_milliseconds(&end));
  while (n < 0 && errno == EINTR);
  if (n <= 0) return wait_end(child, &end);
  if (recv(child->socket, &byte, 1, MSG_DONTWAIT) == 1) return CODE_REPORTED;
  return wait_end(child, &end);
}

void code_child_answer(struct code_child *child) {
  /* A child that is gone by now is seen at the next wait. */
  (void)!send(child->socket, "", 1, MSG_NOSIGNAL);
}

size_t code_child_printed(const struct code_child *child) {
  struct stat status;
  return fstat(child->out, &status) == 0 ? (size_t)status.st_size : 0;
}

int code_child_read(int file, size_t offset, size_t end, struct buffer *to) {
  char bytes[4096];
  while (offset < end) {
    size_t want = end - offset < sizeof bytes ? end - offset : sizeof bytes;
    ssize_t n = pread(file, bytes, want, (off_t)offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) return 0;
    buffer_add(to, bytes, (size_t)n);
    offset += (size_t)n;
  }
  return 0;
}

void code_child_close(struct code_child *child) {
  if (child->pid > 0) {
    kill(child->pid, SIGKILL); /* it may not have made its group yet */
    reap(child);
  }
  int fds[] = {child->socket, child->out, child->messages};
  for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
    if (fds[i] >= 0) close(fds[i]);
}
