#include "analysis/number_format.h"

#include <float.h>
#include <math.h>

static const struct {
  const char *name;
  int bits;         /* significant, the hidden one included */
  int low_exponent; /* 2^low_exponent is the smallest normal number */
  double largest;
} formats[NUMBER_FORMATS] = {
    [NUMBER_FLOAT64] = {"float64", 53, -1022, DBL_MAX},
    [NUMBER_FLOAT32] = {"float32", 24, -126, FLT_MAX},
    [NUMBER_FLOAT16] = {"float16", 11, -14, 65504},
    [NUMBER_BFLOAT16] = {"bfloat16", 8, -126, 0x1.fep127},
};

const char *number_format_name(enum number_format format) {
  return formats[format].name;
}

double number_format_roundoff(enum number_format format) {
  return ldexp(1, -formats[format].bits);
}

double number_format_least_normal(enum number_format format) {
  return ldexp(1, formats[format].low_exponent);
}

double number_format_spacing(enum number_format format, double x) {
  int exponent;
  frexp(x, &exponent); /* 2^(exponent - 1) <= |x|; 0 for x = 0 */
  exponent -= 1;
  if (x == 0 || exponent < formats[format].low_exponent)
    exponent = formats[format].low_exponent;
  return ldexp(1, exponent + 1 - formats[format].bits);
}

double number_format_round(enum number_format format, double x) {
  if (format == NUMBER_FLOAT64 || !isfinite(x)) return x;
  double spacing = number_format_spacing(format, x);
  double rounded = nearbyint(x / spacing) * spacing;
  if (fabs(rounded) <= formats[format].largest) return rounded;
  return copysign(INFINITY, x);
}
