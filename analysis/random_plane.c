#include "analysis/random_plane.h"

#include <stdlib.h>

#include "analysis/linalg.h"
#include "analysis/rng.h"
#include "report/base/memory.h"

void random_plane_shares(uint64_t seed, size_t rows, size_t width,
                         size_t dimensions, double *shares) {
  struct rng rng;
  double *row = memory_alloc(width, sizeof *row);
  rng_seed(&rng, seed);
  for (size_t r = 0; r < rows; r++) {
    rng_normals(&rng, 0, 1, width, row);
    shares[r] = linalg_norm2_f64((int)dimensions, row) /
                linalg_norm2_f64((int)width, row);
  }
  free(row);
}
