/* Documents: Markdown in, HTML out; what is refused, and where. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/html_writer.h"
#include "report/markdown.h"
#include "tests/spec_cases.h"

static int parse(const char *text, size_t length, struct document *out,
                 struct error *err) {
  struct source_map map = {0};
  source_map_add_text(&map, 0, (struct place){"t.md", 1, 1}, text, length);
  return markdown_parse("tests/spec/markdown/t.md", text, length, &map, out,
                        err);
}

/* The blocks without the page around them, then the notes. */
static int write_blocks(const struct document *document, struct buffer *out,
                        struct error *err) {
  struct html_writer writer = {.document = document, .out = out, .err = err};
  if (html_blocks(&writer, document->blocks) != 0) return -1;
  for (size_t i = 0; i < document->note_count; i++) {
    buffer_printf(out, "note %d:\n", document->notes[i]->number);
    if (html_blocks(&writer, document->notes[i]->blocks) != 0) return -1;
  }
  return 0;
}

static void render(const char *name, const char *input, size_t length,
                   struct buffer *out) {
  struct document document;
  struct error err;
  (void)name;
  if (parse(input, length, &document, &err) != 0) {
    buffer_text(out, err.text);
    return;
  }
  if (write_blocks(&document, out, &err) != 0) {
    buffer_clear(out);
    buffer_text(out, err.text);
  }
  document_free(&document);
}

static void test_blocks(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/markdown/blocks.txt", render) > 15);
}

static void test_spans(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/markdown/spans.txt", render) > 25);
}

static void test_errors(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/markdown/errors.txt", render) > 40);
}

static int read_page(const char *path, struct buffer *page,
                     struct document *document) {
  struct buffer text = {0};
  struct source_map map = {0};
  struct error err;
  if (file_read(path, &text, &err) != 0) fail_msg("%s", err.text);
  source_map_add_text(&map, 0, (struct place){path, 1, 1}, text.bytes,
                      text.length);
  if (markdown_parse(path, text.bytes, text.length, &map, document, &err) !=
          0 ||
      html_write(document, html_default_style, page, &err) != 0)
    fail_msg("%s", err.text);
  buffer_free(&text);
  return 0;
}

/* The page with every part of the language: what must be there, what must not,
 * and the same bytes again. */
static void test_page(void **state) {
  (void)state;
  static const char *const wanted[] = {
      "<!DOCTYPE html>\n<html lang=\"en\">",
      "<title>Every part of a document</title>",
      "<meta name=\"description\" content=\"A page for tests",
      "<nav aria-labelledby=\"page:contents\">",
      "<li><a href=\"#formulas\">Formulas and <em>emphasis</em></a>\n<ul>",
      "<a href=\"#fig-bars\">Figure\u00a01</a>",
      "<a href=\"#tab-norms\">Table\u00a01</a>",
      "role=\"img\" aria-labelledby=\"figure:1:title figure:1:text\"",
      "<use href=\"#f1-mark\"",
      "<th scope=\"col\" class=\"r\">Median</th>",
      "role=\"doc-noteref\"",
      "role=\"doc-backlink\""};
  static const char *const unwanted[] = {"<script", "\\frac",    "$$",   "[@",
                                         "[^",      "old title", "xlink"};
  struct buffer page = {0}, again = {0};
  struct document document;
  read_page("tests/spec/markdown/everything.md", &page, &document);
  document_free(&document);
  read_page("tests/spec/markdown/everything.md", &again, &document);
  document_free(&document);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (strstr(page.bytes, wanted[i]) == NULL) fail_msg("lacks %s", wanted[i]);
  for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++)
    if (strstr(page.bytes, unwanted[i]) != NULL)
      fail_msg("holds %s", unwanted[i]);
  assert_string_equal(page.bytes, again.bytes);
  buffer_free(&page);
  buffer_free(&again);
}

static void test_page_without_title(void **state) {
  (void)state;
  struct document document;
  struct buffer page = {0};
  struct error err;
  assert_int_equal(parse("a", 1, &document, &err), 0);
  assert_int_equal(html_write(&document, "", &page, &err), -1);
  assert_string_equal(err.text, "t.md:1:1: the page has no title: write "
                                "`title:` into its front matter");
  document_free(&document);
  buffer_free(&page);
}

/* ---- random and hostile documents -----------------------------------------*/

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static void random_document(uint64_t *state, struct buffer *out) {
  static const char *const pieces[] = {
      "a ",    "word",    "\n",     "\n\n", "> ",     "- ",    "1. ",
      "# ",    "## ",     "*",      "**",   "`",      "```\n", "$",
      "$$",    "$x$",     "\\",     "[",    "]",      "(#a)",  "![x](y)",
      "{#id}", "[^n]",    "[^n]: ", "[@k]", "[@k]: ", "|",     "|-|-|\n",
      "<!-- ", "-->",     "\"",     "'",    "---",    "...",   "    ",
      "&amp;", "Table: ", "\t",     "<b>",  "\r\n",   "é",     "---\n"};
  size_t count = 1 + next_random(state) % 40;
  buffer_clear(out);
  for (size_t i = 0; i < count; i++)
    buffer_text(out,
                pieces[next_random(state) % (sizeof pieces / sizeof *pieces)]);
}

static void test_random_documents(void **state) {
  (void)state;
  struct buffer text = {0}, out = {0};
  uint64_t seed = 7;
  size_t accepted = 0;
  for (int i = 0; i < 20000; i++) {
    struct document document;
    struct error err = {""};
    random_document(&seed, &text);
    if (parse(text.bytes, text.length, &document, &err) != 0) {
      if (strncmp(err.text, "t.md:", 5) != 0)
        fail_msg("%s: %s", text.bytes, err.text);
      continue;
    }
    accepted++;
    buffer_clear(&out);
    buffer_text(&out, "");
    if (write_blocks(&document, &out, &err) != 0)
      assert_true(strncmp(err.text, "t.md:", 5) == 0);
    document_free(&document);
  }
  assert_true(accepted > 500);
  buffer_free(&text);
  buffer_free(&out);
}

static void repeat(struct buffer *out, const char *part, int count) {
  for (int i = 0; i < count; i++)
    buffer_text(out, part);
}

static void test_deep_documents(void **state) {
  (void)state;
  static const struct {
    const char *part, *message; /* NULL: it is read */
  } cases[] = {{">", "nested deeper than 50 levels"},
               {"> - ", "nested deeper than 50 levels"},
               {"[", NULL},
               {"![", NULL},
               {"*a **b ", NULL},
               {"`", NULL},
               {"<", NULL},
               {"\\", NULL},
               {"$1", NULL},
               {"# a\n\n", NULL},
               {"<!--", "this comment is not closed"},
               {"[@", NULL},
               {"[^", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct buffer text = {0};
    struct document document;
    struct error err;
    repeat(&text, cases[i].part, 100000);
    buffer_text(&text, " x");
    int status = parse(text.bytes, text.length, &document, &err);
    if (cases[i].message == NULL) {
      if (status != 0) fail_msg("%s: %s", cases[i].part, err.text);
      document_free(&document);
    } else if (status == 0 || strstr(err.text, cases[i].message) == NULL) {
      fail_msg("%s: %s", cases[i].part, status == 0 ? "accepted" : err.text);
    }
    buffer_free(&text);
  }
}

/* A value of many lines takes no more memory than its text. */
static void test_long_front_matter(void **state) {
  (void)state;
  struct buffer text = {0};
  struct document document;
  struct error err;
  buffer_text(&text, "---\ntitle:");
  repeat(&text, " word\n", 100000);
  buffer_text(&text, "---\n");
  assert_int_equal(parse(text.bytes, text.length, &document, &err), 0);
  const char *title = front_matter_value(&document.front, "title", "");
  assert_int_equal(strlen(title), strlen("word ") * 100000 - 1);
  document_free(&document);
  buffer_clear(&text);
  buffer_text(&text, "---\n");
  for (int i = 0; i < 1001; i++)
    buffer_printf(&text, "f%d: x\n", i);
  buffer_text(&text, "---\n");
  assert_int_equal(parse(text.bytes, text.length, &document, &err), -1);
  assert_string_equal(err.text,
                      "t.md:1002:1: front matter of more than 1000 fields");
  buffer_free(&text);
}

static void test_long_paragraph(void **state) {
  (void)state;
  struct buffer text = {0};
  struct document document;
  struct error err;
  repeat(&text, "some \"words\" and $x^2$ -- *more* of them\n", 250000);
  assert_int_equal(parse(text.bytes, text.length, &document, &err), 0);
  assert_int_equal(document.blocks->type, BLOCK_PARAGRAPH);
  assert_null(document.blocks->next);
  document_free(&document);
  buffer_free(&text);
}

/* Errors in an expanded text lead to the template. */
static void test_places_of_expanded_text(void **state) {
  (void)state;
  const char *text = "One 3.14 and $\\foo$.\n";
  struct source_map map = {0};
  struct document document;
  struct error err;
  source_map_add(&map, 0, (struct place){"a.md", 7, 1}, SOURCE_VERBATIM);
  source_map_add(&map, 4, (struct place){"a.md", 7, 5}, SOURCE_VALUE);
  source_map_add(&map, 8, (struct place){"a.md", 7, 31}, SOURCE_VERBATIM);
  assert_int_equal(
      markdown_parse("a.md", text, strlen(text), &map, &document, &err), -1);
  assert_string_equal(err.text,
                      "a.md:7:37: unknown command \\foo in a formula");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_spans),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_page),
      cmocka_unit_test(test_page_without_title),
      cmocka_unit_test(test_random_documents),
      cmocka_unit_test(test_deep_documents),
      cmocka_unit_test(test_long_front_matter),
      cmocka_unit_test(test_long_paragraph),
      cmocka_unit_test(test_places_of_expanded_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
