/* The PDF device's state and what its files share: marks and pages in
 * device_pdf.c, text in device_pdf_text.c, shapes in device_pdf_shapes.c. */
#ifndef DEVICE_PDF_INTERNAL_H
#define DEVICE_PDF_INTERNAL_H

#include "report/base/memory.h"
#include "report/device.h"
#include "report/device_state.h"
#include "report/pdf_font.h"
#include "report/pdf_metadata.h"
#include "report/pdf_navigation.h"
#include "report/pdf_objects.h"
#include "report/pdf_structure.h"

enum { NO_MARK = -1, ARTIFACT = -2 };

struct pdf_device {
  struct device device; /* first, so that both have one address */
  struct device_state state;
  struct arena arena;
  struct pdf pdf;
  struct document_info info;
  struct pdf_fonts *fonts;
  struct pdf_structure *structure;
  struct pdf_navigation *navigation;
  size_t open[DEVICE_DEEPEST_TAG]; /* elements of the state's tags */
  HPDF_Dict transparencies;        /* graphics states, shared by all pages */
  bool has_transparency[256];

  /* the page being drawn */
  HPDF_Dict page;
  struct buffer content;
  long mark;     /* element of the open marked content, NO_MARK or ARTIFACT */
  bool replaced; /* the open mark states its element's replacement */
  struct matrix matrix[DEVICE_DEEPEST_PUSH + 1];
  bool in_text;
  int face;                   /* of the open text object, -1 before the first */
  double size;                /* of the open text object */
  double slant, matrix_slant; /* wanted, and of its text matrix */
  double text_x, text_y;      /* start of its current line, as written */
  bool color_known;           /* fill colour below is what the page has now */
  struct color color;
};

static inline struct pdf_device *pdf_device(struct device *device) {
  return (struct pdf_device *)device;
}

/* ---- device_pdf.c -------------------------------------------------------- */

/* A coordinate, checked and written. */
void pdf_device_number(struct pdf_device *d, double value);
void pdf_device_operator(struct pdf_device *d, const char *name);

/* True on a page while nothing has failed. */
bool pdf_device_drawing(struct pdf_device *d);

void pdf_device_end_text(struct pdf_device *d);
void pdf_device_end_mark(struct pdf_device *d);

/* `text` (or NULL) replaces what this mark holds. It stands in the mark's own
 * properties, and the mark is called Span: poppler looks for it nowhere else,
 * and loses the rest of an element after a Span within its mark. */
void pdf_device_begin_mark(struct pdf_device *d, long element,
                           const char *text);

/* Have what is drawn next belong to the innermost open element. */
void pdf_device_mark(struct pdf_device *d);

/* Figures state the rectangle that they cover. */
void pdf_device_cover(struct pdf_device *d, double x, double y);

/* ---- device_pdf_text.c --------------------------------------------------- */
void pdf_device_glyphs(struct device *device, const struct glyph_run *run,
                       double x, double y, struct color color);

/* ---- device_pdf_shapes.c ------------------------------------------------- */
void pdf_device_fill_color(struct pdf_device *d, struct color color);
void pdf_device_rectangle(struct device *device, double x, double y,
                          double width, double height, struct color color);
void pdf_device_path(struct device *device, const struct path *path,
                     const struct paint *paint, double x, double y);
void pdf_device_push_matrix(struct device *device, const struct matrix *m);
void pdf_device_push_clip(struct device *device, double x, double y,
                          double width, double height);
void pdf_device_pop(struct device *device);

#endif
