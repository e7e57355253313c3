#include "analysis/tall_svd.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linalg.h"
#include "report/base/memory.h"

#define REAL_BITS 32
#include "analysis/real.h"
#define LAPACK_GEQRF LAPACKE_sgeqrf
#include "analysis/tall_svd.inc"
#undef LAPACK_GEQRF
#undef REAL_BITS
#define REAL_BITS 64
#include "analysis/real.h"
#define LAPACK_GEQRF LAPACKE_dgeqrf
#include "analysis/tall_svd.inc"
