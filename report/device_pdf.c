/* Pages as a tagged PDF. The content stream of each page is written here, text
 * as glyph ids; fonts, structure, navigation and metadata have files of their
 * own (pdf_*.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/device_pdf_internal.h"

/* ---- writing ------------------------------------------------------------- */

void pdf_device_number(struct pdf_device *d, double value) {
  if (device_check(&d->state, value)) pdf_write_number(&d->content, value, 3);
}

void pdf_device_operator(struct pdf_device *d, const char *name) {
  buffer_text(&d->content, name);
  buffer_char(&d->content, '\n');
}

bool pdf_device_drawing(struct pdf_device *d) {
  if (d->pdf.failed) return false;
  return device_on_page(&d->state);
}

/* ---- marked content ----------------------------------------------------- */

void pdf_device_end_text(struct pdf_device *d) {
  if (d->in_text) pdf_device_operator(d, "ET");
  d->in_text = false;
}

void pdf_device_end_mark(struct pdf_device *d) {
  pdf_device_end_text(d);
  if (d->mark != NO_MARK) pdf_device_operator(d, "EMC");
  d->mark = NO_MARK;
  d->replaced = false;
}

void pdf_device_begin_mark(struct pdf_device *d, long element,
                           const char *text) {
  d->mark = element;
  if (element == ARTIFACT) {
    pdf_device_operator(d, "/Artifact BMC");
    return;
  }
  bool first;
  size_t index = (size_t)element;
  int id = pdf_structure_mark(d->structure, index, &first);
  const struct tag *tag = pdf_structure_tag(d->structure, index);
  /* An element's replacement stands once, at the first of its parts. */
  d->replaced = tag && tag->actual_text;
  if (d->replaced) text = first ? tag->actual_text : "";
  const char *role = tag_role_name(pdf_structure_role(d->structure, index));
  buffer_printf(&d->content, "/%s <</MCID %d", text ? "Span" : role, id);
  if (text) {
    buffer_text(&d->content, "/ActualText ");
    pdf_write_text(&d->content, text);
  }
  pdf_device_operator(d, ">> BDC");
}

void pdf_device_mark(struct pdf_device *d) {
  long wanted = ARTIFACT;
  size_t count = d->state.tag_count;
  if (count > 0) wanted = (long)d->open[count - 1];
  for (size_t i = 0; i < count; i++)
    if (d->state.tags[i]->role == TAG_ARTIFACT) wanted = ARTIFACT;
  if (d->mark == wanted) return;
  pdf_device_end_mark(d);
  pdf_device_begin_mark(d, wanted, NULL);
}

void pdf_device_cover(struct pdf_device *d, double x, double y) {
  const struct matrix *m = &d->matrix[d->state.pushes];
  double page_x = m->a * x + m->c * y + m->e;
  double page_y = m->b * x + m->d * y + m->f;
  for (size_t i = 0; i < d->state.tag_count; i++)
    if (d->state.tags[i]->role == TAG_FIGURE && isfinite(page_x) &&
        isfinite(page_y))
      pdf_structure_cover(d->structure, d->open[i], page_x, page_y);
}

/* ---- document and pages ------------------------------------------------- */

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
  pdf_device_end_mark(d);
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

/* ---- structure and navigation ------------------------------------------- */

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
  if (!pdf_device_drawing(d)) return;
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
  if (pdf_device_drawing(d) && device_check(&d->state, x) &&
      device_check(&d->state, y))
    pdf_navigation_destination(d->navigation, name, d->page, y);
}

static void outline(struct device *device, int level, const char *title,
                    const char *target) {
  struct pdf_device *d = pdf_device(device);
  if (!d->pdf.failed && !device_failed(&d->state))
    pdf_navigation_outline(d->navigation, level, title, target);
}

/* ---- life cycle --------------------------------------------------------- */

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
                              .glyphs = pdf_device_glyphs,
                              .rectangle = pdf_device_rectangle,
                              .path = pdf_device_path,
                              .push_matrix = pdf_device_push_matrix,
                              .push_clip = pdf_device_push_clip,
                              .pop = pdf_device_pop,
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
