/* What blocks printed, as a results file (pins_results.h) that the gate checks
 * line by line:
 *
 *   {"study": "blocks",
 *    "inputs": {"ARTICLE#BLOCK": "<sha256>", ...},
 *    "values": {"ARTICLE": {"BLOCK": {"lines": ["...", ...]}}}}
 *
 * The hashes are those of code_blocks.h: with them a page knows whether the
 * blocks it shows are the ones that ran. */
#ifndef CODE_RESULTS_H
#define CODE_RESULTS_H

#include "report/base/json.h"
#include "report/code_blocks.h"
#include "report/document.h"

/* Append the file's text. `inputs` are further files that the blocks read, to
 * be recorded with their hashes. */
int code_results_text(const struct code_blocks *blocks,
                      const struct buffer *outputs, const char *const *inputs,
                      size_t input_count, struct buffer *out,
                      struct error *err);

/* Put the output behind each block of the document that is marked to run (or
 * in its place), as a code block whose info string is `output`. `results` is
 * such a file, NULL when none is given: then a block to run is an error, as it
 * is when its text is not the one that ran. The lines shown are those of
 * `pins`, the tree of pins_values, or of `results` when it is NULL; each has
 * its key as its origin in the document's map. */
int code_results_show(const char *path, struct document *document,
                      const struct json *results, const struct json *pins,
                      struct error *err);

#endif
