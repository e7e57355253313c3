/* The commands `problems` and `new`: what they write, where, and in which
 * languages; what they refuse; what is copied from their pages. */
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

#include "tests/problem_set_support.h"
#include "tests/scratch.h"

/* Run it in the directory for these tests; output and errors go to `out`. */
static int run(const char *arguments, struct buffer *out) {
  char program[4096], command[8192];
  const char *build = getenv("BUILD");
  if (build == NULL) build = "build";
  char *root = realpath(build, NULL);
  snprintf(program, sizeof program, "%s/bin/pinpress", root);
  free(root);
  snprintf(command, sizeof command, "cd %s && %s %s 2>&1", scratch, program,
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
  return file_exists(in_scratch(name));
}

static void read_here(const char *name, struct buffer *out) {
  struct error err;
  buffer_clear(out);
  if (file_read(in_scratch(name), out, &err) != 0) fail_msg("%s", err.text);
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
  put("sum.md", "# Problems\n## The sum\nWhat?\n### A\n$2$\n### S\n1. x\n");
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
  put("s.md", "---\nwork-space: many\n---\n# Problems\n## A (2)\nQ\n### "
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
  char elsewhere[512];
  snprintf(elsewhere, sizeof elsewhere, "%s/far", scratch);
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
  put("ten.md", example.bytes);
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
    char command[512];
    assert_int_equal(file_read(files.gl_pathv[i], &text, &err), 0);
    put("l.md", text.bytes);
    if (run("problems l.md", &out) != 0) fail_msg("%s", out.bytes);
    snprintf(
        command, sizeof command,
        "cd %s && pdftotext -raw l.pdf l.txt && tr '\\n' ' ' <l.txt >l1.txt",
        scratch);
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
  char command[512];
  (void)state;
  if (system("pdftotext -v >/dev/null 2>&1") != 0) {
    printf("skipped: pdftotext is not installed\n");
    skip();
  }
  read_set("templates/problems/layer-norm-backward.md", &text, &document, &set);
  put("norm.md", text.bytes);
  if (run("problems norm.md --parts set", &out) != 0) fail_msg("%s", out.bytes);
  snprintf(command, sizeof command, "cd %s && pdftotext norm.pdf", scratch);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_new),         cmocka_unit_test(test_parts),
      cmocka_unit_test(test_options),     cmocka_unit_test(test_same_bytes),
      cmocka_unit_test(test_example),     cmocka_unit_test(test_languages),
      cmocka_unit_test(test_copied_text),
  };
  return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
