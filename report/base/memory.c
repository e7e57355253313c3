#include "report/base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BLOCK = 64 * 1024, ARENA_ALIGN = 16 };

struct arena_block {
  struct arena_block *next;
  size_t used, size;
  _Alignas(ARENA_ALIGN) unsigned char bytes[];
};

static void out_of_memory(void) {
  fputs("pinpress: out of memory\n", stderr);
  exit(2);
}

void *memory_alloc(size_t count, size_t size) {
  void *p = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
  if (p == NULL) out_of_memory();
  return p;
}

void *memory_resize(void *old, size_t count, size_t size) {
  if (size > 0 && count > SIZE_MAX / size) out_of_memory();
  size_t bytes = count * size;
  void *p = realloc(old, bytes > 0 ? bytes : 1);
  if (p == NULL) out_of_memory();
  return p;
}

char *memory_copy_text(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(memory_alloc(size, 1), text, size);
}

static struct arena_block *new_block(struct arena *arena, size_t size) {
  size_t room = size > ARENA_BLOCK ? size : ARENA_BLOCK;
  if (room > SIZE_MAX - sizeof(struct arena_block)) out_of_memory();
  struct arena_block *block = memory_alloc(1, sizeof *block + room);
  block->size = room;
  block->next = arena->blocks;
  arena->blocks = block;
  return block;
}

void *arena_alloc(struct arena *arena, size_t size) {
  if (size > SIZE_MAX - ARENA_ALIGN) out_of_memory();
  size = (size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
  struct arena_block *block = arena->blocks;
  if (block == NULL || block->size - block->used < size)
    block = new_block(arena, size);
  void *p = block->bytes + block->used;
  block->used += size;
  return p;
}

char *arena_copy(struct arena *arena, const char *bytes, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  if (length > 0) memcpy(copy, bytes, length);
  return copy;
}

char *arena_printf(struct arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  char *text = arena_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(args);
  return text;
}

void arena_free(struct arena *arena) {
  for (struct arena_block *block = arena->blocks, *next; block != NULL;
       block = next) {
    next = block->next;
    free(block);
  }
  arena->blocks = NULL;
}
