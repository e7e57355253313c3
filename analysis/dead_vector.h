/* Write the dead direction of a model as a file: where the path ends in
 * ".safetensors" an F64 tensor "dead_direction" whose metadata name the model
 * and its gain, else text, a component a line with all its digits. */
#ifndef DEAD_VECTOR_H
#define DEAD_VECTOR_H

#include "analysis/dead_model.h"

/* An error when the model has no dead u, or it is open whether it has; nothing
 * is written then. No file of the model is overwritten. */
int dead_vector_write(const char *path, const struct dead_model *model,
                      struct error *err);

#endif
