#include "report/base/hash.h"

#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>

#include "report/base/file.h"

void hash_bytes(const void *bytes, size_t length, char out[HASH_TEXT]) {
  struct sha256_ctx context;
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_init(&context);
  sha256_update(&context, length, bytes);
  sha256_digest(&context, sizeof digest, digest);
  for (size_t i = 0; i < sizeof digest; i++)
    snprintf(out + 2 * i, 3, "%02x", digest[i]);
}

int hash_file(const char *path, char out[HASH_TEXT], struct error *err) {
  struct buffer content = {0};
  int result = file_read(path, &content, err);
  if (result == 0) hash_bytes(content.bytes, content.length, out);
  buffer_free(&content);
  return result;
}
