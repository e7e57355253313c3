/* The dead direction u = gain^-1 / |gain^-1| of the final norm against the
 * covariance of its output y: is u its kernel, at which precision, before and
 * after training, and what is left of the kernel when y is stored?
 *
 * "Untrained" are the weights that default_rng(seed) draws, seeds 0 to 9; the
 * committed models were trained from seed 1, which stands for the start of
 * training. The ten run in float32, their last residual stream is widened and
 * normalised in float64 too: what is asked of is the norm, whatever enters it.
 * The trained weights and their start run in float64 throughout. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/dead_kernel.h"
#include "analysis/dead_rounding.h"
#include "analysis/final_norm_file.h"
#include "analysis/held_out_states.h"
#include "analysis/model_dead_direction.h"
#include "analysis/norm.h"
#include "analysis/study.h"
#include "report/base/memory.h"

enum { SEEDS = 10, PRECISIONS = 3 };

static const char *const precisions[PRECISIONS] = {"float64", "float32",
                                                   "float32_activations"};
static const double threshold = 1e-6; /* of |C u| / |C|, for the kernel */

/* What is measured of one set of weights. */
struct measured {
  struct dead_kernel kernels[PRECISIONS]; /* spectrum of the first alone kept */
  struct dead_kernel uncentred;           /* float64 */
  double constant;                        /* u . bias */
  struct dead_rounding stored;            /* LayerNorm alone */
  double computed[2]; /* variance of u . y as float64, float32 computed y */
};

static enum norm_kind kind(const struct model *model) {
  return transformer_norm_kind(&model->config);
}

/* float32 alone, and its y measured in float64; `gain` (C) in double. */
static int measure_narrow(const struct held_out_states_f32 *narrow,
                          const double *gain, const double *u,
                          struct measured *out, struct error *err) {
  size_t rows = narrow->rows, C = narrow->C;
  double *y = memory_alloc(rows * C, sizeof *y);
  for (size_t i = 0; i < rows * C; i++)
    y[i] = narrow->y[i];
  int status =
      dead_kernel_f32(rows, C, narrow->y, u, true, &out->kernels[1], err);
  if (status == 0)
    status = dead_kernel_f64(rows, C, y, u, true, &out->kernels[2], err);
  out->computed[1] = dead_rounding_variance(rows, C, gain, y);
  free(y);
  return status;
}

static int measure_states(const struct model *model,
                          const struct held_out_states_f64 *states,
                          const struct held_out_states_f32 *narrow,
                          const double *u, struct measured *out,
                          struct error *err) {
  size_t rows = states->rows, C = states->C;
  int status =
      dead_kernel_f64(rows, C, states->y, u, true, &out->kernels[0], err);
  if (status == 0)
    status =
        dead_kernel_f64(rows, C, states->y, u, false, &out->uncentred, err);
  if (status == 0) status = measure_narrow(narrow, states->gain, u, out, err);
  if (status == 0)
    out->computed[0] = dead_rounding_variance(rows, C, states->gain, states->y);
  if (status == 0 && kind(model) == NORM_LAYER)
    out->stored = dead_rounding_measure(kind(model), rows, C, model->config.eps,
                                        states->x, states->gain, states->bias);
  return status;
}

static void measured_free(struct measured *m) {
  for (int i = 0; i < PRECISIONS; i++)
    dead_kernel_free(&m->kernels[i]);
  dead_kernel_free(&m->uncentred);
}

/* In float64 and in float32 throughout. */
static int measure_weights(const struct model *model,
                           const struct held_out *text, struct measured *out,
                           struct error *err) {
  double *u = memory_alloc(model->config.C, sizeof *u);
  if (model_dead_direction(model, u, &out->constant, err) != 0) {
    free(u);
    return -1;
  }
  struct held_out_states_f64 states =
      held_out_states_run_f64(model, text, false);
  struct held_out_states_f32 narrow =
      held_out_states_run_f32(model, text, false);
  int status = measure_states(model, &states, &narrow, u, out, err);
  held_out_states_free_f64(&states);
  held_out_states_free_f32(&narrow);
  free(u);
  return status;
}

/* ---- records ---- */

static void record_kernel(const struct dead_kernel *k, const char *path,
                          struct results *results) {
  results_double(results, k->abs_cos, "%s.abs_cos", path);
  results_double(results, k->one_minus_abs_cos, "%s.one_minus_abs_cos", path);
  results_double(results, k->residual, "%s.kernel_residual", path);
  results_double(results, k->along_u, "%s.eig_along_u", path);
  results_double(results, k->next, "%s.eig_next", path);
  results_double(results, k->largest, "%s.eig_max", path);
  results_integer(results, (long long)k->further, "%s.further_dead", path);
}

/* Over the largest eigenvalue. */
static double relative_along(const struct dead_kernel *k) {
  return k->along_u / k->largest;
}

static double relative_smallest(const struct dead_kernel *k) {
  return k->smallest / k->largest;
}

static void record_rounding(const struct dead_kernel *k, const char *path,
                            struct results *results) {
  results_double(results, k->offset, "%s.offset_along_u", path);
  results_double(results, relative_along(k), "%s.relative_along_u", path);
  results_double(results, k->smallest, "%s.eig_smallest", path);
  results_double(results, relative_smallest(k), "%s.relative_smallest", path);
}

/* `path` is empty or ends in a dot. */
static void record_measured(const struct model *model, const struct measured *m,
                            const char *path, struct results *results) {
  for (int i = 0; i < PRECISIONS; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", path, precisions[i]);
    record_kernel(&m->kernels[i], name, results);
    record_rounding(&m->kernels[i], name, results);
  }
  results_doubles(results, m->kernels[0].spectrum, model->config.C,
                  "%sspectrum", path);
  const struct dead_kernel *uncentred = &m->uncentred;
  results_double(results, uncentred->abs_cos, "%suncentred.abs_cos", path);
  results_double(results, uncentred->along_u, "%suncentred.along_u", path);
  results_double(results, uncentred->smallest, "%suncentred.smallest", path);
  results_double(results, uncentred->largest, "%suncentred.largest", path);
  if (kind(model) == NORM_LAYER)
    results_double(results, m->constant * m->constant, "%suncentred.predicted",
                   path);
}

/* How much deeper the kernel is after training, as computed. */
static void record_deepening(const struct measured *trained,
                             const struct measured *start,
                             struct results *results) {
  for (int i = 0; i < PRECISIONS; i++) {
    const struct dead_kernel *after = &trained->kernels[i];
    const struct dead_kernel *before = &start->kernels[i];
    results_double(results, relative_along(after) / relative_along(before),
                   "deepening.%s.relative", precisions[i]);
    results_double(results, after->along_u / before->along_u,
                   "deepening.%s.absolute", precisions[i]);
    results_double(results,
                   relative_smallest(after) / relative_smallest(before),
                   "deepening.%s.smallest", precisions[i]);
  }
  results_double(results,
                 trained->kernels[0].largest / start->kernels[0].largest,
                 "deepening.eig_max");
  results_double(results, trained->stored.weight / start->stored.weight,
                 "deepening.weight");
}

static void record_stored(const struct measured *m, const char *when,
                          struct results *results) {
  double largest = m->kernels[0].largest;
  results_double(results, m->stored.weight, "storage.weight.%s", when);
  for (int f = 0; f < NUMBER_FORMATS; f++) {
    const char *name = number_format_name((enum number_format)f);
    results_double(results, m->stored.measured[f] / largest, "storage.%s.%s",
                   name, when);
    results_double(results, m->stored.predicted[f] / largest,
                   "storage.%s.predicted.%s", name, when);
  }
}

/* y as the network computed it, before anything measures it. */
static void record_computed(const struct measured *trained,
                            const struct measured *start,
                            struct results *results) {
  for (int i = 0; i < 2; i++) {
    double after = trained->computed[i] / trained->kernels[i].largest;
    double before = start->computed[i] / start->kernels[i].largest;
    results_double(results, before, "computed.%s.initial", precisions[i]);
    results_double(results, after, "computed.%s.trained", precisions[i]);
    results_double(results, after / before, "computed.%s.ratio", precisions[i]);
  }
}

static void record_storage(const struct measured *trained,
                           const struct measured *start,
                           struct results *results) {
  double largest = trained->kernels[0].largest / start->kernels[0].largest;
  record_stored(start, "initial", results);
  record_stored(trained, "trained", results);
  for (int f = 0; f < NUMBER_FORMATS; f++) {
    const char *name = number_format_name((enum number_format)f);
    results_double(results,
                   trained->stored.measured[f] / start->stored.measured[f] /
                       largest,
                   "storage.%s.ratio", name);
    results_double(results,
                   trained->stored.predicted[f] / start->stored.predicted[f] /
                       largest,
                   "storage.%s.predicted.ratio", name);
  }
  results_double(results,
                 trained->stored.weight / start->stored.weight / largest,
                 "storage.weight.ratio");
}

/* ---- the ten untrained networks ---- */
struct extremes {
  double smallest_cos, largest_cos, smallest_residual, largest_residual;
  int present; /* seeds whose residual is below the threshold */
};

static struct held_out_states_f64
widen(const struct model *model, const struct held_out_states_f32 *narrow) {
  size_t rows = narrow->rows, C = narrow->C;
  struct held_out_states_f64 wide = {.rows = rows, .C = C};
  wide.x = memory_alloc(rows * (C + 2), sizeof(double)); /* and moments */
  wide.y = memory_alloc(rows * C, sizeof(double));
  wide.gain = memory_alloc(C, sizeof(double));
  if (narrow->bias != NULL) wide.bias = memory_alloc(C, sizeof(double));
  for (size_t i = 0; i < rows * C; i++)
    wide.x[i] = narrow->x[i];
  for (size_t i = 0; i < C; i++) {
    wide.gain[i] = narrow->gain[i];
    if (narrow->bias != NULL) wide.bias[i] = narrow->bias[i];
  }
  norm_forward_f64(kind(model), (int)rows, (int)C, model->config.eps, wide.x,
                   wide.gain, wide.bias, wide.y, wide.x + rows * C,
                   wide.x + rows * (C + 1));
  return wide;
}

static int measure_seed(const struct model *model, const struct held_out *text,
                        int seed, struct dead_kernel kernels[PRECISIONS],
                        struct error *err) {
  struct model untrained = model_untrained(model, (uint64_t)seed);
  struct held_out_states_f32 narrow =
      held_out_states_run_f32(&untrained, text, false);
  struct held_out_states_f64 wide = widen(&untrained, &narrow);
  struct measured m = {0};
  double *u = memory_alloc(wide.C, sizeof *u);
  int status = model_dead_direction(&untrained, u, &m.constant, err);
  if (status == 0)
    status =
        dead_kernel_f64(wide.rows, wide.C, wide.y, u, true, &m.kernels[0], err);
  if (status == 0) status = measure_narrow(&narrow, wide.gain, u, &m, err);
  for (int i = 0; i < PRECISIONS; i++)
    kernels[i] = m.kernels[i];
  free(u);
  held_out_states_free_f64(&wide);
  held_out_states_free_f32(&narrow);
  model_untrained_free(&untrained);
  return status;
}

static void add_extremes(const struct dead_kernel *k, struct extremes *e) {
  e->smallest_cos = fmin(e->smallest_cos, k->abs_cos);
  e->largest_cos = fmax(e->largest_cos, k->abs_cos);
  e->smallest_residual = fmin(e->smallest_residual, k->residual);
  e->largest_residual = fmax(e->largest_residual, k->residual);
  e->present += k->residual < threshold;
}

static int measure_untrained(const struct model *model,
                             const struct held_out *text, struct extremes *e,
                             struct results *results, struct error *err) {
  *e = (struct extremes){.smallest_cos = INFINITY,
                         .smallest_residual = INFINITY};
  int status = 0;
  for (int seed = 0; seed < SEEDS && status == 0; seed++) {
    struct dead_kernel kernels[PRECISIONS];
    status = measure_seed(model, text, seed, kernels, err);
    for (int i = 0; i < PRECISIONS; i++) {
      char name[64];
      snprintf(name, sizeof name, "initial.seeds.%d.%s", seed, precisions[i]);
      if (status == 0) record_kernel(&kernels[i], name, results);
      if (status == 0 && i == 0) add_extremes(&kernels[i], e);
      dead_kernel_free(&kernels[i]);
    }
  }
  results_double(results, e->smallest_cos, "initial.smallest_abs_cos");
  results_double(results, e->largest_cos, "initial.largest_abs_cos");
  results_double(results, e->smallest_residual, "initial.smallest_residual");
  results_double(results, e->largest_residual, "initial.largest_residual");
  return status;
}

/* ---- which norm is it? ---- */
static const char *classify(double residual) {
  return norm_name(residual < threshold ? NORM_LAYER : NORM_RMS);
}

static double margin(double residual) {
  return residual < threshold ? threshold / residual : residual / threshold;
}

static void record_classification(const struct model *model, double residual,
                                  const struct extremes *e,
                                  struct results *results) {
  bool layer = kind(model) == NORM_LAYER;
  double nearest = layer ? e->largest_residual : e->smallest_residual;
  results_text(results, norm_name(kind(model)), "classification.norm");
  results_double(results, threshold, "classification.threshold");
  results_text(results, classify(residual), "classification.activations");
  results_double(results, residual, "classification.residual");
  results_double(results, margin(residual), "classification.margin");
  results_integer(results, layer ? e->present : SEEDS - e->present,
                  "classification.initial.right");
  results_integer(results, SEEDS, "classification.initial.seeds");
  results_double(results, margin(nearest), "classification.initial.margin");
}

/* From the file alone, and from the names of its tensors alone. */
static int record_file_class(const struct model *model, struct results *results,
                             struct error *err) {
  static const char *const paths[] = {"classification.names.",
                                      "classification."};
  for (int i = 0; i < 2; i++) {
    struct final_norm_file class;
    if (final_norm_file_read(model->entry.path, i == 1, &class, err) != 0)
      return -1;
    results_text(results, final_norm_kind_name(class.kind), "%sfile", paths[i]);
    results_text(results, class.evidence, "%sevidence", paths[i]);
    results_text(results, class.gain, "%sgain", paths[i]);
  }
  return 0;
}

/* ---- all of it ---- */
static void record_all(const struct model *model,
                       const struct measured *trained,
                       const struct measured *start, struct results *results) {
  record_measured(model, trained, "", results);
  results_integer(results, MODEL_START_SEED, "initial.seed");
  record_measured(model, start, "initial.", results);
  if (kind(model) != NORM_LAYER) return;
  record_deepening(trained, start, results);
  record_computed(trained, start, results);
  record_storage(trained, start, results);
}

static int measure(const struct model *model, struct results *results,
                   struct error *err) {
  struct held_out text = held_out_draw(model);
  struct model untrained = model_untrained(model, MODEL_START_SEED);
  struct measured trained = {0}, start = {0};
  struct extremes extremes;
  results_integer(results, (long long)text.rows, "tokens");
  int status = record_file_class(model, results, err);
  if (status == 0) status = measure_weights(model, &text, &trained, err);
  if (status == 0) status = measure_weights(&untrained, &text, &start, err);
  if (status == 0) record_all(model, &trained, &start, results);
  if (status == 0)
    status = measure_untrained(model, &text, &extremes, results, err);
  if (status == 0)
    record_classification(model, trained.kernels[0].residual, &extremes,
                          results);
  measured_free(&trained);
  measured_free(&start);
  model_untrained_free(&untrained);
  held_out_free(&text);
  return status;
}

int main(int argc, char **argv) {
  const struct study study = {
      .name = "dead",
      .purpose = "The final norm's dead direction against the covariance of "
                 "its output.",
      .measure_model = measure};
  return study_main(&study, argc, argv);
}
