/* What a model makes of held-out text: the residual stream at each depth point,
 * the final norm's output and the logits, over eight batches of 16 sequences
 * that default_rng(0) draws (8,192 tokens of the models here). */
#ifndef HELD_OUT_STATES_H
#define HELD_OUT_STATES_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/model.h"

enum { HELD_OUT_BATCHES = 8, HELD_OUT_SEQUENCES = 16 };

/* ---- the text ---- */
struct held_out {
  size_t rows;           /* tokens */
  size_t T;              /* of them in one sequence */
  int *tokens, *targets; /* (rows), sequence after sequence */
};

struct held_out held_out_draw(const struct model *model);
void held_out_free(struct held_out *text);

/* Different tokens among them. */
size_t held_out_distinct(const struct held_out *text);

/* ---- states, in float32 or float64 throughout ---- */
struct held_out_states_f32 {
  size_t rows, C, V;
  float *residual; /* (2L+1, rows, C), or NULL when not wanted */
  float *x, *y;    /* (rows, C): the final norm's input and output */
  float *logits;   /* (rows, V) */
  float *gain;     /* (C) of the final norm */
  float *bias;     /* (C) of the final norm, or NULL */
};
struct held_out_states_f64 {
  size_t rows, C, V;
  double *residual, *x, *y, *logits, *gain, *bias;
};

struct held_out_states_f32 held_out_states_run_f32(const struct model *model,
                                                   const struct held_out *text,
                                                   bool residual);
struct held_out_states_f64 held_out_states_run_f64(const struct model *model,
                                                   const struct held_out *text,
                                                   bool residual);
void held_out_states_free_f32(struct held_out_states_f32 *states);
void held_out_states_free_f64(struct held_out_states_f64 *states);

#endif
