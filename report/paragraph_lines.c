/* From the breaks of a paragraph to the boxes of its lines. */
#include <hb.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/buffer.h"
#include "report/paragraph.h"
#include "report/paragraph_internal.h"

static const double ragged_stretch = 0.35; /* of the width, at line ends */
/* Points a line may be too long: broken words are measured before they are
 * shaped anew, and a ligature that was broken counts a little differently. */
static const double overfull = 1.5;

static const double link_height = 0.74, link_depth = 0.24; /* em, at least */

/* What a line is put together from, left to right. */
struct part {
  enum piece_kind kind; /* WORD, SPACE, BOX, SKIP */
  const struct glyph_run *runs;
  const struct text_style *style;
  struct box *box;
  const struct text_scope *scope;
  double width, stretch, shrink;
};

enum { DEEPEST_SCOPE = 16 };

struct assembler {
  const struct paragraph *paragraph;
  struct part *parts;
  size_t count, room;
  /* Boxes being filled: the line, then its open scopes. */
  struct box *boxes[DEEPEST_SCOPE + 1];
  const struct text_scope *scopes[DEEPEST_SCOPE + 1];
  int depth;
  /* Glyphs of one style that become one run. */
  const struct text_style *style;
  enum font_face face;
  double size, slant;
  struct buffer text;
  struct glyph *glyphs;
  size_t glyph_count, glyph_room;
  double width, height, ink_depth;
};

static struct part *add_part(struct assembler *a, enum piece_kind kind,
                             const struct text_scope *scope) {
  if (a->count == a->room) {
    a->room = a->room ? a->room * 2 : 64;
    a->parts = memory_resize(a->parts, a->room, sizeof *a->parts);
  }
  struct part *part = &a->parts[a->count++];
  *part = (struct part){.kind = kind, .scope = scope};
  return part;
}

/* How far the ink of the last glyph leans over its advance. */
static double lean(const struct assembler *a, const struct glyph_run *runs) {
  while (runs->next)
    runs = runs->next;
  if (runs->count == 0) return 0;
  const struct font_set *fonts = a->paragraph->options.fonts;
  hb_glyph_extents_t ink;
  hb_font_t *font = font_hb(fonts, runs->face);
  uint16_t id = runs->glyphs[runs->count - 1].id;
  if (!hb_font_get_glyph_extents(font, id, &ink)) return 0;
  double over =
      ink.x_bearing + ink.width - hb_font_get_glyph_h_advance(font, id);
  return fmax(0, over) / font_units_per_em(fonts, runs->face) * runs->size;
}

static bool is_italic(const struct text_style *style) {
  return style->face == FONT_ITALIC || style->face == FONT_BOLD_ITALIC;
}

/* Italic correction: before upright text that is not as low as a full stop. */
static void correct_italic(struct assembler *a, const struct word *word,
                           size_t start) {
  const struct part *before = a->count ? &a->parts[a->count - 1] : NULL;
  if (!before || before->kind != PIECE_WORD || !is_italic(before->style) ||
      is_italic(word->style) || strchr(".,", word->text[start]))
    return;
  double width = lean(a, before->runs);
  add_part(a, PIECE_SKIP, before->scope)->width = width;
}

/* Shape a broken word's bytes start..end, with the hyphen behind them. */
static int shape_part(struct assembler *a, const struct word *word,
                      size_t start, size_t end, bool hyphen,
                      struct glyph_run **runs, struct error *err) {
  const struct paragraph_options *o = &a->paragraph->options;
  struct buffer text = {0};
  buffer_add(&text, word->text + start, end - start);
  if (hyphen) buffer_char(&text, '-');
  int status = font_shape(o->fonts, o->arena, word->style->face,
                          word->style->size, word->style->features, text.bytes,
                          text.length, word->place, runs, err);
  buffer_free(&text);
  if (status != 0 || !hyphen) return status;
  struct glyph_run *last = *runs;
  while (last->next)
    last = last->next;
  last->text =
      arena_printf(o->arena, "%.*s\xc2\xad", (int)last->length - 1, last->text);
  last->length++;
  return 0;
}

static int add_word(struct assembler *a, const struct word *word, size_t start,
                    size_t end, bool hyphen, struct error *err) {
  const struct glyph_run *runs = word->runs;
  bool is_whole = start == 0 && end == word->length && !hyphen;
  if (!is_whole) {
    struct glyph_run *part;
    if (shape_part(a, word, start, end, hyphen, &part, err) != 0) return -1;
    runs = part;
  }
  correct_italic(a, word, start);
  struct part *added = add_part(a, PIECE_WORD, word->style->scope);
  added->runs = runs;
  added->style = word->style;
  added->width = font_run_width(runs);
  return 0;
}

/* The parts of items first..break_at; returns -1 with an error. */
static int gather(struct assembler *a, struct line_break line,
                  struct error *err) {
  const struct paragraph *p = a->paragraph;
  a->count = 0;
  for (size_t i = line.first; i < line.break_at; i++) {
    const struct piece *piece = &p->pieces[i];
    const struct line_item *item = &p->items[i];
    if (piece->kind == PIECE_WORD) {
      size_t end = piece->end, next = i + 1;
      for (; next < line.break_at; next++) {
        const struct piece *q = &p->pieces[next];
        if (q->kind == PIECE_WORD && q->word == piece->word)
          end = q->end;
        else if (p->items[next].kind != LINE_PENALTY)
          break;
      }
      const struct piece *stop = &p->pieces[line.break_at];
      bool hyphen = next == line.break_at && stop->kind == PIECE_HYPHEN &&
                    stop->word == piece->word;
      if (add_word(a, piece->word, piece->start, end, hyphen, err) != 0)
        return -1;
      i = next - 1;
    } else if (piece->kind != PIECE_NOTE && item->kind != LINE_PENALTY) {
      bool is_space = piece->kind == PIECE_SPACE;
      struct part *part = add_part(
          a, piece->kind, is_space ? piece->style->scope : piece->scope);
      if (is_space) part->style = piece->style;
      if (piece->kind == PIECE_BOX) part->box = piece->box;
      part->width = item->width;
      part->stretch = item->stretch;
      part->shrink = item->shrink;
    }
  }
  return 0;
}

/* ---- filling boxes ------------------------------------------------------ */

static void flush_text(struct assembler *a) {
  if (a->glyph_count == 0) return;
  struct arena *arena = a->paragraph->options.arena;
  struct glyph_run *run = arena_alloc(arena, sizeof *run);
  struct glyph *glyphs = arena_alloc(arena, a->glyph_count * sizeof *glyphs);
  memcpy(glyphs, a->glyphs, a->glyph_count * sizeof *glyphs);
  *run = (struct glyph_run){
      .face = a->face,
      .size = a->size,
      .slant = a->slant,
      .glyphs = glyphs,
      .count = a->glyph_count,
      .text = arena_copy(arena, a->text.bytes, a->text.length),
      .length = a->text.length,
      .width = a->width,
      .height = a->height,
      .depth = a->ink_depth,
  };
  struct box *box = box_from_run(arena, run), *into = a->boxes[a->depth];
  box->color = a->style->color;
  box_cover(into, box, into->width, a->style->rise);
  box_skip(into, box->width);
  a->glyph_count = 0;
  a->width = a->height = a->ink_depth = 0;
  buffer_clear(&a->text);
}

static void close_scope(struct assembler *a) {
  flush_text(a);
  struct box *box = a->boxes[a->depth--];
  if (box->link) { /* as easy to hit whatever its letters */
    const struct text_style *style = a->style;
    double size = style ? style->size : 0, rise = style ? style->rise : 0;
    box->height = fmax(box->height, link_height * size + rise);
    box->depth = fmax(box->depth, link_depth * size - rise);
  }
  box_append(a->boxes[a->depth], box);
}

static int scope_depth(const struct text_scope *scope) {
  int depth = 0;
  for (; scope; scope = scope->parent)
    depth++;
  return depth;
}

/* Close and open scopes until `scope` is the innermost. */
static void enter_scope(struct assembler *a, const struct text_scope *scope) {
  if (a->scopes[a->depth] == scope) return;
  const struct text_scope *chain[DEEPEST_SCOPE];
  int depth = scope_depth(scope);
  if (depth > DEEPEST_SCOPE) depth = DEEPEST_SCOPE;
  for (int i = depth; i > 0; i--, scope = scope->parent)
    chain[i - 1] = scope;
  int common = 0;
  while (common < depth && common < a->depth &&
         a->scopes[common + 1] == chain[common])
    common++;
  while (a->depth > common)
    close_scope(a);
  flush_text(a);
  for (; common < depth; common++) {
    struct box *box = box_new(a->paragraph->options.arena, BOX_LIST);
    box->tag = chain[common]->tag;
    box->link = chain[common]->link;
    a->boxes[++a->depth] = box;
    a->scopes[a->depth] = chain[common];
  }
}

/* The scopes are the same already. */
static bool same_look(const struct text_style *a, const struct text_style *b) {
  return a == b || (a->rise == b->rise &&
                    memcmp(&a->color, &b->color, sizeof a->color) == 0);
}

/* Add a run's glyphs to the text being gathered. */
static void put_run(struct assembler *a, const struct text_style *style,
                    const struct glyph_run *run) {
  bool joins = a->glyph_count == 0 ||
               (same_look(a->style, style) && a->face == run->face &&
                a->size == run->size && a->slant == run->slant);
  if (!joins) flush_text(a);
  a->style = style;
  a->face = run->face;
  a->size = run->size;
  a->slant = run->slant;
  if (a->glyph_count + run->count > a->glyph_room) {
    a->glyph_room = 2 * (a->glyph_count + run->count);
    a->glyphs = memory_resize(a->glyphs, a->glyph_room, sizeof *a->glyphs);
  }
  for (size_t i = 0; i < run->count; i++) {
    struct glyph glyph = run->glyphs[i];
    glyph.cluster += (uint32_t)a->text.length;
    a->glyphs[a->glyph_count++] = glyph;
  }
  buffer_add(&a->text, run->text, run->length);
  a->width += run->width;
  a->height = fmax(a->height, run->height);
  a->ink_depth = fmax(a->ink_depth, run->depth);
}

static int put_space(struct assembler *a, const struct text_style *style,
                     double width, struct error *err) {
  const struct glyph_run *run;
  struct place nowhere = {"", 0, 0};
  if (word_cache_shape(a->paragraph->options.words, style->face, style->size,
                       style->features, " ", 1, nowhere, &run, err) != 0)
    return -1;
  struct glyph glyph = run->glyphs[0];
  glyph.advance = width;
  struct glyph_run wide = *run;
  wide.glyphs = &glyph;
  wide.width = width;
  put_run(a, style, &wide);
  return 0;
}

static int put_part(struct assembler *a, const struct part *part, double ratio,
                    struct error *err) {
  double width =
      part->width + ratio * (ratio > 0 ? part->stretch : part->shrink);
  enter_scope(a, part->scope);
  switch (part->kind) {
  case PIECE_WORD:
    for (const struct glyph_run *run = part->runs; run; run = run->next)
      put_run(a, part->style, run);
    return 0;
  case PIECE_SPACE:
    return put_space(a, part->style, width, err);
  case PIECE_BOX:
    flush_text(a);
    box_append(a->boxes[a->depth], part->box);
    return 0;
  default:
    flush_text(a);
    box_skip(a->boxes[a->depth], width);
    return 0;
  }
}

static int too_long(const struct assembler *a, struct line_break line,
                    double width, double target, struct error *err) {
  const struct paragraph *p = a->paragraph;
  struct place at = p->place;
  double widest = -1;
  const char *what = "word";
  for (size_t i = line.first; i < line.break_at; i++) {
    const struct piece *piece = &p->pieces[i];
    if (p->items[i].kind != LINE_BOX || p->items[i].width <= widest) continue;
    if (piece->kind != PIECE_WORD && piece->kind != PIECE_BOX) continue;
    widest = p->items[i].width;
    bool is_box = piece->kind == PIECE_BOX;
    at = is_box ? p->box_places[piece->start] : piece->word->place;
    what = is_box ? "formula" : "word";
  }
  return error_at(err, at,
                  "the line with this %s is %.0f pt too long for %.0f pt; "
                  "shorten or divide it",
                  what, ceil(width - target), target);
}

/* A space that the line was broken at, for copying: it reaches into the margin
 * and makes nothing wider. */
static int end_with_space(struct assembler *a, struct line_break line,
                          struct error *err) {
  const struct piece *stop = &a->paragraph->pieces[line.break_at];
  double width = a->paragraph->items[line.break_at].width;
  if (stop->kind != PIECE_SPACE) return 0;
  bool is_open = a->scopes[a->depth] == stop->style->scope;
  enter_scope(a, is_open ? stop->style->scope : NULL);
  if (put_space(a, stop->style, width, err) != 0) return -1;
  flush_text(a);
  a->boxes[a->depth]->width -= width;
  return 0;
}

/* One line from its gathered parts. */
static int fill_line(struct assembler *a, struct line_break line, bool is_first,
                     struct box **out, struct error *err) {
  const struct paragraph *p = a->paragraph;
  const struct paragraph_options *o = &p->options;
  double indent = is_first ? o->first_indent : 0, target = o->width - indent;
  double width = 0, stretch = 0, shrink = 0;
  for (size_t i = 0; i < a->count; i++) {
    width += a->parts[i].width;
    stretch += a->parts[i].stretch;
    shrink += a->parts[i].shrink;
  }
  double lack = target - width, ratio = 0;
  if (width - shrink > target + overfull)
    return too_long(a, line, width - shrink, target, err);
  if (lack > 0 && stretch > 0 && !o->ragged) ratio = lack / stretch;
  if (lack < 0 && shrink > 0) ratio = fmax(lack / shrink, -1);
  a->depth = 0;
  a->boxes[0] = box_new(o->arena, BOX_LIST);
  a->scopes[0] = NULL;
  box_skip(a->boxes[0],
           indent + (o->ragged ? fmax(lack, 0) * o->alignment : 0));
  for (size_t i = 0; i < a->count; i++)
    if (put_part(a, &a->parts[i], ratio, err) != 0) return -1;
  if (end_with_space(a, line, err) != 0) return -1;
  enter_scope(a, NULL);
  flush_text(a);
  a->boxes[0]->width = o->width;
  *out = a->boxes[0];
  return 0;
}

static void collect_notes(const struct paragraph *p, struct line_break line,
                          struct paragraph_line *out) {
  for (size_t i = line.first; i < line.break_at; i++)
    if (p->pieces[i].kind == PIECE_NOTE) out->note_count++;
  out->notes =
      arena_alloc(p->options.arena, (out->note_count + 1) * sizeof *out->notes);
  size_t n = 0;
  for (size_t i = line.first; i < line.break_at; i++)
    if (p->pieces[i].kind == PIECE_NOTE) out->notes[n++] = p->pieces[i].note;
}

int paragraph_lines(struct paragraph *p, struct paragraph_line **lines,
                    size_t *count, struct error *err) {
  *lines = NULL;
  *count = 0;
  paragraph_break(p);
  if (p->count == 0) return 0;
  struct line_options options = {
      .width = p->options.width,
      .first_indent = p->options.first_indent,
      .right_stretch =
          p->options.ragged ? ragged_stretch * p->options.width : 0};
  struct line_breaks breaks;
  line_breaks_find(p->items, p->count, &options, &breaks);
  struct assembler a = {.paragraph = p};
  struct paragraph_line *out =
      arena_alloc(p->options.arena, breaks.count * sizeof *out);
  int status = 0;
  for (size_t i = 0; i < breaks.count && status == 0; i++) {
    struct line_break line = breaks.lines[i];
    status = gather(&a, line, err);
    if (status == 0) status = fill_line(&a, line, i == 0, &out[i].box, err);
    collect_notes(p, line, &out[i]);
    out[i].is_hyphenated = p->pieces[line.break_at].kind == PIECE_HYPHEN;
  }
  *lines = out;
  *count = breaks.count;
  line_breaks_free(&breaks);
  free(a.parts);
  free(a.glyphs);
  buffer_free(&a.text);
  return status;
}
