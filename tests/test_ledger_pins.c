/* Every pin that the articles and the figures print, moved in turn: each place
 * where the ledger says it stands changes, in the page, in the pages drawn, in
 * the figures' scripts, and nothing else does. */
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/device.h"
#include "report/html.h"
#include "report/ledger.h"
#include "report/markdown.h"
#include "report/pins.h"
#include "report/template.h"
#include "report/typeset.h"

static const char first_article[] = "templates/articles/layernorm-jacobian.md";
static const char second_article[] = "templates/articles/dead-directions.md";

/* An article from one tree of values: its source expanded, the account of it,
 * its page, and the texts that are drawn on its pages, one a line. */
struct rendering {
  struct buffer expanded, html, drawn;
  struct source_map map; /* of `expanded`; moves into the document */
  struct document document;
  struct ledger ledger;
};

static void free_rendering(struct rendering *r) {
  buffer_free(&r->expanded);
  buffer_free(&r->html);
  buffer_free(&r->drawn);
  document_free(&r->document);
  ledger_free(&r->ledger);
}

/* The texts of the trace's runs, one a line; those of a formula, which is drawn
 * digit by digit, on one. Other lines of the trace hold places and tags. */
static void add_runs(const struct buffer *trace, struct buffer *out) {
  bool was_maths = false;
  for (const char *line = trace->bytes; *line != 0;) {
    size_t length = strcspn(line, "\n");
    const char *word = line + strspn(line, " ");
    if (strncmp(word, "glyphs ", 7) == 0) {
      const char *quote = memchr(word, '"', length - (size_t)(word - line));
      const char *maths = strstr(word, " math ");
      bool is_maths = maths != NULL && maths < quote;
      if (!is_maths || !was_maths) buffer_char(out, '\n');
      buffer_add(out, quote + 1, strcspn(quote + 1, "\""));
      was_maths = is_maths;
    }
    line += length + (line[length] == '\n');
  }
}

static struct font_set *fonts; /* loaded once for all */

static void draw(struct rendering *r) {
  const struct typeset_options options = {0};
  struct arena arena = {0};
  struct buffer trace = {0};
  struct error err;
  struct device *device = device_trace_new();
  if (typeset(&r->document, &options, fonts, &arena, device, NULL, &err) != 0 ||
      device_finish(device, &trace, &err) != 0)
    fail_msg("%s", err.text);
  add_runs(&trace, &r->drawn);
  device_free(device);
  arena_free(&arena);
  buffer_free(&trace);
}

static void expand(const char *path, enum template_mode mode,
                   const struct json *values, struct buffer *out,
                   struct source_map *map) {
  const struct template_options options = {.mode = mode,
                                           .partials = "templates/figures"};
  struct error err;
  if (template_render_file(path, values, &options, out, map, &err) != 0)
    fail_msg("%s", err.text);
}

static void render(const char *article, const struct json *values, bool pages,
                   struct rendering *r) {
  struct error err;
  *r = (struct rendering){0};
  expand(article, TEMPLATE_MARKDOWN, values, &r->expanded, &r->map);
  if (markdown_parse(article, r->expanded.bytes, r->expanded.length, &r->map,
                     &r->document, &err) != 0 ||
      ledger_add_document(&r->ledger, &r->document, &err) != 0)
    fail_msg("%s", err.text);
  if (!pages) return;
  if (html_write(&r->document, html_default_style, &r->html, &err) != 0)
    fail_msg("%s", err.text);
  draw(r);
}

/* Where the digits that count end: before the exponent. */
static size_t digits_end(const char *text) {
  return strspn(text, "0123456789.+-") < strlen(text) ? strcspn(text, "eE")
                                                      : strlen(text);
}

/* A double near that of `text` which is printed by as many digits; some leading
 * digits have none. */
static bool settle(char *text) {
  char shortest[JSON_DOUBLE_TEXT];
  double value = strtod(text, NULL);
  for (int tries = 0; tries < 2000; tries++) {
    json_double_text(value, shortest);
    if (strlen(shortest) == strlen(text)) {
      memcpy(text, shortest, strlen(text));
      return true;
    }
    value = nextafter(value, 2 * value);
  }
  return false;
}

/* Another value of the same look: each digit but zero goes `step` further
 * around 1 to 9, the last ones perhaps more. NULL if there is none. */
static const char *moved_text(struct arena *arena, const struct json *value,
                              const char *text, int step) {
  char *copy = arena_copy(arena, text, strlen(text));
  bool number = value->type == JSON_NUMBER;
  size_t end = number ? digits_end(text) : strlen(text);
  for (size_t i = 0; i < end; i++)
    if (copy[i] >= '1' && copy[i] <= '9')
      copy[i] = (char)('1' + (copy[i] - '1' + step) % 9);
  if (number && !value->is_integer && !settle(copy)) return NULL;
  return copy;
}

static void set_text(struct json *value, const char *text) {
  value->text = text;
  if (value->type != JSON_NUMBER) return;
  value->number = strtod(text, NULL);
  if (value->is_integer) value->integer = strtoll(text, NULL, 10);
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* The same bytes but for digits. */
static bool same_shape(const struct buffer *a, const struct buffer *b) {
  if (a->length != b->length) return false;
  for (size_t i = 0; i < a->length; i++)
    if (a->bytes[i] != b->bytes[i] &&
        !(is_digit(a->bytes[i]) && is_digit(b->bytes[i])))
      return false;
  return true;
}

/* Whether all texts of the key differ: a rounded one may not show a step. */
static bool all_moved(const char *key, const struct source_map *map,
                      const struct buffer *before, const struct buffer *after) {
  for (size_t i = 0; i < map->count; i++) {
    const struct source_segment *segment = &map->segments[i];
    size_t end = i + 1 < map->count ? segment[1].offset : before->length;
    if (segment->value != NULL && strcmp(segment->value->key, key) == 0 &&
        memcmp(before->bytes + segment->offset, after->bytes + segment->offset,
               end - segment->offset) == 0)
      return false;
  }
  return true;
}

/* How many texts of the key there are in the map, all of them changed, and
 * nothing outside of them. */
static size_t check_expansion(const char *key, const struct source_map *map,
                              const struct buffer *before,
                              const struct buffer *after) {
  size_t places = 0;
  for (size_t i = 0; i < map->count; i++) {
    const struct source_segment *segment = &map->segments[i];
    size_t end = i + 1 < map->count ? segment[1].offset : before->length;
    bool own = segment->value != NULL && strcmp(segment->value->key, key) == 0;
    bool same =
        memcmp(before->bytes + segment->offset, after->bytes + segment->offset,
               end - segment->offset) == 0;
    if (own == same)
      fail_msg("%s: \"%.*s\" of line %d is %s", key,
               (int)(end - segment->offset), before->bytes + segment->offset,
               segment->at.line, own ? "left as it was" : "changed");
    places += own;
  }
  return places;
}

/* How many numerals differ. */
static size_t count_changes(const struct buffer *before,
                            const struct buffer *after, size_t start,
                            size_t end) {
  size_t count = 0;
  for (size_t i = start; i < end; i++) {
    bool differs = false;
    if (!is_digit(before->bytes[i])) continue;
    for (; i < end && (is_digit(before->bytes[i]) || before->bytes[i] == '.' ||
                       before->bytes[i] == ',');
         i++)
      differs = differs || before->bytes[i] != after->bytes[i];
    count += differs;
  }
  return count;
}

/* The end of the element of a printed value that starts at `at`. */
static const char *element_end(const char *at) {
  const char *end =
      strstr(at, strncmp(at, "<mn", 3) == 0 ? "</mn>" : "</span>");
  assert_non_null(end);
  return end;
}

/* The page changes in the elements of the key and, where a text is repeated
 * without elements (titles, alternatives), in tags. Returns the elements. */
static size_t check_page(const char *key, const struct buffer *before,
                         const struct buffer *after) {
  char mark[512];
  size_t elements = 0;
  const char *text = before->bytes, *last = text; /* the tag read last */
  snprintf(mark, sizeof mark, "class=\"pin\" data-key=\"%s\"", key);
  for (size_t i = 0; i < before->length;) {
    size_t length = strcspn(text + i, "<");
    bool repeats =
        strncmp(last, "<desc", 5) == 0 || strncmp(last, "<title", 6) == 0;
    if (!repeats && memcmp(text + i, after->bytes + i, length) != 0)
      fail_msg("%s: text outside of its places changes: \"%.*s\"", key,
               (int)length, text + i);
    i += length;
    if (text[i] == 0) break;
    size_t tag = strcspn(text + i, ">");
    last = text + i;
    const char *own = strstr(text + i, mark);
    if (own != NULL && own < text + i + tag) {
      size_t start = i + tag, end = (size_t)(element_end(text + i) - text);
      bool exponent = strncmp(text + i, "<mn", 3) == 0;
      if (!exponent && count_changes(before, after, start, end) == 0)
        fail_msg("%s: \"%.*s\" is left as it was", key, (int)(end - start),
                 text + start);
      elements += count_changes(before, after, start, end) > 0;
      i = end;
      tag = strcspn(text + i, ">");
    }
    i += tag;
  }
  return elements;
}

/* What of a document's account is seen as text on the page. */
static bool is_shown(const struct ledger_entry *entry) {
  return entry->part != LEDGER_FRONT && entry->part != LEDGER_ALT;
}

static size_t count_entries(const struct ledger *ledger, const char *key,
                            bool shown) {
  size_t count = 0;
  for (const struct ledger_entry *e = ledger->entries; e != NULL; e = e->next)
    count += e->value != NULL && strcmp(e->value->key, key) == 0 &&
             (!shown || is_shown(e));
  return count;
}

static void check_rendering(const char *key, const struct rendering *before,
                            const struct rendering *after) {
  size_t entries = count_entries(&before->ledger, key, false);
  size_t shown = count_entries(&before->ledger, key, true);
  assert_int_equal(check_expansion(key, &before->document.map,
                                   &before->expanded, &after->expanded),
                   entries);
  if (!same_shape(&before->html, &after->html))
    fail_msg("%s changes more of the page than digits", key);
  size_t elements = check_page(key, &before->html, &after->html);
  if (elements != shown)
    fail_msg("%s is shown %zu times, %zu of the page change", key, shown,
             elements);
  if (!same_shape(&before->drawn, &after->drawn))
    fail_msg("%s changes more of the pages drawn than digits", key);
  size_t drawn =
      count_changes(&before->drawn, &after->drawn, 0, before->drawn.length);
  if (drawn != shown)
    fail_msg("%s is shown %zu times, %zu of the pages drawn change", key, shown,
             drawn);
}

/* Move the value until the page looks the same but for digits. */
static void move_key(const char *article, struct json *values, const char *key,
                     const struct rendering *before) {
  struct json *value = (struct json *)json_at(values, key);
  const char *kept = value->text;
  struct arena arena = {0};
  struct rendering after;
  int step = 1;
  for (; step < 9; step++) {
    const char *text = moved_text(&arena, value, kept, step);
    if (text == NULL) continue;
    set_text(value, text);
    render(article, values, false, &after);
    bool same = same_shape(&before->expanded, &after.expanded) &&
                all_moved(key, &before->document.map, &before->expanded,
                          &after.expanded);
    free_rendering(&after);
    if (same) break;
  }
  if (step == 9) fail_msg("no other value of %s has the same look", key);
  render(article, values, true, &after);
  check_rendering(key, before, &after);
  free_rendering(&after);
  set_text(value, kept);
  arena_free(&arena);
}

/* No other number looks like 0: those of the account become another. */
static void fill_zeros(struct json *values, const struct ledger *ledger) {
  for (const struct ledger_entry *e = ledger->entries; e != NULL; e = e->next) {
    if (e->value == NULL || !e->value->is_number) continue;
    struct json *value = (struct json *)json_at(values, e->value->key);
    if (value->number == 0) set_text(value, "2.25e-15");
    value->is_integer = value->is_integer && strchr(value->text, 'e') == NULL;
  }
}

static bool is_first(const struct ledger *ledger,
                     const struct ledger_entry *entry) {
  for (const struct ledger_entry *e = ledger->entries; e != entry; e = e->next)
    if (e->value != NULL && strcmp(e->value->key, entry->value->key) == 0)
      return false;
  return true;
}

static void check_article(const char *article) {
  struct json_document values;
  struct rendering before;
  struct error err;
  if (pins_values("data/pins", &values, &err) != 0) fail_msg("%s", err.text);
  render(article, values.root, false, &before);
  fill_zeros(values.root, &before.ledger);
  free_rendering(&before);
  render(article, values.root, true, &before);
  size_t keys = 0;
  for (const struct ledger_entry *e = before.ledger.entries; e; e = e->next) {
    if (e->value == NULL || !is_first(&before.ledger, e)) continue;
    if (strpbrk(e->text, "123456789") == NULL) continue; /* a word */
    move_key(article, values.root, e->value->key, &before);
    keys++;
  }
  assert_true(keys > 50);
  free_rendering(&before);
  json_free(&values);
}

static void test_every_key_moves_its_places(void **state) {
  (void)state;
  check_article(first_article);
  check_article(second_article);
}

/* The same for the figures' scripts, data and all; what gnuplot draws follows
 * from them. */
static void test_every_key_moves_its_figures(void **state) {
  (void)state;
  glob_t paths;
  struct json_document values;
  struct error err;
  assert_int_equal(glob("templates/figures/*.gp", 0, NULL, &paths), 0);
  if (pins_values("data/pins", &values, &err) != 0) fail_msg("%s", err.text);
  for (size_t i = 0; i < paths.gl_pathc; i++) {
    struct ledger ledger = {0};
    struct source_map map = {0};
    struct buffer before = {0};
    if (ledger_add_figure(&ledger, paths.gl_pathv[i], values.root, &err) != 0)
      fail_msg("%s", err.text);
    fill_zeros(values.root, &ledger);
    ledger_free(&ledger);
    expand(paths.gl_pathv[i], TEMPLATE_GNUPLOT, values.root, &before, &map);
    if (ledger_add_figure(&ledger, paths.gl_pathv[i], values.root, &err) != 0)
      fail_msg("%s", err.text);
    for (const struct ledger_entry *e = ledger.entries; e; e = e->next) {
      if (e->value == NULL || !is_first(&ledger, e)) continue;
      struct json *value = (struct json *)json_at(values.root, e->value->key);
      const char *kept = value->text;
      struct arena arena = {0};
      struct source_map ignored = {0};
      struct buffer after = {0};
      for (int step = 1; step < 9; step++) {
        const char *text = moved_text(&arena, value, kept, step);
        if (text == NULL) continue;
        buffer_clear(&after);
        set_text(value, text);
        expand(paths.gl_pathv[i], TEMPLATE_GNUPLOT, values.root, &after,
               &ignored);
        if (same_shape(&before, &after)) break;
      }
      if (!same_shape(&before, &after))
        fail_msg("%s: no other value of %s has the same look",
                 paths.gl_pathv[i], e->value->key);
      assert_int_equal(check_expansion(e->value->key, &map, &before, &after),
                       count_entries(&ledger, e->value->key, false));
      set_text(value, kept);
      buffer_free(&after);
      source_map_free(&ignored);
      arena_free(&arena);
    }
    ledger_free(&ledger);
    source_map_free(&map);
    buffer_free(&before);
  }
  globfree(&paths);
  json_free(&values);
}

/* ---- the page itself ----------------------------------------------------- */

/* Elements whose numerals are accounted for by their own: what tags printed,
 * numbers that the writer adds, formulas, code, drawings. */
static const char *skipped_end(const char *tag) {
  static const struct {
    const char *start, *end;
  } skipped[] = {{"<span class=\"pin\"", "</span>"},
                 {"<span class=\"label\"", "</span>"},
                 {"<math", "</math>"},
                 {"<svg", "</svg>"},
                 {"<style", "</style>"},
                 {"<code", "</code>"},
                 {"<pre", "</pre>"}};
  for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
    if (strncmp(tag, skipped[i].start, strlen(skipped[i].start)) == 0)
      return strstr(tag, skipped[i].end);
  size_t length = strcspn(tag, ">");
  const char *citation = strstr(tag, "doc-biblioref");
  if (strncmp(tag, "<a ", 3) == 0 && citation != NULL &&
      citation < tag + length)
    return strstr(tag, "</a>");
  bool reference = strncmp(tag, "<a href=\"#", 10) == 0 &&
                   (strncmp(tag + length, ">Figure", 7) == 0 ||
                    strncmp(tag + length, ">Table", 6) == 0);
  return reference ? strstr(tag, "</a>") : NULL;
}

/* Numerals of the page's text outside of those elements. */
static size_t count_others(const char *page) {
  size_t count = 0;
  const char *at = strstr(page, "<main");
  assert_non_null(at);
  while (*at != 0) {
    if (*at == '<') {
      const char *end = skipped_end(at);
      at = end != NULL ? end : at + strcspn(at, ">");
    } else if (is_digit(*at)) {
      count++;
      while (is_digit(*at) || ((*at == '.' || *at == ',') && is_digit(at[1])))
        at++;
    } else {
      at++;
    }
  }
  return count;
}

/* An independent look at the HTML: what it shows besides is what is declared,
 * no more and no less. */
static void test_page_shows_what_is_entered(void **state) {
  (void)state;
  struct json_document values;
  struct rendering page;
  struct error err;
  if (pins_values("data/pins", &values, &err) != 0) fail_msg("%s", err.text);
  render(first_article, values.root, true, &page);
  size_t literals = 0;
  for (const struct ledger_entry *e = page.ledger.entries; e; e = e->next)
    literals += e->source != LEDGER_KEY && e->source != LEDGER_CODE &&
                e->part != LEDGER_FORMULA && is_shown(e);
  assert_int_equal(count_others(page.html.bytes), literals);
  assert_true(literals > 0);
  free_rendering(&page);
  json_free(&values);
}

/* ---- what is shipped ----------------------------------------------------- */

static void expect_no_finding(const char *path, struct ledger *ledger,
                              const struct json *values) {
  ledger_check(ledger, values);
  const struct ledger_finding *first = ledger->findings;
  if (first != NULL)
    fail_msg("%s:%d: %s", path, first->place.line, first->text);
  ledger_free(ledger);
}

static void check_document(const char *path, const struct json *values) {
  struct buffer text = {0};
  struct source_map map = {0};
  struct document document;
  struct ledger ledger = {0};
  struct error err;
  bool strict = false;
  expand(path, TEMPLATE_MARKDOWN, values, &text, &map);
  if (markdown_parse(path, text.bytes, text.length, &map, &document, &err) !=
          0 ||
      ledger_document_strict(&document, &strict, &err) != 0 ||
      ledger_add_document(&ledger, &document, &err) != 0)
    fail_msg("%s", err.text);
  if (!strict) fail_msg("%s is not strict", path);
  expect_no_finding(path, &ledger, values);
  document_free(&document);
  buffer_free(&text);
}

static void check_figure(const char *path, const struct json *values) {
  struct buffer text = {0};
  struct source_map map = {0};
  struct ledger ledger = {0};
  struct error err;
  bool strict = false;
  expand(path, TEMPLATE_GNUPLOT, values, &text, &map);
  if (ledger_script_strict(text.bytes, text.length, &map, &strict, &err) != 0 ||
      ledger_add_script(&ledger, text.bytes, text.length, &map, &err) != 0)
    fail_msg("%s", err.text);
  if (!strict) fail_msg("%s is not strict", path);
  expect_no_finding(path, &ledger, values);
  source_map_free(&map);
  buffer_free(&text);
}

static void test_shipped_pages_are_strict(void **state) {
  (void)state;
  glob_t paths;
  struct json_document values;
  struct error err;
  if (pins_values("data/pins", &values, &err) != 0) fail_msg("%s", err.text);
  assert_int_equal(glob("templates/articles/*.md", 0, NULL, &paths), 0);
  assert_int_equal(glob("templates/problems/*.md", GLOB_APPEND, NULL, &paths),
                   0);
  for (size_t i = 0; i < paths.gl_pathc; i++)
    check_document(paths.gl_pathv[i], values.root);
  globfree(&paths);
  assert_int_equal(glob("templates/figures/*.gp", 0, NULL, &paths), 0);
  for (size_t i = 0; i < paths.gl_pathc; i++)
    check_figure(paths.gl_pathv[i], values.root);
  globfree(&paths);
  json_free(&values);
}

static int load_fonts(void **state) {
  (void)state;
  struct error err;
  return font_set_load(NULL, &fonts, &err);
}

static int free_fonts(void **state) {
  (void)state;
  font_set_free(fonts);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_key_moves_its_places),
      cmocka_unit_test(test_every_key_moves_its_figures),
      cmocka_unit_test(test_page_shows_what_is_entered),
      cmocka_unit_test(test_shipped_pages_are_strict)};
  return cmocka_run_group_tests_name("ledger_pins", tests, load_fonts,
                                     free_fonts);
}
