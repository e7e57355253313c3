/* Allocation that cannot fail: when memory is exhausted the process prints one
 * line and exits with status 2. Outputs are written aside and renamed, so
 * nothing is lost by that. Arenas serve documents, whose parts die together. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

void *memory_alloc(size_t count, size_t size); /* zeroed, count * size bytes */
void *memory_resize(void *old, size_t count, size_t size);
char *memory_copy_text(const char *text);

/* An arena hands out memory that is freed all at once. Start it as {0}. */
struct arena {
  struct arena_block *blocks;
};

void *arena_alloc(struct arena *arena, size_t size); /* zeroed, aligned to 16 */
char *arena_copy(struct arena *arena, const char *bytes, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *arena);

#endif
