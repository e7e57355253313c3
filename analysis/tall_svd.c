#include "analysis/tall_svd.h"

#include <assert.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linalg.h"
#include "report/base/memory.h"

enum { BLOCK = 32 }; /* columns */

#define REAL_BITS 32
#include "analysis/real.h"
#define LAPACK_GEQRT LAPACKE_sgeqrt
#include "analysis/tall_svd.inc"
#undef LAPACK_GEQRT
#undef REAL_BITS
#define REAL_BITS 64
#include "analysis/real.h"
#define LAPACK_GEQRT LAPACKE_dgeqrt
#include "analysis/tall_svd.inc"
