#include "report/deadline.h"

struct timespec deadline_in(int seconds) {
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += seconds;
  return deadline;
}

int deadline_milliseconds(const struct timespec *deadline) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long left = (deadline->tv_sec - now.tv_sec) * 1000 +
              (deadline->tv_nsec - now.tv_nsec) / 1000000;
  return left > 0 ? (int)left : 0;
}
