/* Formulas: TeX in, MathML and readings out; what is refused, and where. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/math_mathml.h"
#include "report/math_symbols.h"
#include "tests/spec_cases.h"

static int parse(const char *text, size_t length, bool display,
                 struct source_map *map, struct arena *arena,
                 struct math_formula *out, struct error *err) {
  source_map_add_text(map, 0, (struct place){"t.md", 1, 1}, text, length);
  return math_parse(text, length, display, map, 0, arena, out, err);
}

/* Without the outermost element: <math>, or <span> around several. */
static void add_inside(const struct math_formula *formula, struct buffer *out) {
  struct buffer whole = {0};
  math_mathml(formula, &whole);
  const char *inside = strchr(whole.bytes, '>') + 1;
  size_t end = whole.length;
  while (whole.bytes[end - 1] != '<')
    end--;
  buffer_add(out, inside, end - 1 - (size_t)(inside - whole.bytes));
  buffer_free(&whole);
}

/* Cases whose name ends with "inline" are inline formulas. */
static void render(const char *name, const char *input, size_t length,
                   struct buffer *out, bool reading) {
  struct source_map map = {0};
  struct arena arena = {0};
  struct math_formula formula;
  struct error err;
  bool display = strstr(name, "inline") == NULL;
  if (parse(input, length, display, &map, &arena, &formula, &err) != 0) {
    buffer_text(out, err.text);
  } else if (reading) {
    math_speak(&formula, out);
  } else {
    add_inside(&formula, out);
  }
  arena_free(&arena);
  source_map_free(&map);
}

static void render_mathml(const char *name, const char *input, size_t length,
                          struct buffer *out) {
  render(name, input, length, out, false);
}

static void render_reading(const char *name, const char *input, size_t length,
                           struct buffer *out) {
  render(name, input, length, out, true);
}

static void test_mathml(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/math/mathml.txt", render_mathml) > 30);
}

static void test_readings(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/math/readings.txt", render_reading) > 10);
}

static void test_errors(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/math/errors.txt", render_mathml) > 25);
}

/* Every command is found by its name, so the table is in order. */
static void test_table_is_sorted(void **state) {
  (void)state;
  static const char *const names[] = {
      " ", "!",   "Bigg", "alpha",        "Vert",  "zeta", "{", "|",
      "}", "sum", "frac", "operatorname", "wedge", "xi",   "_", "lvert"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const struct math_command *command =
        math_command_find(names[i], strlen(names[i]));
    assert_non_null(command);
    assert_string_equal(command->name, names[i]);
  }
  assert_null(math_command_find("fra", 3));
  assert_null(math_command_find("fracs", 5));
}

static void test_alphabets(void **state) {
  (void)state;
  assert_int_equal(math_styled_code('x', MATH_ITALIC), 0x1D465);
  assert_int_equal(math_styled_code('h', MATH_ITALIC), 0x210E);
  assert_int_equal(math_styled_code('R', MATH_BLACKBOARD), 0x211D);
  assert_int_equal(math_styled_code('1', MATH_BOLD), 0x1D7CF);
  assert_int_equal(math_styled_code('L', MATH_CALLIGRAPHIC), 0x2112);
  assert_int_equal(math_styled_code(0x3C3, MATH_ITALIC), 0x1D70E);
  assert_int_equal(math_styled_code(0x3F5, MATH_ITALIC), 0x1D716);
  assert_int_equal(math_styled_code(0x2202, MATH_ITALIC), 0x1D715);
  assert_int_equal(math_styled_code('+', MATH_BOLD), '+');
}

/* Random formulas from pieces that nest, and random bytes: a tree or one clear
 * line, never a crash; what is read is written as balanced MathML. */
static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static void random_formula(uint64_t *state, struct buffer *out) {
  static const char *const pieces[] = {"{",
                                       "}",
                                       "x",
                                       "^",
                                       "_",
                                       "\\frac",
                                       "\\sqrt",
                                       "[",
                                       "]",
                                       "\\left(",
                                       "\\right)",
                                       "\\hat",
                                       "&",
                                       "\\\\",
                                       "\\text{a b}",
                                       "\\sum",
                                       "'",
                                       "12.5",
                                       "+",
                                       "-",
                                       "=",
                                       "\\mathbf",
                                       "\\big|",
                                       "\\displaystyle",
                                       " ",
                                       "\\begin{cases}",
                                       "\\end{cases}",
                                       "\\begin{aligned}",
                                       "\\end{aligned}",
                                       "\\limits",
                                       "\\underbrace",
                                       "\\operatorname{f}"};
  size_t count = 1 + next_random(state) % 30;
  buffer_clear(out);
  for (size_t i = 0; i < count; i++)
    buffer_text(out,
                pieces[next_random(state) % (sizeof pieces / sizeof *pieces)]);
}

static size_t count_text(const char *text, const char *part) {
  size_t count = 0;
  while ((text = strstr(text, part)) != NULL)
    count++, text++;
  return count;
}

static void check_random(const struct buffer *text, size_t *accepted) {
  struct source_map map = {0};
  struct arena arena = {0};
  struct math_formula formula;
  struct buffer out = {0};
  struct error err = {""};
  if (parse(text->bytes, text->length, true, &map, &arena, &formula, &err) !=
      0) {
    assert_memory_equal(err.text, "t.md:", 5);
  } else {
    ++*accepted;
    math_mathml(&formula, &out);
    size_t opened = count_text(out.bytes, "<m"),
           closed = count_text(out.bytes, "</m");
    if (opened != closed + count_text(out.bytes, "\"/>"))
      fail_msg("%s: unbalanced %s", text->bytes, out.bytes);
  }
  buffer_free(&out);
  arena_free(&arena);
  source_map_free(&map);
}

static void test_random_formulas(void **state) {
  (void)state;
  struct buffer text = {0};
  uint64_t seed = 1;
  size_t accepted = 0;
  for (int i = 0; i < 20000; i++) {
    random_formula(&seed, &text);
    check_random(&text, &accepted);
  }
  for (int i = 0; i < 5000; i++) {
    buffer_clear(&text);
    for (size_t n = next_random(&seed) % 12 + 1; n > 0; n--)
      buffer_char(&text, (char)(next_random(&seed) % 255 + 1));
    check_random(&text, &accepted);
  }
  assert_true(accepted > 500);
  buffer_free(&text);
}

static void test_deep_nesting(void **state) {
  (void)state;
  static const char *const pieces[] = {
      "{", "\\sqrt", "\\left(", "\\hat ", "\\frac", "\\begin{cases}", "x^{"};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    struct buffer text = {0};
    struct source_map map = {0};
    struct arena arena = {0};
    struct math_formula formula;
    struct error err;
    for (int j = 0; j < 100000; j++)
      buffer_text(&text, pieces[i]);
    assert_int_equal(
        parse(text.bytes, text.length, true, &map, &arena, &formula, &err), -1);
    assert_non_null(strstr(err.text, "nested deeper than 60 levels"));
    buffer_free(&text);
    arena_free(&arena);
    source_map_free(&map);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mathml),
      cmocka_unit_test(test_readings),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_table_is_sorted),
      cmocka_unit_test(test_alphabets),
      cmocka_unit_test(test_random_formulas),
      cmocka_unit_test(test_deep_nesting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
