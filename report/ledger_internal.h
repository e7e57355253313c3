/* What the ledger's parts share: passages, which are read for numerals. */
#ifndef LEDGER_INTERNAL_H
#define LEDGER_INTERNAL_H

#include "report/ledger.h"
#include "report/origin.h"

enum { LEDGER_LITERALS = 1000 }; /* declared in one file */

/* From `start` on the text is of this kind, up to the next region. */
struct ledger_region {
  size_t start;
  enum ledger_source kind; /* LEDGER_UNDECLARED: plain text */
};

/* One flat text: a paragraph, a cell, a label. Start it as {0}; it may be used
 * for one text after the other. */
struct ledger_passage {
  enum ledger_part part;
  struct buffer text;
  struct origin_list origins;
  struct ledger_region *regions;
  size_t region_count, region_room;
};

/* The reading of one file; literals are those declared in it. */
struct ledger_reading {
  struct ledger *ledger;
  const struct source_map *map;
  struct ledger_literal *literals;
  size_t literal_count;
  struct error *err;
};

void ledger_passage_clear(struct ledger_passage *passage,
                          enum ledger_part part);
void ledger_passage_free(struct ledger_passage *passage);

/* Append a text with its origins, and one that has none. */
void ledger_passage_add(struct ledger_passage *passage, const char *text,
                        size_t length, const struct origins *origins,
                        enum ledger_source kind);
void ledger_passage_mark(struct ledger_passage *passage, const char *text);

/* Enter the passage's numerals. */
void ledger_read_passage(struct ledger_reading *reading,
                         const struct ledger_passage *passage);

/* `PHRASE | REASON [| not KEY...]`, whose first byte is at `offset` of the
 * map. */
int ledger_declare(struct ledger_reading *reading, const char *line,
                   size_t length, size_t offset);

/* Digits that count: of 0.050 two, of 1000 one. Digits alone are looked at. */
size_t ledger_significant(const char *text, size_t length);

/* Not plain text, and yet looked at when it equals a result. */
bool ledger_is_checked(enum ledger_source source, enum ledger_part part);

/* The key with `*` for its indices: `spectrum.17` is of `spectrum.*`. */
void ledger_put_series(const char *key, struct buffer *out);

/* Does the declaration, if any, say that it agrees with the key by chance? */
bool ledger_is_chance(const struct ledger_literal *literal, const char *key);

/* All numbers of a tree, by their size without sign. */
struct ledger_value {
  double size;
  const char *key, *digits; /* digits: of a whole number, else NULL */
  size_t order;
};
struct ledger_values {
  struct arena arena;
  struct ledger_value *items;
  size_t count, room;
};
void ledger_values_collect(const struct json *tree, struct ledger_values *out);
void ledger_values_free(struct ledger_values *values);

/* The key of a number that prints these digits, or NULL. Whole digits are
 * printed by whole numbers alone. */
const char *ledger_values_find(const struct ledger_values *values,
                               const char *digits,
                               const struct ledger_literal *literal);

#endif
