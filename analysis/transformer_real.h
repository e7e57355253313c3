/* The part of transformer.h that depends on the precision: included by it once
 * for float (struct transformer32, transformer32_forward, ...) and once for
 * double (struct transformer64, ...). TRANSFORMER_REAL is the type. */

/* ---- tensors of a slab: weights, or their gradients ---- */
struct TRANSFORMER(_block) {
  TRANSFORMER_REAL *ln1_gain, *ln1_bias; /* (C); bias NULL with RMSNorm */
  TRANSFORMER_REAL *qkv;                 /* (3C, C) */
  TRANSFORMER_REAL *proj;                /* (C, C) */
  TRANSFORMER_REAL *ln2_gain, *ln2_bias; /* (C) */
  TRANSFORMER_REAL *fc, *fc_bias;        /* (4C, C), (4C) */
  TRANSFORMER_REAL *out, *out_bias;      /* (C, 4C), (C) */
};

struct TRANSFORMER(_tensors) {
  TRANSFORMER_REAL *slab;                /* (parameters), in table order */
  TRANSFORMER_REAL *wte, *wpe;           /* (V, C), (T, C) */
  struct TRANSFORMER(_block) * blocks;   /* (L) */
  TRANSFORMER_REAL *lnf_gain, *lnf_bias; /* (C) */
  TRANSFORMER_REAL *head;                /* (V, C) */
};

struct TRANSFORMER() {
  struct transformer_config config;
  size_t parameters;
  struct TRANSFORMER(_tensors) weights;
};

/* A model with a copy of `weights` (parameters), or zeros for NULL. */
struct TRANSFORMER() TRANSFORMER(_new)(const struct transformer_config *config,
                                       const TRANSFORMER_REAL *weights);
void TRANSFORMER(_free)(struct TRANSFORMER() * model);

/* Gradients, of the weights' layout, zeroed. */
struct TRANSFORMER(_tensors)
    TRANSFORMER(_gradients_new)(const struct transformer_config *config);
void TRANSFORMER(_tensors_free)(struct TRANSFORMER(_tensors) * tensors);

/* Gain and bias (NULL with RMSNorm) of norm n, each (C). */
const TRANSFORMER_REAL *TRANSFORMER(_gain)(const struct TRANSFORMER() * model,
                                           size_t n);
const TRANSFORMER_REAL *TRANSFORMER(_bias)(const struct TRANSFORMER() * model,
                                           size_t n);

/* ---- one pass ---- */
struct TRANSFORMER(_pass) {
  size_t B, T;                 /* of the buffers and of the last forward pass */
  TRANSFORMER_REAL *slab;      /* owns all that follows */
  TRANSFORMER_REAL *residual;  /* (2L+1, B, T, C): at each depth point */
  TRANSFORMER_REAL *y;         /* (2L+1, B, T, C): each norm's output */
  TRANSFORMER_REAL *mean;      /* (2L+1, B, T): 0 with RMSNorm */
  TRANSFORMER_REAL *inv_sigma; /* (2L+1, B, T) */
  TRANSFORMER_REAL *qkv;       /* (L, B, T, 3C) */
  TRANSFORMER_REAL *att;       /* (L, B, NH, T, T): rows sum to 1 */
  TRANSFORMER_REAL *mix;       /* (L, B, T, C): attention before proj */
  TRANSFORMER_REAL *fc;        /* (L, B, T, 4C): before the GELU */
  TRANSFORMER_REAL *gelu;      /* (L, B, T, 4C): after it */
  TRANSFORMER_REAL *logits;    /* (B, T, V) */
  TRANSFORMER_REAL *losses;    /* (B, T): -log p(target), natural log */
  /* Left by backward: */
  TRANSFORMER_REAL *dy;      /* (2L+1, B, T, C): gradient at each y */
  TRANSFORMER_REAL *dlogits; /* (B, T, V) */
  TRANSFORMER_REAL *scratch;
};

/* Buffers for B sequences of T positions, T at most the model's. */
struct TRANSFORMER(_pass)
    TRANSFORMER(_pass_new)(const struct transformer_config *config, size_t B,
                           size_t T);
void TRANSFORMER(_pass_free)(struct TRANSFORMER(_pass) * pass);

/* Residual stream at depth point n, and norm n's output or the gradient there:
 * (B, T, C) each. */
TRANSFORMER_REAL *TRANSFORMER(_residual)(const struct TRANSFORMER() * model,
                                         const struct TRANSFORMER(_pass) * pass,
                                         size_t n);
TRANSFORMER_REAL *TRANSFORMER(_y)(const struct TRANSFORMER() * model,
                                  const struct TRANSFORMER(_pass) * pass,
                                  size_t n);
TRANSFORMER_REAL *TRANSFORMER(_dy)(const struct TRANSFORMER() * model,
                                   const struct TRANSFORMER(_pass) * pass,
                                   size_t n);

/* Fill `pass` up to the logits; with targets also losses, and return their mean
 * (accumulated in double, rounded once). tokens, targets: (B, T), each below V;
 * targets may be NULL: then the result is 0. */
TRANSFORMER_REAL TRANSFORMER(_forward)(const struct TRANSFORMER() * model,
                                       struct TRANSFORMER(_pass) * pass,
                                       const int *tokens, const int *targets);

/* After forward on the same tokens and targets: gradients of `scale` times the
 * sum of the losses (scale 1/(B T): of the mean loss). Weights' gradients are
 * ADDED to `gradients` (NULL: not wanted); dy and dlogits are set. */
void TRANSFORMER(_backward)(const struct TRANSFORMER() * model,
                            struct TRANSFORMER(_pass) * pass, const int *tokens,
                            const int *targets, TRANSFORMER_REAL scale,
                            struct TRANSFORMER(_tensors) * gradients);

/* ---- final norm, head and loss from a given hidden state ---- */

/* hidden: (rows, C), the input of the final norm; eps replaces the model's and
 * may be 0. Sets y (rows, C), logits (rows, V), losses (rows) and returns the
 * mean loss. dy: (rows, C), the gradient of the mean loss at y (after gain and
 * bias; at xhat it is gain * dy); NULL when not wanted. */
TRANSFORMER_REAL
TRANSFORMER(_head)
(const struct TRANSFORMER() * model, const TRANSFORMER_REAL *hidden,
 const int *targets, size_t rows, double eps, TRANSFORMER_REAL *y,
 TRANSFORMER_REAL *logits, TRANSFORMER_REAL *losses, TRANSFORMER_REAL *dy);

/* ---- forward mode through one block ---- */

/* After forward: how block b's output at the LAST position of sequence s moves
 * when its input there moves along n directions, other positions held.
 * dx: (n, C) directions, one a row; dbranch: (n, C), tangents of
 * attn(ln1(x)) alone; dout: (n, C), tangents of the block's output. With dx
 * the identity, row i is column i of the Jacobian. */
void TRANSFORMER(_block_tangents)(const struct TRANSFORMER() * model,
                                  const struct TRANSFORMER(_pass) * pass,
                                  size_t b, size_t s,
                                  const TRANSFORMER_REAL *dx, size_t n,
                                  TRANSFORMER_REAL *dbranch,
                                  TRANSFORMER_REAL *dout);
