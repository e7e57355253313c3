/* What is told about models read for their dead direction: an account of one, a
 * table of several, or all as JSON. Texts from files are shown with their
 * control characters escaped. */
#ifndef DEAD_REPORT_H
#define DEAD_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/dead_model.h"
#include "report/base/buffer.h"

/* A model that was read, or why it could not be. */
struct dead_outcome {
  const char *path;
  bool failed;
  struct error err;        /* when failed */
  struct dead_model model; /* when not */
};

/* Whether the model has a dead u: yes for a LayerNorm, no for an RMSNorm and
 * where gains are 0, else open. */
enum dead_claim { DEAD_NO, DEAD_YES, DEAD_OPEN };
enum dead_claim dead_claim_of(const struct dead_model *model);

void dead_report_text(const struct dead_model *model, struct buffer *out);

/* A row for each that did not fail; nothing when all did. */
void dead_report_table(const struct dead_outcome *outcomes, size_t count,
                       struct buffer *out);

void dead_report_json(const struct dead_outcome *outcomes, size_t count,
                      struct buffer *out);

#endif
