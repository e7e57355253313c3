#include "report/hyphenate.h"

#include <hyphen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/memory.h"
#include "report/base/utf8.h"

static const char directory[] = "/usr/share/hyphen";
enum { SHORTEST_WORD = 5, LEFT_LETTERS = 2, RIGHT_LETTERS = 3 };

struct hyphenator {
  HyphenDict *patterns;
};

static bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

static bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

/* Try hyph_LL_CC.dic, hyph_LL.dic, hyph_LL_LL.dic, the region a default. */
static HyphenDict *load_patterns(const char *language) {
  char base[4] = "", region[4] = "";
  size_t n = strcspn(language, "-_");
  if (n < 2 || n > 3) return NULL;
  for (size_t i = 0; i < n; i++)
    base[i] = is_upper(language[i]) ? (char)(language[i] + 32) : language[i];
  if (strlen(language) == n + 3)
    for (size_t i = 0; i < 2; i++) {
      char c = language[n + 1 + i];
      region[i] = is_lower(c) ? (char)(c - 32) : c;
    }
  char same[4] = "";
  for (size_t i = 0; base[i]; i++)
    same[i] = (char)(base[i] - 32);
  const char *regions[] = {region, "", strcmp(base, "en") == 0 ? "US" : same};
  for (size_t i = 0; i < 3; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s/hyph_%s%s%s.dic", directory, base,
             regions[i][0] ? "_" : "", regions[i]);
    HyphenDict *patterns = file_exists(path) ? hnj_hyphen_load(path) : NULL;
    if (patterns) return patterns;
  }
  return NULL;
}

struct hyphenator *hyphenator_new(const char *language) {
  HyphenDict *patterns = language ? load_patterns(language) : NULL;
  if (!patterns) return NULL;
  struct hyphenator *h = memory_alloc(1, sizeof *h);
  h->patterns = patterns;
  return h;
}

void hyphenator_free(struct hyphenator *hyphenator) {
  if (!hyphenator) return;
  hnj_hyphen_free(hyphenator->patterns);
  free(hyphenator);
}

/* Length in bytes of the letter at `text`, 0 if it is none. Beyond ASCII:
 * Latin, Greek and Cyrillic blocks and combining marks. */
static size_t letter_length(const char *text, const char *end) {
  if (is_lower(*text) || is_upper(*text)) return 1;
  uint32_t code;
  size_t n = utf8_decode(text, end, &code);
  bool is_letter =
      (code >= 0xc0 && code <= 0x52f && code != 0xd7 && code != 0xf7) ||
      (code >= 0x1e00 && code <= 0x1fff);
  return n && is_letter ? n : 0;
}

/* The points of one word of `letters` letters, appended to `points`. */
static size_t word_points(const struct hyphenator *h, const char *word,
                          size_t length, size_t letters, size_t start,
                          size_t points[], size_t count) {
  char lower[HYPHENATE_LONGEST + 1], hyphens[HYPHENATE_LONGEST + 5];
  if (letters < SHORTEST_WORD || length > HYPHENATE_LONGEST) return count;
  bool is_ascii = letters == length;
  if (!is_ascii && !h->patterns->utf8) return count;
  for (size_t i = 0; i < length; i++) {
    if (i > 0 && is_upper(word[i])) return count;
    lower[i] = is_upper(word[i]) ? (char)(word[i] + 32) : word[i];
  }
  lower[length] = 0;
  char **replacements = NULL;
  int *positions = NULL, *cuts = NULL;
  if (hnj_hyphen_hyphenate3(h->patterns, lower, (int)length, hyphens, NULL,
                            &replacements, &positions, &cuts, LEFT_LETTERS,
                            RIGHT_LETTERS, LEFT_LETTERS, RIGHT_LETTERS) != 0)
    return count;
  size_t letter = 0;
  for (size_t i = 0; i < length;) {
    i += letter_length(word + i, word + length);
    bool is_point = hyphens[letter] & 1;
    bool is_spelt_anew = replacements && replacements[letter];
    letter++;
    if (is_point && !is_spelt_anew && letter >= LEFT_LETTERS &&
        letters - letter >= RIGHT_LETTERS && count < HYPHENATE_POINTS)
      points[count++] = start + i;
  }
  if (replacements)
    for (size_t i = 0; i < length; i++)
      free(replacements[i]);
  free(replacements);
  free(positions);
  free(cuts);
  return count;
}

size_t hyphenate_points(const struct hyphenator *hyphenator, const char *text,
                        size_t length, size_t points[HYPHENATE_POINTS]) {
  size_t count = 0;
  if (!hyphenator) return 0;
  const char *end = text + length;
  for (size_t i = 0; i < length;) {
    size_t start = i, letters = 0, n;
    while (i < length && (n = letter_length(text + i, end)) > 0) {
      i += n;
      letters++;
    }
    if (letters)
      count = word_points(hyphenator, text + start, i - start, letters, start,
                          points, count);
    else
      i++;
  }
  return count;
}
