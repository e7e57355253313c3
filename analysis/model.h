/* A trained model: weights that are what the manifest says they are, and the
 * text they were trained on.
 *
 * <models>/manifest.json names for each model its file (beside the manifest),
 * the file's sha256, norm, eps, corpus and training log. Loading refuses a file
 * of another hash, weights whose names and shapes are not those of the
 * transformer's table, values that are not finite, and a corpus that is not the
 * one described in corpora.json, which lies beside the models' directory, or
 * that is too short to draw sequences from. */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/corpus.h"
#include "analysis/results.h"
#include "analysis/transformer.h"
#include "report/base/error.h"
#include "report/base/hash.h"

/* default_rng of this seed drew the weights that all models began with. */
enum { MODEL_START_SEED = 1 };

enum { MODEL_PATH = 512 };

struct model_entry {
  char name[64];
  char path[MODEL_PATH]; /* of the weights */
  char sha256[HASH_TEXT];
  char norm[16]; /* "LayerNorm" or "RMSNorm" */
  double eps;
  char corpus[64];
  char training[MODEL_PATH]; /* path of the training log */
};

struct model {
  struct model_entry entry;
  struct transformer_config config;
  size_t parameters; /* numbers in all tensors */
  float *weights;    /* (parameters), in the transformer's table order */
  double *wide;      /* the same, widened */
  struct corpus corpus;
  char corpus_path[MODEL_PATH];
};

/* What the manifest in the directory `models` says of a model. */
int model_lookup(const char *models, const char *name, struct model_entry *out,
                 struct error *err);

/* Look up, verify and load a model, and its text from `corpora`/CORPUS.txt. */
int model_load(const char *models, const char *corpora, const char *name,
               struct model *out, struct error *err);
void model_free(struct model *model);

/* The model with the weights that default_rng(seed) draws instead of its own;
 * all else is lent by `model`. */
struct model model_untrained(const struct model *model, uint64_t seed);
void model_untrained_free(struct model *untrained);

/* Record weights and text as inputs of a study. */
void model_record(const struct model *model, struct results *results);

#endif
