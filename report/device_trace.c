/* Drawing calls as text: one a line, indented by open elements, numbers to 2
 * decimals. A run shows its face, size, text and, for each glyph, its id; ids
 * are left out where the text says the same (plain text faces). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/json.h"
#include "report/base/memory.h"
#include "report/device.h"
#include "report/device_state.h"

struct trace {
  struct device device; /* first, so that both have one address */
  struct device_state state;
  struct buffer out;
};

static const char *FACE_NAMES[FONT_FACES] = {
    "roman",     "italic", "bold",       "bold-italic", "math",       "mono",
    "mono-bold", "serif",  "serif-bold", "raised",      "raised-bold"};

/* Begin a line; false when the call is to be ignored. */
static bool line(struct trace *trace, const char *call) {
  if (device_failed(&trace->state)) return false;
  for (size_t i = 0; i < trace->state.tag_count; i++)
    buffer_text(&trace->out, "  ");
  buffer_text(&trace->out, call);
  return true;
}

static void number(struct trace *trace, double value) {
  if (!device_check(&trace->state, value)) return;
  double rounded = round(value * 100) / 100;
  buffer_printf(&trace->out, " %.2f", rounded == 0 ? 0 : rounded);
}

static void text(struct trace *trace, const char *name, const char *value) {
  if (!value) return;
  buffer_printf(&trace->out, " %s=", name);
  json_print_string(value, &trace->out);
}

static void color(struct trace *trace, struct color c) {
  if (!(c.red | c.green | c.blue | c.transparency)) return;
  buffer_printf(&trace->out, " #%02x%02x%02x", c.red, c.green, c.blue);
  if (c.transparency) buffer_printf(&trace->out, "/%d", 255 - c.transparency);
}

static void end_line(struct trace *trace) {
  buffer_char(&trace->out, '\n');
}

static void begin_document(struct device *device,
                           const struct document_info *info) {
  struct trace *trace = (struct trace *)device;
  if (!device_begin_document(&trace->state) || !line(trace, "document")) return;
  text(trace, "title", info->title);
  text(trace, "author", info->author);
  text(trace, "subject", info->subject);
  text(trace, "keywords", info->keywords);
  text(trace, "language", info->language);
  end_line(trace);
}

static void end_document(struct device *device) {
  struct trace *trace = (struct trace *)device;
  if (device_end_document(&trace->state) && line(trace, "end")) end_line(trace);
}

static void begin_page(struct device *device, double width, double height) {
  struct trace *trace = (struct trace *)device;
  if (!device_begin_page(&trace->state) || !line(trace, "page")) return;
  number(trace, width);
  number(trace, height);
  end_line(trace);
}

static void end_page(struct device *device) {
  struct trace *trace = (struct trace *)device;
  if (device_end_page(&trace->state) && line(trace, "end page"))
    end_line(trace);
}

static void glyphs(struct device *device, const struct glyph_run *run, double x,
                   double y, struct color c) {
  struct trace *trace = (struct trace *)device;
  if (!device_on_page(&trace->state) || !line(trace, "glyphs")) return;
  number(trace, x);
  number(trace, y);
  buffer_printf(&trace->out, " %s", FACE_NAMES[run->face]);
  number(trace, run->size);
  if (run->slant != 0) {
    buffer_text(&trace->out, " slant");
    number(trace, run->slant);
  }
  number(trace, run->width);
  buffer_char(&trace->out, ' ');
  json_print_string(run->text, &trace->out);
  if (run->face == FONT_MATH)
    for (size_t i = 0; i < run->count; i++)
      buffer_printf(&trace->out, " g%u", (unsigned)run->glyphs[i].id);
  color(trace, c);
  end_line(trace);
}

static void rectangle(struct device *device, double x, double y, double width,
                      double height, struct color c) {
  struct trace *trace = (struct trace *)device;
  if (!device_on_page(&trace->state) || !line(trace, "rectangle")) return;
  number(trace, x);
  number(trace, y);
  number(trace, width);
  number(trace, height);
  color(trace, c);
  end_line(trace);
}

static void path(struct device *device, const struct path *path,
                 const struct paint *paint, double x, double y) {
  struct trace *trace = (struct trace *)device;
  if (!device_on_page(&trace->state) || !line(trace, "path")) return;
  if (paint->fill) {
    buffer_text(&trace->out, paint->even_odd ? " fill even-odd" : " fill");
    color(trace, paint->fill_color);
  }
  if (paint->stroke) {
    buffer_text(&trace->out, " stroke");
    number(trace, paint->line_width);
    color(trace, paint->stroke_color);
    for (size_t i = 0; i < paint->dash_count; i++) {
      buffer_text(&trace->out, i ? "" : " dash");
      number(trace, paint->dash[i]);
    }
  }
  static const char NAMES[] = {'M', 'L', 'C', 'Z'};
  static const int POINTS[] = {1, 1, 3, 0};
  const struct path_point *point = path->points;
  for (size_t i = 0; i < path->step_count; i++) {
    buffer_printf(&trace->out, " %c", NAMES[path->steps[i]]);
    for (int k = 0; k < POINTS[path->steps[i]]; k++, point++) {
      number(trace, point->x + x);
      number(trace, point->y + y);
    }
  }
  end_line(trace);
}

static void push_matrix(struct device *device, const struct matrix *m) {
  struct trace *trace = (struct trace *)device;
  if (!device_push(&trace->state) || !line(trace, "matrix")) return;
  const double values[] = {m->a, m->b, m->c, m->d, m->e, m->f};
  for (int i = 0; i < 6; i++)
    number(trace, values[i]);
  end_line(trace);
}

static void push_clip(struct device *device, double x, double y, double width,
                      double height) {
  struct trace *trace = (struct trace *)device;
  if (!device_push(&trace->state) || !line(trace, "clip")) return;
  const double values[] = {x, y, width, height};
  for (int i = 0; i < 4; i++)
    number(trace, values[i]);
  end_line(trace);
}

static void pop(struct device *device) {
  struct trace *trace = (struct trace *)device;
  if (device_pop(&trace->state) && line(trace, "pop")) end_line(trace);
}

static void begin_tag(struct device *device, const struct tag *tag) {
  struct trace *trace = (struct trace *)device;
  if (!line(trace, "<")) return;
  buffer_text(&trace->out, tag_role_name(tag->role));
  text(trace, "alt", tag->alt);
  text(trace, "actual", tag->actual_text);
  text(trace, "language", tag->language);
  text(trace, "id", tag->id);
  buffer_char(&trace->out, '>');
  end_line(trace);
  device_begin_tag(&trace->state, tag);
}

static void end_tag(struct device *device) {
  struct trace *trace = (struct trace *)device;
  const struct tag *tag = device_end_tag(&trace->state);
  if (!tag || !line(trace, "</")) return;
  buffer_printf(&trace->out, "%s>\n", tag_role_name(tag->role));
}

static void link_to(struct device *device, double x, double y, double width,
                    double height, const char *target) {
  struct trace *trace = (struct trace *)device;
  if (!device_on_page(&trace->state) || !line(trace, "link")) return;
  const double values[] = {x, y, width, height};
  for (int i = 0; i < 4; i++)
    number(trace, values[i]);
  text(trace, "target", target);
  end_line(trace);
}

static void destination(struct device *device, const char *name, double x,
                        double y) {
  struct trace *trace = (struct trace *)device;
  if (!device_on_page(&trace->state) || !line(trace, "destination")) return;
  number(trace, x);
  number(trace, y);
  text(trace, "name", name);
  end_line(trace);
}

static void outline(struct device *device, int level, const char *title,
                    const char *target) {
  struct trace *trace = (struct trace *)device;
  if (!line(trace, "outline")) return;
  buffer_printf(&trace->out, " %d", level);
  text(trace, "title", title);
  text(trace, "destination", target);
  end_line(trace);
}

static int finish(struct device *device, struct buffer *out,
                  struct error *err) {
  struct trace *trace = (struct trace *)device;
  if (device_result(&trace->state, err) != 0) return -1;
  buffer_add(out, trace->out.bytes, trace->out.length);
  return 0;
}

static void free_trace(struct device *device) {
  struct trace *trace = (struct trace *)device;
  buffer_free(&trace->out);
  free(trace);
}

struct device *device_trace_new(void) {
  struct trace *trace = memory_alloc(1, sizeof *trace);
  trace->device = (struct device){.begin_document = begin_document,
                                  .end_document = end_document,
                                  .begin_page = begin_page,
                                  .end_page = end_page,
                                  .glyphs = glyphs,
                                  .rectangle = rectangle,
                                  .path = path,
                                  .push_matrix = push_matrix,
                                  .push_clip = push_clip,
                                  .pop = pop,
                                  .begin_tag = begin_tag,
                                  .end_tag = end_tag,
                                  .link = link_to,
                                  .destination = destination,
                                  .outline = outline,
                                  .finish = finish,
                                  .free = free_trace};
  return &trace->device;
}
