/* Devices: the trace as text, the checks that all backends share, and the PDF
 * read back by other programs (skipped where they are not installed). */
#define _GNU_SOURCE /* memmem */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/base/file.h"
#include "report/box.h"
#include "report/device.h"
#include "report/pdf_objects.h"

static struct font_set *fonts;
static struct arena arena;

static const struct tag HEADING = {.role = TAG_H1};
static const struct tag PARAGRAPH = {.role = TAG_PARAGRAPH};
static const struct tag FOOT = {.role = TAG_ARTIFACT};
static const struct tag FORMULA = {
    .role = TAG_FORMULA, .alt = "x hat squared", .actual_text = "\\hat{x}^2"};
static const struct tag FIGURE = {.role = TAG_FIGURE, .alt = "a square"};
static const struct document_info INFO = {.title = "A title, größer",
                                          .author = "A. U. Thor",
                                          .keywords = "one, two",
                                          .language = "en-GB",
                                          .creator = "test"};

static struct box *text_box(enum font_face face, const char *text) {
  struct glyph_run *runs;
  struct error err = {{0}};
  if (font_shape(fonts, &arena, face, 10, FONT_PLAIN, text, strlen(text),
                 (struct place){"t", 1, 1}, &runs, &err) != 0)
    fail_msg("%s", err.text);
  return box_from_runs(&arena, runs);
}

static void draw_text(struct device *device, const struct tag *tag, double x,
                      double y, const char *text) {
  struct box *box = text_box(FONT_ROMAN, text);
  box->tag = tag;
  box_draw(box, device, x, y);
}

/* `text` and the hyphen of a line break, as paragraphs make it. */
static void draw_broken(struct device *device, const struct tag *tag, double x,
                        double y, const char *text) {
  struct box *box = text_box(FONT_ROMAN, arena_printf(&arena, "%s-", text));
  struct glyph_run *run = (struct glyph_run *)box->child->run;
  run->text = arena_printf(&arena, "%s\xC2\xAD", text);
  run->length = strlen(run->text);
  box->tag = tag;
  box_draw(box, device, x, y);
}

/* ---- trace -------------------------------------------------------------- */

static void test_trace(void **state) {
  (void)state;
  struct device *device = device_trace_new();
  struct buffer out = {0};
  struct error err = {{0}};
  struct document_info info = {.title = "T"};
  device->begin_document(device, &info);
  device->begin_page(device, 100, 50);
  draw_text(device, &HEADING, 10, 20, "fig");
  device->rectangle(device, 1, 2.005, 3, -0.001, (struct color){0});
  device->rectangle(device, 1, 2, 3, 4, (struct color){255, 0, 16, 55});
  device->push_clip(device, 0, 0, 5, 5);
  device->pop(device);
  device->destination(device, "top", 0, 50);
  device->link(device, 1, 2, 3, 4, "#top");
  device->end_page(device);
  device->outline(device, 1, "Top", "top");
  device->end_document(device);
  assert_int_equal(device_finish(device, &out, &err), 0);
  assert_string_equal(out.bytes,
                      "document title=\"T\"\n"
                      "page 100.00 50.00\n"
                      "<H1>\n"
                      "  glyphs 10.00 20.00 roman 10.00 11.61 \"fig\"\n"
                      "</H1>\n"
                      "rectangle 1.00 2.01 3.00 0.00\n"
                      "rectangle 1.00 2.00 3.00 4.00 #ff0010/200\n"
                      "clip 0.00 0.00 5.00 5.00\n"
                      "pop\n"
                      "destination 0.00 50.00 name=\"top\"\n"
                      "link 1.00 2.00 3.00 4.00 target=\"#top\"\n"
                      "end page\n"
                      "outline 1 title=\"Top\" destination=\"top\"\n"
                      "end\n");
  buffer_free(&out);
  device_free(device);
}

/* ---- misuse, on both backends ------------------------------------------- */

static struct device *make(int backend) {
  return backend ? device_pdf_new(fonts) : device_trace_new();
}

typedef void (*drawing)(struct device *);

static void fails(drawing draw, const char *message) {
  for (int backend = 0; backend < 2; backend++) {
    struct device *device = make(backend);
    struct buffer out = {0};
    struct error err = {{0}};
    device->begin_document(device, &INFO);
    device->begin_page(device, 100, 100);
    draw(device);
    device->end_page(device);
    device->end_document(device);
    assert_int_equal(device_finish(device, &out, &err), -1);
    assert_string_equal(err.text, message);
    assert_int_equal(out.length, 0);
    buffer_free(&out);
    device_free(device);
  }
}

static void not_a_number(struct device *device) {
  device->rectangle(device, NAN, 0, 1, 1, (struct color){0});
}

static void far_away(struct device *device) {
  draw_text(device, NULL, 10, 20000, "x");
}

static void endless_path(struct device *device) {
  enum path_step steps[] = {PATH_MOVE};
  struct path_point points[] = {{INFINITY, 0}};
  struct path path = {steps, 1, points, 1};
  struct paint paint = {.fill = true};
  device->path(device, &path, &paint, 0, 0);
}

static void open_element(struct device *device) {
  device->begin_tag(device, &PARAGRAPH);
}

static void second_end(struct device *device) {
  device->end_tag(device);
}

static void open_clip(struct device *device) {
  device->push_clip(device, 0, 0, 1, 1);
}

static void deep_clips(struct device *device) {
  for (int i = 0; i < 30; i++)
    device->push_clip(device, 0, 0, 1, 1);
}

static void page_in_page(struct device *device) {
  device->begin_page(device, 10, 10);
}

static void test_misuse_is_one_error(void **state) {
  (void)state;
  fails(not_a_number, "drawing: the coordinate nan lies outside any page");
  fails(far_away, "drawing: the coordinate 20000 lies outside any page");
  fails(endless_path, "drawing: the coordinate inf lies outside any page");
  fails(open_element, "drawing: an element is never ended");
  fails(second_end, "drawing: more elements end than begin");
  fails(open_clip, "drawing: a page ends inside a clip");
  fails(deep_clips, "drawing: clips and transformations nest too deeply");
  fails(page_in_page,
        "drawing: a page begins inside a page or outside the document");
}

/* ---- numbers ------------------------------------------------------------ */

static void test_numbers(void **state) {
  (void)state;
  static const struct {
    double value;
    int decimals;
    const char *text;
  } CASES[] = {{0, 3, "0 "},
               {-0.0, 3, "0 "},
               {1e-16, 3, "0 "},
               {-0.0004, 3, "0 "},
               {0.5, 3, "0.5 "},
               {-12.3456, 3, "-12.346 "},
               {595.276, 3, "595.276 "},
               {1.05, 3, "1.05 "},
               {0.000123, 6, "0.000123 "},
               {32767, 3, "32767 "},
               {-0.25, 3, "-0.25 "}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct buffer out = {0};
    pdf_write_number(&out, CASES[i].value, CASES[i].decimals);
    assert_string_equal(out.bytes, CASES[i].text);
    buffer_free(&out);
  }
}

/* ---- PDF ---------------------------------------------------------------- */

/* Two pages with all that a document has. `title` varies the content. */
static void draw_document(struct device *device,
                          const struct document_info *info) {
  device->begin_document(device, info);
  device->begin_page(device, 300, 200);
  draw_text(device, &HEADING, 20, 170, "Office affluence (größte)");
  device->destination(device, "top", 20, 180);
  draw_text(device, &PARAGRAPH, 20, 150, "The hat ");
  struct box *formula = text_box(FONT_MATH, "x\xCC\x82"
                                            "2");
  formula->tag = &FORMULA;
  device->begin_tag(device, &PARAGRAPH);
  box_draw(formula, device, 60, 150);
  device->end_tag(device);
  draw_text(device, &PARAGRAPH, 90, 150, " is set");
  draw_broken(device, &PARAGRAPH, 20, 100, "The affi");
  draw_text(device, &PARAGRAPH, 20, 88, "nity and more");
  device->begin_tag(device, &FOOT);
  draw_text(device, NULL, 20, 10, "page 1");
  device->end_tag(device);
  device->end_page(device);

  device->begin_page(device, 300, 200);
  draw_text(device, &PARAGRAPH, 20, 170, "davit holds.");
  device->begin_tag(device, &PARAGRAPH);
  draw_text(device, &FORMULA, 90, 170, "77"); /* the formula's second part */
  device->end_tag(device);
  struct box *slanted = text_box(FONT_ITALIC, "Это слово, i");
  slanted->tag = &PARAGRAPH;
  box_draw(slanted, device, 150, 170);
  device->begin_tag(device, &FIGURE);
  device->push_matrix(device, &(struct matrix){0.5, 0, 0, 0.5, 100, 50});
  device->rectangle(device, 0, 0, 40, 40, (struct color){200, 10, 10, 128});
  device->pop(device);
  device->end_tag(device);
  device->link(device, 20, 170, 50, 10, "https://example.org/");
  device->link(device, 20, 150, 50, 10, "#top");
  device->end_page(device);
  device->outline(device, 1, "Top", "top");
  device->outline(device, 3, "Deeper", "top");
  device->outline(device, 2, "Deep", "top");
  device->outline(device, 1, "Again", "top");
  device->end_document(device);
}

static void make_pdf(const struct document_info *info, struct buffer *out) {
  struct device *device = device_pdf_new(fonts);
  struct error err = {{0}};
  draw_document(device, info);
  if (device_finish(device, out, &err) != 0) fail_msg("%s", err.text);
  device_free(device);
}

static bool contains(const struct buffer *out, const char *text) {
  return memmem(out->bytes, out->length, text, strlen(text)) != NULL;
}

static void test_same_calls_same_bytes(void **state) {
  (void)state;
  struct buffer first = {0}, second = {0}, other = {0};
  struct document_info info = INFO;
  unsetenv("SOURCE_DATE_EPOCH");
  make_pdf(&info, &first);
  setenv("TZ", "Asia/Tokyo", 1);
  make_pdf(&info, &second);
  unsetenv("TZ");
  assert_int_equal(first.length, second.length);
  assert_memory_equal(first.bytes, second.bytes, first.length);
  assert_false(contains(&first, "CreationDate"));
  assert_true(contains(&first, "/ID ["));
  assert_true(contains(&first, "<pdfuaid:part>1</pdfuaid:part>"));
  info.title = "Another";
  make_pdf(&info, &other);
  const char *id = memmem(first.bytes, first.length, "/ID [", 5);
  assert_null(memmem(other.bytes, other.length, id, 40));
  buffer_free(&first);
  buffer_free(&second);
  buffer_free(&other);
}

static void test_dates_come_from_the_environment(void **state) {
  (void)state;
  struct buffer out = {0};
  setenv("SOURCE_DATE_EPOCH", "86400", 1);
  make_pdf(&INFO, &out);
  assert_true(contains(&out, "D:19700102000000Z"));
  assert_true(contains(&out, "1970-01-02T00:00:00Z"));
  buffer_free(&out);
  setenv("SOURCE_DATE_EPOCH", "yesterday", 1);
  struct device *device = device_pdf_new(fonts);
  struct error err = {{0}};
  draw_document(device, &INFO);
  assert_int_equal(device_finish(device, &out, &err), -1);
  assert_string_equal(err.text, "SOURCE_DATE_EPOCH: not a count of seconds "
                                "since 1970: yesterday");
  device_free(device);
  buffer_free(&out);
  unsetenv("SOURCE_DATE_EPOCH");
}

static void broken_link(struct device *device) {
  device->link(device, 0, 0, 1, 1, "#nowhere");
}

static void two_destinations(struct device *device) {
  device->destination(device, "here", 0, 0);
  device->destination(device, "here", 0, 1);
}

static void two_ids(struct device *device) {
  static const struct tag first = {.role = TAG_PARAGRAPH, .id = "a"};
  static const struct tag second = {.role = TAG_PARAGRAPH, .id = "a"};
  draw_text(device, &first, 1, 1, "x");
  draw_text(device, &second, 1, 9, "y");
}

static void test_names_must_fit(void **state) {
  (void)state;
  static const struct {
    drawing draw;
    const char *message;
  } CASES[] = {{broken_link,
                "pdf: a link leads to #nowhere, which the document has not"},
               {two_destinations, "pdf: the destination #here is given twice"},
               {two_ids, "pdf: two elements have the id a"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct device *device = device_pdf_new(fonts);
    struct buffer out = {0};
    struct error err = {{0}};
    device->begin_document(device, &INFO);
    device->begin_page(device, 100, 100);
    CASES[i].draw(device);
    device->end_page(device);
    device->end_document(device);
    assert_int_equal(device_finish(device, &out, &err), -1);
    assert_string_equal(err.text, CASES[i].message);
    buffer_free(&out);
    device_free(device);
  }
}

static void test_claims_accessibility_only_where_true(void **state) {
  (void)state;
  static const struct tag nameless = {.role = TAG_FIGURE};
  static const struct tag third = {.role = TAG_H3};
  for (int i = 0; i < 2; i++) {
    struct device *device = device_pdf_new(fonts);
    struct buffer out = {0};
    struct error err = {{0}};
    device->begin_document(device, &INFO);
    device->begin_page(device, 100, 100);
    draw_text(device, i ? &third : &nameless, 1, 1, "x");
    device->end_page(device);
    device->end_document(device);
    assert_int_equal(device_finish(device, &out, &err), 0);
    assert_false(contains(&out, "pdfuaid:part"));
    buffer_free(&out);
    device_free(device);
  }
}

/* ---- read back ---------------------------------------------------------- */

static char pdf_path[300];

/* The output of `command FILE arguments`; skips without the program. */
static void run(const char *program, const char *arguments,
                struct buffer *out) {
  char command[800];
  snprintf(command, sizeof command, "command -v %s >/dev/null", program);
  if (system(command) != 0) {
    printf("skipped: %s is not installed\n", program);
    skip();
  }
  snprintf(command, sizeof command, "LC_ALL=C.UTF-8 %s %s 2>&1", program,
           arguments);
  for (char *at; (at = strstr(command, "FILE"));) {
    char rest[800];
    snprintf(rest, sizeof rest, "%s", at + 4);
    snprintf(at, sizeof command - (size_t)(at - command), "%s%s", pdf_path,
             rest);
  }
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  char bytes[4096];
  size_t count;
  buffer_text(out, "");
  while ((count = fread(bytes, 1, sizeof bytes, pipe)) > 0)
    buffer_add(out, bytes, count);
  int status = pclose(pipe);
  if (status != 0) fail_msg("%s: %s", command, out->bytes);
}

static void expect_output(const char *program, const char *arguments,
                          const char *const *lines) {
  struct buffer out = {0};
  run(program, arguments, &out);
  for (; *lines; lines++)
    if (!contains(&out, *lines))
      fail_msg("\"%s\" is not in:\n%s", *lines, out.bytes);
  buffer_free(&out);
}

static void test_qpdf_finds_nothing(void **state) {
  (void)state;
  expect_output("qpdf", "--check FILE",
                (const char *[]){"PDF Version: 1.7", "No syntax", NULL});
}

static void test_fonts_are_embedded_subsets(void **state) {
  (void)state;
  struct buffer out = {0};
  run("pdffonts", "FILE", &out);
  assert_non_null(strstr(out.bytes, "+TeXGyrePagella-Regular"));
  assert_non_null(strstr(out.bytes, "+TeXGyrePagellaMath-Regular"));
  int rows = 0;
  for (const char *at = out.bytes; (at = strstr(at, "Identity-H")); at++) {
    assert_memory_equal(at, "Identity-H       yes yes yes", 28);
    rows++;
  }
  assert_true(rows >= 2);
  buffer_free(&out);
}

static void test_text_is_extracted(void **state) {
  (void)state;
  expect_output("pdftotext", "FILE -",
                (const char *[]){"Office affluence (größte)", "\\hat{x}^2",
                                 "is set", "The affinity and more",
                                 "Это слово, i", "page 1", NULL});
  struct buffer out = {0};
  run("pdftotext", "FILE -", &out);
  assert_null(strstr(out.bytes, "77")); /* the replacement stands for it */
  buffer_free(&out);
}

static void test_structure_is_read(void **state) {
  (void)state;
  expect_output("pdfinfo", "-struct-text FILE",
                (const char *[]){"H1 (block)", "\"Office affluence (größte)\"",
                                 "P (block)", "Formula", "\"nity and more\"",
                                 "Figure", "Link", NULL});
  struct buffer out = {0};
  run("pdfinfo", "-struct-text FILE", &out);
  assert_null(strstr(out.bytes, "page 1")); /* an artifact */
  assert_null(strstr(out.bytes, "affi-"));  /* the word is not affi-nity */
  buffer_free(&out);
}

static void test_information(void **state) {
  (void)state;
  expect_output("pdfinfo", "FILE",
                (const char *[]){"A title, größer", "A. U. Thor", "one, two",
                                 "Tagged:          yes", "Pages:           2",
                                 NULL});
}

static int write_pdf(void **state) {
  (void)state;
  struct error err = {{0}};
  const char *build = getenv("BUILD");
  snprintf(pdf_path, sizeof pdf_path, "%s/tests/device-%ld.pdf",
           build ? build : "build", (long)getpid());
  if (font_set_load(NULL, &fonts, &err) != 0 ||
      file_make_parents(pdf_path, &err) != 0)
    return -1;
  struct buffer out = {0};
  make_pdf(&INFO, &out);
  int status = file_write(pdf_path, out.bytes, out.length, &err);
  buffer_free(&out);
  return status;
}

static int release(void **state) {
  (void)state;
  unlink(pdf_path);
  font_set_free(fonts);
  arena_free(&arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_trace),
      cmocka_unit_test(test_misuse_is_one_error),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_same_calls_same_bytes),
      cmocka_unit_test(test_dates_come_from_the_environment),
      cmocka_unit_test(test_names_must_fit),
      cmocka_unit_test(test_claims_accessibility_only_where_true),
      cmocka_unit_test(test_qpdf_finds_nothing),
      cmocka_unit_test(test_fonts_are_embedded_subsets),
      cmocka_unit_test(test_text_is_extracted),
      cmocka_unit_test(test_structure_is_read),
      cmocka_unit_test(test_information),
  };
  return cmocka_run_group_tests(tests, write_pdf, release);
}
