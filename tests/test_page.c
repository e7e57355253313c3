/* Whole documents: goldens of the calls that draw them (tests/spec/page), and
 * where their pages end. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <hb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "tests/page_support.h"

/* ---- goldens ------------------------------------------------------------- */

static void trace_file(const char *path, struct buffer *out) {
  struct buffer text = {0};
  struct document document;
  struct error err;
  struct typeset_options options = {0};
  struct arena arena = {0};
  assert_int_equal(file_read(path, &text, &err), 0);
  read_document(path, text.bytes, text.length, &document);
  struct device *device = device_trace_new();
  if (draw(&document, &options, &arena, device, out, &err) != 0)
    fail_msg("%s", err.text);
  device_free(device);
  arena_free(&arena);
  document_free(&document);
  buffer_free(&text);
}

/* The traces hold widths and glyph numbers of one release of the fonts. */
static void need_known_fonts(void) {
  static const struct {
    enum font_face face;
    unsigned glyphs;
  } known[] = {{FONT_ROMAN, 1549}, {FONT_MATH, 4246}, {FONT_MONO, 3377}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    hb_face_t *face = hb_font_get_face(font_hb(fonts, known[i].face));
    if (hb_face_get_glyph_count(face) == known[i].glyphs) continue;
    print_message("skipped: another release of %s\n",
                  font_postscript_name(known[i].face));
    skip();
  }
}

/* Each tests/spec/page/NAME.md draws what NAME.trace says. With PAGE_ACCEPT
 * set in the environment the traces are written anew. */
static void test_goldens(void **state) {
  (void)state;
  glob_t files;
  need_known_fonts();
  assert_int_equal(glob("tests/spec/page/*.md", 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    struct buffer trace = {0}, expected = {0};
    struct error err;
    char golden[512];
    const char *path = files.gl_pathv[i];
    snprintf(golden, sizeof golden, "%.*s.trace", (int)strlen(path) - 3, path);
    trace_file(path, &trace);
    if (getenv("PAGE_ACCEPT"))
      assert_int_equal(file_write(golden, trace.bytes, trace.length, &err), 0);
    assert_int_equal(file_read(golden, &expected, &err), 0);
    if (strcmp(trace.bytes, expected.bytes) != 0) {
      const char *a = trace.bytes, *b = expected.bytes;
      int line = 1;
      for (; *a == *b; a++, b++)
        line += *a == '\n';
      fail_msg("%s line %d: drawn \"%.60s\", expected \"%.60s\"", golden, line,
               a, b);
    }
    buffer_free(&trace);
    buffer_free(&expected);
  }
  globfree(&files);
}

static void trace_text(const char *text, const struct typeset_options *options,
                       struct buffer *trace) {
  struct document document;
  struct arena arena = {0};
  struct error err;
  read_document("t.md", text, strlen(text), &document);
  struct device *device = device_trace_new();
  if (draw(&document, options, &arena, device, trace, &err) != 0)
    fail_msg("%s", err.text);
  device_free(device);
  arena_free(&arena);
  document_free(&document);
}

/* Pages of a document of so many one-line paragraphs, and lines on the last. */
static int pages_of(int paragraphs, int *last) {
  struct buffer text = {0}, trace = {0};
  struct typeset_options options = {0};
  for (int i = 0; i < paragraphs; i++)
    buffer_text(&text, "Word.\n\n");
  trace_text(text.bytes, &options, &trace);
  int pages = 0;
  for (const char *c = trace.bytes; (c = strstr(c, "\npage ")); c++) {
    pages++;
    *last = 0;
    const char *end = strstr(c, "end page");
    for (const char *w = c; (w = strstr(w, "\"Word.")) && w < end; w++)
      ++*last;
  }
  buffer_free(&text);
  buffer_free(&trace);
  return pages;
}

/* A line or two more do not get a page of their own. */
static void test_last_page_is_not_empty(void **state) {
  (void)state;
  int last, paragraphs = 30;
  while (pages_of(paragraphs, &last) == 1)
    paragraphs++;
  assert_in_range(paragraphs, 47, 51);
  if (last < 3) fail_msg("%d lines on the last page", last);
}

/* Rows of a table below so many lines, on the first and second page. */
static void rows_below(int paragraphs, int rows, int on[2]) {
  struct buffer text = {0}, trace = {0};
  struct typeset_options options = {0};
  for (int i = 0; i < paragraphs; i++)
    buffer_text(&text, "Word.\n\n");
  buffer_text(&text, "Table: Many rows. {#tab-t}\n\n| a | b |\n|---|---|\n");
  for (int i = 0; i < rows; i++)
    buffer_text(&text, "| Row. | 1 |\n");
  trace_text(text.bytes, &options, &trace);
  const char *second = strstr(strstr(trace.bytes, "\npage ") + 1, "\npage ");
  on[0] = on[1] = 0;
  for (const char *c = trace.bytes; (c = strstr(c, "\"Row.\"")); c++)
    on[second && c > second]++;
  buffer_free(&text);
  buffer_free(&trace);
}

/* Only a long table is divided, never so that a row or two are left. */
static void test_long_tables_break(void **state) {
  int on[2];
  (void)state;
  rows_below(5, 8, on);
  assert_int_equal(on[1], 0);
  rows_below(35, 8, on);
  assert_int_equal(on[0], 0);
  rows_below(25, 30, on);
  assert_in_range(on[0], 12, 18);
  assert_int_equal(on[0] + on[1], 30);
  for (int lines = 0; lines < 47; lines++) {
    rows_below(lines, 20, on);
    if (on[0] == 1 || on[1] == 1 || on[1] == 2)
      fail_msg("below %d lines: %d rows, then %d", lines, on[0], on[1]);
  }
}

/* Only their distance parts course and school; who hears them needs a blank. */
static void test_texts_above_are_parted(void **state) {
  (void)state;
  struct buffer trace = {0};
  struct typeset_options options = {.above_left = "Algebra",
                                    .above_right = "Lyceum"};
  trace_text("Word.\n", &options, &trace);
  assert_non_null(strstr(trace.bytes, "\"Algebra \""));
  buffer_free(&trace);
}

int main(void) {
  struct error err;
  if (font_set_load(NULL, &fonts, &err) != 0) {
    print_message("skipped: %s\n", err.text);
    return 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_goldens),
      cmocka_unit_test(test_last_page_is_not_empty),
      cmocka_unit_test(test_long_tables_break),
      cmocka_unit_test(test_texts_above_are_parted),
  };
  int status = cmocka_run_group_tests(tests, NULL, NULL);
  font_set_free(fonts);
  return status;
}
