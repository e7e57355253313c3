/* A document's texts as passages. */
#include <string.h>

#include "report/ledger_internal.h"

struct walk {
  struct ledger_reading reading;
  const struct document *document;
  struct ledger_passage passage, formula;
};

/* ---- passages ------------------------------------------------------------ */

static void read_formula(struct walk *walk,
                         const struct math_formula *formula) {
  const struct origin origin = {.offset = formula->offset};
  const struct origins origins = {.items = &origin, .count = 1};
  ledger_passage_clear(&walk->formula, LEDGER_FORMULA);
  ledger_passage_add(&walk->formula, formula->source, strlen(formula->source),
                     &origins, LEDGER_UNDECLARED);
  ledger_read_passage(&walk->reading, &walk->formula);
}

/* <https://a.b/2016> and [a.b/2016](https://a.b/2016) show where they lead. */
static bool shows_address(const struct span *link) {
  const struct span *text = link->child;
  if (link->url == NULL || text == NULL || text->next != NULL ||
      text->type != SPAN_TEXT)
    return false;
  const char *url = link->url;
  const char *scheme = strstr(url, "://");
  return strcmp(text->text, url) == 0 ||
         (scheme != NULL && strcmp(text->text, scheme + 3) == 0) ||
         (strncmp(url, "mailto:", 7) == 0 && strcmp(text->text, url + 7) == 0);
}

static void add_spans(struct walk *walk, const struct span *span,
                      enum ledger_source kind) {
  struct ledger_passage *passage = &walk->passage;
  for (; span != NULL; span = span->next) {
    switch (span->type) {
    case SPAN_TEXT:
      ledger_passage_add(passage, span->text, strlen(span->text),
                         &span->origins, kind);
      break;
    case SPAN_CODE:
      ledger_passage_add(passage, span->text, strlen(span->text),
                         &span->origins, LEDGER_CODE);
      break;
    case SPAN_EMPHASIS:
    case SPAN_STRONG:
      add_spans(walk, span->child, kind);
      break;
    case SPAN_LINK:
      add_spans(walk, span->child, shows_address(span) ? LEDGER_ADDRESS : kind);
      break;
    case SPAN_SOFT_BREAK:
    case SPAN_HARD_BREAK:
      ledger_passage_mark(passage, " ");
      break;
    case SPAN_MATHS:
      if (span->formula != NULL) read_formula(walk, span->formula);
      ledger_passage_mark(passage, "\ufffc");
      break;
    case SPAN_NOTE:
    case SPAN_CITATION:
      ledger_passage_mark(passage, "\ufffc");
      break;
    }
  }
}

static void read_spans(struct walk *walk, const struct span *spans,
                       enum ledger_part part) {
  if (spans == NULL) return;
  ledger_passage_clear(&walk->passage, part);
  add_spans(walk, spans, LEDGER_UNDECLARED);
  ledger_read_passage(&walk->reading, &walk->passage);
}

static void read_text(struct walk *walk, const char *text,
                      const struct origins *origins, enum ledger_part part,
                      enum ledger_source kind) {
  if (text == NULL) return;
  ledger_passage_clear(&walk->passage, part);
  ledger_passage_add(&walk->passage, text, strlen(text), origins, kind);
  ledger_read_passage(&walk->reading, &walk->passage);
}

/* ---- blocks -------------------------------------------------------------- */

static void read_table(struct walk *walk, const struct table *table) {
  for (size_t i = 0; i < table->columns; i++)
    read_spans(walk, table->head[i].spans, LEDGER_TABLE);
  for (size_t i = 0; i < table->columns * table->rows; i++)
    read_spans(walk, table->cells[i].spans, LEDGER_TABLE);
}

static enum ledger_part part_of(const struct block *block,
                                enum ledger_part outer) {
  switch (block->type) {
  case BLOCK_HEADING:
    return LEDGER_HEADING;
  case BLOCK_TABLE:
  case BLOCK_FIGURE:
    return LEDGER_CAPTION;
  default:
    return outer;
  }
}

/* Blocks are nested no deeper than their reader allows. */
static void read_blocks(struct walk *walk, const struct block *block,
                        enum ledger_part part) {
  for (; block != NULL; block = block->next) {
    if (block->alt != NULL)
      read_text(walk, block->alt, &block->alt_origins, LEDGER_ALT,
                LEDGER_UNDECLARED);
    read_spans(walk, block->spans, part_of(block, part));
    read_spans(walk, block->aside, LEDGER_HEADING);
    read_text(walk, block->text, &block->text_origins, LEDGER_CODE_TEXT,
              LEDGER_CODE);
    if (block->formula != NULL) read_formula(walk, block->formula);
    if (block->table != NULL) read_table(walk, block->table);
    read_blocks(walk, block->child, part);
  }
}

/* ---- front matter -------------------------------------------------------- */

/* Fields that are no text of the page. */
static bool is_setting(const char *key) {
  static const char *const settings[] = {"language", "delimiters", "ledger",
                                         "literals", "order"};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (strcmp(settings[i], key) == 0) return true;
  return false;
}

static int read_literals(struct walk *walk, const struct front_field *field) {
  const struct origins *origins = &field->origins;
  size_t end = strlen(field->value);
  for (size_t i = 0; i < origins->count; i++) {
    size_t start = origins->items[i].start;
    size_t stop = i + 1 < origins->count ? origins->items[i + 1].start : end;
    if (ledger_declare(&walk->reading, field->value + start, stop - start,
                       origins->items[i].offset) != 0)
      return -1;
  }
  return 0;
}

static int read_front(struct walk *walk) {
  const struct front_matter *front = &walk->document->front;
  const struct front_field *literals = front_matter_field(front, "literals");
  if (literals != NULL && read_literals(walk, literals) != 0) return -1;
  for (const struct front_field *f = front->fields; f != NULL; f = f->next)
    if (!is_setting(f->key))
      read_text(walk, f->value, &f->origins, LEDGER_FRONT, LEDGER_UNDECLARED);
  return 0;
}

/* ---- the whole ----------------------------------------------------------- */

int ledger_add_document(struct ledger *ledger, const struct document *document,
                        struct error *err) {
  struct walk walk = {
      .reading = {.ledger = ledger, .map = &document->map, .err = err},
      .document = document};
  int status = read_front(&walk);
  if (status == 0) {
    read_blocks(&walk, document->blocks, LEDGER_TEXT);
    for (size_t i = 0; i < document->note_count; i++)
      read_blocks(&walk, document->notes[i]->blocks, LEDGER_NOTE);
    for (size_t i = 0; i < document->reference_count; i++)
      read_spans(&walk, document->references[i]->spans, LEDGER_REFERENCE);
  }
  ledger_passage_free(&walk.passage);
  ledger_passage_free(&walk.formula);
  return status;
}

int ledger_document_strict(const struct document *document, bool *out,
                           struct error *err) {
  const struct front_field *field =
      front_matter_field(&document->front, "ledger");
  *out = field != NULL && strcmp(field->value, "strict") == 0;
  if (field == NULL || *out) return 0;
  return error_at(err, field->place,
                  "`ledger:` is `strict` or left out, not "
                  "`%s`",
                  field->value);
}

/* The first finding as an error. */
static int require(struct ledger *ledger, const struct json *values,
                   struct error *err) {
  ledger_check(ledger, values);
  const struct ledger_finding *first = ledger->findings;
  if (first == NULL) return 0;
  return error_at(err, first->place, "%s", first->text);
}

int ledger_require_document(const struct document *document,
                            const struct json *values, struct error *err) {
  struct ledger ledger = {0};
  bool strict;
  if (ledger_document_strict(document, &strict, err) != 0) return -1;
  if (!strict) return 0;
  int status = ledger_add_document(&ledger, document, err);
  if (status == 0) status = require(&ledger, values, err);
  ledger_free(&ledger);
  return status;
}

int ledger_require_script(const char *script, size_t length,
                          const struct source_map *map,
                          const struct json *values, struct error *err) {
  struct ledger ledger = {0};
  bool strict;
  if (ledger_script_strict(script, length, map, &strict, err) != 0) return -1;
  if (!strict) return 0;
  int status = ledger_add_script(&ledger, script, length, map, err);
  if (status == 0) status = require(&ledger, values, err);
  ledger_free(&ledger);
  return status;
}
