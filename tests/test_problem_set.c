/* Problem sets: what is read from a file, what pages are made of it, what is
 * refused (tests/spec/problems); and the commands `problems` and `new`. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/html.h"
#include "report/markdown.h"
#include "report/problem_set.h"
#include "report/typeset.h"
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

static int parse(const char *file, const char *text, size_t length,
                 struct document *out, struct error *err) {
  struct source_map map = {0};
  source_map_add_text(&map, 0, (struct place){file, 1, 1}, text, length);
  return markdown_parse(file, text, length, &map, out, err);
}

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

static void read_set(const char *path, struct buffer *text,
                     struct document *document, struct problem_set *set) {
  struct error err;
  if (file_read(path, text, &err) != 0 ||
      parse(path, text->bytes, text->length, document, &err) != 0 ||
      problem_set_read(document, path, set, &err) != 0)
    fail_msg("%s", err.text);
}

static void trace_page(struct problem_set *set, enum problem_page page,
                       int work_space, struct buffer *out) {
  struct document document;
  struct typeset_options options = {0};
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

/* Where `text` stands after `from`; it must. */
static const char *find(const char *from, const char *text) {
  const char *at = strstr(from, text);
  if (at == NULL) fail_msg("\"%s\" is missing or too early", text);
  return at;
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
  trace_page(&set, PROBLEM_PAGE_SET, 0, &trace);
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
    trace_page(&set, PROBLEM_PAGE_PROBLEMS, lines, &trace);
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
    trace_page(&set, PROBLEM_PAGE_KEY, 0, &key);
    trace_page(&set, PROBLEM_PAGE_SOLUTIONS, 0, &again);
    buffer_clear(&again);
    trace_page(&set, PROBLEM_PAGE_KEY, 0, &again);
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

/* ---- the commands ---------------------------------------------------------*/

static char directory[64];

/* Run it in the directory for these tests; output and errors go to `out`. */
static int run(const char *arguments, struct buffer *out) {
  char program[4096], command[8192];
  const char *build = getenv("BUILD");
  if (build == NULL) build = "build";
  char *root = realpath(build, NULL);
  snprintf(program, sizeof program, "%s/bin/pinpress", root);
  free(root);
  snprintf(command, sizeof command, "cd %s && %s %s 2>&1", directory, program,
           arguments);
  buffer_clear(out);
  buffer_text(out, "");
  FILE *pipe = popen(command, "r");
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, pipe)) > 0;)
    buffer_add(out, part, n);
  int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool is_there(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return file_exists(path);
}

static void write_here(const char *name, const char *text) {
  char path[256];
  struct error err;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  assert_int_equal(file_write(path, text, strlen(text), &err), 0);
}

static void read_here(const char *name, struct buffer *out) {
  char path[256];
  struct error err;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  buffer_clear(out);
  if (file_read(path, out, &err) != 0) fail_msg("%s", err.text);
}

/* What `new` writes prints without a complaint, and is not overwritten. */
static void test_new(void **state) {
  struct buffer out = {0};
  (void)state;
  assert_int_equal(run("new problems odd", &out), 0);
  assert_string_equal(
      out.bytes,
      "odd.md is written; print it with: pinpress problems odd.md\n");
  assert_int_equal(run("new problems odd.md", &out), 2);
  assert_string_equal(out.bytes,
                      "odd.md: exists already and is left as it is\n");
  assert_int_equal(run("problems odd.md", &out), 0);
  assert_string_equal(out.bytes, "");
  assert_int_equal(run("new article text", &out), 0);
  assert_int_equal(run("typeset --html text.html --pdf text.pdf text.md", &out),
                   0);
  assert_string_equal(out.bytes, "");
  assert_int_equal(run("new essay text", &out), 2);
  assert_int_equal(run("new article ../text", &out), 2);
  assert_int_equal(run("new article .text", &out), 2);
  buffer_free(&out);
}

static void test_parts(void **state) {
  static const char *const files[] = {"sum.pdf", "sum-problems.pdf",
                                      "sum-key.pdf", "sum-solutions.pdf",
                                      "sum.html"};
  struct buffer out = {0};
  (void)state;
  write_here("sum.md",
             "# Problems\n## The sum\nWhat?\n### A\n$2$\n### S\n1. x\n");
  assert_int_equal(run("problems sum.md --out o --parts key,html", &out), 0);
  assert_false(is_there("o/sum.pdf"));
  assert_true(is_there("o/sum-key.pdf"));
  assert_true(is_there("o/sum.html"));
  assert_int_equal(run("problems sum.md", &out), 0);
  for (int i = 0; i < 5; i++)
    assert_true(is_there(files[i]));
  assert_int_equal(run("problems sum.md --parts key,foo", &out), 2);
  find(out.bytes, "--parts: unknown part 'foo'");
  buffer_free(&out);
}

/* Options stand above the head's fields; a wrong one is named as it came. */
static void test_options(void **state) {
  struct buffer out = {0};
  (void)state;
  write_here("s.md",
             "---\nwork-space: many\n---\n# Problems\n## A (2)\nQ\n### "
             "A\na\n### S\ns\n## B {#b}\nQ [](#b)\n### A\na\n### S\ns\n");
  assert_int_equal(run("problems s.md", &out), 2);
  assert_string_equal(out.bytes, "s.md:2:1: work space is a number of lines up "
                                 "to 100, not 'many'\n");
  assert_int_equal(run("problems s.md --work-space --paper a5", &out), 2);
  assert_string_equal(out.bytes, "--paper: paper is a4 or letter, not 'a5'\n");
  assert_int_equal(run("problems s.md --work-space --renumber=maybe", &out), 2);
  assert_string_equal(out.bytes,
                      "--renumber: renumber is yes or no, not 'maybe'\n");
  assert_int_equal(run("problems s.md --work-space=no --only 3", &out), 2);
  assert_string_equal(out.bytes,
                      "--only: there is no problem 3, the set has 2\n");
  assert_int_equal(run("problems s.md --work-space=no --points", &out), 2);
  assert_string_equal(out.bytes,
                      "s.md:11:4: this problem has no points, others have\n");
  assert_int_equal(run("problems s.md --work-space --points --only 1 --paper "
                       "letter --name-line --date-line=Tag --course C",
                       &out),
                   0);
  assert_int_equal(run("problems none.md", &out), 2);
  find(out.bytes, "none.md: ");
  buffer_free(&out);
}

/* What is written in the tree of the sources and far from it is the same. */
static void test_same_bytes(void **state) {
  struct buffer out = {0}, here = {0}, there = {0};
  (void)state;
  assert_int_equal(run("new problems same", &out), 0);
  assert_int_equal(run("problems same.md -o one", &out), 0);
  char elsewhere[128];
  snprintf(elsewhere, sizeof elsewhere, "%s/far", directory);
  mkdir(elsewhere, 0777);
  assert_int_equal(
      run("problems $PWD/same.md -o far --title 'Sums of odd numbers'", &out),
      0);
  static const char *const names[] = {"same.pdf", "same-problems.pdf",
                                      "same-key.pdf", "same-solutions.pdf",
                                      "same.html"};
  for (int i = 0; i < 5; i++) {
    char name[64];
    snprintf(name, sizeof name, "one/%s", names[i]);
    read_here(name, &here);
    snprintf(name, sizeof name, "far/%s", names[i]);
    read_here(name, &there);
    assert_int_equal(here.length, there.length);
    assert_memory_equal(here.bytes, there.bytes, here.length);
  }
  buffer_free(&out);
  buffer_free(&here);
  buffer_free(&there);
}

/* The example of --help is the tested one, line by line. */
static void test_example(void **state) {
  struct buffer help = {0}, example = {0}, lines = {0}, out = {0};
  struct error err;
  (void)state;
  assert_int_equal(run("problems --help", &help), 0);
  assert_int_equal(
      file_read("tests/spec/problems/ten-lines.md", &example, &err), 0);
  for (const char *line = example.bytes; *line != 0;) {
    size_t length = strcspn(line, "\n");
    buffer_printf(&lines, "%s%.*s\n", length > 0 ? "  " : "", (int)length,
                  line);
    line += length + 1;
  }
  find(help.bytes, lines.bytes);
  write_here("ten.md", example.bytes);
  assert_int_equal(run("problems ten.md", &out), 0);
  assert_string_equal(out.bytes, "");
  buffer_free(&help);
  buffer_free(&example);
  buffer_free(&lines);
  buffer_free(&out);
}

/* Words of other languages, with the signs of their writing. */
static void test_languages(void **state) {
  struct buffer out = {0};
  (void)state;
  if (system("pdftotext -v >/dev/null 2>&1") != 0) {
    printf("skipped: pdftotext is not installed\n");
    skip();
  }
  glob_t files;
  assert_int_equal(glob("tests/spec/problems/language-*.md", 0, NULL, &files),
                   0);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    struct buffer text = {0}, page = {0};
    struct error err;
    char command[256];
    assert_int_equal(file_read(files.gl_pathv[i], &text, &err), 0);
    write_here("l.md", text.bytes);
    if (run("problems l.md", &out) != 0) fail_msg("%s", out.bytes);
    snprintf(
        command, sizeof command,
        "cd %s && pdftotext -raw l.pdf l.txt && tr '\\n' ' ' <l.txt >l1.txt",
        directory);
    assert_int_equal(system(command), 0);
    read_here("l1.txt", &page);
    /* The comment lines of the head are what must stand there, in order. */
    const char *at = page.bytes;
    for (const char *line = strstr(text.bytes, "\n# "); line != NULL;
         line = strstr(line + 1, "\n# ")) {
      if (line > strstr(text.bytes, "\n---")) break;
      char words[256];
      snprintf(words, sizeof words, "%.*s", (int)strcspn(line + 3, "\n"),
               line + 3);
      at = strstr(at, words);
      if (at == NULL)
        fail_msg("%s: \"%s\" is missing or too early in:\n%s",
                 files.gl_pathv[i], words, page.bytes);
    }
    buffer_free(&text);
    buffer_free(&page);
  }
  globfree(&files);
  buffer_free(&out);
}

/* Without blanks and hyphens, which lines add and take. */
static void squeeze(const char *text, struct buffer *out) {
  for (; *text != 0; text++)
    if (strchr(" \n\f-", *text) == NULL && strncmp(text, "\u00a0", 2) != 0)
      buffer_char(out, *text);
    else
      text += (unsigned char)*text == 0xC2;
}

/* Each statement's words stand in the text that is copied from the PDF, in
 * order; formulas are there as TeX. */
static void test_copied_text(void **state) {
  struct buffer out = {0}, text = {0}, copied = {0}, squeezed = {0};
  struct document document;
  struct problem_set set;
  char command[256];
  (void)state;
  if (system("pdftotext -v >/dev/null 2>&1") != 0) {
    printf("skipped: pdftotext is not installed\n");
    skip();
  }
  read_set("templates/problems/layer-norm-backward.md", &text, &document, &set);
  write_here("norm.md", text.bytes);
  if (run("problems norm.md --parts set", &out) != 0) fail_msg("%s", out.bytes);
  snprintf(command, sizeof command, "cd %s && pdftotext norm.pdf", directory);
  assert_int_equal(system(command), 0);
  read_here("norm.txt", &copied);
  squeeze(copied.bytes, &squeezed);
  const char *at = squeezed.bytes;
  for (size_t i = 0; i < set.count; i++)
    for (const struct block *b = set.problems[i].statement; b; b = b->next)
      for (const struct span *span = b->spans; span; span = span->next) {
        struct buffer words = {0};
        bool is_maths = span->type == SPAN_MATHS;
        if (!is_maths && span->type != SPAN_TEXT) continue;
        buffer_text(&words, "");
        squeeze(is_maths ? span->formula->source : span->text, &words);
        at = find(at, words.bytes) + words.length;
        buffer_free(&words);
      }
  document_free(&document);
  buffer_free(&out);
  buffer_free(&text);
  buffer_free(&copied);
  buffer_free(&squeezed);
}

static int make_directory(void **state) {
  (void)state;
  const char *build = getenv("BUILD");
  snprintf(directory, sizeof directory, "%s/problems.XXXXXX",
           build != NULL && strlen(build) < 40 ? build : "build");
  struct error err;
  if (file_make_parents(directory, &err) != 0) return -1;
  return mkdtemp(directory) == NULL ? -1 : 0;
}

static int remove_directory(void **state) {
  char command[128];
  (void)state;
  snprintf(command, sizeof command, "rm -r %s", directory);
  return system(command) == 0 ? 0 : -1;
}

/* Fields that nothing reads, and a language that there are no words of. */
static void test_notes(void **state) {
  (void)state;
  static const char text[] = "---\ntitel: A\nlanguage: cs\n"
                             "points-label: Body\nwork-space: 4\n---\n\nA.\n";
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
      cmocka_unit_test(test_shipped_sets),
      cmocka_unit_test(test_html),
      cmocka_unit_test(test_html_group),
      cmocka_unit_test(test_new),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_same_bytes),
      cmocka_unit_test(test_example),
      cmocka_unit_test(test_languages),
      cmocka_unit_test(test_copied_text),
  };
  return cmocka_run_group_tests_name("problem_set", tests, make_directory,
                                     remove_directory);
}
