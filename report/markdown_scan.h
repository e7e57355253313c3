/* The pass before md4c: finds what CommonMark does not know and hides it.
 *
 * Formulas, figures, comments and definitions of notes and references are
 * found in the source, outside of code, and overwritten byte for byte in copies
 * of the text: with letters `x` where something must stand, with blanks where
 * nothing must. md4c then sees a plain document, and an offset into a copy is
 * an offset into the source. Nothing inside of a formula (`_`, `*`, `|`, a
 * blank line, a line that starts with `-`) reaches md4c. */
#ifndef MARKDOWN_SCAN_H
#define MARKDOWN_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/source_map.h"

struct range {
  size_t start, end;
};

enum markdown_item_type {
  ITEM_FORMULA,
  ITEM_DISPLAY,
  ITEM_FIGURE,
  ITEM_REFERENCES /* the first definition of a reference */
};

struct markdown_item {
  enum markdown_item_type type;
  struct range whole;   /* what is overwritten */
  struct range content; /* formula: without its dollar signs */
  size_t quotes;        /* formula: depth of block quotes around it */
  struct range alt, path, caption, id; /* figure; empty where there is none */
};

struct markdown_definition {
  bool note; /* or a reference */
  struct range key, content;
};

struct markdown_scan {
  const char *text;
  size_t length;
  char *body;  /* all is hidden */
  char *parts; /* formulas and comments are hidden: for captions, notes */
  struct markdown_item *items; /* by their start */
  size_t item_count, item_room;
  struct markdown_definition *definitions;
  size_t definition_count, definition_room;
};

/* Scan `text` from `start` on. Unclosed formulas and comments, and characters
 * no document may hold, are errors. Free it also after a failure. */
int markdown_scan(const char *text, size_t length, size_t start,
                  const struct source_map *map, struct markdown_scan *out,
                  struct error *err);
void markdown_scan_free(struct markdown_scan *scan);

/* Index of the first item that starts at or after `offset`. */
size_t markdown_scan_find(const struct markdown_scan *scan, size_t offset);

/* Length of an id at `text`, which holds `length` bytes; 0 for none. */
size_t markdown_id_length(const char *text, size_t length);

#endif
