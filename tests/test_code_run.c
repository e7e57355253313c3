/* Blocks of C in articles: which are found, the program they make, what happens
 * to those that do not compile or run, and their outputs on the page. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/code_program.h"
#include "report/code_results.h"
#include "report/code_run.h"
#include "report/commands.h"
#include "tests/pins_support.h"

/* ---- spec files: "=== name", Markdown, "---", expected ------------------- */

static void read_case(const char *markdown, size_t length, bool program,
                      struct buffer *out) {
  struct code_blocks blocks;
  struct error err;
  buffer_clear(out);
  int status = code_blocks_parse("article.md", markdown, length, &blocks, &err);
  if (status != 0) {
    buffer_printf(out, "%s\n", err.text);
    return;
  }
  if (program && code_program_text(&blocks, CODE_MARKED, out, &err) != 0) {
    buffer_clear(out);
    buffer_printf(out, "%s\n", err.text);
  }
  for (size_t i = 0; !program && i < blocks.count; i++) {
    const struct code_block *b = &blocks.items[i];
    buffer_printf(out, "%d %s show=%d timeout=%d \"", b->place.line, b->name,
                  b->show, b->timeout);
    for (const char *c = b->text; *c != 0; c++)
      buffer_printf(out, *c == '\n' ? "\\n" : "%c", *c);
    buffer_text(out, "\"\n");
  }
  code_blocks_free(&blocks);
  char *end = out->length > 0 ? strstr(out->bytes, "#line 1 \"end of") : NULL;
  if (end != NULL) *end = 0;
}

static void run_spec(const char *path, bool program) {
  struct buffer text = {0}, found = {0};
  struct error err;
  if (file_read(path, &text, &err) != 0) fail_msg("%s", err.text);
  char *c = strstr(text.bytes, "\n=== ");
  for (; c != NULL;) {
    char *name = c + 5, *markdown = strchr(name, '\n') + 1;
    char *next = strstr(markdown, "\n=== ");
    char *expected = strstr(markdown, "---\n") + 4;
    size_t length = (size_t)(expected - 4 - markdown);
    if (next != NULL) *next = 0;
    markdown[-1] = 0;
    buffer_text(&found, "");
    read_case(markdown, length, program, &found);
    const char *got = found.length > 0 ? found.bytes : "";
    if (strcmp(got, expected) != 0)
      fail_msg("%s: %s\nexpected:\n%s\nfound:\n%s", path, name, expected, got);
    c = next;
  }
  buffer_free(&text);
  buffer_free(&found);
}

static void test_blocks(void **state) {
  (void)state;
  run_spec("tests/spec/code/blocks.txt", false);
}

static void test_programs(void **state) {
  (void)state;
  run_spec("tests/spec/code/programs.txt", true);
}

static void test_hostile(void **state) {
  (void)state;
  struct code_blocks blocks;
  struct error err;
  static const char zero[] = "```c run name=a\nint\0x;\n```\n";
  assert_int_equal(
      code_blocks_parse("a.md", zero, sizeof zero - 1, &blocks, &err), -1);
  assert_string_equal(err.text, "a.md:1:1: block `a` holds a byte 0");
  static const char one[] = "```c run name=a\n```\n";
  assert_int_equal(
      code_blocks_parse("x/a b.md", one, sizeof one - 1, &blocks, &err), -1);
  assert_non_null(strstr(err.text, "keys with the file's name"));

  struct buffer deep = {0};
  buffer_text(&deep, "```c run name=a\n");
  for (int i = 0; i < 100000; i++)
    buffer_text(&deep, "({[/*\"'\\");
  buffer_text(&deep, "\n```\n");
  for (size_t cut = 0; cut < 64; cut++) {
    struct buffer out = {0};
    if (code_blocks_parse("a.md", deep.bytes, deep.length - cut, &blocks,
                          &err) == 0) {
      code_program_text(&blocks, CODE_MARKED, &out, &err);
      code_blocks_free(&blocks);
    }
    buffer_free(&out);
  }
  buffer_free(&deep);
}

/* ---- running ------------------------------------------------------------- */

/* pinpress run on the text, as @/a.md; the exit status, and one line if it
 * fails. */
static int run_article(const char *text, const char *compiler,
                       struct buffer *message) {
  char out[300], work[300], path[300], c[64];
  put("a.md", text);
  snprintf(out, sizeof out, "--out=%s/out.json", scratch);
  snprintf(work, sizeof work, "--work=%s/work", scratch);
  snprintf(path, sizeof path, "%s/a.md", scratch);
  snprintf(c, sizeof c, "--cc=%s", compiler);
  char *arguments[] = {"pinpress run", c, out, work, path, NULL};
  char stream[300];
  int saved;
  snprintf(stream, sizeof stream, "%s/stderr", scratch);
  catch_stream(stderr, stream, &saved);
  int status = command_run(5, arguments);
  buffer_clear(message);
  release_stream(stderr, stream, saved, message);
  hide_scratch(message);
  return status;
}

/* The message, or how it begins: compilers have their own words. */
static void refuses(const char *block, const char *expected) {
  struct buffer text = {0}, message = {0};
  put("out.json", "kept");
  buffer_printf(&text,
                "# Title\n\n```c run name=a timeout=1\n#include <stdio.h>\n"
                "#include <stdlib.h>\n%s\n```\n",
                block);
  int status = run_article(text.bytes, "cc -Wall", &message);
  if (status != 2) fail_msg("%s: status %d", block, status);
  if (strncmp(message.bytes, expected, strlen(expected)) != 0 ||
      strchr(message.bytes, '\n')[1] != 0)
    fail_msg("%s\nexpected %s\nfound    %s", block, expected, message.bytes);
  char *kept = get("out.json");
  assert_string_equal(kept, "kept");
  free(kept);
  buffer_free(&text);
  buffer_free(&message);
}

static void test_does_not_compile(void **state) {
  (void)state;
  refuses("int x = ;", "@/a.md:6:9: error: ");
  refuses("\n  int x;", "@/a.md:7:7: error: unused variable 'x'");
  refuses("f();", "@/a.md:6:1: error: ");
  refuses("#include \"none.h\"", "@/a.md:6:10: fatal error: none.h");
  refuses("puts(\"a\")", "@/a.md:6:10: error: ");
}

static void test_does_not_link(void **state) {
  (void)state;
  struct buffer message = {0};
  assert_int_equal(run_article("```c run name=a\nextern int x;\nx = 1;\n```\n",
                               "cc -g", &message),
                   2);
  if (strncmp(message.bytes, "@/a.md:", 7) != 0 ||
      strstr(message.bytes, "undefined reference to `x'") == NULL)
    fail_msg("%s", message.bytes);
  buffer_free(&message);
}

static void test_does_not_run(void **state) {
  (void)state;
  refuses("exit(3);", "@/a.md:3:1: block `a` ends the program with status 3\n");
  refuses("fputs(\"one\\ntwo\\n\", stderr); return 2;",
          "@/a.md:3:1: block `a` ends the program with status 2: two\n");
  refuses("exit(0);",
          "@/a.md:3:1: block `a` ends the program before its own end\n");
  refuses("abort();", "@/a.md:3:1: block `a` dies of signal 6 (Aborted)\n");
  refuses("fputs(\"odd\", stderr);",
          "@/a.md:3:1: block `a` writes to standard error: odd\n");
  refuses("puts(\"\\033[1m\");",
          "@/a.md:3:1: block `a` prints the control character 0x1b\n");
  refuses("puts(\"\\xff\");",
          "@/a.md:3:1: block `a` prints what is not UTF-8\n");
  refuses("putchar(0);",
          "@/a.md:3:1: block `a` prints the control character 0x00\n");
}

static void test_limits(void **state) {
  (void)state;
  refuses("for (;;);",
          "@/a.md:3:1: block `a` runs longer than its 1 s (timeout=)\n");
  refuses("for (;;) puts(\"flood\");",
          "@/a.md:3:1: block `a` prints more than 65536 bytes\n");
}

static void test_no_compiler(void **state) {
  (void)state;
  struct buffer message = {0};
  const char *text = "```c run name=a\n```\n";
  assert_int_equal(run_article(text, "no-such-compiler", &message), 2);
  assert_string_equal(message.bytes, "@/a.md: cannot run no-such-compiler: No "
                                     "such file or directory\n");
  assert_int_equal(run_article(text, "false", &message), 2);
  assert_string_equal(message.bytes,
                      "@/a.md: its blocks do not compile: it says nothing\n");
  buffer_free(&message);
}

/* The failing block is named, also when others ran. */
static void test_second_block(void **state) {
  (void)state;
  struct buffer message = {0};
  assert_int_equal(
      run_article("```c run name=a\n#include <stdio.h>\nputs(\"a\");\n```\n\n"
                  "```c run name=b\nreturn 7;\n```\n",
                  "cc", &message),
      2);
  assert_string_equal(message.bytes,
                      "@/a.md:6:1: block `b` ends the program with status 7\n");
  buffer_free(&message);
}

static const char article[] =
    "# Title\n\n"
    "```c run name=first\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "int x = 6;\n"
    "printf(\"x = %d\\n\\nPATH %s, SECRET %s\", x, getenv(\"PATH\"),\n"
    "       getenv(\"SECRET\") ? \"seen\" : \"hidden\");\n"
    "```\n\n"
    "Words.\n\n"
    "```c run name=quiet show=source\nx++;\n```\n\n"
    "```c run name=last show=output\nprintf(\"x = %d <&>\\n\", x);\n```\n";

static char *run_whole(void) {
  struct buffer message = {0};
  setenv("SECRET", "1", 1);
  if (run_article(article, "cc -Wall -Wextra", &message) != 0)
    fail_msg("%s", message.bytes);
  buffer_free(&message);
  return get("out.json");
}

static void test_outputs(void **state) {
  (void)state;
  char *text = run_whole();
  assert_non_null(strstr(text,
                         "\"lines\": [\"x = 6\", \"\", \"PATH "
                         "/usr/local/bin:/usr/bin:/bin, SECRET hidden\"]"));
  assert_non_null(strstr(text, "\"lines\": []"));
  assert_non_null(strstr(text, "\"lines\": [\"x = 7 <&>\"]"));
  char *again = run_whole();
  assert_string_equal(text, again);
  free(text);
  free(again);
}

static void test_pass(void **state) {
  (void)state;
  put("a.md", article);
  setenv("SECRET", "1", 1);
  struct output o = run(command_run, "run",
                        "--pass SECRET --pass UNSET_ONE --input @/a.md "
                        "--work @/work --out @/out.json @/a.md");
  assert_int_equal(o.status, 0);
  output_free(&o);
  char *text = get("out.json");
  assert_non_null(strstr(text, "SECRET seen"));
  assert_non_null(strstr(text, "/a.md\": \""));
  free(text);
}

static void test_extract(void **state) {
  (void)state;
  struct stat before, after;
  put("a.md", article);
  struct output o = run(command_run, "run", "--extract @/a.c @/a.md");
  assert_int_equal(o.status, 0);
  output_free(&o);
  char *text = get("a.c");
  assert_null(strstr(text, "#line"));
  assert_int_equal(stat(in_scratch("a.c"), &before), 0);
  struct buffer moved = {0};
  buffer_printf(&moved, "Another first paragraph.\n\n%s", article);
  put("a.md", moved.bytes);
  o = run(command_run, "run", "--extract @/a.c @/a.md");
  assert_int_equal(o.status, 0);
  output_free(&o);
  assert_int_equal(stat(in_scratch("a.c"), &after), 0);
  assert_true(before.st_ino == after.st_ino); /* not written again */
  buffer_free(&moved);
  free(text);
}

/* ---- pages --------------------------------------------------------------- */

static void typeset(const char *options, int status, const char *expected) {
  struct buffer arguments = {0};
  buffer_printf(&arguments, "%s --html @/page.html @/a.md", options);
  struct output o = run(command_typeset, "typeset", arguments.bytes);
  hide_scratch(&o.err);
  const char *message = o.err.length > 0 ? o.err.bytes : "";
  if (o.status != status || strcmp(message, expected) != 0)
    fail_msg("%s: status %d: %s", options, o.status, message);
  output_free(&o);
  buffer_free(&arguments);
}

static void test_page(void **state) {
  (void)state;
  free(run_whole());
  typeset("--blocks @/out.json --pdf @/page.pdf", 0, "");
  char *page = get("page.html");
  assert_non_null(strstr(page, "<code class=\"language-c\">#include"));
  char *output = strstr(page, "</code></pre>\n<pre class=\"output\"");
  assert_non_null(output);
  output = strstr(output, "data-key=\"blocks.a.first.lines.0\"");
  assert_non_null(output);
  assert_non_null(strstr(output, ">x = 6</span>\n\n<span"));
  assert_non_null(strstr(page, "x++;"));
  assert_non_null(strstr(page, ">x = 7 &lt;&amp;&gt;</span>\n</samp>"));
  assert_null(strstr(page, "printf(&quot;x = %d &lt;"));
  free(page);
}

/* With pins the page shows the pinned lines. */
static void test_pinned(void **state) {
  (void)state;
  free(run_whole());
  const char *pin = "\"kind\": \"exact\", \"reason\": \"text\"";
  struct buffer pins = {0};
  buffer_printf(&pins,
                "{\"study\": \"blocks\", \"pins\": {"
                "\"blocks.a.first.lines.0\": {\"value\": \"x = pinned\", %s}}}",
                pin);
  put("pins/blocks-a.json", pins.bytes);
  typeset("--pins @/pins --blocks @/out.json", 2,
          "@/a.md:17:1: the output of block `last` has no pins "
          "blocks.a.last.lines\n");
  pins.length -= 2;
  buffer_printf(&pins, ", \"blocks.a.last.lines.0\": {\"value\": \"z\", %s}}}",
                pin);
  put("pins/blocks-a.json", pins.bytes);
  typeset("--pins @/pins --blocks @/out.json", 0, "");
  char *page = get("page.html");
  assert_non_null(strstr(page, ">x = pinned</span>\n</samp>"));
  free(page);
  buffer_free(&pins);
}

/* What a line of output shows comes from its key. */
static void test_origins(void **state) {
  (void)state;
  free(run_whole());
  put("pins/blocks-a.json",
      "{\"study\": \"blocks\", \"pins\": {\"blocks.a.first.lines.0\": "
      "{\"value\": \"x = 66, 77\", \"kind\": \"exact\", \"reason\": \"r\"}, "
      "\"blocks.a.last.lines.0\": {\"value\": \"88\", \"kind\": \"exact\", "
      "\"reason\": \"r\"}}}");
  struct output o =
      run(command_ledger, "ledger", "--pins @/pins --blocks @/out.json @/a.md");
  if (o.status != 0) fail_msg("%s", o.err.bytes);
  const char *const rows[][2] = {{"x = 66, 77 ", "blocks.a.first.lines.0 "},
                                 {"88 ", "blocks.a.last.lines.0 "}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *row = strstr(o.out.bytes, rows[i][0]);
    char *key = row != NULL ? strstr(row, rows[i][1]) : NULL;
    if (key == NULL || key > strchr(row, '\n'))
      fail_msg("no row %s%s in\n%s", rows[i][0], rows[i][1], o.out.bytes);
  }
  output_free(&o);
}

static void test_stale(void **state) {
  (void)state;
  free(run_whole());
  typeset("", 2,
          "@/a.md:3:1: a block is marked to run, and no outputs are "
          "given: --blocks FILE\n");
  struct buffer text = {0};
  buffer_text(&text, article);
  *strstr(text.bytes, "x++") = 'y'; /* `last` builds on it */
  put("a.md", text.bytes);
  typeset("--blocks @/out.json", 2,
          "@/a.md:13:1: block `quiet` is not the one whose output is in "
          "@/out.json: it, or a block before it, was changed or holds a tag\n");
  strstr(text.bytes, "```c run name=last")[0] = 0;
  *strstr(text.bytes, "y++") = 'x';
  put("a.md", text.bytes);
  typeset("--blocks @/out.json", 2,
          "@/out.json: holds the output of 3 blocks, @/a.md shows 2\n");
  buffer_text(&text, "");
  text.length = strlen(text.bytes);
  buffer_text(&text, "```c run name=new\n;\n```\n");
  put("a.md", text.bytes);
  typeset("--blocks @/out.json", 2,
          "@/a.md:17:1: @/out.json has no output of block `new`: pinpress run "
          "makes it\n");
  put("a.md", "# Title\n");
  typeset("", 0, "");
  put("out.json", "[1, {\"inputs\": 3}]");
  put("a.md", article);
  typeset("--blocks @/out.json", 2,
          "@/a.md:3:1: @/out.json has no output of block `first`: pinpress run "
          "makes it\n");
  buffer_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_programs),
      cmocka_unit_test(test_hostile),
      cmocka_unit_test_setup(test_does_not_compile, scratch_empty),
      cmocka_unit_test_setup(test_does_not_link, scratch_empty),
      cmocka_unit_test_setup(test_does_not_run, scratch_empty),
      cmocka_unit_test_setup(test_limits, scratch_empty),
      cmocka_unit_test_setup(test_no_compiler, scratch_empty),
      cmocka_unit_test_setup(test_second_block, scratch_empty),
      cmocka_unit_test_setup(test_outputs, scratch_empty),
      cmocka_unit_test_setup(test_pass, scratch_empty),
      cmocka_unit_test_setup(test_extract, scratch_empty),
      cmocka_unit_test_setup(test_page, scratch_empty),
      cmocka_unit_test_setup(test_pinned, scratch_empty),
      cmocka_unit_test_setup(test_origins, scratch_empty),
      cmocka_unit_test_setup(test_stale, scratch_empty),
  };
  return cmocka_run_group_tests_name("code_run", tests, scratch_make,
                                     scratch_remove);
}
