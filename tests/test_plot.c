/* Figures: data checked before gnuplot, gnuplot's complaints brought back to
 * the template's line, the SVG cleaned and checked after it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/base/file.h"
#include "report/plot.h"
#include "report/plot_data.h"
#include "report/plot_run.h"
#include "report/plot_svg.h"
#include "tests/scratch.h"

static char template[300];

/* ---- data ---------------------------------------------------------------- */

static int check_data(const char *script, struct error *err) {
  struct source_map map = {0};
  source_map_add_text(&map, 0, (struct place){"f.gp", 1, 1}, script,
                      strlen(script));
  err->text[0] = 0;
  int result = plot_data_check(script, strlen(script), &map, err);
  source_map_free(&map);
  return result;
}

static void refuses_data(const char *script, const char *message) {
  struct error err;
  if (check_data(script, &err) == 0) fail_msg("accepted: %s", script);
  if (strcmp(err.text, message) != 0)
    fail_msg("\"%s\" expected, \"%s\" said", message, err.text);
}

static void test_data(void **state) {
  (void)state;
  struct error err;
  static const char *const good[] = {
      "",
      "plot x\n",
      "$d << EOD\n1 2\n-1.5e-3 +4\nEOD\n",
      "$d<<EOD\n# note\n\"a b\" 1 # note\n\"c\\\"d\" 2\r\nEOD\nplot $d\n",
      "$a << A\n1\nA\n$b << B\n1 2\nB\n",
  };
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
    if (check_data(good[i], &err) != 0)
      fail_msg("%s: refused: %s", good[i], err.text);
  refuses_data("x\n$d << EOD\nEOD\n", "f.gp:2:1: data block without a row");
  refuses_data("$d << EOD\n1\n",
               "f.gp:1:1: data block does not end: no line \"EOD\"");
  refuses_data("$d << EOD\n1\n\n2\nEOD\n", "f.gp:3:1: empty row of data");
  refuses_data("$d << EOD\n1 2\n3\nEOD\n",
               "f.gp:3:1: row of 1 fields below rows of 2");
  refuses_data("$d << EOD\n1 \"a\nEOD\n", "f.gp:2:3: string does not end");
  static const char *const numbers[] = {"NaN", "1,5", "inf", "1e999",
                                        "-",   "0x1", "a",   "1.2.3"};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    char script[64], message[128];
    snprintf(script, sizeof script, "$d << EOD\n1 %s\nEOD\n", numbers[i]);
    snprintf(message, sizeof message,
             "f.gp:2:3: \"%s\" is neither a finite number nor a quoted string",
             numbers[i]);
    refuses_data(script, message);
  }
}

/* ---- SVG ----------------------------------------------------------------- */

#define HEAD                                                                   \
  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 60 40\" "           \
  "width=\"60\" height=\"40\" role=\"img\" aria-labelledby=\"f-title "         \
  "f-desc\" color=\"#1a1a1a\" font-family=\"'TeX Gyre Pagella', Palatino, "    \
  "'Palatino Linotype', 'Book Antiqua', serif\">\n"                            \
  "<title id=\"f-title\">A &lt; B</title>\n<desc id=\"f-desc\">it&#39;s "      \
  "so</desc>\n<rect class=\"plate\" width=\"60\" height=\"40\" "               \
  "fill=\"#ffffff\"/>\n"

static int clean(const char *body, struct buffer *out, struct error *err) {
  struct buffer raw = {0};
  struct plot_caption caption = {"f", "A < B", "it's so"};
  buffer_printf(&raw,
                "<svg width=\"60\" height=\"40\" viewBox=\"0 0 60 40\" "
                "xmlns=\"http://www.w3.org/2000/svg\" "
                "xmlns:xlink=\"http://www.w3.org/1999/xlink\">"
                "<title>Gnuplot</title><desc>5.4</desc>%s</svg>",
                body);
  buffer_clear(out);
  int result =
      plot_svg_clean("f.gp", raw.bytes, raw.length, &caption, out, err);
  buffer_free(&raw);
  return result;
}

static void cleans(const char *body, const char *expected) {
  struct buffer out = {0}, whole = {0};
  struct error err;
  buffer_printf(&whole, "%s%s</svg>\n", HEAD, expected);
  if (clean(body, &out, &err) != 0) fail_msg("%s: %s", body, err.text);
  if (strcmp(out.bytes, whole.bytes) != 0)
    fail_msg("expected \"%s\"\nwritten  \"%s\"", whole.bytes, out.bytes);
  buffer_free(&out);
  buffer_free(&whole);
}

static void refuses_svg(const char *body, const char *part) {
  struct buffer out = {0};
  struct error err = {""};
  if (clean(body, &out, &err) == 0) fail_msg("accepted: %s", body);
  if (strstr(err.text, part) == NULL)
    fail_msg("\"%s\" lacks \"%s\"", err.text, part);
  buffer_free(&out);
}

#define TEXT "<text>a</text>"

static void test_svg(void **state) {
  (void)state;
  cleans(TEXT, "<text>a</text>\n");
  cleans("<g id=\"gnuplot_plot_1\"><title>$d using 1:2</title>" TEXT "</g>",
         "<text>a</text>\n");
  cleans("<g fill=\"none\" color=\"black\" stroke=\"currentColor\" "
         "stroke-width=\"1.00\" stroke-linecap=\"butt\" "
         "stroke-linejoin=\"miter\"></g>" TEXT,
         "<text>a</text>\n");
  cleans("<g fill=\"black\" font-family=\"X\" font-size=\"12\"><text><tspan "
         "font-family=\"X\">a &amp; b</tspan><tspan font-family=\"X\" "
         "dy=\"3px\">2</tspan></text></g>",
         "<g fill=\"currentColor\" font-size=\"12\">\n<text>a &amp; b<tspan "
         "dy=\"3px\">2</tspan></text>\n</g>\n");
  cleans(TEXT "<path stroke='rgb(  0, 114, 178)' d='M1,2 L3,4'/>"
              "<path stroke='black' d='M1,2  '/>"
              "<rect x='0' y='0' width='60' height='40' fill='none'/>",
         "<text>a</text>\n<path stroke=\"#0072b2\" d=\"M1,2 L3,4\"/>\n");
  cleans("<defs>\n<circle id='c' r='1'/>\n<use xlink:href='#c' id='d'/>\n"
         "<circle id='e' r='2'/>\n<use xlink:href='#e' id='u'/>\n</defs>\n"
         "<use xlink:href='#d'/>" TEXT,
         "<defs>\n<circle id=\"f-c\" r=\"1\"/>\n<use href=\"#f-c\" "
         "id=\"f-d\"/>\n</defs>\n<use href=\"#f-d\"/>\n<text>a</text>\n");
  refuses_svg("", "has no text");
  refuses_svg("<text></text>", "has no text");
  refuses_svg("<text>a & b</text>", "not well-formed");
  refuses_svg(TEXT "<g>", "mismatched tag");
  refuses_svg("<text>NaN</text>", "holds a NaN");
  refuses_svg("<text>rate: -inf</text>", "holds a NaN");
  refuses_svg(TEXT "<path d='M1,nan L2,3'/>", "drew a NaN: <path> has d=");
  refuses_svg(TEXT "<script>x</script>", "has a <script>");
  cleans("<text>informant, banana</text>", "<text>informant, banana</text>\n");
}

/* ---- whole figures ------------------------------------------------------- */

static bool have_gnuplot(void) {
  struct buffer out = {0}, messages = {0};
  struct error err;
  int status = 0;
  int result = plot_run("f.gp", "", 0, 60, &out, &messages, &status, &err);
  buffer_free(&out);
  buffer_free(&messages);
  if (result != 0) print_message("skipped: %s\n", err.text);
  return result == 0;
}

static int draw(const char *text, const char *json, struct buffer *svg,
                struct error *err) {
  struct json_document data;
  assert_int_equal(file_write(template, text, strlen(text), err), 0);
  assert_int_equal(json_parse("data", json, strlen(json), &data, err), 0);
  buffer_clear(svg);
  int result = plot_draw(template, data.root, svg, err);
  json_free(&data);
  return result;
}

static void refuses_figure(const char *text, const char *json,
                           const char *message) {
  struct buffer svg = {0};
  struct error err = {""};
  if (draw(text, json, &svg, &err) == 0)
    fail_msg("drawn; %s expected", message);
  assert_memory_equal(err.text, template, strlen(template));
  if (strstr(err.text + strlen(template), message) == NULL)
    fail_msg("\"%s\" lacks \"%s\"", err.text, message);
  buffer_free(&svg);
}

#define CAPTION "# title: T\n# alt: From {{x|%.1f}}\n#   on\n"
#define TERMINAL "set terminal svg size 300,200\n"

static void test_figure(void **state) {
  (void)state;
  if (!have_gnuplot()) skip();
  struct buffer svg = {0}, again = {0};
  struct error err;
  static const char text[] = CAPTION TERMINAL
      "$d << EOD\n{{#rows}}\n{{.}}\n{{/rows}}\nEOD\n"
      "set label \"{{name}}\" at 1,1\nplot $d using 0:1 notitle\n";
  static const char json[] =
      "{\"x\": -1.5, \"rows\": [1, 2.5, 3], \"name\": \"a_b <&> `date` \\\"\"}";
  setenv("LC_ALL", "de_DE.UTF-8", 1);
  setenv("HOME", "/nonexistent", 1);
  if (draw(text, json, &svg, &err) != 0) fail_msg("%s", err.text);
  setenv("TZ", "Asia/Tokyo", 1);
  assert_int_equal(draw(text, json, &again, &err), 0);
  assert_string_equal(svg.bytes, again.bytes);
  assert_non_null(strstr(svg.bytes, "<title id=\"figure-title\">T</title>"));
  assert_non_null(strstr(svg.bytes, ">From −1.5 on</desc>"));
  assert_non_null(
      strstr(svg.bytes, "<text>a_b &lt;&amp;&gt; `date` &quot;</text>"));
  assert_null(strstr(svg.bytes, "GNUPLOT"));
  buffer_free(&svg);
  buffer_free(&again);
}

static void test_refused_figures(void **state) {
  (void)state;
  if (!have_gnuplot()) skip();
  static const char json[] = "{\"x\": 1, \"rows\": [1, 2], \"one\": [1]}";
  refuses_figure("plot x\n", json, ":1:1: the head lacks a line `# title:");
  refuses_figure("# title: T\nplot x\n", json,
                 ":1:1: the head lacks a line "
                 "`# alt:");
  refuses_figure(CAPTION "plot {{nope}}\n", json, ":4:6: no value is named");
  refuses_figure(CAPTION "{{#rows}}\n# {{.}}\n{{/rows}}\n" TERMINAL
                         "set zork\nplot x\n",
                 json, ":8:1: gnuplot: unrecognized option");
  refuses_figure(CAPTION TERMINAL "plot \"/nonexistent\"\n", json,
                 ":5:1: gnuplot: warning: Cannot find or open file");
  refuses_figure(CAPTION TERMINAL "$d << EOD\n{{one.0}}\nnan\nEOD\n", json,
                 ":7:1: \"nan\" is neither");
  refuses_figure(CAPTION TERMINAL "x = 1\n", json, "gnuplot drew nothing");
  refuses_figure(CAPTION "set terminal dumb\nplot x\n", json,
                 "use `set terminal svg`");
  refuses_figure(CAPTION TERMINAL "print 1\nplot x\n", json, "gnuplot: 1");
}

static void test_run(void **state) {
  (void)state;
  if (!have_gnuplot()) skip();
  static const char loop[] = "while (1) { x = 1 }\n";
  static const char flood[] = "s = 'x'\ndo for [i=1:16] { s = s.s }\n"
                              "while (1) { print s }\n";
  struct buffer out = {0}, messages = {0};
  struct error err;
  int status = 0;
  assert_int_equal(
      plot_run("f.gp", loop, strlen(loop), 1, &out, &messages, &status, &err),
      -1);
  assert_string_equal(err.text, "f.gp: gnuplot does not end within 1 seconds");
  assert_int_equal(plot_run("f.gp", flood, strlen(flood), 60, &out, &messages,
                            &status, &err),
                   -1);
  assert_string_equal(err.text, "f.gp: gnuplot prints more than 64 MB");
  char *path = strdup(getenv("PATH"));
  setenv("PATH", "/nonexistent", 1);
  assert_int_equal(plot_run("f.gp", "", 0, 1, &out, &messages, &status, &err),
                   -1);
  assert_string_equal(
      err.text, "f.gp: gnuplot is not installed (Debian package gnuplot-nox)");
  setenv("PATH", path, 1);
  free(path);
  buffer_free(&out);
  buffer_free(&messages);
}

static int make_directory(void **state) {
  if (scratch_make(state) != 0) return -1;
  snprintf(template, sizeof template, "%s/figure.gp", scratch);
  return 0;
}

static int remove_directory(void **state) {
  (void)state;
  unlink(template);
  return rmdir(scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_data),   cmocka_unit_test(test_svg),
      cmocka_unit_test(test_figure), cmocka_unit_test(test_refused_figures),
      cmocka_unit_test(test_run),
  };
  return cmocka_run_group_tests_name("plot", tests, make_directory,
                                     remove_directory);
}
