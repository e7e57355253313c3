/* Model files from a table of tensors, for tests that need models of other
 * kinds and sizes than ours. Include tests/scratch.h first: names are those of
 * files in its directory, and a configuration is put("m/config.json", "{}").
 *
 *   static const double gain[] = {1, 2, 0.5};
 *   static const struct tensor_row rows[] = {
 *       {.name = "wte.weight", .rank = 2, .shape = {50257, 3}},
 *       {.name = "ln_f.weight", .dtype = "BF16", .rank = 1, .shape = {3},
 *        .values = gain}};
 *   put_model("m/model.safetensors", rows, 2);
 *
 * Tensors without values are zeros that are never written: gigabytes of them
 * take no room. */
#ifndef MODEL_FILES_FIXTURE_H
#define MODEL_FILES_FIXTURE_H

#include <fcntl.h>
#include <math.h>
#include <stdint.h>

#include "analysis/safetensors.h"

struct tensor_row {
  const char *name;
  const char *dtype; /* NULL: "F32" */
  size_t rank, shape[SAFETENSORS_RANK_MAX];
  const double *values; /* (count), rounded to the dtype; NULL: zeros */
  size_t shard;         /* from 1, for put_shards; rows may come in any order */
};

SUPPORT const char *row_dtype(const struct tensor_row *row) {
  return row->dtype != NULL ? row->dtype : "F32";
}

SUPPORT size_t row_count(const struct tensor_row *row) {
  size_t count = 1;
  for (size_t i = 0; i < row->rank; i++)
    count *= row->shape[i];
  return count;
}

/* Of one element; dtypes of less than a byte are not made here. */
SUPPORT size_t row_size(const struct tensor_row *row) {
  const char *dtype = row_dtype(row);
  if (strncmp(dtype, "F8", 2) == 0) return 1;
  return strstr(dtype, "64") != NULL   ? 8
         : strstr(dtype, "32") != NULL ? 4
         : strstr(dtype, "16") != NULL ? 2
                                       : 1;
}

/* To the nearest binary16, ties to even. */
SUPPORT uint16_t half_bits(double value) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  int exponent;
  if (isnan(value)) return sign | 0x7e00;
  frexp(value, &exponent);
  if (value == 0 || exponent < -13) exponent = -13; /* subnormal */
  double steps =
      isinf(value) ? 0x1p30 : nearbyint(ldexp(fabs(value), 11 - exponent));
  /* The implicit bit, and a carry out of the fraction, count as exponent. */
  double bits = steps + (exponent + 13) * 1024.0;
  return sign | (uint16_t)(bits > 0x7c00 ? 0x7c00 : bits);
}

/* To the nearest bfloat16, ties to even: the upper half of a float. */
SUPPORT uint16_t brain_bits(double value) {
  float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  if (isnan(value)) return 0x7fc0;
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

SUPPORT void encode(const char *dtype, double value, unsigned char out[8]) {
  uint64_t bits = 0;
  if (strcmp(dtype, "F64") == 0) {
    memcpy(&bits, &value, sizeof value);
  } else if (strcmp(dtype, "F32") == 0) {
    float narrow = (float)value;
    memcpy(&bits, &narrow, sizeof narrow);
  } else if (strcmp(dtype, "F16") == 0) {
    bits = half_bits(value);
  } else if (strcmp(dtype, "BF16") == 0) {
    bits = brain_bits(value);
  } else {
    fail_msg("values of dtype %s are not made here", dtype);
  }
  for (size_t i = 0; i < 8; i++)
    out[i] = (unsigned char)(bits >> 8 * i);
}

SUPPORT void write_at(int fd, const void *bytes, size_t length, size_t at) {
  assert_int_equal(pwrite(fd, bytes, length, (off_t)at), length);
}

SUPPORT void write_row(int fd, const struct tensor_row *row, size_t at) {
  size_t size = row_size(row), count = row_count(row);
  unsigned char bytes[8];
  for (size_t i = 0; i < count; i++) {
    encode(row_dtype(row), row->values[i], bytes);
    write_at(fd, bytes, size, at + i * size);
  }
}

/* The rows of that shard, or of all when it is 0. */
SUPPORT void put_some(const char *name, const struct tensor_row *rows,
                      size_t count, size_t shard) {
  struct buffer header = {0};
  struct error err = {{0}};
  size_t end = 0;
  buffer_text(&header, "{\"__metadata__\":{\"format\":\"pt\"}");
  for (size_t i = 0; i < count; i++) {
    if (shard != 0 && rows[i].shard != shard) continue;
    buffer_printf(&header, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[",
                  rows[i].name, row_dtype(&rows[i]));
    for (size_t k = 0; k < rows[i].rank; k++)
      buffer_printf(&header, "%s%zu", k > 0 ? "," : "", rows[i].shape[k]);
    size_t length = row_count(&rows[i]) * row_size(&rows[i]);
    buffer_printf(&header, "],\"data_offsets\":[%zu,%zu]}", end, end + length);
    end += length;
  }
  buffer_char(&header, '}');

  const char *path = in_scratch(name);
  if (file_make_parents(path, &err) != 0) fail_msg("%s", err.text);
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  assert_true(fd >= 0);
  unsigned char length[8];
  for (size_t i = 0; i < 8; i++)
    length[i] = (unsigned char)((uint64_t)header.length >> 8 * i);
  write_at(fd, length, 8, 0);
  write_at(fd, header.bytes, header.length, 8);
  size_t at = 8 + header.length;
  assert_int_equal(ftruncate(fd, (off_t)(at + end)), 0);
  for (size_t i = 0; i < count; i++) {
    if (shard != 0 && rows[i].shard != shard) continue;
    if (rows[i].values != NULL) write_row(fd, &rows[i], at);
    at += row_count(&rows[i]) * row_size(&rows[i]);
  }
  assert_int_equal(close(fd), 0);
  buffer_free(&header);
}

/* One file of all rows. */
SUPPORT void put_model(const char *name, const struct tensor_row *rows,
                       size_t count) {
  put_some(name, rows, count, 0);
}

/* DIRECTORY/model-0000I-of-0000N.safetensors and model.safetensors.index.json;
 * each row's shard is from 1 to `shards`. */
SUPPORT void put_shards(const char *directory, const struct tensor_row *rows,
                        size_t count, size_t shards) {
  struct buffer index = {0};
  char name[256];
  buffer_text(&index, "{\"metadata\": {\"total_size\": 0}, \"weight_map\": {");
  for (size_t i = 0; i < count; i++)
    buffer_printf(&index, "%s\n\"%s\": \"model-%05zu-of-%05zu.safetensors\"",
                  i > 0 ? "," : "", rows[i].name, rows[i].shard, shards);
  buffer_text(&index, "}}\n");
  snprintf(name, sizeof name, "%s/model.safetensors.index.json", directory);
  put(name, index.bytes);
  buffer_free(&index);
  for (size_t shard = 1; shard <= shards; shard++) {
    snprintf(name, sizeof name, "%s/model-%05zu-of-%05zu.safetensors",
             directory, shard, shards);
    put_some(name, rows, count, shard);
  }
}

#endif
