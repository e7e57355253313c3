/* Formats and escapes: what is printed, and what is refused where. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/utf8.h"
#include "report/escape.h"
#include "report/format.h"

static const struct place here = {"t.md", 3, 8};

/* The value `json` by `format` (NULL: none) in `style`. */
static int print(const char *json, const char *format, enum format_style style,
                 struct buffer *out, struct error *err) {
  struct json_document document;
  struct format parsed = {0};
  assert_int_equal(json_parse("v.json", json, strlen(json), &document, err), 0);
  buffer_clear(out);
  buffer_text(out, "");
  int result = format != NULL
                   ? format_parse(format, strlen(format), here, &parsed, err)
                   : 0;
  if (result == 0)
    result = format_print(&parsed, document.root, style, here, out, err);
  json_free(&document);
  return result;
}

static void prints(const char *json, const char *format,
                   enum format_style style, const char *expected) {
  struct buffer out = {0};
  struct error err = {""};
  if (print(json, format, style, &out, &err) != 0)
    fail_msg("%s by %s: %s", json, format != NULL ? format : "-", err.text);
  if (strcmp(out.bytes, expected) != 0)
    fail_msg("%s by %s: \"%s\" expected, \"%s\" printed", json,
             format != NULL ? format : "-", expected, out.bytes);
  buffer_free(&out);
}

static void refuses(const char *json, const char *format, const char *part) {
  struct buffer out = {0};
  struct error err = {""};
  if (print(json, format, FORMAT_ASCII, &out, &err) == 0)
    fail_msg("%s by %s: accepted", json, format);
  assert_memory_equal(err.text, "t.md:3:", 7);
  if (strstr(err.text, part) == NULL)
    fail_msg("%s by %s: \"%s\" lacks \"%s\"", json, format, err.text, part);
  buffer_free(&out);
}

static void test_printf_conversions(void **state) {
  (void)state;
  static const struct {
    const char *json, *format, *ascii;
  } cases[] = {
      {"0.5256820912", "%.6f", "0.525682"},
      {"0.5256820912", " %.3f ", "0.526"},
      {"2.5", "%.0f", "2"}, /* a tie goes to even */
      {"3.5", "%.0f", "4"},
      {"0.125", "%.2f", "0.12"},
      {"1.005", "%.2f", "1.00"}, /* the double lies below 1.005 */
      {"-0.0", "%.1f", "0.0"},
      {"-0.0", "%+.1f", "+0.0"},
      {"-0.001", "%.1f", "-0.0"},
      {"-0.25", "%7.2f", "  -0.25"},
      {"-0.25", "%-7.2f", "-0.25  "},
      {"-0.25", "%07.2f", "-000.25"},
      {"0.25", "% .2f", " 0.25"},
      {"0.25", "%+.2f", "+0.25"},
      {"0.25", "%f", "0.250000"},
      {"0.25", "%#.0f", "0."},
      {"1234567.891", "%,.2f", "1,234,567.89"},
      {"-123", "%,d", "-123"},
      {"123", "%,6d", "   123"},
      {"816128", "%,d", "816,128"},
      {"9223372036854775807", "%d", "9223372036854775807"},
      {"-9223372036854775808", "%,d", "-9,223,372,036,854,775,808"},
      {"9007199254740993", "%.0f", "9007199254740993"},
      {"126.0", "%d", "126"},
      {"-0.0", "%d", "0"},
      {"255", "%#x", "0xff"},
      {"255", "%X", "FF"},
      {"8", "%o", "10"},
      {"0.0045", "%.2e", "4.50e-03"},
      {"-1.5e300", "%.1E", "-1.5E+300"},
      {"0.0001", "%g", "0.0001"},
      {"0.00001", "%g", "1e-05"},
      {"5e-324", "%.3e", "4.941e-324"},
      {"\"kjv\"", "%s", "kjv"},
      {"\"kjv\"", "%5s", "  kjv"},
      {"\"\xCF\x83\xCE\xB5x\"", "%.2s", "\xCF\x83\xCE\xB5"},
      {"\"\xCF\x83\"", "%-3s", "\xCF\x83  "},
      {"\"\"", "%s", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    prints(cases[i].json, cases[i].format, FORMAT_ASCII, cases[i].ascii);
}

/* Any double by any precision is what the C library prints. */
static void test_agrees_with_printf(void **state) {
  (void)state;
  uint64_t bits = 88172645463325252u;
  struct buffer out = {0};
  struct error err;
  for (int i = 0; i < 2000; i++) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) continue;
    char json[64], format[16], expected[512];
    char conversion = "feg"[i % 3];
    int precision = i % 20;
    snprintf(json, sizeof json, "%.17e", value);
    snprintf(format, sizeof format, "%%.%d%c", precision, conversion);
    if (conversion == 'f')
      snprintf(expected, sizeof expected, "%.*f", precision, value);
    else if (conversion == 'e')
      snprintf(expected, sizeof expected, "%.*e", precision, value);
    else
      snprintf(expected, sizeof expected, "%.*g", precision, value);
    assert_int_equal(print(json, format, FORMAT_ASCII, &out, &err), 0);
    if (strcmp(out.bytes, expected) != 0)
      fail_msg("%.17g by %s: \"%s\", printf says \"%s\"", value, format,
               out.bytes, expected);
  }
  buffer_free(&out);
}

static void test_named_formats(void **state) {
  (void)state;
  static const struct {
    const char *json, *format, *ascii, *text, *tex;
  } cases[] = {
      {"0.0045", "sci.1", "4.5e-03", "4.5 × 10⁻³", "4.5\\times10^{-3}"},
      {"0", "sci.1", "0", "0", "0"},
      {"-0.0", "sci.1", "0", "0", "0"},
      {"-123456", "sci.2", "-1.23e+05", "−1.23 × 10⁵", "-1.23\\times10^{5}"},
      {"123456", "sci+.2", "+1.23e+05", "+1.23 × 10⁵", "+1.23\\times10^{5}"},
      {"9.996", "sci.2", "1.00e+01", "1.00 × 10¹", "1.00\\times10^{1}"},
      {"0.0055", "percent.2", "0.55 %", "0.55 %", "0.55\\,\\%"},
      {"0.44", "percent.0", "44 %", "44 %", "44\\,\\%"},
      {"-2.4512", "percent.1", "-245.1 %", "−245.1 %", "-245.1\\,\\%"},
      {"0.28999999999999998", "percent.0", "29 %", "29 %", "29\\,\\%"},
      {"0.0", "percent.1", "0.0 %", "0.0 %", "0.0\\,\\%"},
      {"1e-9", "percent+.1", "+0.0 %", "+0.0 %", "+0.0\\,\\%"},
      {"0.1", "sig.3", "0.100", "0.100", "0.100"},
      {"0.099996", "sig.3", "0.100", "0.100", "0.100"},
      {"3.14159", "sig.3", "3.14", "3.14", "3.14"},
      {"126", "sig.3", "126", "126", "126"},
      {"-1234", "sig.3", "-1.23e+03", "−1.23 × 10³", "-1.23\\times10^{3}"},
      {"3.3e-16", "sig.2", "3.3e-16", "3.3 × 10⁻¹⁶", "3.3\\times10^{-16}"},
      {"0", "sig.2", "0.0", "0.0", "0.0"},
      {"-0.0045", "%.1e", "-4.5e-03", "−4.5e−03", "-4.5\\times10^{-3}"},
      {"1234567", "%,d", "1,234,567", "1,234,567", "1{,}234{,}567"},
      {"-7", "%+d", "-7", "−7", "-7"},
      {"-7", "%4d", "  -7", "  −7", "  -7"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    prints(cases[i].json, cases[i].format, FORMAT_ASCII, cases[i].ascii);
    prints(cases[i].json, cases[i].format, FORMAT_TEXT, cases[i].text);
    prints(cases[i].json, cases[i].format, FORMAT_TEX, cases[i].tex);
  }
}

static void test_without_format(void **state) {
  (void)state;
  prints("0.1", NULL, FORMAT_TEXT, "0.1");
  prints("-0.1", NULL, FORMAT_TEXT, "−0.1");
  prints("-0.1", NULL, FORMAT_TEX, "-0.1");
  prints("-0.0", NULL, FORMAT_TEXT, "0");
  prints("1e-5", NULL, FORMAT_ASCII, "1e-05");
  prints("1e-5", NULL, FORMAT_TEXT, "1 × 10⁻⁵");
  prints("1e-5", NULL, FORMAT_TEX, "1\\times10^{-5}");
  prints("9007199254740993", NULL, FORMAT_TEXT, "9007199254740993");
  prints("0.30000000000000004", NULL, FORMAT_TEXT, "0.30000000000000004");
  prints("true", NULL, FORMAT_TEXT, "true");
  prints("\"a-b\"", NULL, FORMAT_TEXT, "a-b");
}

static void test_refused_formats(void **state) {
  (void)state;
  static const struct {
    const char *json, *format, *part;
  } cases[] = {
      {"1", "", "empty format"},
      {"1", "%", "ends before"},
      {"1", "%n", "'n' is no conversion"},
      {"1", "%*d", "'*' is no conversion"},
      {"1", "%1$d", "'$' is no conversion"},
      {"1", "%ld", "'l' is no conversion"},
      {"1", "%p", "'p' is no conversion"},
      {"1", "%c", "'c' is no conversion"},
      {"1", "%d%d", "something follows"},
      {"1", "%d%n", "something follows"},
      {"1", "%d %", "something follows"},
      {"1", "%%", "'%' is no conversion"},
      {"1", "%.f", "digits expected"},
      {"1", "%.999999999999999f", "above 60"},
      {"1", "%81d", "above 80"},
      {"1", "%++d", "twice"},
      {"1", "%+ d", "exclude"},
      {"1", "%.2d", "no precision"},
      {"1", "%,e", "flag ','"},
      {"1", "%+x", "sign flag"},
      {"\"a\"", "%0s", "flag '0'"},
      {"1", "%-05d", "flag '0'"},
      {"1", "sci", "'.' and a number"},
      {"1", "sci.", "digits expected"},
      {"1", "sig.0", "at least 1"},
      {"1", "money.2", "unknown format"},
      {"1.5", "%d", "wants an integer"},
      {"1e300", "%d", "wants an integer"},
      {"-1", "%x", "from 0 up"},
      {"1", "%s", "wants a string"},
      {"\"1\"", "%.2f", "wants a number"},
      {"\"1\"", "sci.2", "sci wants a number"},
      {"true", "%d", "wants a number"},
      {"true", "%s", "wants a string"},
      {"null", "%d", "a null cannot be printed"},
      {"[1]", "%d", "an array cannot be printed"},
      {"{}", "%d", "an object cannot be printed"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    refuses(cases[i].json, cases[i].format, cases[i].part);
}

static void escapes(enum escape_target target, const char *text,
                    const char *expected) {
  struct buffer out = {0};
  struct error err = {""};
  if (escape_text(target, text, here, &out, &err) != 0)
    fail_msg("\"%s\": %s", text, err.text);
  if (strcmp(out.bytes, expected) != 0)
    fail_msg("\"%s\": \"%s\" expected, \"%s\" written", text, expected,
             out.bytes);
  buffer_free(&out);
}

static void cannot_escape(enum escape_target target, const char *text) {
  struct buffer out = {0};
  struct error err = {""};
  if (escape_text(target, text, here, &out, &err) == 0)
    fail_msg("\"%s\" in target %d: accepted", text, (int)target);
  assert_memory_equal(err.text, "t.md:3:8: ", 10);
  buffer_free(&out);
}

static void test_escapes(void **state) {
  (void)state;
  escapes(ESCAPE_NONE, "a<b>\\`'\x01", "a<b>\\`'\x01");
  escapes(ESCAPE_HTML, "<a href=\"x\">&'",
          "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  escapes(ESCAPE_MARKDOWN, "*a* _b_ `c` $d$ | <e> [f](g) #h ~i~ &amp; \\",
          "\\*a\\* \\_b\\_ \\`c\\` \\$d\\$ \\| \\<e\\> \\[f\\]\\(g\\) \\#h "
          "\\~i\\~ \\&amp; \\\\");
  escapes(ESCAPE_MARKDOWN, "1. item", "1\\. item");
  escapes(ESCAPE_MARKDOWN, "- item", "\\- item");
  escapes(ESCAPE_MARKDOWN, "+ item", "\\+ item");
  escapes(ESCAPE_MARKDOWN, "kjv-layernorm 1.5 a--b",
          "kjv-layernorm 1.5 a\\-\\-b");
  escapes(ESCAPE_MARKDOWN, "    code\n\nnext ",
          "&#32;&#32;&#32;&#32;code&#10;&#10;next&#32;");
  escapes(ESCAPE_FORMULA, "123, 126 of 128", "123, 126 of 128");
  escapes(ESCAPE_CODE_SPAN, "a_b*c$", "a_b*c$");
  escapes(ESCAPE_CODE_BLOCK, "a\n  b `c`", "a\n  b `c`");
  escapes(ESCAPE_GNUPLOT_DOUBLE, "a\"b`c`\\d{e}_^@&~",
          "a\\042b\\140c\\140\\134\\134d\\134{e\\134}\\134_\\134^\\134@"
          "\\134&amp;\\134~");
  escapes(ESCAPE_GNUPLOT_SINGLE, "it's {a} & \\ `b`",
          "it''s \\{a\\} \\&amp; \\\\ `b`");
  escapes(ESCAPE_GNUPLOT_NUMBER, "-1.5e-03", "-1.5e-03");
  escapes(ESCAPE_GNUPLOT_NUMBER, "  7", "7");
  cannot_escape(ESCAPE_HTML, "\x01");
  cannot_escape(ESCAPE_MARKDOWN, "\x1b[2J");
  cannot_escape(ESCAPE_HEAD, "a\nb");
  cannot_escape(ESCAPE_FORMULA, "\\input");
  cannot_escape(ESCAPE_FORMULA, "a$b");
  cannot_escape(ESCAPE_CODE_SPAN, "a`b");
  cannot_escape(ESCAPE_CODE_BLOCK, "a\n```\nb");
  cannot_escape(ESCAPE_GNUPLOT_DOUBLE, "a\nb");
  cannot_escape(ESCAPE_GNUPLOT_COMMENT, "a\nquit");
  static const char *const no_numbers[] = {"1,5", "",     "nan",    "inf",
                                           "1 2", "0x1f", "1;quit", "-",
                                           "1e",  ".5",   "1.",     "−1"};
  for (size_t i = 0; i < sizeof no_numbers / sizeof no_numbers[0]; i++)
    cannot_escape(ESCAPE_GNUPLOT_NUMBER, no_numbers[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_printf_conversions),
      cmocka_unit_test(test_agrees_with_printf),
      cmocka_unit_test(test_named_formats),
      cmocka_unit_test(test_without_format),
      cmocka_unit_test(test_refused_formats),
      cmocka_unit_test(test_escapes),
  };
  return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
