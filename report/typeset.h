/* A document as pages, drawn on a device: title block, text, running foot. */
#ifndef TYPESET_H
#define TYPESET_H

#include <stdbool.h>
#include <stdio.h>

#include "report/device.h"
#include "report/document.h"
#include "report/font.h"

enum typeset_paper { PAPER_A4, PAPER_LETTER };

/* "a4" or "letter"; false for another name. */
bool typeset_paper_named(const char *name, enum typeset_paper *out);

enum { TYPESET_FIELDS = 3 };

/* Texts are UTF-8; NULL leaves the thing out, unless said otherwise. */
struct typeset_options {
  enum typeset_paper paper;
  const char *title, *author, *description, *keywords; /* NULL: the front
                                                          matter's */
  const char *above_left, *above_right; /* over the title: course, school; NULL
                                           both: the front matter's date
                                           stands below it */
  const char *fields[TYPESET_FIELDS];   /* to be filled in: "Name", "Date" */
  const char *field_end;                /* behind the last of them: "/ 40" */
  const char *mark; /* in red above every page, such as DRAFT; NULL: the front
                       matter's `mark` */
  const char *foot; /* running foot; NULL: the front matter's `short-title`,
                       else the title */
};

/* Draw everything; the caller finishes the device, which keeps pointers into
 * `arena` until then. `unhyphenated` (may be NULL) becomes the language for
 * which no hyphenation is installed, or NULL. */
int typeset(const struct document *document,
            const struct typeset_options *options, struct font_set *fonts,
            struct arena *arena, struct device *device,
            const char **unhyphenated, struct error *err);

/* The same as the bytes of a PDF. */
int typeset_pdf(const struct document *document,
                const struct typeset_options *options, struct buffer *out,
                const char **unhyphenated, struct error *err);

/* Say on a line that no hyphenation is installed for the language; nothing for
 * NULL. */
void typeset_print_unhyphenated(const char *language, FILE *stream);

#endif
