/* Formats: how a value is printed, written after a bar: `{{key|%.3f}}`.
 *
 *   %[flags][width][.precision]C    as C's printf, exactly one conversion
 *       d          an integer, exact at any size
 *       x X o      a non-negative integer
 *       f F e E g G   a number, correctly rounded (exactly, ties to even)
 *       s          a string; precision cuts after that many characters
 *     flags: - + 0 # space, and `,` for groups of thousands (d, f)
 *   sci.N          N digits after the point, times a power of ten; 0 alone
 *   sig.N          N significant digits; as sci where %g would turn to e
 *   percent.N      times 100, N digits after the point, percent sign
 *     `sci+.N`, `sig+.N`, `percent+.N` print the sign of positive numbers too
 *
 * Without a format a number is printed by the shortest digits that read back
 * to the same double, an integer by its own digits, a string as it is, a
 * boolean as true or false.
 *
 * The style says how signs look:
 *   FORMAT_ASCII  -4.5e-03    1,234     0.55 %   code, data, gnuplot numbers
 *   FORMAT_TEXT   −4.5e−03    1,234     0.55 %   U+2212; NBSP before %;
 *                 −4.5 × 10⁻³                    sci, sig, and no format
 *   FORMAT_TEX    -4.5\times10^{-3}  1{,}234  0.55\,\%   e, g as sci
 * Zero has no sign: -0.0 prints as 0. A negative number that rounds to zero
 * keeps its minus (-0.001 by %.1f is -0.0). */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/base/json.h"

enum format_style { FORMAT_ASCII, FORMAT_TEXT, FORMAT_TEX };

struct format {
  char
      conversion; /* 0: none; 'S' sci, 'N' significant, 'P' percent; else C's */
  bool left, plus, space, zero, alternate, groups;
  int width, precision; /* precision -1: not given */
};

/* `at` is the place of the format's first byte. Space around it is ignored. */
int format_parse(const char *text, size_t length, struct place at,
                 struct format *out, struct error *err);

/* Append `value`, unescaped. A value that the conversion does not take, a
 * null, an array or an object is an error at `at`. */
int format_print(const struct format *format, const struct json *value,
                 enum format_style style, struct place at, struct buffer *out,
                 struct error *err);

#endif
