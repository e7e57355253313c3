/* A model of a few features with random weights, and a random text for it, in
 * memory: a study of the forward pass takes hundredths of a second on it, and
 * minutes on all sizes of the models there are.
 *
 * A test of a study includes the study's own file, its main renamed, and calls
 * what that measures:
 *
 *   #define main program
 *   int program(int argc, char **argv);
 *   #include "analysis/model_studies/NAME.c"
 *   #undef main
 *
 * Included after cmocka.h; the test's set-up is scratch_make. */
#ifndef SMALL_MODEL_H
#define SMALL_MODEL_H

#include <cblas.h>

#include "analysis/model.h"
#include "analysis/results.h"
#include "analysis/rng.h"
#include "report/base/json.h"
#include "report/base/memory.h"
#include "tests/scratch.h"

enum { SMALL_T = 8, SMALL_C = 12, SMALL_V = CORPUS_SYMBOLS, SMALL_L = 2 };

/* Of the first `symbols` of the alphabet. */
SUPPORT void small_model_text(struct model *m, int symbols) {
  enum { LENGTH = 4000 };
  char text[LENGTH];
  struct rng rng;
  struct error err = {{0}};
  rng_seed(&rng, 11);
  for (size_t i = 0; i < LENGTH; i++)
    text[i] = corpus_alphabet()[rng_integer(&rng, 0, symbols)];
  corpus_free(&m->corpus);
  if (corpus_encode("text", text, LENGTH, &m->corpus, &err) != 0)
    fail_msg("%s", err.text);
}

SUPPORT void small_model_make(struct model *m, bool rms) {
  struct rng rng;
  openblas_set_num_threads(1); /* threads cost more than such sizes gain */
  *m = (struct model){
      .config = {SMALL_V, SMALL_T, SMALL_C, 3, SMALL_L, rms, 1e-5}};
  struct transformer_table table = transformer_table(&m->config);
  m->parameters = table.parameters;
  m->weights = memory_alloc(m->parameters, sizeof *m->weights);
  m->wide = memory_alloc(m->parameters, sizeof *m->wide);
  rng_seed(&rng, 5);
  for (size_t i = 0; i < table.count; i++) {
    const struct transformer_tensor *t = &table.tensors[i];
    double mean = t->role == TRANSFORMER_GAIN ? 1 : 0;
    for (size_t j = t->offset; j < t->offset + t->count; j++)
      m->wide[j] = m->weights[j] = (float)(mean + 0.3 * rng_normal(&rng));
  }
  transformer_table_free(&table);
  small_model_text(m, CORPUS_SYMBOLS);
}

/* The model's tensor of that name. */
SUPPORT double *small_model_tensor(const struct model *m, const char *name) {
  struct transformer_table table = transformer_table(&m->config);
  size_t offset = m->parameters;
  for (size_t i = 0; i < table.count; i++)
    if (strcmp(table.tensors[i].name, name) == 0)
      offset = table.tensors[i].offset;
  transformer_table_free(&table);
  if (offset == m->parameters) fail_msg("no tensor %s", name);
  return m->wide + offset;
}

typedef int study_measure(const struct model *model, struct results *results,
                          struct error *err);

/* What a study measures, as it is read from its file of results. */
SUPPORT const struct json *small_model_values(study_measure *measure,
                                              const struct model *m,
                                              struct json_document *document) {
  struct error err = {{0}};
  struct results *results = results_new("study");
  const char *path = in_scratch("out.json");
  results_prefix(results, "m");
  if (measure(m, results, &err) != 0 ||
      results_write(results, path, &err) != 0 ||
      json_read(path, document, &err) != 0)
    fail_msg("%s", err.text);
  results_free(results);
  return json_at(document->root, "values.m");
}

SUPPORT void small_model_refused(study_measure *measure, const struct model *m,
                                 const char *expected) {
  struct error err = {{0}};
  struct results *results = results_new("study");
  assert_int_equal(measure(m, results, &err), -1);
  assert_string_equal(err.text, expected);
  results_free(results);
}

/* The number at a path, made by a format of one name. */
SUPPORT double number_at(const struct json *values, const char *format,
                         const char *name) {
  char path[128];
  snprintf(path, sizeof path, format, name);
  const struct json *value = json_at(values, path);
  if (value == NULL) fail_msg("no value at %s", path);
  assert_int_equal(value->type, JSON_NUMBER);
  return value->number;
}

#endif
