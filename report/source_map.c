#include "report/source_map.h"

#include <stdlib.h>
#include <string.h>

/* Neighbours mostly share their file, whose name is then kept once. */
static const char *own_name(struct source_map *map, const char *file) {
  if (map->count > 0) {
    const char *last = map->segments[map->count - 1].at.file;
    if (strcmp(last, file) == 0) return last;
  }
  return arena_copy(&map->arena, file, strlen(file));
}

void source_map_add(struct source_map *map, size_t offset, struct place at,
                    enum source_kind kind) {
  at.file = own_name(map, at.file);
  if (map->count > 0 && map->segments[map->count - 1].offset == offset)
    map->count--;
  if (map->count == map->room) {
    map->room = map->room > 0 ? map->room * 2 : 64;
    map->segments =
        memory_resize(map->segments, map->room, sizeof *map->segments);
  }
  map->segments[map->count++] =
      (struct source_segment){.offset = offset, .at = at, .kind = kind};
}

const struct source_value *source_value_copy(struct arena *arena,
                                             const struct source_value *value) {
  struct source_value *copy = arena_alloc(arena, sizeof *copy);
  *copy = *value;
  copy->key = arena_copy(arena, value->key, strlen(value->key));
  copy->format = arena_copy(arena, value->format, strlen(value->format));
  copy->text = arena_copy(arena, value->text, strlen(value->text));
  return copy;
}

void source_map_add_value(struct source_map *map, size_t offset,
                          struct place at, const struct source_value *value) {
  source_map_add(map, offset, at, SOURCE_VALUE);
  map->segments[map->count - 1].value = source_value_copy(&map->arena, value);
}

void source_map_add_text(struct source_map *map, size_t offset, struct place at,
                         const char *text, size_t length) {
  for (size_t start = 0; start < length;) {
    const char *newline = memchr(text + start, '\n', length - start);
    source_map_add(map, offset + start, at, SOURCE_VERBATIM);
    if (newline == NULL) return;
    start = (size_t)(newline - text) + 1;
    at.line++;
    at.column = 1;
  }
}

const struct source_segment *source_map_segment(const struct source_map *map,
                                                size_t offset) {
  if (map->count == 0) return NULL;
  size_t low = 0, high = map->count;
  while (high - low > 1) { /* segments[low].offset <= offset or low == 0 */
    size_t middle = low + (high - low) / 2;
    if (map->segments[middle].offset <= offset)
      low = middle;
    else
      high = middle;
  }
  return &map->segments[low];
}

struct place source_map_place(const struct source_map *map, size_t offset) {
  const struct source_segment *segment = source_map_segment(map, offset);
  if (segment == NULL) return (struct place){"", 0, 0};
  struct place at = segment->at;
  if (segment->kind == SOURCE_VERBATIM && offset > segment->offset)
    at.column += (int)(offset - segment->offset);
  return at;
}

void source_map_free(struct source_map *map) {
  arena_free(&map->arena);
  free(map->segments);
  *map = (struct source_map){0};
}
