/* Models: loaded when everything is what the manifest says, refused otherwise.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "analysis/model.h"
#include "tests/model_fixture.h"

static void loads(const struct fixture *f) {
  struct model model;
  struct error err = {{0}};
  if (model_load(f->models, f->corpora, "m", &model, &err) != 0)
    fail_msg("%s", err.text);
  assert_int_equal(model.parameters, f->rms ? 814976 : 816128);
  assert_true(model.config.rms == f->rms);
  assert_true(model.config.eps == f->eps);
  assert_string_equal(model.entry.training + strlen(f->models),
                      "/m.training.json");
  assert_memory_equal(model.weights, f->values,
                      model.parameters * sizeof(float));
  for (size_t i = 0; i < model.parameters; i++)
    assert_true(model.wide[i] == f->values[i]);
  assert_int_equal(model.corpus.count, FIXTURE_TEXT);
  model_free(&model);
  assert_null(model.weights);
}

/* The message of a refusal after the file's name. */
static void refuses(const struct fixture *f, const char *name, const char *file,
                    const char *message) {
  struct model model;
  struct error err = {{0}};
  assert_int_equal(model_load(f->models, f->corpora, name, &model, &err), -1);
  assert_memory_equal(err.text, file, strlen(file));
  if (strncmp(err.text + strlen(file), message, strlen(message)) != 0)
    fail_msg("\"%s\" expected in: %s", message, err.text);
  assert_null(model.weights);
  assert_null(model.corpus.tokens);
}

static void test_loading(void **state) {
  (void)state;
  for (int rms = 0; rms < 2; rms++) {
    struct fixture f;
    fixture_make(&f, rms, rms ? 1e-5 : 0.1);
    loads(&f);
    char slashed[300]; /* the directory may be given with a slash */
    snprintf(slashed, sizeof slashed, "%s/", f.models);
    struct model model;
    struct error err = {{0}};
    assert_int_equal(model_load(slashed, f.corpora, "m", &model, &err), 0);
    model_free(&model);
    fixture_remove(&f);
  }
}

static void flip(const char *path, size_t at, struct buffer *content) {
  struct error err = {{0}};
  buffer_clear(content);
  assert_int_equal(file_read(path, content, &err), 0);
  content->bytes[at % content->length] ^= 1;
  fixture_put(path, content);
  content->bytes[at % content->length] ^= 1;
}

static void test_altered_weights(void **state) {
  (void)state;
  struct fixture f;
  struct buffer content = {0};
  fixture_make(&f, false, 1e-5);
  const size_t places[] = {0, 7, 8, 100, 5000, 1000000, SIZE_MAX / 2};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    flip(f.weights, places[i], &content);
    refuses(&f, "m", f.weights,
            ": the weights of m are altered or incomplete: sha256 ");
    fixture_put(f.weights, &content);
  }
  loads(&f);
  content.length--;
  fixture_put(f.weights, &content);
  refuses(&f, "m", f.weights, ": the weights of m are altered or incomplete");
  unlink(f.weights);
  refuses(&f, "m", f.weights, ": cannot open: No such file or directory");
  buffer_free(&content);
  fixture_remove(&f);
}

/* The hash is right, but the content is not this network's. */
static void test_wrong_tensors(void **state) {
  (void)state;
  struct fixture f;
  fixture_make(&f, false, 1e-5);
  struct safetensors_entry first = f.entries[0];

  f.entries[0].name = "transformer.wte.bias";
  fixture_write_weights(&f, "LayerNorm", "1e-05");
  refuses(&f, "m", f.weights, ": tensor \"transformer.wte.weight\" is missing");
  f.entries[0] = first;

  f.entries[0].shape[0] = 128;
  f.entries[0].shape[1] = 65;
  fixture_write_weights(&f, "LayerNorm", "1e-05");
  refuses(&f, "m", f.weights,
          ": tensor \"transformer.wte.weight\" has shape (128,65), (65,128) is "
          "needed");
  f.entries[0].rank = 0;
  fixture_write_weights(&f, "LayerNorm", "1e-05");
  refuses(&f, "m", f.weights,
          ": tensor \"transformer.wte.weight\" has shape (), (65,128) is "
          "needed");
  f.entries[0] = first;

  f.entries[f.count++] =
      (struct safetensors_entry){"extra", 1, {1}, f.values, NULL};
  fixture_write_weights(&f, "LayerNorm", "1e-05");
  refuses(&f, "m", f.weights, ": 46 tensors, 45 are needed");
  f.count--;

  f.values[0] = NAN;
  fixture_write_weights(&f, "LayerNorm", "1e-05");
  refuses(&f, "m", f.weights,
          ": tensor \"transformer.wte.weight\" holds a value that is not "
          "finite");
  f.values[0] = 0;

  fixture_write_weights(&f, "RMSNorm", "1e-05");
  refuses(&f, "m", f.weights,
          ": written for RMSNorm, the manifest says "
          "LayerNorm");
  fixture_write_weights(&f, "LayerNorm", "0.1");
  refuses(&f, "m", f.weights, ": written for eps 0.1, the manifest says 1e-05");
  fixture_write_weights(&f, "LayerNorm", "1e-05");
  loads(&f);
  fixture_remove(&f);
}

static void put_manifest(const struct fixture *f, const char *rest,
                         const char *norm, const char *eps, const char *file) {
  struct buffer text = {0};
  buffer_printf(&text, "{\"models\": [{\"name\": \"m\", \"sha256\": \"0\", "
                       "\"corpus\": \"tiny\",\n");
  buffer_printf(&text, "\"norm\": \"%s\",\n\"eps\": %s,\n\"file\": \"%s\",\n",
                norm, eps, file);
  buffer_text(&text, rest);
  fixture_put(f->manifest, &text);
  buffer_free(&text);
}

static void test_manifest(void **state) {
  (void)state;
  struct fixture f;
  fixture_make(&f, false, 1e-5);
  refuses(&f, "n", f.manifest, ": no model is named n");
  refuses(&f, "other", f.manifest, ":2:1: \"norm\" is missing");
  const char *rest = "\"training\": \"t\"}]}";
  put_manifest(&f, rest, "BatchNorm", "0", "m");
  refuses(
      &f, "m", f.manifest,
      ":2:9: norm \"BatchNorm\" is unknown; LayerNorm or RMSNorm is needed");
  put_manifest(&f, rest, "LayerNorm", "-1", "m");
  refuses(&f, "m", f.manifest, ":3:8: eps must not be negative");
  const char *outside[] = {"../m", "/etc/passwd", "", "a/b"};
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
    put_manifest(&f, rest, "LayerNorm", "0", outside[i]);
    refuses(&f, "m", f.manifest, ":4:9: \"file\": the name of a file in ");
  }
  put_manifest(&f, "\"training\": 3}]}", "LayerNorm", "0", "m");
  refuses(&f, "m", f.manifest,
          ":5:13: \"training\" is number, string is "
          "needed");
  put_manifest(&f, "", "LayerNorm", "0", "m");
  refuses(&f, "m", f.manifest, ":");
  fixture_remove(&f);
}

static void test_corpus_of_the_model(void **state) {
  (void)state;
  struct fixture f;
  struct buffer content = {0};
  fixture_make(&f, false, 1e-5);
  flip(f.text, 77, &content);
  refuses(&f, "m", f.text, ": not the expected text: sha256 ");
  fixture_write_text(&f, 650);
  refuses(&f, "m", f.text,
          ": the held-out tenth of the text has 65 symbols; more than 65 are "
          "needed");
  fixture_write_text(&f, 660);
  struct model model;
  struct error err = {{0}};
  assert_int_equal(model_load(f.models, f.corpora, "m", &model, &err), 0);
  model_free(&model);
  unlink(f.text);
  refuses(&f, "m", f.text,
          ": the text of m is not there; make it with build/bin/corpus --name "
          "tiny --out ");
  unlink(f.list);
  refuses(&f, "m", f.list, ": cannot open: No such file or directory");
  buffer_free(&content);
  fixture_remove(&f);
}

/* Other weights of the same shape; the rest is the model's. */
static void test_untrained(void **state) {
  (void)state;
  struct model model = {.config = {65, 8, 12, 3, 2, false, 1e-5}};
  struct transformer_table table = transformer_table(&model.config);
  size_t n = model.parameters = table.parameters;
  float *expected = memory_alloc(n, sizeof *expected);
  unsigned char token = 0;
  struct rng rng;
  model.corpus.tokens = &token;
  struct model untrained = model_untrained(&model, 3);
  rng_seed(&rng, 3);
  transformer_init(&model.config, &rng, expected);
  assert_memory_equal(untrained.weights, expected, n * sizeof *expected);
  for (size_t i = 0; i < n; i++)
    assert_true(untrained.wide[i] == (double)expected[i]);
  assert_ptr_equal(untrained.corpus.tokens, &token);
  free(expected);
  transformer_table_free(&table);
  model_untrained_free(&untrained);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loading),
      cmocka_unit_test(test_altered_weights),
      cmocka_unit_test(test_wrong_tensors),
      cmocka_unit_test(test_manifest),
      cmocka_unit_test(test_corpus_of_the_model),
      cmocka_unit_test(test_untrained),
  };
  return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
