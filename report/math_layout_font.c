/* The MATH table at work: constants, size variants and glyph assemblies
 * (OpenType 1.9, "MATH - The mathematical typesetting table"). */
#include <math.h>
#include <string.h>

#include "report/base/utf8.h"
#include "report/math_layout_internal.h"

enum { MOST_VARIANTS = 24, MOST_PARTS = 12, MOST_REPEATS = 400 };

double math_size(const struct setter *set, struct style style) {
  if (style.level < 2) return set->size;
  hb_ot_math_constant_t constant =
      style.level == 2 ? HB_OT_MATH_CONSTANT_SCRIPT_PERCENT_SCALE_DOWN
                       : HB_OT_MATH_CONSTANT_SCRIPT_SCRIPT_PERCENT_SCALE_DOWN;
  return set->size * hb_ot_math_get_constant(set->font, constant) / 100;
}

static double scale(const struct setter *set, struct style style) {
  return math_size(set, style) / set->em;
}

double math_mu(const struct setter *set, struct style style, double mu) {
  return math_size(set, style) * mu / 18;
}

double math_constant(const struct setter *set, struct style style,
                     hb_ot_math_constant_t constant) {
  return hb_ot_math_get_constant(set->font, constant) * scale(set, style);
}

double math_axis(const struct setter *set, struct style style) {
  return math_constant(set, style, HB_OT_MATH_CONSTANT_AXIS_HEIGHT);
}

/* Script styles have letterforms of their own (feature ssty). */
uint32_t math_glyph(const struct setter *set, struct style style,
                    uint32_t code) {
  hb_codepoint_t glyph = 0;
  if (!hb_font_get_nominal_glyph(set->font, code, &glyph)) return 0;
  if (style.level < 2) return glyph;
  hb_buffer_t *buffer = hb_buffer_create();
  hb_buffer_add_codepoints(buffer, &code, 1, 0, 1);
  hb_buffer_set_direction(buffer, HB_DIRECTION_LTR);
  hb_buffer_set_script(buffer, HB_SCRIPT_MATH);
  hb_buffer_set_language(buffer, hb_language_from_string("en", -1));
  hb_feature_t script = {HB_TAG('s', 's', 't', 'y'), (uint32_t)style.level - 1,
                         HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END};
  hb_shape(set->font, buffer, &script, 1);
  unsigned count;
  const hb_glyph_info_t *infos = hb_buffer_get_glyph_infos(buffer, &count);
  if (count == 1) glyph = infos[0].codepoint;
  hb_buffer_destroy(buffer);
  return glyph;
}

struct box *math_glyph_box(const struct setter *set, struct style style,
                           uint32_t glyph, uint32_t code) {
  struct buffer text = {0};
  if (code) utf8_append(&text, code);
  struct glyph_run *run = arena_alloc(set->arena, sizeof *run);
  struct glyph *only = arena_alloc(set->arena, sizeof *only);
  double unit = scale(set, style);
  *only = (struct glyph){
      .id = (uint16_t)glyph,
      .advance = hb_font_get_glyph_h_advance(set->font, glyph) * unit};
  *run = (struct glyph_run){
      .face = FONT_MATH,
      .size = math_size(set, style),
      .glyphs = only,
      .count = 1,
      .text = arena_copy(set->arena, code ? text.bytes : "", text.length),
      .length = text.length,
      .width = only->advance};
  buffer_free(&text);
  hb_glyph_extents_t ink;
  if (hb_font_get_glyph_extents(set->font, glyph, &ink)) {
    run->height = ink.y_bearing * unit;
    run->depth = -(ink.y_bearing + ink.height) * unit;
  }
  return box_from_run(set->arena, run);
}

/* ---- assemblies --------------------------------------------------------- */

/* Glyphs in a line, each overlapping the one before by at least the font's
 * minimum and at most what its connectors allow. */
struct assembly {
  hb_ot_math_glyph_part_t parts[MOST_PARTS];
  unsigned part_count;
  double minimum; /* overlap */
};

static unsigned repeats(const hb_ot_math_glyph_part_t *part, int extenders) {
  return part->flags & HB_OT_MATH_GLYPH_PART_FLAG_EXTENDER ? (unsigned)extenders
                                                           : 1;
}

/* Length with the least and, in `slack`, how much more the parts may overlap;
 * in font units. */
static double assembled_length(const struct assembly *assembly, int extenders,
                               double *slack) {
  double length = 0, previous_end = 0;
  bool first = true;
  *slack = 0;
  for (unsigned i = 0; i < assembly->part_count; i++) {
    const hb_ot_math_glyph_part_t *part = &assembly->parts[i];
    for (unsigned k = 0; k < repeats(part, extenders); k++) {
      length += part->full_advance;
      if (!first) {
        double most = fmin(previous_end, part->start_connector_length);
        length -= assembly->minimum;
        *slack += fmax(most - assembly->minimum, 0);
      }
      previous_end = part->end_connector_length;
      first = false;
    }
  }
  return length;
}

static void add_part(const struct setter *set, struct style style,
                     struct box *all, uint32_t glyph, bool vertical,
                     double position) {
  struct box *part = math_glyph_box(set, style, glyph, 0);
  if (vertical) {
    box_cover(all, part, 0, position * scale(set, style) + part->depth);
    all->width = fmax(all->width, part->width);
  } else {
    hb_glyph_extents_t ink = {0};
    hb_font_get_glyph_extents(set->font, glyph, &ink);
    box_place(all, part, (position - ink.x_bearing) * scale(set, style), 0);
    all->height = fmax(all->height, part->height);
    all->depth =
        all->child == part ? part->depth : fmax(all->depth, part->depth);
  }
}

static struct box *assemble(const struct setter *set, struct style style,
                            const struct assembly *assembly, bool vertical,
                            double target) {
  int extenders = 1;
  double slack, length;
  while ((length = assembled_length(assembly, extenders, &slack)) < target &&
         extenders < MOST_REPEATS)
    extenders++;
  /* Spend what is too long on more overlap, evenly over all joints. */
  double spent = slack > 0 ? fmin(fmax(length - target, 0) / slack, 1) : 0;
  struct box *all = box_new(set->arena, BOX_LIST);
  double position = 0, previous_end = 0;
  bool first = true;
  for (unsigned i = 0; i < assembly->part_count; i++) {
    const hb_ot_math_glyph_part_t *part = &assembly->parts[i];
    for (unsigned k = 0; k < repeats(part, extenders); k++) {
      double most = fmin(previous_end, part->start_connector_length);
      if (!first)
        position -=
            assembly->minimum + spent * fmax(most - assembly->minimum, 0);
      add_part(set, style, all, part->glyph, vertical, position);
      position += part->full_advance;
      previous_end = part->end_connector_length;
      first = false;
    }
  }
  if (!vertical) all->width = position * scale(set, style);
  return all;
}

/* True when the parts, with one of each extender, can be pushed together to no
 * more than `wanted`. */
static bool fits(const struct assembly *assembly, double wanted) {
  double slack;
  double length = assembled_length(assembly, 1, &slack);
  return assembly->part_count > 0 && length - slack <= wanted;
}

struct box *math_grow(const struct setter *set, struct style style,
                      uint32_t code, hb_direction_t direction, double target,
                      uint32_t *chosen) {
  uint32_t glyph = 0;
  hb_font_get_nominal_glyph(set->font, code, &glyph);
  double wanted = target / scale(set, style);
  bool vertical = HB_DIRECTION_IS_VERTICAL(direction);
  struct assembly assembly = {
      .part_count = MOST_PARTS,
      .minimum = hb_ot_math_get_min_connector_overlap(set->font, direction)};
  hb_ot_math_get_glyph_assembly(set->font, glyph, direction, 0,
                                &assembly.part_count, assembly.parts, NULL);
  hb_ot_math_glyph_variant_t variants[MOST_VARIANTS];
  unsigned count = MOST_VARIANTS;
  hb_ot_math_get_glyph_variants(set->font, glyph, direction, 0, &count,
                                variants);
  bool enough = false;
  for (unsigned i = 0; i < count && !enough; i++) {
    enough = variants[i].advance >= wanted;
    /* Of two widths beside a formula's, the nearer. */
    if (!vertical && enough && i > 0 &&
        wanted - variants[i - 1].advance < variants[i].advance - wanted)
      break;
    glyph = variants[i].glyph;
  }
  *chosen = glyph;
  /* A brace is as wide as its formula, where parts can do that. */
  bool exact = !vertical && fits(&assembly, wanted);
  if (assembly.part_count > 0 && (!enough || exact))
    return assemble(set, style, &assembly, vertical, wanted);
  return math_glyph_box(set, style, glyph, code);
}

uint32_t math_widest(const struct setter *set, struct style style,
                     uint32_t glyph, double room) {
  hb_ot_math_glyph_variant_t variants[MOST_VARIANTS];
  unsigned count = MOST_VARIANTS;
  hb_ot_math_get_glyph_variants(set->font, glyph, HB_DIRECTION_LTR, 0, &count,
                                variants);
  for (unsigned i = 0; i < count; i++)
    if (variants[i].advance * scale(set, style) <= room)
      glyph = variants[i].glyph;
  return glyph;
}

struct box *math_centre(const struct setter *set, struct style style,
                        struct box *box) {
  struct box *out = box_new(set->arena, BOX_LIST);
  double shift = math_axis(set, style) - (box->height - box->depth) / 2;
  out->width = box->width;
  box_place(out, box, 0, shift);
  out->height = box->height + shift;
  out->depth = box->depth - shift;
  return out;
}

int math_delimiter(const struct setter *set, struct style style, uint32_t code,
                   struct place place, double target, struct box **out,
                   struct error *err) {
  uint32_t glyph;
  if (code == 0) {
    *out = box_new(set->arena, BOX_LIST);
    (*out)->width = 0.12 * set->size;
    return 0;
  }
  if (!math_glyph(set, style, code))
    return error_at(err, place, "no font has the delimiter U+%04X",
                    (unsigned)code);
  *out = math_centre(
      set, style,
      math_grow(set, style, code, HB_DIRECTION_TTB, target, &glyph));
  return 0;
}
