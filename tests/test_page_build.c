/* Columns cut into pages, drawn as letters: a page holds ten lines.
 *
 *   l  line          h  heading, kept with what follows
 *   p  line that costs 3000 to begin a page with
 *   f  float of five lines    t  block of five lines that stays
 *   n  line with a note of two lines, with the same note each time: N
 *   r  block of four lines, under a head as high where it begins a page
 *   R  one of five lines, too tall with its head
 *   w  line to write on
 *   /  page break    !  block taller than a page */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report/page.h"
#include "report/paragraph_breaks.h"

static const struct place here = {"t.md", 3, 1};

struct column {
  struct arena arena;
  struct flow flow;
  struct note notes[20];
  struct box *boxes[20];
};

/* The letter of an item is kept in its place's column. */
static struct flow_item item_of(struct arena *arena, char letter, double height,
                                bool is_line) {
  struct flow_item item = {.box = box_rule(arena, 10, height, 0),
                           .height = height,
                           .is_line = is_line,
                           .place = here};
  item.place.column = letter;
  return item;
}

static void add_noted(struct column *c, struct flow_item item, size_t note) {
  const struct note **notes = arena_alloc(&c->arena, sizeof *notes);
  notes[0] = &c->notes[note];
  item.notes = notes;
  item.note_count = 1;
  flow_add(&c->flow, item, 10);
}

static void add_row(struct column *c, char letter, double height) {
  struct flow_item item = item_of(&c->arena, letter, height, false);
  item.repeat = item.box;
  flow_add(&c->flow, item, 0);
}

static void add_letter(struct column *c, char letter, size_t *note) {
  struct flow_item line = item_of(&c->arena, letter, 7, true);
  switch (letter) {
  case 'f':
    flow_add_float(&c->flow, item_of(&c->arena, letter, 50, false));
    return;
  case 't':
  case '!':
    flow_add(&c->flow,
             item_of(&c->arena, letter, letter == 't' ? 50 : 150, false), 0);
    return;
  case 'r':
  case 'R':
    add_row(c, letter, letter == 'r' ? 40 : 50);
    return;
  case 'w': {
    struct flow_item ruled = item_of(&c->arena, letter, 10, false);
    ruled.is_ruled = true;
    flow_add(&c->flow, ruled, 0);
    return;
  }
  case 'n':
    add_noted(c, line, (*note)++);
    return;
  case 'N':
    add_noted(c, line, 0);
    return;
  case '/':
    flow_break_page(&c->flow);
    return;
  case 'p':
    line.penalty = 3000;
    break;
  }
  flow_add(&c->flow, line, 10);
  if (letter == 'h') flow_keep(&c->flow, PENALTY_NEVER);
}

static void make_column(struct column *c, const char *letters) {
  size_t note = 0;
  *c = (struct column){0};
  c->flow.arena = &c->arena;
  for (size_t i = 0; i < 20; i++) {
    c->notes[i].number = (int)i + 1;
    c->boxes[i] = box_rule(&c->arena, 10, 18, 0);
  }
  for (; *letters; letters++)
    add_letter(c, *letters, &note);
}

static int build(struct column *c, struct pages *pages, struct error *err) {
  struct page_options options = {.geometry = {.width = 200,
                                              .height = 200,
                                              .text_width = 100,
                                              .text_height = 97,
                                              .first_baseline = 7},
                                 .arena = &c->arena,
                                 .notes = c->boxes};
  return pages_build(&c->flow, &options, pages, err);
}

/* Nothing overlaps, nothing leaves the page. */
static void check_page(const struct page *page) {
  double bottom = 0;
  for (size_t i = 0; i < page->count; i++) {
    const struct placed *p = &page->items[i];
    if (p->is_deferred) continue;
    double top = p->y - p->item->height;
    if (top < bottom - 1e-9) fail_msg("top %.17g above %.17g", top, bottom);
    bottom = p->y + p->item->depth;
  }
  double floor = page->note_count ? page->rule_y : 97 + 1e-9;
  if (bottom > floor) fail_msg("bottom %.17g below %.17g", bottom, floor);
}

/* Pages as letters, a float that waits in brackets, notes as digits. */
static void expect(const char *letters, const char *expected) {
  struct column c;
  struct pages pages;
  struct error err;
  struct buffer out = {0};
  make_column(&c, letters);
  if (build(&c, &pages, &err) != 0) fail_msg("%s", err.text);
  for (size_t i = 0; i < pages.count; i++) {
    const struct page *page = &pages.pages[i];
    if (i) buffer_char(&out, '|');
    for (size_t k = 0; k < page->count; k++)
      buffer_printf(&out, page->items[k].is_deferred ? "(%c)" : "%c",
                    page->items[k].item->place.column);
    if (page->note_count) buffer_printf(&out, "%zu", page->note_count);
    check_page(page);
  }
  assert_string_equal(out.bytes ? out.bytes : "", expected);
  buffer_free(&out);
  pages_free(&pages);
  flow_free(&c.flow);
  arena_free(&c.arena);
}

static void test_lines(void **state) {
  (void)state;
  expect("", "");
  expect("lll", "lll");
  expect("llllllllll", "llllllllll");
  expect("lllllllllll", "llllllllll|l");
  expect("l/l", "l|l");
  expect("/ll", "ll"); /* no empty page in front */
}

static void test_kept_together(void **state) {
  (void)state;
  expect("lllllllllhll", "lllllllll|hll");
  expect("llllllllhll", "llllllllhl|l");
  expect("lllllllhhhll", "lllllll|hhhll");
  /* One line short is better than the dear break, six lines are not. */
  expect("llllllllllpl", "lllllllll|lpl");
  expect("llllppppppppl", "llllpppppp|ppl");
}

static void test_floats(void **state) {
  (void)state;
  expect("llfll", "llfll");
  expect("lllllllfllllll", "lllllll(f)lll|flll");
  /* They keep their order, and text goes on between. */
  expect("lllllllffllllll", "lllllll(f)(f)lll|flll|f");
  expect("llllllll/fl", "llllllll|fl");
  expect("lllllllf/ll", "lllllll(f)|f|ll");
  expect("llllllltll", "lllllll|tll");
  /* A heading does not stay behind when the float after it waits. */
  expect("lllllllllhfll", "lllllllll|hfll");
  expect("lllllhfll", "lllllh(f)ll|f");
}

static void test_notes(void **state) {
  (void)state;
  expect("lnl", "lnl1");
  expect("lllllllln", "llllllll|n1");
  expect("lnllllllllll", "lnllll1|llllll");
  expect("nNl", "nNl1");
  expect("nnl", "nnl2");
}

static void test_repeated_heads(void **state) {
  (void)state;
  expect("lllllllr", "lllllll|rr");
  /* Below a float that waited there is room for the head alone. */
  expect("lllllllfr", "lllllll(f)|f|rr");
}

static void test_lines_to_write_on(void **state) {
  (void)state;
  expect("lwwww/l", "lwwwwwwww|l");
  expect("lww/lww", "lwwww|lwwww"); /* not more than twice as many */
  expect("lwwlww/l", "lwwwwlwwww|l");
  expect("lwwlwww/l", "lwwwwlwwww|l"); /* those in front first */
  expect("lwwwwlwwww", "lwwwwlwwww");
  expect("lwwwwwwwwwwwww", "lwwwwwwwww|wwwwwwww");
  expect("nww/l", "nwwww1|l"); /* clear of the note */
}

static void expect_too_tall(const char *letters, const char *message) {
  struct column c;
  struct pages pages;
  struct error err;
  make_column(&c, letters);
  assert_int_equal(build(&c, &pages, &err), -1);
  assert_string_equal(err.text, message);
  flow_free(&c.flow);
  arena_free(&c.arena);
}

static void test_too_tall(void **state) {
  (void)state;
  expect_too_tall("ll!l",
                  "t.md:3:33: this is taller than a page (150 pt of 97 pt)");
  expect_too_tall("llllllllR",
                  "t.md:3:82: this is taller than a page (100 pt of 97 pt)");
}

/* Any order of letters ends, and loses or repeats nothing. */
static void test_random_columns(void **state) {
  (void)state;
  uint32_t seed = 5;
  for (int n = 0; n < 400; n++) {
    char letters[61];
    for (int i = 0; i < 60; i++) {
      seed = seed * 1664525u + 1013904223u;
      letters[i] = "lllllllhpftN/"[(seed >> 8) % 13];
    }
    letters[60] = 0;
    struct column c;
    struct pages pages;
    struct error err;
    make_column(&c, letters);
    if (build(&c, &pages, &err) != 0) fail_msg("%s: %s", letters, err.text);
    size_t drawn = 0;
    for (size_t i = 0; i < pages.count; i++) {
      check_page(&pages.pages[i]);
      for (size_t k = 0; k < pages.pages[i].count; k++)
        drawn += !pages.pages[i].items[k].is_deferred;
    }
    assert_int_equal(drawn, c.flow.count);
    pages_free(&pages);
    flow_free(&c.flow);
    arena_free(&c.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_kept_together),
      cmocka_unit_test(test_floats),
      cmocka_unit_test(test_notes),
      cmocka_unit_test(test_repeated_heads),
      cmocka_unit_test(test_lines_to_write_on),
      cmocka_unit_test(test_too_tall),
      cmocka_unit_test(test_random_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
