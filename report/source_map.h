/* Where each byte of an expanded text comes from, so that an error found in
 * the expansion points to the line that a person can edit.
 *
 * The text is covered by segments in ascending order. A SOURCE_VERBATIM
 * segment repeats its source byte for byte and never reaches past a newline;
 * all bytes of a SOURCE_VALUE segment (a value printed by a tag) come from the
 * place of its tag. */
#ifndef REPORT_SOURCE_MAP_H
#define REPORT_SOURCE_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/base/memory.h"

enum source_kind { SOURCE_VERBATIM, SOURCE_VALUE };

/* What a tag printed. */
struct source_value {
  const char *key;    /* from the root: study.rows.0.loss */
  const char *format; /* as written behind the bar; "" without one */
  const char *text;   /* the whole value, in ASCII: 0.52568212345678901 */
  bool is_number;
};

/* A copy whose strings live in `arena`. */
const struct source_value *source_value_copy(struct arena *arena,
                                             const struct source_value *value);

struct source_segment {
  size_t offset;   /* of its first byte in the expanded text */
  struct place at; /* of that byte's source; file owned by the map */
  enum source_kind kind;
  const struct source_value *value; /* SOURCE_VALUE, owned by the map; NULL for
                                       what no tag printed, as a partial's
                                       indentation */
};

/* Start it as {0}. */
struct source_map {
  struct arena arena; /* file names, values */
  struct source_segment *segments;
  size_t count, room;
};

/* Open a segment; offsets never descend. An empty segment is replaced by the
 * one that follows it at the same offset. */
void source_map_add(struct source_map *map, size_t offset, struct place at,
                    enum source_kind kind);

/* The same for a printed value, of which the map keeps a copy. */
void source_map_add_value(struct source_map *map, size_t offset,
                          struct place at, const struct source_value *value);

/* Cover `text`, which starts at `offset` in the expanded text and stands at
 * `at` in its source: one verbatim segment a line. */
void source_map_add_text(struct source_map *map, size_t offset, struct place at,
                         const char *text, size_t length);

/* The segment that holds `offset` (past the end: the last one); NULL for an
 * empty map. */
const struct source_segment *source_map_segment(const struct source_map *map,
                                                size_t offset);

/* The place of the byte at `offset`; its file lives as long as the map. An
 * empty map gives {"", 0, 0}. */
struct place source_map_place(const struct source_map *map, size_t offset);

void source_map_free(struct source_map *map);

#endif
