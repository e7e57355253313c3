/* The ledger: the cases of tests/spec/ledger, hostile input, the commands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "report/base/file.h"
#include "report/commands.h"
#include "report/ledger.h"
#include "report/markdown.h"
#include "report/template.h"
#include "tests/scratch.h"

/* ---- reading ------------------------------------------------------------- */

static int read_text(const char *name, const char *text, size_t length,
                     const struct json *values, struct document *document,
                     struct error *err) {
  const struct template_options options = {.mode = TEMPLATE_MARKDOWN};
  struct source_map map = {0};
  struct buffer out = {0};
  int status =
      template_render(name, text, length, values, &options, &out, &map, err);
  buffer_text(&out, "");
  if (status == 0)
    status = markdown_parse(name, out.bytes, out.length, &map, document, err);
  source_map_free(&map);
  buffer_free(&out);
  return status;
}

static int enter_document(const char *text, const struct json *values,
                          struct ledger *ledger, struct error *err) {
  struct document document;
  if (read_text("t", text, strlen(text), values, &document, err) != 0)
    return -1;
  int status = ledger_add_document(ledger, &document, err);
  document_free(&document);
  return status;
}

static int enter_figure(const char *text, const struct json *values,
                        struct ledger *ledger, struct error *err) {
  const struct template_options options = {.mode = TEMPLATE_GNUPLOT};
  struct source_map map = {0};
  struct buffer out = {0};
  int status = template_render("t", text, strlen(text), values, &options, &out,
                               &map, err);
  buffer_text(&out, "");
  if (status == 0)
    status = ledger_add_script(ledger, out.bytes, out.length, &map, err);
  source_map_free(&map);
  buffer_free(&out);
  return status;
}

/* ---- spec files ---------------------------------------------------------- */

struct spec_case {
  char title[128];
  struct buffer document, figure, data, expected, error;
};

static void free_case(struct spec_case *c) {
  buffer_free(&c->document);
  buffer_free(&c->figure);
  buffer_free(&c->data);
  buffer_free(&c->expected);
  buffer_free(&c->error);
  *c = (struct spec_case){0};
}

static void print_ledger(const struct ledger *ledger, struct buffer *out) {
  buffer_text(out, "");
  for (const struct ledger_entry *e = ledger->entries; e; e = e->next) {
    buffer_printf(out, "%s %s, %s, %d:%d", ledger_source_name(e->source),
                  e->text, ledger_part_name(e->part), e->place.line,
                  e->place.column);
    if (e->value != NULL)
      buffer_printf(out, ", %s|%s", e->value->key, e->value->format);
    if (e->literal != NULL) buffer_printf(out, ", %s", e->literal->reason);
    buffer_char(out, '\n');
  }
  for (const struct ledger_finding *f = ledger->findings; f; f = f->next)
    buffer_printf(out, "! %d:%d: %s\n", f->place.line, f->place.column,
                  f->text);
}

static void expect_text(const struct spec_case *c, const struct buffer *wanted,
                        const char *found) {
  const char *text = wanted->length > 0 ? wanted->bytes : "";
  if (strcmp(text, found) != 0)
    fail_msg("%s: expected\n%sfound\n%s", c->title, text, found);
}

static void run_case(const struct spec_case *c) {
  struct json_document values;
  struct ledger ledger = {0};
  struct buffer out = {0};
  struct error err = {""};
  if (json_parse("data", c->data.bytes, c->data.length, &values, &err) != 0)
    fail_msg("%s: %s", c->title, err.text);
  int status =
      c->figure.length > 0
          ? enter_figure(c->figure.bytes, values.root, &ledger, &err)
          : enter_document(c->document.bytes, values.root, &ledger, &err);
  if (status == 0) ledger_check(&ledger, values.root);
  if (status == 0)
    print_ledger(&ledger, &out);
  else
    buffer_printf(&out, "%s\n",
                  err.text + (strncmp(err.text, "t:", 2) == 0 ? 2 : 0));
  expect_text(c, status == 0 ? &c->expected : &c->error, out.bytes);
  buffer_free(&out);
  ledger_free(&ledger);
  json_free(&values);
}

static struct buffer *part_named(struct spec_case *c, const char *name) {
  if (strcmp(name, "document") == 0) return &c->document;
  if (strcmp(name, "figure") == 0) return &c->figure;
  if (strcmp(name, "data") == 0) return &c->data;
  if (strcmp(name, "expected") == 0) return &c->expected;
  assert_string_equal(name, "error");
  return &c->error;
}

/* A blank line before a `==` is not part of the case. */
static void finish_case(struct spec_case *c, struct buffer *part,
                        size_t *cases) {
  if (part == NULL) return;
  while (part->length > 1 && part->bytes[part->length - 1] == '\n' &&
         part->bytes[part->length - 2] == '\n')
    part->bytes[--part->length] = 0;
  if (part->length == 1 && *part->bytes == '\n') buffer_clear(part);
  if (part->length == 0) buffer_text(part, "");
  run_case(c);
  free_case(c);
  (*cases)++;
}

static size_t run_spec(const char *path) {
  struct buffer file = {0};
  struct spec_case c = {0};
  struct buffer *part = NULL;
  struct error err;
  size_t cases = 0;
  if (file_read(path, &file, &err) != 0) fail_msg("%s", err.text);
  for (char *line = file.bytes, *next; *line != 0; line = next) {
    size_t length = strcspn(line, "\n");
    next = line + length + (line[length] == '\n');
    if (strncmp(line, "== ", 3) == 0) {
      finish_case(&c, part, &cases);
      part = NULL;
      snprintf(c.title, sizeof c.title, "%.*s", (int)length - 3, line + 3);
    } else if (strncmp(line, "-- ", 3) == 0) {
      char name[32];
      snprintf(name, sizeof name, "%.*s", (int)length - 3, line + 3);
      part = part_named(&c, name);
    } else if (part != NULL) {
      buffer_add(part, line, (size_t)(next - line));
    }
  }
  finish_case(&c, part, &cases);
  buffer_free(&file);
  return cases;
}

static void test_documents(void **state) {
  (void)state;
  assert_true(run_spec("tests/spec/ledger/document.txt") > 20);
}

static void test_figures(void **state) {
  (void)state;
  assert_true(run_spec("tests/spec/ledger/figure.txt") > 3);
}

/* ---- hostile input ------------------------------------------------------- */

/* Enter text and values; the ledger takes whatever its readers take. */
static void enter(const char *text, bool figure, struct error *err) {
  struct json_document values;
  struct ledger ledger = {0};
  assert_int_equal(json_parse("v", "{\"a\": 1}", 8, &values, err), 0);
  int status = figure ? enter_figure(text, values.root, &ledger, err)
                      : enter_document(text, values.root, &ledger, err);
  if (status == 0) ledger_check(&ledger, values.root);
  if (status != 0) assert_null(strchr(err->text, '\n'));
  ledger_free(&ledger);
  json_free(&values);
}

static void test_truncation(void **state) {
  (void)state;
  static const char document[] =
      "---\nledger: strict\nliterals:\n  p 1 | x | not a*\n  2 | y\n---\n"
      "# H {{a}}\n\np 1 \"2\" *{{a|%.1f}}* `3` $\\frac{1}{{{a}}}$ &#52;\n\n"
      "| a | 5 |\n|---|---|\n| {{a}} | 6 |\n\n![7](8.svg \"9\")\n";
  static const char figure[] =
      "# ledger: strict\n# literal: 1 | x\n# title: 1 {{a}}\n# alt: 2\n"
      "#   3\nset label \"1 {/=4 x} {{a}}\" \\\n  '5''6' # \"7\"\n"
      "$d << E\n8 \"9\\\"\" {{a}}\n\"x\nE\nplot sprintf(\"10^{%T} %5.2f\")\n";
  struct error err = {""};
  char text[sizeof document > sizeof figure ? sizeof document : sizeof figure];
  for (int i = 0; i < 2; i++) {
    const char *whole = i == 0 ? document : figure;
    for (size_t length = 0; length <= strlen(whole); length++) {
      memcpy(text, whole, length);
      text[length] = 0;
      enter(text, i == 1, &err);
    }
  }
}

static void test_many(void **state) {
  (void)state;
  enum { MANY = 20000 };
  struct buffer text = {0};
  struct error err = {""};
  buffer_text(&text, "---\nliterals:\n");
  for (int i = 0; i < 1000; i++)
    buffer_printf(&text, "  %d.125 | x\n", i + 10);
  buffer_text(&text, "---\n");
  for (int i = 0; i < MANY; i++)
    buffer_printf(&text, "%d.125 {{a}} \"x\" ", i % 1000 + 10);
  enter(text.bytes, false, &err);
  buffer_clear(&text);
  buffer_text(&text, "---\nliterals:\n");
  for (int i = 0; i < 1001; i++)
    buffer_printf(&text, "  %d | x\n", i);
  buffer_text(&text, "---\n1\n");
  enter(text.bytes, false, &err);
  assert_non_null(strstr(err.text, ":1003:3: more than 1000 literals"));
  buffer_free(&text);
}

/* ---- commands ------------------------------------------------------------ */

static const char pins[] =
    "{\"study\": \"s\", \"taken\": {\"here\": {\"inputs\": {}, "
    "\"environment\": {\"cpu\": \"any\"}}}, \"pins\": {"
    "\"s.a\": {\"value\": 0.551234, \"kind\": \"rel\", \"bound\": 1e-9, "
    "\"reason\": \"the | `reason` *of* $a$\"},"
    "\"s.b\": {\"value\": 12, \"kind\": \"exact\", \"reason\": "
    "\"counted\"}}}";

static int ledger_command(const char *option, const char *argument) {
  char document[512], pins_directory[512];
  snprintf(document, sizeof document, "%s", in_scratch("d.md"));
  snprintf(pins_directory, sizeof pins_directory, "%s", in_scratch("pins"));
  char *argv[] = {"pinpress ledger", "--pins",         pins_directory,
                  "--figures",       scratch,          document,
                  (char *)option,    (char *)argument, NULL};
  return command_ledger(option == NULL ? 6 : argument == NULL ? 7 : 8, argv);
}

static int typeset_command(const char *name) {
  char document[512], pins_directory[512], page[512];
  snprintf(document, sizeof document, "%s", in_scratch(name));
  snprintf(pins_directory, sizeof pins_directory, "%s", in_scratch("pins"));
  snprintf(page, sizeof page, "%s", in_scratch("d.html"));
  char *argv[] = {"pinpress typeset", "--pins", pins_directory, "--html", page,
                  document,           NULL};
  unlink(page);
  return command_typeset(6, argv);
}

static int plot_command(const char *name) {
  char script[512], pins_directory[512], figure[512];
  snprintf(script, sizeof script, "%s", in_scratch(name));
  snprintf(pins_directory, sizeof pins_directory, "%s", in_scratch("pins"));
  snprintf(figure, sizeof figure, "%s", in_scratch("f.svg"));
  char *argv[] = {"pinpress plot", "--pins", pins_directory, "-o", figure,
                  script,          NULL};
  return command_plot(6, argv);
}

static void test_command(void **state) {
  (void)state;
  put("pins/s.json", pins);
  put("f.gp", "# title: T\n# alt: A {{s.b}}\nplot {{s.b}}\n");
  put("d.md", "A {{s.a|%.2f}} and $\\sigma = {{s.a|%.1f}}$.\n\n"
              "![A](f.svg \"C\")\n");
  assert_int_equal(ledger_command(NULL, NULL), 0);
  assert_int_equal(ledger_command("--json", NULL), 0);
  put("d.md", "A {{s.a|%.2f}} and 12.\n");
  assert_int_equal(ledger_command(NULL, NULL), 1);
  put("d.md", "![A](g.svg \"C\")\n"); /* a figure without template */
  assert_int_equal(ledger_command(NULL, NULL), 1);
  put("d.md", "A {{s.c}}\n");
  assert_int_equal(ledger_command(NULL, NULL), 2);
  assert_int_equal(ledger_command("--no-such-option", NULL), 2);
  put("f.gp", "# title: {{s.c}}\n");
  put("d.md", "![A](f.svg \"C\")\n");
  assert_int_equal(ledger_command(NULL, NULL), 2);
}

static void test_page_of_numbers(void **state) {
  (void)state;
  struct buffer page = {0};
  struct error err;
  put("pins/s.json", pins);
  put("s.c", "");
  put("d.md",
      "---\ntitle: The | `page`\nliterals: 16 | by <definition> | not "
      "x\n---\nA {{s.a|%.2f}}, $a = {{s.a|%.1f}}$, {{s.b}}, {{pins.count}}"
      ", {{environment.cpu}}, 16\n");
  char *numbers = memory_copy_text(in_scratch("n.html"));
  assert_int_equal(ledger_command("--html", numbers), 0);
  assert_int_equal(file_read(numbers, &page, &err), 0);
  static const char *const parts[] = {"The numbers of “The | `page`”",
                                      "s.a",
                                      "0.551234",
                                      "0.55",
                                      "rel 1e-9",
                                      "the | `reason` *of* $a$",
                                      "counted",
                                      "pins.count",
                                      "by &lt;definition&gt;"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(page.bytes, parts[i]) == NULL)
      fail_msg("the page lacks %s", parts[i]);
  assert_int_equal(ledger_command("--html", in_scratch("d.md/n.html")), 2);
  free(numbers);
  buffer_free(&page);
}

static void test_strict_pages(void **state) {
  (void)state;
  struct error err;
  struct buffer page = {0};
  put("pins/s.json", pins);
  put("d.md", "---\ntitle: T {{s.b}}\nledger: strict\norder: 7\nliterals: 16 | "
              "a year\n---\n"
              "{{s.b}}, 16, **{{s.a|%.2f}}**\n");
  assert_int_equal(typeset_command("d.md"), 0);
  assert_int_equal(file_read(in_scratch("d.html"), &page, &err), 0);
  assert_non_null(strstr(page.bytes,
                         "<strong><span class=\"pin\" data-key=\"s.a\" "
                         "data-value=\"0.551234\" title=\"s.a = "
                         "0.551234\">0.55</span></strong>"));
  assert_non_null(strstr(page.bytes, "<h1>T <span class=\"pin\" data-key="
                                     "\"s.b\" data-value=\"12\""));
  put("d.md", "---\ntitle: T\nledger: strict\n---\n{{s.b}}, 16\n");
  assert_int_equal(typeset_command("d.md"), 2);
  assert_false(file_exists(in_scratch("d.html")));
  put("d.md", "# T\n\n{{s.b}}, 16\n");
  assert_int_equal(typeset_command("d.md"), 0);
  put("d.md", "---\ntitle: T\nledger: lax\n---\n");
  assert_int_equal(typeset_command("d.md"), 2);
  put("f.gp", "# ledger: strict\n# title: T\n# alt: A\nset label \"5\"\n");
  assert_int_equal(plot_command("f.gp"), 2);
  put("f.gp", "# ledger: no\n# title: T\n# alt: A\n");
  assert_int_equal(plot_command("f.gp"), 2);
  buffer_free(&page);
}

static int make_directory(void **state) {
  struct error err;
  if (scratch_make(state) != 0) return -1;
  return file_make_parents(in_scratch("pins/s.json"), &err);
}

static int remove_directory(void **state) {
  (void)state;
  static const char *const names[] = {"pins/s.json", "f.gp",   "d.md", "s.c",
                                      "d.html",      "n.html", "f.svg"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    unlink(in_scratch(names[i]));
  rmdir(in_scratch("pins"));
  return rmdir(scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_documents),
                                     cmocka_unit_test(test_figures),
                                     cmocka_unit_test(test_truncation),
                                     cmocka_unit_test(test_many),
                                     cmocka_unit_test(test_command),
                                     cmocka_unit_test(test_page_of_numbers),
                                     cmocka_unit_test(test_strict_pages)};
  return cmocka_run_group_tests_name("ledger", tests, make_directory,
                                     remove_directory);
}
