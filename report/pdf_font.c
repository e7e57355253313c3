#include "report/pdf_font.h"

#include <hb-ot.h>
#include <hb-subset.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/hash.h"
#include "report/base/memory.h"
#include "report/base/utf8.h"

struct face_use {
  HPDF_Dict type0; /* NULL while the face is not used */
  char **text;     /* of each glyph; NULL where not used */
  unsigned glyph_count;
};

struct pdf_fonts {
  const struct font_set *fonts;
  struct arena arena;
  HPDF_Dict resources;
  struct face_use face[FONT_FACES];
};

static const char ZERO_WIDTH_SPACE[] = "\xE2\x80\x8B";

struct pdf_fonts *pdf_fonts_new(const struct font_set *fonts) {
  struct pdf_fonts *used = memory_alloc(1, sizeof *used);
  used->fonts = fonts;
  return used;
}

void pdf_fonts_free(struct pdf_fonts *used) {
  arena_free(&used->arena);
  free(used);
}

HPDF_Dict pdf_fonts_resources(struct pdf_fonts *used, struct pdf *pdf) {
  if (!used->resources) used->resources = pdf_dict_indirect(pdf);
  return used->resources;
}

static void begin_face(struct pdf_fonts *used, struct pdf *pdf,
                       enum font_face face) {
  struct face_use *use = &used->face[face];
  hb_face_t *loaded = hb_font_get_face(font_hb(used->fonts, face));
  use->glyph_count = hb_face_get_glyph_count(loaded);
  use->text = arena_alloc(&used->arena, use->glyph_count * sizeof *use->text);
  use->type0 = pdf_dict_indirect(pdf);
  char name[8];
  snprintf(name, sizeof name, "F%d", (int)face);
  pdf_put(pdf, pdf_fonts_resources(used, pdf), name, use->type0);
}

bool pdf_fonts_use(struct pdf_fonts *used, struct pdf *pdf, enum font_face face,
                   uint16_t glyph, const char *text, size_t length) {
  struct face_use *use = &used->face[face];
  if (!use->type0) begin_face(used, pdf, face);
  if (glyph >= use->glyph_count) {
    pdf_fail(pdf, "pdf: glyph %u is not in the font", glyph);
    return true;
  }
  if (length == 0) {
    text = ZERO_WIDTH_SPACE;
    length = sizeof ZERO_WIDTH_SPACE - 1;
  }
  if (!use->text[glyph])
    use->text[glyph] = arena_copy(&used->arena, text, length);
  return strlen(use->text[glyph]) == length &&
         memcmp(use->text[glyph], text, length) == 0;
}

int pdf_fonts_width(struct pdf_fonts *used, enum font_face face,
                    uint16_t glyph) {
  return (int)lround(
      hb_font_get_glyph_h_advance(font_hb(used->fonts, face), glyph) * 1000 /
      font_units_per_em(used->fonts, face));
}

uint16_t pdf_fonts_hyphen_twin(const struct pdf_fonts *used,
                               enum font_face face, uint16_t hyphen) {
  static const uint32_t CODES[] = {0xAD, 0x2010, 0x2011};
  hb_font_t *font = font_hb(used->fonts, face);
  hb_glyph_extents_t ink, same;
  hb_font_get_glyph_extents(font, hyphen, &ink);
  for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++) {
    hb_codepoint_t twin;
    if (hb_font_get_nominal_glyph(font, CODES[i], &twin) && twin != hyphen &&
        hb_font_get_glyph_h_advance(font, twin) ==
            hb_font_get_glyph_h_advance(font, hyphen) &&
        hb_font_get_glyph_extents(font, twin, &same) &&
        memcmp(&ink, &same, sizeof ink) == 0)
      return (uint16_t)twin;
  }
  return hyphen;
}

/* ---- the parts of a font ------------------------------------------------ */

/* Of the original face, in thousandths of the em. */
static int thousandths(const struct pdf_fonts *used, enum font_face face,
                       double value) {
  return (int)lround(value * 1000 / font_units_per_em(used->fonts, face));
}

static hb_face_t *subset(const struct pdf_fonts *used, enum font_face face) {
  hb_subset_input_t *input = hb_subset_input_create_or_fail();
  if (!input) return NULL;
  hb_set_t *glyphs = hb_subset_input_glyph_set(input);
  const struct face_use *use = &used->face[face];
  for (unsigned g = 0; g < use->glyph_count; g++)
    if (use->text[g]) hb_set_add(glyphs, g);
  hb_subset_input_set_flags(input, HB_SUBSET_FLAGS_RETAIN_GIDS);
  static const char DROPPED[][5] = {"GSUB", "GPOS", "GDEF", "MATH", "kern",
                                    "FFTM", "DSIG", "BASE", "JSTF", "gasp",
                                    "name", "post", "OS/2", "cmap"};
  hb_set_t *drop = hb_subset_input_set(input, HB_SUBSET_SETS_DROP_TABLE_TAG);
  for (size_t i = 0; i < sizeof DROPPED / sizeof *DROPPED; i++)
    hb_set_add(drop, hb_tag_from_string(DROPPED[i], 4));
  hb_face_t *loaded = hb_font_get_face(font_hb(used->fonts, face));
  hb_face_t *result = hb_subset_or_fail(loaded, input);
  hb_subset_input_destroy(input);
  return result;
}

/* Six capitals from the embedded bytes: equal names mean equal fonts. */
static void subset_name(const void *bytes, size_t length, const char *name,
                        char *out, size_t size) {
  char digits[HASH_TEXT], tag[7] = {0};
  hash_bytes(bytes, length, digits);
  for (int i = 0; i < 6; i++) {
    char pair[3] = {digits[2 * i], digits[2 * i + 1], 0};
    tag[i] = (char)('A' + strtol(pair, NULL, 16) % 26);
  }
  snprintf(out, size, "%s+%s", tag, name);
}

static void box_of_face(const struct pdf_fonts *used, struct pdf *pdf,
                        enum font_face face, HPDF_Dict descriptor) {
  hb_face_t *loaded = hb_font_get_face(font_hb(used->fonts, face));
  hb_blob_t *head = hb_face_reference_table(loaded, HB_TAG('h', 'e', 'a', 'd'));
  unsigned length;
  const unsigned char *bytes = (const void *)hb_blob_get_data(head, &length);
  HPDF_Array box = pdf_array(pdf);
  for (int i = 0; i < 4; i++) {
    int value = length >= 44
                    ? (int16_t)(bytes[36 + 2 * i] << 8 | bytes[37 + 2 * i])
                    : 0;
    pdf_push_number(pdf, box, thousandths(used, face, value));
  }
  pdf_put(pdf, descriptor, "FontBBox", box);
  hb_blob_destroy(head);
}

static HPDF_Dict descriptor(const struct pdf_fonts *used, struct pdf *pdf,
                            enum font_face face, const char *name) {
  enum { FIXED = 1, SERIF = 2, SYMBOLIC = 4, ITALIC = 64 };
  bool mono = face == FONT_MONO || face == FONT_MONO_BOLD;
  bool italic = face == FONT_ITALIC || face == FONT_BOLD_ITALIC;
  bool bold = face == FONT_BOLD || face == FONT_BOLD_ITALIC ||
              face == FONT_MONO_BOLD || face == FONT_SERIF_BOLD ||
              face == FONT_RAISED_BOLD;
  hb_font_extents_t extents;
  hb_font_get_h_extents(font_hb(used->fonts, face), &extents);
  HPDF_Dict dict = pdf_dict_indirect(pdf);
  pdf_put_name(pdf, dict, "Type", "FontDescriptor");
  pdf_put_name(pdf, dict, "FontName", name);
  pdf_put_number(pdf, dict, "Flags",
                 SYMBOLIC | (mono ? FIXED : SERIF) | (italic ? ITALIC : 0));
  box_of_face(used, pdf, face, dict);
  float angle =
      hb_style_get_value(font_hb(used->fonts, face), HB_STYLE_TAG_SLANT_ANGLE);
  pdf_put_number(pdf, dict, "ItalicAngle", lround(angle));
  pdf_put_number(pdf, dict, "Ascent",
                 thousandths(used, face, extents.ascender));
  pdf_put_number(pdf, dict, "Descent",
                 thousandths(used, face, extents.descender));
  pdf_put_number(pdf, dict, "CapHeight",
                 lround(font_metrics(used->fonts, face)->cap_height * 1000));
  pdf_put_number(pdf, dict, "StemV", bold ? 120 : 80);
  return dict;
}

/* W: `first [w w w]` for each run of consecutive glyphs. */
static HPDF_Array widths(struct pdf_fonts *used, struct pdf *pdf,
                         enum font_face face) {
  const struct face_use *use = &used->face[face];
  HPDF_Array all = pdf_array(pdf), run = NULL;
  for (unsigned g = 0; g < use->glyph_count; g++) {
    if (!use->text[g]) continue;
    if (g == 0 || !use->text[g - 1]) {
      run = pdf_array(pdf);
      pdf_push_number(pdf, all, (long)g);
      pdf_push(pdf, all, run);
    }
    pdf_push_number(pdf, run, pdf_fonts_width(used, face, (uint16_t)g));
  }
  return all;
}

static void write_utf16(struct buffer *out, const char *text) {
  const char *end = text + strlen(text);
  while (text < end) {
    uint32_t code;
    size_t bytes = utf8_decode(text, end, &code);
    text += bytes ? bytes : 1;
    if (!bytes) code = 0xFFFD;
    if (code >= 0x10000)
      buffer_printf(out, "%04X%04X", 0xD800 + ((code - 0x10000) >> 10),
                    0xDC00 + ((code - 0x10000) & 0x3FF));
    else
      buffer_printf(out, "%04X", code);
  }
}

/* Sections of at most 100 mappings, as the CMap format demands. */
static HPDF_Dict unicode_map(const struct pdf_fonts *used, struct pdf *pdf,
                             enum font_face face) {
  const struct face_use *use = &used->face[face];
  struct buffer out = {0};
  unsigned left = 0, in_section = 0;
  for (unsigned g = 0; g < use->glyph_count; g++)
    left += use->text[g] != NULL;
  buffer_text(&out, "/CIDInit /ProcSet findresource begin\n"
                    "12 dict begin\nbegincmap\n"
                    "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) "
                    "/Supplement 0 >> def\n"
                    "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
                    "1 begincodespacerange\n<0000> <FFFF>\n"
                    "endcodespacerange\n");
  for (unsigned g = 0; g < use->glyph_count; g++) {
    if (!use->text[g]) continue;
    if (in_section == 0) {
      in_section = left < 100 ? left : 100;
      left -= in_section;
      buffer_printf(&out, "%u beginbfchar\n", in_section);
    }
    buffer_printf(&out, "<%04X> <", g);
    write_utf16(&out, use->text[g]);
    buffer_text(&out, ">\n");
    if (--in_section == 0) buffer_text(&out, "endbfchar\n");
  }
  buffer_text(&out, "endcmap\nCMapName currentdict /CMap defineresource pop\n"
                    "end\nend\n");
  HPDF_Dict stream = pdf_stream(pdf, out.bytes, out.length, false);
  buffer_free(&out);
  return stream;
}

/* ---- putting it together ------------------------------------------------ */

static HPDF_Dict descendant(struct pdf_fonts *used, struct pdf *pdf,
                            enum font_face face, const char *name, bool cff,
                            HPDF_Dict file) {
  HPDF_Dict font = pdf_dict_indirect(pdf), system = pdf_dict(pdf);
  pdf_put_name(pdf, font, "Type", "Font");
  pdf_put_name(pdf, font, "Subtype", cff ? "CIDFontType0" : "CIDFontType2");
  pdf_put_name(pdf, font, "BaseFont", name);
  pdf_put_text(pdf, system, "Registry", "Adobe");
  pdf_put_text(pdf, system, "Ordering", "Identity");
  pdf_put_number(pdf, system, "Supplement", 0);
  pdf_put(pdf, font, "CIDSystemInfo", system);
  if (!cff) pdf_put_name(pdf, font, "CIDToGIDMap", "Identity");
  pdf_put_number(pdf, font, "DW", 0);
  pdf_put(pdf, font, "W", widths(used, pdf, face));
  HPDF_Dict about = descriptor(used, pdf, face, name);
  pdf_put(pdf, about, cff ? "FontFile3" : "FontFile2", file);
  pdf_put(pdf, font, "FontDescriptor", about);
  return font;
}

static void embed_face(struct pdf_fonts *used, struct pdf *pdf,
                       enum font_face face) {
  hb_tag_t cff_tag = HB_TAG('C', 'F', 'F', ' ');
  const char *base = font_postscript_name(face);
  hb_face_t *cut = subset(used, face);
  if (!cut) {
    pdf_fail(pdf, "pdf: the font %s cannot be subset", base);
    return;
  }
  hb_blob_t *blob = hb_face_reference_table(cut, cff_tag);
  bool cff = hb_blob_get_length(blob) > 0;
  if (!cff) {
    hb_blob_destroy(blob);
    blob = hb_face_reference_blob(cut);
  }
  unsigned length;
  const char *bytes = hb_blob_get_data(blob, &length);
  char name[100];
  subset_name(bytes, length, base, name, sizeof name);
  HPDF_Dict file = pdf_stream(pdf, bytes, length, false);
  if (cff)
    pdf_put_name(pdf, file, "Subtype", "CIDFontType0C");
  else
    pdf_put_number(pdf, file, "Length1", (long)length);
  hb_blob_destroy(blob);
  hb_face_destroy(cut);

  HPDF_Dict type0 = used->face[face].type0;
  HPDF_Array descendants = pdf_array(pdf);
  pdf_push(pdf, descendants, descendant(used, pdf, face, name, cff, file));
  pdf_put_name(pdf, type0, "Type", "Font");
  pdf_put_name(pdf, type0, "Subtype", "Type0");
  pdf_put_name(pdf, type0, "BaseFont", name);
  pdf_put_name(pdf, type0, "Encoding", "Identity-H");
  pdf_put(pdf, type0, "DescendantFonts", descendants);
  pdf_put(pdf, type0, "ToUnicode", unicode_map(used, pdf, face));
}

void pdf_fonts_embed(struct pdf_fonts *used, struct pdf *pdf) {
  for (enum font_face face = 0; face < FONT_FACES; face++)
    if (used->face[face].type0 && !pdf->failed) embed_face(used, pdf, face);
}
