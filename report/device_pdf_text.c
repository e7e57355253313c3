/* Glyph runs in a content stream. Text stands as glyph ids in TJ arrays; the
 * pen is tracked as a viewer will have it, in the widths that the PDF states,
 * so that rounding never adds up. */
#include <math.h>
#include <string.h>

#include "report/device_pdf_internal.h"

/* Move the text line's start; what was written is kept in `text_x`, `text_y`
 * as rounded, so that errors do not add up. */
static void move_text(struct pdf_device *d, double x, double y) {
  if (!device_check(&d->state, x) || !device_check(&d->state, y)) return;
  x = round(x * 1000) / 1000;
  y = round(y * 1000) / 1000;
  if (d->slant == 0 && d->matrix_slant == 0) {
    pdf_device_number(d, x - d->text_x);
    pdf_device_number(d, y - d->text_y);
    pdf_device_operator(d, "Td");
  } else {
    buffer_text(&d->content, "1 0 ");
    pdf_device_number(d, d->slant);
    buffer_text(&d->content, "1 ");
    pdf_device_number(d, x);
    pdf_device_number(d, y);
    pdf_device_operator(d, "Tm");
    d->matrix_slant = d->slant;
  }
  d->text_x = x;
  d->text_y = y;
}

static void begin_text(struct pdf_device *d, const struct glyph_run *run) {
  if (!d->in_text) {
    pdf_device_operator(d, "BT");
    d->in_text = true;
    d->face = -1;
    d->text_x = d->text_y = d->matrix_slant = 0;
  }
  d->slant = run->slant;
  if (d->face == (int)run->face && d->size == run->size) return;
  buffer_printf(&d->content, "/F%d ", (int)run->face);
  pdf_device_number(d, run->size);
  pdf_device_operator(d, "Tf");
  d->face = (int)run->face;
  d->size = run->size;
}

/* The part of the run's text that glyph `i` stands for: all of its cluster at
 * the cluster's first glyph. */
static const char *cluster_text(const struct glyph_run *run, size_t i,
                                size_t *length) {
  size_t from = run->glyphs[i].cluster, to = run->length, next = i + 1;
  *length = 0;
  if (i > 0 && run->glyphs[i - 1].cluster == from) return "";
  while (next < run->count && run->glyphs[next].cluster == from)
    next++;
  if (next < run->count) to = run->glyphs[next].cluster;
  if (from > to || to > run->length) return "";
  *length = to - from;
  return run->text + from;
}

/* An open TJ array: what is in it and where the pen is. */
struct showing {
  bool in_array, in_string;
  double x, y;   /* where the text line starts */
  double pen;    /* from there, as a viewer will have it */
  double wanted; /* from there, where the next glyph belongs */
};

static void end_string(struct pdf_device *d, struct showing *show) {
  if (show->in_string) buffer_char(&d->content, '>');
  show->in_string = false;
}

static void end_array(struct pdf_device *d, struct showing *show) {
  end_string(d, show);
  if (show->in_array) pdf_device_operator(d, "] TJ");
  show->in_array = false;
}

/* Bring the pen to `x` from the line's start. */
static void adjust(struct pdf_device *d, const struct glyph_run *run,
                   struct showing *show, double x) {
  long thousandths = lround((show->pen - x) * 1000 / run->size);
  if (thousandths == 0) return;
  end_string(d, show);
  if (!show->in_array) buffer_char(&d->content, '[');
  show->in_array = true;
  buffer_printf(&d->content, "%ld", thousandths);
  show->pen -= (double)thousandths * run->size / 1000;
}

/* Begin a text line at the pen. */
static void restart(struct pdf_device *d, const struct glyph_run *run,
                    struct showing *show, double y) {
  begin_text(d, run);
  move_text(d, show->x + show->wanted, y);
  show->x += show->wanted;
  show->y = y;
  show->wanted = show->pen = 0;
}

/* Where the glyph's usual text differs, say here what this one stands for;
 * what is replaced already or no content needs no text. */
static void show_marked(struct pdf_device *d, const struct glyph_run *run,
                        size_t i, uint16_t id, struct showing *show,
                        const char *text, size_t length) {
  long element = d->mark;
  bool is_marked = element != ARTIFACT && !d->replaced;
  end_array(d, show);
  if (is_marked) {
    pdf_device_end_mark(d);
    pdf_device_begin_mark(d, element, arena_copy(&d->arena, text, length));
    restart(d, run, show, show->y);
  }
  buffer_printf(&d->content, "<%04X> Tj\n", id);
  if (!is_marked) return;
  pdf_device_end_mark(d);
  if (i + 1 == run->count) return;
  double width = pdf_fonts_width(d->fonts, run->face, id) * run->size / 1000;
  pdf_device_begin_mark(d, element, NULL);
  begin_text(d, run);
  move_text(d, show->x + width, show->y);
  show->x += width;
  show->wanted -= width;
  show->pen -= width;
}

/* A hyphen made by a line break. Its glyph is a twin of the hyphen that maps to
 * U+00AD, so that the structure has the word and not a dash in it; the text
 * that replaces it is a plain hyphen, the only sign at which poppler joins the
 * two lines' parts again. */
static void show_soft_hyphen(struct pdf_device *d, const struct glyph_run *run,
                             size_t i, struct showing *show) {
  static const char SOFT[] = "\xC2\xAD";
  uint16_t plain = run->glyphs[i].id;
  uint16_t twin = pdf_fonts_hyphen_twin(d->fonts, run->face, plain);
  if (twin != plain)
    pdf_fonts_use(d->fonts, &d->pdf, run->face, twin, SOFT, 2);
  else
    pdf_fonts_use(d->fonts, &d->pdf, run->face, plain, "-", 1);
  show_marked(d, run, i, twin, show, "-", 1);
  show->pen += pdf_fonts_width(d->fonts, run->face, twin) * run->size / 1000;
}

static void show_glyph(struct pdf_device *d, const struct glyph_run *run,
                       size_t i, struct showing *show) {
  uint16_t id = run->glyphs[i].id;
  size_t length;
  const char *text = cluster_text(run, i, &length);
  if (length == 2 && memcmp(text, "\xC2\xAD", 2) == 0) {
    show_soft_hyphen(d, run, i, show);
    return;
  }
  if (!pdf_fonts_use(d->fonts, &d->pdf, run->face, id, text, length)) {
    show_marked(d, run, i, id, show, text, length);
  } else {
    if (!show->in_array) buffer_char(&d->content, '[');
    if (!show->in_string) buffer_char(&d->content, '<');
    show->in_array = show->in_string = true;
    buffer_printf(&d->content, "%04X", id);
  }
  show->pen += pdf_fonts_width(d->fonts, run->face, id) * run->size / 1000;
}

static bool sane_run(struct pdf_device *d, const struct glyph_run *run,
                     double x, double y) {
  if (run->size < 0.01)
    device_fail(&d->state, "drawing: text of size %g", run->size);
  bool sane = device_check(&d->state, x) && device_check(&d->state, y) &&
              device_check(&d->state, run->size) &&
              device_check(&d->state, run->slant) &&
              device_check(&d->state, run->width);
  for (size_t i = 0; i < run->count && sane; i++)
    sane = device_check(&d->state, run->glyphs[i].advance) &&
           device_check(&d->state, run->glyphs[i].x_offset) &&
           device_check(&d->state, run->glyphs[i].y_offset);
  return sane;
}

void pdf_device_glyphs(struct device *device, const struct glyph_run *run,
                       double x, double y, struct color color) {
  struct pdf_device *d = pdf_device(device);
  if (!pdf_device_drawing(d) || run->count == 0 || !sane_run(d, run, x, y))
    return;
  pdf_device_mark(d);
  pdf_device_cover(d, x, y - run->depth);
  pdf_device_cover(d, x + run->width, y + run->height);
  if (!d->color_known || memcmp(&color, &d->color, sizeof color) != 0)
    pdf_device_end_text(d);
  pdf_device_fill_color(d, color);
  begin_text(d, run);
  struct showing show = {.x = x, .y = y};
  double raised = 0;
  move_text(d, x, y);
  for (size_t i = 0; i < run->count; i++) {
    const struct glyph *glyph = &run->glyphs[i];
    if (glyph->y_offset != raised) {
      end_array(d, &show);
      restart(d, run, &show, y + glyph->y_offset);
      raised = glyph->y_offset;
    }
    adjust(d, run, &show, show.wanted + glyph->x_offset);
    show_glyph(d, run, i, &show);
    show.wanted += glyph->advance;
  }
  end_array(d, &show);
}
