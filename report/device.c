#include "report/device.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "report/device_state.h"

bool device_failed(const struct device_state *state) {
  return state->failed;
}

void device_fail(struct device_state *state, const char *format, ...) {
  if (state->failed) return;
  char text[sizeof state->error.text];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  error_set(&state->error, "%s", text);
  state->failed = true;
}

static bool require(struct device_state *state, bool holds, const char *what) {
  if (!holds) device_fail(state, "drawing: %s", what);
  return !state->failed;
}

bool device_begin_document(struct device_state *state) {
  if (!require(state, !state->in_document && !state->ended,
               "the document is begun twice"))
    return false;
  return state->in_document = true;
}

bool device_end_document(struct device_state *state) {
  if (!require(state, state->in_document && !state->in_page,
               "the document ends inside a page or before it begins") ||
      !require(state, state->tag_count == 0, "an element is never ended"))
    return false;
  state->in_document = false;
  return state->ended = true;
}

bool device_begin_page(struct device_state *state) {
  if (!require(state, state->in_document && !state->in_page,
               "a page begins inside a page or outside the document"))
    return false;
  return state->in_page = true;
}

bool device_end_page(struct device_state *state) {
  if (!device_on_page(state) ||
      !require(state, state->pushes == 0, "a page ends inside a clip"))
    return false;
  state->in_page = false;
  return true;
}

bool device_on_page(struct device_state *state) {
  return require(state, state->in_page, "a call outside any page");
}

bool device_push(struct device_state *state) {
  if (!device_on_page(state) ||
      !require(state, state->pushes < DEVICE_DEEPEST_PUSH,
               "clips and transformations nest too deeply"))
    return false;
  state->pushes++;
  return true;
}

bool device_pop(struct device_state *state) {
  if (!device_on_page(state) ||
      !require(state, state->pushes > 0, "more pops than pushes"))
    return false;
  state->pushes--;
  return true;
}

bool device_begin_tag(struct device_state *state, const struct tag *tag) {
  if (!require(state, state->in_document, "an element outside the document") ||
      !require(state, state->tag_count < DEVICE_DEEPEST_TAG,
               "elements nest too deeply"))
    return false;
  state->tags[state->tag_count++] = tag;
  return true;
}

const struct tag *device_end_tag(struct device_state *state) {
  if (!require(state, state->tag_count > 0, "more elements end than begin"))
    return NULL;
  return state->tags[--state->tag_count];
}

bool device_check(struct device_state *state, double value) {
  if (isfinite(value) && fabs(value) <= DEVICE_LARGEST) return !state->failed;
  device_fail(state, "drawing: the coordinate %g lies outside any page", value);
  return false;
}

int device_result(const struct device_state *state, struct error *err) {
  if (state->failed) return error_set(err, "%s", state->error.text);
  if (!state->ended)
    return error_set(err, "drawing: the document is never ended");
  return 0;
}

int device_finish(struct device *device, struct buffer *out,
                  struct error *err) {
  return device->finish(device, out, err);
}

void device_free(struct device *device) {
  if (device) device->free(device);
}
