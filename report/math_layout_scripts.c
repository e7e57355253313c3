/* Scripts beside a nucleus (rules 18a to 18f) and limits above and below an
 * operator (rule 13a). */
#include <math.h>

#include "report/math_layout_internal.h"

static struct style superscript(struct style style) {
  style.level = style.level < 2 ? 2 : 3;
  return style;
}

static struct style subscript(struct style style) {
  style = superscript(style);
  style.cramped = true;
  return style;
}

#define CONSTANT(name) math_constant(set, style, HB_OT_MATH_CONSTANT_##name)

/* What stands above and below, each NULL where nothing does. */
static int set_both(const struct setter *set, const struct math *node,
                    struct style style, struct box **above, struct box **below,
                    struct error *err) {
  *above = *below = NULL;
  if (node->above &&
      math_clean(set, node->above, superscript(style), above, err) != 0)
    return -1;
  if (node->below &&
      math_clean(set, node->below, subscript(style), below, err) != 0)
    return -1;
  return 0;
}

static int set_limits(const struct setter *set, const struct math *node,
                      struct style style, const struct atom *nucleus,
                      struct atom *out, struct error *err) {
  struct box *above, *below;
  if (set_both(set, node, style, &above, &below, err) != 0) return -1;
  double skew = nucleus->large ? nucleus->italic / 2 : 0;
  double width = nucleus->box->width;
  if (above) width = fmax(width, above->width);
  if (below) width = fmax(width, below->width);
  struct box *all = box_new(set->arena, BOX_LIST);
  box_cover(all, nucleus->box, (width - nucleus->box->width) / 2, 0);
  double top = nucleus->box->height, bottom = -nucleus->box->depth;
  double margin = 0.1 * math_size(set, style);
  if (above) {
    /* Pagella's rise puts capitals on the sum; at least TeX's 0.2 em. */
    double rise = fmax(CONSTANT(UPPER_LIMIT_BASELINE_RISE_MIN),
                       0.2 * math_size(set, style));
    double gap = fmax(CONSTANT(UPPER_LIMIT_GAP_MIN), rise - above->depth);
    box_cover(all, above, (width - above->width) / 2 + skew,
              top + gap + above->depth);
    all->height += margin;
  }
  if (below) {
    double gap = fmax(CONSTANT(LOWER_LIMIT_GAP_MIN),
                      CONSTANT(LOWER_LIMIT_BASELINE_DROP_MIN) - below->height);
    box_cover(all, below, (width - below->width) / 2 - skew,
              bottom - gap - below->height);
    all->depth += margin;
  }
  all->width = width;
  *out = (struct atom){.box = all, .attach = width / 2};
  return 0;
}

/* MATH kerning where a script meets the nucleus: the lesser of the room at the
 * script's edge and at the nucleus' edge. */
static double cut_in(const struct setter *set, struct style style,
                     const struct atom *nucleus, hb_ot_math_kern_t corner,
                     double height) {
  if (!nucleus->character) return 0;
  double unit = math_size(set, style) / set->em;
  return hb_ot_math_get_glyph_kerning(set->font, nucleus->glyph, corner,
                                      (hb_position_t)(height / unit)) *
         unit;
}

/* Shifts of both scripts from the baseline, upwards positive. */
struct shifts {
  double up, down;
};

static struct shifts script_shifts(const struct setter *set, struct style style,
                                   const struct atom *nucleus,
                                   const struct box *above,
                                   const struct box *below) {
  double up = 0, down = 0;
  if (!nucleus->character) {
    up = nucleus->box->height - CONSTANT(SUPERSCRIPT_BASELINE_DROP_MAX);
    down = nucleus->box->depth + CONSTANT(SUBSCRIPT_BASELINE_DROP_MIN);
  }
  if (above) {
    up = fmax(up, style.cramped ? CONSTANT(SUPERSCRIPT_SHIFT_UP_CRAMPED)
                                : CONSTANT(SUPERSCRIPT_SHIFT_UP));
    up = fmax(up, above->depth + CONSTANT(SUPERSCRIPT_BOTTOM_MIN));
  }
  if (below) {
    down = fmax(down, CONSTANT(SUBSCRIPT_SHIFT_DOWN));
    if (!above) down = fmax(down, below->height - CONSTANT(SUBSCRIPT_TOP_MAX));
  }
  if (above && below) {
    double gap = up - above->depth - (below->height - down);
    down += fmax(0, CONSTANT(SUB_SUPERSCRIPT_GAP_MIN) - gap);
    double low =
        CONSTANT(SUPERSCRIPT_BOTTOM_MAX_WITH_SUBSCRIPT) - (up - above->depth);
    /* Raise both, but only where the gap had to be made. */
    if (gap < CONSTANT(SUB_SUPERSCRIPT_GAP_MIN) && low > 0) {
      up += low;
      down -= low;
    }
  }
  return (struct shifts){up, down};
}

int math_set_scripts(const struct setter *set, const struct math *node,
                     struct style style, struct atom *out, struct error *err) {
  struct atom nucleus;
  if (math_set_body(set, node->body, style, &nucleus, err) != 0) return -1;
  if (node->limits == MATH_LIMITS_ALWAYS ||
      (node->limits == MATH_LIMITS_AUTO && style.level == 0))
    return set_limits(set, node, style, &nucleus, out, err);
  struct box *above, *below;
  if (set_both(set, node, style, &above, &below, err) != 0) return -1;
  struct shifts shifts = script_shifts(set, style, &nucleus, above, below);
  struct box *all = box_new(set->arena, BOX_LIST);
  box_append(all, nucleus.box);
  double width = nucleus.box->width, right = width;
  double before = nucleus.large ? 0 : nucleus.italic;
  double after = nucleus.large ? -nucleus.italic : 0;
  if (above) {
    double x = width + before +
               cut_in(set, style, &nucleus, HB_OT_MATH_KERN_TOP_RIGHT,
                      shifts.up - above->depth);
    box_cover(all, above, x, shifts.up);
    right = fmax(right, x + above->width);
  }
  if (below) {
    double x = width + after +
               cut_in(set, style, &nucleus, HB_OT_MATH_KERN_BOTTOM_RIGHT,
                      below->height - shifts.down);
    box_cover(all, below, x, -shifts.down);
    right = fmax(right, x + below->width);
  }
  all->width = right + CONSTANT(SPACE_AFTER_SCRIPT);
  *out = (struct atom){.box = all, .attach = all->width / 2};
  return 0;
}
