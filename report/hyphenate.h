/* Where words may be hyphenated: Liang's patterns through libhyphen, from the
 * dictionaries in /usr/share/hyphen (hyph_en_US.dic and so on). */
#ifndef HYPHENATE_H
#define HYPHENATE_H

#include <stddef.h>

struct hyphenator;

/* `language` as in a document's head ("en", "en-GB", "de"). NULL when no
 * dictionary for it is installed: such text is simply not hyphenated. */
struct hyphenator *hyphenator_new(const char *language);

/* The same from a file of patterns; NULL when it cannot be read. */
struct hyphenator *hyphenator_read(const char *path);

void hyphenator_free(struct hyphenator *hyphenator); /* NULL is fine */

enum { HYPHENATE_POINTS = 32, HYPHENATE_LONGEST = 120 };

/* Byte offsets in `text` at which a hyphen may be put, ascending; at most
 * HYPHENATE_POINTS of them. `text` is one run without space; each run of
 * letters in it is taken as a word. Words shorter than five letters, with
 * capitals after the first letter, longer than HYPHENATE_LONGEST bytes, or with
 * letters that the patterns' encoding has not have none. At least two letters
 * stay before a hyphen and three after it; places where the spelling would
 * change are left out. */
size_t hyphenate_points(const struct hyphenator *hyphenator, const char *text,
                        size_t length, size_t points[HYPHENATE_POINTS]);

#endif
