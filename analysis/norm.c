/* LayerNorm and RMSNorm in float and double.
 *
 * The wrong formulas that pins must catch can be compiled in, to see that they
 * do: -DNORM_FAULT=n, 0 being the right one.
 *   1  mean and sigma held constant: dx = rstd g'
 *   2  gain's gradient read off the output: g gain xhat
 *   3  1/sigma on the first term of dx only
 *   4  gain's gradient not summed over the rows
 *   5  variance in one pass: E[x^2] - mean^2
 *   6  gain applied twice: g' = gain^2 g
 *   7  mean subtracted twice: xhat = (x - 2 mean) rstd */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis/norm.h"

#ifndef NORM_FAULT
#define NORM_FAULT 0
#endif
enum norm_fault {
  CONSTANT_MOMENTS = 1,
  GAIN_FROM_OUTPUT,
  SIGMA_ON_FIRST_TERM,
  GAIN_NOT_SUMMED,
  ONE_PASS_VARIANCE,
  GAIN_TWICE,
  MEAN_TWICE
};

const char *norm_name(enum norm_kind kind) {
  return kind == NORM_LAYER ? "LayerNorm" : "RMSNorm";
}

/* Sums run in this many lanes, whatever the vector registers are: the result
 * does not depend on the instruction set, and rounding grows with width/16. */
enum { LANES = 16 };

#define REAL_BITS 32
#include "analysis/real.h"
#include "analysis/norm.inc"
#undef REAL_BITS
#define REAL_BITS 64
#include "analysis/real.h"
#include "analysis/norm.inc"
