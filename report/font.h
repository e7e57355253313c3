/* The faces that pages are set in, and text shaped with them.
 *
 * Faces are TeX Gyre Pagella (four styles), TeX Gyre Pagella Math, DejaVu Sans
 * Mono (two weights) and, for Greek and Cyrillic words, DejaVu Serif (two
 * weights), found where Debian installs them and always in the order of
 * `enum font_face`. HarfBuzz shapes: kerning, ligatures, combining
 * marks. Pagella lacks most superscript figures; those of a text are its usual
 * ones, as small and as high as formulas set an exponent. They count as faces
 * of their own, so that they copy as superscripts. All lengths are in
 * PostScript points (1/72 inch), as doubles.
 *
 * Errors: a missing font names the package to install; a character that no
 * face of the fallback chain has is reported at its place as U+XXXX. */
#ifndef FONT_H
#define FONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/base/error.h"
#include "report/base/memory.h"

enum font_face {
  FONT_ROMAN,
  FONT_ITALIC,
  FONT_BOLD,
  FONT_BOLD_ITALIC,
  FONT_MATH,
  FONT_MONO,
  FONT_MONO_BOLD,
  FONT_SERIF, /* of words that Pagella has no letters for */
  FONT_SERIF_BOLD,
  FONT_RAISED, /* figures of Pagella that stand for superscript ones */
  FONT_RAISED_BOLD,
  FONT_FACES
};

struct font_set;

/* Load all faces. `directory` NULL: Debian's places; else the one directory
 * that holds all files. Free with font_set_free. */
int font_set_load(const char *directory, struct font_set **out,
                  struct error *err);
void font_set_free(struct font_set *fonts);

/* BCP 47 tag that shaping uses (`locl` forms); "en" until set. */
void font_set_language(struct font_set *fonts, const char *language);

/* Of a face at 1 pt: multiply by the size. Depths are positive downwards. */
struct font_metrics {
  double ascent, descent; /* of the tallest and deepest plain letters (d, p) */
  double x_height, cap_height;
  double space;                                   /* width of U+0020 */
  double en, em;                                  /* 0.5 and 1 */
  double underline_position, underline_thickness; /* position below baseline */
  double strikeout_position;
};

const struct font_metrics *font_metrics(const struct font_set *fonts,
                                        enum font_face face);

/* One glyph of a run. `cluster` is the offset in the run's text of the first
 * byte that it (with its neighbours of the same cluster) stands for. */
struct glyph {
  uint16_t id;
  uint32_t cluster;
  double advance;            /* with kerning */
  double x_offset, y_offset; /* from the pen, y upwards */
};

/* Glyphs of one face and size from left to right. */
struct glyph_run {
  enum font_face face;
  double size;
  double slant; /* of upright letters that stand for italics: 0.2, else 0 */
  const struct glyph *glyphs;
  size_t count;
  const char *text; /* UTF-8 that the glyphs stand for; "" for a part of a
                       stretched symbol, which copies as nothing */
  size_t length;
  double width;         /* sum of the advances */
  double height, depth; /* of the ink; depth positive below the baseline */
  struct glyph_run *next;
};

enum font_feature {
  FONT_PLAIN = 0,
  FONT_NO_LIGATURES = 1, /* code, figures, tables of digits */
  FONT_SMALL_CAPS = 2,   /* Pagella's true small capitals */
};

/* Shape UTF-8 text into a list of runs, in reading order; several when
 * characters come from other faces of the chain (face, then Pagella in the
 * same style, Math, Serif, Mono). Words in Serif are scaled to the x-height of
 * the wished face, and slanted where that is italic. Empty text gives NULL.
 * Allocated in `arena`; `text` is copied. `at` is the place of the first byte,
 * for messages. */
int font_shape(struct font_set *fonts, struct arena *arena, enum font_face face,
               double size, unsigned features, const char *text, size_t length,
               struct place at, struct glyph_run **out, struct error *err);

/* Sum of the widths of a list of runs. */
double font_run_width(const struct glyph_run *runs);

/* True when the face itself has the character. */
bool font_has(const struct font_set *fonts, enum font_face face, uint32_t code);

/* For maths layout and embedding: the hb_font_t of a face, scaled so that one
 * unit is one font unit, and the font units of its em. */
struct hb_font_t;
struct hb_font_t *font_hb(const struct font_set *fonts, enum font_face face);
double font_units_per_em(const struct font_set *fonts, enum font_face face);
const char *font_postscript_name(enum font_face face);

#endif
