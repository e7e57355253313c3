/* A site: what it lists, what it copies, what it refuses. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "report/commands.h"
#include "report/site.h"
#include "tests/pins_support.h"

static void contains(const char *text, const char *part) {
  if (strstr(text, part) == NULL) fail_msg("no %s in\n%s", part, text);
}

static void file_contains(const char *name, const char *part) {
  char *text = get(name);
  contains(text, part);
  free(text);
}

static int setup(void **state) {
  if (scratch_make(state) != 0) return -1;
  put("pins/s.json", "{\"study\": \"s\", \"pins\": {\"s.x\": {\"value\": 2, "
                     "\"kind\": \"exact\", \"reason\": \"counted | once\"}}}");
  put("index.md", "---\ntitle: All\n---\n\nThere are {{s.x}}.\n");
  put("t/articles/a.md", "---\ntitle: The *first*\ndescription: On a.\n---\n");
  put("t/articles/a-b.md", "---\ntitle: Second\n---\n");
  put("pages/articles/a.html", "page a");
  put("pages/articles/a.pdf", "pdf a");
  put("pages/articles/a-numbers.html", "numbers of a");
  put("pages/articles/a-b.html", "page a-b");
  put("pages/articles/a.txt", "not a page");
  put("pages/articles/a-old", "not a page");
  return 0;
}

static int teardown(void **state) {
  return scratch_remove(state);
}

static int make(const char *const *sources, size_t count, struct error *err) {
  const struct site_options options = {.index = in_scratch("index.md"),
                                       .sources = (const char **)sources,
                                       .source_count = count,
                                       .pages = in_scratch("pages"),
                                       .pins = in_scratch("pins"),
                                       .out = in_scratch("site")};
  return site_write(&options, err);
}

static void test_index_and_copies(void **state) {
  (void)state;
  const char *sources[] = {in_scratch("t/articles/a.md"),
                           in_scratch("t/articles/a-b.md")};
  struct error err;
  if (make(sources, 2, &err) != 0) fail_msg("%s", err.text);
  char *index = get("site/index.html");
  contains(index, "There are <span class=\"pin\" data-key=\"s.x\"");
  contains(index, "The *first*"); /* a title's signs are not markup */
  contains(index, "<a href=\"articles/a.html\">read</a> · "
                  "<a href=\"articles/a.pdf\">PDF</a> · "
                  "<a href=\"articles/a-numbers.html\">numbers</a>");
  contains(index, "<a href=\"articles/a-b.html\">read</a>");
  assert_null(strstr(index, "a.txt"));
  assert_null(strstr(index, "a-old"));
  free(index);
  file_contains("site/articles/a.pdf", "pdf a");
  file_contains("site/articles/a-b.html", "page a-b");
  file_contains("site/pins.html", "pins/s.html");
  file_contains("site/pins.html", "All 1 values hold");
  file_contains("site/pins.html", ">exact</td>");
  file_contains("site/pins/s.html", "counted | once");
}

static void list_source(const char *name, const char *kind, const char *field) {
  char path[64], text[96];
  snprintf(path, sizeof path, "t/%s/%s.md", kind, name);
  snprintf(text, sizeof text, "---\ntitle: Title %s\n%s---\n", name, field);
  put(path, text);
  snprintf(path, sizeof path, "pages/%s/%s.html", kind, name);
  put(path, "");
}

/* The titles of the index, in their order: one letter each. */
static void expect_titles(const char *expected) {
  char *index = get("site/index.html"), titles[16] = "";
  const char *at = strstr(index, "<main");
  assert_non_null(at);
  for (size_t i = 0; (at = strstr(at, ">Title ")) != NULL; i++) {
    at += strlen(">Title ");
    assert_true(i + 1 < sizeof titles);
    titles[i] = *at;
  }
  assert_string_equal(titles, expected);
  free(index);
}

static void test_order(void **state) {
  (void)state;
  struct error err;
  list_source("p", "articles", "");
  list_source("q", "articles", "order: 10\n");
  list_source("r", "articles", "");
  list_source("s", "articles", "order: 2\n");
  list_source("t", "articles", "order: 10\n");
  list_source("u", "problems", "");
  list_source("v", "problems", "order: 1\n");
  static const char *const names[] = {"articles/p", "articles/q", "articles/r",
                                      "articles/s", "articles/t", "problems/u",
                                      "problems/v"};
  char paths[7][4096];
  const char *sources[7];
  for (size_t i = 0; i < 7; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/%s.md", in_scratch("t"), names[i]);
    sources[i] = paths[i];
  }
  if (make(sources, 7, &err) != 0) fail_msg("%s", err.text);
  expect_titles("sqtprvu");
  const char *plain[] = {sources[2], sources[0]};
  if (make(plain, 2, &err) != 0) fail_msg("%s", err.text);
  expect_titles("rp");

  const char *const bad[] = {"0", "-1", "1.5", "first", "1000000", ""};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char field[32], message[128];
    snprintf(field, sizeof field, "order: %s\n", bad[i]);
    list_source("w", "articles", field);
    const char *refused[] = {in_scratch("t/articles/w.md")};
    assert_int_equal(make(refused, 1, &err), -1);
    snprintf(message, sizeof message,
             "w.md:3:1: order is a whole number from 1 to 999999, not '%s'",
             bad[i]);
    contains(err.text, message);
  }
}

static void test_refusals(void **state) {
  (void)state;
  struct error err;
  put("t/articles/c.md", "---\ntitle: Third\n---\n");
  const char *unprinted[] = {in_scratch("t/articles/c.md")};
  assert_int_equal(make(unprinted, 1, &err), -1);
  contains(err.text, "c.md: no page of it in ");
  const char *unnamed[] = {"a.md"};
  assert_int_equal(make(unnamed, 1, &err), -1);
  assert_string_equal(err.text, "a.md: a source is called KIND/NAME.md");
  const char *missing[] = {in_scratch("t/articles/none.md")};
  assert_int_equal(make(missing, 1, &err), -1);
  contains(err.text, "none.md: cannot open: ");
  put("t/elsewhere/d.md", "");
  const char *kindless[] = {in_scratch("t/elsewhere/d.md")};
  assert_int_equal(make(kindless, 1, &err), -1);
  contains(err.text, "pages/elsewhere: cannot open: ");
}

static void test_command(void **state) {
  (void)state;
  struct output o = run(command_site, "site", "@/t/articles/a.md");
  assert_int_equal(o.status, 2);
  assert_string_equal(o.err.bytes, "pinpress site: say which page begins it: "
                                   "--index FILE\n");
  output_free(&o);
  o = run(command_site, "site",
          "--index @/index.md --pages @/pages --pins @/pins -o @/again "
          "@/t/articles/a.md");
  if (o.status != 0) fail_msg("%s", o.err.bytes);
  assert_int_equal(o.out.length, 0);
  output_free(&o);
  file_contains("again/articles/a.html", "page a");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_index_and_copies),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_command),
  };
  return cmocka_run_group_tests_name("site", tests, setup, teardown);
}
