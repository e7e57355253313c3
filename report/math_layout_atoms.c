/* Atoms: symbols, names, words, delimiters, fences. */
#include <math.h>
#include <string.h>

#include "report/base/utf8.h"
#include "report/math_layout_internal.h"

/* Delimiters cover 901/1000 of the formula and fall short by half an em at
 * most (plain TeX's \delimiterfactor and \delimitershortfall). */
static double fence_target(const struct setter *set, struct style style,
                           const struct box *body) {
  double axis = math_axis(set, style);
  double reach = fmax(body->height - axis, body->depth + axis);
  return fmax(reach * 2 * 0.901, 2 * reach - 0.5 * set->size);
}

static int words(const struct setter *set, enum font_face face, double size,
                 const char *text, struct place place, struct atom *out,
                 struct error *err) {
  struct glyph_run *runs;
  if (font_shape(set->fonts, set->arena, face, size, FONT_PLAIN, text,
                 strlen(text), place, &runs, err) != 0)
    return -1;
  *out = (struct atom){.box = box_from_runs(set->arena, runs)};
  out->attach = out->box->width / 2;
  return 0;
}

/* A sum or integral: larger in display style, centred on the axis (rule 13). */
static void set_large(const struct setter *set, struct style style,
                      uint32_t code, struct atom *out) {
  uint32_t glyph;
  double target =
      style.level == 0
          ? math_constant(set, style,
                          HB_OT_MATH_CONSTANT_DISPLAY_OPERATOR_MIN_HEIGHT)
          : 0;
  struct box *grown =
      math_grow(set, style, code, HB_DIRECTION_TTB, target, &glyph);
  double unit = math_size(set, style) / set->em;
  *out = (struct atom){
      .box = math_centre(set, style, grown),
      .large = true,
      .italic =
          hb_ot_math_get_glyph_italics_correction(set->font, glyph) * unit};
  out->attach = out->box->width / 2;
}

static int set_symbol(const struct setter *set, const struct math *node,
                      struct style style, struct atom *out, struct error *err) {
  uint32_t code = math_styled_code(node->code, node->font);
  uint32_t glyph = math_glyph(set, style, code);
  if (!glyph) {
    struct buffer text = {0};
    utf8_append(&text, node->code);
    int status = words(set, FONT_MATH, math_size(set, style), text.bytes,
                       node->place, out, err);
    buffer_free(&text);
    return status;
  }
  if (node->large) {
    set_large(set, style, code, out);
    return 0;
  }
  double unit = math_size(set, style) / set->em;
  *out = (struct atom){
      .box = math_glyph_box(set, style, glyph, code),
      .italic =
          hb_ot_math_get_glyph_italics_correction(set->font, glyph) * unit,
      .attach =
          hb_ot_math_get_glyph_top_accent_attachment(set->font, glyph) * unit,
      .character = true,
      .glyph = glyph};
  return 0;
}

static int set_words(const struct setter *set, const struct math *node,
                     struct style style, struct atom *out, struct error *err) {
  static const enum font_face FACES[] = {
      [MATH_UPRIGHT] = FONT_ROMAN,    [MATH_ITALIC] = FONT_ITALIC,
      [MATH_BOLD] = FONT_BOLD,        [MATH_BOLD_ITALIC] = FONT_BOLD_ITALIC,
      [MATH_BLACKBOARD] = FONT_ROMAN, [MATH_CALLIGRAPHIC] = FONT_ROMAN,
      [MATH_FRAKTUR] = FONT_ROMAN,    [MATH_SANS] = FONT_ROMAN,
      [MATH_MONO] = FONT_MONO,
  };
  enum font_face face =
      node->type == MATH_TEXT ? FACES[node->font] : FONT_ROMAN;
  double size = math_size(set, style);
  if (face == FONT_MONO) size *= 0.86;
  return words(set, face, size, node->text, node->place, out, err);
}

static int set_delimiter(const struct setter *set, const struct math *node,
                         struct style style, struct atom *out,
                         struct error *err) {
  /* What \big to \Bigg ask of \left: 12, 18, 24, 30 pt at 10 pt, times the
   * delimiter factor. */
  static const double TARGETS[] = {0, 1.081, 1.622, 2.162, 2.703};
  *out = (struct atom){0};
  return math_delimiter(set, style, node->code, node->place,
                        TARGETS[node->size] * set->size, &out->box, err);
}

const struct math *math_first(const struct math *body) {
  return body && body->type == MATH_ROW ? body->body : body;
}

static const struct math *next_middle(const struct math *node) {
  while (node && !(node->type == MATH_DELIMITER && node->size == 0))
    node = node->next;
  return node;
}

/* \left ... \middle ... \right: the parts between are rows of their own. */
static int set_fenced(const struct setter *set, const struct math *node,
                      struct style style, struct atom *out, struct error *err) {
  size_t count = 1, i = 0;
  for (const struct math *m = next_middle(math_first(node->body)); m;
       m = next_middle(m->next))
    count++;
  struct box **parts = arena_alloc(set->arena, count * sizeof *parts);
  struct box extent = {0};
  const struct math *from = math_first(node->body);
  for (; i < count; i++) {
    const struct math *middle = next_middle(from);
    if (math_set_row(set, from, middle, -1, style, &parts[i], err) != 0)
      return -1;
    extent.height = fmax(extent.height, parts[i]->height);
    extent.depth = fmax(extent.depth, parts[i]->depth);
    from = middle ? middle->next : NULL;
  }
  double target = fence_target(set, style, &extent);
  struct box *all = box_new(set->arena, BOX_LIST), *fence;
  if (math_delimiter(set, style, node->left, node->place, target, &fence,
                     err) != 0)
    return -1;
  box_append(all, fence);
  const struct math *middle = next_middle(math_first(node->body));
  for (i = 0; i < count; i++) {
    box_append(all, parts[i]);
    uint32_t code = middle ? middle->code : node->right;
    struct place place = middle ? middle->place : node->place;
    if (math_delimiter(set, style, code, place, target, &fence, err) != 0)
      return -1;
    box_append(all, fence);
    if (middle) middle = next_middle(middle->next);
  }
  *out = (struct atom){.box = all, .attach = all->width / 2};
  return 0;
}

static int set_phantom(const struct setter *set, const struct math *node,
                       struct style style, struct atom *out,
                       struct error *err) {
  struct box *box;
  if (math_clean(set, node->body, style, &box, err) != 0) return -1;
  box->child = box->last = NULL;
  *out = (struct atom){.box = box, .attach = box->width / 2};
  return 0;
}

int math_set_body(const struct setter *set, const struct math *body,
                  struct style style, struct atom *out, struct error *err) {
  const struct math *first = math_first(body);
  bool single = first && (body->type != MATH_ROW || !first->next) &&
                first->type != MATH_SPACE && first->type != MATH_STYLE;
  if (single && first->type == MATH_ROW)
    return math_set_body(set, first, style, out, err);
  if (single) return math_set_atom(set, first, style, out, err);
  *out = (struct atom){0};
  if (math_set_row(set, first, NULL, -1, style, &out->box, err) != 0) return -1;
  out->attach = out->box->width / 2;
  return 0;
}

int math_clean(const struct setter *set, const struct math *body,
               struct style style, struct box **out, struct error *err) {
  struct atom atom;
  if (math_set_body(set, body, style, &atom, err) != 0) return -1;
  *out = atom.box;
  if (atom.box->kind == BOX_RUN) {
    atom.box->height = fmax(atom.box->height, 0);
    atom.box->depth = fmax(atom.box->depth, 0);
  }
  if (atom.large || atom.italic == 0) return 0;
  *out = box_new(set->arena, BOX_LIST);
  box_append(*out, atom.box);
  box_skip(*out, atom.italic);
  return 0;
}

int math_set_atom(const struct setter *set, const struct math *node,
                  struct style style, struct atom *out, struct error *err) {
  switch (node->type) {
  case MATH_SYMBOL:
    return set_symbol(set, node, style, out, err);
  case MATH_OPERATOR:
  case MATH_TEXT:
    return set_words(set, node, style, out, err);
  case MATH_FRACTION:
    return math_set_fraction(set, node, style, out, err);
  case MATH_ROOT:
    return math_set_root(set, node, style, out, err);
  case MATH_SCRIPTS:
    return math_set_scripts(set, node, style, out, err);
  case MATH_ACCENT:
    return math_set_accent(set, node, style, out, err);
  case MATH_OVER:
  case MATH_UNDER:
    return math_set_bar(set, node, style, out, err);
  case MATH_FENCED:
    return set_fenced(set, node, style, out, err);
  case MATH_DELIMITER:
    return set_delimiter(set, node, style, out, err);
  case MATH_TABLE:
    return math_set_table(set, node, style, out, err);
  case MATH_PHANTOM:
    return set_phantom(set, node, style, out, err);
  case MATH_ROW:
  case MATH_SPACE:
  case MATH_STYLE:
    break;
  }
  return math_set_body(set, node, style, out, err);
}
