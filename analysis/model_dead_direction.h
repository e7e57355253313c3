/* The dead direction of a model's final norm; see dead_direction.h. */
#ifndef MODEL_DEAD_DIRECTION_H
#define MODEL_DEAD_DIRECTION_H

#include "analysis/model.h"
#include "report/base/error.h"

/* u (C), and the constant u . bias that u . y is where the norm is a LayerNorm;
 * 0 without bias. An error naming the first gain that is 0, where there is no
 * such direction. */
int model_dead_direction(const struct model *model, double *u, double *constant,
                         struct error *err);

#endif
