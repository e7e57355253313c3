/* Fonts in a PDF: each face used becomes one Type 0 font with Identity-H
 * encoding, so that codes are glyph ids; the file embedded is a subset that
 * keeps the ids (ISO 32000-1, 9.7). Glyphs map back to the text they stand
 * for: ligatures to their letters, parts of stretched symbols to U+200B. */
#ifndef PDF_FONT_H
#define PDF_FONT_H

#include <stdbool.h>
#include <stdint.h>

#include "report/font.h"
#include "report/pdf_objects.h"

struct pdf_fonts;

struct pdf_fonts *pdf_fonts_new(const struct font_set *fonts);
void pdf_fonts_free(struct pdf_fonts *used);

/* The resource dictionary that all pages share. */
HPDF_Dict pdf_fonts_resources(struct pdf_fonts *used, struct pdf *pdf);

/* Note that a glyph was shown for `text`. False when the glyph already maps to
 * another text, so that this one must be marked where it stands. */
bool pdf_fonts_use(struct pdf_fonts *used, struct pdf *pdf, enum font_face face,
                   uint16_t glyph, const char *text, size_t length);

/* Width in thousandths of the size, as the PDF states it. */
int pdf_fonts_width(struct pdf_fonts *used, enum font_face face,
                    uint16_t glyph);

/* Another glyph of the face that looks like this hyphen, or itself. */
uint16_t pdf_fonts_hyphen_twin(const struct pdf_fonts *used,
                               enum font_face face, uint16_t hyphen);

/* After the last page: subset and embed. */
void pdf_fonts_embed(struct pdf_fonts *used, struct pdf *pdf);

#endif
