/* What a model's file alone says of its final norm: which tensor is its gain,
 * and whether it is a LayerNorm or an RMSNorm, with the evidence as one text,
 *
 *   "bias: ...; metadata: ..."        or "none". */
#ifndef FINAL_NORM_FILE_H
#define FINAL_NORM_FILE_H

#include <stdbool.h>

#include "analysis/final_norm.h"
#include "report/base/error.h"

struct final_norm_file {
  enum final_norm_kind kind;
  char gain[128];
  char evidence[1024];
};

/* `metadata` false: as if the file's __metadata__ were not there, so that names
 * alone decide, those of a bias among them. An error when no norm is chosen or
 * a text is longer than its place. */
int final_norm_file_read(const char *path, bool metadata,
                         struct final_norm_file *out, struct error *err);

#endif
