/* Templates: the cases of tests/spec/template, the map back to the source, and
 * input that nobody means well with. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/file.h"
#include "report/commands.h"
#include "report/source_map.h"
#include "report/template.h"

/* ---- spec files ---------------------------------------------------------- */

struct spec_case {
  char title[128];
  struct buffer template, data, expected, error, mode;
  size_t partials;
};

static char directory[64];

static void partial_path(char *out, size_t size, const char *name) {
  snprintf(out, size, "%s/%s", directory, name);
}

static void free_case(struct spec_case *c) {
  buffer_free(&c->template);
  buffer_free(&c->data);
  buffer_free(&c->expected);
  buffer_free(&c->error);
  buffer_free(&c->mode);
  *c = (struct spec_case){0};
}

/* One part's bytes with the characters that are hard to see. */
static void add_part(struct buffer *out, const char *text, size_t length) {
  static const char *const marks[][2] = {
      {"«CR»", "\r"}, {"«TAB»", "\t"}, {"«SP»", " "}};
  buffer_clear(out);
  buffer_text(out, "");
  for (size_t i = 0; i < length;) {
    size_t m = 0;
    while (m < 3 && strncmp(text + i, marks[m][0], strlen(marks[m][0])) != 0)
      m++;
    buffer_add(out, m < 3 ? marks[m][1] : text + i, 1);
    i += m < 3 ? strlen(marks[m][0]) : 1;
  }
}

static void set_part(struct spec_case *c, const char *name, const char *text,
                     size_t length) {
  struct buffer part = {0};
  struct error err;
  add_part(&part, text, length);
  struct buffer *field = strcmp(name, "template") == 0   ? &c->template
                         : strcmp(name, "data") == 0     ? &c->data
                         : strcmp(name, "expected") == 0 ? &c->expected
                         : strcmp(name, "error") == 0    ? &c->error
                         : strcmp(name, "mode") == 0     ? &c->mode
                                                         : NULL;
  if (field != NULL) {
    buffer_add(field, part.bytes, part.length);
  } else {
    char path[256];
    assert_memory_equal(name, "partial ", 8);
    partial_path(path, sizeof path, name + 8);
    assert_int_equal(file_write(path, part.bytes, part.length, &err), 0);
    c->partials++;
  }
  buffer_free(&part);
}

static enum template_mode mode_of(const struct spec_case *c) {
  if (c->mode.length == 0) return TEMPLATE_HTML;
  return strcmp(c->mode.bytes, "markdown") == 0 ? TEMPLATE_MARKDOWN
                                                : TEMPLATE_GNUPLOT;
}

/* The message, with the directory's name taken out of it. */
static void check_error(const struct spec_case *c, const char *message) {
  struct buffer found = {0};
  for (const char *at = message; *at != 0;) {
    bool here = strncmp(at, directory, strlen(directory)) == 0;
    buffer_add(&found, here ? "PARTIALS" : at, here ? 8 : 1);
    at += here ? strlen(directory) : 1;
  }
  const char *text =
      strncmp(found.bytes, "t:", 2) == 0 ? found.bytes + 2 : found.bytes;
  if (c->error.length == 0) fail_msg("%s: %s", c->title, message);
  if (strcmp(text, c->error.bytes) != 0)
    fail_msg("%s: \"%s\" expected, \"%s\" said", c->title, c->error.bytes,
             text);
  buffer_free(&found);
}

static void run_case(const struct spec_case *c) {
  struct json_document data;
  struct error err = {""};
  struct buffer out = {0};
  struct source_map map = {0};
  struct template_options options = {mode_of(c), directory};
  if (json_parse("data", c->data.bytes, c->data.length, &data, &err) != 0)
    fail_msg("%s: %s", c->title, err.text);
  buffer_text(&out, "");
  if (template_render("t", c->template.bytes, c->template.length, data.root,
                      &options, &out, &map, &err) != 0)
    check_error(c, err.text);
  else if (c->error.length > 0)
    fail_msg("%s: \"%s\" expected as error, printed \"%s\"", c->title,
             c->error.bytes, out.bytes);
  else if (c->expected.bytes == NULL ||
           strcmp(out.bytes, c->expected.bytes) != 0)
    fail_msg("%s:\nexpected \"%s\"\nprinted  \"%s\"", c->title,
             c->expected.bytes, out.bytes);
  json_free(&data);
  buffer_free(&out);
  source_map_free(&map);
}

/* A part's name and where its text starts; NULL for an ordinary line. */
static const char *part_name(const char *line, size_t length, char *name) {
  if (length < 3 || length > 60 || strncmp(line, "-- ", 3) != 0) return NULL;
  memcpy(name, line + 3, length - 3);
  name[length - 3] = 0;
  return line + length + 1;
}

static void run_spec(const char *file) {
  struct buffer text = {0};
  struct error err;
  struct spec_case c = {0};
  char path[128], name[64] = "";
  const char *part = NULL;
  size_t cases = 0;
  snprintf(path, sizeof path, "tests/spec/template/%s.txt", file);
  if (file_read(path, &text, &err) != 0) fail_msg("%s", err.text);
  buffer_text(&text, "\n== \n");
  for (const char *line = text.bytes; *line != 0;) {
    size_t length = strcspn(line, "\n");
    char next[64] = "";
    const char *start = part_name(line, length, next);
    bool title = strncmp(line, "== ", 3) == 0;
    if ((start != NULL || title) && part != NULL) {
      /* a blank line parts the cases */
      size_t gap = title ? 2 : 1;
      size_t size = (size_t)(line - part);
      set_part(&c, name, part, size >= gap ? size - gap : 0);
      part = NULL;
    }
    if (title) {
      if (c.title[0] != 0) run_case(&c), cases++;
      free_case(&c);
      snprintf(c.title, sizeof c.title, "%s: %.*s", file, (int)length - 3,
               line + 3);
    }
    if (start != NULL) {
      part = start;
      strcpy(name, next);
    }
    line += length + 1;
  }
  free_case(&c);
  buffer_free(&text);
  assert_true(cases > 10);
}

static void test_interpolation(void **state) {
  (void)state;
  run_spec("interpolation");
}
static void test_sections(void **state) {
  (void)state;
  run_spec("sections");
}
static void test_inverted(void **state) {
  (void)state;
  run_spec("inverted");
}
static void test_comments(void **state) {
  (void)state;
  run_spec("comments");
}
static void test_delimiters(void **state) {
  (void)state;
  run_spec("delimiters");
}
static void test_partials(void **state) {
  (void)state;
  run_spec("partials");
}
static void test_errors(void **state) {
  (void)state;
  run_spec("errors");
}
static void test_markdown(void **state) {
  (void)state;
  run_spec("markdown");
}
static void test_gnuplot(void **state) {
  (void)state;
  run_spec("gnuplot");
}

/* ---- places -------------------------------------------------------------- */

static int render(const char *text, size_t length, const char *json,
                  struct buffer *out, struct source_map *map,
                  struct error *err) {
  struct json_document data;
  struct template_options options = {TEMPLATE_MARKDOWN, directory};
  assert_int_equal(json_parse("data", json, strlen(json), &data, err), 0);
  int result =
      template_render("t", text, length, data.root, &options, out, map, err);
  json_free(&data);
  return result;
}

static void expect_place(const struct source_map *map, const char *text,
                         const char *mark, const char *file, int line,
                         int column) {
  const char *at = strstr(text, mark);
  assert_non_null(at);
  struct place place = source_map_place(map, (size_t)(at - text));
  const char *slash = strrchr(place.file, '/');
  assert_string_equal(slash != NULL ? slash + 1 : place.file, file);
  if (place.line != line || place.column != column)
    fail_msg("\"%s\" stands at %d:%d, expected %d:%d", mark, place.line,
             place.column, line, column);
}

static void test_places(void **state) {
  (void)state;
  static const char text[] = "one {{a}} two\n{{#l}}\nitem {{.}} end\n{{/l}}\n"
                             "  {{>p}}\nlast";
  struct buffer out = {0};
  struct source_map map = {0};
  struct error err;
  char path[256];
  partial_path(path, sizeof path, "p");
  assert_int_equal(file_write(path, "pa\npb {{a}} pc\n", 15, &err), 0);
  if (render(text, strlen(text), "{\"a\": \"val\\nue\", \"l\": [5, 6]}", &out,
             &map, &err) != 0)
    fail_msg("%s", err.text);
  expect_place(&map, out.bytes, "one", "t", 1, 1);
  expect_place(&map, out.bytes, "val", "t", 1, 5);
  expect_place(&map, out.bytes, "ue two", "t", 1, 5);
  expect_place(&map, out.bytes, "two", "t", 1, 11);
  expect_place(&map, out.bytes, "item 6", "t", 3, 1);
  expect_place(&map, out.bytes, "6 end", "t", 3, 6);
  expect_place(&map, out.bytes, "pa", "p", 1, 1);
  expect_place(&map, out.bytes, "pb", "p", 2, 1);
  expect_place(&map, out.bytes, "pc", "p", 2, 10);
  expect_place(&map, out.bytes, "last", "t", 6, 1);
  const char *value = strstr(out.bytes, "val");
  assert_int_equal(source_map_segment(&map, (size_t)(value - out.bytes))->kind,
                   SOURCE_VALUE);
  for (size_t i = 1; i < map.count; i++)
    assert_true(map.segments[i - 1].offset < map.segments[i].offset);
  source_map_free(&map);
  assert_int_equal(source_map_place(&map, 3).line, 0);
  buffer_free(&out);
}

/* What was printed at `text` is noted as `key|format` of the value `whole`. */
static void expect_note(const struct source_map *map, const struct buffer *out,
                        const char *text, const char *key, const char *format,
                        const char *whole) {
  const char *at = strstr(out->bytes, text);
  assert_non_null(at);
  const struct source_segment *segment =
      source_map_segment(map, (size_t)(at - out->bytes));
  assert_non_null(segment->value);
  assert_string_equal(segment->value->key, key);
  assert_string_equal(segment->value->format, format);
  assert_string_equal(segment->value->text, whole);
}

static void test_values_keep_their_keys(void **state) {
  (void)state;
  static const char text[] =
      "A {{a.b.1| %.1f }}{{#a}}{{#b}} B {{.|%.2f}} C {{c|%.0f}}{{/b}} "
      "D {{top|%5s}}{{/a}} E {{n}}";
  static const char json[] =
      "{\"a\": {\"b\": [-1.25, 2.5], \"c\": 7}, \"top\": \"word\", "
      "\"n\": 0.1}";
  struct buffer out = {0};
  struct source_map map = {0};
  struct error err;
  if (render(text, strlen(text), json, &out, &map, &err) != 0)
    fail_msg("%s", err.text);
  expect_note(&map, &out, "2.5 B", "a.b.1", "%.1f", "2.5");
  expect_note(&map, &out, "1.25", "a.b.0", "%.2f", "-1.25");
  expect_note(&map, &out, "2.50", "a.b.1", "%.2f", "2.5");
  expect_note(&map, &out, "7 B", "a.c", "%.0f", "7");
  expect_note(&map, &out, "word", "top", "%5s", "word");
  expect_note(&map, &out, "0.1", "n", "", "0.1");
  source_map_free(&map);
  buffer_free(&out);
}

/* ---- hostile input ------------------------------------------------------- */

static void refused(const char *text, size_t length, const char *json,
                    const char *part) {
  struct buffer out = {0};
  struct error err = {""};
  if (render(text, length, json, &out, NULL, &err) == 0)
    fail_msg("accepted; \"%s\" expected", part);
  if (strstr(err.text, part) == NULL)
    fail_msg("\"%s\" lacks \"%s\"", err.text, part);
  buffer_free(&out);
}

static void test_deep_sections(void **state) {
  (void)state;
  struct buffer text = {0};
  for (int i = 0; i < 100000; i++)
    buffer_text(&text, "{{#a}}");
  refused(text.bytes, text.length, "{\"a\": true}", "t:1:601: more than 100");
  buffer_free(&text);
}

static void test_explosion(void **state) {
  (void)state;
  struct buffer text = {0};
  for (int i = 0; i < 20; i++)
    buffer_text(&text, "{{#l}}");
  buffer_text(&text, "x");
  for (int i = 0; i < 20; i++)
    buffer_text(&text, "{{/l}}");
  refused(text.bytes, text.length, "{\"l\": [1,2,3,4,5,6,7,8,9,0]}",
          "expands without end");
  buffer_free(&text);
}

/* Any cut of a template ends in text or in one line of error, never worse. */
static void test_truncation(void **state) {
  (void)state;
  static const char text[] =
      "---\ndelimiters: <% %>\n---\n<%#l%>\n<%.|%.3e%> $<%{.}%>$\n<%/l%>\n"
      "<%! c %><%={{ }}=%>\n {{>p}}\n`{{l.0}}`\n```\n{{&l.1}}\n```\n\xFF\xC3";
  struct error err = {""};
  for (size_t length = 0; length < sizeof text; length++) {
    struct buffer out = {0};
    struct source_map map = {0};
    if (render(text, length, "{\"l\": [1.5, -2], \"a\": 1}", &out, &map,
               &err) != 0)
      assert_null(strchr(err.text, '\n'));
    source_map_free(&map);
    buffer_free(&out);
  }
}

/* ---- the command --------------------------------------------------------- */

static char data_path[96], template_path[96], output_path[96];

static int expand(const char *option, const char *argument) {
  char *argv[] = {
      "pinpress expand", "--data",         data_path,     "-o", output_path,
      (char *)option,    (char *)argument, template_path, NULL};
  unlink(output_path);
  return command_expand(8, argv);
}

static void expands(const char *option, const char *argument,
                    const char *expected) {
  struct buffer text = {0};
  struct error err;
  assert_int_equal(expand(option, argument), 0);
  assert_int_equal(file_read(output_path, &text, &err), 0);
  assert_string_equal(text.bytes, expected);
  buffer_free(&text);
}

static void test_command(void **state) {
  (void)state;
  struct error err;
  static const char data[] = "{\"x\": -1, \"s\": \"*&\"}";
  static const char text[] = "{{x}} {{s}}{{>inc}}";
  snprintf(data_path, sizeof data_path, "%s/data.json", directory);
  snprintf(template_path, sizeof template_path, "%s/text.md", directory);
  snprintf(output_path, sizeof output_path, "%s/out", directory);
  char partial[96];
  partial_path(partial, sizeof partial, "inc");
  assert_int_equal(file_write(partial, "!", 1, &err), 0);
  assert_int_equal(file_write(data_path, data, strlen(data), &err), 0);
  assert_int_equal(file_write(template_path, text, strlen(text), &err), 0);
  expands("--partials", directory, "−1 \\*\\&!");
  assert_int_equal(expand("--escape", "html"), 2); /* no partials' directory */
  assert_int_equal(expand("--escape", "latex"), 2);
  assert_int_equal(expand("--pins", "/nonexistent"), 2);
  assert_false(file_exists(output_path));
  assert_int_equal(file_write(template_path, "{{x}} {{s}}", 11, &err), 0);
  expands("--escape", "html", "−1 *&amp;");
  expands("--escape", "none", "-1 *&");
  assert_int_equal(expand("--escape", "gnuplot"), 2); /* no number */
  unlink(data_path);
  unlink(template_path);
  unlink(output_path);
}

static int make_directory(void **state) {
  (void)state;
  const char *build = getenv("BUILD");
  snprintf(directory, sizeof directory, "%s/template.XXXXXX",
           build != NULL && strlen(build) < 40 ? build : "build");
  struct error err;
  if (file_make_parents(directory, &err) != 0) return -1;
  return mkdtemp(directory) == NULL ? -1 : 0;
}

static int remove_directory(void **state) {
  (void)state;
  static const char *const names[] = {"text",  "p",   "node", "outer",
                                      "inner", "inc", "a",    "b"};
  char path[256];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    partial_path(path, sizeof path, names[i]);
    unlink(path);
  }
  return rmdir(directory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_interpolation),
      cmocka_unit_test(test_sections),
      cmocka_unit_test(test_inverted),
      cmocka_unit_test(test_comments),
      cmocka_unit_test(test_delimiters),
      cmocka_unit_test(test_partials),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_markdown),
      cmocka_unit_test(test_gnuplot),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_values_keep_their_keys),
      cmocka_unit_test(test_deep_sections),
      cmocka_unit_test(test_explosion),
      cmocka_unit_test(test_truncation),
      cmocka_unit_test(test_command),
  };
  return cmocka_run_group_tests_name("template", tests, make_directory,
                                     remove_directory);
}
