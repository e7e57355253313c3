/* The document tree: what Markdown is read into and what the HTML and PDF
 * writers walk. One arena owns all of it; strings are UTF-8 closed by a 0
 * byte; every node knows where its source stands.
 *
 * Blocks hold blocks (`child`) or spans (`spans`), never both. Text is final:
 * entities decoded, quotes and dashes set, cross-references resolved. */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/base/error.h"
#include "report/base/memory.h"
#include "report/front_matter.h"
#include "report/math.h"
#include "report/origin.h"
#include "report/source_map.h"

enum span_type {
  SPAN_TEXT,       /* text */
  SPAN_EMPHASIS,   /* child */
  SPAN_STRONG,     /* child */
  SPAN_CODE,       /* text */
  SPAN_LINK,       /* child, url; a url "#id" leads to a block of this
                      document (its `target`); NULL: the target is left out
                      and child is plain text; `automatic`: the source gave no
                      text, child was made from the target */
  SPAN_MATHS,      /* formula */
  SPAN_SOFT_BREAK, /* a line end of the source: a space */
  SPAN_HARD_BREAK, /* a line end that is shown */
  SPAN_NOTE,       /* note: the mark of a footnote */
  SPAN_CITATION    /* reference: its number; brackets and commas around it
                      are text spans */
};

struct block;
struct note;
struct reference;

struct span {
  enum span_type type;
  struct place place;
  struct span *next, *child;
  const char *text;
  struct origins origins; /* of `text` */
  const char *url;
  const struct block *target;
  bool automatic;
  struct math_formula *formula;
  struct note *note;
  struct reference *reference;
  size_t occurrence; /* of the note or reference: 1 for its first mark */
};

enum block_type {
  BLOCK_HEADING,    /* spans, level 1 to 6, id */
  BLOCK_PARAGRAPH,  /* spans; `continues` one that display maths interrupted */
  BLOCK_LIST,       /* child: items; ordered, start, tight */
  BLOCK_ITEM,       /* child; of a tight list: its paragraphs set solid */
  BLOCK_QUOTE,      /* child */
  BLOCK_CODE,       /* text (ends with a newline), info */
  BLOCK_RULE,       /* a thematic break */
  BLOCK_TABLE,      /* table; spans: caption or NULL; id, number */
  BLOCK_MATHS,      /* formula, on its own lines */
  BLOCK_FIGURE,     /* path, alt; spans: caption or NULL; id, number */
  BLOCK_REFERENCES, /* stands where the list of references goes */

  /* Made by programs (problem_set.h); Markdown has no sign for them. */
  BLOCK_GROUP, /* child: on one page if it fits; spans: NULL, or a label
                  that stands at its left; id of the label */
  BLOCK_FOLD,  /* child, hidden on a screen until asked for; spans: what it
                  is, a heading if it has a level; id */
  BLOCK_PAGE_BREAK,
  BLOCK_WORK_SPACE /* lines: ruled lines to write on */
};

struct table_cell {
  struct span *spans;
  struct place place;
};

struct table {
  size_t columns, rows;    /* the head row not counted */
  const char *align;       /* one of l, c, r for each column; 0 where the source
                              does not say */
  struct table_cell *head; /* columns */
  struct table_cell *cells; /* rows * columns, row by row */
};

struct block {
  enum block_type type;
  struct place place;
  struct block *next, *child;
  struct span *spans;
  const char *id; /* unique in the document; never NULL for headings, NULL
                     where none was given elsewhere */
  int level;
  const struct span *aside; /* BLOCK_HEADING: at the line's other end */
  bool ordered, tight, continues;
  bool steps; /* BLOCK_LIST: the first paragraph of an item is a step, those
                 after it say why */
  bool is_crossed; /* BLOCK_ITEM, which begins with a paragraph: wrong */
  unsigned start;
  int lines;        /* BLOCK_WORK_SPACE */
  int number;       /* figures and tables count apart, from 1; 0: no caption */
  const char *text; /* BLOCK_CODE */
  struct origins text_origins, alt_origins;
  const char *info; /* BLOCK_CODE: the whole info string, "" without one */
  const char *path; /* BLOCK_FIGURE: relative to the working directory */
  const char *alt;  /* BLOCK_FIGURE: never empty */
  struct table *table;
  struct math_formula *formula;
};

/* Numbered by their first mark in the text; in both arrays entry i has number
 * i + 1. A note or reference without a mark is an error of the document. */
struct note {
  const char *key;
  struct place place;
  int number;   /* 0 until it is referred to */
  size_t marks; /* how often it is referred to */
  struct block *blocks;
};

struct reference {
  const char *key;
  struct place place;
  int number;
  size_t marks;
  struct span *spans;
};

struct document {
  struct arena arena;
  struct source_map map;     /* owns the file names of all places */
  struct front_matter front; /* its strings live in the arena */
  const char *language;      /* BCP 47; "en" unless the front matter says */
  struct block *blocks;
  struct note **notes;
  size_t note_count;
  struct reference **references;
  size_t reference_count;
};

void document_free(struct document *document);

/* Words that the writers add, in the document's language (English where the
 * language is not known). A front matter field of the label's English name in
 * lower case (`figure: Abb.`) takes precedence; `name-label`, `date-label` and
 * `points-label` for three that are fields of their own. */
enum document_label {
  LABEL_CONTENTS,
  LABEL_FIGURE,
  LABEL_TABLE,
  LABEL_NOTES,
  LABEL_REFERENCES,
  LABEL_SKIP,
  LABEL_BACK,
  LABEL_PROBLEM,
  LABEL_ANSWERS,
  LABEL_SOLUTIONS,
  LABEL_NAME,
  LABEL_DATE,
  LABEL_POINTS,
  LABEL_DIFFICULTY
};
const char *document_label(const struct document *document,
                           enum document_label label);

/* A line for each field that nothing reads, perhaps a slip of the pen, and one
 * when words are added in another language than the document's. */
void document_print_notes(const struct document *document, FILE *out);

/* Append the text of spans without markup, formulas as they are read aloud:
 * for outlines, titles and ids. */
void document_plain_text(const struct span *spans, struct buffer *out);

#endif
