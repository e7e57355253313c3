#include "analysis/safetensors.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/json_bounded.h"
#include "analysis/json_fields.h"
#include "report/base/file.h"

enum { LENGTH_BYTES = 8 };

static const struct json_bounds header_most = {SAFETENSORS_HEADER_MAX,
                                               SAFETENSORS_VALUES_MAX, false};

#define METADATA "__metadata__"

static const struct {
  const char *name;
  size_t bits;
} dtypes[] = {
    {"BOOL", 8},        {"U8", 8},      {"I8", 8},      {"F4", 4},
    {"F6_E2M3", 6},     {"F6_E3M2", 6}, {"F8_E5M2", 8}, {"F8_E4M3", 8},
    {"F8_E8M0", 8},     {"I16", 16},    {"U16", 16},    {"F16", 16},
    {"BF16", 16},       {"I32", 32},    {"U32", 32},    {"F32", 32},
    {"F8_E4M3FNUZ", 8}, {"I64", 64},    {"U64", 64},    {"F64", 64},
    {"F8_E5M2FNUZ", 8}, {"C64", 64},
};

/* Bits of one element; 0 for a dtype that is not known here. */
static size_t dtype_bits(const char *name) {
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
    if (strcmp(dtypes[i].name, name) == 0) return dtypes[i].bits;
  return 0;
}

static uint64_t little_endian(const unsigned char *bytes, size_t size) {
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

/* ---- the header ---- */

struct reader {
  const char *path;
  struct safetensors *file;
  const unsigned char *data; /* first byte after the header */
  size_t data_length;
  struct error *err;
};

static int read_shape(const struct reader *r, const struct json *member,
                      struct safetensor *tensor) {
  const struct json *shape = json_field(member, "shape", JSON_ARRAY, r->err);
  if (shape == NULL) return -1;
  if (shape->count > SAFETENSORS_RANK_MAX)
    return error_at(r->err, shape->place,
                    "tensor \"%s\" has rank %zu, above %d", tensor->name,
                    shape->count, SAFETENSORS_RANK_MAX);
  tensor->count = 1;
  for (const struct json *n = shape->child; n != NULL; n = n->next) {
    if (n->type != JSON_NUMBER || !n->is_integer || n->integer < 0)
      return error_at(r->err, n->place, "shape of \"%s\": a count is needed",
                      tensor->name);
    size_t length = (size_t)n->integer;
    tensor->shape[tensor->rank++] = length;
    if (__builtin_mul_overflow(tensor->count, length, &tensor->count))
      return error_at(r->err, n->place, "shape of \"%s\" overflows",
                      tensor->name);
  }
  return 0;
}

static int read_offsets(const struct reader *r, const struct json *member,
                        const char *name, size_t offsets[2]) {
  const struct json *pair =
      json_field(member, "data_offsets", JSON_ARRAY, r->err);
  if (pair == NULL) return -1;
  if (pair->count != 2)
    return error_at(r->err, pair->place,
                    "data_offsets of \"%s\": begin and end are needed", name);
  const struct json *n = pair->child;
  for (size_t i = 0; i < 2; i++, n = n->next) {
    if (n->type != JSON_NUMBER || !n->is_integer || n->integer < 0)
      return error_at(r->err, n->place,
                      "data_offsets of \"%s\": a count is needed", name);
    offsets[i] = (size_t)n->integer;
  }
  if (offsets[0] > offsets[1] || offsets[1] > r->data_length)
    return error_at(r->err, pair->place,
                    "tensor \"%s\" lies at bytes %zu to %zu of %zu", name,
                    offsets[0], offsets[1], r->data_length);
  return 0;
}

/* Of a dtype not known here, whatever lies between the offsets is right. */
static int check_length(const struct reader *r, const struct json *member,
                        const struct safetensor *tensor) {
  size_t bits = dtype_bits(tensor->dtype), needed;
  if (bits == 0) return 0;
  if (!__builtin_mul_overflow(tensor->count, bits, &needed) &&
      needed % 8 == 0 && needed / 8 == tensor->length)
    return 0;
  return error_at(
      r->err, member->place,
      "tensor \"%s\": %zu elements of %zu bits do not fill %zu bytes",
      tensor->name, tensor->count, bits, tensor->length);
}

static int read_tensor(const struct reader *r, const struct json *member,
                       struct safetensor *tensor) {
  tensor->name = member->key;
  const struct json *dtype = json_field(member, "dtype", JSON_STRING, r->err);
  if (dtype == NULL) return -1;
  tensor->dtype = dtype->text;
  size_t offsets[2] = {0, 0};
  if (read_shape(r, member, tensor) != 0 ||
      read_offsets(r, member, tensor->name, offsets) != 0)
    return -1;
  tensor->bytes = r->data + offsets[0];
  tensor->length = offsets[1] - offsets[0];
  return check_length(r, member, tensor);
}

static int check_metadata(const struct reader *r, const struct json *metadata) {
  if (metadata->type == JSON_NULL) return 0; /* as the reference does */
  if (metadata->type != JSON_OBJECT)
    return error_at(r->err, metadata->place, METADATA " is %s, not an object",
                    json_type_name(metadata->type));
  for (const struct json *m = metadata->child; m != NULL; m = m->next)
    if (m->type != JSON_STRING)
      return error_at(r->err, m->place, METADATA ": \"%s\" is %s, not a string",
                      m->key, json_type_name(m->type));
  return 0;
}

/* By begin; an empty tensor before the one that begins where it stands. */
static int compare_positions(const void *a, const void *b) {
  const struct safetensor *x = a, *y = b;
  const char *begin_x = x->bytes, *begin_y = y->bytes;
  if (begin_x != begin_y) return begin_x < begin_y ? -1 : 1;
  if (x->length != y->length) return x->length < y->length ? -1 : 1;
  return strcmp(x->name, y->name);
}

/* The tensors tile the data: each begins where the one before it ends. */
static int check_tiling(const struct reader *r) {
  const unsigned char *end = r->data;
  for (size_t i = 0; i < r->file->count; i++) {
    const struct safetensor *tensor = &r->file->tensors[i];
    const unsigned char *begin = tensor->bytes;
    if (begin < end)
      return error_set(r->err, "%s: tensors \"%s\" and \"%s\" overlap", r->path,
                       tensor[-1].name, tensor->name);
    if (begin > end)
      return error_set(r->err, "%s: %td unused bytes before tensor \"%s\"",
                       r->path, begin - end, tensor->name);
    end = begin + tensor->length;
  }
  if (end == r->data + r->data_length) return 0;
  return error_set(r->err, "%s: %td bytes after the last tensor", r->path,
                   r->data + r->data_length - end);
}

static int compare_names(const void *a, const void *b) {
  const struct safetensor *const *x = a, *const *y = b;
  return strcmp((*x)->name, (*y)->name);
}

static void sort_names(struct safetensors *file) {
  file->by_name = arena_alloc(&file->header.arena,
                              (file->count + 1) * sizeof *file->by_name);
  for (size_t i = 0; i < file->count; i++)
    file->by_name[i] = &file->tensors[i];
  qsort(file->by_name, file->count, sizeof *file->by_name, compare_names);
}

static int read_header(struct reader *r) {
  struct safetensors *file = r->file;
  const struct json *root = file->header.root;
  if (root->type != JSON_OBJECT)
    return error_at(r->err, root->place, "the header is %s, not an object",
                    json_type_name(root->type));
  file->tensors = arena_alloc(&file->header.arena,
                              (root->count + 1) * sizeof *file->tensors);
  for (const struct json *m = root->child; m != NULL; m = m->next) {
    int failed = strcmp(m->key, METADATA) == 0
                     ? check_metadata(r, m)
                     : read_tensor(r, m, &file->tensors[file->count++]);
    if (failed) return -1;
  }
  qsort(file->tensors, file->count, sizeof *file->tensors, compare_positions);
  sort_names(file);
  return check_tiling(r);
}

/* ---- the file ---- */

static int map_file(const char *path, struct safetensors *out,
                    struct error *err) {
  size_t length;
  int fd = file_open_regular(path, &length, err), result = -1;
  if (fd < 0) return -1;
  void *bytes;
  if (length < LENGTH_BYTES) {
    error_set(err, "%s: %zu bytes are too few for a safetensors file", path,
              length);
  } else if ((bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0)) ==
             MAP_FAILED) {
    error_errno(err, path, "cannot map");
  } else {
    out->bytes = bytes;
    out->length = length;
    result = 0;
  }
  close(fd);
  return result;
}

/* Of the header's text, or 0 with `err` set. */
static size_t header_length(const char *path, const struct safetensors *file,
                            struct error *err) {
  static const char pointer[] = "version https://git-lfs";
  const unsigned char *bytes = file->bytes;
  uint64_t header = little_endian(bytes, LENGTH_BYTES);
  if (file->length >= sizeof pointer &&
      memcmp(bytes, pointer, sizeof pointer - 1) == 0)
    error_set(err, "%s: stands for a file that Git LFS has not fetched", path);
  else if (header > file->length - LENGTH_BYTES)
    error_set(err,
              "%s: a header of %llu bytes is announced in a file of %zu bytes; "
              "not a safetensors file, or truncated",
              path, (unsigned long long)header, file->length);
  else if (header == 0 || bytes[LENGTH_BYTES] != '{')
    error_set(err, "%s: the header does not begin with '{'", path);
  else
    return (size_t)header;
  return 0;
}

int safetensors_open(const char *path, struct safetensors *out,
                     struct error *err) {
  *out = (struct safetensors){0};
  if (map_file(path, out, err) != 0) return -1;
  const unsigned char *text = (const unsigned char *)out->bytes + LENGTH_BYTES;
  size_t length = header_length(path, out, err);
  if (length > 0 && json_bounded_parse(path, (const char *)text, length,
                                       header_most, &out->header, err) == 0) {
    struct reader reader = {path, out, text + length,
                            out->length - LENGTH_BYTES - length, err};
    if (read_header(&reader) == 0) return 0;
  }
  safetensors_close(out);
  return -1;
}

void safetensors_close(struct safetensors *file) {
  json_free(&file->header);
  if (file->bytes != NULL) munmap((void *)file->bytes, file->length);
  *file = (struct safetensors){0};
}

const struct safetensor *safetensors_lookup(const struct safetensors *file,
                                            const char *name) {
  const struct safetensor key = {.name = name}, *wanted = &key;
  const struct safetensor **found =
      file->count == 0 ? NULL
                       : bsearch(&wanted, file->by_name, file->count,
                                 sizeof *file->by_name, compare_names);
  return found == NULL ? NULL : *found;
}

const char *safetensors_metadata(const struct safetensors *file,
                                 const char *key) {
  const struct json *text =
      json_member(json_member(file->header.root, METADATA), key);
  return text == NULL ? NULL : text->text;
}

/* ---- values ---- */

static double from_f64(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double from_f32(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

/* The upper half of a float32. */
static double from_bf16(uint64_t bits) {
  return from_f32(bits << 16);
}

/* IEEE 754 binary16: 1 sign bit, 5 exponent bits, 10 fraction bits. */
static double from_f16(uint64_t bits) {
  int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
  double magnitude = exponent == 0    ? ldexp(fraction, -24)
                     : exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                                      : ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -magnitude : magnitude;
}

typedef double decode(uint64_t bits);

static decode *decoder(const char *path, const struct safetensor *tensor,
                       struct error *err) {
  static const struct {
    const char *dtype;
    decode *decode;
  } known[] = {{"F32", from_f32},
               {"F64", from_f64},
               {"BF16", from_bf16},
               {"F16", from_f16}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].dtype, tensor->dtype) == 0) return known[i].decode;
  error_set(err, "%s: tensor \"%s\" is %s; F64, F32, F16 or BF16 is needed",
            path, tensor->name, tensor->dtype);
  return NULL;
}

int safetensor_doubles(const char *path, const struct safetensor *tensor,
                       double *out, struct error *err) {
  decode *value = decoder(path, tensor, err);
  if (value == NULL) return -1;
  const unsigned char *bytes = tensor->bytes;
  size_t size = dtype_bits(tensor->dtype) / 8;
  for (size_t i = 0; i < tensor->count; i++)
    out[i] = value(little_endian(bytes + i * size, size));
  return 0;
}

int safetensor_floats(const char *path, const struct safetensor *tensor,
                      float *out, struct error *err) {
  decode *value = decoder(path, tensor, err);
  if (value == NULL) return -1;
  const unsigned char *bytes = tensor->bytes;
  size_t size = dtype_bits(tensor->dtype) / 8;
  for (size_t i = 0; i < tensor->count; i++)
    out[i] = (float)value(little_endian(bytes + i * size, size));
  return 0;
}
