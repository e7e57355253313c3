#include "report/hyphenate.h"

#include <hyphen.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/buffer.h"
#include "report/base/file.h"
#include "report/base/memory.h"
#include "report/base/utf8.h"

static const char directory[] = "/usr/share/hyphen";
enum { SHORTEST_WORD = 5, LEFT_LETTERS = 2, RIGHT_LETTERS = 3 };

struct hyphenator {
  HyphenDict *patterns;
  iconv_t encoder; /* from UTF-8 to the patterns' encoding */
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

static struct hyphenator *wrap(HyphenDict *patterns) {
  if (!patterns) return NULL;
  iconv_t encoder =
      iconv_open(patterns->utf8 ? "UTF-8" : patterns->cset, "UTF-8");
  if (encoder == (iconv_t)-1) {
    hnj_hyphen_free(patterns);
    return NULL;
  }
  struct hyphenator *h = memory_alloc(1, sizeof *h);
  *h = (struct hyphenator){patterns, encoder};
  return h;
}

struct hyphenator *hyphenator_new(const char *language) {
  return wrap(language ? load_patterns(language) : NULL);
}

struct hyphenator *hyphenator_read(const char *path) {
  return wrap(hnj_hyphen_load(path));
}

void hyphenator_free(struct hyphenator *hyphenator) {
  if (!hyphenator) return;
  hnj_hyphen_free(hyphenator->patterns);
  iconv_close(hyphenator->encoder);
  free(hyphenator);
}

/* A letter of the Latin, Greek and Cyrillic blocks, accents composed. */
static bool is_letter(uint32_t code) {
  if (code < 0x80) return is_lower((char)code) || is_upper((char)code);
  return (code >= 0xc0 && code <= 0x52f && code != 0xd7 && code != 0xf7) ||
         (code >= 0x1e00 && code <= 0x1fff);
}

/* Small letter of a capital of those languages' alphabets; else unchanged. */
static uint32_t lowered(uint32_t code) {
  bool is_even = code % 2 == 0;
  if (code < 0x80) return is_upper((char)code) ? code + 32 : code;
  if (code >= 0xc0 && code <= 0xde && code != 0xd7) return code + 32;
  if (code == 0x178) return 0xff;
  if ((code >= 0x100 && code <= 0x137) || (code >= 0x14a && code <= 0x177) ||
      (code >= 0x218 && code <= 0x21b) || (code >= 0x1e00 && code <= 0x1eff))
    return code + is_even;
  if ((code >= 0x139 && code <= 0x148) || (code >= 0x179 && code <= 0x17e))
    return code + !is_even;
  if (code >= 0x391 && code <= 0x3a9) return code + 32;
  if (code >= 0x400 && code <= 0x40f) return code + 80;
  if (code >= 0x410 && code <= 0x42f) return code + 32;
  return code;
}

/* Length in bytes of the letter at `text`, 0 if it is none. */
static size_t letter_length(const char *text, const char *end) {
  uint32_t code;
  size_t n = utf8_decode(text, end, &code);
  return n > 0 && is_letter(code) ? n : 0;
}

/* The word in small letters, in the encoding of the patterns. False when it has
 * a capital after its first letter or a letter that the encoding has not. */
static bool prepare(const struct hyphenator *h, const char *word, size_t length,
                    char *out, size_t room) {
  struct buffer small = {0};
  bool is_plain = true;
  for (size_t i = 0; i < length;) {
    uint32_t code = 0;
    size_t n = utf8_decode(word + i, word + length, &code);
    if (i > 0 && lowered(code) != code) is_plain = false;
    utf8_append(&small, lowered(code));
    i += n ? n : 1;
  }
  char *from = small.bytes, *to = out;
  size_t left = small.length, space = room - 1;
  iconv(h->encoder, NULL, NULL, NULL, NULL);
  bool fits = iconv(h->encoder, &from, &left, &to, &space) == 0 && left == 0;
  *to = 0;
  buffer_free(&small);
  return is_plain && fits;
}

/* The points of one word of `letters` letters, appended to `points`. */
static size_t word_points(const struct hyphenator *h, const char *word,
                          size_t length, size_t letters, size_t start,
                          size_t points[], size_t count) {
  char lower[2 * HYPHENATE_LONGEST + 1], hyphens[2 * HYPHENATE_LONGEST + 5];
  if (letters < SHORTEST_WORD || length > HYPHENATE_LONGEST ||
      !prepare(h, word, length, lower, sizeof lower))
    return count;
  size_t encoded = strlen(lower);
  char **replacements = NULL;
  int *positions = NULL, *cuts = NULL;
  if (hnj_hyphen_hyphenate3(h->patterns, lower, (int)encoded, hyphens, NULL,
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
    for (size_t i = 0; i < encoded; i++)
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
