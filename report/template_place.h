/* Which kind of place the end of an expanded text is: it decides how a value
 * printed there is escaped and how its sign looks.
 *
 * Markdown. A document starts in its front matter if its first line is `---`.
 * Then, line by line:
 *   code block    from a line that begins (behind blanks, `>`, list markers)
 *                 with three or more backticks or tildes to a line of at least
 *                 as many. Indented code counts as prose: use fences.
 *   code span     from a run of backticks to a run of the same length
 *   formula       from `$` not followed by a blank, or `$$`, to the same again
 *   prose         all else. `\` takes its meaning from the next character; a
 *                 blank line ends an open span or formula.
 * gnuplot. "..." and '...' within a line, `#` comments, data blocks
 * (`$name << EOD`) with "..." inside; all else wants number tokens. */
#ifndef REPORT_TEMPLATE_PLACE_H
#define REPORT_TEMPLATE_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/escape.h"
#include "report/format.h"
#include "report/plot_text.h"
#include "report/template.h"

enum { PLACE_LINE = 256 }; /* a line's beginning, to know a data block by */

/* Start it as {.mode = ...}. */
struct template_place {
  enum template_mode mode;
  enum escape_target inside; /* of the open construct; ESCAPE_NONE: prose */
  size_t lines;              /* complete ones */
  bool text_on_line;         /* something stands before the end */
  bool backslash;            /* the last character was an active one */
  /* Markdown */
  char run; /* repeated ` ~ $ just read, or 0 */
  size_t run_length;
  bool run_leads; /* the run began its line */
  size_t opening; /* length of the run that opened the construct */
  char fence;     /* ` or ~ of an open code block */
  bool closing;   /* a closing fence, if only blanks follow it */
  size_t dashes;  /* the line so far, if it is nothing else */
  bool only_dashes_broken;
  /* gnuplot */
  bool data;             /* in a data block */
  char quote;            /* open quote, or 0 */
  char line[PLACE_LINE]; /* the line so far, cut */
  size_t line_length;
  char terminator[PLOT_WORD]; /* of the data block */
};

/* Template text, or a value printed without escapes, was appended. */
void template_place_text(struct template_place *place, const char *text,
                         size_t length);

/* An escaped value was appended: it opens and closes nothing. */
void template_place_value(struct template_place *place);

/* What a value appended here needs. Settles a pending run of characters. */
enum escape_target template_place_target(struct template_place *place);
enum format_style template_place_style(enum template_mode mode,
                                       enum escape_target target);

#endif
