#include "report/paragraph.h"

#include <hb.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/buffer.h"
#include "report/base/utf8.h"
#include "report/paragraph_internal.h"

/* Glue of a word space in em of its size, and penalties, as plain TeX's. */
static const double space_stretch = 0.14, space_shrink = 0.06;
static const double fill_stretch = 1e6; /* a last line's end */
enum { HYPHEN_PENALTY = 60, DASH_PENALTY = 50, CODE_PENALTY = 200 };
/* Words and code wider than this share of the line may break anywhere. */
static const double long_word = 0.98, long_code = 0.4;
enum { ANYWHERE_PENALTY = 3000 };
/* A formula of less than this share of the line is broken at need only. */
static const double short_maths = 0.2;
enum { SHORT_MATHS_PENALTY = 1700 };

struct paragraph *paragraph_new(const struct paragraph_options *options) {
  struct paragraph *p = memory_alloc(1, sizeof *p);
  p->options = *options;
  return p;
}

void paragraph_free(struct paragraph *p) {
  if (!p) return;
  free(p->items);
  free(p->pieces);
  free(p->box_places);
  free(p);
}

static void push(struct paragraph *p, struct line_item item,
                 struct piece piece) {
  if (p->count == p->room) {
    p->room = p->room ? p->room * 2 : 128;
    p->items = memory_resize(p->items, p->room, sizeof *p->items);
    p->pieces = memory_resize(p->pieces, p->room, sizeof *p->pieces);
  }
  p->items[p->count] = item;
  p->pieces[p->count++] = piece;
}

static void push_penalty(struct paragraph *p, int penalty) {
  push(p, (struct line_item){.kind = LINE_PENALTY, .penalty = penalty},
       (struct piece){.kind = PIECE_NOTHING});
}

static void push_space(struct paragraph *p, const struct text_style *style,
                       bool breaks) {
  if (!breaks) push_penalty(p, PENALTY_NEVER);
  double em = style->size;
  double width = font_metrics(p->options.fonts, style->face)->space * em;
  bool is_stiff = p->options.ragged || style->is_code;
  push(p,
       (struct line_item){.kind = LINE_GLUE,
                          .width = width,
                          .stretch = is_stiff ? 0 : space_stretch * em,
                          .shrink = is_stiff ? 0 : space_shrink * em},
       (struct piece){.kind = PIECE_SPACE, .style = style});
}

/* Walks along a word's runs and sums up their advances. */
struct walker {
  const struct glyph_run *run;
  size_t start; /* of the run in the word */
  size_t glyph; /* next in the run */
  double width; /* of what lies behind */
};

/* The advance of the word up to byte `offset`, which must not descend from
 * call to call; a ligature's letters share its width evenly. */
static double walk_to(struct walker *w, size_t offset) {
  for (; w->run; w->run = w->run->next, w->glyph = 0) {
    const struct glyph_run *run = w->run;
    while (w->glyph < run->count) {
      size_t start = run->glyphs[w->glyph].cluster, next = w->glyph;
      double advance = 0;
      for (; next < run->count && run->glyphs[next].cluster == start; next++)
        advance += run->glyphs[next].advance;
      size_t end = next < run->count ? run->glyphs[next].cluster : run->length;
      if (w->start + end > offset) {
        double share =
            w->start + start >= offset
                ? 0
                : (double)(offset - w->start - start) / (double)(end - start);
        return w->width + share * advance;
      }
      w->width += advance;
      w->glyph = next;
    }
    w->start += run->length;
  }
  return w->width;
}

enum break_kind { BREAK_HYPHEN, BREAK_PLAIN, BREAK_ANYWHERE };

struct break_point {
  size_t offset;
  int penalty;
  enum break_kind kind;
};

struct break_points {
  struct break_point *at;
  size_t count, room;
};

static void add_point(struct break_points *points, size_t offset, int penalty,
                      enum break_kind kind) {
  if (points->count == points->room) {
    points->room = points->room ? points->room * 2 : 16;
    points->at = memory_resize(points->at, points->room, sizeof *points->at);
  }
  points->at[points->count++] = (struct break_point){offset, penalty, kind};
}

static int by_offset(const void *a, const void *b) {
  const struct break_point *x = a, *y = b;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  return x->penalty - y->penalty;
}

/* After a dash or hyphen between two characters, and in code after the signs
 * that join names. */
static bool breaks_after(uint32_t code, bool is_code) {
  if (code == '-' || code == 0x2010 || code == 0x2013 || code == 0x2014)
    return true;
  if (code == '/') return true;
  return is_code && code < 0x80 && strchr("_.,:;=()[]{}+*&|?#", (int)code);
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static void find_plain_breaks(const struct word *word,
                              struct break_points *points) {
  const char *end = word->text + word->length;
  bool is_code = word->style->is_code;
  for (const char *c = word->text; c < end;) {
    uint32_t code;
    size_t n = utf8_decode(c, end, &code);
    const char *after = c + (n ? n : 1);
    /* Not at the ends, not in "1e-5" or "2-3" or before a closing mark. */
    bool is_inside = c > word->text && after < end &&
                     !(code == '-' && is_digit(*after)) &&
                     !strchr(".,;:)]}!?-/", *after);
    if (is_inside && breaks_after(code, is_code))
      add_point(points, (size_t)(after - word->text),
                is_code ? CODE_PENALTY : DASH_PENALTY, BREAK_PLAIN);
    c = after;
  }
}

static void find_breaks(const struct paragraph *p, const struct word *word,
                        double width, struct break_points *points) {
  bool has_own = points->count > 0; /* soft hyphens of the source */
  find_plain_breaks(word, points);
  if (word->style->hyphenates && !has_own) {
    size_t hyphens[HYPHENATE_POINTS];
    size_t count = hyphenate_points(p->options.hyphenator, word->text,
                                    word->length, hyphens);
    for (size_t i = 0; i < count; i++)
      add_point(points, hyphens[i], HYPHEN_PENALTY, BREAK_HYPHEN);
  }
  double longest = word->style->is_code ? long_code : long_word;
  if (width > longest * p->options.width)
    for (size_t i = 1; i < word->length; i++)
      if ((word->text[i] & 0xc0) != 0x80)
        add_point(points, i, ANYWHERE_PENALTY, BREAK_ANYWHERE);
  if (points->count)
    qsort(points->at, points->count, sizeof *points->at, by_offset);
}

/* Each face has a hyphen, so that shaping it cannot fail. */
static double hyphen_width(struct paragraph *p,
                           const struct text_style *style) {
  if (p->hyphen_style == style) return p->hyphen_width;
  const struct glyph_run *run;
  struct error ignored;
  struct place nowhere = {"", 0, 0};
  if (word_cache_shape(p->options.words, style->face, style->size,
                       style->features, "-", 1, nowhere, &run, &ignored) != 0)
    return 0;
  p->hyphen_style = style;
  return p->hyphen_width = font_run_width(run);
}

/* The word as boxes with penalties between them. */
static void push_word(struct paragraph *p, const struct word *word,
                      struct break_points *points) {
  struct walker walker = {.run = word->runs};
  double width = font_run_width(word->runs), done = 0;
  size_t start = 0;
  for (size_t i = 0; i <= points->count; i++) {
    bool is_last = i == points->count;
    size_t end = is_last ? word->length : points->at[i].offset;
    if (end == start) continue;
    double reach = is_last ? width : walk_to(&walker, end);
    push(p, (struct line_item){.kind = LINE_BOX, .width = reach - done},
         (struct piece){.kind = PIECE_WORD,
                        .start = (uint32_t)start,
                        .end = (uint32_t)end,
                        .word = word});
    start = end;
    done = reach;
    if (is_last) break;
    struct break_point point = points->at[i];
    bool is_hyphen = point.kind == BREAK_HYPHEN;
    push(p,
         (struct line_item){.kind = LINE_PENALTY,
                            .penalty = point.penalty,
                            .flagged = point.kind != BREAK_PLAIN,
                            .width =
                                is_hyphen ? hyphen_width(p, word->style) : 0},
         (struct piece){.kind = is_hyphen ? PIECE_HYPHEN : PIECE_NOTHING,
                        .word = word});
  }
}

static int add_word(struct paragraph *p, const struct text_style *style,
                    const char *text, size_t length, struct place at,
                    struct break_points *points, struct error *err) {
  if (length > WORD_LONGEST)
    return error_at(err, at, "a word is longer than %d bytes", WORD_LONGEST);
  struct word *word = arena_alloc(p->options.arena, sizeof *word);
  *word = (struct word){.text = arena_copy(p->options.arena, text, length),
                        .length = length,
                        .style = style,
                        .place = at};
  if (word_cache_shape(p->options.words, style->face, style->size,
                       style->features, text, length, at, &word->runs,
                       err) != 0)
    return -1;
  find_breaks(p, word, font_run_width(word->runs), points);
  push_word(p, word, points);
  return 0;
}

static bool is_at(const char *text, const char *end, const char *pair) {
  return end - text >= 2 && memcmp(text, pair, 2) == 0;
}

/* Length of the separator at `text` (0: none): a blank or U+00A0. Those at a
 * multiplication sign do not stretch, so that a number stays one. */
static size_t separator(const char *start, const char *text, const char *end,
                        bool *breaks) {
  *breaks = *text == ' ' || *text == '\t' || *text == '\n' || *text == '\r';
  if (*breaks) return 1;
  if (!is_at(text, end, "\xc2\xa0") || is_at(text + 2, end, "\xc3\x97") ||
      (text - start >= 2 && is_at(text - 2, end, "\xc3\x97")))
    return 0;
  return 2;
}

/* A soft hyphen of the source marks a place to hyphenate and is not shown. */
static bool is_soft_hyphen(const char *text, const char *end) {
  return is_at(text, end, "\xc2\xad");
}

int paragraph_text(struct paragraph *p, const struct text_style *style,
                   const char *text, size_t length, struct place at,
                   struct error *err) {
  const char *end = text + length;
  struct buffer word = {0};
  struct break_points points = {0};
  int status = 0;
  if (p->bytes == 0) p->place = at;
  p->bytes += length;
  if (p->bytes > PARAGRAPH_LONGEST)
    return error_at(err, at, "the paragraph is longer than %d bytes; divide it",
                    PARAGRAPH_LONGEST);
  for (const char *c = text; c < end && status == 0;) {
    bool breaks;
    size_t n = separator(text, c, end, &breaks);
    if (n) {
      bool is_double = breaks && (p->count == 0 ||
                                  p->pieces[p->count - 1].kind == PIECE_SPACE);
      if (!is_double || style->is_code) push_space(p, style, breaks);
      c += n;
      continue;
    }
    struct place here = at;
    here.column += (int)(c - text);
    buffer_clear(&word);
    points.count = 0;
    while (c < end && !separator(text, c, end, &breaks)) {
      if (is_soft_hyphen(c, end)) {
        add_point(&points, word.length, HYPHEN_PENALTY, BREAK_HYPHEN);
        c += 2;
      } else
        buffer_char(&word, *c++);
    }
    if (word.length)
      status = add_word(p, style, word.bytes, word.length, here, &points, err);
  }
  buffer_free(&word);
  free(points.at);
  return status;
}

static void push_box(struct paragraph *p, struct box *box,
                     const struct text_scope *scope, struct place at) {
  if (p->box_count == p->box_room) {
    p->box_room = p->box_room ? p->box_room * 2 : 8;
    p->box_places =
        memory_resize(p->box_places, p->box_room, sizeof *p->box_places);
  }
  push(p, (struct line_item){.kind = LINE_BOX, .width = box->width},
       (struct piece){.kind = PIECE_BOX,
                      .start = (uint32_t)p->box_count,
                      .box = box,
                      .scope = scope});
  p->box_places[p->box_count++] = at;
}

/* How far the first glyph's ink reaches to the left of its box: an f would
 * close up the space before it. */
static double left_lean(const struct paragraph *p, const struct box *box) {
  while (box && box->kind == BOX_LIST)
    box = box->child;
  if (!box || box->kind != BOX_RUN || box->run->count == 0) return 0;
  const struct font_set *fonts = p->options.fonts;
  hb_glyph_extents_t ink;
  if (!hb_font_get_glyph_extents(font_hb(fonts, box->run->face),
                                 box->run->glyphs[0].id, &ink))
    return 0;
  return -ink.x_bearing / font_units_per_em(fonts, box->run->face) *
         box->run->size;
}

void paragraph_maths(struct paragraph *p, const struct math_piece *pieces,
                     const struct text_scope *scope, struct place at) {
  double give = p->options.ragged ? 0 : 1, width = 0;
  for (const struct math_piece *m = pieces; m; m = m->next)
    width += m->box->width + m->space;
  bool is_short = width < short_maths * p->options.width;
  double kern = pieces ? left_lean(p, pieces->box) : 0;
  if (kern > 0)
    push(p, (struct line_item){.kind = LINE_BOX, .width = kern},
         (struct piece){.kind = PIECE_SKIP, .scope = scope});
  for (const struct math_piece *m = pieces; m; m = m->next) {
    push_box(p, m->box, scope, at);
    if (!m->next) break;
    push_penalty(p, is_short && m->penalty < SHORT_MATHS_PENALTY
                        ? SHORT_MATHS_PENALTY
                        : m->penalty);
    push(p,
         (struct line_item){.kind = LINE_GLUE,
                            .width = m->space,
                            .stretch = give * m->stretch,
                            .shrink = give * m->shrink},
         (struct piece){.kind = PIECE_SKIP, .scope = scope});
  }
}

static void push_fill(struct paragraph *p) {
  push_penalty(p, PENALTY_NEVER);
  push(p, (struct line_item){.kind = LINE_GLUE, .stretch = fill_stretch},
       (struct piece){.kind = PIECE_NOTHING});
  push_penalty(p, PENALTY_FORCED);
}

void paragraph_break(struct paragraph *p) {
  while (p->count && p->pieces[p->count - 1].kind == PIECE_SPACE)
    p->count--;
  bool is_done = p->count && p->items[p->count - 1].penalty <= PENALTY_FORCED;
  if (p->count && !is_done) push_fill(p);
}

void paragraph_note(struct paragraph *p, const struct note *note) {
  push(p, (struct line_item){.kind = LINE_BOX},
       (struct piece){.kind = PIECE_NOTE, .note = note});
}

void paragraph_widths(const struct paragraph *p, double *natural,
                      double *least) {
  double line = 0, part = 0;
  *natural = *least = 0;
  for (size_t i = 0; i < p->count; i++) {
    const struct line_item *item = &p->items[i];
    bool ends_line =
        item->kind == LINE_PENALTY && item->penalty <= PENALTY_FORCED;
    bool breaks = item->kind == LINE_PENALTY
                      ? item->penalty < PENALTY_NEVER && !item->flagged
                      : item->kind == LINE_GLUE && i > 0 &&
                            p->items[i - 1].kind == LINE_BOX;
    if (breaks) {
      *least = fmax(*least, part);
      part = 0;
    }
    if (ends_line) {
      *natural = fmax(*natural, line);
      line = 0;
    }
    if (item->kind == LINE_PENALTY) continue;
    line += item->width;
    if (!breaks) part += item->width;
  }
  *natural = fmax(*natural, line);
  *least = fmax(*least, part);
}
