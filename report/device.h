/* Where pages are drawn: one table of functions, one file per backend.
 *
 * Coordinates are points from the page's lower left corner, y upwards. A call
 * that cannot be carried out (a coordinate that is not finite or beyond
 * +-14400, a missing begin or end) is kept as the device's first error, which
 * device_finish returns; later calls are then ignored. Same calls, same bytes.
 *
 * Backends: device_trace prints the calls as text, device_pdf writes a tagged
 * PDF through libharu. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/font.h"
#include "report/tag.h"

struct color {
  unsigned char red, green, blue;
  unsigned char transparency; /* 0 opaque, 255 invisible */
};

enum path_step { PATH_MOVE, PATH_LINE, PATH_CURVE, PATH_CLOSE };

/* Steps with their points: MOVE and LINE take 1, CURVE 3 (two controls, end),
 * CLOSE none. */
struct path {
  const enum path_step *steps;
  size_t step_count;
  const struct path_point { double x, y; } * points;
  size_t point_count;
};

enum line_cap { CAP_BUTT, CAP_ROUND, CAP_SQUARE };
enum line_join { JOIN_MITER, JOIN_ROUND, JOIN_BEVEL };

struct paint {
  bool fill, stroke, even_odd;
  struct color fill_color, stroke_color;
  double line_width;
  enum line_cap cap;
  enum line_join join;
  double miter_limit; /* 0 counts as 10 */
  double dash[8];
  size_t dash_count; /* 0: solid */
  double dash_phase;
};

/* x' = a x + c y + e, y' = b x + d y + f */
struct matrix {
  double a, b, c, d, e, f;
};

/* Texts are UTF-8; NULL where there is none. */
struct document_info {
  const char *title, *author, *subject, *keywords;
  const char *language; /* BCP 47; NULL counts as "en" */
  const char *creator;  /* program that made it */
};

struct device {
  void (*begin_document)(struct device *, const struct document_info *);
  void (*end_document)(struct device *);
  void (*begin_page)(struct device *, double width, double height);
  void (*end_page)(struct device *);
  void (*glyphs)(struct device *, const struct glyph_run *, double x, double y,
                 struct color);
  void (*rectangle)(struct device *, double x, double y, double width,
                    double height, struct color);
  /* The path's points lie relative to (x, y). */
  void (*path)(struct device *, const struct path *, const struct paint *,
               double x, double y);
  /* Transformations and clips nest, at most 20 deep, within one page. */
  void (*push_matrix)(struct device *, const struct matrix *);
  void (*push_clip)(struct device *, double x, double y, double width,
                    double height);
  void (*pop)(struct device *);
  /* Elements nest; all are ended before their page ends and begun again on
   * the next. Drawing outside any element, and inside one of role
   * TAG_ARTIFACT, is an artifact. */
  void (*begin_tag)(struct device *, const struct tag *);
  void (*end_tag)(struct device *);
  /* A clickable rectangle of the page; `target` is a URI, or "#name". */
  void (*link)(struct device *, double x, double y, double width, double height,
               const char *target);
  /* Name this height of the page for links and outline entries. */
  void (*destination)(struct device *, const char *name, double x, double y);
  /* An entry of the bookmarks: level 1 is outermost. */
  void (*outline)(struct device *, int level, const char *title,
                  const char *destination);
  /* After end_document: append the output to `out`, or fail with the first
   * error. */
  int (*finish)(struct device *, struct buffer *out, struct error *);
  void (*free)(struct device *);
};

/* Text, one call a line, numbers to 2 decimals. */
struct device *device_trace_new(void);

/* PDF 1.7. The set must outlive the device. */
struct device *device_pdf_new(const struct font_set *fonts);

int device_finish(struct device *device, struct buffer *out, struct error *err);
void device_free(struct device *device);

#endif
