/* Linear algebra through CBLAS and LAPACKE, float and double. */
#include <assert.h>
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linalg.h"
#include "report/base/memory.h"

static CBLAS_TRANSPOSE transpose(enum linalg_op op) {
  return op == LINALG_TRANSPOSED ? CblasTrans : CblasNoTrans;
}

static int smaller(int a, int b) {
  return a < b ? a : b;
}

void linalg_svd_free(struct linalg_svd *svd) {
  free(svd->work);
  free(svd->iwork);
  *svd = (struct linalg_svd){0};
}

#define REAL_BITS 32
#include "analysis/real.h"
#define LAPACK_GESDD LAPACKE_sgesdd_work
#include "analysis/linalg.inc"
#undef LAPACK_GESDD
#undef REAL_BITS
#define REAL_BITS 64
#include "analysis/real.h"
#define LAPACK_GESDD LAPACKE_dgesdd_work
#include "analysis/linalg.inc"
