/* NumPy's default_rng(seed), bit for bit: SeedSequence fills a PCG64
 * generator (XSL-RR 128/64); doubles, ziggurat normals and bounded integers
 * follow from its words as numpy.random.Generator makes them.
 *
 * Sources: O'Neill, "PCG" (HMC-CS-2014-0905) and her seed_seq_fe; Marsaglia
 * and Tsang, "The ziggurat method" (2000), with 256 strips; Lemire, "Fast
 * random integer generation in an interval" (2019). */
#ifndef RNG_H
#define RNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rng {
  unsigned __int128 state, increment;
  uint32_t spare;  /* high half of a word whose low half was used */
  bool spare_held; /* kept across all calls, as NumPy's bit generator does */
};

/* SeedSequence(seed).generate_state(n), as 32-bit words. */
void rng_seed_sequence(uint64_t seed, size_t n, uint32_t *out);

void rng_seed(struct rng *rng, uint64_t seed); /* default_rng(seed) */

uint64_t rng_next64(struct rng *rng);
uint32_t rng_next32(struct rng *rng); /* low half first, then the spare */

double rng_double(struct rng *rng); /* .random(): [0, 1), 53 bits */

double rng_normal(struct rng *rng); /* .standard_normal() */

/* .integers(low, high): in [low, high), low < high. */
int64_t rng_integer(struct rng *rng, int64_t low, int64_t high);

/* Arrays of n draws: .uniform(low, high, n), .normal(mean, scale, n),
 * .integers(low, high, n). */
void rng_uniforms(struct rng *rng, double low, double high, size_t n,
                  double *out);
void rng_normals(struct rng *rng, double mean, double scale, size_t n,
                 double *out);
void rng_integers(struct rng *rng, int64_t low, int64_t high, size_t n,
                  int64_t *out);

#endif
