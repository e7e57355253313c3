/* One model read for its dead direction: the final norm is found among its
 * tensors, its gain and bias are read, and nothing else is touched. */
#ifndef DEAD_MODEL_H
#define DEAD_MODEL_H

#include "analysis/dead_direction.h"
#include "analysis/final_norm.h"
#include "analysis/model_files.h"

struct dead_model {
  const char *path; /* as it was given; lent */
  struct model_files *files;
  struct final_norm norm;
  const char *file;  /* that holds the gain; lent by `files` */
  const char *dtype; /* of the gain */
  double roundoff;   /* half the spacing at 1 of its numbers */
  struct dead_direction direction;
};

/* `direction` is that of a LayerNorm, whatever the norm is. An error when the
 * norm is in doubt, naming the candidates; when the model is one shard of a
 * set, naming the set; when the tensors are not those of a norm. After a
 * failure there is nothing to free. */
int dead_model_read(const char *path, const struct final_norm_request *request,
                    struct dead_model *out, struct error *err);
void dead_model_free(struct dead_model *model);

#endif
