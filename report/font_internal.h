/* The loaded faces, shared by font.c (loading) and font_shape.c (shaping). */
#ifndef FONT_INTERNAL_H
#define FONT_INTERNAL_H

#include <hb.h>

#include "report/font.h"

struct font_set {
  hb_face_t *face[FONT_FACES];
  hb_font_t *font[FONT_FACES]; /* one unit is one font unit */
  double em[FONT_FACES];
  struct font_metrics metrics[FONT_FACES];
  hb_language_t language;
  hb_buffer_t *buffer; /* reused by every shaping call */
};

#endif
