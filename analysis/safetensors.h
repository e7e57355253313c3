/* Tensors in a file, in the safetensors format: 8 bytes of header length
 * (little-endian), a JSON header of name -> dtype, shape, data_offsets, then
 * the data without gaps. https://huggingface.co/docs/safetensors
 *
 * A file is mapped, and refused unless every tensor lies where its shape says:
 * within the file, no overlap, no gap, nothing left over. The format does not
 * align tensors to their elements. Any dtype may stand in a file; values are
 * given of the floating ones F64, F32, F16, BF16. A dtype that came after this
 * was written is let pass, so that a file can be read for its other tensors:
 * its tensors must tile the data, but nothing tells whether they fill their
 * shapes.
 *
 * Sizes are checked when a file is opened. One that is cut short afterwards, by
 * somebody who writes to it, raises SIGBUS where it is read, as for all maps.
 */
#ifndef SAFETENSORS_H
#define SAFETENSORS_H

#include <stddef.h>

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/base/json.h"

/* Headers beyond these are refused before they are parsed: 16 MB, and a million
 * JSON values, of which a tensor of rank 2 has eight. The largest published
 * models have below 1 MB and 10,000 tensors in one file. */
enum {
  SAFETENSORS_RANK_MAX = 8,
  SAFETENSORS_HEADER_MAX = 16 << 20,
  SAFETENSORS_VALUES_MAX = 1 << 20
};

struct safetensor {
  const char *name;
  const char *dtype; /* "F32", "BF16", ... */
  size_t rank;
  size_t shape[SAFETENSORS_RANK_MAX];
  size_t count;      /* product of the shape; 1 for rank 0 */
  const void *bytes; /* little-endian, row-major, in the mapped file; at any
                        address, so not to be read through another type */
  size_t length;     /* of these bytes */
};

struct safetensors {
  struct safetensor *tensors;        /* in the order of their data */
  const struct safetensor **by_name; /* the same, in the order of their names */
  size_t count;
  const void *bytes; /* the whole file */
  size_t length;
  struct json_document header; /* owns the names; holds `__metadata__` */
};

int safetensors_open(const char *path, struct safetensors *out,
                     struct error *err);
void safetensors_close(struct safetensors *file);

/* The tensor of that name, or NULL. */
const struct safetensor *safetensors_lookup(const struct safetensors *file,
                                            const char *name);

/* The text of that name in `__metadata__`, or NULL. */
const char *safetensors_metadata(const struct safetensors *file,
                                 const char *key);

/* All values widened to double (exact) or rounded to float (exact but for
 * F64); out: (count). An error for dtypes without such values; `path` stands
 * in the message. */
int safetensor_doubles(const char *path, const struct safetensor *tensor,
                       double *out, struct error *err);
int safetensor_floats(const char *path, const struct safetensor *tensor,
                      float *out, struct error *err);

/* One tensor to be written: as F64 where `wide` is given, else as F32. */
struct safetensors_entry {
  const char *name;
  size_t rank;
  size_t shape[SAFETENSORS_RANK_MAX];
  const float *values;
  const double *wide;
};

struct safetensors_text {
  const char *key, *value;
};

/* Append the bytes of a file, or write it atomically; header and data keep the
 * order given, so equal input gives equal bytes. */
void safetensors_print(const struct safetensors_entry *entries, size_t count,
                       const struct safetensors_text *metadata,
                       size_t metadata_count, struct buffer *out);
int safetensors_write(const char *path, const struct safetensors_entry *entries,
                      size_t count, const struct safetensors_text *metadata,
                      size_t metadata_count, struct error *err);

#endif
