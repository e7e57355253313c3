/* The C blocks of a Markdown file that are marked to run:
 *
 *   ```c run name=algebra show=both timeout=60
 *   ...
 *   ```
 *
 * name     letters, digits, - and _, a letter first; the block's key
 * show     both (source and output), source, or output; both unless given
 * timeout  seconds that it may run, 1 to 3600; 60 unless given
 *
 * They are found in the file as it is written, before any tag is expanded: the
 * values that tags print depend on what the blocks measure. The fence begins
 * its line, so that a block's text is its source byte for byte; whatever else
 * stands in a comment, a list, a quote or another fence is not looked at. */
#ifndef CODE_BLOCKS_H
#define CODE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/base/hash.h"
#include "report/base/memory.h"

enum code_show { CODE_BOTH, CODE_SOURCE, CODE_OUTPUT };

struct code_block {
  const char *name;
  enum code_show show;
  int timeout;
  const char *text;       /* ends with a newline unless empty */
  char sha256[HASH_TEXT]; /* of it and of all that it builds on */
  struct place place;     /* of the fence; the text is on the next line */
};

struct code_blocks {
  struct arena arena;
  const char *path, *article; /* the file, and its name without .md */
  struct code_block *items;
  size_t count;
};

/* Whether an info string asks to run its block: its second word is `run`. */
bool code_is_run(const char *info);

/* Read such an info string into `out`, all but its text. */
int code_info_parse(const char *info, struct place at, struct arena *arena,
                    struct code_block *out, struct error *err);

/* sha256 of a block's name and text and of the block before (NULL for the
 * first), so that a change is one of all blocks behind it. */
void code_hash(const struct code_block *before, struct code_block *block);

/* The file's name without directories and .md. */
const char *code_article(const char *path, struct arena *arena);

/* `path` is DIRECTORY/ARTICLE.md; the file's name becomes part of keys. */
int code_blocks_parse(const char *path, const char *text, size_t length,
                      struct code_blocks *out, struct error *err);
int code_blocks_read(const char *path, struct code_blocks *out,
                     struct error *err);
void code_blocks_free(struct code_blocks *blocks);

#endif
