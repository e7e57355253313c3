#include "analysis/block_spectrum.h"

#include <stdlib.h>

#include "analysis/linalg.h"
#include "report/base/memory.h"

void block_spectrum_free(struct block_spectrum *spectrum) {
  free(spectrum->branch);
  *spectrum = (struct block_spectrum){0};
}

#define REAL_BITS 32
#include "analysis/real.h"
#include "analysis/block_spectrum.inc"
#undef REAL_BITS
#define REAL_BITS 64
#include "analysis/real.h"
#include "analysis/block_spectrum.inc"
