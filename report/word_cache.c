#include "report/word_cache.h"

#include <stdlib.h>
#include <string.h>

struct entry {
  const char *text; /* NULL: free */
  size_t length;
  uint64_t hash;
  enum font_face face;
  unsigned features;
  double size;
  const struct glyph_run *runs;
};

struct word_cache {
  struct font_set *fonts;
  struct arena *arena;
  struct entry *entries; /* open addressing, a power of 2 of them */
  size_t count, room;
};

enum { FIRST_ROOM = 1024 };

struct word_cache *word_cache_new(struct font_set *fonts, struct arena *arena) {
  struct word_cache *cache = memory_alloc(1, sizeof *cache);
  *cache = (struct word_cache){
      .fonts = fonts,
      .arena = arena,
      .entries = memory_alloc(FIRST_ROOM, sizeof(struct entry)),
      .room = FIRST_ROOM};
  return cache;
}

void word_cache_free(struct word_cache *cache) {
  if (!cache) return;
  free(cache->entries);
  free(cache);
}

/* FNV-1a over the text, then face and features. */
static uint64_t hash_of(const struct entry *key) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < key->length; i++)
    hash = (hash ^ (unsigned char)key->text[i]) * 1099511628211u;
  hash = (hash ^ (unsigned)key->face) * 1099511628211u;
  return (hash ^ key->features) * 1099511628211u;
}

static bool same(const struct entry *a, const struct entry *b) {
  return a->hash == b->hash && a->length == b->length && a->face == b->face &&
         a->features == b->features && a->size == b->size &&
         memcmp(a->text, b->text, a->length) == 0;
}

/* The entry of that key, or the free one where it belongs. */
static struct entry *find(struct entry *entries, size_t room,
                          const struct entry *key) {
  size_t i = key->hash & (room - 1);
  while (entries[i].text && !same(&entries[i], key))
    i = (i + 1) & (room - 1);
  return &entries[i];
}

static void grow(struct word_cache *cache) {
  size_t room = 2 * cache->room;
  struct entry *entries = memory_alloc(room, sizeof *entries);
  for (size_t i = 0; i < cache->room; i++)
    if (cache->entries[i].text)
      *find(entries, room, &cache->entries[i]) = cache->entries[i];
  free(cache->entries);
  cache->entries = entries;
  cache->room = room;
}

int word_cache_shape(struct word_cache *cache, enum font_face face, double size,
                     unsigned features, const char *text, size_t length,
                     struct place at, const struct glyph_run **out,
                     struct error *err) {
  struct entry key = {.text = text,
                      .length = length,
                      .face = face,
                      .features = features,
                      .size = size};
  key.hash = hash_of(&key);
  struct entry *entry = find(cache->entries, cache->room, &key);
  if (!entry->text) {
    struct glyph_run *runs;
    if (font_shape(cache->fonts, cache->arena, face, size, features, text,
                   length, at, &runs, err) != 0)
      return -1;
    key.text = arena_copy(cache->arena, text, length);
    key.runs = runs;
    *entry = key;
    *out = runs;
    if (2 * ++cache->count > cache->room) grow(cache);
    return 0;
  }
  *out = entry->runs;
  return 0;
}
