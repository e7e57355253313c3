/* Every byte of a document's text leads back to the source. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/document.h"
#include "report/markdown.h"
#include "report/template.h"

static const char source[] =
    "---\ntitle: \"A 1 and 2\"\ndescription: one 3\n   two 4\n---\n\n"
    "# Head 5 \"6\" {#h-7}\n\n"
    "Text -- 8 \"quoted 9\" ... 10\\.5 \\$11 a\\-12 &#51;&times;13 *em 14* "
    "[link 15](http://a.b/16) and `code 17`,\nnext line 18 [@k, p. 19], "
    "'20s it's 21[^n].\n\n"
    "Table: Caption 22 -- \"23\" {#tab-1}\n\n"
    "| a 24 | b |\n|---|---|\n| 25 | \\| 26 |\n\n"
    "![Alt \\[27\\] text\n28](x.svg \"Caption 29 -- $x$ 30\"){#fig-1}\n\n"
    "```c\nint x = 31;\n\tint y = 32;\n```\n\n"
    "> - quote 33\n>   34\n\n"
    "$$ a_{35}\n + 36 $$\n\n"
    "[^n]: Note 37 -- 38\n\n[@k]: Entry 39 ... 40\n";

struct walk {
  const char *text;
  size_t words, decoded;
};

/* Letters and digits are those of the source; an entity stands for a digit. */
static void check_text(struct walk *walk, const char *text,
                       const struct origins *origins) {
  for (size_t i = 0; text[i] != 0; i++) {
    size_t offset;
    if (!isalnum((unsigned char)text[i])) continue;
    if (!origins_find(origins, i, &offset))
      fail_msg("no origin of byte %zu of \"%s\"", i, text);
    char found = walk->text[offset];
    if (found != text[i] && found != '&')
      fail_msg("byte %zu of \"%s\" comes from \"%.20s\"", i, text,
               walk->text + offset);
    walk->words++;
    walk->decoded += found == '&';
  }
}

static void check_formula(struct walk *walk,
                          const struct math_formula *formula) {
  for (size_t i = 0; formula->source[i] != 0; i++)
    if (formula->source[i] != ' ')
      assert_int_equal(formula->source[i], walk->text[formula->offset + i]);
}

static void check_spans(struct walk *walk, const struct span *span) {
  for (; span != NULL; span = span->next) {
    if (span->type == SPAN_TEXT || span->type == SPAN_CODE)
      check_text(walk, span->text, &span->origins);
    if (span->formula != NULL) check_formula(walk, span->formula);
    check_spans(walk, span->child);
  }
}

static void check_cells(struct walk *walk, const struct table_cell *cells,
                        size_t count) {
  for (size_t i = 0; i < count; i++)
    check_spans(walk, cells[i].spans);
}

static void check_blocks(struct walk *walk, const struct block *block) {
  for (; block != NULL; block = block->next) {
    check_spans(walk, block->spans);
    if (block->text != NULL)
      check_text(walk, block->text, &block->text_origins);
    if (block->alt != NULL) check_text(walk, block->alt, &block->alt_origins);
    if (block->formula != NULL) check_formula(walk, block->formula);
    const struct table *table = block->table;
    if (table != NULL) {
      check_cells(walk, table->head, table->columns);
      check_cells(walk, table->cells, table->columns * table->rows);
    }
    check_blocks(walk, block->child);
  }
}

static void read_document(const char *text, const char *json,
                          struct buffer *out, struct document *document) {
  const struct template_options options = {.mode = TEMPLATE_MARKDOWN};
  struct json_document values;
  struct source_map map = {0};
  struct error err;
  if (json_parse("v", json, strlen(json), &values, &err) != 0 ||
      template_render("d.md", text, strlen(text), values.root, &options, out,
                      &map, &err) != 0 ||
      markdown_parse("d.md", out->bytes, out->length, &map, document, &err) !=
          0)
    fail_msg("%s", err.text);
  json_free(&values);
}

static void test_bytes_lead_back(void **state) {
  (void)state;
  struct buffer text = {0};
  struct document document;
  read_document(source, "{}", &text, &document);
  struct walk walk = {.text = text.bytes};
  check_blocks(&walk, document.blocks);
  for (size_t i = 0; i < document.note_count; i++)
    check_blocks(&walk, document.notes[i]->blocks);
  for (size_t i = 0; i < document.reference_count; i++)
    check_spans(&walk, document.references[i]->spans);
  for (const struct front_field *f = document.front.fields; f; f = f->next)
    check_text(&walk, f->value, &f->origins);
  assert_int_equal(walk.decoded, 1);
  assert_true(walk.words > 150);
  document_free(&document);
  buffer_free(&text);
}

static const struct source_value *value_at(const struct document *document,
                                           const struct origins *origins,
                                           size_t at) {
  size_t end;
  const struct source_segment *segment =
      origins_printed(origins, &document->map, at, at + 1, &end);
  assert_int_equal(end, at + 1);
  return segment == NULL ? NULL : segment->value;
}

/* Each printed value lies in one run of a text, whatever surrounds it. */
static void test_values_are_found(void **state) {
  (void)state;
  struct buffer text = {0};
  struct document document;
  read_document("---\ntitle: T {{a}}\n---\n\"{{a|%.1f}}\" -- **{{b}}**-fold\n",
                "{\"a\": 1.25, \"b\": \"x \\\"-- 7\"}", &text, &document);
  const struct span *first = document.blocks->spans;
  assert_string_equal(first->text, "“1.2” – ");
  for (size_t i = 0; first->text[i] != 0; i++) {
    const struct source_value *value = value_at(&document, &first->origins, i);
    bool inside = i >= 3 && i < 6;
    assert_int_equal(value != NULL, inside);
    if (inside) assert_string_equal(value->key, "a");
  }
  const struct span *strong = first->next->child;
  for (size_t i = 0; strong->text[i] != 0; i++)
    assert_string_equal(value_at(&document, &strong->origins, i)->key, "b");
  const struct front_field *title =
      front_matter_field(&document.front, "title");
  assert_null(value_at(&document, &title->origins, 0));
  assert_string_equal(value_at(&document, &title->origins, 2)->key, "a");
  document_free(&document);
  buffer_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes_lead_back),
                                     cmocka_unit_test(test_values_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
