/* A text as tokens, split into a training part and a held-out part, and the
 * random batches that training and measurements draw from either.
 *
 * Alphabet: the 65 symbols newline, space, !$&',-.3:;?, A-Z, a-z in code-point
 * order; a token is a symbol's index. The first floor(0.9 n) tokens train, the
 * others are held out. Batches follow NumPy's `rng.integers`, so that a seed
 * names the same sequences here and there. */
#ifndef CORPUS_H
#define CORPUS_H

#include <stddef.h>
#include <stdint.h>

#include "report/base/error.h"
#include "report/base/hash.h"

struct rng; /* analysis/rng.h */

enum { CORPUS_SYMBOLS = 65 };

enum corpus_split { CORPUS_TRAIN, CORPUS_HELD_OUT };

struct corpus {
  unsigned char *tokens; /* (count), each below CORPUS_SYMBOLS */
  size_t count;
  size_t cut;             /* tokens of the training part */
  size_t distinct;        /* symbols of the alphabet that occur */
  char sha256[HASH_TEXT]; /* of the text */
};

/* The alphabet as a string of CORPUS_SYMBOLS bytes. */
const char *corpus_alphabet(void);

/* The token of a byte, or -1 when the byte is not in the alphabet. */
int corpus_token(unsigned char symbol);

/* Tokens of a text; `name` stands in messages. A byte outside the alphabet is
 * an error with its place. */
int corpus_encode(const char *name, const char *text, size_t length,
                  struct corpus *out, struct error *err);

/* Whether a text is the one of that hash; the message names both hashes. */
int corpus_verify(const char *name, const char *text, size_t length,
                  const char *sha256, struct error *err);

/* Read, check against `sha256` (NULL: any text) and encode a text file. */
int corpus_read(const char *path, const char *sha256, struct corpus *out,
                struct error *err);
void corpus_free(struct corpus *corpus);

/* Tokens of one part, and how many. */
const unsigned char *corpus_part(const struct corpus *corpus,
                                 enum corpus_split split, size_t *count);

/* Whether sequences of `block` tokens can be drawn from each part; `name`
 * stands in the message. */
int corpus_check_length(const struct corpus *corpus, const char *name,
                        size_t block, struct error *err);

/* Draw `batch` start indices by integers(0, n - block - 1, batch), n being the
 * length of the part, which must be above block + 1:
 * x[b][t] = part[start_b + t], y[b][t] = part[start_b + t + 1];
 * x, y: (batch, block). */
void corpus_batch(const struct corpus *corpus, enum corpus_split split,
                  struct rng *rng, size_t batch, size_t block, int *x, int *y);

/* The first such batch of held-out text that default_rng(seed) draws: x with y
 * after it, (2, batch, block); free() releases it. */
int *corpus_held_out(const struct corpus *corpus, uint64_t seed, size_t batch,
                     size_t block);

/* What data/corpora.json says of one corpus. */
struct corpus_entry {
  char name[64];
  char sha256[HASH_TEXT];
  size_t bytes;
  char package[64]; /* Debian package it is made from; "": supplied by hand */
  char source[512]; /* where the text comes from, for messages and pages */
};

/* Look a corpus up in the list at `path` (data/corpora.json). */
int corpus_lookup(const char *path, const char *name, struct corpus_entry *out,
                  struct error *err);

#endif
