/* Rows: atoms side by side with the space that their classes ask for, and the
 * pieces that lines break between (The TeXbook, pp. 170 and 446). */
#include "report/math_layout.h"

#include "report/math_layout_internal.h"

/* A row while it is built. With `pieces`, glue between atoms ends a piece. */
struct row {
  const struct setter *set;
  struct box *box;
  int previous; /* class of the last atom, -1 before the first */
  int nesting;  /* of parentheses that are open here */
  bool split;
  bool before; /* lines break before signs, not after them */
  struct math_piece *first, **tail;
};

struct style math_forced(enum math_style forced, struct style style) {
  if (forced != MATH_INHERIT) style.level = (int)forced - MATH_DISPLAY;
  return style;
}

static void end_piece(struct row *row, struct math_piece piece) {
  struct math_piece *made = arena_alloc(row->set->arena, sizeof *made);
  *made = piece;
  made->box = row->box;
  *row->tail = made;
  row->tail = &made->next;
  row->box = box_new(row->set->arena, BOX_LIST);
}

/* Space between two atoms: 3 mu fixed, 4 mu plus 2 minus 2, 5 mu plus 2.5. TeX
 * lets them stretch and shrink twice as far, which tears formulas apart in a
 * loose line and closes `a - b` up in a tight one. */
static void add_space(struct row *row, enum math_class class,
                      struct style style) {
  if (row->previous < 0) return;
  enum math_class previous = (enum math_class)row->previous;
  int mu = math_spacing(previous, class, style.level >= 2);
  enum math_class sign = row->before ? class : previous;
  enum math_class other = row->before ? previous : class;
  int penalty = MATH_NO_BREAK;
  if (sign == MATH_BIN) penalty = MATH_BREAK_BINARY;
  if (sign == MATH_REL && other != MATH_REL) penalty = MATH_BREAK_RELATION;
  if (penalty != MATH_NO_BREAK && row->nesting > 0)
    penalty += MATH_BREAK_NESTED;
  if (!row->split || (mu < 4 && penalty == MATH_NO_BREAK)) {
    box_skip(row->box, math_mu(row->set, style, mu));
    return;
  }
  double stretch = mu == 5 ? 2.5 : mu == 4 ? 2 : 0;
  double shrink = mu == 4 ? 2 : 0;
  end_piece(row,
            (struct math_piece){.space = math_mu(row->set, style, mu),
                                .stretch = math_mu(row->set, style, stretch),
                                .shrink = math_mu(row->set, style, shrink),
                                .penalty = penalty});
}

static int add_nodes(struct row *row, const struct math *node,
                     const struct math *stop, struct style style,
                     struct error *err) {
  for (; node && node != stop; node = node->next) {
    if (node->type == MATH_SPACE) {
      box_skip(row->box, math_mu(row->set, style, node->width));
      continue;
    }
    if (node->type == MATH_STYLE) {
      if (add_nodes(row, math_first(node->body), NULL,
                    math_forced(node->style, style), err) != 0)
        return -1;
      continue;
    }
    struct atom atom;
    if (math_set_atom(row->set, node, style, &atom, err) != 0) return -1;
    add_space(row, node->class, style);
    box_append(row->box, atom.box);
    if (!atom.large) box_skip(row->box, atom.italic);
    row->previous = (int)node->class;
    if (node->class == MATH_OPEN) row->nesting++;
    if (node->class == MATH_CLOSE && row->nesting > 0) row->nesting--;
  }
  return 0;
}

int math_set_row(const struct setter *set, const struct math *first,
                 const struct math *stop, int previous, struct style style,
                 struct box **out, struct error *err) {
  struct row row = {
      .set = set, .box = box_new(set->arena, BOX_LIST), .previous = previous};
  if (add_nodes(&row, first, stop, style, err) != 0) return -1;
  *out = row.box;
  return 0;
}

static struct setter setter(const struct math_options *options) {
  return (struct setter){.fonts = options->fonts,
                         .arena = options->arena,
                         .font = font_hb(options->fonts, FONT_MATH),
                         .em = font_units_per_em(options->fonts, FONT_MATH),
                         .size = options->size};
}

int math_layout(const struct math_formula *formula,
                const struct math_options *options, struct box **out,
                struct error *err) {
  struct setter set = setter(options);
  return math_set_row(&set, math_first(formula->root), NULL, -1,
                      (struct style){.level = options->display ? 0 : 1}, out,
                      err);
}

int math_layout_pieces(const struct math_formula *formula,
                       const struct math_options *options,
                       struct math_piece **out, struct error *err) {
  struct setter set = setter(options);
  struct row row = {.set = &set,
                    .box = box_new(set.arena, BOX_LIST),
                    .previous = -1,
                    .split = true,
                    .before = options->display};
  row.tail = &row.first;
  if (add_nodes(&row, math_first(formula->root), NULL,
                (struct style){.level = options->display ? 0 : 1}, err) != 0)
    return -1;
  end_piece(&row, (struct math_piece){.penalty = MATH_NO_BREAK});
  *out = row.first;
  return 0;
}
