/* The ledger of a page: every numeral that it prints, and where it comes from.
 *
 * A numeral is a digit, with those it stands together with (1,234.5), in the
 * text, captions, tables, alternative texts, front matter and figures of a
 * page; superscripts, fractions and digits of other scripts are numerals too.
 * Each is one of
 *
 *   key        printed by a tag, through its format;
 *   literal    typed, and declared with a reason;
 *   structure  typed in a formula, without a point and with at most three
 *              significant digits: the 2 of d-2, the 5 of 10^{-5}. That is
 *              mathematics and no measurement. Other numerals of formulas want
 *              a key or a declaration like those of the text;
 *   code       typed in code, which shows what was run; the lines of a block's
 *              output have keys;
 *   address    typed in a link that shows its own address;
 *   tick       typed in a figure's tick labels, in its tick formats or as the
 *              whole number that starts a row of data: where an axis or a row
 *              is marked, which no measurement decides;
 *
 * or undeclared, which is a finding. Numbers that Pinpress adds (of lists,
 * figures, tables, notes, references, pages) are no part of the text; words
 * (nine, twenty) are no numerals; nor are coordinates, sizes and colours in a
 * figure's script.
 *
 * Literals are declared in the front matter, one a line:
 *
 *   ledger: strict
 *   literals:
 *     episode 3 | number of the lecture
 *     context 64 | part of the model's definition | not other.study.count
 *
 * and in a figure's head by comments, `# ledger: strict`, `# literal: PHRASE |
 * REASON`. A declaration is a phrase as it is printed, of one paragraph, cell,
 * caption, formula (then in TeX) or label, which holds the numeral; it covers
 * the numeral in that phrase alone. One that stands nowhere is a finding.
 *
 * A typed numeral that is a result is a finding too, since it should have come
 * from the key: a literal of two or more significant digits that the page
 * prints for some key; a literal, structure or code in a line of text, or a
 * number given to a name in a figure's script, of three or more that a value
 * of the pins gives at as many digits after the point (whole numbers: a whole
 * value). A literal's `not KEY` says that they agree by chance; a `*` at KEY's
 * end stands for anything.
 *
 * Typed digits that touch a printed value are a finding, declared or not.
 *
 * `ledger: strict` makes typeset and plot refuse a page with a finding. */
#ifndef LEDGER_H
#define LEDGER_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/base/json.h"
#include "report/document.h"
#include "report/pins.h"

enum ledger_source {
  LEDGER_KEY,
  LEDGER_LITERAL,
  LEDGER_STRUCTURE,
  LEDGER_CODE,
  LEDGER_ADDRESS,
  LEDGER_TICK,
  LEDGER_UNDECLARED,
  LEDGER_SOURCES
};

enum ledger_part {
  LEDGER_FRONT,
  LEDGER_HEADING,
  LEDGER_TEXT,
  LEDGER_TABLE,
  LEDGER_CAPTION,
  LEDGER_ALT,
  LEDGER_NOTE,
  LEDGER_REFERENCE,
  LEDGER_FORMULA,
  LEDGER_CODE_TEXT,
  LEDGER_FIGURE_TITLE,
  LEDGER_FIGURE_ALT,
  LEDGER_FIGURE_LABEL,
  LEDGER_FIGURE_DATA,
  LEDGER_FIGURE_PLACE, /* a value that a figure's script computes with */
  LEDGER_PARTS
};

struct ledger_literal {
  const char *phrase, *reason;
  const char *chance; /* keys it agrees with by chance, by blanks, or "" */
  struct place place;
  size_t uses; /* numerals covered */
  struct ledger_literal *next;
};

struct ledger_entry {
  enum ledger_source source;
  enum ledger_part part;
  const char *text; /* as printed; in a formula: its TeX */
  struct place place;
  const struct source_value *value;     /* LEDGER_KEY */
  const struct ledger_literal *literal; /* LEDGER_LITERAL */
  struct ledger_entry *next;
};

/* A file that entries stand in; places share its name. */
struct ledger_file {
  const char *name;
  size_t rank; /* in the order in which they were entered */
  struct ledger_file *next;
};

struct ledger_finding {
  struct place place;
  const char *text;
  struct ledger_finding *next;
};

/* Start it as {0}. All it holds lives in the arena. */
struct ledger {
  struct arena arena;
  struct ledger_file *files; /* the one entered last stands first */
  struct ledger_entry *entries, **entry_tail;
  struct ledger_literal *literals, **literal_tail;
  struct ledger_finding *findings, **finding_tail;
  size_t count, by_source[LEDGER_SOURCES], findings_count;
};

/* Enter a document, or the figure of a gnuplot template. A declaration that
 * cannot be read is an error. */
int ledger_add_document(struct ledger *ledger, const struct document *document,
                        struct error *err);
int ledger_add_figure(struct ledger *ledger, const char *path,
                      const struct json *values, struct error *err);

/* The same for a figure's expanded script. */
int ledger_add_script(struct ledger *ledger, const char *script, size_t length,
                      const struct source_map *map, struct error *err);

/* Enter a finding of one's own. */
void ledger_find(struct ledger *ledger, struct place place, const char *format,
                 ...) __attribute__((format(printf, 3, 4)));

/* Once all is entered: stale declarations, literals that are results. Puts
 * entries and findings in the order of their places. `values` may be NULL. */
void ledger_check(struct ledger *ledger, const struct json *values);

void ledger_free(struct ledger *ledger);

/* Whether the document, or the script's head, says `ledger: strict`. Another
 * word there is an error. */
int ledger_document_strict(const struct document *document, bool *out,
                           struct error *err);
int ledger_script_strict(const char *script, size_t length,
                         const struct source_map *map, bool *out,
                         struct error *err);

/* All of it in one step, for pages that are strict: the first finding is the
 * error. Does nothing for others. */
int ledger_require_document(const struct document *document,
                            const struct json *values, struct error *err);
int ledger_require_script(const char *script, size_t length,
                          const struct source_map *map,
                          const struct json *values, struct error *err);

const char *ledger_source_name(enum ledger_source source);
const char *ledger_part_name(enum ledger_part part);

/* ---- reports (ledger_report.c, ledger_page.c) ---------------------------- */

/* A table of what was printed from which key, of the literals and the rest;
 * its last line is for machines: `pinpress: ledger ok numerals=...` or
 * `pinpress: ledger findings=2 ...`. */
void ledger_report_text(const struct ledger *ledger, struct buffer *out);
void ledger_report_json(const struct ledger *ledger, struct buffer *out);

/* The numbers of a page as a page: by study and by the reason of their bound,
 * what is printed, its key, the value, the bound, where it stands. `title` is
 * the page's own title, `path` its source. `sources`: directories that are
 * searched for the study's program, STUDY.c. Appends a Markdown document. */
struct ledger_page_options {
  const char *title, *path;
  const char *const *sources;
  size_t source_count;
};
int ledger_page(const struct ledger *ledger, const struct pin_set *pins,
                const struct ledger_page_options *options, struct buffer *out,
                struct error *err);

#endif
