/* Damaged tensor files and indices, thousands of them, always the same ones:
 * each opens with all of its tensors in place, or is refused with one line. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/model_files.h"
#include "analysis/rng.h"
#include "tests/scratch.h"

#include "tests/model_files_fixture.h"

enum { HEADERS = 6000, TEXTS = 1500 };

static char path[512];

/* Anew, for some file systems write out at once what replaces a file's text. */
static void put_bytes(const char *to, const void *bytes, size_t length) {
  unlink(to);
  FILE *stream = fopen(to, "wb");
  assert_non_null(stream);
  if (length > 0) assert_int_equal(fwrite(bytes, 1, length, stream), length);
  assert_int_equal(fclose(stream), 0);
}

/* One line, of printable UTF-8, that begins with the name of the file. */
static void check_message(const char *text, const char *file) {
  assert_memory_equal(text, file, strlen(file));
  assert_int_equal(text[strlen(file)], ':');
  assert_true(strlen(text) > strlen(file) + 2);
  for (const unsigned char *c = (const unsigned char *)text; *c != 0; c++)
    assert_true(*c >= 0x20 && *c != 0x7f);
}

/* Bytes of an element whose value is given; 0 for other dtypes. */
static size_t value_size(const char *dtype) {
  return strcmp(dtype, "F64") == 0                                 ? 8
         : strcmp(dtype, "F32") == 0                               ? 4
         : strcmp(dtype, "F16") == 0 || strcmp(dtype, "BF16") == 0 ? 2
                                                                   : 0;
}

/* Whatever opens lies in the file and tiles its data; values fill theirs. */
static void check_layout(const struct safetensors *file) {
  const char *begin = file->bytes, *end = begin + file->length, *at = NULL;
  struct error err = {{0}};
  for (size_t i = 0; i < file->count; i++) {
    const struct safetensor *t = &file->tensors[i];
    size_t size = value_size(t->dtype);
    assert_ptr_equal(safetensors_lookup(file, t->name), t);
    at = at == NULL ? t->bytes : at;
    assert_true(at > begin && (const char *)t->bytes == at);
    at += t->length;
    if (size > 0) assert_true(t->count * size == t->length);
    double *out = calloc(size > 0 ? t->count + 1 : 1, sizeof *out);
    int result = safetensor_doubles(path, t, out, &err);
    assert_int_equal(result, size > 0 ? 0 : -1);
    if (result != 0) check_message(err.text, path);
    free(out);
  }
  if (at != NULL) assert_ptr_equal(at, end);
}

/* True when it opened. */
static bool open_and_check(void) {
  struct safetensors file;
  struct error err = {{0}};
  if (safetensors_open(path, &file, &err) != 0) {
    check_message(err.text, path);
    assert_null(file.bytes);
    return false;
  }
  check_layout(&file);
  safetensors_close(&file);
  return true;
}

static const double values[] = {1, 2, 3, 4};
static const struct tensor_row rows[] = {
    {.name = "h.0.w", .rank = 2, .shape = {2, 2}, .values = values, .shard = 1},
    {.name = "e", .dtype = "U8", .rank = 2, .shape = {0, 3}, .shard = 1},
    {.name = "ln_f.weight",
     .dtype = "BF16",
     .rank = 1,
     .shape = {3},
     .values = values,
     .shard = 2},
    {.name = "n", .dtype = "F64", .rank = 0, .values = values, .shard = 2},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void sample(struct buffer *out) {
  struct error err = {{0}};
  put_model("sample.safetensors", rows, ROWS);
  if (file_read(in_scratch("sample.safetensors"), out, &err) != 0)
    fail_msg("%s", err.text);
}

static void test_nested_header(void **state) {
  (void)state;
  struct buffer file = {0};
  enum { DEPTH = 100000 };
  const uint64_t length = DEPTH * strlen("{\"t\":");
  for (size_t i = 0; i < 8; i++)
    buffer_char(&file, (char)(length >> 8 * i & 255));
  for (size_t i = 0; i < DEPTH; i++)
    buffer_text(&file, "{\"t\":");
  put_bytes(path, file.bytes, file.length);
  assert_false(open_and_check());
  buffer_free(&file);
}

static void test_truncation_at_every_byte(void **state) {
  (void)state;
  struct buffer whole = {0};
  sample(&whole);
  for (size_t length = 0; length < whole.length; length++) {
    put_bytes(path, whole.bytes, length);
    assert_false(open_and_check());
  }
  put_bytes(path, whole.bytes, whole.length);
  assert_true(open_and_check());
  buffer_char(&whole, 0);
  put_bytes(path, whole.bytes, whole.length);
  assert_false(open_and_check());
  buffer_free(&whole);
}

static void test_every_flipped_bit(void **state) {
  (void)state;
  struct buffer whole = {0};
  sample(&whole);
  size_t data = 16 + 0 + 6 + 8, opened = 0;
  for (size_t bit = 0; bit < 8 * (whole.length - data); bit++) {
    whole.bytes[bit / 8] ^= (char)(1 << bit % 8);
    put_bytes(path, whole.bytes, whole.length);
    opened += open_and_check(); /* a letter of a name, say */
    whole.bytes[bit / 8] ^= (char)(1 << bit % 8);
  }
  assert_in_range(opened, 1, whole.length * 4);
  buffer_free(&whole);
}

/* ---- mutations ---- */

static size_t below(struct rng *rng, size_t n) {
  return (size_t)rng_integer(rng, 0, (int64_t)n);
}

static void splice(struct buffer *text, size_t at, size_t removed,
                   const char *added, size_t length) {
  struct buffer out = {0};
  buffer_add(&out, text->bytes, at);
  buffer_add(&out, added, length);
  buffer_add(&out, text->bytes + at + removed, text->length - at - removed);
  buffer_free(text);
  *text = out;
}

/* What breaks readers: limits of integers, bytes that end strings or lines,
 * words of the format in the wrong place. */
static void splice_word(struct rng *rng, struct buffer *text) {
  static const char *const words[] = {
      "\"",
      "\\",
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "0",
      "-1",
      "1.5",
      "1e999",
      "4294967296",
      "9223372036854775807",
      "9223372036854775808",
      "18446744073709551615",
      "18446744073709551616",
      "null",
      "true",
      "\"\"",
      "[]",
      "{}",
      "\\u0000",
      "\\n",
      "\\u0085",
      "\\u2028",
      "\\ud800",
      "\n",
      "\x7f",
      "\xff",
      "\xc2\x85",
      "\xe2\x80",
      "\"F4\"",
      "\"F32\"",
      "\"F64\"",
      "\"X\"",
      "\"dtype\":",
      "\"shape\":[1],",
      "\"data_offsets\":[0,1],",
      "\"__metadata__\":{},",
      "\"n\":",
      "\"weight_map\":{},",
      "\"../a.safetensors\"",
      "\"model-00001-of-00002.safetensors\"",
      "\"pytorch_model.bin\"",
  };
  const char *word = words[below(rng, sizeof words / sizeof *words)];
  size_t at = below(rng, text->length + 1);
  size_t removed = below(rng, 4) * below(rng, 4);
  if (removed > text->length - at) removed = text->length - at;
  splice(text, at, removed, word, strlen(word));
}

/* A number of the text becomes another one near it, or of another place. */
static void change_digit(struct rng *rng, struct buffer *text) {
  for (size_t tries = 0; tries < 100; tries++) {
    char *at = text->bytes + below(rng, text->length);
    if (*at < '0' || *at > '9') continue;
    *at = (char)('0' + below(rng, 10));
    return;
  }
}

static void copy_run(struct rng *rng, struct buffer *text) {
  size_t from = below(rng, text->length), length = below(rng, 80);
  if (length > text->length - from) length = text->length - from;
  struct buffer run = {0};
  buffer_add(&run, text->bytes + from, length);
  splice(text, below(rng, text->length + 1), 0, run.bytes, run.length);
  buffer_free(&run);
}

static void mutate(struct rng *rng, struct buffer *text) {
  for (size_t i = below(rng, 3) + 1; i > 0 && text->length > 0; i--)
    switch (below(rng, 5)) {
    case 0:
      text->bytes[below(rng, text->length)] = (char)below(rng, 256);
      break;
    case 1: {
      size_t at = below(rng, text->length), most = text->length - at;
      splice(text, at, below(rng, most < 40 ? most + 1 : 40), "", 0);
      break;
    }
    case 2:
      copy_run(rng, text);
      break;
    case 3:
      change_digit(rng, text);
      break;
    default:
      splice_word(rng, text);
    }
}

/* The header's length is most often told right, so that what it says counts. */
static void test_mutated_headers(void **state) {
  (void)state;
  struct buffer whole = {0};
  struct rng rng;
  size_t opened = 0, data = 16 + 0 + 6 + 8;
  sample(&whole);
  rng_seed(&rng, 5);
  for (size_t i = 0; i < HEADERS; i++) {
    struct buffer header = {0}, file = {0};
    buffer_add(&header, whole.bytes + 8, whole.length - data - 8);
    mutate(&rng, &header);
    uint64_t length = header.length;
    if (below(&rng, 16) == 0) length = rng_next64(&rng) >> below(&rng, 64);
    for (size_t k = 0; k < 8; k++)
      buffer_char(&file, (char)(length >> 8 * k & 255));
    buffer_add(&file, header.bytes, header.length);
    buffer_add(&file, whole.bytes + whole.length - data,
               below(&rng, 16) == 0 ? below(&rng, data) : data);
    put_bytes(path, file.bytes, file.length);
    opened += open_and_check();
    buffer_free(&header);
    buffer_free(&file);
  }
  assert_in_range(opened, HEADERS / 50, HEADERS / 2);
  buffer_free(&whole);
}

/* Opens the set; every tensor it names is there or is refused. */
static bool open_files(const char *message_begins) {
  struct model_files *files;
  struct error err = {{0}};
  const char *place, *set = in_scratch("m/model.safetensors.index.json");
  if (model_files_open(set, &files, &err) != 0) {
    assert_null(files);
    check_message(err.text, message_begins);
    return false;
  }
  size_t count;
  const char *const *names = model_files_names(files, &count);
  for (size_t i = 0; i < count; i++) {
    err.text[0] = 0;
    if (i > 0) assert_true(strcmp(names[i - 1], names[i]) < 0);
    if (model_files_tensor(files, names[i], &place, &err) != NULL)
      assert_string_equal(err.text, "");
    else
      assert_memory_equal(err.text, in_scratch("m/"), strlen(in_scratch("m/")));
  }
  model_files_close(files);
  return true;
}

/* Either text of a model, mutated while the other is whole. */
static void mutate_text(const char *name, uint64_t seed) {
  struct buffer whole = {0};
  struct error err = {{0}};
  struct rng rng;
  size_t opened = 0;
  char changed[512];
  snprintf(changed, sizeof changed, "%s", in_scratch(name));
  if (file_read(changed, &whole, &err) != 0) fail_msg("%s", err.text);
  rng_seed(&rng, seed);
  for (size_t i = 0; i < TEXTS; i++) {
    struct buffer text = {0};
    buffer_add(&text, whole.bytes, whole.length);
    mutate(&rng, &text);
    put_bytes(changed, text.bytes, text.length);
    opened += open_files(changed);
    buffer_free(&text);
  }
  assert_in_range(opened, TEXTS / 50, TEXTS * 3 / 4);
  buffer_free(&whole);
}

static void test_mutated_indices(void **state) {
  (void)state;
  put_shards("m", rows, ROWS, 2);
  mutate_text("m/model.safetensors.index.json", 6);
}

static void test_mutated_configurations(void **state) {
  (void)state;
  put_shards("m", rows, ROWS, 2);
  put("m/config.json", "{\"model_type\": \"gpt2\", \"n_embd\": 3,\n"
                       " \"layer_norm_epsilon\": 1e-05, \"tie\": true}\n");
  mutate_text("m/config.json", 7);
}

static int begin(void **state) {
  if (scratch_empty(state) != 0) return -1;
  snprintf(path, sizeof path, "%s", in_scratch("t.safetensors"));
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_nested_header, begin),
      cmocka_unit_test_setup(test_truncation_at_every_byte, begin),
      cmocka_unit_test_setup(test_every_flipped_bit, begin),
      cmocka_unit_test_setup(test_mutated_headers, begin),
      cmocka_unit_test_setup(test_mutated_indices, begin),
      cmocka_unit_test_setup(test_mutated_configurations, begin),
  };
  return cmocka_run_group_tests_name("damaged tensor files", tests,
                                     scratch_make, scratch_remove);
}
