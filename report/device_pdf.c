/* Pages as a tagged PDF. The content stream of each page is written here, text
 * as glyph ids; fonts, structure, navigation and metadata have files of their
 * own (pdf_*.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  bool replaced; /* a Span with the element's replacement is open inside */
  struct matrix matrix[DEVICE_DEEPEST_PUSH + 1];
  bool in_text;
  int face;              /* of the open text object, -1 before the first */
  double size;           /* of the open text object */
  double text_x, text_y; /* start of its current line, as written */
  bool color_known;      /* fill colour below is what the page has now */
  struct color color;
};

static struct pdf_device *pdf_device(struct device *device) {
  return (struct pdf_device *)device;
}

/* A coordinate, checked and written. */
static void number(struct pdf_device *d, double value) {
  if (device_check(&d->state, value)) pdf_write_number(&d->content, value, 3);
}

static void op(struct pdf_device *d, const char *name) {
  buffer_text(&d->content, name);
  buffer_char(&d->content, '\n');
}

/* ---- text objects and marked content --------------------------------------
 */

static void end_text(struct pdf_device *d) {
  if (d->in_text) op(d, "ET");
  d->in_text = false;
}

static void end_mark(struct pdf_device *d) {
  end_text(d);
  if (d->mark != NO_MARK) op(d, "EMC");
  if (d->replaced) op(d, "EMC");
  d->mark = NO_MARK;
  d->replaced = false;
}

/* `text` (or NULL) replaces what this mark holds. It must not be a Span within
 * the mark: poppler then loses the rest of the element. */
static void begin_mark(struct pdf_device *d, long element, const char *text) {
  d->mark = element;
  if (element == ARTIFACT) {
    op(d, "/Artifact BMC");
    return;
  }
  bool first;
  size_t index = (size_t)element;
  int id = pdf_structure_mark(d->structure, index, &first);
  const struct tag *tag = pdf_structure_tag(d->structure, index);
  if (text) {
    buffer_printf(&d->content, "/Span <</MCID %d /ActualText ", id);
    pdf_write_text(&d->content, text);
    op(d, ">> BDC");
    return;
  }
  buffer_printf(&d->content, "/%s <</MCID %d>> BDC\n",
                tag_role_name(pdf_structure_role(d->structure, index)), id);
  /* A replacement stands once, at the first of its parts, and in a Span of its
   * own: poppler looks for it nowhere else. */
  if (tag && tag->actual_text) {
    buffer_text(&d->content, "/Span <</ActualText ");
    pdf_write_text(&d->content, first ? tag->actual_text : "");
    op(d, ">> BDC");
    d->replaced = true;
  }
}

/* Have what is drawn next belong to the innermost open element. */
static void mark(struct pdf_device *d) {
  long wanted = ARTIFACT;
  size_t count = d->state.tag_count;
  if (count > 0) wanted = (long)d->open[count - 1];
  for (size_t i = 0; i < count; i++)
    if (d->state.tags[i]->role == TAG_ARTIFACT) wanted = ARTIFACT;
  if (d->mark == wanted) return;
  end_mark(d);
  begin_mark(d, wanted, NULL);
}

/* Figures state the rectangle that they cover. */
static void cover(struct pdf_device *d, double x, double y) {
  const struct matrix *m = &d->matrix[d->state.pushes];
  double page_x = m->a * x + m->c * y + m->e;
  double page_y = m->b * x + m->d * y + m->f;
  for (size_t i = 0; i < d->state.tag_count; i++)
    if (d->state.tags[i]->role == TAG_FIGURE && isfinite(page_x) &&
        isfinite(page_y))
      pdf_structure_cover(d->structure, d->open[i], page_x, page_y);
}

/* ---- colour ---------------------------------------------------------------
 */

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
  number(d, c.red / 255.0);
  if (c.red != c.green || c.green != c.blue) {
    number(d, c.green / 255.0);
    number(d, c.blue / 255.0);
    op(d, rgb);
  } else {
    op(d, gray);
  }
}

static void fill_color(struct pdf_device *d, struct color c) {
  if (d->color_known && memcmp(&c, &d->color, sizeof c) == 0) return;
  color_operator(d, c, "g", "rg");
  bool was_opaque = d->color_known && d->color.transparency == 0;
  if (c.transparency || (!was_opaque && d->transparencies))
    set_transparency(d, c.transparency);
  d->color = c;
  d->color_known = true;
}

/* ---- document and pages ---------------------------------------------------
 */

static const char *keep(struct pdf_device *d, const char *text) {
  return text ? arena_copy(&d->arena, text, strlen(text)) : NULL;
}

static void begin_document(struct device *device,
                           const struct document_info *info) {
  struct pdf_device *d = pdf_device(device);
  if (!device_begin_document(&d->state)) return;
  d->info = (struct document_info){
      keep(d, info->title),    keep(d, info->author),   keep(d, info->subject),
      keep(d, info->keywords), keep(d, info->language), keep(d, info->creator)};
}

static void end_document(struct device *device) {
  struct pdf_device *d = pdf_device(device);
  if (!device_end_document(&d->state) || d->pdf.failed) return;
  pdf_fonts_embed(d->fonts, &d->pdf);
  pdf_structure_write(d->structure, &d->pdf);
  pdf_navigation_write(d->navigation, &d->pdf);
  pdf_metadata_write(&d->pdf, &d->info, pdf_structure_accessible(d->structure));
}

static void begin_page(struct device *device, double width, double height) {
  struct pdf_device *d = pdf_device(device);
  if (!device_begin_page(&d->state) || !device_check(&d->state, width) ||
      !device_check(&d->state, height))
    return;
  d->page = HPDF_AddPage(d->pdf.doc);
  if (!d->page) return;
  HPDF_Page_SetWidth(d->page, (HPDF_REAL)width);
  HPDF_Page_SetHeight(d->page, (HPDF_REAL)height);
  pdf_put_number(&d->pdf, d->page, "StructParents",
                 pdf_structure_begin_page(d->structure, d->page));
  buffer_clear(&d->content);
  d->mark = NO_MARK;
  d->replaced = false;
  d->matrix[0] = (struct matrix){1, 0, 0, 1, 0, 0};
  d->color_known = false;
}

static void end_page(struct device *device) {
  struct pdf_device *d = pdf_device(device);
  if (!device_end_page(&d->state) || d->pdf.failed || !d->page) return;
  end_mark(d);
  HPDF_Dict contents = HPDF_Dict_GetItem(d->page, "Contents", HPDF_OCLASS_DICT);
  HPDF_Dict resources =
      HPDF_Dict_GetItem(d->page, "Resources", HPDF_OCLASS_DICT);
  if (!contents || !resources) {
    pdf_fail(&d->pdf, "pdf: libharu's page has no content stream");
    return;
  }
  contents->filter = HPDF_STREAM_FILTER_FLATE_DECODE;
  HPDF_Stream_Write(contents->stream, (HPDF_BYTE *)d->content.bytes,
                    (HPDF_UINT)d->content.length);
  pdf_put(&d->pdf, resources, "Font", pdf_fonts_resources(d->fonts, &d->pdf));
  if (d->transparencies)
    pdf_put(&d->pdf, resources, "ExtGState", d->transparencies);
  d->page = NULL;
}

static bool drawing(struct pdf_device *d) {
  if (d->pdf.failed) return false;
  return device_on_page(&d->state);
}

/* ---- glyphs ---------------------------------------------------------------
 */

/* Move the text line's start; what was written is kept in `text_x`, `text_y`
 * as rounded, so that errors do not add up. */
static void move_text(struct pdf_device *d, double x, double y) {
  if (!device_check(&d->state, x) || !device_check(&d->state, y)) return;
  x = round(x * 1000) / 1000;
  y = round(y * 1000) / 1000;
  number(d, x - d->text_x);
  number(d, y - d->text_y);
  op(d, "Td");
  d->text_x = x;
  d->text_y = y;
}

static void begin_text(struct pdf_device *d, const struct glyph_run *run) {
  if (!d->in_text) {
    op(d, "BT");
    d->in_text = true;
    d->face = -1;
    d->text_x = d->text_y = 0;
  }
  if (d->face == (int)run->face && d->size == run->size) return;
  buffer_printf(&d->content, "/F%d ", (int)run->face);
  number(d, run->size);
  op(d, "Tf");
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
  if (show->in_array) op(d, "] TJ");
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
                        size_t i, struct showing *show, const char *text,
                        size_t length) {
  long element = d->mark;
  bool is_marked = element != ARTIFACT && !d->replaced;
  end_array(d, show);
  if (is_marked) {
    end_mark(d);
    begin_mark(d, element, arena_copy(&d->arena, text, length));
    restart(d, run, show, show->y);
  }
  buffer_printf(&d->content, "<%04X> Tj\n", run->glyphs[i].id);
  if (!is_marked) return;
  end_mark(d);
  if (i + 1 == run->count) return;
  double width = pdf_fonts_width(d->fonts, run->face, run->glyphs[i].id) *
                 run->size / 1000;
  begin_mark(d, element, NULL);
  begin_text(d, run);
  move_text(d, show->x + width, show->y);
  show->x += width;
  show->wanted -= width;
  show->pen -= width;
}

static void show_glyph(struct pdf_device *d, const struct glyph_run *run,
                       size_t i, struct showing *show) {
  const struct glyph *glyph = &run->glyphs[i];
  size_t length;
  const char *text = cluster_text(run, i, &length);
  /* A hyphen made by a line break is soft: readers join the word again. */
  bool soft = length == 2 && memcmp(text, "\xC2\xAD", 2) == 0;
  bool plain = !soft && pdf_fonts_use(d->fonts, &d->pdf, run->face, glyph->id,
                                      text, length);
  if (soft) pdf_fonts_use(d->fonts, &d->pdf, run->face, glyph->id, "-", 1);
  if (!plain) {
    show_marked(d, run, i, show, text, length);
  } else {
    if (!show->in_array) buffer_char(&d->content, '[');
    if (!show->in_string) buffer_char(&d->content, '<');
    show->in_array = show->in_string = true;
    buffer_printf(&d->content, "%04X", glyph->id);
  }
  show->pen +=
      pdf_fonts_width(d->fonts, run->face, glyph->id) * run->size / 1000;
}

static bool sane_run(struct pdf_device *d, const struct glyph_run *run,
                     double x, double y) {
  if (run->size <= 0)
    device_fail(&d->state, "drawing: text of size %g", run->size);
  bool sane = device_check(&d->state, x) && device_check(&d->state, y) &&
              device_check(&d->state, run->size) &&
              device_check(&d->state, run->width);
  for (size_t i = 0; i < run->count && sane; i++)
    sane = device_check(&d->state, run->glyphs[i].advance) &&
           device_check(&d->state, run->glyphs[i].x_offset) &&
           device_check(&d->state, run->glyphs[i].y_offset);
  return sane;
}

static void glyphs(struct device *device, const struct glyph_run *run, double x,
                   double y, struct color color) {
  struct pdf_device *d = pdf_device(device);
  if (!drawing(d) || run->count == 0 || !sane_run(d, run, x, y)) return;
  mark(d);
  cover(d, x, y - run->depth);
  cover(d, x + run->width, y + run->height);
  if (!d->color_known || memcmp(&color, &d->color, sizeof color) != 0)
    end_text(d);
  fill_color(d, color);
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

/* ---- shapes ---------------------------------------------------------------
 */

static void rectangle(struct device *device, double x, double y, double width,
                      double height, struct color color) {
  struct pdf_device *d = pdf_device(device);
  if (!drawing(d)) return;
  mark(d);
  end_text(d);
  cover(d, x, y);
  cover(d, x + width, y + height);
  fill_color(d, color);
  number(d, x);
  number(d, y);
  number(d, width);
  number(d, height);
  op(d, "re f");
}

static void stroke_state(struct pdf_device *d, const struct paint *paint) {
  number(d, paint->line_width);
  op(d, "w");
  buffer_printf(&d->content, "%d J %d j\n", (int)paint->cap, (int)paint->join);
  if (paint->join == JOIN_MITER) {
    number(d, paint->miter_limit > 0 ? paint->miter_limit : 10);
    op(d, "M");
  }
  buffer_char(&d->content, '[');
  for (size_t i = 0; i < paint->dash_count; i++)
    number(d, paint->dash[i]);
  buffer_text(&d->content, "] ");
  number(d, paint->dash_phase);
  op(d, "d");
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
      cover(d, px, py);
      number(d, px);
      number(d, py);
    }
    op(d, OPERATORS[step]);
  }
}

static void path(struct device *device, const struct path *path,
                 const struct paint *paint, double x, double y) {
  struct pdf_device *d = pdf_device(device);
  if (!drawing(d) || path->step_count == 0 || (!paint->fill && !paint->stroke))
    return;
  mark(d);
  end_text(d);
  if (paint->fill) fill_color(d, paint->fill_color);
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
    op(d, paint->even_odd ? "B*" : "B");
  else if (paint->fill)
    op(d, paint->even_odd ? "f*" : "f");
  else
    op(d, "S");
}

static void push_matrix(struct device *device, const struct matrix *m) {
  struct pdf_device *d = pdf_device(device);
  if (!drawing(d) || !device_push(&d->state)) return;
  end_mark(d);
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
  op(d, "cm");
  d->color_known = false;
}

static void push_clip(struct device *device, double x, double y, double width,
                      double height) {
  struct pdf_device *d = pdf_device(device);
  if (!drawing(d) || !device_push(&d->state)) return;
  end_mark(d);
  d->matrix[d->state.pushes] = d->matrix[d->state.pushes - 1];
  buffer_text(&d->content, "q ");
  const double values[] = {x, y, width, height};
  for (int i = 0; i < 4; i++)
    number(d, values[i]);
  op(d, "re W n");
  d->color_known = false;
}

static void pop(struct device *device) {
  struct pdf_device *d = pdf_device(device);
  if (!drawing(d) || !device_pop(&d->state)) return;
  end_mark(d);
  op(d, "Q");
  d->color_known = false;
}

/* ---- structure and navigation ---------------------------------------------
 */

static size_t innermost(const struct pdf_device *d) {
  size_t count = d->state.tag_count;
  return count ? d->open[count - 1] : PDF_ROOT_ELEMENT;
}

static void begin_tag(struct device *device, const struct tag *tag) {
  struct pdf_device *d = pdf_device(device);
  size_t parent = innermost(d);
  if (d->pdf.failed || !device_begin_tag(&d->state, tag)) return;
  size_t count = d->state.tag_count;
  for (size_t i = 0; i < count; i++)
    if (d->state.tags[i]->role == TAG_ARTIFACT) {
      d->open[count - 1] = parent;
      return;
    }
  d->open[count - 1] = pdf_structure_element(d->structure, parent, tag);
}

static void end_tag(struct device *device) {
  struct pdf_device *d = pdf_device(device);
  if (!d->pdf.failed) device_end_tag(&d->state);
}

static void link_to(struct device *device, double x, double y, double width,
                    double height, const char *target) {
  struct pdf_device *d = pdf_device(device);
  if (!drawing(d)) return;
  const double sides[] = {x, y, x + width, y + height};
  for (int i = 0; i < 4; i++)
    if (!device_check(&d->state, sides[i])) return;
  size_t element = innermost(d);
  for (size_t i = d->state.tag_count; i > 0; i--)
    if (d->state.tags[i - 1]->role == TAG_LINK) {
      element = d->open[i - 1];
      break;
    }
  if (pdf_structure_role(d->structure, element) != TAG_LINK) {
    struct tag *tag = arena_alloc(&d->arena, sizeof *tag);
    tag->role = TAG_LINK;
    element = pdf_structure_element(d->structure, element, tag);
  }
  HPDF_Dict link =
      pdf_navigation_link(d->navigation, &d->pdf, d->page, sides, target);
  pdf_put_number(&d->pdf, link, "StructParent",
                 pdf_structure_annotation(d->structure, element, link));
}

static void destination(struct device *device, const char *name, double x,
                        double y) {
  struct pdf_device *d = pdf_device(device);
  if (drawing(d) && device_check(&d->state, x) && device_check(&d->state, y))
    pdf_navigation_destination(d->navigation, name, d->page, y);
}

static void outline(struct device *device, int level, const char *title,
                    const char *target) {
  struct pdf_device *d = pdf_device(device);
  if (!d->pdf.failed && !device_failed(&d->state))
    pdf_navigation_outline(d->navigation, level, title, target);
}

/* ---- life cycle -----------------------------------------------------------
 */

static int finish(struct device *device, struct buffer *out,
                  struct error *err) {
  struct pdf_device *d = pdf_device(device);
  if (device_result(&d->state, err) != 0) return -1;
  return pdf_metadata_save(&d->pdf, out, err);
}

static void free_device(struct device *device) {
  struct pdf_device *d = pdf_device(device);
  pdf_close(&d->pdf);
  pdf_fonts_free(d->fonts);
  pdf_structure_free(d->structure);
  pdf_navigation_free(d->navigation);
  buffer_free(&d->content);
  arena_free(&d->arena);
  free(d);
}

struct device *device_pdf_new(const struct font_set *fonts) {
  struct pdf_device *d = memory_alloc(1, sizeof *d);
  d->device = (struct device){.begin_document = begin_document,
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
                              .free = free_device};
  struct error err;
  if (pdf_open(&d->pdf, &err) != 0) device_fail(&d->state, "%s", err.text);
  d->fonts = pdf_fonts_new(fonts);
  d->structure = pdf_structure_new();
  d->navigation = pdf_navigation_new();
  return &d->device;
}
