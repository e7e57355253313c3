/* A decoder-only transformer with pre-norm blocks (nanoGPT's), its gradients
 * and its tangents, in float32 and float64 from one source.
 *
 *   x = wte[token] + wpe[t]
 *   x += attn(ln1(x));  x += mlp(ln2(x))      L times
 *   logits = head ln_f(x)
 *
 * attn: causal, NH heads of C/NH features, scores over sqrt(C/NH), one fused
 * qkv matrix; mlp: C -> 4C -> C with the exact GELU. Only the MLP has biases
 * besides the norms. A norm is LayerNorm (gain, bias) or RMSNorm (gain, no
 * mean); its eps stands in the configuration.
 *
 * Shapes: B sequences, T positions, C features, V symbols, NH heads, L blocks;
 * row-major, matrices (out, in). Depth points and norms share one index: norm n
 * reads the residual stream at depth point n.
 *
 *   n = 0         embedding            b0.ln1
 *   n = 2 b + 1   after attention b    b<b>.ln2
 *   n = 2 b + 2   after MLP b          b<b+1>.ln1, or lnf for the last
 *
 * Parameters, gradients and activations are one slab each. Sources: Vaswani et
 * al. 2017; Xiong et al. 2020 (pre-norm); Hendrycks and Gimpel 2016 (GELU). */
#ifndef TRANSFORMER_H
#define TRANSFORMER_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/norm.h"

struct rng; /* analysis/rng.h */

struct transformer_config {
  size_t V, T, C, NH, L; /* T: the longest sequence */
  bool rms;              /* RMSNorm: no mean, no bias; else LayerNorm */
  double eps;
};

/* The model of the episode: V 65, T 64, C 128, NH 4, L 4. */
struct transformer_config transformer_config(bool rms, double eps);

enum norm_kind transformer_norm_kind(const struct transformer_config *config);

/* ---- the table of tensors, in nanoGPT's names and order ---- */
enum transformer_role {
  TRANSFORMER_EMBEDDING,
  TRANSFORMER_LINEAR, /* weight, or bias of a matrix of that fan_in */
  TRANSFORMER_GAIN,
  TRANSFORMER_BIAS /* of a norm */
};

struct transformer_tensor {
  char name[48]; /* "transformer.h.0.ln_1.weight" */
  size_t rank, shape[2];
  size_t offset, count; /* where in the slab, and how many numbers */
  enum transformer_role role;
  size_t fan_in; /* TRANSFORMER_LINEAR */
};

struct transformer_table {
  struct transformer_tensor *tensors;
  size_t count;
  size_t parameters; /* numbers in all tensors: the slab's length */
};

struct transformer_table
transformer_table(const struct transformer_config *config);
void transformer_table_free(struct transformer_table *table);

/* ---- depth points and norms ---- */
size_t transformer_points(const struct transformer_config *config); /* 2L+1 */

/* "embed", "b0_attn", "b0_mlp", ...; "b0.ln1", "b0.ln2", ..., "lnf". */
enum { TRANSFORMER_NAME = 16 };
void transformer_point_name(size_t n, char out[TRANSFORMER_NAME]);
void transformer_norm_name(const struct transformer_config *config, size_t n,
                           char out[TRANSFORMER_NAME]);

/* Initial weights: embeddings N(0, 1), matrices and their biases
 * U(-1/sqrt(fan_in), 1/sqrt(fan_in)), gains 1, biases of norms 0; drawn in the
 * table's order, rounded to float. weights: (parameters). */
void transformer_init(const struct transformer_config *config, struct rng *rng,
                      float *weights);

/* ---- float32 (..._f32) and float64 (..._f64) ---- */
#define MODEL struct REAL_NAME(transformer)
#define TENSORS struct REAL_NAME(transformer_tensors)
#define BLOCK struct REAL_NAME(transformer_block)
#define PASS struct REAL_NAME(transformer_pass)
#define REAL_BITS 32
#include "analysis/real.h"
#include "analysis/transformer_real.inc"
#undef REAL_BITS
#define REAL_BITS 64
#include "analysis/real.h"
#include "analysis/transformer_real.inc"
#undef REAL_BITS
#undef MODEL
#undef TENSORS
#undef BLOCK
#undef PASS

#endif
