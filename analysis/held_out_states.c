#include "analysis/held_out_states.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/rng.h"
#include "analysis/transformer.h"
#include "report/base/memory.h"

struct held_out held_out_draw(const struct model *model) {
  size_t T = model->config.T, batch = HELD_OUT_SEQUENCES * T;
  size_t rows = HELD_OUT_BATCHES * batch;
  struct held_out text = {rows, T, memory_alloc(rows, sizeof(int)),
                          memory_alloc(rows, sizeof(int))};
  struct rng rng;
  rng_seed(&rng, 0);
  for (size_t i = 0; i < rows; i += batch)
    corpus_batch(&model->corpus, CORPUS_HELD_OUT, &rng, HELD_OUT_SEQUENCES, T,
                 text.tokens + i, text.targets + i);
  return text;
}

void held_out_free(struct held_out *text) {
  free(text->tokens);
  free(text->targets);
  *text = (struct held_out){0};
}

size_t held_out_distinct(const struct held_out *text) {
  bool seen[CORPUS_SYMBOLS] = {false};
  size_t count = 0;
  for (size_t i = 0; i < text->rows; i++) {
    count += !seen[text->tokens[i]];
    seen[text->tokens[i]] = true;
  }
  return count;
}

#define REAL_BITS 32
#include "analysis/real.h"
#include "analysis/held_out_states.inc"
#undef REAL_BITS
#define REAL_BITS 64
#include "analysis/real.h"
#include "analysis/held_out_states.inc"
#undef REAL_BITS
