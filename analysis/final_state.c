#include "analysis/final_state.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linalg.h"
#include "analysis/norm.h"
#include "analysis/rng.h"
#include "analysis/stats.h"
#include "report/base/memory.h"

struct final_state {
  int bits;
  struct transformer_config config;
  size_t rows;    /* sequences * T */
  int *targets;   /* (rows) */
  double *spread; /* (rows), ascending */
  /* Of the precision `bits`: */
  void *model;     /* struct transformer_f32 or _f64 */
  void *hidden;    /* (rows, C): the final norm's input */
  void *moved, *y; /* (rows, C) */
  void *logits;    /* (rows, V): of the latest call */
  void *baseline;  /* (rows, V): what changes are measured from */
  void *losses;    /* (rows) */
};

#define REAL_BITS 32
#include "analysis/real.h"
#include "analysis/final_state.inc"
#undef REAL_BITS
#define REAL_BITS 64
#include "analysis/real.h"
#include "analysis/final_state.inc"
#undef REAL_BITS

struct final_state *final_state_new(const struct model *model, int bits,
                                    enum corpus_split split, struct rng *rng,
                                    size_t sequences) {
  assert(bits == 32 || bits == 64);
  size_t rows = sequences * model->config.T;
  int *tokens = memory_alloc(rows, sizeof *tokens);
  struct final_state *state = memory_alloc(1, sizeof *state);
  *state = (struct final_state){.bits = bits,
                                .config = model->config,
                                .rows = rows,
                                .targets = memory_alloc(rows, sizeof(int)),
                                .spread = memory_alloc(rows, sizeof(double))};
  corpus_batch(&model->corpus, split, rng, sequences, model->config.T, tokens,
               state->targets);
  if (bits == 32)
    fill_f32(state, model->weights, tokens, sequences);
  else
    fill_f64(state, model->wide, tokens, sequences);
  stats_sort(state->spread, rows);
  free(tokens);
  return state;
}

void final_state_free(struct final_state *state) {
  if (state == NULL) return;
  if (state->bits == 32)
    transformer_free_f32(state->model);
  else
    transformer_free_f64(state->model);
  free(state->model);
  free(state->hidden);
  free(state->moved);
  free(state->y);
  free(state->logits);
  free(state->baseline);
  free(state->losses);
  free(state->spread);
  free(state->targets);
  free(state);
}

double final_state_loss(struct final_state *state, struct final_move move,
                        double eps, double *logit_change) {
  return state->bits == 32 ? loss_f32(state, move, eps, logit_change)
                           : loss_f64(state, move, eps, logit_change);
}

double final_state_spread(const struct final_state *state) {
  return stats_median(state->spread, state->rows);
}

double final_state_slope(struct final_state *state, double *by_log_scale) {
  return state->bits == 32 ? slope_f32(state, by_log_scale)
                           : slope_f64(state, by_log_scale);
}
