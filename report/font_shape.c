/* Text to glyph runs: split at changes of face, then shaped by HarfBuzz. */
#include <hb-ot.h>
#include <hb.h>
#include <string.h>

#include "report/base/utf8.h"
#include "report/font_internal.h"

enum { NO_FACE = -1, CHAIN = 7 };

/* Letters of scripts that Pagella has at best in part: its Greek is made for
 * symbols, without accents and bold. */
static bool is_foreign_letter(uint32_t code) {
  return (code >= 0x370 && code <= 0x52F && code != 0x37E && code != 0x387) ||
         (code >= 0x1F00 && code <= 0x1FFF);
}

static bool is_mark(uint32_t code) {
  hb_unicode_general_category_t category =
      hb_unicode_general_category(hb_unicode_funcs_get_default(), code);
  return category == HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK ||
         category == HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK;
}

/* Characters that direct layout and need no glyph. */
static bool is_invisible(uint32_t code) {
  return code == 0xAD || (code >= 0x200B && code <= 0x200F) || code == 0x2060 ||
         code == 0xFEFF || (code >= 0xFE00 && code <= 0xFE0F);
}

/* The usual sign for a superscript figure or sign; others as they are. */
static uint32_t lowered(uint32_t code) {
  static const uint32_t low[] = {0xB9, 0xB2, 0xB3};
  for (uint32_t i = 0; i < 3; i++)
    if (code == low[i]) return '1' + i;
  if (code == 0x2070 || (code >= 0x2074 && code <= 0x2079))
    return '0' + code - 0x2070;
  if (code == 0x207A) return '+';
  return code == 0x207B ? 0x2212 : code;
}

static bool is_bold(enum font_face face) {
  return face == FONT_BOLD || face == FONT_BOLD_ITALIC ||
         face == FONT_MONO_BOLD || face == FONT_SERIF_BOLD;
}

static bool is_mono(enum font_face face) {
  return face == FONT_MONO || face == FONT_MONO_BOLD;
}

/* Faces to try for a character, the wished one first; a word of another script
 * comes from the face that has all its letters. */
static int chain(enum font_face face, bool foreign, int out[CHAIN]) {
  bool bold = is_bold(face), mono = is_mono(face);
  int count = 0;
  if (foreign && !mono) out[count++] = bold ? FONT_SERIF_BOLD : FONT_SERIF;
  out[count++] = (int)face;
  if (mono) out[count++] = FONT_MONO;
  out[count++] = bold ? FONT_BOLD : FONT_ROMAN;
  out[count++] = FONT_MATH;
  out[count++] = bold ? FONT_SERIF_BOLD : FONT_SERIF;
  out[count++] = FONT_MONO;
  return count;
}

static int choose(const struct font_set *fonts, enum font_face face,
                  uint32_t code, bool foreign, int previous) {
  if (previous != NO_FACE &&
      (is_invisible(code) ||
       (is_mark(code) && font_has(fonts, (enum font_face)previous, code))))
    return previous;
  if (is_invisible(code)) return (int)face;
  if (lowered(code) != code && !is_mono(face))
    return is_bold(face) ? FONT_RAISED_BOLD : FONT_RAISED;
  int faces[CHAIN], count = chain(face, foreign, faces);
  for (int i = 0; i < count; i++)
    if (font_has(fonts, (enum font_face)faces[i], code)) return faces[i];
  return NO_FACE;
}

/* Scripts that run from right to left, with letters joined or not. */
static bool is_right_to_left(uint32_t code) {
  return (code >= 0x590 && code <= 0x8FF) ||
         (code >= 0xFB1D && code <= 0xFDFF) ||
         (code >= 0xFE70 && code <= 0xFEFC) ||
         (code >= 0x10800 && code <= 0x10FFF) ||
         (code >= 0x1E800 && code <= 0x1EFFF);
}

/* From a foreign letter on: where its word ends, and whether it is a word: a
 * lone letter is one in Greek, elsewhere a symbol. */
static const char *foreign_word(const struct font_set *fonts, const char *text,
                                const char *end, bool *is_word) {
  hb_language_t greek = hb_language_from_string("el", -1);
  uint32_t code;
  size_t bytes, letters = 0;
  while ((bytes = utf8_decode(text, end, &code)) &&
         (is_foreign_letter(code) || is_mark(code))) {
    letters += is_foreign_letter(code);
    text += bytes;
  }
  *is_word = letters > 1 || hb_language_matches(greek, fonts->language);
  return text;
}

static void fill_glyphs(struct font_set *fonts, struct arena *arena,
                        double rise, struct glyph_run *run) {
  unsigned count;
  hb_glyph_info_t *infos = hb_buffer_get_glyph_infos(fonts->buffer, &count);
  hb_glyph_position_t *positions =
      hb_buffer_get_glyph_positions(fonts->buffer, NULL);
  struct glyph *glyphs = arena_alloc(arena, count * sizeof *glyphs + 1);
  hb_font_t *font = fonts->font[run->face];
  double scale = run->size / fonts->em[run->face], pen = 0;
  run->height = run->depth = 0;
  for (unsigned i = 0; i < count; i++) {
    glyphs[i] =
        (struct glyph){.id = (uint16_t)infos[i].codepoint,
                       .cluster = infos[i].cluster,
                       .advance = positions[i].x_advance * scale,
                       .x_offset = positions[i].x_offset * scale,
                       .y_offset = positions[i].y_offset * scale + rise};
    hb_glyph_extents_t ink;
    if (hb_font_get_glyph_extents(font, glyphs[i].id, &ink) && ink.height) {
      double top = ink.y_bearing * scale + glyphs[i].y_offset;
      double bottom = top + ink.height * scale;
      if (top > run->height) run->height = top;
      if (-bottom > run->depth) run->depth = -bottom;
    }
    pen += glyphs[i].advance;
  }
  run->glyphs = glyphs;
  run->count = count;
  run->width = pen;
}

/* What was asked for. */
struct wish {
  struct arena *arena;
  enum font_face face;
  double size;
  unsigned features;
};

/* Letters of another family beside those of the wished one. */
static void harmonise(const struct font_set *fonts, const struct wish *wish,
                      struct glyph_run *run) {
  bool serif = run->face == FONT_SERIF || run->face == FONT_SERIF_BOLD;
  if (!serif || run->face == wish->face) return;
  run->size *=
      fonts->metrics[wish->face].x_height / fonts->metrics[run->face].x_height;
  if (wish->face == FONT_ITALIC || wish->face == FONT_BOLD_ITALIC)
    run->slant = 0.2;
}

static bool is_raised(const struct glyph_run *run) {
  return run->face == FONT_RAISED || run->face == FONT_RAISED_BOLD;
}

static double math_constant(const struct font_set *fonts,
                            hb_ot_math_constant_t constant) {
  return hb_ot_math_get_constant(fonts->font[FONT_MATH], constant);
}

static void add_text(hb_buffer_t *buffer, const struct glyph_run *run) {
  if (!is_raised(run)) {
    hb_buffer_add_utf8(buffer, run->text, (int)run->length, 0,
                       (int)run->length);
    return;
  }
  const char *p = run->text, *end = p + run->length;
  uint32_t code;
  for (size_t bytes; (bytes = utf8_decode(p, end, &code)); p += bytes)
    hb_buffer_add(buffer, lowered(code), (unsigned)(p - run->text));
  hb_buffer_set_content_type(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE);
}

static struct glyph_run *shape_run(struct font_set *fonts,
                                   const struct wish *wish, enum font_face face,
                                   const char *text, size_t length) {
  struct glyph_run *run = arena_alloc(wish->arena, sizeof *run);
  run->face = face;
  run->size = wish->size;
  harmonise(fonts, wish, run);
  if (is_raised(run))
    run->size *=
        math_constant(fonts, HB_OT_MATH_CONSTANT_SCRIPT_PERCENT_SCALE_DOWN) /
        100;
  run->text = arena_copy(wish->arena, text, length);
  run->length = length;
  hb_buffer_t *buffer = fonts->buffer;
  hb_buffer_clear_contents(buffer);
  hb_buffer_set_cluster_level(buffer,
                              HB_BUFFER_CLUSTER_LEVEL_MONOTONE_CHARACTERS);
  add_text(buffer, run);
  hb_buffer_set_direction(buffer, HB_DIRECTION_LTR);
  hb_buffer_set_language(buffer, fonts->language);
  hb_buffer_guess_segment_properties(buffer);
  hb_feature_t list[4];
  unsigned count = 0;
#define FEATURE(a, b, c, d, on)                                                \
  list[count++] = (hb_feature_t) {                                             \
    HB_TAG(a, b, c, d), on, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END     \
  }
  if (wish->features & FONT_NO_LIGATURES) {
    FEATURE('l', 'i', 'g', 'a', 0);
    FEATURE('c', 'l', 'i', 'g', 0);
  }
  if (wish->features & FONT_SMALL_CAPS) FEATURE('s', 'm', 'c', 'p', 1);
  hb_shape(fonts->font[face], buffer, list, count);
  double rise =
      is_raised(run)
          ? wish->size *
                math_constant(fonts, HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP) /
                fonts->em[FONT_MATH]
          : 0;
  fill_glyphs(fonts, wish->arena, rise, run);
  return run;
}

/* What no glyph could be composed for, although its parts are in the font. */
static int check_glyphs(const struct glyph_run *run, struct place at,
                        size_t offset, struct error *err) {
  for (size_t i = 0; i < run->count; i++) {
    if (run->glyphs[i].id != 0) continue;
    const char *text = run->text + run->glyphs[i].cluster;
    uint32_t code = 0;
    utf8_decode(text, run->text + run->length, &code);
    at.column += (int)(offset + run->glyphs[i].cluster);
    return error_at(err, at, "no font has the character U+%04X",
                    (unsigned)code);
  }
  return 0;
}

int font_shape(struct font_set *fonts, struct arena *arena, enum font_face face,
               double size, unsigned features, const char *text, size_t length,
               struct place at, struct glyph_run **out, struct error *err) {
  const struct wish wish = {arena, face, size, features};
  const char *start = text, *p = text, *end = text + length;
  struct glyph_run **tail = out;
  const char *word_end = text;
  bool foreign = false;
  int current = NO_FACE;
  *out = NULL;
  while (p < end) {
    uint32_t code;
    size_t bytes = utf8_decode(p, end, &code);
    if (!bytes) {
      at.column += (int)(p - text);
      return error_at(err, at, "invalid UTF-8");
    }
    if (is_right_to_left(code)) {
      at.column += (int)(p - text);
      return error_at(err, at,
                      "U+%04X is of a script that runs from right to left, "
                      "which is not supported",
                      (unsigned)code);
    }
    if (p >= word_end) foreign = false;
    if (p >= word_end && is_foreign_letter(code))
      word_end = foreign_word(fonts, p, end, &foreign);
    int chosen = choose(fonts, face, code, foreign, current);
    if (chosen == NO_FACE) {
      at.column += (int)(p - text);
      return error_at(err, at, "no font has the character U+%04X%s%.*s%s",
                      (unsigned)code, code > ' ' ? " (" : "",
                      code > ' ' ? (int)bytes : 0, p, code > ' ' ? ")" : "");
    }
    if (chosen != current && p > start) {
      *tail = shape_run(fonts, &wish, (enum font_face)current, start,
                        (size_t)(p - start));
      if (check_glyphs(*tail, at, (size_t)(start - text), err) != 0) return -1;
      tail = &(*tail)->next;
      start = p;
    }
    current = chosen;
    p += bytes;
  }
  if (p == start) return 0;
  *tail = shape_run(fonts, &wish, (enum font_face)current, start,
                    (size_t)(p - start));
  return check_glyphs(*tail, at, (size_t)(start - text), err);
}

double font_run_width(const struct glyph_run *runs) {
  double width = 0;
  for (; runs; runs = runs->next)
    width += runs->width;
  return width;
}
