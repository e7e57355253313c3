/* Paragraphs: every line as wide as it should be, every letter in its place. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/buffer.h"
#include "report/paragraph.h"

static struct font_set *fonts;
static struct hyphenator *hyphenator;
static const struct place nowhere = {"t.md", 1, 1};

static const char *prose =
    "The difference between the efficient and the inefficient office is small: "
    "a waffle offered after a difficult afternoon, a well-meant affidavit, an "
    "artificial flower. Nothing about normalisation is surprising once both "
    "invariances have been written down, and yet the consequences of "
    "forgetting "
    "them are measurable everywhere in the transformer's backward pass.";

/* One cache serves one arena: each paragraph here has its own. */
static struct word_cache *words;

static struct paragraph *start(struct arena *arena, double width, bool ragged) {
  word_cache_free(words);
  words = word_cache_new(fonts, arena);
  struct paragraph_options options = {.fonts = fonts,
                                      .arena = arena,
                                      .words = words,
                                      .hyphenator = hyphenator,
                                      .width = width,
                                      .ragged = ragged};
  return paragraph_new(&options);
}

static struct text_style roman = {
    .face = FONT_ROMAN, .size = 10, .hyphenates = true};

static void collect(const struct box *box, double x, struct buffer *text,
                    double *right) {
  if (box->kind == BOX_RUN) {
    buffer_add(text, box->run->text, box->run->length);
    double end = x + box->run->width;
    size_t last = box->run->count - 1;
    if (box->run->text[box->run->length - 1] == ' ')
      end -= box->run->glyphs[last].advance;
    *right = end;
  }
  for (const struct box *child = box->child; child; child = child->next)
    collect(child, x + child->x, text, right);
}

/* The text of a line, and where its ink's advance ends. */
static double line_text(const struct paragraph_line *line,
                        struct buffer *text) {
  double right = 0;
  collect(line->box, 0, text, &right);
  return right;
}

static void remove_soft_hyphens(struct buffer *text) {
  size_t out = 0;
  for (size_t i = 0; i < text->length; i++) {
    if (i + 1 < text->length && memcmp(text->bytes + i, "\xc2\xad", 2) == 0) {
      i++;
      continue;
    }
    text->bytes[out++] = text->bytes[i];
  }
  text->bytes[text->length = out] = 0;
}

/* At every width: lines full to a hundredth of a point, text unchanged. */
static void test_every_width(void **state) {
  (void)state;
  for (double width = 90; width < 420; width += 7) {
    struct arena arena = {0};
    struct error err;
    struct paragraph *p = start(&arena, width, false);
    struct paragraph_line *lines;
    size_t count;
    assert_int_equal(
        paragraph_text(p, &roman, prose, strlen(prose), nowhere, &err), 0);
    if (paragraph_lines(p, &lines, &count, &err) != 0)
      fail_msg("width %.17g: %s", width, err.text);
    struct buffer text = {0};
    for (size_t i = 0; i < count; i++) {
      double right = line_text(&lines[i], &text);
      bool is_last = i + 1 == count;
      if (fabs(right - width) > 0.01 && !(is_last && right < width))
        fail_msg("width %.17g line %zu ends at %.17g", width, i, right);
    }
    remove_soft_hyphens(&text);
    assert_string_equal(text.bytes, prose);
    buffer_free(&text);
    paragraph_free(p);
    arena_free(&arena);
  }
}

static void expect_lines(const char *text, const struct text_style *style,
                         double width, bool ragged, const char *expected) {
  struct arena arena = {0};
  struct error err = {{0}};
  struct paragraph *p = start(&arena, width, ragged);
  struct paragraph_line *lines;
  size_t count = 0;
  if (paragraph_text(p, style, text, strlen(text), nowhere, &err) != 0 ||
      paragraph_lines(p, &lines, &count, &err) != 0)
    fail_msg("%s", err.text);
  struct buffer out = {0};
  buffer_text(&out, "");
  for (size_t i = 0; i < count; i++) {
    line_text(&lines[i], &out);
    buffer_char(&out, '|');
  }
  assert_string_equal(out.bytes, expected);
  buffer_free(&out);
  paragraph_free(p);
  arena_free(&arena);
}

static void test_spaces_and_breaks(void **state) {
  (void)state;
  struct text_style code = roman;
  code.face = FONT_MONO;
  code.hyphenates = false;
  code.is_code = true;
  expect_lines("", &roman, 100, false, "");
  expect_lines("  \n ", &roman, 100, false, "");
  expect_lines(" one \t two\nthree ", &roman, 300, false, "one two three|");
  expect_lines("see page\xc2\xa0"
               "3 now",
               &roman, 44, true, "see |page 3 |now|");
  expect_lines("1\u00a0\u00d7\u00a010", &roman, 300, false,
               "1\u00a0\u00d7\u00a010|");
  expect_lines("soft\xc2\xadhyphen", &roman, 40, true, "soft\xc2\xad|hyphen|");
  expect_lines("two lines\nhere", &roman, 300, true, "two lines here|");
  expect_lines("report/base/json.h", &code, 60, true, "report/|base/|json.h|");
  /* A word that nothing breaks is broken anywhere, never too long. */
  expect_lines("wwwwwwwwwwwwwwwwwwwwwwww", &roman, 60, true,
               "wwwwwww|wwwwwww|wwwwwww|www|");
}

/* The ligature of an unbroken word survives its places to hyphenate. */
static void test_ligatures(void **state) {
  (void)state;
  struct arena arena = {0};
  struct error err;
  struct paragraph *p = start(&arena, 300, false);
  struct paragraph_line *lines;
  size_t count;
  paragraph_text(p, &roman, "efficient", 9, nowhere, &err);
  assert_int_equal(paragraph_lines(p, &lines, &count, &err), 0);
  assert_int_equal(count, 1);
  const struct glyph_run *run = lines[0].box->child->run;
  assert_string_equal(run->text, "efficient");
  assert_true(run->count < 9);
  paragraph_free(p);
  arena_free(&arena);
}

static void test_scopes(void **state) {
  (void)state;
  struct arena arena = {0};
  struct error err;
  const struct tag link_tag = {.role = TAG_LINK};
  const struct text_scope link = {&link_tag, "https://example.org", NULL};
  struct text_style linked = roman;
  linked.scope = &link;
  struct paragraph *p = start(&arena, 80, false);
  struct paragraph_line *lines;
  size_t count, links = 0;
  paragraph_text(p, &roman, "See the ", 8, nowhere, &err);
  paragraph_text(p, &linked, "whole long account", 18, nowhere, &err);
  paragraph_text(p, &roman, ".", 1, nowhere, &err);
  assert_int_equal(paragraph_lines(p, &lines, &count, &err), 0);
  for (size_t i = 0; i < count; i++)
    for (const struct box *b = lines[i].box->child; b; b = b->next)
      if (b->link) {
        links++;
        assert_ptr_equal(b->tag, &link_tag);
        assert_true(b->width > 10 && b->width <= 80.01);
      }
  assert_int_equal(links, 2); /* one on each line */
  paragraph_free(p);
  arena_free(&arena);
}

static void test_italic_correction(void **state) {
  (void)state;
  struct arena arena = {0};
  struct error err;
  struct text_style italic = roman;
  italic.face = FONT_ITALIC;
  struct paragraph *p = start(&arena, 300, true);
  struct paragraph_line *lines;
  size_t count;
  paragraph_text(p, &italic, "f", 1, nowhere, &err);
  paragraph_text(p, &roman, ")", 1, nowhere, &err);
  assert_int_equal(paragraph_lines(p, &lines, &count, &err), 0);
  const struct box *f = lines[0].box->child, *bracket = f->next;
  assert_true(bracket->x > f->width + 0.1);
  paragraph_free(p);
  arena_free(&arena);
}

static void test_too_wide(void **state) {
  (void)state;
  struct arena arena = {0};
  struct error err;
  struct paragraph *p = start(&arena, 100, false);
  struct paragraph_line *lines;
  size_t count;
  struct place at = {"t.md", 7, 3};
  paragraph_text(p, &roman, "Here ", 5, nowhere, &err);
  struct math_piece wide = {.box = box_rule(&arena, 140, 5, 0)};
  paragraph_maths(p, &wide, NULL, at);
  assert_int_equal(paragraph_lines(p, &lines, &count, &err), -1);
  assert_string_equal(err.text,
                      "t.md:7:3: the line with this formula is 40 pt too long "
                      "for 100 pt; shorten or divide it");
  paragraph_free(p);
  arena_free(&arena);
}

/* The same word is shaped once; another face, size or word is another. */
static void test_word_cache(void **state) {
  (void)state;
  struct arena arena = {0};
  struct error err;
  struct word_cache *cache = word_cache_new(fonts, &arena);
  const struct glyph_run *first[3000], *again;
  for (int i = 0; i < 3000; i++) {
    char word[16];
    int n = snprintf(word, sizeof word, "w%d", i);
    assert_int_equal(word_cache_shape(cache, FONT_ROMAN, 10, 0, word, (size_t)n,
                                      nowhere, &first[i], &err),
                     0);
    assert_string_equal(first[i]->text, word);
  }
  for (int i = 0; i < 3000; i++) {
    char word[16];
    int n = snprintf(word, sizeof word, "w%d", i);
    word_cache_shape(cache, FONT_ROMAN, 10, 0, word, (size_t)n, nowhere, &again,
                     &err);
    assert_ptr_equal(again, first[i]);
  }
  word_cache_shape(cache, FONT_ROMAN, 11, 0, "w1", 2, nowhere, &again, &err);
  assert_true(again->size > 10.5);
  word_cache_shape(cache, FONT_BOLD, 10, 0, "w1", 2, nowhere, &again, &err);
  assert_int_equal(again->face, FONT_BOLD);
  word_cache_free(cache);
  arena_free(&arena);
}

int main(void) {
  struct error err;
  if (font_set_load(NULL, &fonts, &err) != 0) {
    print_message("skipped: %s\n", err.text);
    return 0;
  }
  hyphenator = hyphenator_new("en");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_width),
      cmocka_unit_test(test_spaces_and_breaks),
      cmocka_unit_test(test_ligatures),
      cmocka_unit_test(test_scopes),
      cmocka_unit_test(test_italic_correction),
      cmocka_unit_test(test_too_wide),
      cmocka_unit_test(test_word_cache),
  };
  int status = cmocka_run_group_tests(tests, NULL, NULL);
  word_cache_free(words);
  hyphenator_free(hyphenator);
  font_set_free(fonts);
  return status;
}
