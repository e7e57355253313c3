/* Maths layout: formulas and their boxes as text (tests/spec/layout), and what
 * must hold for every formula.
 *
 * A spec case is a title, D or T (display or text style) with the formula, and
 * after `--` the box: its width, height and depth at 10 pt, then the drawing
 * calls from its reference point. What was found instead is written to
 * build/tests/layout/ when a case fails. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <hb.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/math.h"
#include "report/math_layout.h"
#include "report/math_symbols.h"

static struct font_set *fonts;
static struct source_map map; /* of the formula parsed last */

static void parse(const char *tex, bool display, struct arena *arena,
                  struct math_formula *out) {
  struct error err = {{0}};
  source_map_free(&map);
  map = (struct source_map){0};
  source_map_add_text(&map, 0, (struct place){"f.md", 1, 1}, tex, strlen(tex));
  if (math_parse(tex, strlen(tex), display, &map, 0, arena, out, &err) != 0)
    fail_msg("%s: %s", tex, err.text);
}

static struct math_options options(struct arena *arena, bool display) {
  return (struct math_options){fonts, arena, 10, display};
}

static struct box *layout(const char *tex, bool display, struct arena *arena) {
  struct math_formula formula;
  struct error err = {{0}};
  struct box *box;
  parse(tex, display, arena, &formula);
  struct math_options o = options(arena, display);
  if (math_layout(&formula, &o, &box, &err) != 0)
    fail_msg("%s: %s", tex, err.text);
  return box;
}

/* ---- spec files --------------------------------------------------------- */

/* Drawn a page up, so that no coordinate is negative; printed from the box. */
static void trace(struct box *box, struct buffer *out) {
  struct device *device = device_trace_new();
  struct buffer all = {0};
  struct error err = {{0}};
  struct document_info info = {0};
  buffer_printf(out, "box %.2f %.2f %.2f\n", box->width, box->height,
                box->depth);
  device->begin_document(device, &info);
  device->begin_page(device, 1, 1);
  box_draw(box, device, 0, 0);
  device->end_page(device);
  device->end_document(device);
  if (device_finish(device, &all, &err) != 0) fail_msg("%s", err.text);
  const char *first = strstr(all.bytes, "page 1.00 1.00\n") + 15;
  buffer_add(out, first, (size_t)(strstr(first, "end page\n") - first));
  buffer_free(&all);
  device_free(device);
}

/* Append the line at *at without its newline and move behind it. */
static void take_line(const char **at, struct buffer *out) {
  const char *end = strchr(*at, '\n');
  assert_non_null(end);
  buffer_clear(out);
  buffer_add(out, *at, (size_t)(end - *at));
  *at = end + 1;
}

/* The specs hold glyph numbers of one release of the font. */
static void need_known_font(void) {
  hb_face_t *face = hb_font_get_face(font_hb(fonts, FONT_MATH));
  if (hb_face_get_glyph_count(face) == 4246) return;
  printf("skipped: another release of TeX Gyre Pagella Math\n");
  skip();
}

static void run_spec(const char *name) {
  need_known_font();
  char path[128];
  struct buffer file = {0}, found = {0}, title = {0}, tex = {0}, line = {0};
  struct error err = {{0}};
  snprintf(path, sizeof path, "tests/spec/layout/%s.txt", name);
  if (file_read(path, &file, &err) != 0) fail_msg("%s", err.text);
  for (const char *at = file.bytes; *at;) {
    struct arena arena = {0};
    take_line(&at, &title);
    assert_memory_equal(title.bytes, "== ", 3);
    take_line(&at, &tex);
    take_line(&at, &line);
    assert_string_equal(line.bytes, "--");
    buffer_printf(&found, "%s\n%s\n--\n", title.bytes, tex.bytes);
    trace(layout(tex.bytes + 2, tex.bytes[0] == 'D', &arena), &found);
    while (*at && strncmp(at, "== ", 3) != 0)
      take_line(&at, &line);
    arena_free(&arena);
  }
  if (strcmp(found.bytes, file.bytes) != 0) {
    const char *build = getenv("BUILD");
    snprintf(path, sizeof path, "%s/tests/layout/%s.txt",
             build ? build : "build", name);
    assert_int_equal(file_make_parents(path, &err), 0);
    assert_int_equal(file_write(path, found.bytes, found.length, &err), 0);
    fail_msg("tests/spec/layout/%s.txt differs from %s", name, path);
  }
  buffer_free(&file);
  buffer_free(&found);
  buffer_free(&title);
  buffer_free(&tex);
  buffer_free(&line);
}

static void test_styles(void **state) {
  (void)state;
  run_spec("styles");
}

static void test_spacing(void **state) {
  (void)state;
  run_spec("spacing");
}

static void test_scripts(void **state) {
  (void)state;
  run_spec("scripts");
}

static void test_accents(void **state) {
  (void)state;
  run_spec("accents");
}

static void test_delimiters(void **state) {
  (void)state;
  run_spec("delimiters");
}

static void test_roots(void **state) {
  (void)state;
  run_spec("roots");
}

static void test_tables(void **state) {
  (void)state;
  run_spec("tables");
}

static void test_fonts(void **state) {
  (void)state;
  run_spec("fonts");
}

/* ---- properties --------------------------------------------------------- */

static const char *const FORMULAS[] = {
    "\\nabla_x L = (\\partial u/\\partial x)^\\top \\nabla_u L",
    "\\sigma = \\sqrt{v + \\epsilon}",
    "\\hat x = (x - \\mu\\mathbf{1})/\\sigma",
    "y = \\gamma\\odot\\hat x + \\beta",
    "P = I - \\tfrac1n\\mathbf{1}\\mathbf{1}^\\top",
    ("\\frac{\\partial v}{\\partial x_j} = \\frac1n\\sum_i 2(x_i-\\mu)"
     "\\Big(\\frac{\\partial x_i}{\\partial x_j} - "
     "\\frac{\\partial\\mu}{\\partial x_j}\\Big)"),
    "x_i \\mapsto \\gamma_i(x_i - \\mu)/\\sigma + \\beta_i",
    "r = \\sqrt{\\tfrac1n\\sum_i x_i^2 + \\epsilon}",
    "\\Big\\|\\frac{a}{b}\\Big\\|^2 \\le \\prod_{k=1}^K \\lvert c_k \\rvert",
    ("A = \\begin{bmatrix}1&0\\\\0&1\\end{bmatrix}, \\quad "
     "\\underbrace{a+b}_{\\text{sum}} \\ne \\overline{c}"),
};
enum { FORMULA_COUNT = sizeof FORMULAS / sizeof *FORMULAS };

/* Highest and lowest point of glyphs and rules, from the reference point. */
static void extent(const struct box *box, double x, double y, double *top,
                   double *bottom, double *right) {
  if (box->kind != BOX_LIST) {
    *top = fmax(*top, y + box->height);
    *bottom = fmin(*bottom, y - box->depth);
    *right = fmax(*right, x + box->width);
  }
  for (const struct box *child = box->child; child; child = child->next)
    extent(child, x + child->x, y + child->y, top, bottom, right);
}

static void test_box_covers_what_it_draws(void **state) {
  (void)state;
  for (size_t i = 0; i < 2 * FORMULA_COUNT; i++) {
    struct arena arena = {0};
    const struct box *box = layout(FORMULAS[i / 2], i % 2, &arena);
    double top = 0, bottom = 0, right = 0;
    extent(box, 0, 0, &top, &bottom, &right);
    if (top > box->height + 1e-9 || -bottom > box->depth + 1e-9 ||
        right > box->width + 0.5)
      fail_msg("%s: ink to %.17g %.17g %.17g, box %.17g %.17g %.17g",
               FORMULAS[i / 2], right, top, -bottom, box->width, box->height,
               box->depth);
    arena_free(&arena);
  }
}

static void test_pieces_add_up_to_the_formula(void **state) {
  (void)state;
  for (size_t i = 0; i < FORMULA_COUNT; i++) {
    struct arena arena = {0};
    struct math_formula formula;
    struct math_piece *piece;
    struct error err;
    const struct box *whole = layout(FORMULAS[i], false, &arena);
    parse(FORMULAS[i], false, &arena, &formula);
    struct math_options o = options(&arena, false);
    assert_int_equal(math_layout_pieces(&formula, &o, &piece, &err), 0);
    double width = 0;
    for (; piece; piece = piece->next) {
      width += piece->box->width + piece->space;
      if (!piece->next) assert_float_equal(piece->space, 0, 0);
    }
    assert_float_equal(width, whole->width, 1e-9);
    arena_free(&arena);
  }
}

static void test_breaks_stand_behind_operators(void **state) {
  (void)state;
  struct arena arena = {0};
  struct math_formula formula;
  struct math_piece *piece;
  struct error err;
  parse("a=b+(c-d)", false, &arena, &formula);
  struct math_options o = options(&arena, false);
  assert_int_equal(math_layout_pieces(&formula, &o, &piece, &err), 0);
  static const struct {
    int penalty;
    double space, stretch, shrink; /* mu */
  } EXPECTED[] = {{MATH_NO_BREAK, 5, 2.5, 0},
                  {MATH_BREAK_RELATION, 5, 2.5, 0},
                  {MATH_NO_BREAK, 4, 2, 2},
                  {MATH_BREAK_BINARY, 4, 2, 2},
                  {MATH_NO_BREAK, 4, 2, 2},
                  {MATH_BREAK_BINARY + MATH_BREAK_NESTED, 4, 2, 2}};
  for (size_t i = 0; i < 6; i++, piece = piece->next) {
    double mu = 10.0 / 18;
    assert_int_equal(piece->penalty, EXPECTED[i].penalty);
    assert_float_equal(piece->space, EXPECTED[i].space * mu, 1e-9);
    assert_float_equal(piece->stretch, EXPECTED[i].stretch * mu, 1e-9);
    assert_float_equal(piece->shrink, EXPECTED[i].shrink * mu, 1e-9);
  }
  assert_null(piece->next);
  arena_free(&arena);
}

/* Fences cover 901/1000 of any height, and grow with it. */
static void test_fences_cover_their_formula(void **state) {
  (void)state;
  double before = 0;
  for (int rows = 1; rows <= 40; rows++) {
    struct arena arena = {0};
    struct buffer tex = {0};
    buffer_text(&tex, "\\left(\\begin{matrix}1");
    for (int i = 1; i < rows; i++)
      buffer_text(&tex, "\\\\1");
    buffer_text(&tex, "\\end{matrix}\\right)");
    struct box *box = layout(tex.bytes, true, &arena);
    const struct box *fence = box->child->child, *body = fence->next;
    double fence_height = fence->height + fence->depth;
    double body_height = body->height + body->depth;
    double short_by = fmin(body_height * 0.099, 5);
    if (fence_height < body_height - short_by - 0.1 || fence_height < before)
      fail_msg("%d rows: fence %.17g, formula %.17g", rows, fence_height,
               body_height);
    assert_true(fence_height < body_height + 12);
    before = fence_height;
    buffer_free(&tex);
    arena_free(&arena);
  }
}

static void test_size_scales_everything(void **state) {
  (void)state;
  struct arena arena = {0};
  struct math_formula formula;
  struct box *small, *large;
  struct error err;
  parse(FORMULAS[7], true, &arena, &formula);
  struct math_options o = options(&arena, true);
  assert_int_equal(math_layout(&formula, &o, &small, &err), 0);
  o.size = 30;
  assert_int_equal(math_layout(&formula, &o, &large, &err), 0);
  assert_float_equal(large->width, 3 * small->width, 1e-9);
  assert_float_equal(large->height, 3 * small->height, 1e-9);
  arena_free(&arena);
}

static void test_fraction_bar_lies_on_the_axis(void **state) {
  (void)state;
  struct arena arena = {0};
  const struct box *box = layout("\\frac ab", true, &arena);
  const struct box *bar = box->child->child->next;
  assert_int_equal(bar->kind, BOX_RULE);
  assert_float_equal(bar->y, 2.5, 1e-9); /* Pagella: 0.25 em */
  assert_float_equal(bar->height, bar->depth, 1e-12);
  arena_free(&arena);
}

/* As deep as the parser lets through. */
static void test_nested_to_the_limit(void **state) {
  (void)state;
  static const char *const OPEN[] = {"\\frac{1}{", "\\sqrt{", "\\left(", "x^{"};
  static const char *const CLOSE[] = {"}", "}", "\\right)", "}"};
  for (int kind = 0; kind < 4; kind++) {
    struct arena arena = {0};
    struct buffer tex = {0};
    int depth = MATH_DEPTH / 4;
    for (int i = 0; i < depth; i++)
      buffer_text(&tex, OPEN[kind]);
    buffer_text(&tex, "1");
    for (int i = 0; i < depth; i++)
      buffer_text(&tex, CLOSE[kind]);
    const struct box *box = layout(tex.bytes, true, &arena);
    assert_true(isfinite(box->width) && box->width > 0);
    buffer_free(&tex);
    arena_free(&arena);
  }
}

/* x^\displaystyle: TeX too takes the command for the script. */
static void test_style_command_as_script(void **state) {
  (void)state;
  struct arena arena = {0};
  const struct box *bare = layout("x", false, &arena);
  const struct box *box = layout("x^\\displaystyle", false, &arena);
  assert_true(box->width > bare->width - 1e-9 && box->width < 10);
  arena_free(&arena);
}

static void check_code(uint32_t code, const char *what, enum math_font font) {
  uint32_t styled = math_styled_code(code, font);
  if (!font_has(fonts, FONT_MATH, styled))
    fail_msg("%s: U+%04X, shown as U+%04X in alphabet %d, is not in the font",
             what, (unsigned)code, (unsigned)styled, (int)font);
}

/* No formula that the parser takes lacks a glyph of Pagella Math. */
static void test_font_has_all_symbols(void **state) {
  (void)state;
  size_t commands = 0;
  for (uint32_t code = 0x21; code < 0x30000; code++) {
    const struct math_command *command = math_command_of_code(code);
    uint32_t typed;
    enum math_class class;
    if (command && command->kind <= COMMAND_LARGE) {
      check_code(code, command->name, MATH_UPRIGHT);
      commands++;
    }
    if (math_character(code, &typed, &class))
      check_code(typed, "typed", MATH_UPRIGHT);
    bool letter = math_is_latin(code) || math_is_small_greek(code) ||
                  math_is_capital_greek(code) || math_is_digit(code);
    for (int font = 0; letter && font <= MATH_MONO; font++)
      check_code(code, "letter", (enum math_font)font);
    if (math_negated(code)) check_code(math_negated(code), "not", MATH_UPRIGHT);
  }
  assert_true(commands > 100);
}

static void test_missing_character_has_its_place(void **state) {
  (void)state;
  struct arena arena = {0};
  struct math_formula formula;
  struct error err = {{0}};
  struct box *box;
  parse("a + \\text{\xE4\xB8\xAD}", false, &arena, &formula);
  struct math_options o = options(&arena, false);
  assert_int_equal(math_layout(&formula, &o, &box, &err), -1);
  assert_non_null(strstr(err.text, "f.md:1:"));
  assert_non_null(strstr(err.text, "no font has the character U+4E2D"));
  arena_free(&arena);
}

static int load(void **state) {
  (void)state;
  struct error err;
  return font_set_load(NULL, &fonts, &err);
}

static int release(void **state) {
  (void)state;
  font_set_free(fonts);
  source_map_free(&map);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_styles),
      cmocka_unit_test(test_spacing),
      cmocka_unit_test(test_scripts),
      cmocka_unit_test(test_accents),
      cmocka_unit_test(test_delimiters),
      cmocka_unit_test(test_roots),
      cmocka_unit_test(test_tables),
      cmocka_unit_test(test_fonts),
      cmocka_unit_test(test_box_covers_what_it_draws),
      cmocka_unit_test(test_pieces_add_up_to_the_formula),
      cmocka_unit_test(test_breaks_stand_behind_operators),
      cmocka_unit_test(test_fences_cover_their_formula),
      cmocka_unit_test(test_size_scales_everything),
      cmocka_unit_test(test_fraction_bar_lies_on_the_axis),
      cmocka_unit_test(test_nested_to_the_limit),
      cmocka_unit_test(test_style_command_as_script),
      cmocka_unit_test(test_font_has_all_symbols),
      cmocka_unit_test(test_missing_character_has_its_place),
  };
  return cmocka_run_group_tests(tests, load, release);
}
