/* Shaping: ligatures, kerning, the fallback chain, and its errors. */
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
#include "report/font.h"

static struct font_set *fonts;
static struct arena arena;

static const struct place AT = {"text.md", 3, 5};

static struct glyph_run *shape_with(enum font_face face, unsigned features,
                                    const char *text) {
  struct glyph_run *runs;
  struct error err = {{0}};
  if (font_shape(fonts, &arena, face, 10, features, text, strlen(text), AT,
                 &runs, &err) != 0)
    fail_msg("%s", err.text);
  return runs;
}

static struct glyph_run *shape(enum font_face face, const char *text) {
  return shape_with(face, FONT_PLAIN, text);
}

static void refuses(const char *text, size_t length, const char *message) {
  struct glyph_run *runs;
  struct error err = {{0}};
  assert_int_equal(font_shape(fonts, &arena, FONT_ROMAN, 10, FONT_PLAIN, text,
                              length, AT, &runs, &err),
                   -1);
  assert_string_equal(err.text, message);
}

/* ---- shaping ------------------------------------------------------------ */

static void test_ligature_stands_for_its_letters(void **state) {
  (void)state;
  const struct glyph_run *run = shape(FONT_ROMAN, "affix");
  assert_null(run->next);
  assert_int_equal(run->count, 3); /* a ffi x */
  assert_int_equal(run->glyphs[1].cluster, 1);
  assert_int_equal(run->glyphs[2].cluster, 4);
  assert_int_equal(shape_with(FONT_ROMAN, FONT_NO_LIGATURES, "affix")->count,
                   5);
}

static void test_kerning(void **state) {
  (void)state;
  double pair = font_run_width(shape(FONT_ROMAN, "AV"));
  double apart = font_run_width(shape(FONT_ROMAN, "A")) +
                 font_run_width(shape(FONT_ROMAN, "V"));
  assert_true(pair < apart - 0.3);
}

static void test_width_is_sum_of_advances_and_scales(void **state) {
  (void)state;
  for (enum font_face face = 0; face < FONT_RAISED; face++) {
    const struct glyph_run *run = shape(face, "Wave, fjord; 12.5");
    double sum = 0;
    for (size_t i = 0; i < run->count; i++)
      sum += run->glyphs[i].advance;
    assert_float_equal(sum, run->width, 1e-12);
    struct glyph_run *twice;
    struct error err;
    assert_int_equal(font_shape(fonts, &arena, face, 20, FONT_PLAIN,
                                "Wave, fjord; 12.5", 17, AT, &twice, &err),
                     0);
    assert_float_equal(twice->width, 2 * run->width, 1e-9);
    assert_true(run->height > 0 && run->depth > 0);
  }
}

static void test_combining_marks_join_their_letter(void **state) {
  (void)state;
  const struct glyph_run *run = shape(FONT_ROMAN, "e\xCC\x81t");
  assert_null(run->next);
  assert_int_equal(run->glyphs[0].cluster, 0);
  assert_int_equal(run->glyphs[run->count - 1].cluster, 3);
}

static void test_empty_text_has_no_run(void **state) {
  (void)state;
  assert_null(shape(FONT_ROMAN, ""));
}

static void test_metrics(void **state) {
  (void)state;
  for (enum font_face face = 0; face < FONT_FACES; face++) {
    const struct font_metrics *m = font_metrics(fonts, face);
    assert_true(m->x_height > 0.4 && m->x_height < 0.6);
    assert_true(m->cap_height > m->x_height && m->ascent >= m->cap_height);
    assert_true(m->descent > 0.15 && m->descent < 0.4);
    assert_true(m->space > 0.2 && m->space < 0.7);
    assert_true(m->underline_position > 0 && m->underline_thickness > 0);
  }
}

/* ---- the chain of faces ------------------------------------------------- */

static void test_words_of_other_scripts_keep_one_face(void **state) {
  (void)state;
  static const struct {
    enum font_face face, found;
    const char *word;
  } CASES[] = {{FONT_ROMAN, FONT_SERIF, "Письмо"},
               {FONT_BOLD, FONT_SERIF_BOLD, "Україна"},
               {FONT_ROMAN, FONT_SERIF, "μῆνιν"},
               {FONT_BOLD, FONT_SERIF_BOLD, "και"}, /* no accent in it */
               {FONT_MONO, FONT_MONO, "код"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const struct glyph_run *run = shape(CASES[i].face, CASES[i].word);
    assert_int_equal(run->face, CASES[i].found);
    assert_null(run->next);
  }
  /* a symbol, but a word in Greek text */
  assert_int_equal(shape(FONT_ROMAN, "η")->face, FONT_ROMAN);
  font_set_language(fonts, "el");
  assert_int_equal(shape(FONT_ROMAN, "η")->face, FONT_SERIF);
  font_set_language(fonts, "en");
}

/* As high and as large as a formula has them, and still superscripts. */
static void test_raised_figures(void **state) {
  (void)state;
  const struct glyph_run *run = shape(FONT_ROMAN, "10⁻⁸m");
  const struct glyph_run *raised = run->next, *eight = shape(FONT_ROMAN, "8");
  assert_int_equal(raised->face, FONT_RAISED);
  assert_string_equal(raised->text, "⁻⁸");
  assert_int_equal(raised->count, 2);
  assert_int_equal(raised->glyphs[1].id, eight->glyphs[0].id);
  assert_int_equal(raised->glyphs[1].cluster, 3);
  assert_float_equal(raised->size, 7.4, 1e-9);
  assert_float_equal(raised->glyphs[0].y_offset, 3.54, 1e-9);
  assert_float_equal(raised->height, 3.54 + 0.74 * eight->height, 1e-9);
  assert_int_equal(raised->next->face, FONT_ROMAN);
  assert_int_equal(shape(FONT_BOLD, "²")->face, FONT_RAISED_BOLD);
  assert_int_equal(shape(FONT_ITALIC, "⁺¹²³⁰⁴⁵⁶⁷⁹")->count, 10);
  assert_int_equal(shape(FONT_MONO, "⁸")->face, FONT_MONO);
}

static void test_other_letters_fit_their_neighbours(void **state) {
  (void)state;
  const struct glyph_run *run = shape(FONT_ITALIC, "слово");
  double x_height = font_metrics(fonts, FONT_SERIF)->x_height * run->size;
  assert_float_equal(x_height, font_metrics(fonts, FONT_ITALIC)->x_height * 10,
                     1e-9);
  assert_float_equal(run->slant, 0.2, 0);
  assert_float_equal(shape(FONT_ROMAN, "слово")->slant, 0, 0);
  assert_float_equal(shape(FONT_SERIF, "слово")->size, 10, 0);
}

static void test_symbols_come_from_math(void **state) {
  (void)state;
  const struct glyph_run *run = shape(FONT_ROMAN, "the \xE2\x84\x9D term");
  assert_int_equal(run->face, FONT_ROMAN);
  assert_int_equal(run->next->face, FONT_MATH);
  assert_int_equal(run->next->next->face, FONT_ROMAN);
  assert_string_equal(run->next->text, "\xE2\x84\x9D");
  assert_int_not_equal(shape(FONT_ROMAN, "\xCE\xBE")->face, FONT_SERIF);
}

static void test_european_alphabets(void **state) {
  (void)state;
  /* Polish, Czech, Hungarian, Turkish, Icelandic, Romanian, Latvian, Welsh */
  const char *text = "Zażółć gęślą jaźń, příliš žluťoučký kůň, őrült űrhajó, "
                     "ığdır şişe, þjóð ðæ, țară știință, ķēniņš ļoti, ŵy ŷ";
  for (enum font_face face = FONT_ROMAN; face <= FONT_BOLD_ITALIC; face++) {
    const struct glyph_run *run = shape(face, text);
    assert_int_equal(run->face, face);
    assert_null(run->next);
  }
}

static void test_language_reaches_the_shaper(void **state) {
  (void)state;
  font_set_language(fonts, "tr");
  assert_int_equal(shape(FONT_ROMAN, "fi")->count, 2); /* i keeps its dot */
  font_set_language(fonts, "en");
  assert_int_equal(shape(FONT_ROMAN, "fi")->count, 1);
}

/* ---- errors ------------------------------------------------------------- */

static void test_missing_character_has_its_place(void **state) {
  (void)state;
  refuses("ab\xE4\xB8\xADz", 6,
          "text.md:3:7: no font has the character U+4E2D (\xE4\xB8\xAD)");
  refuses("\t", 1, "text.md:3:5: no font has the character U+0009");
}

static void test_right_to_left_is_refused(void **state) {
  (void)state;
  refuses("a \xD7\x90", 4,
          "text.md:3:7: U+05D0 is of a script that runs from right to left, "
          "which is not supported");
}

static void test_invalid_utf8_has_its_place(void **state) {
  (void)state;
  refuses("ab\xFF", 3, "text.md:3:7: invalid UTF-8");
}

static void test_missing_font_names_its_package(void **state) {
  (void)state;
  struct font_set *none = NULL;
  struct error err = {{0}};
  assert_int_equal(font_set_load("build/no-such", &none, &err), -1);
  assert_string_equal(err.text,
                      "build/no-such/texgyrepagella-regular.otf: font not "
                      "found; install the package fonts-texgyre");
  assert_null(none);
}

static void test_broken_font_is_refused(void **state) {
  (void)state;
  const char *build = getenv("BUILD");
  char directory[256], path[300];
  snprintf(directory, sizeof directory, "%s/tests/fonts-XXXXXX",
           build ? build : "build");
  struct error err = {{0}};
  struct font_set *none = NULL;
  assert_int_equal(file_make_parents(directory, &err), 0);
  assert_non_null(mkdtemp(directory));
  snprintf(path, sizeof path, "%s/texgyrepagella-regular.otf", directory);
  assert_int_equal(file_write(path, "not a font", 10, &err), 0);
  assert_int_equal(font_set_load(directory, &none, &err), -1);
  assert_non_null(strstr(err.text, "not a usable OpenType font"));
  unlink(path);
  rmdir(directory);
}

static int load(void **state) {
  (void)state;
  struct error err;
  return font_set_load(NULL, &fonts, &err);
}

static int release(void **state) {
  (void)state;
  font_set_free(fonts);
  arena_free(&arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ligature_stands_for_its_letters),
      cmocka_unit_test(test_kerning),
      cmocka_unit_test(test_width_is_sum_of_advances_and_scales),
      cmocka_unit_test(test_combining_marks_join_their_letter),
      cmocka_unit_test(test_empty_text_has_no_run),
      cmocka_unit_test(test_metrics),
      cmocka_unit_test(test_words_of_other_scripts_keep_one_face),
      cmocka_unit_test(test_raised_figures),
      cmocka_unit_test(test_other_letters_fit_their_neighbours),
      cmocka_unit_test(test_symbols_come_from_math),
      cmocka_unit_test(test_european_alphabets),
      cmocka_unit_test(test_language_reaches_the_shaper),
      cmocka_unit_test(test_missing_character_has_its_place),
      cmocka_unit_test(test_right_to_left_is_refused),
      cmocka_unit_test(test_invalid_utf8_has_its_place),
      cmocka_unit_test(test_missing_font_names_its_package),
      cmocka_unit_test(test_broken_font_is_refused),
  };
  return cmocka_run_group_tests(tests, load, release);
}
