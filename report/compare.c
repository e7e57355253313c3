#include "report/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAXIMUM_FORMAT_DIGITS = 2 }; /* width and precision stay below 100 */

/* high + low exactly, |low| at most half an ulp of high; so the order of such
 * pairs is that of their parts. Holds every double and every 64-bit integer. */
struct exact {
  double high, low;
};

static int order(struct exact a, struct exact b) {
  if (a.high != b.high) return a.high < b.high ? -1 : 1;
  return (a.low > b.low) - (a.low < b.low);
}

/* Knuth's TwoSum. */
static struct exact sum(double a, double b) {
  double high = a + b;
  if (!isfinite(high)) return (struct exact){high, 0};
  double part = high - a;
  return (struct exact){high, (a - (high - part)) + (b - part)};
}

static struct exact from_unsigned(uint64_t n) {
  double high = (double)n;
  uint64_t back = high < 0x1p64 ? (uint64_t)high : 0; /* 2^64 wraps to 0 */
  return (struct exact){high, (double)(int64_t)(n - back)};
}

static struct exact exact_of(const struct json *n) {
  if (!n->is_integer) return (struct exact){n->number, 0};
  if (n->integer >= 0) return from_unsigned((uint64_t)n->integer);
  struct exact size = from_unsigned(-(uint64_t)n->integer);
  return (struct exact){-size.high, -size.low};
}

static int order_numbers(const struct json *a, const struct json *b) {
  return order(exact_of(a), exact_of(b));
}

/* |a - b|. The low parts of two integers add exactly to the error of the high
 * parts; beside a fraction they are 0. */
static struct exact difference(const struct json *a, const struct json *b) {
  struct exact x = exact_of(a), y = exact_of(b);
  struct exact d = sum(x.high, -y.high);
  if (isfinite(d.high)) d = sum(d.high, d.low + (x.low - y.low));
  bool negative = d.high < 0 || (d.high == 0 && d.low < 0);
  return negative ? (struct exact){-d.high, -d.low} : d;
}

static bool same_bits(const struct json *a, const struct json *b) {
  return order_numbers(a, b) == 0 && signbit(a->number) == signbit(b->number);
}

static struct comparison verdict(bool holds, double observed, double allowed) {
  double ratio = observed == 0 ? 0 : observed / allowed;
  if (holds && !(ratio <= 1)) ratio = 1;
  if (!holds && !(ratio > 1)) ratio = nextafter(1, 2);
  return (struct comparison){holds, observed, allowed, ratio};
}

static struct comparison all_or_nothing(bool holds, double observed) {
  return (struct comparison){holds, observed, 0, holds ? 0 : INFINITY};
}

static struct comparison compare_abs(const struct json *pinned,
                                     const struct json *found, double bound) {
  struct exact observed = difference(pinned, found);
  bool holds = order(observed, (struct exact){bound, 0}) <= 0;
  return verdict(holds, observed.high, bound);
}

/* |found - pinned| <= bound |pinned|, all divided by a power of two that
 * brings the pin to [1/2, 1), so that the product's error is representable. */
static struct comparison compare_rel(const struct json *pinned,
                                     const struct json *found, double bound) {
  struct exact off = difference(pinned, found);
  if (off.high == 0) return verdict(true, 0, bound);
  int exponent;
  double size = frexp(fabs(pinned->number), &exponent);
  if (size == 0) return all_or_nothing(false, INFINITY);
  off.high = ldexp(off.high, -exponent);
  off.low = ldexp(off.low, -exponent);
  double product = bound * size;
  struct exact limit = {product, fma(bound, size, -product)};
  return verdict(order(off, limit) <= 0, off.high / size, bound);
}

/* Maps doubles to integers so that neighbours are neighbours: the bits of a
 * positive double count its place from 0, those of a negative one downwards. */
static int64_t place_of(double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

uint64_t compare_ulps(double a, double b) {
  int64_t i = place_of(a), j = place_of(b);
  return i > j ? (uint64_t)i - (uint64_t)j : (uint64_t)j - (uint64_t)i;
}

static struct comparison compare_ulp(const struct json *pinned,
                                     const struct json *found, double bound) {
  uint64_t ulps = compare_ulps(pinned->number, found->number);
  if (ulps == 0 && order_numbers(pinned, found) != 0)
    ulps = 1; /* integers beyond 2^53 that share a double */
  struct exact observed = from_unsigned(ulps);
  return verdict(order(observed, (struct exact){bound, 0}) <= 0, observed.high,
                 bound);
}

static struct comparison compare_digits(const struct json *pinned,
                                        const struct json *found,
                                        const char *format) {
  struct buffer a = {0}, b = {0};
  compare_print(pinned, format, &a);
  compare_print(found, format, &b);
  bool holds = strcmp(a.bytes, b.bytes) == 0;
  buffer_free(&a);
  buffer_free(&b);
  return all_or_nothing(holds, difference(pinned, found).high);
}

/* The distance from the middle over half the width, in halves so that neither
 * overflows. */
static struct comparison compare_range(const struct json *low,
                                       const struct json *high,
                                       const struct json *found) {
  bool holds =
      order_numbers(low, found) <= 0 && order_numbers(found, high) <= 0;
  double middle = low->number / 2 + high->number / 2;
  double half = high->number / 2 - low->number / 2;
  struct comparison c =
      verdict(holds, fabs(found->number / 2 - middle / 2), half / 2);
  c.observed = fabs(found->number - middle);
  c.allowed = half;
  return c;
}

static struct comparison compare_numbers(const struct json *pinned,
                                         const struct json *found,
                                         const struct pin_allowance *a) {
  switch (a->kind) {
  case PIN_ABS:
    return compare_abs(pinned, found, a->bound);
  case PIN_REL:
    return compare_rel(pinned, found, a->bound);
  case PIN_ULP:
    return compare_ulp(pinned, found, a->bound);
  case PIN_DIGITS:
    return compare_digits(pinned, found, a->format);
  case PIN_RANGE:
    return compare_range(a->low, a->high, found);
  default:
    return all_or_nothing(same_bits(pinned, found),
                          difference(pinned, found).high);
  }
}

struct comparison compare_values(const struct json *pinned,
                                 const struct json *found,
                                 const struct pin_allowance *allowance) {
  if (pinned->type == JSON_NUMBER)
    return compare_numbers(pinned, found, allowance);
  bool same = pinned->type == JSON_BOOL
                  ? pinned->boolean == found->boolean
                  : strcmp(pinned->text, found->text) == 0;
  return all_or_nothing(same, same ? 0 : INFINITY);
}

bool compare_format_valid(const char *format) {
  if (*format++ != '%') return false;
  format += strspn(format, "-+ #0");
  size_t width = strspn(format, "0123456789");
  if (width > MAXIMUM_FORMAT_DIGITS) return false;
  format += width;
  if (*format == '.') {
    size_t precision = strspn(++format, "0123456789");
    if (precision > MAXIMUM_FORMAT_DIGITS) return false;
    format += precision;
  }
  return *format != 0 && strchr("efgEFGd", *format) != NULL && format[1] == 0;
}

/* "-0.00": what shows is a zero, whatever was rounded away. */
static bool shows_negative_zero(const char *text) {
  return strchr(text, '-') != NULL &&
         strcspn(text, "123456789") >= strcspn(text, "eE") &&
         strchr(text, '-') < text + strcspn(text, "eE");
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* A value that is no 64-bit integer differs from all that are: it shows all its
 * digits. */
static void print_integer(const struct json *number, const char *format,
                          struct buffer *out) {
  double d = number->number;
  bool integral = d == trunc(d) && d >= -0x1p63 && d < 0x1p63;
  if (!number->is_integer && !integral) {
    buffer_printf(out, "%.17g", d);
    return;
  }
  struct buffer wide = {0};
  buffer_printf(&wide, "%.*slld", (int)strlen(format) - 1, format);
  buffer_printf(out, wide.bytes,
                number->is_integer ? number->integer : (long long)d);
  buffer_free(&wide);
}

void compare_print(const struct json *number, const char *format,
                   struct buffer *out) {
  size_t start = out->length;
  if (format[strlen(format) - 1] == 'd') {
    print_integer(number, format, out);
    return;
  }
  buffer_printf(out, format, number->number);
  if (!shows_negative_zero(out->bytes + start)) return;
  out->length = start;
  buffer_printf(out, format, 0.0);
}

#pragma GCC diagnostic pop
