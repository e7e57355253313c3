/* Words that were shaped before: text repeats itself, and shaping is most of
 * the cost of a paragraph. One cache serves one set of fonts, one language and
 * one arena, which owns the runs. */
#ifndef WORD_CACHE_H
#define WORD_CACHE_H

#include "report/font.h"

struct word_cache;

struct word_cache *word_cache_new(struct font_set *fonts, struct arena *arena);
void word_cache_free(struct word_cache *cache); /* the runs stay */

/* As font_shape; the runs are shared and must not be changed. */
int word_cache_shape(struct word_cache *cache, enum font_face face, double size,
                     unsigned features, const char *text, size_t length,
                     struct place at, const struct glyph_run **out,
                     struct error *err);

#endif
