#include "analysis/safetensors.h"

#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/json_fields.h"

enum { LENGTH_BYTES = 8 };

/* The limit of the reference implementation. */
#define HEADER_MAX 100000000u

#define METADATA "__metadata__"

static const struct {
  const char *name;
  size_t size;
} dtypes[] = {
    {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1},
    {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
    {"U32", 4},  {"F32", 4}, {"F64", 8}, {"I64", 8},     {"U64", 8},
};

/* Bytes of one element; 0 for a dtype the format does not know. */
static size_t dtype_size(const char *name) {
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
    if (strcmp(dtypes[i].name, name) == 0) return dtypes[i].size;
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

static int read_tensor(const struct reader *r, const struct json *member,
                       struct safetensor *tensor) {
  tensor->name = member->key;
  const struct json *dtype = json_field(member, "dtype", JSON_STRING, r->err);
  if (dtype == NULL) return -1;
  tensor->dtype = dtype->text;
  size_t offsets[2] = {0, 0}, needed, size = dtype_size(dtype->text);
  if (size == 0)
    return error_at(r->err, dtype->place, "tensor \"%s\": unknown dtype \"%s\"",
                    tensor->name, dtype->text);
  if (read_shape(r, member, tensor) != 0 ||
      read_offsets(r, member, tensor->name, offsets) != 0)
    return -1;
  if (__builtin_mul_overflow(tensor->count, size, &needed) ||
      needed != offsets[1] - offsets[0])
    return error_at(r->err, member->place,
                    "tensor \"%s\": %zu elements of %zu bytes do not fill %zu "
                    "bytes",
                    tensor->name, tensor->count, size, offsets[1] - offsets[0]);
  if (offsets[0] % size != 0)
    return error_at(r->err, member->place,
                    "tensor \"%s\" begins at byte %zu, not aligned to its "
                    "elements of %zu bytes",
                    tensor->name, offsets[0], size);
  tensor->bytes = r->data + offsets[0];
  return 0;
}

static int check_metadata(const struct reader *r, const struct json *metadata) {
  if (metadata->type != JSON_OBJECT)
    return error_at(r->err, metadata->place, METADATA " is %s, not an object",
                    json_type_name(metadata->type));
  for (const struct json *m = metadata->child; m != NULL; m = m->next)
    if (m->type != JSON_STRING)
      return error_at(r->err, m->place, METADATA ": \"%s\" is %s, not a string",
                      m->key, json_type_name(m->type));
  return 0;
}

static size_t byte_length(const struct safetensor *tensor) {
  return tensor->count * dtype_size(tensor->dtype);
}

/* By begin; an empty tensor before the one that begins where it stands. */
static int compare_positions(const void *a, const void *b) {
  const struct safetensor *x = a, *y = b;
  const char *begin_x = x->bytes, *begin_y = y->bytes;
  if (begin_x != begin_y) return begin_x < begin_y ? -1 : 1;
  size_t length_x = byte_length(x), length_y = byte_length(y);
  if (length_x != length_y) return length_x < length_y ? -1 : 1;
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
    end = begin + byte_length(tensor);
  }
  if (end == r->data + r->data_length) return 0;
  return error_set(r->err, "%s: %td bytes after the last tensor", r->path,
                   r->data + r->data_length - end);
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
  return check_tiling(r);
}

/* ---- the file ---- */

static int map_file(const char *path, struct safetensors *out,
                    struct error *err) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return error_errno(err, path, "cannot open");
  int result = -1;
  struct stat status;
  void *bytes;
  if (fstat(fd, &status) != 0)
    error_errno(err, path, "cannot inspect");
  else if (!S_ISREG(status.st_mode))
    error_set(err, "%s: is not a regular file", path);
  else if (status.st_size < LENGTH_BYTES)
    error_set(err, "%s: %lld bytes are too few for a safetensors file", path,
              (long long)status.st_size);
  else if ((bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE,
                         fd, 0)) == MAP_FAILED)
    error_errno(err, path, "cannot map");
  else {
    out->bytes = bytes;
    out->length = (size_t)status.st_size;
    result = 0;
  }
  close(fd);
  return result;
}

int safetensors_open(const char *path, struct safetensors *out,
                     struct error *err) {
  *out = (struct safetensors){0};
  if (map_file(path, out, err) != 0) return -1;
  const unsigned char *bytes = out->bytes;
  uint64_t header = little_endian(bytes, LENGTH_BYTES);
  if (header > HEADER_MAX || header > out->length - LENGTH_BYTES) {
    error_set(err,
              "%s: a header of %llu bytes is announced in a file of %zu bytes; "
              "not a safetensors file, or truncated",
              path, (unsigned long long)header, out->length);
    goto failed;
  }
  const char *text = (const char *)bytes + LENGTH_BYTES;
  if (header == 0 || *text != '{') {
    error_set(err, "%s: the header does not begin with '{'", path);
    goto failed;
  }
  if (json_parse(path, text, header, &out->header, err) != 0) goto failed;
  struct reader reader = {path, out, bytes + LENGTH_BYTES + header,
                          out->length - LENGTH_BYTES - header, err};
  if (read_header(&reader) == 0) return 0;
failed:
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
  for (size_t i = 0; i < file->count; i++)
    if (strcmp(file->tensors[i].name, name) == 0) return &file->tensors[i];
  return NULL;
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
  size_t size = dtype_size(tensor->dtype);
  for (size_t i = 0; i < tensor->count; i++)
    out[i] = value(little_endian(bytes + i * size, size));
  return 0;
}

int safetensor_floats(const char *path, const struct safetensor *tensor,
                      float *out, struct error *err) {
  decode *value = decoder(path, tensor, err);
  if (value == NULL) return -1;
  const unsigned char *bytes = tensor->bytes;
  size_t size = dtype_size(tensor->dtype);
  for (size_t i = 0; i < tensor->count; i++)
    out[i] = (float)value(little_endian(bytes + i * size, size));
  return 0;
}
