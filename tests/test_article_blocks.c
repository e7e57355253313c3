/* The programs in the article print what they measure: with one byte of the
 * weights changed, the blocks on the model print other lines, and the block
 * that needs no model prints the same. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>

#include "report/base/hash.h"
#include "report/base/json.h"
#include "report/code_run.h"
#include "tests/pins_support.h"

static const char article[] = "templates/articles/layernorm-jacobian.md";
static const char weights[] = "data/models/kjv-layernorm.safetensors";
static const char gain[] = "transformer.h.0.ln_1.weight";

static const char *environment(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value != NULL && *value != 0 ? value : otherwise;
}

static void read_whole(const char *path, struct buffer *out) {
  struct error err;
  if (file_read(path, out, &err) != 0) fail_msg("%s", err.text);
}

/* Offset of the tensor's bytes in the file: 8 bytes, the header of that length,
 * the data. */
static size_t offset_of(const struct buffer *file, const char *tensor) {
  uint64_t length;
  struct json_document header;
  struct error err;
  memcpy(&length, file->bytes, sizeof length);
  if (json_parse(weights, file->bytes + 8, (size_t)length, &header, &err) != 0)
    fail_msg("%s", err.text);
  const struct json *offsets =
      json_member(json_member(header.root, tensor), "data_offsets");
  size_t offset = 8 + (size_t)length + (size_t)offsets->child->integer;
  json_free(&header);
  return offset;
}

/* The first norm's first gain becomes 4 or 1/4 of what it was: one bit of its
 * exponent, in its last byte. */
static void put_models(bool altered) {
  struct buffer file = {0}, manifest = {0};
  struct error err;
  char sha256[HASH_TEXT];
  read_whole(weights, &file);
  if (altered) file.bytes[offset_of(&file, gain) + 3] ^= 1;
  hash_bytes(file.bytes, file.length, sha256);
  buffer_printf(&manifest,
                "{\"models\": [{\"name\": \"kjv-layernorm\", \"file\": "
                "\"w.safetensors\", \"sha256\": \"%s\", \"norm\": "
                "\"LayerNorm\", \"eps\": 1e-05, \"corpus\": \"kjv\", "
                "\"training\": \"none.json\"}]}",
                sha256);
  put("models/manifest.json", manifest.bytes);
  if (file_write(in_scratch("models/w.safetensors"), file.bytes, file.length,
                 &err) != 0)
    fail_msg("%s", err.text);
  buffer_clear(&file);
  read_whole("data/corpora.json", &file);
  put("corpora.json", file.bytes);
  buffer_free(&file);
  buffer_free(&manifest);
}

/* Compile and run the article's blocks on the models in the scratch directory.
 */
static void run_blocks(const struct code_blocks *blocks,
                       struct buffer *outputs) {
  const char *build = environment("BUILD", "build");
  struct buffer compiler = {0}, libraries = {0};
  struct error err;
  buffer_printf(&compiler,
                "%s -std=gnu11 %s -Wall -Wextra -I. -DMODELS=\"%s\" "
                "-DCORPORA=\"%s/corpora\"",
                environment("CC", "cc"), environment("CFLAGS", "-O1 -g"),
                in_scratch("models"), build);
  buffer_printf(&libraries,
                "%s/libanalysis.a %s/libbase.a -llapacke -lopenblas -lcjson "
                "-lnettle -lm",
                build, build);
  const struct code_run_options options = {.compiler = compiler.bytes,
                                           .libraries = libraries.bytes,
                                           .work = scratch};
  if (code_run(blocks, &options, outputs, &err) != 0) fail_msg("%s", err.text);
  buffer_free(&compiler);
  buffer_free(&libraries);
}

static void test_nothing_prints_constants(void **state) {
  (void)state;
  struct code_blocks blocks;
  struct error err;
  struct buffer before[8] = {0}, after[8] = {0};
  if (code_blocks_read(article, &blocks, &err) != 0) fail_msg("%s", err.text);
  assert_in_range(blocks.count, 3, 8);
  put_models(false);
  run_blocks(&blocks, before);
  put_models(true);
  run_blocks(&blocks, after);
  for (size_t i = 0; i < blocks.count; i++) {
    bool same = strcmp(before[i].bytes, after[i].bytes) == 0;
    bool on_model = strcmp(blocks.items[i].name, "algebra") != 0;
    if (same == on_model)
      fail_msg("block `%s` prints\n%sand then\n%s", blocks.items[i].name,
               before[i].bytes, after[i].bytes);
    buffer_free(&before[i]);
    buffer_free(&after[i]);
  }
  code_blocks_free(&blocks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nothing_prints_constants),
  };
  return cmocka_run_group_tests_name("article_blocks", tests, scratch_make,
                                     scratch_remove);
}
