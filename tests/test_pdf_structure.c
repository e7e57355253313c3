/* The structure tree of a PDF as qpdf reads it: every marked piece of content
 * and every annotation leads back to the element that claims it, and every
 * element to its parent. Skipped without qpdf. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/base/file.h"
#include "report/base/json.h"
#include "report/box.h"
#include "report/device.h"
#include "report/pdf_structure.h"

static struct font_set *fonts;
static struct arena arena;
static struct json_document pdf;
static const struct json *objects;
static bool is_read;

/* ---- a document ---------------------------------------------------------- */

static void say(struct device *device, const struct tag *tag, double y,
                const char *text) {
  struct glyph_run *runs;
  struct error err;
  assert_int_equal(font_shape(fonts, &arena, FONT_ROMAN, 10, FONT_PLAIN, text,
                              strlen(text), (struct place){"t", 1, 1}, &runs,
                              &err),
                   0);
  struct box *box = box_from_runs(&arena, runs);
  box->tag = tag;
  box_draw(box, device, 10, y);
}

static struct tag *new_tag(enum tag_role role) {
  struct tag *tag = arena_alloc(&arena, sizeof *tag);
  tag->role = role;
  return tag;
}

/* `pages` pages; one list and its paragraph go on over all of them. */
static void draw(struct device *device, int pages) {
  struct document_info info = {.title = "T"};
  const struct tag *list = new_tag(TAG_LIST), *item = new_tag(TAG_ITEM);
  const struct tag *body = new_tag(TAG_ITEM_BODY), *p = new_tag(TAG_PARAGRAPH);
  device->begin_document(device, &info);
  for (int page = 0; page < pages; page++) {
    device->begin_page(device, 200, 200);
    say(device, new_tag(TAG_H1), 180, "Heading");
    device->begin_tag(device, list);
    device->begin_tag(device, item);
    device->begin_tag(device, body);
    say(device, p, 150, "text before");
    device->begin_tag(device, p);
    device->begin_tag(device, new_tag(TAG_LINK));
    say(device, NULL, 140, "linked");
    device->link(device, 10, 140, 20, 10, "https://example.org/");
    device->end_tag(device);
    device->end_tag(device);
    say(device, p, 130, "text behind");
    for (int i = 0; i < 3; i++)
      device->end_tag(device);
    say(device, NULL, 10, "foot");
    device->end_page(device);
  }
  device->end_document(device);
}

static int read_back(void **state) {
  (void)state;
  const char *build = getenv("BUILD");
  char path[200], json[220], command[500];
  struct error err = {{0}};
  struct buffer out = {0};
  snprintf(path, sizeof path, "%s/tests/structure-%ld.pdf",
           build ? build : "build", (long)getpid());
  snprintf(json, sizeof json, "%s.json", path);
  snprintf(command, sizeof command,
           "command -v qpdf >/dev/null && qpdf --json=2 --json-key=qpdf %s >%s",
           path, json);
  if (font_set_load(NULL, &fonts, &err) != 0) return -1;
  struct device *device = device_pdf_new(fonts);
  draw(device, 20);
  int status = device_finish(device, &out, &err);
  device_free(device);
  if (status == 0) status = file_make_parents(path, &err);
  if (status == 0) status = file_write(path, out.bytes, out.length, &err);
  buffer_free(&out);
  is_read =
      status == 0 && system(command) == 0 && json_read(json, &pdf, &err) == 0;
  unlink(path);
  unlink(json);
  if (is_read) objects = json_member(pdf.root, "qpdf")->child->next;
  return status;
}

static void need_qpdf(void) {
  if (is_read) return;
  printf("skipped: qpdf is not installed or older than 11\n");
  skip();
}

/* ---- objects ------------------------------------------------------------- */

/* What "12 0 R" refers to. */
static const struct json *object(const char *reference) {
  char key[60];
  snprintf(key, sizeof key, "obj:%s", reference);
  const struct json *entry = json_member(objects, key);
  if (!entry) fail_msg("no object %s", reference);
  return json_member(entry, "value");
}

static const struct json *member(const struct json *dict, const char *key) {
  const struct json *value = json_member(dict, key);
  if (!value) fail_msg("no %s", key);
  return value;
}

static const struct json *item(const struct json *array, long long index) {
  const struct json *element = array->child;
  while (element && index-- > 0)
    element = element->next;
  assert_non_null(element);
  return element;
}

static const struct json *catalog(void) {
  for (const struct json *o = objects->child; o; o = o->next) {
    const struct json *value = json_member(o, "value");
    const struct json *type = value && value->type == JSON_OBJECT
                                  ? json_member(value, "/Type")
                                  : NULL;
    if (type && strcmp(type->text, "/Catalog") == 0) return value;
  }
  fail_msg("no catalog");
  return NULL;
}

static const struct json *structure_root(void) {
  return object(member(catalog(), "/StructTreeRoot")->text);
}

/* The entry of the parent tree under a key. */
static const struct json *parents_of(long long key) {
  const struct json *tree =
      object(member(structure_root(), "/ParentTree")->text);
  const struct json *entry = member(tree, "/Nums")->child;
  while (entry && entry->integer != key)
    entry = entry->next->next;
  if (!entry) fail_msg("the parent tree has no key %lld", key);
  return entry->next;
}

/* ---- checks -------------------------------------------------------------- */

struct counts {
  size_t elements, marks, annotations;
};

static void check_mark(const char *page, long long id, const char *element,
                       struct counts *counts) {
  long long key = member(object(page), "/StructParents")->integer;
  const struct json *marks = object(parents_of(key)->text);
  assert_string_equal(item(marks, id)->text, element);
  counts->marks++;
}

static void check_element(const char *reference, struct counts *counts);

static void check_kid(const struct json *kid, const struct json *element,
                      const char *reference, struct counts *counts) {
  if (kid->type == JSON_NUMBER) {
    check_mark(member(element, "/Pg")->text, kid->integer, reference, counts);
  } else if (kid->type == JSON_STRING) {
    assert_string_equal(member(object(kid->text), "/P")->text, reference);
    check_element(kid->text, counts);
  } else if (strcmp(member(kid, "/Type")->text, "/MCR") == 0) {
    check_mark(member(kid, "/Pg")->text, member(kid, "/MCID")->integer,
               reference, counts);
  } else {
    const struct json *annotation = object(member(kid, "/Obj")->text);
    long long key = member(annotation, "/StructParent")->integer;
    assert_string_equal(parents_of(key)->text, reference);
    counts->annotations++;
  }
}

static void check_element(const char *reference, struct counts *counts) {
  const struct json *element = object(reference);
  const struct json *kids = member(element, "/K");
  counts->elements++;
  if (kids->type != JSON_ARRAY) {
    check_kid(kids, element, reference, counts);
    return;
  }
  for (const struct json *kid = kids->child; kid; kid = kid->next)
    check_kid(kid, element, reference, counts);
}

static void test_content_leads_back_to_its_element(void **state) {
  (void)state;
  need_qpdf();
  struct counts counts = {0};
  check_element(member(structure_root(), "/K")->text, &counts);
  /* the document, list, item, body and paragraph once; per page a heading and
   * a link; per page marks of heading, text, link, text */
  assert_int_equal(counts.elements, 5 + 20 * 2);
  assert_int_equal(counts.marks, 20 * 4);
  assert_int_equal(counts.annotations, 20);
}

static void test_catalog_says_it_is_tagged(void **state) {
  (void)state;
  need_qpdf();
  assert_true(member(member(catalog(), "/MarkInfo"), "/Marked")->boolean);
  assert_true(
      member(member(catalog(), "/ViewerPreferences"), "/DisplayDocTitle")
          ->boolean);
  assert_string_equal(member(catalog(), "/Lang")->text, "u:en");
}

/* An array of libharu has a limit; a document of many paragraphs has none. */
static void test_any_number_of_children(void **state) {
  (void)state;
  enum { MANY = 70000 };
  struct tag *tags = arena_alloc(&arena, MANY * sizeof *tags);
  struct pdf file;
  struct error err;
  assert_int_equal(pdf_open(&file, &err), 0);
  struct pdf_structure *structure = pdf_structure_new();
  for (int i = 0; i < MANY; i++) {
    tags[i].role = TAG_PARAGRAPH;
    pdf_structure_element(structure, PDF_ROOT_ELEMENT, &tags[i]);
  }
  size_t last = pdf_structure_element(structure, 0, &tags[MANY - 1]);
  assert_ptr_equal(pdf_structure_tag(structure, last), &tags[MANY - 1]);
  pdf_structure_write(structure, &file);
  if (file.failed) fail_msg("%s", file.error.text);
  pdf_structure_free(structure);
  pdf_close(&file);
}

static int release(void **state) {
  (void)state;
  if (is_read) json_free(&pdf);
  font_set_free(fonts);
  arena_free(&arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_content_leads_back_to_its_element),
      cmocka_unit_test(test_catalog_says_it_is_tagged),
      cmocka_unit_test(test_any_number_of_children),
  };
  return cmocka_run_group_tests(tests, read_back, release);
}
