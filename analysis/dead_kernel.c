#include "analysis/dead_kernel.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linalg.h"
#include "analysis/tall_svd.h"
#include "report/base/memory.h"

void dead_kernel_free(struct dead_kernel *kernel) {
  free(kernel->spectrum);
  *kernel = (struct dead_kernel){0};
}

static void count_further(size_t width, struct dead_kernel *kernel) {
  double level = DEAD_KERNEL_LEVEL * kernel->largest;
  for (size_t i = 0; i < width; i++)
    kernel->further += kernel->spectrum[i] < level;
  kernel->further -= kernel->further > 0 && kernel->along_u < level;
}

#define REAL_BITS 32
#include "analysis/real.h"
#include "analysis/dead_kernel.inc"
#undef REAL_BITS
#define REAL_BITS 64
#include "analysis/real.h"
#include "analysis/dead_kernel.inc"
