/* Text, spaces and boxes set as lines of one width.
 *
 * Fill a paragraph from left to right, then paragraph_lines breaks it by total
 * fit (paragraph_breaks.h) and builds one box a line: words shaped whole with
 * their kerning and ligatures, shaped anew where they are broken; real space
 * glyphs between them, so that the text can be copied; the glue of each line
 * set from what really stands in it. A hyphen put in by us copies as U+00AD. */
#ifndef PARAGRAPH_H
#define PARAGRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/base/memory.h"
#include "report/box.h"
#include "report/font.h"
#include "report/hyphenate.h"
#include "report/math_layout.h"
#include "report/word_cache.h"

/* What surrounds a part of a line: an element of the structure, a link, or
 * both; scopes nest. On each line a scope becomes one box. */
struct text_scope {
  const struct tag *tag;
  const char *link;
  const struct text_scope *parent;
};

struct text_style {
  enum font_face face;
  double size;
  unsigned features; /* enum font_feature */
  struct color color;
  double rise;     /* of the baseline */
  bool hyphenates; /* else words break after - / . _ and the like only */
  bool is_code;    /* breaks there without a hyphen */
  const struct text_scope *scope;
};

struct paragraph_options {
  struct font_set *fonts;
  struct arena *arena;                 /* owns the boxes */
  struct word_cache *words;            /* of that arena */
  const struct hyphenator *hyphenator; /* or NULL */
  double width;
  double first_indent;
  bool ragged;      /* lines end where they end */
  double alignment; /* of ragged lines: 0 left, 0.5 centred, 1 right */
};

struct paragraph;
struct note;

struct paragraph *paragraph_new(const struct paragraph_options *options);
void paragraph_free(struct paragraph *paragraph);

/* Text with its spaces (U+0020, tabs, newlines); U+00A0 does not break, U+00AD
 * is a place to hyphenate. `style` must outlive the paragraph. More than
 * PARAGRAPH_LONGEST bytes in one paragraph, or WORD_LONGEST without a space,
 * are an error. */
enum { PARAGRAPH_LONGEST = 2000000, WORD_LONGEST = 50000 };
int paragraph_text(struct paragraph *paragraph, const struct text_style *style,
                   const char *text, size_t length, struct place at,
                   struct error *err);

/* A formula in pieces, with its own breaks; `scope` may be NULL. */
void paragraph_maths(struct paragraph *paragraph,
                     const struct math_piece *pieces,
                     const struct text_scope *scope, struct place at);

/* The line ends here. */
void paragraph_break(struct paragraph *paragraph);

/* What was added last refers to this note: the line it comes to stand in
 * lists it. */
void paragraph_note(struct paragraph *paragraph, const struct note *note);

struct paragraph_line {
  struct box *box; /* as wide as the paragraph */
  const struct note **notes;
  size_t note_count;
  bool is_hyphenated;
};

/* The lines, in the arena; none for an empty paragraph. A part that is wider
 * than the line and cannot be broken is an error at its place. */
int paragraph_lines(struct paragraph *paragraph, struct paragraph_line **lines,
                    size_t *count, struct error *err);

/* For table columns: the widths without any break, and with every break. */
void paragraph_widths(const struct paragraph *paragraph, double *natural,
                      double *least);

#endif
