/* What md4c's blocks become: ids are taken off, captions joined to their
 * tables, display formulas and figures lifted out of paragraphs. */
#include <stdlib.h>
#include <string.h>

#include "report/markdown_reader.h"

static bool is_lifted(const struct span *span) {
  return span->type == SPAN_MATHS && span->target != NULL;
}

static int fail(struct markdown_reader *reader, struct place place,
                const char *message) {
  return error_at(reader->err, place, "%s", message);
}

/* The first block-level item in spans that cannot hold one, or NULL. */
static const struct span *find_lifted(const struct span *spans) {
  for (const struct span *span = spans; span != NULL; span = span->next) {
    if (is_lifted(span)) return span;
    const struct span *inside = find_lifted(span->child);
    if (inside != NULL) return inside;
  }
  return NULL;
}

static int check_inline(struct markdown_reader *reader,
                        const struct span *spans) {
  const struct span *found = find_lifted(spans);
  if (found == NULL) return 0;
  return fail(reader, found->place,
              "a display formula or figure must stand in a paragraph, not in "
              "a heading, table, caption, link or emphasis");
}

/* ---- trimming ------------------------------------------------------------ */

static bool is_blank_span(const struct span *span) {
  return span->type == SPAN_SOFT_BREAK || span->type == SPAN_HARD_BREAK ||
         (span->type == SPAN_TEXT &&
          span->text[strspn(span->text, " \t\n")] == 0);
}

/* Cut bytes off the front of a text. */
static void drop(struct span *span, size_t length) {
  span->text += length;
  span->origins.dropped += length;
}

/* Drop blanks at both ends. */
static struct span *trim(struct arena *arena, struct span *spans) {
  while (spans != NULL && is_blank_span(spans))
    spans = spans->next;
  if (spans == NULL) return NULL;
  if (spans->type == SPAN_TEXT) drop(spans, strspn(spans->text, " \t\n"));
  struct span *last = spans;
  for (struct span *span = spans; span != NULL; span = span->next)
    if (!is_blank_span(span)) last = span;
  last->next = NULL;
  if (last->type != SPAN_TEXT) return spans;
  size_t length = strlen(last->text);
  while (length > 0 && strchr(" \t\n", last->text[length - 1]) != NULL)
    length--;
  last->text = arena_copy(arena, last->text, length);
  return spans;
}

/* ---- ids ----------------------------------------------------------------- */

/* Take `{#id}` off the end of the last text. */
static const char *take_id(struct arena *arena, struct span *spans) {
  struct span *last = spans;
  while (last != NULL && last->next != NULL)
    last = last->next;
  if (last == NULL || last->type != SPAN_TEXT) return NULL;
  size_t length = strlen(last->text);
  const char *open = strrchr(last->text, '{');
  if (open == NULL || open[1] != '#' || last->text[length - 1] != '}')
    return NULL;
  const char *id = open + 2;
  size_t id_length = length - 1 - (size_t)(id - last->text);
  if (id_length == 0 || markdown_id_length(id, id_length) != id_length)
    return NULL;
  const char *copy = arena_copy(arena, id, id_length);
  last->text = arena_copy(arena, last->text, (size_t)(open - last->text));
  return copy;
}

static int finish_spans(struct markdown_reader *reader, struct span **spans) {
  *spans = trim(reader->arena, *spans);
  markdown_typography(reader->arena, reader->document->language, *spans);
  return check_inline(reader, *spans);
}

static int finish_heading(struct markdown_reader *reader, struct block *block) {
  block->spans = trim(reader->arena, block->spans);
  block->id = take_id(reader->arena, block->spans);
  if (finish_spans(reader, &block->spans) != 0) return -1;
  if (block->spans == NULL)
    return fail(reader, block->place, "a heading without words");
  return 0;
}

/* ---- tables -------------------------------------------------------------- */

static int finish_cells(struct markdown_reader *reader,
                        struct table_cell *cells, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (finish_spans(reader, &cells[i].spans) != 0) return -1;
  return 0;
}

static int finish_table(struct markdown_reader *reader, struct block *block) {
  struct table *table = block->table;
  if (finish_cells(reader, table->head, table->columns) != 0 ||
      finish_cells(reader, table->cells, table->rows * table->columns) != 0)
    return -1;
  if (block->spans != NULL) block->number = ++reader->tables;
  return 0;
}

static const char caption_mark[] = "Table: ";

static bool is_caption(const struct block *block) {
  return block->type == BLOCK_PARAGRAPH && block->spans != NULL &&
         block->spans->type == SPAN_TEXT &&
         strncmp(block->spans->text, caption_mark, strlen(caption_mark)) == 0;
}

/* A paragraph `Table: ...` becomes the caption of the table that follows. */
static int join_caption(struct markdown_reader *reader, struct block **at) {
  struct block *caption = *at, *table = caption->next;
  if (table == NULL || table->type != BLOCK_TABLE)
    return fail(reader, caption->place,
                "a paragraph that starts with `Table:` must stand before a "
                "table");
  drop(caption->spans, strlen(caption_mark));
  caption->spans = trim(reader->arena, caption->spans);
  table->id = take_id(reader->arena, caption->spans);
  if (finish_spans(reader, &caption->spans) != 0) return -1;
  if (caption->spans == NULL)
    return fail(reader, caption->place, "an empty caption");
  table->spans = caption->spans;
  *at = table;
  return 0;
}

/* ---- paragraphs ---------------------------------------------------------- */

static int finish_figure(struct markdown_reader *reader, struct block *figure) {
  if (figure->spans == NULL) return 0;
  figure->number = ++reader->figures;
  return finish_spans(reader, &figure->spans);
}

/* Cut the paragraph at items that are blocks; `at` becomes the last part. */
static int split_paragraph(struct markdown_reader *reader, struct block ***at) {
  struct block *paragraph = **at, *rest = paragraph->next;
  struct block **tail = *at;
  struct span *span = paragraph->spans;
  bool continues = false;
  while (span != NULL) {
    struct span *first = span, **cut = &first;
    while (*cut != NULL && !is_lifted(*cut))
      cut = &(*cut)->next;
    struct span *lifted = *cut;
    *cut = NULL;
    first = trim(reader->arena, first);
    if (check_inline(reader, first) != 0) return -1;
    if (first != NULL) {
      struct block *part = arena_alloc(reader->arena, sizeof *part);
      *part = *paragraph;
      part->spans = first;
      part->place = first->place;
      part->continues = continues;
      *tail = part;
      tail = &part->next;
    }
    if (lifted == NULL) break;
    struct block *block = (struct block *)lifted->target;
    if (block->type == BLOCK_FIGURE && finish_figure(reader, block) != 0)
      return -1;
    *tail = block;
    tail = &block->next;
    span = lifted->next;
    continues = block->type == BLOCK_MATHS;
  }
  *tail = rest;
  *at = tail;
  return 0;
}

static int finish_paragraph(struct markdown_reader *reader,
                            struct block ***at) {
  struct block *block = **at;
  markdown_typography(reader->arena, reader->document->language, block->spans);
  return split_paragraph(reader, at);
}

/* `*at` is the block's place in its list; moves to the next one's. */
static int finish_block(struct markdown_reader *reader, struct block ***at) {
  struct block *block = **at;
  if (is_caption(block) && join_caption(reader, *at) != 0) return -1;
  block = **at;
  int status = 0;
  switch (block->type) {
  case BLOCK_PARAGRAPH:
    return finish_paragraph(reader, at);
  case BLOCK_HEADING:
    status = finish_heading(reader, block);
    break;
  case BLOCK_TABLE:
    status = finish_table(reader, block);
    break;
  default:
    status = markdown_finish(reader, &block->child);
    break;
  }
  *at = &block->next;
  return status;
}

int markdown_finish(struct markdown_reader *reader, struct block **blocks) {
  struct block **at = blocks;
  while (*at != NULL)
    if (finish_block(reader, &at) != 0) return -1;
  return 0;
}
