/* Training a model of a few hundred weights: the same bytes whoever computes,
 * a log that says what happened, refusals. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/model.h"
#include "analysis/rng.h"
#include "analysis/safetensors.h"
#include "analysis/train.h"
#include "report/base/file.h"
#include "report/base/hash.h"
#include "report/base/json.h"
#include "report/base/memory.h"

static struct train_recipe tiny(void) {
  struct train_recipe recipe = *train_recipe("kjv-layernorm");
  recipe.model = "tiny";
  recipe.config = (struct transformer_config){
      .V = CORPUS_SYMBOLS, .T = 8, .C = 16, .NH = 2, .L = 1, .eps = 1e-5};
  recipe.batch = 8;
  recipe.cycle.steps = 60;
  recipe.ladder_every = 20;
  recipe.validate_every = 30;
  recipe.validation_batches = 3;
  return recipe;
}

static struct corpus text_new(size_t lines) {
  struct buffer text = {0};
  struct corpus corpus;
  struct error err = {{0}};
  for (size_t i = 0; i < lines; i++)
    buffer_text(&text, "the cat sat on the mat, and the dog on the log.\n");
  if (corpus_encode("text", text.bytes, text.length, &corpus, &err) != 0)
    fail_msg("%s", err.text);
  buffer_free(&text);
  return corpus;
}

static size_t parameters(const struct train_recipe *recipe) {
  struct transformer_table table = transformer_table(&recipe->config);
  size_t count = table.parameters;
  transformer_table_free(&table);
  return count;
}

static float *train(const struct train_recipe *recipe,
                    const struct corpus *corpus, int threads,
                    struct train_log *log) {
  struct error err = {{0}};
  const struct train_options options = {.threads = threads};
  float *weights = memory_alloc(parameters(recipe), sizeof *weights);
  if (train_run(recipe, corpus, &options, weights, log, &err) != 0)
    fail_msg("%s", err.text);
  return weights;
}

static void test_recipes(void **state) {
  (void)state;
  const char *names[] = {"kjv-layernorm", "shakespeare-layernorm",
                         "kjv-rmsnorm", "kjv-large-eps"};
  for (size_t i = 0; i < 4; i++) {
    assert_string_equal(train_recipe_name(i), names[i]);
    const struct train_recipe *recipe = train_recipe(names[i]);
    const struct transformer_config *c = &recipe->config;
    assert_ptr_equal(recipe->model, train_recipe_name(i));
    /* Models are loaded with the configuration they were trained with. */
    const struct transformer_config loaded = transformer_config(c->rms, c->eps);
    assert_true(c->V == loaded.V && c->T == loaded.T && c->C == loaded.C &&
                c->NH == loaded.NH && c->L == loaded.L);
    assert_int_equal(recipe->batch % TRAIN_SHARDS, 0);
  }
  assert_null(train_recipe_name(4));
  assert_null(train_recipe("kjv"));
  assert_true(train_recipe("kjv-rmsnorm")->config.rms);
  assert_true(train_recipe("kjv-large-eps")->config.eps == 0.1);
}

/* Run 0 is the recipe; another has other weights and batches, and is judged on
 * the same text. */
static void test_runs(void **state) {
  (void)state;
  struct train_recipe first = tiny();
  struct train_recipe same = train_recipe_run(&first, 0);
  struct train_recipe other = train_recipe_run(&first, 3);
  assert_int_equal(same.seed_weights, first.seed_weights);
  assert_int_equal(same.seed_draws, first.seed_draws);
  assert_int_equal(other.seed_weights, 4);
  assert_int_equal(other.seed_draws, 3);
  assert_int_equal(other.seed_validation, first.seed_validation);
  assert_int_equal(other.seed_ladder, first.seed_ladder);

  struct corpus corpus = text_new(60);
  struct train_log log, others;
  first.cycle.steps = 30;
  other = train_recipe_run(&first, 1);
  float *weights = train(&first, &corpus, 1, &log);
  float *moved = train(&other, &corpus, 1, &others);
  assert_true(others.loss[0] != log.loss[0]);
  assert_true(others.validation[0] != log.validation[0]);
  assert_memory_not_equal(moved, weights, parameters(&first) * sizeof *moved);
  double judged = train_validate(&first, &corpus, 1, moved);
  assert_true(judged == others.validation[1]);
  free(weights);
  free(moved);
  train_log_free(&log);
  train_log_free(&others);
  corpus_free(&corpus);
}

static void test_learns(void **state) {
  (void)state;
  struct train_recipe recipe = tiny();
  struct corpus corpus = text_new(60);
  struct train_log log;
  float *weights = train(&recipe, &corpus, 1, &log);
  assert_int_equal(log.losses, 6);
  assert_int_equal(log.validations, 3);
  assert_int_equal(log.ladders, 4);
  assert_int_equal(log.tokens, 60 * 8 * 8);
  assert_true(log.validation[2] < 0.7 * log.validation[0]);
  assert_true(log.loss[5] < 0.7 * log.loss[0]);
  double again = train_validate(&recipe, &corpus, 2, weights);
  assert_true(again == log.validation[2]);
  free(weights);
  train_log_free(&log);
  corpus_free(&corpus);
}

/* The first loss is that of the initial weights on the first batch. */
static void test_first_loss(void **state) {
  (void)state;
  struct train_recipe recipe = tiny();
  struct corpus corpus = text_new(60);
  struct train_log log;
  struct rng rng;
  int x[64], y[64];
  free(train(&recipe, &corpus, 1, &log));
  struct transformer_f32 model = transformer_new_f32(&recipe.config, NULL);
  struct transformer_pass_f32 pass =
      transformer_pass_new_f32(&recipe.config, 8, 8);
  rng_seed(&rng, recipe.seed_weights);
  transformer_init(&recipe.config, &rng, model.weights.slab);
  rng_seed(&rng, recipe.seed_draws);
  corpus_batch(&corpus, CORPUS_TRAIN, &rng, 8, 8, x, y);
  double loss = (double)transformer_forward_f32(&model, &pass, x, y);
  if (!(fabs(loss - log.loss[0]) <= 1e-6))
    fail_msg("found %.17g, expected %.17g", log.loss[0], loss);
  transformer_pass_free_f32(&pass);
  transformer_free_f32(&model);
  train_log_free(&log);
  corpus_free(&corpus);
}

static void test_threads(void **state) {
  (void)state;
  struct train_recipe recipe = tiny();
  struct corpus corpus = text_new(60);
  struct train_log log, other;
  size_t bytes = parameters(&recipe) * sizeof(float);
  float *weights = train(&recipe, &corpus, 1, &log);
  for (int threads = 2; threads <= TRAIN_SHARDS; threads++) {
    float *same = train(&recipe, &corpus, threads, &other);
    assert_memory_equal(same, weights, bytes);
    assert_memory_equal(other.loss, log.loss, log.losses * sizeof *log.loss);
    free(same);
    train_log_free(&other);
  }
  free(weights);
  train_log_free(&log);
  corpus_free(&corpus);
}

/* A directory of its own below the build directory. */
static void make_directory(char out[200]) {
  const char *build = getenv("BUILD");
  snprintf(out, 200, "%s/test-train-XXXXXX", build != NULL ? build : "build");
  assert_non_null(mkdtemp(out));
}

/* Stopped at odd places and gone on with, a run gives the same bytes. */
static void test_checkpoint(void **state) {
  (void)state;
  struct train_recipe recipe = tiny();
  struct corpus corpus = text_new(60);
  struct train_log log, part;
  struct error err = {{0}};
  char directory[200], path[256];
  size_t n = parameters(&recipe), points = 3;
  float *weights = train(&recipe, &corpus, 1, &log);
  float *resumed = memory_alloc(n, sizeof *resumed);
  make_directory(directory);
  snprintf(path, sizeof path, "%s/checkpoint", directory);
  struct train_options options = {
      .threads = 2, .checkpoint = path, .checkpoint_every = 7};
  const long long stops[] = {1, 9, 20, 0, 0};
  for (size_t i = 0; i < 5; i++) {
    options.stop_after = stops[i];
    if (train_run(&recipe, &corpus, &options, resumed, &part, &err) != 0)
      fail_msg("%s", err.text);
    if (i < 4) train_log_free(&part);
  }
  assert_memory_equal(resumed, weights, n * sizeof *weights);
  assert_int_equal(part.steps, 60);
  assert_int_equal(part.tokens, log.tokens);
  assert_memory_equal(part.loss, log.loss, 6 * sizeof *log.loss);
  assert_memory_equal(part.validation, log.validation,
                      3 * sizeof *log.validation);
  assert_memory_equal(part.ladder, log.ladder, 4 * points * sizeof *log.ladder);
  train_log_free(&part);

  recipe.seed_draws = 1;
  assert_int_equal(train_run(&recipe, &corpus, &options, resumed, &part, &err),
                   -1);
  assert_non_null(strstr(err.text, ": a checkpoint of another recipe, text or "
                                   "BLAS core; remove it to start anew"));
  file_write(path, "no", 2, &err);
  assert_int_equal(train_run(&recipe, &corpus, &options, resumed, &part, &err),
                   -1);
  unlink(path);
  rmdir(directory);
  free(weights);
  free(resumed);
  train_log_free(&log);
  corpus_free(&corpus);
}

/* A trained model, and the directory it is saved in. */
struct saved {
  struct train_recipe recipe;
  struct corpus corpus;
  struct train_log log;
  float *weights;
  char directory[200];
};

static struct saved saved_new(void) {
  struct saved s = {.recipe = tiny(), .corpus = text_new(60)};
  s.weights = train(&s.recipe, &s.corpus, 1, &s.log);
  make_directory(s.directory);
  return s;
}

static int save(const struct saved *s, const char *directory,
                struct error *err) {
  return train_save(&s->recipe, &s->corpus, s->weights, &s->log, directory,
                    err);
}

static const char *saved_path(const struct saved *s, const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", s->directory, name);
  return path;
}

static void saved_free(struct saved *s) {
  static const char *const files[] = {"tiny.safetensors", "tiny.training.json",
                                      "second.safetensors",
                                      "second.training.json", "manifest.json"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    unlink(saved_path(s, files[i]));
  rmdir(s->directory);
  free(s->weights);
  train_log_free(&s->log);
  corpus_free(&s->corpus);
}

static void test_saved_weights(void **state) {
  (void)state;
  struct saved s = saved_new();
  struct safetensors file;
  struct error err = {{0}};
  assert_int_equal(save(&s, s.directory, &err), 0);
  assert_int_equal(
      safetensors_open(saved_path(&s, "tiny.safetensors"), &file, &err), 0);
  const struct safetensor *head = safetensors_lookup(&file, "lm_head.weight");
  assert_memory_equal(head->bytes,
                      s.weights + parameters(&s.recipe) - head->count,
                      head->count * sizeof *s.weights);
  assert_string_equal(safetensors_metadata(&file, "norm"), "LayerNorm");
  assert_string_equal(safetensors_metadata(&file, "eps"), "1e-05");
  safetensors_close(&file);
  saved_free(&s);
}

/* The log is the same bytes each time, and of these weights. */
static void test_saved_log(void **state) {
  (void)state;
  struct saved s = saved_new();
  struct json_document document;
  struct error err = {{0}};
  char hashes[2][HASH_TEXT], sha256[HASH_TEXT];
  for (int i = 0; i < 2; i++) {
    assert_int_equal(save(&s, s.directory, &err), 0);
    assert_int_equal(
        hash_file(saved_path(&s, "tiny.training.json"), hashes[i], &err), 0);
  }
  assert_string_equal(hashes[0], hashes[1]);
  assert_int_equal(hash_file(saved_path(&s, "tiny.safetensors"), sha256, &err),
                   0);
  assert_int_equal(
      json_read(saved_path(&s, "tiny.training.json"), &document, &err), 0);
  const struct json *values = json_at(document.root, "values.tiny");
  assert_string_equal(json_at(values, "weights_sha256")->text, sha256);
  assert_true(json_at(values, "val_loss")->number == s.log.validation[2]);
  assert_true(json_at(values, "loss.train.5")->number == s.log.loss[5]);
  assert_true(json_at(values, "ladder.points.b0_mlp.rms.3")->number ==
              s.log.ladder[3 * 3 + 2].rms);
  json_free(&document);
  saved_free(&s);
}

/* Without the weights, the log is what it is beside them. */
static void test_log_alone(void **state) {
  (void)state;
  struct saved s = saved_new();
  struct error err = {{0}};
  char beside[HASH_TEXT], alone[HASH_TEXT];
  assert_int_equal(save(&s, s.directory, &err), 0);
  assert_int_equal(
      hash_file(saved_path(&s, "tiny.training.json"), beside, &err), 0);
  assert_int_equal(train_save_log(&s.recipe, &s.corpus, s.weights, &s.log,
                                  saved_path(&s, "second.training.json"), &err),
                   0);
  assert_int_equal(
      hash_file(saved_path(&s, "second.training.json"), alone, &err), 0);
  assert_string_equal(alone, beside);
  assert_int_equal(train_save_log(&s.recipe, &s.corpus, s.weights, &s.log,
                                  saved_path(&s, "manifest.json/log"), &err),
                   -1);
  assert_non_null(strstr(err.text, "manifest.json"));
  saved_free(&s);
}

static void test_manifest(void **state) {
  (void)state;
  struct saved s = saved_new();
  struct model_entry entry;
  struct error err = {{0}};
  char sha256[HASH_TEXT], endless[5000];
  assert_int_equal(save(&s, s.directory, &err), 0);
  s.recipe.model = "second";
  assert_int_equal(save(&s, s.directory, &err), 0);
  assert_int_equal(hash_file(saved_path(&s, "tiny.safetensors"), sha256, &err),
                   0);
  assert_int_equal(model_lookup(s.directory, "tiny", &entry, &err), 0);
  assert_string_equal(entry.sha256, sha256);
  assert_string_equal(entry.path, saved_path(&s, "tiny.safetensors"));
  assert_string_equal(entry.training, saved_path(&s, "tiny.training.json"));
  assert_string_equal(entry.norm, "LayerNorm");
  assert_true(entry.eps == 1e-5);
  assert_int_equal(model_lookup(s.directory, "second", &entry, &err), 0);
  assert_string_equal(entry.corpus, "kjv");

  assert_int_equal(file_write(saved_path(&s, "manifest.json"), "{}\n", 3, &err),
                   0);
  assert_int_equal(save(&s, s.directory, &err), -1);
  assert_non_null(strstr(err.text, "manifest.json:1:1: \"models\" is missing"));
  memset(endless, 'd', sizeof endless - 1);
  endless[sizeof endless - 1] = 0;
  assert_int_equal(save(&s, endless, &err), -1);
  assert_memory_equal(err.text, "the path is too long: ddd", 25);
  saved_free(&s);
}

static void test_refusals(void **state) {
  (void)state;
  struct train_recipe recipe = tiny();
  struct corpus corpus = text_new(60), scrap = text_new(1);
  const struct train_options options = {.threads = 1};
  struct train_log log;
  struct error err = {{0}};
  float *weights = memory_alloc(parameters(&recipe), sizeof *weights);
  assert_int_equal(train_run(&recipe, &scrap, &options, weights, &log, &err),
                   -1);
  assert_string_equal(err.text, "kjv: the held-out tenth of the text has 5 "
                                "symbols; more than 9 are needed");
  recipe.cycle.lr_max = 1e38;
  assert_int_equal(train_run(&recipe, &corpus, &options, weights, &log, &err),
                   -1);
  assert_string_equal(err.text, "tiny: the loss is not finite at step 1");
  free(weights);
  corpus_free(&corpus);
  corpus_free(&scrap);
}

/* The program refuses before it trains. */
static void test_command_line(void **state) {
  (void)state;
  static const struct {
    const char *arguments, *message;
  } cases[] = {
      {"",
       "--model NAME, --corpus FILE and one of --out DIR and --log FILE are "
       "needed"},
      {"--out a --log b",
       "--model NAME, --corpus FILE and one of --out DIR and --log FILE are "
       "needed"},
      {"--out a b", "unexpected operand 'b' (see train --help)"},
      {"--out a --seed 1",
       "--seed N goes with --log FILE; a model is of its recipe's seeds"},
      {"--log a --seed -1", "--seed -1: a number from 0 to 1000000 is needed"},
      {"--log a --threads 0", "--threads 0: a number from 1 to 4 is needed"},
      {"--log a --stop-after 5", "--stop-after needs --checkpoint FILE"},
  };
  const char *build = getenv("BUILD");
  char directory[200], path[256], command[1024], expected[256];
  make_directory(directory);
  snprintf(path, sizeof path, "%s/message", directory);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct buffer message = {0};
    struct error err = {{0}};
    snprintf(command, sizeof command,
             "%s/bin/train --model kjv-layernorm --corpus none %s 2>%s",
             build != NULL ? build : "build", cases[i].arguments, path);
    int status = system(command);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    assert_int_equal(file_read(path, &message, &err), 0);
    snprintf(expected, sizeof expected, "train: %s\n", cases[i].message);
    assert_string_equal(message.bytes, expected);
    buffer_free(&message);
  }
  unlink(path);
  rmdir(directory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recipes),       cmocka_unit_test(test_runs),
      cmocka_unit_test(test_learns),        cmocka_unit_test(test_first_loss),
      cmocka_unit_test(test_threads),       cmocka_unit_test(test_checkpoint),
      cmocka_unit_test(test_saved_weights), cmocka_unit_test(test_saved_log),
      cmocka_unit_test(test_log_alone),     cmocka_unit_test(test_manifest),
      cmocka_unit_test(test_refusals),      cmocka_unit_test(test_command_line),
  };
  return cmocka_run_group_tests_name("train", tests, NULL, NULL);
}
