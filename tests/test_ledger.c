/* The ledger: the cases of tests/spec/ledger, every pin that the article uses
 * moved in turn, hostile input, the command. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "report/base/file.h"
#include "report/document_file.h"
#include "report/html.h"
#include "report/ledger.h"
#include "report/markdown.h"
#include "report/template.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_documents),
                                     cmocka_unit_test(test_figures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
