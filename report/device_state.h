/* What every backend checks alike: the order of calls, the range of numbers,
 * open elements; and the first error, which stays. */
#ifndef DEVICE_STATE_H
#define DEVICE_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/tag.h"

enum { DEVICE_DEEPEST_PUSH = 20, DEVICE_DEEPEST_TAG = 200 };

/* Largest coordinate of a page (200 inches), from PDF's own limit. */
#define DEVICE_LARGEST 14400.0

struct device_state {
  bool failed, in_document, ended, in_page;
  struct error error;
  int pushes;
  const struct tag *tags[DEVICE_DEEPEST_TAG]; /* open, outermost first */
  size_t tag_count;
};

bool device_failed(const struct device_state *state);
void device_fail(struct device_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Each is true when the call is to be carried out. */
bool device_begin_document(struct device_state *state);
bool device_end_document(struct device_state *state);
bool device_begin_page(struct device_state *state);
bool device_end_page(struct device_state *state);
bool device_on_page(struct device_state *state);
bool device_push(struct device_state *state);
bool device_pop(struct device_state *state);
bool device_begin_tag(struct device_state *state, const struct tag *tag);

/* The element ended, or NULL when the call is to be ignored. */
const struct tag *device_end_tag(struct device_state *state);

/* False, and an error, for a coordinate no page has. */
bool device_check(struct device_state *state, double value);

/* 0 after a complete document without error. */
int device_result(const struct device_state *state, struct error *err);

#endif
