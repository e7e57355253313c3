#include "report/origin.h"

#include <stdlib.h>
#include <string.h>

/* Index of the last item that starts at or before `at`; count if none. */
static size_t find_item(const struct origins *origins, size_t at) {
  size_t low = 0, high = origins->count;
  if (high == 0 || origins->items[0].start > at) return high;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (origins->items[middle].start <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}

bool origins_find(const struct origins *origins, size_t at, size_t *offset) {
  at += origins->dropped;
  size_t index = find_item(origins, at);
  if (index == origins->count) return false;
  const struct origin *item = &origins->items[index];
  if (item->offset == ORIGIN_NONE) return false;
  *offset = item->offset + (item->fixed ? 0 : at - item->start);
  return true;
}

/* The same up to the next origin or segment alone. */
static const struct source_segment *printed_run(const struct origins *origins,
                                                const struct source_map *map,
                                                size_t at, size_t limit,
                                                size_t *end) {
  size_t index = find_item(origins, at + origins->dropped);
  size_t next = index == origins->count ? 0 : index + 1;
  *end = next < origins->count ? origins->items[next].start - origins->dropped
                               : limit;
  if (*end > limit) *end = limit;
  size_t offset;
  if (!origins_find(origins, at, &offset)) return NULL;
  const struct source_segment *segment = source_map_segment(map, offset);
  if (segment == NULL) return NULL;
  bool last = segment + 1 == map->segments + map->count;
  size_t left = last ? limit : segment[1].offset - offset;
  if (!origins->items[index].fixed && left < *end - at) *end = at + left;
  return segment->value != NULL ? segment : NULL;
}

const struct source_segment *origins_printed(const struct origins *origins,
                                             const struct source_map *map,
                                             size_t at, size_t limit,
                                             size_t *end) {
  const struct source_segment *segment =
      printed_run(origins, map, at, limit, end);
  while (*end < limit) {
    size_t next;
    if (printed_run(origins, map, *end, limit, &next) != segment) break;
    *end = next;
  }
  return segment;
}

void origin_list_add(struct origin_list *list, struct origin origin) {
  if (list->count > 0) {
    struct origin *last = &list->items[list->count - 1];
    if (last->start == origin.start) {
      *last = origin;
      return;
    }
    bool continues = !last->fixed && !origin.fixed &&
                     origin.offset - last->offset == origin.start - last->start;
    if (continues) return;
  }
  if (list->count == list->room) {
    list->room = list->room > 0 ? list->room * 2 : 16;
    list->items = memory_resize(list->items, list->room, sizeof *list->items);
  }
  list->items[list->count++] = origin;
}

void origin_list_join(struct origin_list *list, size_t start,
                      const struct origins *origins, size_t length) {
  size_t index = find_item(origins, origins->dropped);
  if (index == origins->count) index = 0;
  origin_list_add(list, (struct origin){start, ORIGIN_NONE, true});
  for (; index < origins->count; index++) {
    struct origin item = origins->items[index];
    if (item.start >= origins->dropped + length) return;
    if (item.start < origins->dropped) {
      item.offset += item.fixed ? 0 : origins->dropped - item.start;
      item.start = origins->dropped;
    }
    item.start += start - origins->dropped;
    origin_list_add(list, item);
  }
}

struct origins origin_list_keep(struct origin_list *list, struct arena *arena) {
  struct origins kept = {.count = list->count};
  if (list->count > 0) {
    struct origin *items = arena_alloc(arena, list->count * sizeof *items);
    memcpy(items, list->items, list->count * sizeof *items);
    kept.items = items;
  }
  list->count = 0;
  return kept;
}

void origin_list_free(struct origin_list *list) {
  free(list->items);
  *list = (struct origin_list){0};
}
