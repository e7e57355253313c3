#include "analysis/model_dead_direction.h"

#include <assert.h>
#include <string.h>

#include "analysis/dead_direction.h"
#include "analysis/stats.h"

/* The tensor of that name, or NULL. */
static const double *tensor(const struct model *model, const char *name) {
  struct transformer_table table = transformer_table(&model->config);
  const double *values = NULL;
  for (size_t i = 0; i < table.count && values == NULL; i++)
    if (strcmp(table.tensors[i].name, name) == 0)
      values = model->wide + table.tensors[i].offset;
  transformer_table_free(&table);
  return values;
}

int model_dead_direction(const struct model *model, double *u, double *constant,
                         struct error *err) {
  const double *gain = tensor(model, "transformer.ln_f.weight");
  const double *bias = tensor(model, "transformer.ln_f.bias");
  size_t C = model->config.C;
  assert(gain != NULL);
  for (size_t i = 0; i < C; i++)
    if (gain[i] == 0)
      return error_set(err,
                       "%s: gain %zu of the final norm is 0, so that its axis "
                       "is dead and no other direction is",
                       model->entry.path, i);
  dead_direction_unit(C, gain, u);
  *constant = bias == NULL ? 0 : stats_dot(u, bias, C);
  return 0;
}
