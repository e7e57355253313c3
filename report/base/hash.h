/* SHA-256 (FIPS 180-4) through Nettle, as 64 lowercase hexadecimal digits. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>

#include "report/base/error.h"

enum { HASH_TEXT = 65 }; /* 64 digits and the closing 0 */

void hash_bytes(const void *bytes, size_t length, char out[HASH_TEXT]);
int hash_file(const char *path, char out[HASH_TEXT], struct error *err);

#endif
