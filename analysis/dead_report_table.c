#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dead_report.h"
#include "report/base/memory.h"
#include "report/base/utf8.h"

enum { LINE = 80 };

/* One row's cells; texts are shown ones. */
enum column {
  MODEL,
  NORM,
  KIND,
  EVIDENCE,
  WIDTH,
  CONDITIONING,
  COSINE,
  CONSTANT,
  NOTE,
  COLUMNS
};

struct row {
  struct buffer cells[COLUMNS];
};

struct notes {
  struct buffer *texts; /* no more than rows */
  size_t count;
};

static const char *const titles[COLUMNS] = {
    "model", "norm", "kind", "by", "width", "cond", "cos", "u.bias", "note"};

static bool right_aligned(enum column column) {
  return column >= WIDTH && column <= CONSTANT;
}

/* ---- names, as short as they stay telling ---- */

/* Bytes up to the last slash that the paths of all rows have in common. */
static size_t common_directory(const struct dead_outcome *outcomes,
                               size_t count) {
  const char *first = NULL;
  size_t common = 0;
  for (size_t i = 0; i < count; i++) {
    const char *path = outcomes[i].path;
    size_t same = 0;
    if (outcomes[i].failed) continue;
    if (first == NULL) {
      first = path;
      common = strlen(path);
    }
    while (same < common && path[same] == first[same])
      same++;
    common = same;
  }
  while (common > 0 && first[common - 1] != '/')
    common--;
  return common;
}

static void cut_ending(struct buffer *text, const char *ending) {
  size_t length = strlen(ending);
  if (text->length <= length ||
      strcmp(text->bytes + text->length - length, ending) != 0)
    return;
  text->length -= length;
  text->bytes[text->length] = 0;
}

static void add_model(const char *path, size_t common, struct buffer *cell) {
  const char *rest = path[common] != 0 ? path + common : path;
  utf8_append_shown(cell, rest);
  cut_ending(cell, "/");
  cut_ending(cell, ".index.json");
  cut_ending(cell, ".safetensors");
}

/* "transformer.ln_f.weight" as "ln_f"; from a layer's number on where there is
 * one: "encoder.layer.11.output.LayerNorm.weight" as "11.output.LayerNorm". */
static void add_norm(const char *gain, struct buffer *cell) {
  struct buffer name = {0};
  buffer_text(&name, gain);
  cut_ending(&name, ".weight");
  cut_ending(&name, ".gamma");
  const char *start = name.bytes, *number = NULL;
  for (const char *c = name.bytes; c != NULL; c = strchr(c, '.')) {
    c += *c == '.';
    start = c;
    size_t digits = strspn(c, "0123456789");
    if (digits > 0 && (c[digits] == '.' || c[digits] == 0)) number = c;
  }
  utf8_append_shown(cell, number != NULL ? number : start);
  buffer_free(&name);
}

/* ---- the other cells ---- */

/* The initial of each source, once. */
static void add_evidence(const struct final_norm *norm, struct buffer *cell) {
  for (size_t i = 0; i < norm->evidence_count; i++)
    if (strchr(cell->bytes, *norm->evidence[i].source) == NULL)
      buffer_char(cell, *norm->evidence[i].source);
  if (cell->length == 0) buffer_char(cell, '-');
}

/* A count that is not 0, or a remark that applies. */
static void add_count(struct buffer *note, size_t count, const char *what) {
  if (count > 0)
    buffer_printf(note, "%s%zu %s%s", note->length > 0 ? "; " : "", count, what,
                  count > 1 ? "s" : "");
}

static void add_remark(struct buffer *note, bool applies, const char *what,
                       const char *rest) {
  if (applies)
    buffer_printf(note, "%s%s%s", note->length > 0 ? "; " : "", what, rest);
}

static void describe(const struct dead_model *model, struct buffer *note) {
  const struct dead_direction *d = &model->direction;
  enum dead_claim claim = dead_claim_of(model);
  add_remark(note, claim == DEAD_OPEN, "dead if this is a LayerNorm", "");
  add_remark(note, claim != DEAD_NO && d->meaningless, "ill-conditioned for ",
             model->dtype);
  add_count(note, d->zero_count, "zero gain");
  if (d->zero_count > 0) buffer_text(note, ", which alone make dead axes");
  add_count(note, d->subnormal_count, "subnormal gain");
  add_remark(note, d->negative_count > 0, "negative gains", "");
  add_remark(note, model->norm.one_plus, "gain is 1 + weight", "");
  add_remark(note, model->norm.one_plus_open, "gain may be 1 + weight", "");
}

/* Models of which the same is to be said have the same number. */
static void add_note(const struct dead_model *model, struct notes *notes,
                     struct buffer *cell) {
  struct buffer note = {0};
  size_t number = 0;
  describe(model, &note);
  while (note.length > 0 && number < notes->count &&
         strcmp(notes->texts[number].bytes, note.bytes) != 0)
    number++;
  if (note.length > 0) buffer_printf(cell, "[%zu]", number + 1);
  if (note.length > 0 && number == notes->count)
    notes->texts[notes->count++] = note;
  else
    buffer_free(&note);
}

static void fill_row(const struct dead_model *model, size_t common,
                     struct notes *notes, struct row *row) {
  const struct dead_direction *d = &model->direction;
  for (int c = 0; c < COLUMNS; c++)
    buffer_text(&row->cells[c], "");
  add_model(model->path, common, &row->cells[MODEL]);
  add_norm(model->norm.gain, &row->cells[NORM]);
  buffer_text(&row->cells[KIND], final_norm_kind_name(model->norm.kind));
  add_evidence(&model->norm, &row->cells[EVIDENCE]);
  buffer_printf(&row->cells[WIDTH], "%zu", d->width);
  buffer_printf(&row->cells[CONDITIONING], "%.3g", d->conditioning);
  if (dead_claim_of(model) != DEAD_NO) {
    buffer_printf(&row->cells[COSINE], "%.4f", d->cosine_uniform);
    buffer_printf(&row->cells[CONSTANT], "%.3g", d->constant);
  } else {
    buffer_char(&row->cells[COSINE], '-');
    buffer_char(&row->cells[CONSTANT], '-');
  }
  add_note(model, notes, &row->cells[NOTE]);
}

/* ---- the page ---- */

static void add_line(struct row *row, const size_t widths[COLUMNS], int gap,
                     struct buffer *out) {
  for (int c = 0; c < COLUMNS; c++) {
    const char *text = row->cells[c].bytes;
    int pad = (int)(widths[c] - utf8_count(text));
    if (right_aligned(c)) buffer_printf(out, "%*s", pad, "");
    buffer_text(out, text);
    if (!right_aligned(c)) buffer_printf(out, "%*s", pad, "");
    buffer_printf(out, "%*s", gap, "");
  }
  while (out->bytes[out->length - 1] == ' ')
    out->length--;
  out->bytes[out->length] = 0;
  buffer_char(out, '\n');
}

static void add_notes(const struct notes *notes, struct buffer *out) {
  if (notes->count > 0) buffer_char(out, '\n');
  for (size_t i = 0; i < notes->count; i++)
    buffer_printf(out, "[%zu] %s\n", i + 1, notes->texts[i].bytes);
}

/* What the initials of evidence that occur stand for. */
static void add_legend(const struct dead_outcome *outcomes, size_t count,
                       struct buffer *out) {
  const char *names[26] = {0};
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0;
         !outcomes[i].failed && k < outcomes[i].model.norm.evidence_count;
         k++) {
      const char *source = outcomes[i].model.norm.evidence[k].source;
      names[*source - 'a'] = source;
    }
  buffer_text(out, "\ncond: largest over smallest |gain|; cos: of u with the "
                   "uniform vector; u.bias:\nthe value of u . y for every "
                   "input; -: there is no dead u");
  const char *before = "\nby, the evidence for the kind: ";
  for (size_t i = 0; i < 26; i++) {
    if (names[i] == NULL) continue;
    buffer_printf(out, "%s%c %s", before, (char)('a' + i), names[i]);
    before = ", ";
  }
  buffer_char(out, '\n');
}

/* Columns are apart by two blanks, or by one where that would be wider than
 * `LINE`. */
static void add_rows(struct row *rows, size_t count, struct buffer *out) {
  size_t widths[COLUMNS] = {0}, whole = 2 * (COLUMNS - 1);
  for (size_t i = 0; i < count; i++)
    for (int c = 0; c < COLUMNS; c++) {
      size_t width = utf8_count(rows[i].cells[c].bytes);
      if (width > widths[c]) widths[c] = width;
    }
  for (int c = 0; c < COLUMNS; c++)
    whole += widths[c];
  for (size_t i = 0; i < count; i++)
    add_line(&rows[i], widths, whole > LINE ? 1 : 2, out);
}

void dead_report_table(const struct dead_outcome *outcomes, size_t count,
                       struct buffer *out) {
  struct row *rows = memory_alloc(count + 1, sizeof *rows);
  struct notes notes = {.texts = memory_alloc(count, sizeof *notes.texts)};
  size_t used = 1, common = common_directory(outcomes, count);
  for (int c = 0; c < COLUMNS; c++)
    buffer_text(&rows[0].cells[c], titles[c]);
  for (size_t i = 0; i < count; i++)
    if (!outcomes[i].failed)
      fill_row(&outcomes[i].model, common, &notes, &rows[used++]);
  if (notes.count == 0) buffer_clear(&rows[0].cells[NOTE]);
  if (used > 1) {
    add_rows(rows, used, out);
    add_notes(&notes, out);
    add_legend(outcomes, count, out);
  }
  for (size_t i = 0; i < used; i++)
    for (int c = 0; c < COLUMNS; c++)
      buffer_free(&rows[i].cells[c]);
  for (size_t i = 0; i < notes.count; i++)
    buffer_free(&notes.texts[i]);
  free(notes.texts);
  free(rows);
}
