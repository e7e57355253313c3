#include "analysis/random_plane.h"

#include <math.h>

#include "analysis/rng.h"

void random_plane_shares(uint64_t seed, size_t rows, size_t width,
                         size_t dimensions, double *shares) {
  struct rng rng;
  rng_seed(&rng, seed);
  for (size_t r = 0; r < rows; r++) {
    double inside = 0, all = 0;
    for (size_t i = 0; i < width; i++) {
      double x = rng_normal(&rng);
      if (i < dimensions) inside += x * x;
      all += x * x;
    }
    shares[r] = sqrt(inside / all);
  }
}
