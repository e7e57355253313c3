/* The transformer in float. */
#include <assert.h>
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/norm.h"
#include "analysis/transformer.h"
#include "report/base/memory.h"

#define REAL_BITS 32
#include "analysis/real.h"

#define MODEL struct REAL_NAME(transformer)
#define TENSORS struct REAL_NAME(transformer_tensors)
#define BLOCK struct REAL_NAME(transformer_block)
#define PASS struct REAL_NAME(transformer_pass)
#define GEMM REAL_BLAS(gemm)
#define NORM_FORWARD REAL_NAME(norm_forward)
#define NORM_BACKWARD REAL_NAME(norm_backward)
#define NORM_TANGENT REAL_NAME(norm_tangent)

#include "analysis/transformer_slabs.inc"
#include "analysis/transformer_forward.inc"
#include "analysis/transformer_backward.inc"
#include "analysis/transformer_tangents.inc"
