/* Which moves of the final hidden state does the whole network not notice?
 * Shifts by a multiple of the all-ones vector and positive scales are the final
 * norm's invariances; the same shift on one axis alone is the control. */
#include "analysis/final_state.h"
#include "analysis/rng.h"
#include "analysis/study.h"

enum { SEQUENCES = 8 };

static const struct {
  const char *name;
  struct final_move move;
} cases[] = {
    {"baseline", {1, 0, FINAL_ALL_AXES}},
    {"shift_5", {1, 5, FINAL_ALL_AXES}},
    {"shift_1000", {1, 1000, FINAL_ALL_AXES}},
    {"scale_3", {3, 0, FINAL_ALL_AXES}},
    {"scale_3_shift_5", {3, 5, FINAL_ALL_AXES}},
    {"axis_5", {1, 5, 0}},
};

static void measure_bits(const struct model *model, int bits,
                         struct results *results) {
  struct rng rng;
  rng_seed(&rng, 0);
  struct final_state *state =
      final_state_new(model, bits, CORPUS_HELD_OUT, &rng, SEQUENCES);
  double eps = model->config.eps;
  double baseline = final_state_loss(state, cases[0].move, eps, NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double change, loss = final_state_loss(state, cases[i].move, eps, &change);
    const char *name = cases[i].name;
    results_double(results, loss, "float%d.%s.loss", bits, name);
    results_double(results, loss - baseline, "float%d.%s.delta", bits, name);
    results_double(results, change, "float%d.%s.max_logit_change", bits, name);
  }
  final_state_free(state);
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  (void)err;
  measure_bits(model, 64, results);
  measure_bits(model, 32, results);
  return 0;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "invariance",
      .purpose =
          "Loss and logits when the final hidden state is shifted and scaled.",
      .measure_model = measure};
  return study_main(&study, argc, argv);
}
