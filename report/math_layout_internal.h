/* What the files of maths layout share. All lengths are points. */
#ifndef MATH_LAYOUT_INTERNAL_H
#define MATH_LAYOUT_INTERNAL_H

#include <hb-ot.h>
#include <hb.h>

#include "report/math.h"
#include "report/math_layout.h"

/* TeX's eight styles: D T S SS are levels 0 to 3. */
struct style {
  int level;
  bool cramped;
};

struct setter {
  struct font_set *fonts;
  struct arena *arena;
  hb_font_t *font; /* Pagella Math */
  double em;       /* its units per em */
  double size;     /* of levels 0 and 1 */
};

/* A nucleus set: its box, whose width leaves out the italics correction. */
struct atom {
  struct box *box;
  double italic;
  double attach;  /* where an accent sits, from the box's left */
  bool character; /* one glyph at its natural size (TeX's rule 18a) */
  bool large;     /* an operator whose italics correction moves scripts */
  uint32_t glyph; /* for kerning of scripts, when `character` */
};

/* ---- math_layout_font.c ---- */
double math_size(const struct setter *set, struct style style);
double math_mu(const struct setter *set, struct style style, double mu);
double math_constant(const struct setter *set, struct style style,
                     hb_ot_math_constant_t constant);
double math_axis(const struct setter *set, struct style style);

/* The glyph of a character, its script variant in script styles; 0: none. */
uint32_t math_glyph(const struct setter *set, struct style style,
                    uint32_t code);

/* One glyph that copies as `code` (0: as nothing). */
struct box *math_glyph_box(const struct setter *set, struct style style,
                           uint32_t glyph, uint32_t code);

/* The character grown to at least `target` high or wide: the first variant
 * that is large enough, else an assembly, else the largest variant. Reference
 * point and ink as the glyphs have them; an assembly stands on its baseline. */
struct box *math_grow(const struct setter *set, struct style style,
                      uint32_t code, hb_direction_t direction, double target,
                      uint32_t *glyph);

/* The widest variant that is at most `room` wide, or the plain glyph. */
uint32_t math_widest(const struct setter *set, struct style style,
                     uint32_t glyph, double room);

/* `box` in a new box, moved so that it is centred on the axis. */
struct box *math_centre(const struct setter *set, struct style style,
                        struct box *box);

/* A delimiter of `code` at least `target` high, centred on the axis; for 0
 * TeX's null delimiter space. */
int math_delimiter(const struct setter *set, struct style style, uint32_t code,
                   struct place place, double target, struct box **out,
                   struct error *err);

/* ---- math_layout.c ---- */

/* A row up to `stop` (NULL: all of it). `previous` is the class before its
 * first atom, or -1. */
int math_set_row(const struct setter *set, const struct math *first,
                 const struct math *stop, int previous, struct style style,
                 struct box **out, struct error *err);

/* The elements of a body, which is a row, stands for itself or is NULL. */
const struct math *math_first(const struct math *body);

/* What stands for a style command inside `style`. */
struct style math_forced(enum math_style forced, struct style style);

/* ---- math_layout_atoms.c ---- */
int math_set_atom(const struct setter *set, const struct math *node,
                  struct style style, struct atom *out, struct error *err);

/* The body of a node in `style`; a row of one atom keeps what scripts and
 * accents need to know. */
int math_set_body(const struct setter *set, const struct math *body,
                  struct style style, struct atom *out, struct error *err);

/* The box with its italics correction, as TeX's clean_box. */
int math_clean(const struct setter *set, const struct math *body,
               struct style style, struct box **out, struct error *err);

/* ---- math_layout_scripts.c ---- */
int math_set_scripts(const struct setter *set, const struct math *node,
                     struct style style, struct atom *out, struct error *err);

/* ---- math_layout_stack.c ---- */
int math_set_fraction(const struct setter *set, const struct math *node,
                      struct style style, struct atom *out, struct error *err);
int math_set_root(const struct setter *set, const struct math *node,
                  struct style style, struct atom *out, struct error *err);
int math_set_accent(const struct setter *set, const struct math *node,
                    struct style style, struct atom *out, struct error *err);
int math_set_bar(const struct setter *set, const struct math *node,
                 struct style style, struct atom *out, struct error *err);

/* ---- math_layout_table.c ---- */
int math_set_table(const struct setter *set, const struct math *node,
                   struct style style, struct atom *out, struct error *err);

#endif
