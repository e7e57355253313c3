/* Which templates use a key that has drifted.
 *
 * A template uses `study.path` when it names the key, or a part of it that
 * ends between two elements (`study.path` before a section's fields), or opens
 * a section of the study (`#study`). Names are found in the text as it is,
 * whatever the delimiters are; so a page may be named that only mentions the
 * key, never the other way round. */
#ifndef PINS_PAGES_H
#define PINS_PAGES_H

#include <stddef.h>

#include "report/base/error.h"
#include "report/base/memory.h"
#include "report/pins_check.h"

struct page {
  const char *path;
  struct place place; /* where it uses `key` first; line 0: it does not */
  const char *key;    /* as it stands there */
};

struct pages {
  struct arena arena;
  struct page *items; /* by path */
  size_t count;
  size_t using; /* how many use a drifted key */
};

/* Add all files below `directory`; one that is absent adds nothing. */
int pins_pages_scan(const char *directory, const struct check *check,
                    struct pages *out, struct error *err);

/* Add a page by its name alone. */
void pins_pages_add(struct pages *pages, const char *name);
void pins_pages_free(struct pages *pages);

#endif
