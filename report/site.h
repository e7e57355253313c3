/* A site: a directory that can be published as it stands.
 *
 *   index.html          the index document, then each source with its title,
 *                       its description and links to its pages
 *   KIND/...            the pages, copied; KIND is the last part of the
 *                       directory that the source lies in: articles, problems
 *   pins.html           the check's report: studies, kinds of bounds, where
 *                       the pins were taken
 *   pins/NAME.html      one file's pins: key, value, bound, and why
 *
 * Sources of one kind stand by the `order: N` of their front matter, those
 * without it last, as given.
 *
 * The pages of KIND/NAME.md are those of PAGES/KIND that are called NAME.* or
 * NAME-*, unless a longer name among the sources fits better. */
#ifndef SITE_H
#define SITE_H

#include <stddef.h>

#include "report/base/error.h"

struct site_options {
  const char *index;    /* Markdown with tags; its front matter has the title */
  const char **sources; /* Markdown files */
  size_t source_count;
  const char *pages; /* directory that holds KIND/... */
  const char *pins;  /* directory */
  const char *out;   /* directory, made if it is missing */
};

int site_write(const struct site_options *options, struct error *err);

/* pins.html and pins/NAME.html below `out`. */
int site_write_pins(const char *pins, const char *out, struct error *err);

#endif
