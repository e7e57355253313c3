/* A trained model: weights that are what the manifest says they are, and the
 * text they were trained on.
 *
 * data/models/manifest.json names for each model its file (beside the
 * manifest), the file's sha256, norm, eps, corpus and training log. Loading
 * refuses a file of another hash, and weights whose names and shapes are not
 * those of the transformer's table (analysis/transformer.h). */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/corpus.h"
#include "report/base/error.h"
#include "report/base/hash.h"

/* Where things are when a program does not say otherwise. */
#define MODEL_MANIFEST "data/models/manifest.json"
#define MODEL_CORPORA_LIST "data/corpora.json"
#define MODEL_CORPORA "build/corpora"

struct model_entry {
  char name[64];
  char path[512]; /* of the weights */
  char sha256[HASH_TEXT];
  bool rms; /* RMSNorm: no mean, no bias; else LayerNorm */
  double eps;
  char corpus[64];
  char training[512]; /* path of the training log */
};

struct model {
  struct model_entry entry;
  size_t parameters; /* numbers in all tensors */
  float *weights;    /* (parameters) in the transformer's table order */
  double *wide;      /* the same, widened */
  struct corpus corpus;
  char corpus_path[512];
};

/* What the manifest at `manifest` (NULL: MODEL_MANIFEST) says of a model. */
int model_lookup(const char *manifest, const char *name,
                 struct model_entry *out, struct error *err);

/* Look up, verify and load. `manifest`, `corpora_list` and `corpora` (the
 * directory of NAME.txt files) may be NULL: the places above. */
int model_load(const char *manifest, const char *corpora_list,
               const char *corpora, const char *name, struct model *out,
               struct error *err);
void model_free(struct model *model);

#endif
