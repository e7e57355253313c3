/* A document from its file: values filled into its template, then read as
 * Markdown, outputs put behind its blocks to run. */
#ifndef DOCUMENT_FILE_H
#define DOCUMENT_FILE_H

#include "report/base/error.h"
#include "report/base/json.h"
#include "report/document.h"

/* Where the values of tags come from: the pins of a directory or a JSON file,
 * or neither: a tag is an error then. Any may be NULL. */
struct document_values {
  const char *pins, *data;
  const char *partials; /* directory of {{> name}} */
  const char *blocks;   /* results of its blocks to run (code_results.h); a
                           document without such blocks needs none */
};

/* The entries of a command's option table (options.h) for them. */
#define DOCUMENT_VALUE_OPTIONS(values)                                         \
  {.name = "pins",                                                             \
   .argument = "DIR",                                                          \
   .text = &(values)->pins,                                                    \
   .help = "take the values of tags from the pins of DIR"},                    \
      {.name = "data",                                                         \
       .argument = "FILE",                                                     \
       .text = &(values)->data,                                                \
       .help = "take the values of tags from a JSON file"},                    \
      {.name = "blocks",                                                       \
       .argument = "FILE",                                                     \
       .text = &(values)->blocks,                                              \
       .help = "what blocks to run print, from pinpress run; with\n"           \
               "--pins the pinned lines are shown"},                           \
  {                                                                            \
    .name = "partials", .argument = "DIR", .text = &(values)->partials,        \
    .help = "find partials ({{> name}}) in DIR"                                \
  }

/* A document that says `ledger: strict` (ledger.h) and holds a numeral that is
 * not accounted for is an error. */
int document_read_file(const char *path, const struct document_values *values,
                       struct document *out, struct error *err);

/* The same, with the values' tree given, and without a look at the ledger. */
int document_expand_file(const char *path, const struct document_values *values,
                         const struct json *tree, struct document *out,
                         struct error *err);

#endif
