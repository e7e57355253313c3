/* Articles as PDF, read back by other programs: every word in order across
 * line ends and hyphens, fonts embedded, no complaint; the same bytes always.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/base/file.h"
#include "report/markdown.h"
#include "report/typeset.h"

static char pdf_path[300];

static const char *paragraph =
    "The efficient office affords affluent staff an official, difficult and "
    "different affidavit; normalisation of representations differentiates the "
    "transformer configuration, and an unmistakable characterisation of its "
    "multidimensional behaviour disentangles well-known inconsistencies. ";

static void make_source(struct buffer *out) {
  buffer_text(out, "---\ntitle: Words\nauthor: A. N. Author\n---\n\n");
  for (int section = 1; section <= 12; section++) {
    buffer_printf(out, "# Section %d\n\n", section);
    for (int i = 0; i < 4; i++)
      buffer_text(out, paragraph);
    buffer_printf(out, "\n\nWith $x_{%d} = 1$ and a note.[^n%d]\n\n", section,
                  section);
    buffer_printf(out, "[^n%d]: A note of section %d.\n\n", section, section);
  }
}

static int make_pdf(const char *source, enum typeset_paper paper,
                    struct buffer *out, struct error *err) {
  struct source_map map = {0};
  struct document document;
  struct typeset_options options = {.paper = paper};
  source_map_add_text(&map, 0, (struct place){"t.md", 1, 1}, source,
                      strlen(source));
  if (markdown_parse("t.md", source, strlen(source), &map, &document, err) != 0)
    return -1;
  int status = typeset_pdf(&document, &options, out, NULL, err);
  document_free(&document);
  return status;
}

/* Output of a program that reads the PDF; skips when it is not installed. */
static void run(const char *program, const char *before, const char *after,
                struct buffer *out) {
  char command[800];
  snprintf(command, sizeof command, "command -v %s >/dev/null", program);
  if (system(command) != 0) {
    print_message("skipped: %s is not installed\n", program);
    skip();
  }
  snprintf(command, sizeof command, "LC_ALL=C.UTF-8 %s %s %s %s 2>&1", program,
           before, pdf_path, after);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  char bytes[4096];
  for (size_t n; (n = fread(bytes, 1, sizeof bytes, pipe)) > 0;)
    buffer_add(out, bytes, n);
  buffer_text(out, "");
  if (pclose(pipe) != 0) fail_msg("%s: %s", command, out->bytes);
}

static int write_pdf(void **state) {
  (void)state;
  struct buffer source = {0}, pdf = {0};
  struct error err;
  const char *build = getenv("BUILD");
  snprintf(pdf_path, sizeof pdf_path, "%s/tests/typeset-%ld.pdf",
           build ? build : "build", (long)getpid());
  make_source(&source);
  buffer_text(&source, "Raised: 1.2 × 10⁻⁸, **10²³**.\n");
  int status = make_pdf(source.bytes, PAPER_A4, &pdf, &err);
  if (status == 0) status = file_make_parents(pdf_path, &err);
  if (status == 0) status = file_write(pdf_path, pdf.bytes, pdf.length, &err);
  if (status != 0) print_error("%s\n", err.text);
  buffer_free(&source);
  buffer_free(&pdf);
  return status;
}

static int remove_pdf(void **state) {
  (void)state;
  unlink(pdf_path);
  return 0;
}

static void test_same_bytes(void **state) {
  (void)state;
  struct buffer source = {0}, first = {0}, second = {0}, letter = {0};
  struct error err;
  make_source(&source);
  assert_int_equal(make_pdf(source.bytes, PAPER_A4, &first, &err), 0);
  assert_int_equal(make_pdf(source.bytes, PAPER_A4, &second, &err), 0);
  assert_int_equal(make_pdf(source.bytes, PAPER_LETTER, &letter, &err), 0);
  assert_int_equal(first.length, second.length);
  assert_memory_equal(first.bytes, second.bytes, first.length);
  bool differs = letter.length != first.length ||
                 memcmp(letter.bytes, first.bytes, first.length) != 0;
  assert_true(differs);
  buffer_free(&source);
  buffer_free(&first);
  buffer_free(&second);
  buffer_free(&letter);
}

/* Joins words at soft hyphens and makes every run of white space one space. */
static void normalise(struct buffer *text) {
  size_t n = 0;
  for (size_t i = 0; i < text->length; i++) {
    if (i + 2 < text->length && memcmp(text->bytes + i, "\xc2\xad\n", 3) == 0) {
      i += 2;
      continue;
    }
    bool is_space = strchr(" \n\f", text->bytes[i]) != NULL;
    if (is_space && (n == 0 || text->bytes[n - 1] == ' ')) continue;
    text->bytes[n++] = is_space ? ' ' : text->bytes[i];
  }
  text->bytes[text->length = n] = 0;
}

static void test_words_are_whole(void **state) {
  (void)state;
  struct buffer text = {0};
  run("pdftotext", "", "-", &text);
  normalise(&text);
  size_t found = 0;
  const char *at = text.bytes;
  for (; (at = strstr(at, paragraph)) != NULL; at++)
    found++;
  /* Those that a page's foot divides are not whole. */
  if (found < 40) fail_msg("%zu of 48 whole paragraphs: %s", found, text.bytes);
  assert_non_null(strstr(text.bytes, "Section 12"));
  assert_non_null(strstr(text.bytes, "x_{7} = 1"));
  assert_non_null(strstr(text.bytes, "A note of section 12."));
  buffer_free(&text);
}

/* Superscript figures copy as such, though drawn as usual ones. */
static void test_raised_figures_copy(void **state) {
  struct buffer out = {0};
  (void)state;
  run("pdftotext", "", "-", &out);
  assert_non_null(strstr(out.bytes, "Raised: 1.2 × 10⁻⁸, 10²³."));
  buffer_free(&out);
}

/* The command makes the directories that its outputs lie in. */
static void test_directories_are_made(void **state) {
  char directory[300], path[400], command[2000];
  const char *build = getenv("BUILD");
  struct error err;
  (void)state;
  if (build == NULL) build = "build";
  snprintf(directory, sizeof directory, "%s/tests/typeset-%ld", build,
           (long)getpid());
  snprintf(path, sizeof path, "%s.md", directory);
  static const char source[] = "---\ntitle: Words\n---\nText\n";
  assert_int_equal(file_write(path, source, sizeof source - 1, &err), 0);
  snprintf(command, sizeof command,
           "%s/bin/pinpress typeset %s --pdf %s/a/x.pdf --html %s/b/x.html",
           build, path, directory, directory);
  assert_int_equal(system(command), 0);
  unlink(path);
  static const char *const made[] = {"/a/x.pdf", "/b/x.html", "/a", "/b", ""};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
    snprintf(path, sizeof path, "%s%s", directory, made[i]);
    assert_int_equal(remove(path), 0);
  }
}

static void test_structure(void **state) {
  (void)state;
  struct buffer text = {0};
  run("pdfinfo", "-struct-text", "", &text);
  assert_non_null(strstr(text.bytes, "H1 (block)\n    \"Words\""));
  assert_non_null(strstr(text.bytes, "H2 (block)\n    \"Section 12\""));
  assert_non_null(strstr(text.bytes, "Note"));
  assert_null(strstr(text.bytes, "page 1 of"));
  buffer_free(&text);
}

static void test_other_programs_agree(void **state) {
  (void)state;
  struct buffer check = {0}, fonts = {0}, info = {0};
  run("qpdf", "--check", "", &check);
  assert_null(strstr(check.bytes, "WARNING"));
  run("pdffonts", "", "", &fonts);
  assert_non_null(strstr(fonts.bytes, "yes yes yes"));
  assert_null(strstr(fonts.bytes, " no "));
  run("pdfinfo", "", "", &info);
  assert_non_null(strstr(info.bytes, "Tagged:          yes"));
  assert_null(strstr(info.bytes, "CreationDate"));
  buffer_free(&check);
  buffer_free(&fonts);
  buffer_free(&info);
}

static void refuses(const char *source, const char *message) {
  struct buffer out = {0};
  struct error err = {{0}};
  assert_int_equal(make_pdf(source, PAPER_A4, &out, &err), -1);
  assert_string_equal(err.text, message);
  assert_int_equal(out.length, 0);
}

static void test_refusals(void **state) {
  (void)state;
  refuses("![a](none.svg \"c\"){#fig-a}",
          "t.md:1:1: none.svg: cannot open: No such file or directory");
  refuses("![a](none.png \"c\"){#fig-a}",
          "t.md:1:1: none.png: only SVG figures can be printed");
  refuses("Text \xe4\xb8\xad.", "t.md:1:6: no font has the character U+4E2D "
                                "(\xe4\xb8\xad)");
  refuses("$$\\begin{matrix}a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\"
          "a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a"
          "\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\"
          "\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a\\\\a"
          "\\end{matrix}$$",
          "t.md:1:1: this is taller than a page (660 pt of 650 pt)");
  struct buffer long_text = {0};
  for (int i = 0; i < 200001; i++)
    buffer_text(&long_text, "many words");
  refuses(long_text.bytes, "t.md:1:1: the paragraph is longer than 2000000 "
                           "bytes; divide it");
  buffer_clear(&long_text);
  buffer_text(&long_text, "A $");
  for (int i = 0; i < 4000; i++)
    buffer_text(&long_text, "x+");
  buffer_text(&long_text, "x$.");
  refuses(long_text.bytes, "t.md:1:3: the formula is longer than 20000 bytes "
                           "when read aloud; divide it");
  buffer_free(&long_text);
}

int main(void) {
  struct font_set *fonts;
  struct error err;
  if (font_set_load(NULL, &fonts, &err) != 0) {
    print_message("skipped: %s\n", err.text);
    return 0;
  }
  font_set_free(fonts);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_bytes),
      cmocka_unit_test(test_words_are_whole),
      cmocka_unit_test(test_raised_figures_copy),
      cmocka_unit_test(test_directories_are_made),
      cmocka_unit_test(test_structure),
      cmocka_unit_test(test_other_programs_agree),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, write_pdf, remove_pdf);
}
