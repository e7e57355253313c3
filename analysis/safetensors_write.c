#include <stdint.h>
#include <string.h>

#include "analysis/safetensors.h"
#include "report/base/buffer.h"
#include "report/base/file.h"

static size_t entry_count(const struct safetensors_entry *entry) {
  size_t count = 1;
  for (size_t i = 0; i < entry->rank; i++)
    count *= entry->shape[i];
  return count;
}

static size_t entry_size(const struct safetensors_entry *entry) {
  return entry->wide != NULL ? sizeof *entry->wide : sizeof *entry->values;
}

static void add_metadata(struct buffer *out,
                         const struct safetensors_text *metadata,
                         size_t count) {
  buffer_text(out, "\"__metadata__\":{");
  for (size_t i = 0; i < count; i++) {
    if (i > 0) buffer_char(out, ',');
    json_print_string(metadata[i].key, out);
    buffer_char(out, ':');
    json_print_string(metadata[i].value, out);
  }
  buffer_char(out, '}');
}

static void add_entry(struct buffer *out, const struct safetensors_entry *entry,
                      size_t begin) {
  json_print_string(entry->name, out);
  buffer_printf(out, ":{\"dtype\":\"%s\",\"shape\":[",
                entry->wide != NULL ? "F64" : "F32");
  for (size_t i = 0; i < entry->rank; i++)
    buffer_printf(out, "%s%zu", i > 0 ? "," : "", entry->shape[i]);
  buffer_printf(out, "],\"data_offsets\":[%zu,%zu]}", begin,
                begin + entry_count(entry) * entry_size(entry));
}

static void add_little_endian(struct buffer *out, uint64_t bits, size_t size) {
  for (size_t i = 0; i < size; i++)
    buffer_char(out, (char)(bits >> 8 * i & 255));
}

static void add_values(struct buffer *out,
                       const struct safetensors_entry *entry) {
  size_t count = entry_count(entry);
  for (size_t i = 0; i < count; i++) {
    uint32_t narrow;
    uint64_t bits;
    if (entry->wide != NULL) {
      memcpy(&bits, &entry->wide[i], sizeof bits);
    } else {
      memcpy(&narrow, &entry->values[i], sizeof narrow);
      bits = narrow;
    }
    add_little_endian(out, bits, entry_size(entry));
  }
}

void safetensors_print(const struct safetensors_entry *entries, size_t count,
                       const struct safetensors_text *metadata,
                       size_t metadata_count, struct buffer *out) {
  struct buffer header = {0};
  size_t begin = 0;
  buffer_char(&header, '{');
  if (metadata_count > 0) add_metadata(&header, metadata, metadata_count);
  for (size_t i = 0; i < count; i++) {
    if (i > 0 || metadata_count > 0) buffer_char(&header, ',');
    add_entry(&header, &entries[i], begin);
    begin += entry_count(&entries[i]) * entry_size(&entries[i]);
  }
  buffer_char(&header, '}');
  while (header.length % 8 != 0) /* so that the data are aligned */
    buffer_char(&header, ' ');
  add_little_endian(out, header.length, 8);
  buffer_add(out, header.bytes, header.length);
  for (size_t i = 0; i < count; i++)
    add_values(out, &entries[i]);
  buffer_free(&header);
}

int safetensors_write(const char *path, const struct safetensors_entry *entries,
                      size_t count, const struct safetensors_text *metadata,
                      size_t metadata_count, struct error *err) {
  struct buffer file = {0};
  safetensors_print(entries, count, metadata, metadata_count, &file);
  int result = file_write(path, file.bytes, file.length, err);
  buffer_free(&file);
  return result;
}
