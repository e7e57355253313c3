/* Mustache templates over JSON values, strict where Mustache is lenient.
 *
 * The language is that of the Mustache specification (modules interpolation,
 * sections, inverted, partials, comments, delimiters) without lambdas, since
 * JSON holds no functions. Differences, all by design:
 *   - a name that does not resolve, a null, an object or array where text is
 *     wanted: an error with file, line and column, in sections too;
 *   - `{{name|format}}` prints through a format (format.h);
 *   - a path element may be an array index: `rows.0.loss`;
 *   - false sections are those over `false` and over an empty array only;
 *   - `{{> name}}` is the file `name` (exactly) in the caller's directory; a
 *     missing file is an error; recursion ends after 50 levels, with an error;
 *   - in TEMPLATE_MARKDOWN the front matter may choose the delimiters for the
 *     whole document, `delimiters: <% %>`: `{{` is then plain text everywhere.
 *
 * Values are escaped for the place they are printed to; `{{{name}}}` and
 * `{{&name}}` print them as they are. Which place that is follows from the
 * mode and the text before the tag (template_place.h). */
#ifndef REPORT_TEMPLATE_H
#define REPORT_TEMPLATE_H

#include <stddef.h>

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/base/json.h"
#include "report/source_map.h"

enum template_mode {
  TEMPLATE_PLAIN,    /* nothing is escaped */
  TEMPLATE_HTML,     /* & < > " ' become character references */
  TEMPLATE_MARKDOWN, /* prose, formula, code: each its own rules */
  TEMPLATE_GNUPLOT   /* string: escaped; elsewhere: number tokens only */
};

struct template_options {
  enum template_mode mode;
  const char *partials; /* directory; NULL: partials are an error */
};

/* Append the expansion of `text` to `out`. `name` is the file named in
 * messages and places. `map` may be NULL; else it covers what was appended,
 * by offsets into `out`. On failure `out` and `map` hold part of the text. */
int template_render(const char *name, const char *text, size_t length,
                    const struct json *root,
                    const struct template_options *options, struct buffer *out,
                    struct source_map *map, struct error *err);

/* The same for a file. */
int template_render_file(const char *path, const struct json *root,
                         const struct template_options *options,
                         struct buffer *out, struct source_map *map,
                         struct error *err);

#endif
