/* Markdown to a document tree. */
#ifndef MARKDOWN_H
#define MARKDOWN_H

#include <stddef.h>

#include "report/base/error.h"
#include "report/document.h"
#include "report/source_map.h"

/* Read an expanded text (report/template.h) into `out`. `map` covers the text
 * and moves into the document, also on failure. `path` is the source file:
 * paths of figures are relative to its directory. `out` is to be freed with
 * document_free after success only. */
int markdown_parse(const char *path, const char *text, size_t length,
                   struct source_map *map, struct document *out,
                   struct error *err);

#endif
