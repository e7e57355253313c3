#include "report/font.h"

#include <hb-ot.h>
#include <hb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/font_internal.h"

static const struct {
  const char *directory, *file, *package, *postscript;
} FACES[FONT_FACES] = {
#define GYRE "/usr/share/texmf/fonts/opentype/public/tex-gyre"
#define DEJAVU "/usr/share/fonts/truetype/dejavu"
    [FONT_ROMAN] = {GYRE, "texgyrepagella-regular.otf", "fonts-texgyre",
                    "TeXGyrePagella-Regular"},
    [FONT_ITALIC] = {GYRE, "texgyrepagella-italic.otf", "fonts-texgyre",
                     "TeXGyrePagella-Italic"},
    [FONT_BOLD] = {GYRE, "texgyrepagella-bold.otf", "fonts-texgyre",
                   "TeXGyrePagella-Bold"},
    [FONT_BOLD_ITALIC] = {GYRE, "texgyrepagella-bolditalic.otf",
                          "fonts-texgyre", "TeXGyrePagella-BoldItalic"},
    [FONT_MATH] = {GYRE "-math", "texgyrepagella-math.otf",
                   "fonts-texgyre-math", "TeXGyrePagellaMath-Regular"},
    [FONT_MONO] = {DEJAVU, "DejaVuSansMono.ttf", "fonts-dejavu-core",
                   "DejaVuSansMono"},
    [FONT_MONO_BOLD] = {DEJAVU, "DejaVuSansMono-Bold.ttf", "fonts-dejavu-core",
                        "DejaVuSansMono-Bold"},
    [FONT_SERIF] = {DEJAVU, "DejaVuSerif.ttf", "fonts-dejavu-core",
                    "DejaVuSerif"},
    [FONT_SERIF_BOLD] = {DEJAVU, "DejaVuSerif-Bold.ttf", "fonts-dejavu-core",
                         "DejaVuSerif-Bold"},
    [FONT_RAISED] = {GYRE, "texgyrepagella-regular.otf", "fonts-texgyre",
                     "TeXGyrePagella-Regular"},
    [FONT_RAISED_BOLD] = {GYRE, "texgyrepagella-bold.otf", "fonts-texgyre",
                          "TeXGyrePagella-Bold"},
};

static double units(hb_font_t *font, hb_ot_metrics_tag_t tag, double missing) {
  hb_position_t value;
  return hb_ot_metrics_get_position(font, tag, &value) ? value : missing;
}

/* Height above the baseline of a character's ink, or depth below it. */
static double ink(hb_font_t *font, uint32_t code, bool below) {
  hb_codepoint_t glyph;
  hb_glyph_extents_t extents;
  if (!hb_font_get_nominal_glyph(font, code, &glyph) ||
      !hb_font_get_glyph_extents(font, glyph, &extents))
    return 0;
  return below ? -(extents.y_bearing + extents.height) : extents.y_bearing;
}

static void measure(struct font_set *fonts, enum font_face face) {
  hb_font_t *font = fonts->font[face];
  double em = fonts->em[face];
  hb_codepoint_t space = 0;
  hb_font_get_nominal_glyph(font, ' ', &space);
  fonts->metrics[face] = (struct font_metrics){
      .ascent = ink(font, 'd', false) / em,
      .descent = ink(font, 'p', true) / em,
      .x_height = ink(font, 'x', false) / em, /* OS/2 is wrong in some */
      .cap_height = ink(font, 'H', false) / em,
      .space = hb_font_get_glyph_h_advance(font, space) / em,
      .en = 0.5,
      .em = 1,
      .underline_position =
          -units(font, HB_OT_METRICS_TAG_UNDERLINE_OFFSET, -0.1 * em) / em,
      .underline_thickness =
          units(font, HB_OT_METRICS_TAG_UNDERLINE_SIZE, 0.05 * em) / em,
      .strikeout_position =
          units(font, HB_OT_METRICS_TAG_STRIKEOUT_OFFSET, 0.25 * em) / em,
  };
}

static int load_face(struct font_set *fonts, const char *directory,
                     enum font_face face, struct error *err) {
  const char *file = FACES[face].file;
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/%s",
                        directory ? directory : FACES[face].directory, file);
  if (length < 0 || (size_t)length >= sizeof path)
    return error_set(err, "%s: the font directory's name is too long", file);
  hb_blob_t *blob = hb_blob_create_from_file_or_fail(path);
  if (!blob)
    return error_set(err, "%s: font not found; install the package %s", path,
                     FACES[face].package);
  hb_face_t *loaded = hb_face_create(blob, 0);
  hb_blob_destroy(blob);
  fonts->face[face] = loaded;
  unsigned em = hb_face_get_upem(loaded);
  if (hb_face_get_glyph_count(loaded) == 0 ||
      (face == FONT_MATH && !hb_ot_math_has_data(loaded)))
    return error_set(err,
                     "%s: not a usable OpenType font; install the package %s "
                     "again",
                     path, FACES[face].package);
  hb_font_t *font = hb_font_create(loaded);
  hb_font_set_scale(font, (int)em, (int)em);
  fonts->font[face] = font;
  fonts->em[face] = em;
  measure(fonts, face);
  return 0;
}

int font_set_load(const char *directory, struct font_set **out,
                  struct error *err) {
  struct font_set *fonts = memory_alloc(1, sizeof *fonts);
  fonts->language = hb_language_from_string("en", -1);
  fonts->buffer = hb_buffer_create();
  for (enum font_face face = 0; face < FONT_FACES; face++)
    if (load_face(fonts, directory, face, err) != 0) {
      font_set_free(fonts);
      return -1;
    }
  *out = fonts;
  return 0;
}

void font_set_free(struct font_set *fonts) {
  if (!fonts) return;
  for (int face = 0; face < FONT_FACES; face++) {
    hb_font_destroy(fonts->font[face]);
    hb_face_destroy(fonts->face[face]);
  }
  hb_buffer_destroy(fonts->buffer);
  free(fonts);
}

void font_set_language(struct font_set *fonts, const char *language) {
  fonts->language = hb_language_from_string(language, -1);
}

const struct font_metrics *font_metrics(const struct font_set *fonts,
                                        enum font_face face) {
  return &fonts->metrics[face];
}

bool font_has(const struct font_set *fonts, enum font_face face,
              uint32_t code) {
  hb_codepoint_t glyph;
  return hb_font_get_nominal_glyph(fonts->font[face], code, &glyph);
}

hb_font_t *font_hb(const struct font_set *fonts, enum font_face face) {
  return fonts->font[face];
}

double font_units_per_em(const struct font_set *fonts, enum font_face face) {
  return fonts->em[face];
}

const char *font_postscript_name(enum font_face face) {
  return FACES[face].postscript;
}
