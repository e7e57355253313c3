/* NumPy's default_rng in C: SeedSequence, PCG64, ziggurat, Lemire. */
#include <assert.h>
#include <math.h>

#include "analysis/rng.h"

/* ---- seeding: SeedSequence with a pool of four words --------------------- */

enum { POOL = 4 };

static uint32_t hash_mix(uint32_t value, uint32_t *constant) {
  value ^= *constant;
  *constant *= 0x931e8875u;
  value *= *constant;
  return value ^ value >> 16;
}

static uint32_t mix(uint32_t x, uint32_t y) {
  uint32_t value = 0xca01f9ddu * x - 0x4973f715u * y;
  return value ^ value >> 16;
}

static void mix_entropy(uint64_t seed, uint32_t pool[POOL]) {
  uint32_t constant = 0x43b0d7e5u;
  const uint32_t entropy[POOL] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  for (int i = 0; i < POOL; i++)
    pool[i] = hash_mix(entropy[i], &constant);
  for (int from = 0; from < POOL; from++)
    for (int to = 0; to < POOL; to++)
      if (from != to) pool[to] = mix(pool[to], hash_mix(pool[from], &constant));
}

void rng_seed_sequence(uint64_t seed, size_t n, uint32_t *out) {
  uint32_t pool[POOL], constant = 0x8b51f9ddu;
  mix_entropy(seed, pool);
  for (size_t i = 0; i < n; i++) {
    uint32_t value = pool[i % POOL] ^ constant;
    constant *= 0x58f38dedu;
    value *= constant;
    out[i] = value ^ value >> 16;
  }
}

/* ---- PCG64: 128-bit congruential state, XSL-RR output -------------------- */

static void step(struct rng *rng) {
  const unsigned __int128 multiplier =
      (unsigned __int128)0x2360ed051fc65da4u << 64 | 0x4385df649fccf645u;
  rng->state = rng->state * multiplier + rng->increment;
}

static unsigned __int128 join(const uint32_t words[4]) {
  uint64_t high = (uint64_t)words[1] << 32 | words[0];
  uint64_t low = (uint64_t)words[3] << 32 | words[2];
  return (unsigned __int128)high << 64 | low;
}

static void build_ziggurat(void);

void rng_seed(struct rng *rng, uint64_t seed) {
  uint32_t words[8];
  rng_seed_sequence(seed, 8, words);
  *rng = (struct rng){.increment = join(words + 4) << 1 | 1};
  step(rng);
  rng->state += join(words);
  step(rng);
  build_ziggurat();
}

uint64_t rng_next64(struct rng *rng) {
  step(rng);
  uint64_t folded = (uint64_t)(rng->state >> 64) ^ (uint64_t)rng->state;
  unsigned rotation = (unsigned)(rng->state >> 122);
  return folded >> rotation | folded << (-rotation & 63);
}

uint32_t rng_next32(struct rng *rng) {
  if (rng->spare_held) {
    rng->spare_held = false;
    return rng->spare;
  }
  uint64_t word = rng_next64(rng);
  rng->spare_held = true;
  rng->spare = (uint32_t)(word >> 32);
  return (uint32_t)word;
}

double rng_double(struct rng *rng) {
  return (double)(rng_next64(rng) >> 11) * 0x1p-53;
}

void rng_uniforms(struct rng *rng, double low, double high, size_t n,
                  double *out) {
  double range = high - low;
  for (size_t i = 0; i < n; i++)
    out[i] = low + range * rng_double(rng);
}

/* ---- normals: ziggurat of 256 strips of equal area ----------------------- */

enum { STRIPS = 256 };
static const double tail_edge = 3.6541528853610088;          /* r */
static const double tail_edge_inverse = 0.27366123732975828; /* 1/r */

/* The area NumPy's tables were made with; the exact one is 3e-18 larger. */
static const double strip_area = 0.0049286732339746519;

static uint64_t inside[STRIPS]; /* 52-bit abscissae below this are accepted */
static double width[STRIPS];    /* of strip i, per unit of the 52-bit integer */
static double height[STRIPS];   /* density at the strip's outer edge */

/* exp and log correctly rounded, by way of extended precision, so that the
 * tables do not depend on a libm's last bit. */
static double rounded_exp(double x) {
  return (double)expl(x);
}
static double rounded_log(double x) {
  return (double)logl(x);
}

/* Marsaglia and Tsang's recurrence from the tail inwards. NumPy's tables have
 * the height of strip 38, whose exact value lies 0.498 ulp above a double,
 * rounded up; all strips inside it follow from that. */
static void build_ziggurat(void) {
  if (width[STRIPS - 1] > 0) return;
  double edge[STRIPS];
  edge[STRIPS - 1] = tail_edge;
  for (int i = STRIPS - 1; i > 0; i--) {
    height[i] = rounded_exp(-0.5 * edge[i] * edge[i]);
    if (i == 38) height[i] = nextafter(height[i], 1);
    double above = height[i] + strip_area / edge[i];
    edge[i - 1] = i > 1 ? sqrt(-2 * rounded_log(above)) : 0;
    inside[i] = (uint64_t)rint(edge[i - 1] / edge[i] * 0x1p52);
    width[i] = edge[i] * 0x1p-52;
  }
  double tail_height = height[STRIPS - 1];
  height[0] = 1;
  inside[0] = (uint64_t)rint(tail_edge * tail_height / strip_area * 0x1p52);
  width[0] = strip_area / tail_height * 0x1p-52;
}

/* |x| beyond the outermost edge, by Marsaglia's exponential rejection. */
static double tail(struct rng *rng) {
  for (;;) {
    double x = -tail_edge_inverse * log1p(-rng_double(rng));
    double y = -log1p(-rng_double(rng));
    if (y + y > x * x) return tail_edge + x;
  }
}

/* Bits of a draw: 8 for the strip, 1 for the sign, 52 for the abscissa. */
double rng_normal(struct rng *rng) {
  for (;;) {
    uint64_t word = rng_next64(rng);
    unsigned strip = word & 0xff;
    bool negative = word >> 8 & 1;
    uint64_t abscissa = word >> 9 & 0xfffffffffffffu;
    double x = (double)abscissa * width[strip];
    if (negative) x = -x;
    if (abscissa < inside[strip]) return x;
    if (strip == 0) {
      double far = tail(rng);
      return abscissa >> 8 & 1 ? -far : far; /* NumPy's choice of sign bit */
    }
    double y = (height[strip - 1] - height[strip]) * rng_double(rng);
    if (y + height[strip] < exp(-0.5 * x * x)) return x;
  }
}

void rng_normals(struct rng *rng, double mean, double scale, size_t n,
                 double *out) {
  for (size_t i = 0; i < n; i++)
    out[i] = mean + scale * rng_normal(rng);
}

/* ---- bounded integers: Lemire's multiplication with rejection ------------ */

/* Uniform in [0, last], last < 2^32 - 1. */
static uint32_t bounded32(struct rng *rng, uint32_t last) {
  uint32_t count = last + 1, threshold = (UINT32_MAX - last) % count;
  for (;;) {
    uint64_t product = (uint64_t)rng_next32(rng) * count;
    if ((uint32_t)product >= threshold) return (uint32_t)(product >> 32);
  }
}

/* Uniform in [0, last], last < 2^64 - 1. */
static uint64_t bounded64(struct rng *rng, uint64_t last) {
  uint64_t count = last + 1, threshold = (UINT64_MAX - last) % count;
  for (;;) {
    unsigned __int128 product = (unsigned __int128)rng_next64(rng) * count;
    if ((uint64_t)product >= threshold) return (uint64_t)(product >> 64);
  }
}

int64_t rng_integer(struct rng *rng, int64_t low, int64_t high) {
  assert(low < high);
  uint64_t last = (uint64_t)high - (uint64_t)low - 1, offset;
  if (last == 0)
    offset = 0; /* takes no draw */
  else if (last < UINT32_MAX)
    offset = bounded32(rng, (uint32_t)last);
  else if (last == UINT32_MAX)
    offset = rng_next32(rng);
  else
    offset = bounded64(rng, last);
  return (int64_t)((uint64_t)low + offset);
}

void rng_integers(struct rng *rng, int64_t low, int64_t high, size_t n,
                  int64_t *out) {
  for (size_t i = 0; i < n; i++)
    out[i] = rng_integer(rng, low, high);
}
