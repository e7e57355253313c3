/* For the tests of pages: a text read and drawn. Included after cmocka.h. */
#ifndef PAGE_SUPPORT_H
#define PAGE_SUPPORT_H

#include "report/markdown.h"
#include "report/typeset.h"

static struct font_set *fonts;

static void read_document(const char *path, const char *text, size_t length,
                          struct document *out) {
  struct source_map map = {0};
  struct error err;
  source_map_add_text(&map, 0, (struct place){path, 1, 1}, text, length);
  if (markdown_parse(path, text, length, &map, out, &err) != 0)
    fail_msg("%s", err.text);
}

static int draw(const struct document *document,
                const struct typeset_options *options, struct arena *arena,
                struct device *device, struct buffer *out, struct error *err) {
  if (typeset(document, options, fonts, arena, device, NULL, err) != 0)
    return -1;
  return device_finish(device, out, err);
}

#endif
