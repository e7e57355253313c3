/* A moment by which something must have happened, on the monotonic clock. */
#ifndef DEADLINE_H
#define DEADLINE_H

#include <time.h>

struct timespec deadline_in(int seconds);

/* What is left until then, as poll(2) takes it: 0 when the time is up. */
int deadline_milliseconds(const struct timespec *deadline);

#endif
