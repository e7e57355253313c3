/* Problem sets: what is read from a file, what pages are made of it, what is
 * refused (tests/spec/problems). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/typeset.h"
#include "tests/problem_set_support.h"
#include "tests/spec_cases.h"

/* ---- a document as lines of text ------------------------------------------*/

static void put_blocks(const struct block *blocks, int depth,
                       struct buffer *out);

static void put_spans(const struct span *spans, struct buffer *out) {
  for (const struct span *span = spans; span != NULL; span = span->next) {
    if (span->type == SPAN_LINK) {
      buffer_char(out, '[');
      put_spans(span->child, out);
      buffer_printf(out, "](%s)", span->url != NULL ? span->url : "");
    } else if (span->type == SPAN_EMPHASIS || span->type == SPAN_STRONG) {
      const char *sign = span->type == SPAN_STRONG ? "**" : "*";
      buffer_text(out, sign);
      put_spans(span->child, out);
      buffer_text(out, sign);
    } else if (span->type == SPAN_NOTE) {
      buffer_printf(out, "^%d.%zu", span->note->number, span->occurrence);
    } else if (span->type == SPAN_CITATION) {
      buffer_printf(out, "@%d.%zu", span->reference->number, span->occurrence);
    } else if (span->type == SPAN_MATHS) {
      buffer_printf(out, "$%s$", span->formula->source);
    } else {
      buffer_text(out, span->type == SPAN_SOFT_BREAK ? " " : span->text);
    }
  }
}

static const char *name_of(const struct block *block) {
  static const char *const names[] = {"heading", "",       "list",      "item",
                                      "quote",   "code",   "rule",      "table",
                                      "maths",   "figure", "refs",      "group",
                                      "fold",    "break",  "work space"};
  return names[block->type];
}

static void put_block(const struct block *block, int depth,
                      struct buffer *out) {
  buffer_printf(out, "%*s%s", 2 * depth, "", name_of(block));
  if (block->level > 0) buffer_printf(out, " %d", block->level);
  if (block->type == BLOCK_LIST && block->steps) buffer_text(out, " of steps");
  if (block->is_crossed) buffer_text(out, " crossed");
  if (block->type == BLOCK_WORK_SPACE) buffer_printf(out, " %d", block->lines);
  if (block->id != NULL) buffer_printf(out, " #%s", block->id);
  if (block->spans != NULL && *name_of(block) != 0) buffer_text(out, ": ");
  put_spans(block->spans, out);
  if (block->aside != NULL) buffer_text(out, " | ");
  put_spans(block->aside, out);
  buffer_char(out, '\n');
  put_blocks(block->child, depth + 1, out);
}

static void put_blocks(const struct block *blocks, int depth,
                       struct buffer *out) {
  for (; blocks != NULL; blocks = blocks->next)
    put_block(blocks, depth, out);
}

static void put_notes(const struct document *page, struct buffer *out) {
  for (size_t i = 0; i < page->note_count; i++) {
    buffer_printf(out, "note %d, %zu marks\n", page->notes[i]->number,
                  page->notes[i]->marks);
    put_blocks(page->notes[i]->blocks, 1, out);
  }
  for (size_t i = 0; i < page->reference_count; i++) {
    const struct reference *entry = page->references[i];
    buffer_printf(out, "reference %d, %zu marks: ", entry->number,
                  entry->marks);
    put_spans(entry->spans, out);
    buffer_char(out, '\n');
  }
}

/* ---- spec files -----------------------------------------------------------*/

static void put_set(const struct problem_set *set, struct buffer *out) {
  for (size_t i = 0; i < set->count; i++) {
    const struct problem *problem = &set->problems[i];
    buffer_printf(out, "%d #%s: ", problem->number, problem->heading->id);
    put_spans(problem->title, out);
    buffer_printf(out, " | %d dots", problem->difficulty);
    if (problem->points != NULL)
      buffer_printf(out, ", %s = %g", problem->points, problem->worth);
    buffer_char(out, '\n');
    put_blocks(problem->statement, 1, out);
    buffer_text(out, "  answer\n");
    put_blocks(problem->answer, 2, out);
    buffer_text(out, "  solution\n");
    put_blocks(problem->solution, 2, out);
  }
}

static void put_missed(const struct problem_set *set, struct buffer *out) {
  for (size_t i = 0; i < set->count; i++)
    if (set->problems[i].is_missed) buffer_printf(out, "missed: %zu\n", i + 1);
}

/* The case's name says what is printed: "read", or a page, with a choice and
 * perhaps "renumber": "key 3,1 renumber". */
static int print_case(const char *name, struct problem_set *set,
                      struct buffer *out, struct error *err) {
  static const char *const pages[] = {"set", "problems", "key", "solutions",
                                      "html"};
  char page[16] = "", list[32] = "", more[16] = "";
  sscanf(name, "%15s %31s %15s", page, list, more);
  if (*list != 0 && *list != '-' &&
      problem_set_choose(set, list, strcmp(more, "renumber") == 0,
                         (struct place){"--only", 0, 0}, err) != 0)
    return -1;
  if (strcmp(page, "read") == 0) put_set(set, out);
  for (int i = 0; i < 5; i++) {
    struct document document;
    if (strcmp(page, pages[i]) != 0) continue;
    problem_set_assemble(set, (enum problem_page)i, 3, &document);
    put_blocks(document.blocks, 0, out);
    put_notes(&document, out);
    put_missed(set, out);
  }
  return 0;
}

static void render(const char *name, const char *input, size_t length,
                   struct buffer *out) {
  struct document document;
  struct problem_set set;
  struct error err;
  if (parse("t.md", input, length, &document, &err) != 0) {
    buffer_text(out, err.text);
    return;
  }
  if (problem_set_read(&document, "t.md", &set, &err) != 0 ||
      print_case(name, &set, out, &err) != 0) {
    buffer_clear(out);
    buffer_text(out, err.text);
  }
  document_free(&document);
}

static void test_read(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/problems/read.txt", render) >= 8);
}

static void test_pages(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/problems/pages.txt", render) >= 12);
}

static void test_errors(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/problems/errors.txt", render) >= 18);
}

/* ---- pages on paper -------------------------------------------------------*/

static void trace_page(struct problem_set *set, enum problem_page page,
                       int work_space, enum typeset_paper paper,
                       struct buffer *out) {
  struct document document;
  struct typeset_options options = {.paper = paper};
  struct font_set *fonts;
  struct arena arena = {0};
  struct error err;
  problem_set_assemble(set, page, work_space, &document);
  if (font_set_load(NULL, &fonts, &err) != 0) fail_msg("%s", err.text);
  struct device *device = device_trace_new();
  if (typeset(&document, &options, fonts, &arena, device, NULL, &err) != 0 ||
      device_finish(device, out, &err) != 0)
    fail_msg("%s", err.text);
  device_free(device);
  font_set_free(fonts);
  arena_free(&arena);
}

/* `what` between two places. */
static size_t count_between(const char *from, const char *to,
                            const char *what) {
  size_t count = 0;
  for (const char *at = strstr(from, what); at != NULL && at < to;
       at = strstr(at + 1, what))
    count++;
  return count;
}

/* Each part begins a page. */
static void test_parts_begin_pages(void **state) {
  static const char *const parts[] = {"\"Answers\"", "\"Worked solutions\"",
                                      "\"Where this goes wrong\""};
  struct buffer text = {0}, trace = {0};
  struct document document;
  struct problem_set set;
  (void)state;
  read_set("templates/problems/softmax-backward.md", &text, &document, &set);
  trace_page(&set, PROBLEM_PAGE_SET, 0, PAPER_A4, &trace);
  const char *at = trace.bytes;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    /* The outline's entry comes before the words. */
    const char *part = find(find(at, parts[i]) + 1, parts[i]), *page = at;
    for (const char *next = at; next != NULL && next < part;
         next = strstr(next + 1, "\npage "))
      page = next;
    assert_int_equal(count_between(page, part, "glyphs"), 1);
    at = part;
  }
  document_free(&document);
  buffer_free(&text);
  buffer_free(&trace);
}

/* However much room there is to write, a problem and its room stay on one
 * page. */
static void test_problems_stay_whole(void **state) {
  struct buffer text = {0};
  struct document document;
  struct problem_set set;
  (void)state;
  read_set("templates/problems/layer-norm-backward.md", &text, &document, &set);
  for (int lines = 0; lines <= 20; lines += 5) {
    struct buffer trace = {0};
    trace_page(&set, PROBLEM_PAGE_PROBLEMS, lines, PAPER_A4, &trace);
    const char *at = find(trace.bytes, "\"Problem\u00a01. ");
    for (int i = 2; i <= 11; i++) {
      char next[40];
      snprintf(next, sizeof next, "\"Problem\u00a0%d. ", i);
      const char *end = i <= 10 ? find(at, next) : at + strlen(at);
      /* A page may end only behind the last rule. */
      const char *page = strstr(at, "\npage ");
      if (page != NULL && page < end && lines > 0)
        assert_true(count_between(at, page, "rectangle") >= (size_t)lines);
      at = end;
    }
    buffer_free(&trace);
  }
  document_free(&document);
  buffer_free(&text);
}

/* The lowest baseline of what a page holds above its foot. */
static double lowest(const char *page, const char *end) {
  double low = HUGE_VAL, y;
  for (const char *at = strstr(page, "glyphs "); at != NULL && at < end;
       at = strstr(at + 1, "glyphs "))
    if (sscanf(at, "glyphs %*f %lf", &y) == 1 && y > 60) low = fmin(low, y);
  return low;
}

/* Where solutions go on, a page ends at most a step short: of its last steps
 * one may stand alone on the next rather than leave a gap. */
static void test_pages_of_steps_are_full(void **state) {
  struct buffer text = {0}, trace = {0};
  struct document document;
  struct problem_set set;
  (void)state;
  read_set("templates/problems/layer-norm-backward.md", &text, &document, &set);
  trace_page(&set, PROBLEM_PAGE_SOLUTIONS, 0, PAPER_LETTER, &trace);
  const char *page = find(trace.bytes, "\npage ");
  for (int i = 1; i <= 4; i++) {
    const char *next = find(page + 1, "\npage ");
    double low = lowest(page, next);
    if (low > 172) fail_msg("page %d ends at %g", i, low);
    page = next;
  }
  document_free(&document);
  buffer_free(&text);
  buffer_free(&trace);
}

/* The answers of each set that is shipped take one page, and the same bytes
 * come again. */
static void test_shipped_sets(void **state) {
  glob_t files;
  (void)state;
  assert_int_equal(glob("templates/problems/*.md", 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    struct buffer text = {0}, key = {0}, again = {0};
    struct document document;
    struct problem_set set;
    read_set(files.gl_pathv[i], &text, &document, &set);
    trace_page(&set, PROBLEM_PAGE_KEY, 0, PAPER_A4, &key);
    trace_page(&set, PROBLEM_PAGE_SOLUTIONS, 0, PAPER_A4, &again);
    buffer_clear(&again);
    trace_page(&set, PROBLEM_PAGE_KEY, 0, PAPER_A4, &again);
    assert_string_equal(key.bytes, again.bytes);
    assert_null(strstr(find(key.bytes, "\npage ") + 1, "\npage "));
    document_free(&document);
    buffer_free(&text);
    buffer_free(&key);
    buffer_free(&again);
  }
  globfree(&files);
}

/* ---- pages on the screen --------------------------------------------------*/

static void test_html(void **state) {
  static const char *const wanted[] = {
      "<h3 id=\"mean\">Problem\u00a01. The mean <span class=\"aside\">\u2022"
      "</span></h3>",
      "<details>\n<summary id=\"answer\">Answer</summary>",
      "<details>\n<summary id=\"solution\">Solution</summary>\n<ol "
      "class=\"steps\">",
      "<li><a href=\"#rmsnorm\">Problem\u00a010. RMSNorm</a></li>",
      "<a href=\"#centring\">Problem\u00a03</a>",
      "<summary><h3 id=\"the-statistics-taken-for-constants\">",
      "<p><span class=\"cross\">\u2717</span> "};
  struct buffer text = {0}, page = {0};
  struct document document, assembled;
  struct problem_set set;
  struct error err;
  (void)state;
  read_set("templates/problems/layer-norm-backward.md", &text, &document, &set);
  problem_set_assemble(&set, PROBLEM_PAGE_FOLDED, 0, &assembled);
  if (html_write(&assembled, html_default_style, &page, &err) != 0)
    fail_msg("%s", err.text);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (strstr(page.bytes, wanted[i]) == NULL)
      fail_msg("the page lacks %s", wanted[i]);
  document_free(&document);
  buffer_free(&text);
  buffer_free(&page);
}

/* A label of a group, which the folded page has no use for. */
static void test_html_group(void **state) {
  struct buffer text = {0}, page = {0};
  struct document document, assembled;
  struct problem_set set;
  struct error err;
  (void)state;
  read_set("templates/problems/softmax-backward.md", &text, &document, &set);
  problem_set_assemble(&set, PROBLEM_PAGE_KEY, 0, &assembled);
  assert_int_equal(html_write(&assembled, "", &page, &err), 0);
  find(page.bytes, "<div class=\"entry\" id=\"shift\">\n<p class=\"label\">"
                   "<strong>1.</strong>\u00a0A shift</p>");
  document_free(&document);
  buffer_free(&text);
  buffer_free(&page);
}

/* Fields that nothing reads, and a language that there are no words of. */
static void test_notes(void **state) {
  (void)state;
  static const char text[] =
      "---\ntitel: A\nlanguage: cs\n"
      "points-label: Body\nwork-space: 4\norder: 2\n---\n\nA.\n";
  struct document document;
  struct error err;
  char notes[400] = {0};
  if (parse("t.md", text, strlen(text), &document, &err) != 0)
    fail_msg("%s", err.text);
  FILE *out = fmemopen(notes, sizeof notes, "w");
  document_print_notes(&document, out);
  fclose(out);
  assert_string_equal(notes,
                      "note: t.md:2: the field `titel` has no meaning\n"
                      "note: words that pages add are English, there are none "
                      "of language \"cs\"\n");
  document_free(&document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read),
      cmocka_unit_test(test_pages),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_notes),
      cmocka_unit_test(test_parts_begin_pages),
      cmocka_unit_test(test_problems_stay_whole),
      cmocka_unit_test(test_pages_of_steps_are_full),
      cmocka_unit_test(test_shipped_sets),
      cmocka_unit_test(test_html),
      cmocka_unit_test(test_html_group),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
