/* The *.json files of a directory, in byte order of their names. */
#ifndef PINS_DIRECTORY_H
#define PINS_DIRECTORY_H

#include <stddef.h>

#include "report/base/error.h"
#include "report/base/memory.h"

struct pins_directory {
  struct arena arena;
  const char **paths; /* directory/name.json */
  size_t count;
};

/* Names that begin with a dot are no results and are left out. */
int pins_directory_read(const char *directory, struct pins_directory *out,
                        struct error *err);
void pins_directory_free(struct pins_directory *directory);

/* The part of a path between its last slash and `.json`. */
const char *pins_directory_name(struct arena *arena, const char *path);

#endif
