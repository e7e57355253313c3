/* Numbers are printed by printf into digits without a sign; sign, groups,
 * exponent and padding are then put together in the style asked for. */
#include "report/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/utf8.h"

enum { WIDTH_MAX = 80, PRECISION_MAX = 60 };

#define MINUS "\xE2\x88\x92"
#define NBSP "\xC2\xA0"
#define TIMES "\xC3\x97"

/* ---- parsing ------------------------------------------------------------- */

struct scan {
  const char *at, *end, *start;
  struct place place;
};

static char peek(const struct scan *s) {
  return s->at < s->end ? *s->at : 0;
}

static struct place here(const struct scan *s) {
  struct place at = s->place;
  at.column += (int)(s->at - s->start);
  return at;
}

/* At least one digit, at most `limit`. */
static int scan_number(struct scan *s, int limit, int *out, struct error *err) {
  struct place at = here(s);
  if (peek(s) < '0' || peek(s) > '9')
    return error_at(err, at, "digits expected in the format");
  for (*out = 0; peek(s) >= '0' && peek(s) <= '9'; s->at++) {
    *out = *out * 10 + (peek(s) - '0');
    if (*out > limit)
      return error_at(err, at, "number in the format is above %d", limit);
  }
  return 0;
}

static bool *flag_of(struct format *f, char c) {
  switch (c) {
  case '-':
    return &f->left;
  case '+':
    return &f->plus;
  case ' ':
    return &f->space;
  case '0':
    return &f->zero;
  case '#':
    return &f->alternate;
  case ',':
    return &f->groups;
  default:
    return NULL;
  }
}

static int scan_flags(struct scan *s, struct format *f, struct error *err) {
  for (bool *flag; (flag = flag_of(f, peek(s))) != NULL; s->at++) {
    if (*flag)
      return error_at(err, here(s), "flag '%c' twice in the format", peek(s));
    *flag = true;
  }
  return 0;
}

/* Combinations that C leaves undefined or that mean nothing. */
static const char *clash(const struct format *f) {
  bool whole = strchr("dxXos", f->conversion) != NULL;
  bool is_signed = strchr("dfFeEgG", f->conversion) != NULL;
  if (f->groups && strchr("dfF", f->conversion) == NULL)
    return "flag ',' goes with %d and %f only";
  if ((f->plus || f->space) && !is_signed)
    return "a sign flag goes with %d, %f, %e and %g only";
  if (f->alternate && strchr("ds", f->conversion) != NULL)
    return "flag '#' goes with x, o, f, e and g only";
  if (f->zero && (f->left || f->conversion == 's' || f->groups))
    return "flag '0' does not go with '-', ',' or %s";
  if (f->plus && f->space) return "flags '+' and ' ' exclude each other";
  if (whole && f->conversion != 's' && f->precision >= 0)
    return "an integer takes no precision";
  return NULL;
}

static int scan_printf(struct scan *s, struct format *f, struct error *err) {
  s->at++;
  if (scan_flags(s, f, err) != 0) return -1;
  if (peek(s) >= '1' && peek(s) <= '9' &&
      scan_number(s, WIDTH_MAX, &f->width, err) != 0)
    return -1;
  if (peek(s) == '.') {
    s->at++;
    if (scan_number(s, PRECISION_MAX, &f->precision, err) != 0) return -1;
  }
  char c = peek(s);
  if (c == 0 || strchr("dxXofFeEgGs", c) == NULL)
    return error_at(err, here(s),
                    c == 0 ? "the format ends before its conversion"
                           : "'%c' is no conversion; use one of d x X o f F "
                             "e E g G s",
                    c);
  s->at++;
  f->conversion = c;
  const char *problem = clash(f);
  return problem != NULL ? error_at(err, s->place, "%s", problem) : 0;
}

static int scan_named(struct scan *s, struct format *f, struct error *err) {
  static const struct {
    const char *name;
    char conversion;
  } names[] = {{"sci", 'S'}, {"sig", 'N'}, {"percent", 'P'}};
  size_t length = 0;
  while (s->at + length < s->end && s->at[length] >= 'a' &&
         s->at[length] <= 'z')
    length++;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i].name) == length &&
        memcmp(names[i].name, s->at, length) == 0)
      f->conversion = names[i].conversion;
  if (f->conversion == 0)
    return error_at(err, here(s),
                    "unknown format; write %%.3f (or another printf "
                    "conversion), sci.N, sig.N or percent.N");
  s->at += length;
  if (peek(s) == '+') {
    f->plus = true;
    s->at++;
  }
  if (peek(s) != '.')
    return error_at(err, here(s), "'.' and a number of digits expected");
  s->at++;
  if (scan_number(s, PRECISION_MAX, &f->precision, err) != 0) return -1;
  if (f->conversion == 'N' && f->precision == 0)
    return error_at(err, s->place, "sig needs at least 1 digit");
  return 0;
}

static bool is_space(char c) {
  return c == ' ' || c == '\t';
}

int format_parse(const char *text, size_t length, struct place at,
                 struct format *out, struct error *err) {
  struct scan s = {text, text + length, text, at};
  *out = (struct format){.precision = -1};
  while (s.end > s.at && is_space(s.end[-1]))
    s.end--;
  while (is_space(peek(&s)))
    s.at++;
  s.place = here(&s);
  s.start = s.at;
  if (s.at == s.end) return error_at(err, s.place, "empty format after '|'");
  int result =
      peek(&s) == '%' ? scan_printf(&s, out, err) : scan_named(&s, out, err);
  if (result == 0 && s.at < s.end)
    result = error_at(err, here(&s),
                      "something follows the format; one conversion only");
  return result;
}

/* ---- printing ------------------------------------------------------------ */

enum { BODY = 400 + PRECISION_MAX }; /* %Lf of the largest double: 309 digits */

/* A number taken apart: sign, digits with an optional point, exponent. */
struct parts {
  char sign; /* '-', '+', ' ' or 0 */
  char digits[BODY];
  bool has_exponent;
  int exponent;
  char letter;        /* 'e' or 'E' when the exponent shows as in C */
  const char *suffix; /* behind the digits */
};

static void append_grouped(const char *digits, enum format_style style,
                           struct buffer *out) {
  size_t whole = strcspn(digits, ".");
  for (size_t i = 0; i < whole; i++) {
    if (i > 0 && (whole - i) % 3 == 0)
      buffer_text(out, style == FORMAT_TEX ? "{,}" : ",");
    buffer_char(out, digits[i]);
  }
  buffer_text(out, digits + whole);
}

static void append_superscript(int n, struct buffer *out) {
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴",
                                       "⁵", "⁶", "⁷", "⁸", "⁹"};
  char text[16];
  snprintf(text, sizeof text, "%d", n);
  for (const char *c = text; *c != 0; c++)
    buffer_text(out, *c == '-' ? "⁻" : raised[*c - '0']);
}

static void append_exponent(const struct parts *p, enum format_style style,
                            struct buffer *out) {
  if (style == FORMAT_TEX) {
    buffer_printf(out, "\\times10^{%d}", p->exponent);
  } else if (style == FORMAT_TEXT && p->letter == 0) {
    buffer_text(out, NBSP TIMES NBSP "10");
    append_superscript(p->exponent, out);
  } else {
    const char *minus = style == FORMAT_TEXT ? MINUS : "-";
    buffer_printf(out, "%c%s%02d", p->letter != 0 ? p->letter : 'e',
                  p->exponent < 0 ? minus : "+", abs(p->exponent));
  }
}

static void append_sign(char sign, enum format_style style,
                        struct buffer *out) {
  if (sign == '-' && style == FORMAT_TEXT)
    buffer_text(out, MINUS);
  else if (sign != 0)
    buffer_char(out, sign);
}

static int characters(const char *text, size_t length) {
  int n = 0;
  for (size_t i = 0; i < length; i++)
    n += ((unsigned char)text[i] & 0xC0) != 0x80;
  return n;
}

static void append_padding(char c, int n, struct buffer *out) {
  for (; n > 0; n--)
    buffer_char(out, c);
}

/* `body` behind `sign`, filled up to the format's width. */
static void append_padded(const struct format *f, char sign,
                          enum format_style style, const struct buffer *body,
                          struct buffer *out) {
  int fill = f->width - (sign != 0) - characters(body->bytes, body->length);
  if (!f->left && !f->zero) append_padding(' ', fill, out);
  append_sign(sign, style, out);
  if (f->zero) append_padding('0', fill, out);
  buffer_add(out, body->bytes, body->length);
  if (f->left) append_padding(' ', fill, out);
}

static void append_parts(const struct format *f, const struct parts *p,
                         enum format_style style, struct buffer *out) {
  struct buffer body = {0};
  if (f->groups)
    append_grouped(p->digits, style, &body);
  else
    buffer_text(&body, p->digits);
  if (p->has_exponent) append_exponent(p, style, &body);
  if (p->suffix != NULL) buffer_text(&body, p->suffix);
  append_padded(f, p->sign, style, &body, out);
  buffer_free(&body);
}

/* Cut `d.ddde-NN` behind its mantissa. */
static void split_exponent(struct parts *p) {
  char *e = strpbrk(p->digits, "eE");
  if (e == NULL) return;
  p->has_exponent = true;
  p->exponent = (int)strtol(e + 1, NULL, 10);
  *e = 0;
}

/* Magnitude by a C conversion. long double holds any integer to 2^63 and any
 * double, so both are rounded once. */
static void print_magnitude(const struct format *f, char conversion,
                            int precision, long double magnitude,
                            struct parts *p) {
  const char hash[2] = {f->alternate ? '#' : 0, 0};
  char pattern[16];
  snprintf(pattern, sizeof pattern, "%%%s.*L%c", hash, conversion);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(p->digits, sizeof p->digits, pattern, precision, magnitude);
#pragma GCC diagnostic pop
  split_exponent(p);
}

/* Significant digits: rounding decides the exponent, hence %e first. */
static void print_significant(const struct format *f, long double magnitude,
                              struct parts *p) {
  print_magnitude(f, 'e', f->precision - 1, magnitude, p);
  if (p->exponent < -4 || p->exponent >= f->precision) return;
  int decimals = f->precision - 1 - p->exponent;
  p->has_exponent = false;
  snprintf(p->digits, sizeof p->digits, "%.*Lf", decimals, magnitude);
}

/* The point moves two places in the decimal digits: multiplying the double by
 * 100 would round a second time. */
static void print_percent(const struct format *f, long double magnitude,
                          enum format_style style, struct parts *p) {
  char fixed[BODY];
  snprintf(fixed, sizeof fixed, "%.*Lf", f->precision + 2, magnitude);
  char *point = strchr(fixed, '.');
  memmove(point, point + 1, 2);
  point[2] = f->precision > 0 ? '.' : 0;
  const char *start = fixed;
  while (start[0] == '0' && start[1] >= '0' && start[1] <= '9')
    start++;
  memcpy(p->digits, start, strlen(start) + 1);
  p->suffix = style == FORMAT_TEX    ? "\\,\\%"
              : style == FORMAT_TEXT ? NBSP "%"
                                     : " %";
}

static char sign_of(const struct format *f, long double value) {
  if (value < 0) return '-';
  return f->plus ? '+' : f->space ? ' ' : 0;
}

static void print_real(const struct format *f, long double value,
                       enum format_style style, struct buffer *out) {
  struct parts p = {.sign = sign_of(f, value)};
  long double magnitude = fabsl(value);
  switch (f->conversion) {
  case 'S':
    if (magnitude == 0) /* has no power of ten */
      strcpy(p.digits, "0");
    else
      print_magnitude(f, 'e', f->precision, magnitude, &p);
    break;
  case 'N':
    print_significant(f, magnitude, &p);
    break;
  case 'P':
    print_percent(f, magnitude, style, &p);
    break;
  default: {
    int precision = f->precision < 0 ? 6 : f->precision;
    p.letter = strchr("EG", f->conversion) != NULL ? 'E' : 'e';
    print_magnitude(f, f->conversion, precision, magnitude, &p);
  }
  }
  append_parts(f, &p, style, out);
}

/* An integer's own digits; a double counts when it is whole and below 2^53,
 * where doubles still name each integer. */
static bool integer_of(const struct json *value, long long *out) {
  if (value->is_integer) {
    *out = value->integer;
    return true;
  }
  if (value->number != floor(value->number) || fabs(value->number) > 0x1p53)
    return false;
  *out = (long long)value->number;
  return true;
}

static int print_integer(const struct format *f, const struct json *value,
                         enum format_style style, struct place at,
                         struct buffer *out, struct error *err) {
  long long n;
  if (!integer_of(value, &n))
    return error_at(err, at, "%%%c wants an integer, %s is none", f->conversion,
                    value->text);
  if (n < 0 && f->conversion != 'd')
    return error_at(err, at, "%%%c wants a value from 0 up, %s is below",
                    f->conversion, value->text);
  struct parts p = {.sign = n < 0 ? '-' : f->plus ? '+' : f->space ? ' ' : 0};
  unsigned long long magnitude =
      n < 0 ? 0 - (unsigned long long)n : (unsigned long long)n;
  const char *pattern =
      f->conversion == 'd'   ? "%llu"
      : f->conversion == 'o' ? (f->alternate ? "%#llo" : "%llo")
      : f->conversion == 'x' ? (f->alternate ? "%#llx" : "%llx")
                             : (f->alternate ? "%#llX" : "%llX");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(p.digits, sizeof p.digits, pattern, magnitude);
#pragma GCC diagnostic pop
  append_parts(f, &p, style, out);
  return 0;
}

static void print_shortest(const struct json *value, enum format_style style,
                           struct buffer *out) {
  static const struct format plain = {0};
  struct parts p = {0};
  if (value->is_integer) {
    p.sign = value->integer < 0 ? '-' : 0;
    snprintf(p.digits, sizeof p.digits, "%llu",
             value->integer < 0 ? 0 - (unsigned long long)value->integer
                                : (unsigned long long)value->integer);
  } else {
    char text[JSON_DOUBLE_TEXT];
    json_double_text(fabs(value->number), text);
    p.sign = value->number < 0 ? '-' : 0;
    snprintf(p.digits, sizeof p.digits, "%s", text);
    split_exponent(&p);
  }
  append_parts(&plain, &p, style, out);
}

static void print_string(const struct format *f, const char *text,
                         struct buffer *out) {
  const char *end = text, *stop = text + strlen(text);
  uint32_t code;
  for (int n = 0; end < stop && n != f->precision; n++) {
    size_t step = utf8_decode(end, stop, &code);
    end += step > 0 ? step : 1;
  }
  struct buffer body = {0};
  buffer_add(&body, text, (size_t)(end - text));
  append_padded(f, 0, FORMAT_ASCII, &body, out);
  buffer_free(&body);
}

static int mismatch(const struct format *f, const struct json *value,
                    struct place at, struct error *err) {
  const char *name = f->conversion == 'S'   ? "sci"
                     : f->conversion == 'N' ? "sig"
                     : f->conversion == 'P' ? "percent"
                                            : NULL;
  const char *wanted = f->conversion == 's' ? "string" : "number";
  const char *found = json_type_name(value->type);
  if (name != NULL)
    return error_at(err, at, "%s wants a number, this is a %s", name, found);
  return error_at(err, at, "%%%c wants a %s, this is a %s", f->conversion,
                  wanted, found);
}

int format_print(const struct format *format, const struct json *value,
                 enum format_style style, struct place at, struct buffer *out,
                 struct error *err) {
  bool number = value->type == JSON_NUMBER;
  bool scalar =
      number || value->type == JSON_STRING || value->type == JSON_BOOL;
  if (!scalar)
    return error_at(err, at, "%s %s cannot be printed",
                    value->type == JSON_NULL ? "a" : "an",
                    json_type_name(value->type));
  if (format->conversion == 0) {
    if (number)
      print_shortest(value, style, out);
    else
      buffer_text(out, json_scalar_text(value));
    return 0;
  }
  if (value->type != (format->conversion == 's' ? JSON_STRING : JSON_NUMBER))
    return mismatch(format, value, at, err);
  if (format->conversion == 's')
    print_string(format, value->text, out);
  else if (strchr("dxXo", format->conversion) != NULL)
    return print_integer(format, value, style, at, out, err);
  else
    print_real(format,
               value->is_integer ? (long double)value->integer
                                 : (long double)value->number,
               style, out);
  return 0;
}
