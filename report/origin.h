/* Which bytes of an expanded text the bytes of a document's text come from.
 *
 * A document's text differs from its source: escapes and entities are decoded,
 * quotes and dashes set, pieces joined. Origins keep the way back for every
 * byte, so that each can be traced through the source map to a line of the
 * source or to the key that a tag printed. Text that the program adds, such as
 * "Figure 3", has none. */
#ifndef ORIGIN_H
#define ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/memory.h"
#include "report/source_map.h"

#define ORIGIN_NONE ((size_t)-1)

/* Bytes of the text from `start` on, up to the next origin, come from `offset`
 * on, byte for byte; all of them from that one byte if `fixed`. An offset of
 * ORIGIN_NONE: from nowhere. */
struct origin {
  size_t start, offset;
  bool fixed;
};

/* Of one text; `dropped` bytes were cut off its front since. */
struct origins {
  const struct origin *items; /* by their start */
  size_t count, dropped;
};

/* False where the text at `at` comes from no source. */
bool origins_find(const struct origins *origins, size_t at, size_t *offset);

/* The segment of the map by which a tag printed the byte at `at`, or NULL for
 * what no tag printed. `end` becomes the end of the bytes, before `limit`, for
 * which the answer is the same. */
const struct source_segment *origins_printed(const struct origins *origins,
                                             const struct source_map *map,
                                             size_t at, size_t limit,
                                             size_t *end);

/* Origins being collected; start it as {0}. Starts ascend. */
struct origin_list {
  struct origin *items;
  size_t count, room;
};

void origin_list_add(struct origin_list *list, struct origin origin);

/* Add those of a text of `length` bytes that is put at `start`. */
void origin_list_join(struct origin_list *list, size_t start,
                      const struct origins *origins, size_t length);

/* Their copy in the arena; the list is empty then, its memory kept. */
struct origins origin_list_keep(struct origin_list *list, struct arena *arena);
void origin_list_free(struct origin_list *list);

#endif
