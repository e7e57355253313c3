/* A model's tensors by name, whatever files they lie in. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <limits.h>

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
  assert_null(model_files_metadata(files, "format"));
  model_files_close(files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_single_file, scratch_empty),
      cmocka_unit_test_setup(test_shards, scratch_empty),
  };
  return cmocka_run_group_tests_name("model files", tests, scratch_make,
                                     scratch_remove);
}
