/* Which norm of a model is the final one, the norm whose output the head reads,
 * and whether it is a LayerNorm or an RMSNorm: told from the names of the
 * tensors and the configuration, without the weights.
 *
 * Nothing is guessed. The norm is chosen when the names leave one answer, or a
 * stated rule does (the decoder's of an encoder-decoder; the last layer's
 * output norm of a post-norm model); otherwise the candidates are listed. The
 * kind follows from evidence, each piece of which says LayerNorm or RMSNorm and
 * why; pieces that disagree, and no piece at all, leave it undecided, unless
 * the user says it: then the other pieces are listed only. A missing bias is no
 * evidence: LayerNorms without bias exist (Cohere, ModernBERT, MPT).
 */
#ifndef FINAL_NORM_H
#define FINAL_NORM_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/base/json.h"
#include "report/base/memory.h"

enum final_norm_kind { FINAL_NORM_UNDECIDED, FINAL_NORM_LAYER, FINAL_NORM_RMS };

const char *final_norm_kind_name(enum final_norm_kind kind);

/* What is known of a model. */
struct final_norm_source {
  const char *const *names; /* of all tensors, in the order of their bytes */
  size_t count;
  const struct json *config; /* config.json's object, or NULL */
  const char *metadata_norm; /* `norm` of the file's __metadata__, or NULL */
};

/* What the user said; all may be empty. */
struct final_norm_request {
  const char *gain, *bias;   /* tensor names, or NULL */
  enum final_norm_kind kind; /* FINAL_NORM_UNDECIDED: not said */
  bool one_plus;             /* the norm multiplies by 1 + weight */
};

enum { FINAL_NORM_EVIDENCE = 8 };

struct final_norm {
  const char *gain, *bias; /* tensor names; bias NULL: there is none */
  const char *reason;      /* why this norm, or with `gain` NULL why none */
  bool of_layer; /* the last layer's own: right where that layer is the last */
  enum final_norm_kind kind;
  struct final_norm_evidence {
    const char
        *source; /* "configuration", "bias", "names", "metadata", "user" */
    enum final_norm_kind says; /* undecided: it tells nothing alone */
    const char *text;          /* "model_type \"llama\" has RMSNorms" */
  } evidence[FINAL_NORM_EVIDENCE];
  size_t evidence_count;
  bool one_plus;               /* gain = 1 + weight (Gemma, Nemotron, ...) */
  bool one_plus_open;          /* nothing tells whether that holds */
  const char *one_plus_reason; /* or NULL */
  /* Norms that the names would also allow; with `gain` NULL the user must
   * choose among them. */
  const char *const *candidates;
  size_t candidate_count;
  size_t width;       /* features, from the configuration; 0: it does not say,
                       * or no norm is chosen */
  struct arena arena; /* owns all texts that are not the source's */
};

/* An error when a tensor asked for is not there, or no name looks like that of
 * a norm. When in doubt it succeeds with `gain` NULL. `path` stands in
 * messages. After a failure there is nothing to free. */
int final_norm_find(const char *path, const struct final_norm_source *source,
                    const struct final_norm_request *request,
                    struct final_norm *out, struct error *err);
void final_norm_free(struct final_norm *norm);

#endif
