/* What the check has found, for people and for programs. */
#ifndef PINS_REPORT_H
#define PINS_REPORT_H

#include <stdbool.h>

#include "report/base/buffer.h"
#include "report/pins_check.h"
#include "report/pins_pages.h"

struct report_options {
  bool allow_drafts; /* a draft that holds is no reason to fail */
  bool verbose;      /* all rows, all details */
  bool quiet;        /* the last line alone, and what drifted */
  bool tighten;      /* list bounds that are too loose */
};

bool report_succeeds(const struct check *check,
                     const struct report_options *options);

/* Text whose last line is for machines: `pinpress: ok keys=427 ...`,
 * `pinpress: drift keys=2 ...` or `pinpress: draft keys=3 ...`. */
void report_text(const struct check *check, const struct pages *pages,
                 const struct report_options *options, struct buffer *out);

/* The same as JSON, every finding in it; an infinite ratio is "infinite". */
void report_json(const struct check *check, const struct pages *pages,
                 const struct report_options *options, struct buffer *out);

/* The stamp of a success: its last line and the hash over all pins and what
 * was found for them. */
void report_stamp(const struct check *check,
                  const struct report_options *options, struct buffer *out);

#endif
