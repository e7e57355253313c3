#include "report/markdown.h"

#include <limits.h>
#include <md4c.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/buffer.h"
#include "report/markdown_reader.h"

int markdown_fail(struct markdown_reader *reader, size_t offset,
                  const char *format, ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return error_at(reader->err, source_map_place(&reader->document->map, offset),
                  "%s", message);
}

struct builder {
  struct markdown_reader *reader;
  const char *copy; /* the text that md4c reads */
  size_t offset;    /* of what was reported last */
  bool reported;    /* whether anything was */
  struct block *open[MARKDOWN_DEPTH + 1];
  struct block **tail[MARKDOWN_DEPTH + 1]; /* for children of open[i] */
  int depth;                               /* open[0] is the document */
  bool implied; /* open[depth] is the paragraph of a tight item */
  struct markdown_spans spans;
  struct span **outer[MARKDOWN_DEPTH + 1]; /* tails around open spans */
  int span_depth;
  size_t row, column; /* of the table */
  bool head;
  struct buffer code;
  struct origin_list code_origins;
  struct span *code_span;
};

static bool is_inside(const struct builder *builder, const char *text) {
  return text >= builder->copy &&
         text <= builder->copy + builder->reader->scan.length;
}

/* ---- blocks -------------------------------------------------------------- */

static void clear_code(struct builder *builder) {
  buffer_clear(&builder->code);
  builder->code_origins.count = 0;
}

static struct block *append_block(struct builder *builder,
                                  enum block_type type) {
  struct block *block = arena_alloc(builder->reader->arena, sizeof *block);
  block->type = type;
  *builder->tail[builder->depth] = block;
  builder->tail[builder->depth] = &block->next;
  return block;
}

/* Where a block without text stands: on the next line that is not blank. */
static size_t guess_offset(const struct builder *builder) {
  const struct markdown_scan *scan = &builder->reader->scan;
  size_t at = builder->offset;
  if (builder->reported)
    while (at < scan->length && scan->text[at] != '\n')
      at++;
  while (at < scan->length && strchr(" \t\r\n", scan->text[at]) != NULL)
    at++;
  return at < scan->length ? at : builder->offset;
}

static void close_block(struct builder *builder) {
  struct block *block = builder->open[builder->depth--];
  if (block->place.line == 0)
    block->place = source_map_place(&builder->reader->document->map,
                                    guess_offset(builder));
  builder->implied = false;
}

static int open_block(struct builder *builder, enum block_type type,
                      struct block **out) {
  if (builder->implied) close_block(builder);
  if (builder->depth == MARKDOWN_DEPTH)
    return markdown_fail(builder->reader, builder->offset,
                         "lists and quotes are nested deeper than %d levels",
                         MARKDOWN_DEPTH);
  struct block *block = append_block(builder, type);
  builder->open[++builder->depth] = block;
  builder->tail[builder->depth] = &block->child;
  builder->spans.tail = &block->spans;
  builder->span_depth = 0;
  *out = block;
  return 0;
}

/* The item of a tight list holds text without a paragraph. */
static int open_implied(struct builder *builder) {
  struct block *block = builder->open[builder->depth];
  if (builder->depth == 0 || block->type != BLOCK_ITEM) return 0;
  if (open_block(builder, BLOCK_PARAGRAPH, &block) != 0) return -1;
  builder->implied = true;
  return 0;
}

/* What was reported stands at `offset`: open blocks without a place get it. */
static void note_place(struct builder *builder, size_t offset) {
  builder->offset = offset;
  builder->reported = true;
  for (int i = builder->depth; i > 0; i--) {
    if (builder->open[i]->place.line != 0) return;
    builder->open[i]->place =
        source_map_place(&builder->reader->document->map, offset);
  }
}

/* An attribute of md4c's with its entities decoded. */
static const char *attribute_text(struct builder *builder,
                                  const MD_ATTRIBUTE *attribute) {
  struct buffer text = {0};
  for (size_t i = 0;
       attribute->size > 0 && attribute->substr_offsets[i] < attribute->size;
       i++) {
    size_t start = attribute->substr_offsets[i];
    size_t length = attribute->substr_offsets[i + 1] - start;
    const char *part = attribute->text + start;
    bool decoded = attribute->substr_types[i] == MD_TEXT_ENTITY &&
                   markdown_decode_entity(part, length, &text);
    if (!decoded) buffer_add(&text, part, length);
  }
  const char *copy = arena_copy(builder->reader->arena,
                                text.length > 0 ? text.bytes : "", text.length);
  buffer_free(&text);
  return copy;
}

static int open_table(struct builder *builder,
                      const MD_BLOCK_TABLE_DETAIL *detail) {
  enum { MOST_COLUMNS = 100 };
  struct block *block;
  if (detail->col_count > MOST_COLUMNS)
    return markdown_fail(builder->reader, builder->offset,
                         "a table of more than %d columns", MOST_COLUMNS);
  if (open_block(builder, BLOCK_TABLE, &block) != 0) return -1;
  struct arena *arena = builder->reader->arena;
  struct table *table = arena_alloc(arena, sizeof *table);
  table->columns = detail->col_count;
  table->rows = detail->body_row_count;
  table->align = arena_alloc(arena, table->columns + 1);
  table->head = arena_alloc(arena, table->columns * sizeof *table->head);
  table->cells =
      arena_alloc(arena, table->rows * table->columns * sizeof *table->cells);
  block->table = table;
  builder->row = 0;
  builder->head = true;
  return 0;
}

static void open_cell(struct builder *builder, MD_ALIGN align) {
  static const char letters[] = {[MD_ALIGN_DEFAULT] = 0,
                                 [MD_ALIGN_LEFT] = 'l',
                                 [MD_ALIGN_CENTER] = 'c',
                                 [MD_ALIGN_RIGHT] = 'r'};
  struct table *table = builder->open[builder->depth]->table;
  struct table_cell *cell =
      builder->head
          ? &table->head[builder->column]
          : &table->cells[builder->row * table->columns + builder->column];
  if (builder->head) ((char *)table->align)[builder->column] = letters[align];
  cell->place =
      source_map_place(&builder->reader->document->map, builder->offset);
  builder->spans.tail = &cell->spans;
  builder->span_depth = 0;
  builder->column++;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *user) {
  struct builder *builder = user;
  struct block *block = NULL;
  switch (type) {
  case MD_BLOCK_QUOTE:
    return open_block(builder, BLOCK_QUOTE, &block);
  case MD_BLOCK_UL:
    if (open_block(builder, BLOCK_LIST, &block) != 0) return -1;
    block->tight = ((MD_BLOCK_UL_DETAIL *)detail)->is_tight != 0;
    return 0;
  case MD_BLOCK_OL:
    if (open_block(builder, BLOCK_LIST, &block) != 0) return -1;
    block->ordered = true;
    block->start = ((MD_BLOCK_OL_DETAIL *)detail)->start;
    block->tight = ((MD_BLOCK_OL_DETAIL *)detail)->is_tight != 0;
    return 0;
  case MD_BLOCK_LI:
    return open_block(builder, BLOCK_ITEM, &block);
  case MD_BLOCK_HR:
    if (open_block(builder, BLOCK_RULE, &block) != 0) return -1;
    return 0;
  case MD_BLOCK_H:
    if (open_block(builder, BLOCK_HEADING, &block) != 0) return -1;
    block->level = (int)((MD_BLOCK_H_DETAIL *)detail)->level;
    return 0;
  case MD_BLOCK_CODE:
    if (open_block(builder, BLOCK_CODE, &block) != 0) return -1;
    block->info =
        attribute_text(builder, &((MD_BLOCK_CODE_DETAIL *)detail)->info);
    clear_code(builder);
    return 0;
  case MD_BLOCK_P:
    return open_block(builder, BLOCK_PARAGRAPH, &block);
  case MD_BLOCK_TABLE:
    return open_table(builder, detail);
  case MD_BLOCK_TR:
    builder->column = 0;
    return 0;
  case MD_BLOCK_TH:
  case MD_BLOCK_TD:
    open_cell(builder, ((MD_BLOCK_TD_DETAIL *)detail)->align);
    return 0;
  default:
    return 0;
  }
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *user) {
  struct builder *builder = user;
  (void)detail;
  switch (type) {
  case MD_BLOCK_DOC:
  case MD_BLOCK_HTML:
  case MD_BLOCK_TBODY:
  case MD_BLOCK_TH:
  case MD_BLOCK_TD:
    return 0;
  case MD_BLOCK_THEAD:
    builder->head = false;
    return 0;
  case MD_BLOCK_TR:
    builder->row += !builder->head;
    return 0;
  case MD_BLOCK_CODE:
    builder->open[builder->depth]->text =
        arena_copy(builder->reader->arena,
                   builder->code.length > 0 ? builder->code.bytes : "",
                   builder->code.length);
    builder->open[builder->depth]->text_origins =
        origin_list_keep(&builder->code_origins, builder->reader->arena);
    close_block(builder);
    return 0;
  default:
    if (builder->implied) close_block(builder);
    close_block(builder);
    return 0;
  }
}

/* ---- spans --------------------------------------------------------------- */

static int open_span(struct builder *builder, enum span_type type,
                     struct span **out) {
  if (open_implied(builder) != 0) return -1;
  if (builder->span_depth == MARKDOWN_DEPTH)
    return markdown_fail(builder->reader, builder->offset,
                         "emphasis is nested deeper than %d levels",
                         MARKDOWN_DEPTH);
  *out = markdown_add_span(&builder->spans, type, builder->offset);
  builder->outer[builder->span_depth++] = builder->spans.tail;
  builder->spans.tail = &(*out)->child;
  return 0;
}

/* Web addresses, mail, and paths; nothing that runs. */
static bool is_safe_url(const char *url) {
  static const char *const schemes[] = {"http:", "https:", "mailto:"};
  size_t plain = strcspn(url, ":/?#");
  if (url[plain] != ':') return true;
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    if (strncmp(url, schemes[i], plain + 1) == 0 && schemes[i][plain + 1] == 0)
      return true;
  return false;
}

static int open_link(struct builder *builder, const MD_SPAN_A_DETAIL *detail) {
  struct span *span;
  if (is_inside(builder, detail->href.text))
    note_place(builder, (size_t)(detail->href.text - builder->copy));
  if (open_span(builder, SPAN_LINK, &span) != 0) return -1;
  span->url = attribute_text(builder, &detail->href);
  if (!is_safe_url(span->url))
    return markdown_fail(builder->reader, builder->offset,
                         "links lead to http:, https:, mailto: or paths, not "
                         "to `%s`",
                         span->url);
  return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *user) {
  struct builder *builder = user;
  struct span *span = NULL;
  switch (type) {
  case MD_SPAN_EM:
    return open_span(builder, SPAN_EMPHASIS, &span);
  case MD_SPAN_STRONG:
    return open_span(builder, SPAN_STRONG, &span);
  case MD_SPAN_A:
    return open_link(builder, detail);
  case MD_SPAN_CODE:
    if (open_implied(builder) != 0) return -1;
    builder->code_span =
        markdown_add_span(&builder->spans, SPAN_CODE, builder->offset);
    clear_code(builder);
    return 0;
  case MD_SPAN_IMG:
    return markdown_fail(builder->reader, builder->offset,
                         "an image must be alone in its paragraph: "
                         "![alt text](path \"caption\"){#id}");
  default:
    return 0;
  }
}

static int leave_span(MD_SPANTYPE type, void *detail, void *user) {
  struct builder *builder = user;
  (void)detail;
  if (type == MD_SPAN_CODE) {
    builder->code_span->text =
        arena_copy(builder->reader->arena,
                   builder->code.length > 0 ? builder->code.bytes : "",
                   builder->code.length);
    builder->code_span->origins =
        origin_list_keep(&builder->code_origins, builder->reader->arena);
    builder->code_span = NULL;
  } else if (type == MD_SPAN_EM || type == MD_SPAN_STRONG ||
             type == MD_SPAN_A) {
    builder->spans.tail = builder->outer[--builder->span_depth];
  }
  return 0;
}

/* ---- text ---------------------------------------------------------------- */

static int read_code(struct builder *builder, const char *text, size_t length,
                     bool inside) {
  /* From the source: the copy may hide a dollar sign of an indented block. */
  const char *source =
      inside ? builder->reader->scan.text + builder->offset : text;
  if (builder->code_span != NULL && builder->code.length == 0)
    builder->code_span->place =
        source_map_place(&builder->reader->document->map, builder->offset);
  origin_list_add(&builder->code_origins,
                  (struct origin){.start = builder->code.length,
                                  .offset = builder->offset,
                                  .fixed = !inside});
  buffer_add(&builder->code, source, length);
  return 0;
}

static int read_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size,
                     void *user) {
  struct builder *builder = user;
  bool inside = is_inside(builder, text);
  if (inside) note_place(builder, (size_t)(text - builder->copy));
  if (type == MD_TEXT_CODE) return read_code(builder, text, size, inside);
  if (type == MD_TEXT_HTML)
    return markdown_fail(builder->reader, builder->offset,
                         "HTML is not part of the document language; write \\< "
                         "for the sign");
  if (open_implied(builder) != 0) return -1;
  switch (type) {
  case MD_TEXT_BR:
    markdown_add_span(&builder->spans, SPAN_HARD_BREAK, builder->offset);
    return 0;
  case MD_TEXT_SOFTBR:
    markdown_add_span(&builder->spans, SPAN_SOFT_BREAK, builder->offset);
    return 0;
  case MD_TEXT_ENTITY:
    return markdown_add_entity(&builder->spans, builder->offset, text, size);
  default:
    if (inside)
      return markdown_add_text(&builder->spans, builder->offset, size);
    markdown_add_span(&builder->spans, SPAN_TEXT, builder->offset)->text =
        arena_copy(builder->reader->arena, text, size);
    return 0;
  }
}

int markdown_read_range(struct markdown_reader *reader, const char *copy,
                        struct range range, struct block **out) {
  struct builder builder = {
      .reader = reader, .copy = copy, .offset = range.start};
  bool main_text = copy == reader->scan.body;
  const MD_PARSER parser = {
      .flags = MD_FLAG_TABLES | (main_text ? 0 : MD_FLAG_NOINDENTEDCODEBLOCKS),
      .enter_block = enter_block,
      .leave_block = leave_block,
      .enter_span = enter_span,
      .leave_span = leave_span,
      .text = read_text};
  *out = NULL;
  builder.tail[0] = out;
  builder.spans.reader = reader;
  snprintf(reader->err->text, sizeof reader->err->text, "%s",
           "out of memory in the Markdown parser");
  int status = md_parse(copy + range.start, (MD_SIZE)(range.end - range.start),
                        &parser, &builder);
  buffer_free(&builder.code);
  origin_list_free(&builder.code_origins);
  return status == 0 ? 0 : -1;
}

/* ---- the whole document -------------------------------------------------- */

static int read_definition(struct markdown_reader *reader, size_t index) {
  const struct markdown_definition *definition =
      &reader->scan.definitions[index];
  struct document *document = reader->document;
  const char *key =
      arena_copy(reader->arena, reader->scan.text + definition->key.start,
                 definition->key.end - definition->key.start);
  struct place place =
      source_map_place(&document->map, definition->key.start - 2);
  struct block *blocks;
  if (markdown_read_range(reader, reader->scan.parts, definition->content,
                          &blocks) != 0 ||
      markdown_finish(reader, &blocks) != 0)
    return -1;
  if (blocks == NULL)
    return error_at(reader->err, place, "`%s` is defined as nothing", key);
  if (definition->note) {
    struct note *note = arena_alloc(reader->arena, sizeof *note);
    *note = (struct note){.key = key, .place = place, .blocks = blocks};
    document->notes[document->note_count++] = note;
    return 0;
  }
  if (blocks->type != BLOCK_PARAGRAPH || blocks->next != NULL)
    return error_at(reader->err, place, "a reference must be one paragraph");
  struct reference *entry = arena_alloc(reader->arena, sizeof *entry);
  *entry = (struct reference){.key = key, .place = place};
  entry->spans = blocks->spans;
  document->references[document->reference_count++] = entry;
  return 0;
}

/* A language tag: letters, then groups of letters and digits. */
static int read_language(struct markdown_reader *reader) {
  struct document *document = reader->document;
  const struct front_field *field =
      front_matter_field(&document->front, "language");
  document->language = field != NULL ? field->value : "en";
  const char *tag = document->language;
  size_t first = strcspn(tag, "-"), length = strlen(tag);
  bool plain = strspn(tag, "abcdefghijklmnopqrstuvwxyz"
                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == length;
  if (plain && first >= 2 && first <= 3 && length < 36 &&
      tag[length - 1] != '-')
    return 0;
  return error_at(reader->err, field->place,
                  "a language is given as a tag such as en or de-CH");
}

static int read_body(struct markdown_reader *reader, size_t start) {
  struct document *document = reader->document;
  struct markdown_scan *scan = &reader->scan;
  struct range all = {start, scan->length};
  if (markdown_read_range(reader, scan->body, all, &document->blocks) != 0 ||
      markdown_finish(reader, &document->blocks) != 0)
    return -1;
  size_t count = scan->definition_count;
  document->notes = arena_alloc(reader->arena, count * sizeof(void *));
  document->references = arena_alloc(reader->arena, count * sizeof(void *));
  for (size_t i = 0; i < count; i++)
    if (read_definition(reader, i) != 0) return -1;
  return markdown_resolve(reader);
}

/* Fields that are read as text get the signs of text. */
static void set_fields(struct document *document) {
  static const char *const keys[] = {"title", "short-title", "subtitle",
                                     "description"};
  for (struct front_field *f = document->front.fields; f != NULL; f = f->next)
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
      struct span span = {
          .type = SPAN_TEXT, .place = f->place, .text = f->value};
      if (strcmp(f->key, keys[i]) != 0) continue;
      markdown_typography(&document->arena, document->language, &span);
      f->value = span.text;
    }
}

int markdown_parse(const char *path, const char *text, size_t length,
                   struct source_map *map, struct document *out,
                   struct error *err) {
  *out = (struct document){.map = *map};
  *map = (struct source_map){0};
  struct markdown_reader reader = {
      .path = path, .document = out, .arena = &out->arena, .err = err};
  size_t start;
  int status = -1;
  if (length > INT_MAX) {
    error_set(err, "%s: a document of more than 2 GB", path);
    goto cleanup;
  }
  if (front_matter_parse(text, length, &out->map, &out->arena, &out->front,
                         &start, err) != 0 ||
      read_language(&reader) != 0)
    goto cleanup;
  set_fields(out);
  if (markdown_scan(text, length, start, &out->map, &reader.scan, err) != 0)
    goto cleanup;
  status = read_body(&reader, start);

cleanup:
  markdown_scan_free(&reader.scan);
  if (status != 0) document_free(out);
  return status;
}
