/* `pinpress dead-direction` as built: what it prints for models of all naming
 * styles, for gains that rules are for and for files that it refuses; what it
 * writes. The expected output is under tests/spec/dead_direction. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <sys/wait.h>

#include "analysis/safetensors.h"
#include "analysis/stats.h"
#include "report/base/json.h"
#include "report/base/utf8.h"
#include "tests/dead_models.h"
#include "tests/spec_cases.h"

static char program[4096];

static int make_models(void **state) {
  const char *build = getenv("BUILD");
  char *root = realpath(build != NULL ? build : "build", NULL);
  snprintf(program, sizeof program, "%s/bin/pinpress", root);
  free(root);
  if (scratch_make(state) != 0) return -1;
  put_all_models();
  return 0;
}

/* Run it in the directory of the models; the shell sees the arguments. Output
 * and errors are in the files `out` and `err` there. */
static int run(const char *arguments) {
  struct buffer command = {0};
  buffer_printf(&command, "cd '%s' && '%s' dead-direction >out 2>err %s",
                scratch, program, arguments);
  int status = system(command.bytes);
  buffer_free(&command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void add_file(const char *name, struct buffer *out) {
  char *text = get(name);
  if (text != NULL) buffer_text(out, text);
  free(text);
}

/* ---- what is printed ---- */

static void render(const char *name, const char *input, size_t length,
                   struct buffer *out) {
  char arguments[1024];
  (void)name;
  snprintf(arguments, sizeof arguments, "%.*s", (int)length, input);
  int status = run(arguments);
  add_file("out", out);
  if (status != 0) buffer_printf(out, "status %d\n", status);
  add_file("err", out);
}

static void test_accounts(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/dead_direction/accounts.txt", render) > 8);
}

static void test_tables(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/dead_direction/tables.txt", render) > 1);
}

static void test_json(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/dead_direction/json.txt", render) > 1);
}

static void test_refusals(void **state) {
  (void)state;
  assert_true(spec_run("tests/spec/dead_direction/refusals.txt", render) > 8);
}

/* The models of the project, read as anybody would. */
static void test_own_models(void **state) {
  char *root = realpath("data/models", NULL), arguments[4096];
  struct json_document doc;
  struct error err;
  (void)state;
  snprintf(arguments, sizeof arguments, "--json '%s'/*.safetensors", root);
  free(root);
  assert_int_equal(run(arguments), 0);
  if (json_read(in_scratch("out"), &doc, &err) != 0) fail_msg("%s", err.text);
  const struct json *models = json_member(doc.root, "models");
  assert_true(models->count >= 3);
  for (const struct json *m = models->child; m != NULL; m = m->next) {
    bool rms = strstr(json_at(m, "path")->text, "rmsnorm") != NULL;
    assert_string_equal(json_at(m, "norm.gain")->text,
                        "transformer.ln_f.weight");
    assert_string_equal(json_at(m, "kind")->text,
                        rms ? "RMSNorm" : "LayerNorm");
    assert_int_equal(json_at(m, "norm.width")->integer, 128);
    assert_int_equal(json_at(m, "direction")->type,
                     rms ? JSON_NULL : JSON_OBJECT);
    if (!rms)
      assert_true(json_at(m, "direction.cosine_uniform")->number > 0.95);
  }
  json_free(&doc);
}

/* No control character of a name reaches the terminal. */
static void test_hostile_names(void **state) {
  static const char *const arguments[] = {
      "hostile.safetensors",           "hostile.safetensors zeros.safetensors",
      "--json hostile.safetensors",    "--gain \"$(printf '\\033[1m')\" gpt2",
      "\"$(printf '\\033[1m\\377')\"", "--json \"$(printf '\\033[1m\\377')\""};
  (void)state;
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
    struct buffer all = {0};
    run(arguments[i]);
    add_file("out", &all);
    add_file("err", &all);
    const char *end = all.bytes + all.length;
    uint32_t code = 0;
    size_t step = 0;
    for (const char *at = all.bytes; at < end; at += step) {
      step = utf8_decode(at, end, &code);
      if (step == 0 || (code < 0x20 && code != '\n') ||
          (code >= 0x7f && code < 0xa0))
        fail_msg("%s: a control in %s", arguments[i], at);
    }
    buffer_free(&all);
  }
}

static void test_full_disk(void **state) {
  (void)state;
  assert_int_equal(run("gpt2 >/dev/full"), 2);
  char *err = get("err");
  assert_string_equal(
      err, "standard output: cannot write: No space left on device\n");
  free(err);
}

/* ---- the vector ---- */

static void near(double found, double expected) {
  if (!(fabs(found - expected) <= 1e-15))
    fail_msg("found %.17g, expected %.17g", found, expected);
}

static const double inverse[] = {0.5, 1, 2, 0.25}; /* of gain_of_4 */

static void test_vector_as_text(void **state) {
  (void)state;
  assert_int_equal(run("--vector u.txt gpt2"), 0);
  char *text = get("u.txt"), *at = text;
  double length = sqrt(stats_dot(inverse, inverse, 4));
  for (int i = 0; i < 4; i++) {
    near(strtod(at, &at), inverse[i] / length);
    assert_int_equal(*at++, '\n');
  }
  assert_int_equal(*at, 0);
  free(text);
}

static void test_vector_as_tensor(void **state) {
  struct safetensors file;
  struct error err;
  double u[4];
  (void)state;
  put("u.safetensors", "what stood there before");
  assert_int_equal(
      run("--vector=u.safetensors --norm layernorm --one-plus gemma"), 0);
  const char *path = in_scratch("u.safetensors");
  if (safetensors_open(path, &file, &err) != 0) fail_msg("%s", err.text);
  assert_int_equal(file.count, 1);
  const struct safetensor *t = safetensors_lookup(&file, "dead_direction");
  assert_string_equal(t->dtype, "F64");
  assert_int_equal(t->rank, 1);
  assert_int_equal(safetensor_doubles(path, t, u, &err), 0);
  const double expected[] = {1 / 3.0, 1 / 2.0, 2 / 3.0, 1 / 5.0};
  double length = sqrt(stats_dot(expected, expected, 4));
  for (int i = 0; i < 4; i++)
    near(u[i], expected[i] / length);
  assert_string_equal(safetensors_metadata(&file, "model"), "gemma");
  assert_string_equal(safetensors_metadata(&file, "gain"), "model.norm.weight");
  assert_string_equal(safetensors_metadata(&file, "gain_is"), "1 + weight");
  safetensors_close(&file);
}

/* A refused vector prints its line alone, and leaves what stood there. */
static void keeps(const char *arguments, const char *message) {
  put("kept", "as it was");
  assert_int_equal(run(arguments), 2);
  char *out = get("out"), *err = get("err"), *kept = get("kept");
  assert_string_equal(out, "");
  assert_string_equal(err, message);
  assert_string_equal(kept, "as it was");
  free(out);
  free(err);
  free(kept);
}

static void test_vector_refusals(void **state) {
  (void)state;
  keeps("--vector kept llama",
        "llama: there is no dead direction to write: the norm is an RMSNorm\n");
  keeps("--vector kept zeros.safetensors",
        "zeros.safetensors: there is no dead direction to write: gains are 0, "
        "and their axes alone are dead\n");
  keeps("--vector kept alien.safetensors --gain the.scale",
        "alien.safetensors: whether there is a dead direction to write is "
        "undecided; say --norm layernorm if it is a LayerNorm\n");
  keeps("--vector kept gpt2 opt",
        "--vector: one model is needed, not several\n");
  keeps("--vector none/u gpt2",
        "none/u: cannot create: No such file or directory\n");
  keeps("--vector gpt2/../gpt2/model.safetensors gpt2",
        "gpt2/../gpt2/model.safetensors: is a file of the model; it is left "
        "as it is\n");
  keeps("--vector llama/model-00001-of-00003.safetensors --norm layernorm "
        "llama",
        "llama/model-00001-of-00003.safetensors: is a file of the model; it is "
        "left as it is\n");
  keeps("--vector llama/model.safetensors.index.json --norm layernorm llama",
        "llama/model.safetensors.index.json: is a file of the model; it is "
        "left as it is\n");
  keeps("--vector kept nan.safetensors",
        "nan.safetensors: the gain of \"ln_f.weight\" at index 2 is NaN, not "
        "finite\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_accounts),
      cmocka_unit_test(test_tables),
      cmocka_unit_test(test_json),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_own_models),
      cmocka_unit_test(test_hostile_names),
      cmocka_unit_test(test_full_disk),
      cmocka_unit_test(test_vector_as_text),
      cmocka_unit_test(test_vector_as_tensor),
      cmocka_unit_test(test_vector_refusals),
  };
  return cmocka_run_group_tests_name("dead_direction_command", tests,
                                     make_models, scratch_remove);
}
