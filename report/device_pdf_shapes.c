/* Colours, rectangles, paths, transformations and clips in a content stream. */
#include <stdio.h>
#include <string.h>

#include "report/device_pdf_internal.h"

/* ---- colour ------------------------------------------------------------- */

static void set_transparency(struct pdf_device *d, int transparency) {
  if (!d->transparencies) d->transparencies = pdf_dict_indirect(&d->pdf);
  char name[8];
  snprintf(name, sizeof name, "T%d", transparency);
  if (!d->has_transparency[transparency]) {
    double opacity = 1 - transparency / 255.0;
    HPDF_Dict state = pdf_dict(&d->pdf);
    pdf_put(&d->pdf, state, "ca",
            HPDF_Real_New(d->pdf.doc->mmgr, (HPDF_REAL)opacity));
    pdf_put(&d->pdf, state, "CA",
            HPDF_Real_New(d->pdf.doc->mmgr, (HPDF_REAL)opacity));
    pdf_put(&d->pdf, d->transparencies, name, state);
    d->has_transparency[transparency] = true;
  }
  buffer_printf(&d->content, "/%s gs\n", name);
}

static void color_operator(struct pdf_device *d, struct color c,
                           const char *gray, const char *rgb) {
  pdf_device_number(d, c.red / 255.0);
  if (c.red != c.green || c.green != c.blue) {
    pdf_device_number(d, c.green / 255.0);
    pdf_device_number(d, c.blue / 255.0);
    pdf_device_operator(d, rgb);
  } else {
    pdf_device_operator(d, gray);
  }
}

void pdf_device_fill_color(struct pdf_device *d, struct color c) {
  if (d->color_known && memcmp(&c, &d->color, sizeof c) == 0) return;
  color_operator(d, c, "g", "rg");
  bool was_opaque = d->color_known && d->color.transparency == 0;
  if (c.transparency || (!was_opaque && d->transparencies))
    set_transparency(d, c.transparency);
  d->color = c;
  d->color_known = true;
}

/* ---- shapes ------------------------------------------------------------- */

void pdf_device_rectangle(struct device *device, double x, double y,
                          double width, double height, struct color color) {
  struct pdf_device *d = pdf_device(device);
  if (!pdf_device_drawing(d)) return;
  pdf_device_mark(d);
  pdf_device_end_text(d);
  pdf_device_cover(d, x, y);
  pdf_device_cover(d, x + width, y + height);
  pdf_device_fill_color(d, color);
  pdf_device_number(d, x);
  pdf_device_number(d, y);
  pdf_device_number(d, width);
  pdf_device_number(d, height);
  pdf_device_operator(d, "re f");
}

static void stroke_state(struct pdf_device *d, const struct paint *paint) {
  pdf_device_number(d, paint->line_width);
  pdf_device_operator(d, "w");
  buffer_printf(&d->content, "%d J %d j\n", (int)paint->cap, (int)paint->join);
  if (paint->join == JOIN_MITER) {
    pdf_device_number(d, paint->miter_limit > 0 ? paint->miter_limit : 10);
    pdf_device_operator(d, "M");
  }
  buffer_char(&d->content, '[');
  for (size_t i = 0; i < paint->dash_count; i++)
    pdf_device_number(d, paint->dash[i]);
  buffer_text(&d->content, "] ");
  pdf_device_number(d, paint->dash_phase);
  pdf_device_operator(d, "d");
  color_operator(d, paint->stroke_color, "G", "RG");
}

static void write_steps(struct pdf_device *d, const struct path *path, double x,
                        double y) {
  static const char *const OPERATORS[] = {"m", "l", "c", "h"};
  static const size_t POINTS[] = {1, 1, 3, 0};
  size_t at = 0;
  for (size_t i = 0; i < path->step_count; i++) {
    enum path_step step = path->steps[i];
    for (size_t k = 0; k < POINTS[step] && at < path->point_count; k++, at++) {
      double px = path->points[at].x + x, py = path->points[at].y + y;
      pdf_device_cover(d, px, py);
      pdf_device_number(d, px);
      pdf_device_number(d, py);
    }
    pdf_device_operator(d, OPERATORS[step]);
  }
}

void pdf_device_path(struct device *device, const struct path *path,
                     const struct paint *paint, double x, double y) {
  struct pdf_device *d = pdf_device(device);
  if (!pdf_device_drawing(d) || path->step_count == 0 ||
      (!paint->fill && !paint->stroke))
    return;
  pdf_device_mark(d);
  pdf_device_end_text(d);
  if (paint->fill) pdf_device_fill_color(d, paint->fill_color);
  if (paint->stroke) {
    stroke_state(d, paint);
    if (!paint->fill &&
        (paint->stroke_color.transparency || d->transparencies)) {
      set_transparency(d, paint->stroke_color.transparency);
      d->color_known = false;
    }
  }
  write_steps(d, path, x, y);
  if (paint->fill && paint->stroke)
    pdf_device_operator(d, paint->even_odd ? "B*" : "B");
  else if (paint->fill)
    pdf_device_operator(d, paint->even_odd ? "f*" : "f");
  else
    pdf_device_operator(d, "S");
}

void pdf_device_push_matrix(struct device *device, const struct matrix *m) {
  struct pdf_device *d = pdf_device(device);
  if (!pdf_device_drawing(d) || !device_push(&d->state)) return;
  pdf_device_end_mark(d);
  const struct matrix *o = &d->matrix[d->state.pushes - 1];
  d->matrix[d->state.pushes] = (struct matrix){
      m->a * o->a + m->b * o->c,        m->a * o->b + m->b * o->d,
      m->c * o->a + m->d * o->c,        m->c * o->b + m->d * o->d,
      m->e * o->a + m->f * o->c + o->e, m->e * o->b + m->f * o->d + o->f};
  buffer_text(&d->content, "q ");
  const double values[] = {m->a, m->b, m->c, m->d, m->e, m->f};
  for (int i = 0; i < 6; i++)
    if (device_check(&d->state, values[i]))
      pdf_write_number(&d->content, values[i], 6);
  pdf_device_operator(d, "cm");
  d->color_known = false;
}

void pdf_device_push_clip(struct device *device, double x, double y,
                          double width, double height) {
  struct pdf_device *d = pdf_device(device);
  if (!pdf_device_drawing(d) || !device_push(&d->state)) return;
  pdf_device_end_mark(d);
  d->matrix[d->state.pushes] = d->matrix[d->state.pushes - 1];
  buffer_text(&d->content, "q ");
  const double values[] = {x, y, width, height};
  for (int i = 0; i < 4; i++)
    pdf_device_number(d, values[i]);
  pdf_device_operator(d, "re W n");
  d->color_known = false;
}

void pdf_device_pop(struct device *device) {
  struct pdf_device *d = pdf_device(device);
  if (!pdf_device_drawing(d) || !device_pop(&d->state)) return;
  pdf_device_end_mark(d);
  pdf_device_operator(d, "Q");
  d->color_known = false;
}
