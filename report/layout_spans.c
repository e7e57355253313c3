/* Spans of the document into paragraphs. */
#include <math.h>
#include <string.h>

#include "report/layout.h"

static const struct color link_color = {0x1d, 0x4f, 0x91, 0};
static const double mark_size = 0.68, mark_rise = 0.36; /* footnote marks */

static const double least_maths = 0.82; /* of its size, to fit in a line */

/* What a span inherits. */
struct setting {
  struct layout *layout;
  struct paragraph *paragraph;
  const struct layout_text *text;
  bool bold, italic;
  struct color color;
  const struct text_scope *scope;
};

static int add_spans(const struct setting *s, const struct span *spans,
                     struct error *err);

static enum font_face face_of(const struct setting *s) {
  if (s->bold) return s->italic ? FONT_BOLD_ITALIC : FONT_BOLD;
  return s->italic ? FONT_ITALIC : FONT_ROMAN;
}

static struct text_style *style_of(const struct setting *s) {
  struct text_style *style = arena_alloc(s->layout->arena, sizeof *style);
  *style = (struct text_style){.face = face_of(s),
                               .size = s->text->size,
                               .color = s->color,
                               .hyphenates = !s->text->unhyphenated,
                               .scope = s->scope};
  return style;
}

static const struct text_scope *
open_scope(const struct setting *s, const struct tag *tag, const char *link) {
  struct text_scope *scope = arena_alloc(s->layout->arena, sizeof *scope);
  *scope = (struct text_scope){tag, link, s->scope};
  return scope;
}

static int add_code(const struct setting *s, const struct span *span,
                    struct error *err) {
  struct text_style *style = style_of(s);
  style->face = s->bold ? FONT_MONO_BOLD : FONT_MONO;
  style->size = s->text->size * s->layout->style->code;
  style->features = FONT_NO_LIGATURES;
  style->hyphenates = false;
  style->is_code = true;
  style->scope = open_scope(s, layout_tag(s->layout, TAG_CODE), NULL);
  return paragraph_text(s->paragraph, style, span->text, strlen(span->text),
                        span->place, err);
}

static int add_link(const struct setting *s, const struct span *span,
                    struct error *err) {
  struct setting own = *s;
  if (!span->url) return add_spans(s, span->child, err);
  own.scope = open_scope(s, layout_tag(s->layout, TAG_LINK), span->url);
  own.color = link_color;
  return add_spans(&own, span->child, err);
}

/* A piece a little wider than the line is set a little smaller. */
static int set_pieces(const struct setting *s, const struct span *span,
                      struct math_piece **out, struct error *err) {
  struct math_options options = {s->layout->fonts, s->layout->arena,
                                 s->text->size, false};
  double widest = 0;
  if (math_layout_pieces(span->formula, &options, out, err) != 0) return -1;
  for (struct math_piece *piece = *out; piece; piece = piece->next)
    widest = fmax(widest, piece->box->width);
  double share = 0.99 * s->text->width / widest;
  if (widest <= s->text->width || share < least_maths) return 0;
  options.size *= share;
  return math_layout_pieces(span->formula, &options, out, err);
}

static int add_maths(const struct setting *s, const struct span *span,
                     struct error *err) {
  struct math_piece *pieces;
  if (set_pieces(s, span, &pieces, err) != 0) return -1;
  for (struct math_piece *piece = pieces; piece; piece = piece->next)
    box_set_color(piece->box, s->color);
  const struct tag *tag;
  if (layout_formula_tag(s->layout, span->formula, span->place, &tag, err) != 0)
    return -1;
  paragraph_maths(s->paragraph, pieces, open_scope(s, tag, NULL), span->place);
  return 0;
}

/* A raised number that leads to the note at the page's foot. */
static int add_note(const struct setting *s, const struct span *span,
                    struct error *err) {
  struct arena *arena = s->layout->arena;
  int number = span->note->number;
  struct setting own = *s;
  own.scope = open_scope(s, layout_tag(s->layout, TAG_REFERENCE), NULL);
  own.scope = open_scope(&own, layout_tag(s->layout, TAG_LINK),
                         arena_printf(arena, "#note-%d", number));
  own.bold = own.italic = false;
  struct text_style *style = style_of(&own);
  style->size *= mark_size;
  style->rise = mark_rise * s->text->size;
  style->hyphenates = false;
  const char *mark = arena_printf(arena, "%d", number);
  if (paragraph_text(s->paragraph, style, mark, strlen(mark), span->place,
                     err) != 0)
    return -1;
  paragraph_note(s->paragraph, span->note);
  return 0;
}

static int add_citation(const struct setting *s, const struct span *span,
                        struct error *err) {
  struct arena *arena = s->layout->arena;
  int number = span->reference->number;
  struct setting own = *s;
  own.scope = open_scope(s, layout_tag(s->layout, TAG_LINK),
                         arena_printf(arena, "#reference-%d", number));
  own.color = link_color;
  const char *text = arena_printf(arena, "%d", number);
  return paragraph_text(s->paragraph, style_of(&own), text, strlen(text),
                        span->place, err);
}

static int add_span(const struct setting *s, const struct span *span,
                    struct error *err) {
  struct setting own = *s;
  switch (span->type) {
  case SPAN_TEXT:
    return paragraph_text(s->paragraph, style_of(s), span->text,
                          strlen(span->text), span->place, err);
  case SPAN_EMPHASIS:
    own.italic = !s->italic;
    return add_spans(&own, span->child, err);
  case SPAN_STRONG:
    own.bold = true;
    return add_spans(&own, span->child, err);
  case SPAN_CODE:
    return add_code(s, span, err);
  case SPAN_LINK:
    return add_link(s, span, err);
  case SPAN_MATHS:
    return add_maths(s, span, err);
  case SPAN_SOFT_BREAK:
    return paragraph_text(s->paragraph, style_of(s), " ", 1, span->place, err);
  case SPAN_HARD_BREAK:
    paragraph_break(s->paragraph);
    return 0;
  case SPAN_NOTE:
    return add_note(s, span, err);
  case SPAN_CITATION:
    return add_citation(s, span, err);
  }
  return 0;
}

static int add_spans(const struct setting *s, const struct span *spans,
                     struct error *err) {
  for (const struct span *span = spans; span; span = span->next)
    if (add_span(s, span, err) != 0) return -1;
  return 0;
}

/* The bold words a caption or reason starts with, and the space behind. */
static int add_lead(const struct setting *s, struct error *err) {
  if (!s->text->lead) return 0;
  struct setting own = *s;
  struct place nowhere = {"", 0, 0};
  own.bold = true;
  const char *lead = s->text->lead;
  if (paragraph_text(s->paragraph, style_of(&own), lead, strlen(lead), nowhere,
                     err) != 0)
    return -1;
  return paragraph_text(s->paragraph, style_of(s), " ", 1, nowhere, err);
}

int layout_paragraph(struct layout *layout, const struct span *spans,
                     const struct layout_text *text, struct paragraph **out,
                     struct error *err) {
  struct paragraph_options options = {.fonts = layout->fonts,
                                      .arena = layout->arena,
                                      .words = layout->words,
                                      .hyphenator = layout->hyphenator,
                                      .width = text->width,
                                      .first_indent = text->first_indent,
                                      .ragged = text->shape != SHAPE_JUSTIFIED,
                                      .alignment =
                                          text->shape == SHAPE_CENTRED ? 0.5
                                          : text->shape == SHAPE_RIGHT ? 1
                                                                       : 0};
  struct setting setting = {.layout = layout,
                            .paragraph = paragraph_new(&options),
                            .text = text,
                            .bold = text->bold,
                            .italic = text->italic,
                            .color = text->color};
  *out = setting.paragraph;
  if (add_lead(&setting, err) == 0 && add_spans(&setting, spans, err) == 0)
    return 0;
  paragraph_free(*out);
  *out = NULL;
  return -1;
}

int layout_lines(struct layout *layout, const struct span *spans,
                 const struct layout_text *text, struct paragraph_line **lines,
                 size_t *count, struct error *err) {
  struct paragraph *paragraph;
  if (layout_paragraph(layout, spans, text, &paragraph, err) != 0) return -1;
  int status = paragraph_lines(paragraph, lines, count, err);
  paragraph_free(paragraph);
  return status;
}

int layout_balanced(struct layout *layout, const struct span *spans,
                    const struct layout_text *text,
                    struct paragraph_line **lines, size_t *count,
                    struct error *err) {
  struct layout_text narrow = *text;
  if (layout_lines(layout, spans, text, lines, count, err) != 0) return -1;
  double low = *count > 0 ? text->width / (double)*count : 0;
  double high = text->width;
  while (*count > 1 && high - low > 0.02 * text->width) {
    struct paragraph_line *tried;
    size_t tried_count;
    struct error ignored;
    narrow.width = (low + high) / 2;
    if (layout_lines(layout, spans, &narrow, &tried, &tried_count, &ignored) !=
            0 ||
        tried_count > *count) {
      low = narrow.width;
      continue;
    }
    high = narrow.width;
    *lines = tried;
    *count = tried_count;
  }
  double side = text->width - (*count > 1 ? high : text->width);
  if (text->shape == SHAPE_CENTRED) side /= 2;
  if (text->shape == SHAPE_LEFT || text->shape == SHAPE_JUSTIFIED) side = 0;
  for (size_t i = 0; i < *count; i++) {
    struct box *line = box_new(layout->arena, BOX_LIST);
    box_cover(line, (*lines)[i].box, side, 0);
    line->width = text->width;
    (*lines)[i].box = line;
  }
  return 0;
}
