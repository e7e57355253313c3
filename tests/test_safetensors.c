/* Tensor files: what is written reads back, what is damaged is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/safetensors.h"
#include "report/base/buffer.h"
#include "report/base/file.h"

static char directory[256], path[300];

static int make_directory(void **state) {
  (void)state;
  const char *build = getenv("BUILD");
  snprintf(directory, sizeof directory, "%s/safetensors-XXXXXX",
           build == NULL ? "build" : build);
  if (mkdtemp(directory) == NULL) return -1;
  snprintf(path, sizeof path, "%s/t.safetensors", directory);
  return 0;
}

static int remove_directory(void **state) {
  (void)state;
  unlink(path);
  return rmdir(directory);
}

static void put(const void *bytes, size_t length) {
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  if (length > 0) assert_int_equal(fwrite(bytes, 1, length, stream), length);
  assert_int_equal(fclose(stream), 0);
}

/* A file of that header and of `data` bytes 0, 1, 2, ... */
static void put_file(const char *header, size_t data) {
  struct buffer file = {0};
  uint64_t length = strlen(header);
  for (size_t i = 0; i < 8; i++)
    buffer_char(&file, (char)(length >> 8 * i & 255));
  buffer_text(&file, header);
  for (size_t i = 0; i < data; i++)
    buffer_char(&file, (char)i);
  put(file.bytes, file.length);
  buffer_free(&file);
}

/* The message of a refusal, without the path in front. */
static void refused(const char *message) {
  struct safetensors file;
  struct error err = {{0}};
  assert_int_equal(safetensors_open(path, &file, &err), -1);
  assert_memory_equal(err.text, path, strlen(path));
  assert_string_equal(err.text + strlen(path), message);
  assert_null(file.bytes);
}

static void test_round_trip(void **state) {
  (void)state;
  const float matrix[] = {1.5f, -0.0f, INFINITY, 1e-45f, 3.14159274f, -2};
  const float scalar[] = {7};
  const double wide[] = {0.1, -0x1p-1074};
  const struct safetensors_entry entries[] = {
      {"b.weight", 2, {2, 3}, matrix, NULL},
      {"a \"quoted\"", 0, {0}, scalar, NULL},
      {"empty", 2, {0, 4}, NULL, NULL},
      {"wide", 1, {2}, NULL, wide},
  };
  const struct safetensors_text metadata[] = {{"norm", "LayerNorm"},
                                              {"eps", "1e-05"}};
  struct error err = {{0}};
  assert_int_equal(safetensors_write(path, entries, 4, metadata, 2, &err), 0);

  struct safetensors file;
  if (safetensors_open(path, &file, &err) != 0) fail_msg("%s", err.text);
  assert_int_equal(file.count, 4);
  assert_string_equal(safetensors_metadata(&file, "eps"), "1e-05");
  assert_null(safetensors_metadata(&file, "none"));
  const struct safetensor *b = safetensors_lookup(&file, "b.weight");
  assert_non_null(b);
  assert_int_equal(b->shape[1], 3);
  assert_int_equal((uintptr_t)b->bytes % 8, 0);
  float back[6];
  assert_int_equal(safetensor_floats(path, b, back, &err), 0);
  assert_memory_equal(back, matrix, sizeof matrix);
  const struct safetensor *w = safetensors_lookup(&file, "wide");
  double back_wide[2];
  assert_string_equal(w->dtype, "F64");
  assert_int_not_equal((uintptr_t)w->bytes % 8, 0); /* after seven floats */
  assert_int_equal(safetensor_doubles(path, w, back_wide, &err), 0);
  assert_memory_equal(back_wide, wide, sizeof wide);
  assert_int_equal(safetensors_lookup(&file, "a \"quoted\"")->count, 1);
  assert_int_equal(safetensors_lookup(&file, "empty")->count, 0);
  assert_null(safetensors_lookup(&file, "b"));
  safetensors_close(&file);
}

static void test_equal_input_gives_equal_bytes(void **state) {
  (void)state;
  const float values[] = {1, 2};
  const struct safetensors_entry entry = {"x", 1, {2}, values, NULL};
  const char expected[] =
      "\x38\0\0\0\0\0\0\0{\"x\":{\"dtype\":\"F32\",\"shape\":[2],"
      "\"data_offsets\":[0,8]}}  \0\0\x80\x3f\0\0\0\x40";
  struct error err;
  struct buffer file = {0};
  assert_int_equal(safetensors_write(path, &entry, 1, NULL, 0, &err), 0);
  assert_int_equal(file_read(path, &file, &err), 0);
  assert_int_equal(file.length, sizeof expected - 1);
  assert_memory_equal(file.bytes, expected, file.length);
  buffer_free(&file);
}

static void test_write_failure_is_reported(void **state) {
  (void)state;
  struct error err = {{0}};
  assert_int_equal(
      safetensors_write("build/no/such/place", NULL, 0, NULL, 0, &err), -1);
  assert_string_equal(err.text, "build/no/such/place: cannot create: No such "
                                "file or directory");
}

/* Every value of the 16-bit formats against the definition by powers of 2. */
static void test_half_precisions(void **state) {
  (void)state;
  struct error err;
  uint16_t bits[65536];
  static double out[65536];
  for (size_t i = 0; i < 65536; i++)
    bits[i] = (uint16_t)i;
  struct safetensor tensor = {"h", "F16", 1, {65536}, 65536, bits, sizeof bits};
  assert_int_equal(safetensor_doubles("f", &tensor, out, &err), 0);
  assert_true(out[0x0001] == 0x1p-24 && out[0x8001] == -0x1p-24);
  assert_true(out[0x03ff] == 0x1p-14 - 0x1p-24 && out[0x0400] == 0x1p-14);
  assert_true(out[0x3c00] == 1 && out[0x3c01] == 1 + 0x1p-10);
  assert_true(out[0x7bff] == 65504 && isinf(out[0x7c00]) && isnan(out[0x7c01]));
  assert_true(out[0xfc00] == -INFINITY && signbit(out[0x8000]));
  for (size_t i = 1; i <= 0x7c00; i++)
    assert_true(out[i] > out[i - 1]);

  tensor.dtype = "BF16";
  assert_int_equal(safetensor_doubles("f", &tensor, out, &err), 0);
  assert_true(out[0x3f80] == 1 && out[0x3f81] == 1 + 0x1p-7);
  assert_true(out[0x0001] == 0x1p-133 && out[0xff80] == -INFINITY);
  for (size_t i = 1; i <= 0x7f80; i++)
    assert_true(out[i] > out[i - 1]);
}

static void test_wide_values(void **state) {
  (void)state;
  const double values[] = {0.1, -1e300, 1 + 0x1p-24};
  struct safetensor tensor = {"w", "F64", 1, {3}, 3, values, sizeof values};
  struct error err = {{0}};
  double wide[3];
  float narrow[3];
  assert_int_equal(safetensor_doubles("f", &tensor, wide, &err), 0);
  assert_memory_equal(wide, values, sizeof values);
  assert_int_equal(safetensor_floats("f", &tensor, narrow, &err), 0);
  assert_true(narrow[0] == 0.1f && narrow[2] == 1);
  tensor.dtype = "I64";
  assert_int_equal(safetensor_floats("f", &tensor, narrow, &err), -1);
  assert_string_equal(err.text, "f: tensor \"w\" is I64; F64, F32, F16 or BF16 "
                                "is needed");
  assert_int_equal(safetensor_doubles("f", &tensor, wide, &err), -1);
}

/* Each dtype of the reference as 8 elements, then one that came later, and
 * behind them, at odd addresses, the four whose values are given. */
static void test_every_dtype(void **state) {
  (void)state;
  static const struct {
    const char *dtype;
    size_t bytes; /* of 8 elements */
  } known[] = {
      {"BOOL", 8},    {"F4", 4},          {"F6_E2M3", 6},     {"F6_E3M2", 6},
      {"U8", 8},      {"I8", 8},          {"F8_E5M2", 8},     {"F8_E4M3", 8},
      {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},
      {"U16", 16},    {"F16", 16},        {"BF16", 16},       {"I32", 32},
      {"U32", 32},    {"F32", 32},        {"C64", 64},        {"F64", 64},
      {"I64", 64},    {"U64", 64},        {"F128", 3}};
  enum { KNOWN = sizeof known / sizeof *known };
  struct buffer header = {0};
  size_t end = 0;
  for (size_t i = 0; i < KNOWN; i++) {
    buffer_printf(&header,
                  "%c\"t%zu\":{\"dtype\":\"%s\",\"shape\":[2,4],"
                  "\"data_offsets\":[%zu,%zu]}",
                  i == 0 ? '{' : ',', i, known[i].dtype, end,
                  end + known[i].bytes);
    end += known[i].bytes;
  }
  buffer_char(&header, '}');
  put_file(header.bytes, end);
  buffer_free(&header);

  struct safetensors file;
  struct error err = {{0}};
  double out[8];
  size_t given = 0;
  if (safetensors_open(path, &file, &err) != 0) fail_msg("%s", err.text);
  assert_int_equal(file.count, KNOWN);
  for (size_t i = 0; i < KNOWN; i++) {
    assert_string_equal(file.tensors[i].dtype, known[i].dtype);
    assert_int_equal(file.tensors[i].count, 8);
    assert_int_equal(file.tensors[i].length, known[i].bytes);
    given += safetensor_doubles(path, &file.tensors[i], out, &err) == 0;
  }
  assert_int_equal(given, 4);
  assert_non_null(strstr(err.text, "is F128; F64, F32, F16 or BF16 is needed"));
  safetensors_close(&file);
}

/* Each dtype that has values, from every address. */
static void test_values_at_any_address(void **state) {
  (void)state;
  static const struct {
    const char *dtype;
    size_t size;
    unsigned char bytes[16]; /* of 1.5 and -2 */
  } cases[] = {
      {"F64", 8, {0, 0, 0, 0, 0, 0, 0xf8, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0}},
      {"F32", 4, {0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0}},
      {"F16", 2, {0, 0x3e, 0, 0xc0}},
      {"BF16", 2, {0xc0, 0x3f, 0, 0xc0}},
  };
  for (size_t i = 0; i < 4 * 8; i++) {
    _Alignas(8) unsigned char room[24] = {0};
    size_t size = cases[i / 8].size;
    const struct safetensor tensor = {"t", cases[i / 8].dtype, 1,       {2},
                                      2,   room + i % 8,       2 * size};
    struct error err;
    double wide[2];
    float narrow[2];
    memcpy(room + i % 8, cases[i / 8].bytes, 2 * size);
    assert_int_equal(safetensor_doubles("f", &tensor, wide, &err), 0);
    assert_int_equal(safetensor_floats("f", &tensor, narrow, &err), 0);
    assert_true(wide[0] == 1.5 && wide[1] == -2);
    assert_true(narrow[0] == 1.5f && narrow[1] == -2);
  }
}

/* What is odd but in the format. */
static void test_accepted_headers(void **state) {
  (void)state;
  static const struct {
    const char *header;
    size_t data, tensors;
  } cases[] = {
      {"{}", 0, 0},
      {"{}  \n\t ", 0, 0},
      {"{\"__metadata__\":null}", 0, 0},
      {"{\"__metadata__\":{}}", 0, 0},
      {"{\"s\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}", 4, 1},
      {"{\"s\":{\"x\":1,\"dtype\":\"F32\",\"shape\":[0,7],"
       "\"data_offsets\":[0,0]}}",
       0, 1},
      {"{\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]},"
       "\"z\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[3,3]},"
       "\"e\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[1,1]},"
       "\"a\\n\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}",
       3, 4},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct safetensors file;
    struct error err = {{0}};
    put_file(cases[i].header, cases[i].data);
    if (safetensors_open(path, &file, &err) != 0) fail_msg("%s", err.text);
    assert_int_equal(file.count, cases[i].tensors);
    safetensors_close(&file);
  }
}

#define ONE(dtype, shape, offsets)                                             \
  "{\"t\":{\"dtype\":\"" dtype "\",\"shape\":" shape                           \
  ",\"data_offsets\":" offsets "}}"
#define TWO(a, b)                                                              \
  "{\"s\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" a "},"            \
  "\"t\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" b "}}"
static const struct {
  const char *header;
  size_t data;
  const char *message;
} damaged[] = {
    {"[]", 0, ": the header does not begin with '{'"},
    {"{\"t\":1}", 0, ":1:6: an object with \"dtype\" is needed"},
    {"{\"t\":{}}", 0, ":1:6: \"dtype\" is missing"},
    {"{\"t\":{\"dtype\":3}}", 0,
     ":1:15: \"dtype\" is number, string is needed"},
    {ONE("F32", "[1.5]", "[0,4]"), 4,
     ":1:30: shape of \"t\": a count is needed"},
    {ONE("F32", "[-1]", "[0,4]"), 4,
     ":1:30: shape of \"t\": a count is needed"},
    {ONE("F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), 4,
     ":1:29: tensor \"t\" has rank 9, above 8"},
    {ONE("F32", "[4294967296,4294967296,1]", "[0,4]"), 4,
     ":1:41: shape of \"t\" overflows"},
    {ONE("F64", "[2305843009213693952]", "[0,0]"), 0,
     ":1:6: tensor \"t\": 2305843009213693952 elements of 64 bits do not "
     "fill 0 bytes"},
    {ONE("F32", "[1]", "[0,4,8]"), 4,
     ":1:48: data_offsets of \"t\": begin and end are needed"},
    {ONE("F32", "[1]", "[0,true]"), 4,
     ":1:51: data_offsets of \"t\": a count is needed"},
    {ONE("F32", "[1]", "[-4,0]"), 4,
     ":1:49: data_offsets of \"t\": a count is needed"},
    {ONE("F32", "[1]", "[4,0]"), 4,
     ":1:48: tensor \"t\" lies at bytes 4 to 0 of 4"},
    {ONE("F32", "[1]", "[0,4]"), 3,
     ":1:48: tensor \"t\" lies at bytes 0 to 4 of 3"},
    {ONE("F32", "[2]", "[0,4]"), 4,
     ":1:6: tensor \"t\": 2 elements of 32 bits do not fill 4 bytes"},
    {ONE("F4", "[3]", "[0,1]"), 1,
     ":1:6: tensor \"t\": 3 elements of 4 bits do not fill 1 bytes"},
    {ONE("F6_E2M3", "[4]", "[0,4]"), 4,
     ":1:6: tensor \"t\": 4 elements of 6 bits do not fill 4 bytes"},
    {ONE("F32", "[1]", "[2,6]"), 6, ": 2 unused bytes before tensor \"t\""},
    {ONE("F32", "[1]", "[4,8]"), 8, ": 4 unused bytes before tensor \"t\""},
    {ONE("F32", "[1]", "[0,4]"), 9, ": 5 bytes after the last tensor"},
    {"{}", 1, ": 1 bytes after the last tensor"},
    {TWO("[0,4]", "[2,6]"), 6, ": tensors \"s\" and \"t\" overlap"},
    {TWO("[0,4]", "[0,4]"), 4, ": tensors \"s\" and \"t\" overlap"},
    {TWO("[5,9]", "[0,4]"), 9, ": 1 unused bytes before tensor \"s\""},
    {"{\"t\":{},\"t\":{}}", 0, ":1:13: duplicate key \"t\""},
    {"{\"__metadata__\":[]}", 0, ":1:17: __metadata__ is array, not an object"},
    {"{\"__metadata__\":{\"eps\":1}}", 0,
     ":1:24: __metadata__: \"eps\" is number, not a string"},
    {"{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", 0,
     ":1:29: duplicate key \"a\""},
    {"{\"t\":{\"dtype\":\"U8\",\"dtype\":\"F32\"}}", 0,
     ":1:28: duplicate key \"dtype\""},
    {"{\"t\":{},\"\\u0074\":{}}", 0, ":1:18: duplicate key \"t\""},
    {"{\"t\":{\"dtype\":\"U8\",\"shape\":[9223372036854775808],"
     "\"data_offsets\":[0,0]}}",
     0, ":1:29: shape of \"t\": a count is needed"},
    {"{\"t\":{\"dtype\":\"U8\",\"shape\":[18446744073709551616],"
     "\"data_offsets\":[0,0]}}",
     0,
     ":1:29: integer 18446744073709551616 is beyond 2^63; write it as a "
     "string"},
    {ONE("F32", "[1]", "[0,9223372036854775807]"), 4,
     ":1:48: tensor \"t\" lies at bytes 0 to 9223372036854775807 of 4"},
    {ONE("F4", "[9223372036854775807]", "[0,0]"), 0,
     ":1:6: tensor \"t\": 9223372036854775807 elements of 4 bits do not "
     "fill 0 bytes"},
    {ONE("NEW", "[1]", "[0,4]"), 3,
     ":1:48: tensor \"t\" lies at bytes 0 to 4 of 3"},
    {ONE("NEW", "[1]", "[0,4]"), 5, ": 1 bytes after the last tensor"},
    {"{\"a\\n\\u2028b\":1}", 0, ":1:15: an object with \"dtype\" is needed"},
    {"{\"a\\n\\u2028b\":{\"dtype\":\"U8\",\"shape\":[2],"
     "\"data_offsets\":[0,1]}}",
     1, ":1:15: tensor \"a????b\": 2 elements of 8 bits do not fill 1 bytes"},
    {"{\"a\nb\":{}}", 0, ":1:4: unescaped control character U+000A"},
    {"{\"a\\u0000b\":{}}", 0, ":1:4: \\u0000 in a string"},
    {"{\"t\xff\":{}}", 0, ":1:4: invalid UTF-8"},
    {"{} x", 0, ":1:4: something follows the JSON value"},
};

static void test_refused_headers(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
    put_file(damaged[i].header, damaged[i].data);
    refused(damaged[i].message);
  }
}

static void test_refused_lengths(void **state) {
  (void)state;
  put("", 0);
  refused(": 0 bytes are too few for a safetensors file");
  put("\2\0\0\0\0\0\0", 7);
  refused(": 7 bytes are too few for a safetensors file");
  put("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10);
  refused(": a header of 18446744073709551615 bytes is announced in a file of "
          "10 bytes; not a safetensors file, or truncated");
  put("\3\0\0\0\0\0\0\0{}", 10);
  refused(": a header of 3 bytes is announced in a file of 10 bytes; not a "
          "safetensors file, or truncated");
  put("\0\0\0\0\0\0\0\0{}", 10);
  refused(": the header does not begin with '{'");
  unlink(path);
  refused(": cannot open: No such file or directory");

  struct safetensors file;
  struct error err = {{0}};
  assert_int_equal(safetensors_open(directory, &file, &err), -1);
  assert_non_null(strstr(err.text, ": is not a regular file"));
}

/* Announced, and there: a file of 100 MB takes no room on the disk. */
static void test_refused_limits(void **state) {
  (void)state;
  put("\0\xe1\xf5\x05\0\0\0\0{", 9);
  assert_int_equal(truncate(path, 100000008), 0);
  refused(": 100000000 bytes of JSON; at most 16777216 are read");

  struct buffer header = {0};
  buffer_text(&header, "{\"__metadata__\":{\"a\":\"[\\\"{,\"},\"t\":[");
  for (size_t i = 0; i < SAFETENSORS_VALUES_MAX; i++)
    buffer_text(&header, "1,");
  buffer_text(&header, "1]}");
  put_file(header.bytes, 0);
  refused(": JSON of some 1048581 values; at most 1048576 are read");
  buffer_free(&header);
}

static void test_not_tensor_files(void **state) {
  (void)state;
  const char pointer[] = "version https://git-lfs.github.com/spec/v1\noid ";
  struct safetensors file;
  struct error err = {{0}};
  put(pointer, sizeof pointer - 1);
  refused(": stands for a file that Git LFS has not fetched");
  unlink(path);
  assert_int_equal(mkfifo(path, 0600), 0);
  refused(": is not a regular file");
  unlink(path);
  assert_int_equal(safetensors_open("/dev/zero", &file, &err), -1);
  assert_string_equal(err.text, "/dev/zero: is not a regular file");
  if (geteuid() == 0) {
    print_message("skipped: root reads unreadable files\n");
    return;
  }
  put("", 0);
  chmod(path, 0);
  refused(": cannot open: Permission denied");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_equal_input_gives_equal_bytes),
      cmocka_unit_test(test_write_failure_is_reported),
      cmocka_unit_test(test_half_precisions),
      cmocka_unit_test(test_wide_values),
      cmocka_unit_test(test_every_dtype),
      cmocka_unit_test(test_values_at_any_address),
      cmocka_unit_test(test_accepted_headers),
      cmocka_unit_test(test_refused_headers),
      cmocka_unit_test(test_refused_lengths),
      cmocka_unit_test(test_refused_limits),
      cmocka_unit_test(test_not_tensor_files),
  };
  return cmocka_run_group_tests_name("safetensors", tests, make_directory,
                                     remove_directory);
}
