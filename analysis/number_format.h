/* The floating-point formats that activations are kept in, as what they do to a
 * number: rounded to nearest, ties to even, gradually below the smallest normal
 * number, infinite above the largest. */
#ifndef NUMBER_FORMAT_H
#define NUMBER_FORMAT_H

enum number_format {
  NUMBER_FLOAT64,
  NUMBER_FLOAT32,
  NUMBER_FLOAT16,
  NUMBER_BFLOAT16,
  NUMBER_FORMATS
};

const char *number_format_name(enum number_format format); /* "float64", ... */

/* Half the spacing at 1, and the smallest normal number. */
double number_format_roundoff(enum number_format format);
double number_format_least_normal(enum number_format format);

double number_format_round(enum number_format format, double x);

/* Spacing of the format's numbers around a finite x: 2^(e + 1 - p) for p
 * significant bits and 2^e <= |x| < 2^(e + 1). */
double number_format_spacing(enum number_format format, double x);

#endif
