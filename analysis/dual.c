/* Dual numbers: one rule of differentiation per function. */
#include <math.h>

#include "analysis/dual.h"

struct dual dual_constant(double value) {
  return (struct dual){value, 0};
}

struct dual dual_variable(double value) {
  return (struct dual){value, 1};
}

struct dual dual_add(struct dual a, struct dual b) {
  return (struct dual){a.value + b.value, a.tangent + b.tangent};
}

struct dual dual_sub(struct dual a, struct dual b) {
  return (struct dual){a.value - b.value, a.tangent - b.tangent};
}

struct dual dual_mul(struct dual a, struct dual b) {
  return (struct dual){a.value * b.value,
                       a.tangent * b.value + a.value * b.tangent};
}

struct dual dual_div(struct dual a, struct dual b) {
  double quotient = a.value / b.value;
  return (struct dual){quotient, (a.tangent - quotient * b.tangent) / b.value};
}

struct dual dual_sqrt(struct dual a) {
  double root = sqrt(a.value);
  return (struct dual){root, a.tangent / (2 * root)};
}

struct dual dual_exp(struct dual a) {
  double power = exp(a.value);
  return (struct dual){power, a.tangent * power};
}

struct dual dual_log(struct dual a) {
  return (struct dual){log(a.value), a.tangent / a.value};
}

struct dual dual_mean(int n, const struct dual *x) {
  struct dual sum = dual_constant(0);
  for (int i = 0; i < n; i++)
    sum = dual_add(sum, x[i]);
  return dual_div(sum, dual_constant(n));
}
