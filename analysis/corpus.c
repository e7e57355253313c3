#include "analysis/corpus.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/json_fields.h"
#include "analysis/rng.h"
#include "report/base/file.h"
#include "report/base/json.h"
#include "report/base/memory.h"

static const char alphabet[CORPUS_SYMBOLS + 1] =
    "\n !$&',-.3:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const char *corpus_alphabet(void) {
  return alphabet;
}

int corpus_token(unsigned char symbol) {
  const char *at = memchr(alphabet, symbol, CORPUS_SYMBOLS);
  return at == NULL ? -1 : (int)(at - alphabet);
}

static struct place place_of(const char *name, const char *text, size_t at) {
  struct place place = {name, 1, 1};
  for (size_t i = 0; i < at; i++) {
    place.column++;
    if (text[i] != '\n') continue;
    place.line++;
    place.column = 1;
  }
  return place;
}

int corpus_encode(const char *name, const char *text, size_t length,
                  struct corpus *out, struct error *err) {
  int tokens[256];
  bool seen[CORPUS_SYMBOLS] = {false};
  for (int symbol = 0; symbol < 256; symbol++)
    tokens[symbol] = corpus_token((unsigned char)symbol);
  *out = (struct corpus){.tokens = memory_alloc(length + 1, 1),
                         .count = length,
                         .cut = length / 10 * 9 + length % 10 * 9 / 10};
  for (size_t i = 0; i < length; i++) {
    unsigned char symbol = (unsigned char)text[i];
    if (tokens[symbol] < 0) {
      corpus_free(out);
      return error_at(err, place_of(name, text, i),
                      "byte 0x%02X is not among the %d symbols of the alphabet",
                      symbol, CORPUS_SYMBOLS);
    }
    out->tokens[i] = (unsigned char)tokens[symbol];
    seen[tokens[symbol]] = true;
  }
  for (int token = 0; token < CORPUS_SYMBOLS; token++)
    out->distinct += seen[token];
  hash_bytes(text, length, out->sha256);
  return 0;
}

int corpus_verify(const char *name, const char *text, size_t length,
                  const char *sha256, struct error *err) {
  char found[HASH_TEXT];
  hash_bytes(text, length, found);
  if (strcmp(found, sha256) == 0) return 0;
  return error_set(err,
                   "%s: not the expected text: sha256 %s expected, %s found "
                   "(%zu bytes)",
                   name, sha256, found, length);
}

int corpus_read(const char *path, const char *sha256, struct corpus *out,
                struct error *err) {
  struct buffer text = {0};
  *out = (struct corpus){0};
  int result = file_read(path, &text, err);
  if (result == 0 && sha256 != NULL)
    result = corpus_verify(path, text.bytes, text.length, sha256, err);
  if (result == 0)
    result = corpus_encode(path, text.bytes, text.length, out, err);
  buffer_free(&text);
  return result;
}

void corpus_free(struct corpus *corpus) {
  free(corpus->tokens);
  *corpus = (struct corpus){0};
}

const unsigned char *corpus_part(const struct corpus *corpus,
                                 enum corpus_split split, size_t *count) {
  bool train = split == CORPUS_TRAIN;
  *count = train ? corpus->cut : corpus->count - corpus->cut;
  return train ? corpus->tokens : corpus->tokens + corpus->cut;
}

int corpus_check_length(const struct corpus *corpus, const char *name,
                        size_t block, struct error *err) {
  size_t count; /* of the shorter part */
  corpus_part(corpus, CORPUS_HELD_OUT, &count);
  if (count > block + 1) return 0;
  return error_set(err,
                   "%s: the held-out tenth of the text has %zu symbols; "
                   "more than %zu are needed",
                   name, count, block + 1);
}

void corpus_batch(const struct corpus *corpus, enum corpus_split split,
                  struct rng *rng, size_t batch, size_t block, int *x, int *y) {
  size_t count;
  const unsigned char *part = corpus_part(corpus, split, &count);
  for (size_t b = 0; b < batch; b++) {
    size_t start = (size_t)rng_integer(rng, 0, (int64_t)(count - block - 1));
    for (size_t t = 0; t < block; t++) {
      x[b * block + t] = part[start + t];
      y[b * block + t] = part[start + t + 1];
    }
  }
}

int *corpus_held_out(const struct corpus *corpus, uint64_t seed, size_t batch,
                     size_t block) {
  int *x = memory_alloc(2 * batch * block, sizeof *x);
  struct rng rng;
  rng_seed(&rng, seed);
  corpus_batch(corpus, CORPUS_HELD_OUT, &rng, batch, block, x,
               x + batch * block);
  return x;
}

/* ---- the list of corpora ---- */

static int read_entry(const struct json *object, struct corpus_entry *out,
                      struct error *err) {
  if (json_field_text(object, "name", out->name, sizeof out->name, err) != 0 ||
      json_field_text(object, "sha256", out->sha256, sizeof out->sha256, err) !=
          0 ||
      json_field_text(object, "source", out->source, sizeof out->source, err) !=
          0 ||
      json_field_count(object, "bytes", &out->bytes, err) != 0)
    return -1;
  out->package[0] = 0;
  if (json_member(object, "package") == NULL) return 0;
  return json_field_text(object, "package", out->package, sizeof out->package,
                         err);
}

int corpus_lookup(const char *path, const char *name, struct corpus_entry *out,
                  struct error *err) {
  struct json_document list;
  if (json_read(path, &list, err) != 0) return -1;
  int result = -1;
  const struct json *corpora =
      json_field(list.root, "corpora", JSON_ARRAY, err);
  if (corpora == NULL) goto cleanup;
  for (const struct json *c = corpora->child; c != NULL; c = c->next) {
    if (read_entry(c, out, err) != 0) goto cleanup;
    if (strcmp(out->name, name) != 0) continue;
    result = 0;
    goto cleanup;
  }
  error_set(err, "%s: no corpus is named %s", path, name);
cleanup:
  json_free(&list);
  return result;
}
