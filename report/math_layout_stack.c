/* Fractions (rule 15), radicals (rule 11), accents (rule 12), lines and braces
 * over and under (rules 9 and 10). */
#include <math.h>

#include "report/math_layout_internal.h"

#define CONSTANT(name) math_constant(set, style, HB_OT_MATH_CONSTANT_##name)

static struct style cramped(struct style style) {
  style.cramped = true;
  return style;
}

/* ---- fractions ---------------------------------------------------------- */

/* Baselines of numerator and denominator, both as distances from the
 * fraction's baseline; `rule` is 0 without a bar. */
static void fraction_shifts(const struct setter *set, struct style style,
                            const struct box *above, const struct box *below,
                            double rule, double *up, double *down) {
  bool display = style.level == 0;
  double axis = math_axis(set, style);
  if (rule > 0) {
    double above_gap = display ? CONSTANT(FRACTION_NUM_DISPLAY_STYLE_GAP_MIN)
                               : CONSTANT(FRACTION_NUMERATOR_GAP_MIN);
    double below_gap = display ? CONSTANT(FRACTION_DENOM_DISPLAY_STYLE_GAP_MIN)
                               : CONSTANT(FRACTION_DENOMINATOR_GAP_MIN);
    *up = display ? CONSTANT(FRACTION_NUMERATOR_DISPLAY_STYLE_SHIFT_UP)
                  : CONSTANT(FRACTION_NUMERATOR_SHIFT_UP);
    *down = display ? CONSTANT(FRACTION_DENOMINATOR_DISPLAY_STYLE_SHIFT_DOWN)
                    : CONSTANT(FRACTION_DENOMINATOR_SHIFT_DOWN);
    *up = fmax(*up, axis + rule / 2 + above_gap + above->depth);
    *down = fmax(*down, rule / 2 - axis + below_gap + below->height);
    return;
  }
  double least =
      display ? CONSTANT(STACK_DISPLAY_STYLE_GAP_MIN) : CONSTANT(STACK_GAP_MIN);
  *up = display ? CONSTANT(STACK_TOP_DISPLAY_STYLE_SHIFT_UP)
                : CONSTANT(STACK_TOP_SHIFT_UP);
  *down = display ? CONSTANT(STACK_BOTTOM_DISPLAY_STYLE_SHIFT_DOWN)
                  : CONSTANT(STACK_BOTTOM_SHIFT_DOWN);
  double missing = least - (*up - above->depth + *down - below->height);
  if (missing > 0) {
    *up += missing / 2;
    *down += missing / 2;
  }
}

int math_set_fraction(const struct setter *set, const struct math *node,
                      struct style style, struct atom *out, struct error *err) {
  style = math_forced(node->style, style);
  struct style inner = style;
  if (inner.level < 3) inner.level++;
  struct box *above, *below;
  if (math_clean(set, node->body, inner, &above, err) != 0 ||
      math_clean(set, node->below, cramped(inner), &below, err) != 0)
    return -1;
  double rule = node->bar ? CONSTANT(FRACTION_RULE_THICKNESS) : 0, up, down;
  fraction_shifts(set, style, above, below, rule, &up, &down);
  double width = fmax(above->width, below->width);
  double margin = 0.12 * set->size; /* \nulldelimiterspace */
  struct box *all = box_new(set->arena, BOX_LIST);
  box_cover(all, above, margin + (width - above->width) / 2, up);
  if (rule > 0)
    box_cover(all, box_rule(set->arena, width, rule / 2, rule / 2), margin,
              math_axis(set, style));
  box_cover(all, below, margin + (width - below->width) / 2, -down);
  all->width = width + 2 * margin;
  *out = (struct atom){.box = all, .attach = all->width / 2};
  return 0;
}

/* ---- radicals ----------------------------------------------------------- */

static int set_degree(const struct setter *set, const struct math *degree,
                      struct style style, double bottom, double total,
                      struct box *all, struct error *err) {
  struct box *box;
  if (math_clean(set, degree, (struct style){.level = 3}, &box, err) != 0)
    return -1;
  double percent = hb_ot_math_get_constant(
      set->font, HB_OT_MATH_CONSTANT_RADICAL_DEGREE_BOTTOM_RAISE_PERCENT);
  double x = CONSTANT(RADICAL_KERN_BEFORE_DEGREE);
  double next = x + box->width + CONSTANT(RADICAL_KERN_AFTER_DEGREE);
  if (next < 0) x -= next; /* a short degree keeps the root at the left edge */
  box_cover(all, box, x, bottom + total * percent / 100 + box->depth);
  all->width = fmax(next, 0);
  return 0;
}

int math_set_root(const struct setter *set, const struct math *node,
                  struct style style, struct atom *out, struct error *err) {
  struct box *body;
  if (math_clean(set, node->body, cramped(style), &body, err) != 0) return -1;
  double gap = style.level == 0 ? CONSTANT(RADICAL_DISPLAY_STYLE_VERTICAL_GAP)
                                : CONSTANT(RADICAL_VERTICAL_GAP);
  double rule = CONSTANT(RADICAL_RULE_THICKNESS);
  double needed = body->height + body->depth + gap + rule;
  uint32_t glyph;
  struct box *sign =
      math_grow(set, style, 0x221A, HB_DIRECTION_TTB, needed, &glyph);
  double total = sign->height + sign->depth;
  gap += fmax(0, total - needed) / 2;
  double top = body->height + gap + rule;
  struct box *all = box_new(set->arena, BOX_LIST);
  if (node->above &&
      set_degree(set, node->above, style, top - total, total, all, err) != 0)
    return -1;
  box_cover(all, sign, all->width, top - sign->height);
  all->width += sign->width;
  box_cover(all, box_rule(set->arena, body->width, rule, 0), all->width,
            top - rule);
  box_append(all, body);
  all->height = top + CONSTANT(RADICAL_EXTRA_ASCENDER);
  *out = (struct atom){.box = all, .attach = all->width / 2};
  return 0;
}

/* ---- accents ------------------------------------------------------------ */

int math_set_accent(const struct setter *set, const struct math *node,
                    struct style style, struct atom *out, struct error *err) {
  if (math_set_body(set, node->body, cramped(style), out, err) != 0) return -1;
  uint32_t glyph = math_glyph(set, style, node->code);
  if (!glyph)
    return error_at(err, node->place, "no font has the accent U+%04X",
                    (unsigned)node->code);
  struct box *base = out->box;
  if (node->stretchy) glyph = math_widest(set, style, glyph, base->width);
  struct box *accent = math_glyph_box(set, style, glyph, node->code);
  double attach = hb_ot_math_get_glyph_top_accent_attachment(set->font, glyph) *
                  math_size(set, style) / set->em;
  double raise =
      base->height - fmin(base->height, CONSTANT(ACCENT_BASE_HEIGHT));
  struct box *all = box_new(set->arena, BOX_LIST);
  box_append(all, base);
  box_cover(all, accent, out->attach - attach, raise);
  out->box = all; /* scripts sit as on the bare character */
  return 0;
}

/* ---- lines and braces --------------------------------------------------- */

static void add_brace(const struct setter *set, struct style style,
                      uint32_t code, bool over, struct box *all) {
  uint32_t glyph;
  struct box *brace =
      math_grow(set, style, code, HB_DIRECTION_LTR, all->width, &glyph);
  double x = (all->width - brace->width) / 2;
  if (over)
    box_cover(all, brace, x,
              all->height + CONSTANT(STRETCH_STACK_GAP_ABOVE_MIN) +
                  brace->depth);
  else
    box_cover(all, brace, x,
              -all->depth - CONSTANT(STRETCH_STACK_GAP_BELOW_MIN) -
                  brace->height);
}

static void add_line(const struct setter *set, struct style style, bool over,
                     struct box *all) {
  if (over) {
    double rule = CONSTANT(OVERBAR_RULE_THICKNESS);
    double y = all->height + CONSTANT(OVERBAR_VERTICAL_GAP);
    box_cover(all, box_rule(set->arena, all->width, rule, 0), 0, y);
    all->height += CONSTANT(OVERBAR_EXTRA_ASCENDER);
  } else {
    double rule = CONSTANT(UNDERBAR_RULE_THICKNESS);
    double y = -all->depth - CONSTANT(UNDERBAR_VERTICAL_GAP);
    box_cover(all, box_rule(set->arena, all->width, 0, rule), 0, y);
    all->depth += CONSTANT(UNDERBAR_EXTRA_DESCENDER);
  }
}

int math_set_bar(const struct setter *set, const struct math *node,
                 struct style style, struct atom *out, struct error *err) {
  bool over = node->type == MATH_OVER;
  struct box *all;
  if (math_clean(set, node->body, over ? cramped(style) : style, &all, err) !=
      0)
    return -1;
  if (node->code == 0x23DE || node->code == 0x23DF)
    add_brace(set, style, node->code, over, all);
  else
    add_line(set, style, over, all);
  *out = (struct atom){.box = all, .attach = all->width / 2};
  return 0;
}
