#include "analysis/must.h"

#include <stdio.h>
#include <stdlib.h>

void must(int status, const struct error *err) {
  if (status == 0) return;
  fprintf(stderr, "%s\n", err->text);
  exit(2);
}
