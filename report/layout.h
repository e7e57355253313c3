/* From the document tree to a column of boxes: one function a kind of block,
 * in layout_*.c. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stdbool.h>

#include "report/document.h"
#include "report/flow.h"
#include "report/font.h"
#include "report/hyphenate.h"
#include "report/paragraph.h"

/* Sizes of the page's text, in points; all else derives from them. */
struct layout_style {
  double size, leading; /* of the text */
  double small;         /* captions, references */
  double note;          /* footnotes */
  double code;          /* code in the text, per point of it */
  double code_block;    /* code on its own */
};

extern const struct layout_style layout_default_style;

struct layout {
  struct font_set *fonts;
  struct arena *arena;
  struct word_cache *words;
  const struct hyphenator *hyphenator; /* or NULL */
  const struct document *document;
  const struct layout_style *style;
  double page_height; /* that one figure or unbroken table may fill */
  bool has_title;     /* which is the only element H1 then */
  int heading_level;  /* that is set largest and outlined first */
  struct flow *flow;
};

/* Where a block stands. */
struct layout_place {
  double x, width;
  double size, leading;
  bool is_small_print;
  bool is_bold;
  int depth; /* of nested blocks */
  struct color color;
  const struct tag_path *path;
  const struct decoration *decoration;
};

/* Append blocks to the flow. */
int layout_blocks(struct layout *layout, const struct block *blocks,
                  struct layout_place place, struct error *err);

/* The head of a document. Texts may be NULL. */
enum { LAYOUT_FIELDS = 3 };
struct layout_title {
  const char *above_left, *above_right;
  const char *title, *subtitle, *author, *date, *description;
  const char *fields[LAYOUT_FIELDS]; /* labels of blanks to fill in */
  const char *field_end;             /* behind the last of them */
  struct place at;
};
int layout_title(struct layout *layout, const struct layout_title *title,
                 struct layout_place place, struct error *err);

/* Ruled lines to write on. */
void layout_work_space(struct layout *layout, int lines,
                       struct layout_place place);

/* No page break among the items from `first` on if they take less than that
 * share of a page. */
void layout_keep(struct layout *layout, size_t first, double share);

/* One kind each. */
int layout_code(struct layout *layout, const struct block *block,
                struct layout_place place, struct error *err);
int layout_table(struct layout *layout, const struct block *block,
                 struct layout_place place, struct error *err);
int layout_figure(struct layout *layout, const struct block *block,
                  struct layout_place place, struct error *err);
int layout_display(struct layout *layout, const struct block *block,
                   struct layout_place place, struct error *err);
int layout_group(struct layout *layout, const struct block *block,
                 struct layout_place place, struct error *err);
int layout_references(struct layout *layout, const struct block *block,
                      struct layout_place place, struct error *err);

/* The lines of a paragraph of `spans`. */
enum layout_shape { SHAPE_JUSTIFIED, SHAPE_LEFT, SHAPE_CENTRED, SHAPE_RIGHT };
struct layout_text {
  double width, first_indent, size;
  enum layout_shape shape;
  bool bold, italic, unhyphenated;
  struct color color;
  const char *lead; /* bold text in front ("Figure 3."), or NULL */
};
int layout_lines(struct layout *layout, const struct span *spans,
                 const struct layout_text *text, struct paragraph_line **lines,
                 size_t *count, struct error *err);

/* The same in the narrowest width that takes no more lines, so that no line is
 * left with one word; each line is centred or placed in text->width. */
int layout_balanced(struct layout *layout, const struct span *spans,
                    const struct layout_text *text,
                    struct paragraph_line **lines, size_t *count,
                    struct error *err);

/* A filled paragraph, for its widths. Freed by the caller. */
int layout_paragraph(struct layout *layout, const struct span *spans,
                     const struct layout_text *text, struct paragraph **out,
                     struct error *err);

/* Put the lines into the flow, with widows and orphans guarded. */
void layout_add_lines(struct layout *layout, struct paragraph_line *lines,
                      size_t count, struct layout_place place,
                      struct place source);

/* A footnote with its number, as one box of that width; its reference point is
 * the first baseline. */
int layout_note(struct layout *layout, const struct note *note, double width,
                struct box **out, struct error *err);

/* One line of plain text as a box. */
int layout_label(struct layout *layout, enum font_face face, double size,
                 struct color color, const char *text, struct place at,
                 struct box **out, struct error *err);

/* A new tag in the arena, and a path with it as innermost. */
struct tag *layout_tag(struct layout *layout, enum tag_role role);
int layout_formula_tag(struct layout *layout,
                       const struct math_formula *formula, struct place at,
                       const struct tag **out, struct error *err);
const struct tag_path *layout_path(struct layout *layout,
                                   const struct tag_path *parent,
                                   const struct tag *tag);

/* Lines stacked `leading` apart as one box, whose reference point is the first
 * baseline; their notes go to the flow's next item. */
struct box *layout_stack(struct layout *layout,
                         const struct paragraph_line *lines, size_t count,
                         double width, double leading);

/* A caption below or above something, "Figure 3." in bold in front. */
int layout_caption(struct layout *layout, const struct block *block,
                   enum document_label label, double width, struct box **out,
                   struct error *err);

enum { LAYOUT_DEPTH = 24 }; /* of nested lists and quotes */

#endif
