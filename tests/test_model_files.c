/* A model's tensors by name, whatever files they lie in. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/model_files.h"
#include "tests/scratch.h"

#include "tests/model_files_fixture.h"

static const double gain[] = {1, -2, 0.5}, bias[] = {0.25, 0, 3};
static const struct tensor_row rows[] = {
    {.name = "wte.weight", .rank = 2, .shape = {5, 3}, .shard = 1},
    {.name = "ln_f.weight",
     .dtype = "BF16",
     .rank = 1,
     .shape = {3},
     .values = gain,
     .shard = 3},
    {.name = "ln_f.bias",
     .dtype = "F64",
     .rank = 1,
     .shape = {3},
     .values = bias,
     .shard = 2},
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct model_files *opened(const char *name) {
  struct model_files *files;
  struct error err = {{0}};
  if (model_files_open(in_scratch(name), &files, &err) != 0)
    fail_msg("%s", err.text);
  return files;
}

static void check_values(struct model_files *files, const char *name,
                         const double *expected, const char *place) {
  struct error err = {{0}};
  const char *path;
  double values[3];
  const struct safetensor *tensor =
      model_files_tensor(files, name, &path, &err);
  if (tensor == NULL) fail_msg("%s", err.text);
  assert_string_equal(path, in_scratch(place));
  assert_int_equal(tensor->count, 3);
  assert_int_equal(safetensor_doubles(path, tensor, values, &err), 0);
  assert_memory_equal(values, expected, sizeof values);
}

static void check_names(const struct model_files *files) {
  size_t count;
  const char *const *names = model_files_names(files, &count);
  assert_int_equal(count, 3);
  assert_string_equal(names[0], "ln_f.bias");
  assert_string_equal(names[1], "ln_f.weight");
  assert_string_equal(names[2], "wte.weight");
}

static void test_single_file(void **state) {
  (void)state;
  put_model("m/weights.safetensors", rows, ROWS);
  struct model_files *files = opened("m/weights.safetensors");
  check_names(files);
  check_values(files, "ln_f.weight", gain, "m/weights.safetensors");
  check_values(files, "ln_f.bias", bias, "m/weights.safetensors");
  assert_string_equal(model_files_metadata(files, "format"), "pt");
  assert_null(model_files_config(files));
  assert_null(model_files_config_path(files));
  assert_null(model_files_whole(files));
  model_files_close(files);
}

static void test_shards(void **state) {
  (void)state;
  put_shards("m", rows, ROWS, 3);
  struct model_files *files = opened("m/model.safetensors.index.json");
  check_names(files);
  check_values(files, "ln_f.weight", gain,
               "m/model-00003-of-00003.safetensors");
  check_values(files, "ln_f.bias", bias, "m/model-00002-of-00003.safetensors");
  check_values(files, "ln_f.weight", gain,
               "m/model-00003-of-00003.safetensors");
  struct error err;
  const char *path, *again;
  const void *first = model_files_tensor(files, "wte.weight", &path, &err);
  /* a shard is opened once */
  assert_ptr_equal(model_files_tensor(files, "wte.weight", &again, &err),
                   first);
  assert_ptr_equal(again, path);
  assert_null(model_files_metadata(files, "format"));
  model_files_close(files);
}

/* The message of a refusal, behind the scratch directory in front. */
static void refuses(const char *name, const char *message) {
  struct model_files *files;
  struct error err = {{0}};
  assert_int_equal(model_files_open(in_scratch(name), &files, &err), -1);
  assert_null(files);
  assert_memory_equal(err.text, in_scratch(""), strlen(in_scratch("")));
  assert_string_equal(err.text + strlen(in_scratch("")), message);
}

static void refuses_tensor(struct model_files *files, const char *name,
                           const char *message) {
  struct error err = {{0}};
  const char *path;
  assert_null(model_files_tensor(files, name, &path, &err));
  assert_memory_equal(err.text, in_scratch(""), strlen(in_scratch("")));
  assert_string_equal(err.text + strlen(in_scratch("")), message);
}

static void link_to(const char *target, const char *name) {
  struct error err = {{0}};
  if (file_make_parents(in_scratch(name), &err) != 0) fail_msg("%s", err.text);
  assert_int_equal(symlink(target, in_scratch(name)), 0);
}

/* The index before the one file, that before any other, with or without a
 * slash behind the directory. */
static void test_directories(void **state) {
  (void)state;
  put_model("m/other.safetensors", rows, ROWS);
  put("m/._other.safetensors", "left by another system");
  put("m/pytorch_model.bin", "");
  struct model_files *files = opened("m");
  check_values(files, "ln_f.weight", gain, "m/other.safetensors");
  model_files_close(files);

  put_model("m/model.safetensors", rows, ROWS);
  files = opened("m/");
  check_values(files, "ln_f.weight", gain, "m/model.safetensors");
  model_files_close(files);

  put_shards("m", rows, ROWS, 3);
  files = opened("m//");
  check_values(files, "ln_f.bias", bias, "m//model-00002-of-00003.safetensors");
  model_files_close(files);
}

static void test_directories_that_tell_nothing(void **state) {
  (void)state;
  put("m/config.json", "{}");
  refuses("m", "m: no file NAME.safetensors in this directory");
  put("m/pytorch_model.bin", "");
  refuses("m/", "m/: no file NAME.safetensors; weights in pickle format are "
                "not read");
  put_shards("m", rows, ROWS, 3);
  unlink(in_scratch("m/model.safetensors.index.json"));
  refuses("m",
          "m: 3 files NAME.safetensors and no "
          "model.safetensors.index.json; name one of them, or their index");
  link_to("nowhere", "m/model.safetensors");
  refuses("m", "m/model.safetensors: cannot open: No such file or directory");
}

static void test_paths_that_are_no_model(void **state) {
  (void)state;
  struct model_files *files;
  struct error err = {{0}};
  assert_int_equal(model_files_open("", &files, &err), -1);
  assert_string_equal(err.text, "\"\": no model has an empty path");
  assert_int_equal(model_files_open("/dev/zero", &files, &err), -1);
  assert_string_equal(err.text, "/dev/zero: is not a regular file");
  refuses("none", "none: cannot open: No such file or directory");
  assert_int_equal(mkfifo(in_scratch("p.json"), 0600), 0);
  refuses("p.json", "p.json: is not a regular file");
  put_model("m.safetensors", rows, ROWS);
  refuses("m.safetensors/", "m.safetensors/: cannot open: Not a directory");
  put("m.bin", "PK\3\4");
  refuses("m.bin", "m.bin: weights in pickle format are not read");
  put("short.safetensors", "{}");
  refuses("short.safetensors",
          "short.safetensors: 2 bytes are too few for a safetensors file");
}

/* A cache keeps files under their hashes, and links with their names. Files
 * beside the link are meant. */
static void test_links(void **state) {
  (void)state;
  put_shards("blobs", rows, ROWS, 3);
  put("blobs/config", "{\"model_type\": \"gpt2\"}");
  rename(in_scratch("blobs/model.safetensors.index.json"),
         in_scratch("blobs/index"));
  rename(in_scratch("blobs/model-00003-of-00003.safetensors"),
         in_scratch("blobs/three"));
  link_to("../blobs/index", "snapshot/model.safetensors.index.json");
  link_to("../blobs/three", "snapshot/model-00003-of-00003.safetensors");
  link_to("../blobs/config", "snapshot/config.json");
  link_to("snapshot", "main");

  struct model_files *files = opened("snapshot/model.safetensors.index.json");
  check_values(files, "ln_f.weight", gain,
               "snapshot/model-00003-of-00003.safetensors");
  assert_string_equal(model_files_config_path(files),
                      in_scratch("snapshot/config.json"));
  refuses_tensor(files, "ln_f.bias",
                 "snapshot/model-00002-of-00003.safetensors: cannot open: No "
                 "such file or directory");
  model_files_close(files);

  files = opened("main");
  check_values(files, "ln_f.weight", gain,
               "main/model-00003-of-00003.safetensors");
  model_files_close(files);
}

/* Paths without a directory are those of the current one. */
static void test_the_current_directory(void **state) {
  (void)state;
  char here[4096];
  struct model_files *files;
  struct error err = {{0}};
  static const char *const names[] = {"a.safetensors", ".", "./a.safetensors"};
  put_model("m/a.safetensors", rows, ROWS);
  put("m/config.json", "{}");
  assert_non_null(getcwd(here, sizeof here));
  assert_int_equal(chdir(in_scratch("m")), 0);
  for (size_t i = 0; i < 3; i++) {
    int result = model_files_open(names[i], &files, &err);
    if (result != 0) print_error("%s\n", err.text);
    assert_int_equal(result, 0);
    assert_string_equal(model_files_config_path(files),
                        i == 0 ? "config.json" : "./config.json");
    model_files_close(files);
  }
  assert_int_equal(chdir(here), 0);
}

static void test_refused_indices(void **state) {
  (void)state;
  static const struct {
    const char *index, *message;
  } cases[] = {
      {"", ":1:1: empty, JSON expected"},
      {"[]", ":1:1: an object with \"weight_map\" is needed"},
      {"{\"metadata\": {}}", ":1:1: \"weight_map\" is missing"},
      {"{\"weight_map\": []}",
       ":1:16: \"weight_map\" is array, object is needed"},
      {"{\"weight_map\": {}}", ":1:16: \"weight_map\" is empty"},
      {"{\"weight_map\":\n {\"a\": 1}}",
       ":2:8: \"weight_map\": \"a\" is number, a file name is needed"},
      {"{\"weight_map\": {\"a\": \"\"}}",
       ":1:22: \"\" is no NAME.safetensors; weights in pickle format are not "
       "read"},
      {"{\"weight_map\": {\"a\": \"../b.safetensors\"}}",
       ":1:22: \"../b.safetensors\" is not the name of a file beside the "
       "index"},
      {"{\"weight_map\": {\"a\": \"/etc/passwd\"}}",
       ":1:22: \"/etc/passwd\" is not the name of a file beside the index"},
      {"{\"weight_map\": {\"a\": \"..\"}}",
       ":1:22: \"..\" is no NAME.safetensors; weights in pickle format are "
       "not read"},
      {"{\"weight_map\": {\"a\": \"pytorch_model.bin\"}}",
       ":1:22: \"pytorch_model.bin\" is no NAME.safetensors; weights in pickle "
       "format are not read"},
      {"{\"weight_map\": {\"a\": \"b.safetensors\",\n\"a\": "
       "\"b.safetensors\"}}",
       ":2:6: duplicate key \"a\""},
      {"{\"weight_map\": {\"a\": \"b.safetensors\"}",
       ":1:37: not valid JSON from here on"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char message[512];
    snprintf(message, sizeof message, "i.json%s", cases[i].message);
    put("i.json", cases[i].index);
    refuses("i.json", message);
  }
  assert_int_equal(truncate(in_scratch("i.json"), 40 << 20), 0);
  refuses("i.json",
          "i.json: 41943040 bytes of JSON; at most 33554432 are read");
  char *commas = memory_alloc((1 << 20) + 3, 1);
  memset(commas, ',', (1 << 20) + 2);
  put("i.json", commas);
  free(commas);
  refuses("i.json",
          "i.json: JSON of some 1048579 values; at most 1048576 are read");
}

static void test_shards_that_do_not_fit(void **state) {
  (void)state;
  put_shards("m", rows, ROWS, 3);
  put_model("m/model-00002-of-00003.safetensors", rows, 1);
  put("m/model-00001-of-00003.safetensors", "");
  struct model_files *files = opened("m");
  refuses_tensor(files, "ln_f.bias",
                 "m/model-00002-of-00003.safetensors: has no tensor "
                 "\"ln_f.bias\", which the index places there");
  refuses_tensor(files, "wte.weight",
                 "m/model-00001-of-00003.safetensors: 0 bytes are too few for "
                 "a safetensors file");
  refuses_tensor(files, "ln_f",
                 "m/model.safetensors.index.json: has no tensor \"ln_f\"");
  check_values(files, "ln_f.weight", gain,
               "m/model-00003-of-00003.safetensors");
  model_files_close(files);

  put_model("empty.safetensors", rows, 0);
  files = opened("empty.safetensors");
  refuses_tensor(files, "ln_f", "empty.safetensors: has no tensor \"ln_f\"");
  model_files_close(files);
}

static void test_configuration(void **state) {
  (void)state;
  put_model("m/model.safetensors", rows, ROWS);
  put("m/config.json", "{\"model_type\": \"gpt2\"}");
  struct model_files *files = opened("m");
  assert_string_equal(
      json_member(model_files_config(files), "model_type")->text, "gpt2");
  assert_string_equal(model_files_config_path(files),
                      in_scratch("m/config.json"));
  model_files_close(files);

  put("m/config.json", "{\"time_step_limit\": [0.0, Infinity]}");
  files = opened("m");
  assert_int_equal(
      json_member(model_files_config(files), "time_step_limit")->count, 2);
  model_files_close(files);
  put("m/config.json", "{\"model_type\":\n nan}");
  refuses("m", "m/config.json:2:2: not valid JSON from here on");
  put("m/config.json", "[1]");
  refuses("m", "m/config.json:1:1: the configuration is array, not an object");
  assert_int_equal(truncate(in_scratch("m/config.json"), 20 << 20), 0);
  refuses("m", "m/config.json: 20971520 bytes of JSON; at most 16777216 are "
               "read");

  unlink(in_scratch("m/config.json"));
  mkdir(in_scratch("m/config.json"), 0777);
  files = opened("m");
  assert_null(model_files_config(files));
  model_files_close(files);
  rmdir(in_scratch("m/config.json"));
  link_to("config.json", "m/config.json");
  refuses("m", "m/config.json: cannot inspect: Too many levels of symbolic "
               "links");
}

static void test_one_shard_of_a_set(void **state) {
  (void)state;
  put_shards("m", rows, ROWS, 3);
  struct model_files *files = opened("m/model-00003-of-00003.safetensors");
  assert_string_equal(model_files_whole(files),
                      in_scratch("m/model.safetensors.index.json"));
  assert_true(model_files_is_part(files));
  model_files_close(files);

  static const char *const alone[] = {
      "m/other-00003-of-00003.safetensors", /* its index is not there */
      "m/model-00003-of-.safetensors",
      "m/model-of-00003.safetensors",
      "m/model-3of-00003.safetensors",
      "m/00003-of-00003.safetensors",
      "m/-of-.safetensors",
      "m/.safetensors",
      "m/model-00003-of-00003.safetensors.tmp",
  };
  for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
    put_model(alone[i], rows, ROWS);
    files = opened(alone[i]);
    assert_null(model_files_whole(files));
    assert_int_equal(model_files_is_part(files), i == 0);
    model_files_close(files);
  }
  put_model("m/all-00001-of-00001.safetensors", rows, ROWS);
  files = opened("m/all-00001-of-00001.safetensors");
  assert_false(model_files_is_part(files));
  model_files_close(files);
}

/* 72 GB in 15 files, of which one is there: no other is touched. */
static void test_a_large_set(void **state) {
  (void)state;
  enum { LAYERS = 180, SHARDS = 15, COUNT = LAYERS * 4 + 1 };
  static struct tensor_row large[COUNT];
  static char names[COUNT][64];
  for (size_t i = 0; i + 1 < COUNT; i++) {
    static const char *const parts[] = {"q_proj", "down_proj", "norm",
                                        "o_proj"};
    snprintf(names[i], sizeof names[i], "model.layers.%zu.%s.weight", i / 4,
             parts[i % 4]);
    large[i] = (struct tensor_row){.name = names[i],
                                   .dtype = "BF16",
                                   .rank = i % 4 == 2 ? 1 : 2,
                                   .shape = {8192, i % 4 == 2 ? 1 : 8192},
                                   .shard = 1 + i * SHARDS / COUNT};
  }
  large[COUNT - 1] = (struct tensor_row){.name = "model.norm.weight",
                                         .dtype = "BF16",
                                         .rank = 1,
                                         .shape = {3},
                                         .values = gain,
                                         .shard = SHARDS};
  put_shards("m", large, COUNT, SHARDS);
  for (int i = 1; i < SHARDS; i++) {
    char name[64];
    snprintf(name, sizeof name, "m/model-%05d-of-%05d.safetensors", i, SHARDS);
    assert_int_equal(unlink(in_scratch(name)), 0);
  }
  struct model_files *files = opened("m");
  size_t count;
  model_files_names(files, &count);
  assert_int_equal(count, COUNT);
  check_values(files, "model.norm.weight", gain,
               "m/model-00015-of-00015.safetensors");
  refuses_tensor(files, "model.layers.0.norm.weight",
                 "m/model-00001-of-00015.safetensors: cannot open: No such "
                 "file or directory");
  model_files_close(files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_single_file, scratch_empty),
      cmocka_unit_test_setup(test_shards, scratch_empty),
      cmocka_unit_test_setup(test_directories, scratch_empty),
      cmocka_unit_test_setup(test_directories_that_tell_nothing, scratch_empty),
      cmocka_unit_test_setup(test_paths_that_are_no_model, scratch_empty),
      cmocka_unit_test_setup(test_links, scratch_empty),
      cmocka_unit_test_setup(test_the_current_directory, scratch_empty),
      cmocka_unit_test_setup(test_refused_indices, scratch_empty),
      cmocka_unit_test_setup(test_shards_that_do_not_fit, scratch_empty),
      cmocka_unit_test_setup(test_configuration, scratch_empty),
      cmocka_unit_test_setup(test_one_shard_of_a_set, scratch_empty),
      cmocka_unit_test_setup(test_a_large_set, scratch_empty),
  };
  return cmocka_run_group_tests_name("model files", tests, scratch_make,
                                     scratch_remove);
}
