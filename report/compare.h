/* Is a found value within the allowance of a pin, and how near to its edge?
 *
 * The verdict is exact: differences, products and integers up to 2^63 are
 * compared without rounding (TwoSum and TwoProduct, Dekker 1971, Knuth TAOCP
 * 4.2.2), so a value one double inside a bound holds and one outside does not.
 * `ratio` is a double for the table; it is at most 1 exactly when `holds`. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/base/json.h"
#include "report/pins.h"

struct comparison {
  bool holds;
  double observed; /* in the kind's own measure; 0 or infinite for text */
  double allowed;
  double ratio; /* observed / allowed; 0 or infinite for exact and digits */
};

/* Both values of one type, and that a number, string or boolean. */
struct comparison compare_values(const struct json *pinned,
                                 const struct json *found,
                                 const struct pin_allowance *allowance);

/* The number of doubles from a to b, 0 and -0 being one; both finite. */
uint64_t compare_ulps(double a, double b);

/* One printf conversion for a number, nothing else: flags, width, precision
 * and one of e f g E F G d. */
bool compare_format_valid(const char *format);

/* The number as that format prints it; what shows as zero has no minus. */
void compare_print(const struct json *number, const char *format,
                   struct buffer *out);

#endif
