/* A model with its manifest, corpus and list of corpora in a directory of its
 * own, for tests that need one; the weights are random, the text is too.
 *
 *   DIR/corpora.json  DIR/corpora/tiny.txt
 *   DIR/models/manifest.json  DIR/models/m.safetensors
 *
 * The functions are static: each test program has its own. */
#ifndef MODEL_FIXTURE_H
#define MODEL_FIXTURE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/corpus.h"
#include "analysis/norm.h"
#include "analysis/rng.h"
#include "analysis/safetensors.h"
#include "analysis/transformer.h"
#include "report/base/buffer.h"
#include "report/base/file.h"
#include "report/base/memory.h"

enum { FIXTURE_TEXT = 6000, FIXTURE_TENSORS = 64 };

struct fixture {
  char directory[200], models[256], corpora[256];
  char weights[300], manifest[300], list[300], text[300];
  float *values; /* (parameters), in table order */
  size_t count;  /* tensors */
  struct safetensors_entry entries[FIXTURE_TENSORS];
  struct transformer_table table;
  bool rms;
  double eps;
};

static inline void fixture_put(const char *path, const struct buffer *text) {
  struct error err = {{0}};
  if (file_make_parents(path, &err) != 0 ||
      file_write(path, text->bytes, text->length, &err) != 0) {
    fprintf(stderr, "%s\n", err.text);
    abort();
  }
}

static inline void fixture_hash(const char *path, char out[HASH_TEXT]) {
  struct error err = {{0}};
  if (hash_file(path, out, &err) == 0) return;
  fprintf(stderr, "%s\n", err.text);
  abort();
}

static inline void fixture_write_manifest(const struct fixture *f) {
  char sha256[HASH_TEXT];
  struct buffer text = {0};
  fixture_hash(f->weights, sha256);
  buffer_printf(&text,
                "{\"models\": [\n{\"name\": \"other\"},\n"
                "{\"name\": \"m\", \"file\": \"m.safetensors\", \"sha256\": "
                "\"%s\",\n\"norm\": \"%s\", \"eps\": %g, \"corpus\": \"tiny\", "
                "\"training\": \"m.training.json\"}]}\n",
                sha256, norm_name(f->rms ? NORM_RMS : NORM_LAYER), f->eps);
  fixture_put(f->manifest, &text);
  buffer_free(&text);
}

/* Write the entries and a manifest that knows them. */
static inline void fixture_write_weights(const struct fixture *f,
                                         const char *norm, const char *eps) {
  const struct safetensors_text metadata[] = {{"norm", norm}, {"eps", eps}};
  struct error err = {{0}};
  if (file_make_parents(f->weights, &err) != 0 ||
      safetensors_write(f->weights, f->entries, f->count, metadata, 2, &err) !=
          0) {
    fprintf(stderr, "%s\n", err.text);
    abort();
  }
  fixture_write_manifest(f);
}

/* A text of that many random symbols, and a list that knows it. */
static inline void fixture_write_text(const struct fixture *f, size_t length) {
  struct buffer text = {0}, list = {0};
  struct rng rng;
  char sha256[HASH_TEXT];
  rng_seed(&rng, 11);
  for (size_t i = 0; i < length; i++)
    buffer_char(&text, corpus_alphabet()[rng_integer(&rng, 0, CORPUS_SYMBOLS)]);
  fixture_put(f->text, &text);
  fixture_hash(f->text, sha256);
  buffer_printf(&list,
                "{\"corpora\": [{\"name\": \"tiny\", \"sha256\": \"%s\", "
                "\"bytes\": %zu, \"source\": \"a test\"}]}\n",
                sha256, length);
  fixture_put(f->list, &list);
  buffer_free(&text);
  buffer_free(&list);
}

/* Matrices and embeddings normal with the usual scales, gains near 1 and of
 * both signs now and then, biases small. */
static inline void fixture_draw(const struct fixture *f) {
  struct rng rng;
  rng_seed(&rng, 5);
  for (size_t i = 0; i < f->table.count; i++) {
    const struct transformer_tensor *t = &f->table.tensors[i];
    for (size_t j = 0; j < t->count; j++) {
      double x = rng_normal(&rng);
      f->values[t->offset + j] =
          (float)(t->role == TRANSFORMER_EMBEDDING ? x
                  : t->role == TRANSFORMER_GAIN    ? 1 + 0.3 * x
                  : t->role == TRANSFORMER_BIAS    ? 0.1 * x
                                                   : 0.1 * x);
    }
  }
}

static inline void fixture_make(struct fixture *f, bool rms, double eps) {
  const char *build = getenv("BUILD");
  *f = (struct fixture){.rms = rms, .eps = eps};
  char directory[200];
  snprintf(directory, sizeof directory, "%s/model-XXXXXX",
           build == NULL ? "build" : build);
  if (mkdtemp(directory) == NULL) {
    perror(directory);
    abort();
  }
  strcpy(f->directory, directory);
  snprintf(f->models, sizeof f->models, "%s/models", directory);
  snprintf(f->corpora, sizeof f->corpora, "%s/corpora", directory);
  snprintf(f->weights, sizeof f->weights, "%s/models/m.safetensors", directory);
  snprintf(f->manifest, sizeof f->manifest, "%s/models/manifest.json",
           directory);
  snprintf(f->text, sizeof f->text, "%s/corpora/tiny.txt", directory);
  snprintf(f->list, sizeof f->list, "%s/corpora.json", directory);
  struct transformer_config config = transformer_config(rms, eps);
  f->table = transformer_table(&config);
  f->values = memory_alloc(f->table.parameters, sizeof *f->values);
  fixture_draw(f);
  for (f->count = 0; f->count < f->table.count; f->count++) {
    const struct transformer_tensor *t = &f->table.tensors[f->count];
    f->entries[f->count] =
        (struct safetensors_entry){.name = t->name,
                                   .rank = t->rank,
                                   .shape = {t->shape[0], t->shape[1]},
                                   .values = f->values + t->offset};
  }
  char eps_text[32];
  snprintf(eps_text, sizeof eps_text, "%g", eps);
  fixture_write_weights(f, norm_name(rms ? NORM_RMS : NORM_LAYER), eps_text);
  fixture_write_text(f, FIXTURE_TEXT);
}

static inline void fixture_remove(struct fixture *f) {
  unlink(f->weights);
  unlink(f->manifest);
  unlink(f->list);
  unlink(f->text);
  rmdir(f->models);
  rmdir(f->corpora);
  rmdir(f->directory);
  free(f->values);
  transformer_table_free(&f->table);
}

#endif
