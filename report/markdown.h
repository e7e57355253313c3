/* Markdown to a document tree.
 *
 * The language is CommonMark with GitHub's tables, and what follows. Places
 * with {#id} are optional. An id holds letters, digits, `-`, `_`, `.`.
 *
 *   $x^2$                      inline formula. The opening $ stands before, the
 *                              closing $ behind a character that is not blank;
 *                              $10, US$ and $PATH are text, \$ is a sign.
 *   $$ x^2 $$                  display formula; may have several lines. Inside
 *                              of a paragraph it interrupts it.
 *   # Title {#id}              heading; without an id its words make one.
 *                              Levels must not be skipped.
 *   ![Alt text](plot.svg "Caption with $x$ and *emphasis*."){#fig-id}
 *                              figure: alone in a paragraph; numbered when it
 *                              has a caption. The path is relative to the file.
 *   Table: Caption. {#tab-id}  caption: a paragraph just before a table, which
 *                              is numbered then.
 *   [](#fig-id)                "Figure 1", "Table 1", a heading's words;
 *   [these words](#id)         a link inside of the document with own words.
 *   word[^key]                 footnote mark, and on a line of its own
 *   [^key]: Text.              the note; further paragraphs indented by four
 *                              blanks. Notes are numbered by their first marks.
 *   [@key], [@a; @b, p. 3]     citations, and, where the list is to stand,
 *   [@key]: Author. *Title*.   one entry per line or paragraph, numbered in the
 *                              order of citation. An entry never cited is an
 *                              error, and so is a note.
 *   ```c run ... ```           fenced code; the whole info string is kept.
 *   <!-- comment -->           dropped; any other HTML is an error.
 *   "quotes" 'quotes' -- --- ...
 *                              become those of the language, dashes, ellipsis;
 *                              a backslash before the sign keeps it. In the
 *                              front matter's title, short-title, subtitle and
 *                              description too.
 *
 * A table cell may hold `|` inside of a formula. Errors have their place in
 * the source; invalid UTF-8 and control characters are refused. */
#ifndef MARKDOWN_H
#define MARKDOWN_H

#include <stddef.h>

#include "report/base/error.h"
#include "report/document.h"
#include "report/source_map.h"

/* Read an expanded text (report/template.h) into `out`. `map` covers the text
 * and moves into the document, also on failure. `path` is the source file:
 * paths of figures are relative to its directory. After a failure there is
 * nothing to free. */
int markdown_parse(const char *path, const char *text, size_t length,
                   struct source_map *map, struct document *out,
                   struct error *err);

#endif
