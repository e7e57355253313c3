/* Between paragraph.c, which fills paragraphs, and paragraph_lines.c. */
#ifndef PARAGRAPH_INTERNAL_H
#define PARAGRAPH_INTERNAL_H

#include <stdint.h>

#include "report/paragraph.h"
#include "report/paragraph_breaks.h"

/* A run of text without space, in one style. */
struct word {
  const char *text;
  size_t length;
  const struct glyph_run *runs;
  const struct text_style *style;
  struct place place;
};

enum piece_kind {
  PIECE_NOTHING, /* penalties, the fill of a last line */
  PIECE_WORD,    /* bytes start..end of `word` */
  PIECE_HYPHEN,  /* penalty at which `word` may be hyphenated */
  PIECE_SPACE,   /* of `style` */
  PIECE_BOX,     /* `box` in `scope` */
  PIECE_SKIP,    /* glue or kern without a glyph */
  PIECE_NOTE     /* zero width: `note` */
};

/* What stands behind the item of the same index. */
struct piece {
  enum piece_kind kind;
  uint32_t start, end;
  union {
    const struct word *word;
    const struct text_style *style;
    struct box *box;
    const struct note *note;
  };
  const struct text_scope *scope; /* PIECE_BOX, PIECE_SKIP */
};

struct paragraph {
  struct paragraph_options options;
  struct line_item *items;
  struct piece *pieces;
  size_t count, room;
  struct place *box_places; /* of the boxes, in their order */
  size_t box_count, box_room;
  size_t bytes;                          /* of text so far */
  struct place place;                    /* of the first text */
  const struct text_style *hyphen_style; /* whose hyphen is known: */
  double hyphen_width;
};

#endif
