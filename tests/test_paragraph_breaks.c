/* Total-fit line breaking: goldens on letters one unit wide, and properties on
 * random paragraphs. */
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

#include "report/base/buffer.h"
#include "report/base/file.h"
#include "report/base/memory.h"
#include "report/hyphenate.h"
#include "report/paragraph_breaks.h"

struct items {
  struct line_item *at;
  size_t count, room;
};

static void push(struct items *items, struct line_item item) {
  if (items->count == items->room) {
    items->room = items->room ? 2 * items->room : 64;
    items->at = memory_resize(items->at, items->room, sizeof *items->at);
  }
  items->at[items->count++] = item;
}

static void finish(struct items *items) {
  push(items, (struct line_item){LINE_PENALTY, PENALTY_NEVER, false, 0, 0, 0});
  push(items, (struct line_item){LINE_GLUE, 0, false, 0, 1e7, 0});
  push(items, (struct line_item){LINE_PENALTY, PENALTY_FORCED, false, 0, 0, 0});
}

/* Letters are one unit wide, `-` marks where a word may be hyphenated, `=` a
 * place that is dear to break at. */
static struct items items_of(const char *text) {
  struct items items = {0};
  for (const char *c = text; *c; c++) {
    if (*c == ' ')
      push(&items, (struct line_item){LINE_GLUE, 0, false, 1, 0.5, 0.33});
    else if (*c == '-')
      push(&items, (struct line_item){LINE_PENALTY, 50, true, 1, 0, 0});
    else if (*c == '=')
      push(&items,
           (struct line_item){LINE_PENALTY, PENALTY_RELUCTANT, false, 0, 0, 0});
    else
      push(&items, (struct line_item){LINE_BOX, 0, false, 1, 0, 0});
  }
  finish(&items);
  return items;
}

/* The letters of each box come from `text`, whose bytes are the items. */
static void print_lines(const char *text, double width, struct buffer *out) {
  struct items items = items_of(text);
  struct line_options options = {width, 0, 0};
  struct line_breaks breaks;
  line_breaks_find(items.at, items.count, &options, &breaks);
  for (size_t l = 0; l < breaks.count; l++) {
    struct line_break line = breaks.lines[l];
    for (size_t i = line.first; i < line.break_at && text[i]; i++)
      if (!strchr("-=", text[i])) buffer_char(out, text[i]);
    if (line.break_at < strlen(text) && text[line.break_at] == '-')
      buffer_char(out, '-');
    buffer_printf(out, "  %+.2f\n",
                  line_ratio(items.at, line, &options, l == 0));
  }
  line_breaks_free(&breaks);
  free(items.at);
}

static void expect(const char *text, double width, const char *lines) {
  struct buffer out = {0};
  print_lines(text, width, &out);
  assert_string_equal(out.bytes, lines);
  buffer_free(&out);
}

static void test_goldens(void **state) {
  (void)state;
  expect("one", 20, "one  +0.00\n");
  expect("aaa bb cc ddddd", 6, "aaa  +inf\nbb cc  +2.00\nddddd  +0.00\n");
  expect("in olden times when wish-ing still helped one there lived a king", 21,
         "in olden times when  +1.33\nwishing still helped  +1.00\n"
         "one there lived a king  -0.76\n");
  /* A word wider than the line gets a line of its own. */
  expect("a incomprehensible b", 8,
         "a  +inf\nincomprehensible  -inf\nb  +0.00\n");
  /* Dear breaks at need only. */
  expect("in olden times when wish=ing still helped one there lived a king", 21,
         "in olden times when  +1.33\nwishing still helped  +1.00\n"
         "one there lived a king  -0.76\n");
  expect("aaaaaaaa=aaaaaaa", 9, "aaaaaaaa  +inf\naaaaaaa  +0.00\n");
  expect("a bbbb-bbbb c", 8, "a bbbb-  +2.00\nbbbb c  +0.00\n");
}

static uint32_t next_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

static struct items random_paragraph(size_t words, uint32_t seed) {
  struct items items = {0};
  for (size_t w = 0; w < words; w++) {
    if (w) push(&items, (struct line_item){LINE_GLUE, 0, false, 3, 1.5, 1});
    size_t parts = 1 + next_random(&seed) % 3;
    for (size_t p = 0; p < parts; p++) {
      if (p) push(&items, (struct line_item){LINE_PENALTY, 50, true, 3, 0, 0});
      double width = 8 + next_random(&seed) % 20;
      push(&items, (struct line_item){LINE_BOX, 0, false, width, 0, 0});
    }
  }
  finish(&items);
  return items;
}

/* Every box in exactly one line, no line too long, none looser than needed. */
static void test_properties(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= 60; seed++) {
    struct items items = random_paragraph(20 + 5 * seed, seed);
    struct line_options options = {260 + 3 * seed, seed % 3 ? 0 : 15, 0};
    struct line_breaks breaks;
    line_breaks_find(items.at, items.count, &options, &breaks);
    size_t next = 0;
    for (size_t l = 0; l < breaks.count; l++) {
      struct line_break line = breaks.lines[l];
      for (; next < line.first; next++)
        assert_true(items.at[next].kind != LINE_BOX);
      next = line.break_at;
      double ratio = line_ratio(items.at, line, &options, l == 0);
      if (ratio < -1 || ratio > 4)
        fail_msg("seed %u line %zu has ratio %.17g", seed, l, ratio);
    }
    assert_int_equal(next, items.count - 1);
    line_breaks_free(&breaks);
    free(items.at);
  }
}

/* A paragraph of 200,000 words: the active list stays within one line. */
static void test_long_paragraph(void **state) {
  (void)state;
  struct items items = random_paragraph(200000, 7);
  struct line_options options = {400, 0, 0};
  struct line_breaks breaks;
  line_breaks_find(items.at, items.count, &options, &breaks);
  assert_true(breaks.count > 16000);
  line_breaks_free(&breaks);
  free(items.at);
}

static void expect_hyphens(const struct hyphenator *h, const char *word,
                           const char *hyphenated) {
  size_t points[HYPHENATE_POINTS];
  size_t count = hyphenate_points(h, word, strlen(word), points);
  struct buffer out = {0};
  for (size_t i = 0, p = 0; word[i]; i++) {
    if (p < count && points[p] == i) {
      buffer_char(&out, '=');
      p++;
    }
    buffer_char(&out, word[i]);
  }
  assert_string_equal(out.bytes, hyphenated);
  buffer_free(&out);
}

static void test_hyphenation(void **state) {
  (void)state;
  struct hyphenator *h = hyphenator_new("en");
  assert_non_null(h);
  expect_hyphens(h, "hyphenation", "hy=phen=ation");
  expect_hyphens(h, "(Transformer,", "(Trans=former,");
  expect_hyphens(h, "residual-stream", "resid=ual-stream");
  expect_hyphens(h, "LayerNorm", "LayerNorm");
  expect_hyphens(h, "idea", "idea");
  expect_hyphens(h, "na\xc3\xafvet\xc3\xa9s", "na\xc3\xafvet\xc3\xa9s");
  hyphenator_free(h);
  assert_null(hyphenator_new("xx"));
  assert_null(hyphenator_new("../../etc/passwd"));
  assert_null(hyphenator_new(""));
}

/* Patterns in another encoding, for words beyond ASCII, as German's are. */
static void test_encoded_patterns(void **state) {
  (void)state;
  char path[300];
  struct error err;
  const char *build = getenv("BUILD");
  snprintf(path, sizeof path, "%s/tests/hyphen-%ld.dic",
           build ? build : "build", (long)getpid());
  const char *patterns = "ISO8859-1\n.\xfc"
                         "1b\n\xe4"
                         "1r\n";
  assert_int_equal(file_make_parents(path, &err), 0);
  assert_int_equal(file_write(path, patterns, strlen(patterns), &err), 0);
  struct hyphenator *h = hyphenator_read(path);
  unlink(path);
  assert_non_null(h);
  expect_hyphens(h, "Popul\xc3\xa4rer", "Popul\xc3\xa4=rer");
  expect_hyphens(h,
                 "\xc3\x9c"
                 "berall",
                 "\xc3\x9c"
                 "berall"); /* 1 letter */
  expect_hyphens(h, "\xce\xb1\xce\xb2\xce\xb3\xce\xb4\xce\xb5",
                 "\xce\xb1\xce\xb2\xce\xb3\xce\xb4\xce\xb5");
  hyphenator_free(h);
  assert_null(hyphenator_read("build/none.dic"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_goldens),
      cmocka_unit_test(test_properties),
      cmocka_unit_test(test_long_paragraph),
      cmocka_unit_test(test_hyphenation),
      cmocka_unit_test(test_encoded_patterns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
