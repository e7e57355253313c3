#include "report/html.h"

#include <string.h>

#include "report/html_text.h"
#include "report/html_writer.h"

static const char *front(const struct html_writer *writer, const char *key) {
  return front_matter_value(&writer->document->front, key, "");
}

/* ---- the head ------------------------------------------------------------ */

static void write_meta(struct html_writer *writer, const char *name,
                       const char *value) {
  if (*value == 0) return;
  buffer_printf(writer->out, "<meta name=\"%s\" content=\"", name);
  html_text(writer->out, value);
  buffer_text(writer->out, "\">\n");
}

static const struct block *first_heading(const struct document *document) {
  const struct block *block = document->blocks;
  while (block != NULL && block->type != BLOCK_HEADING)
    block = block->next;
  return block;
}

static int check_title(struct html_writer *writer) {
  if (*front(writer, "title") != 0 || first_heading(writer->document) != NULL)
    return 0;
  return error_at(
      writer->err, source_map_place(&writer->document->map, 0),
      "the page has no title: write `title:` into its front matter");
}

static void write_title(struct html_writer *writer) {
  struct buffer title = {0};
  const struct block *heading = first_heading(writer->document);
  buffer_text(&title, front(writer, "title"));
  if (title.length == 0 && heading != NULL)
    document_plain_text(heading->spans, &title);
  buffer_text(writer->out, "<title>");
  if (title.length > 0) html_text(writer->out, title.bytes);
  buffer_text(writer->out, "</title>\n");
  buffer_free(&title);
}

static void write_head(struct html_writer *writer, const char *style) {
  struct buffer *out = writer->out;
  buffer_text(out, "<!DOCTYPE html>\n<html lang=\"");
  html_text(out, writer->document->language);
  buffer_text(out, "\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, "
                   "initial-scale=1\">\n");
  write_title(writer);
  write_meta(writer, "author", front(writer, "author"));
  write_meta(writer, "description", front(writer, "description"));
  write_meta(writer, "keywords", front(writer, "keywords"));
  write_meta(writer, "generator", "Pinpress");
  write_meta(writer, "color-scheme", "light dark");
  buffer_text(out, "<style>\n");
  buffer_text(out, style);
  buffer_text(out, "</style>\n</head>\n");
}

/* A field's text in an element; nothing without the field. */
static void write_field(struct html_writer *writer, const char *open,
                        const char *key, const char *close) {
  const struct front_field *field =
      front_matter_field(&writer->document->front, key);
  if (field == NULL || *field->value == 0) return;
  buffer_text(writer->out, open);
  html_sourced_text(writer, field->value, &field->origins, 0,
                    strlen(field->value));
  buffer_text(writer->out, close);
}

static void write_header(struct html_writer *writer) {
  if (*front(writer, "title") == 0) return;
  buffer_text(writer->out, "<header>\n");
  write_field(writer, "<p class=\"school\">", "school", "</p>\n");
  write_field(writer, "<p class=\"course\">", "course", "</p>\n");
  write_field(writer, "<h1>", "title", "</h1>\n");
  write_field(writer, "<p class=\"subtitle\">", "subtitle", "</p>\n");
  write_field(writer, "<p class=\"author\">", "author", "</p>\n");
  write_field(writer, "<p class=\"date\">", "date", "</p>\n");
  buffer_text(writer->out, "</header>\n");
}

/* ---- the table of contents ----------------------------------------------- */

/* Headings of the two upper levels; of the document itself, not of quotes. */
struct contents {
  struct html_writer *writer;
  int top;   /* level that is outermost */
  bool open; /* an item of the outer list */
  bool inner;
};

static void write_entry(struct html_writer *writer,
                        const struct block *heading) {
  buffer_text(writer->out, "<a href=\"#");
  html_text(writer->out, heading->id);
  buffer_text(writer->out, "\">");
  writer->inert = true;
  html_spans(writer, heading->spans);
  writer->inert = false;
  buffer_text(writer->out, "</a>");
}

static void add_heading(struct contents *contents,
                        const struct block *heading) {
  struct buffer *out = contents->writer->out;
  bool inner = heading->level == contents->top + 1;
  if (heading->level > contents->top + 1) return;
  if (inner && !contents->open) return;
  if (inner && !contents->inner) buffer_text(out, "\n<ul>");
  if (!inner && contents->inner) buffer_text(out, "</li>\n</ul>");
  if (inner == contents->inner && contents->open) buffer_text(out, "</li>");
  if (!inner && contents->inner) buffer_text(out, "</li>");
  buffer_text(out, "\n<li>");
  write_entry(contents->writer, heading);
  contents->open = true;
  contents->inner = inner;
}

/* A group is transparent; so is the heading of a fold, not what it hides. */
static bool is_listed(const struct block *block) {
  return block->type == BLOCK_HEADING ||
         (block->type == BLOCK_FOLD && block->level > 0);
}

static void add_headings(struct contents *contents,
                         const struct block *blocks) {
  for (const struct block *b = blocks; b != NULL; b = b->next) {
    if (is_listed(b)) add_heading(contents, b);
    if (b->type == BLOCK_GROUP) add_headings(contents, b->child);
  }
}

static void count_entries(const struct block *blocks, int deepest, int *count) {
  for (const struct block *b = blocks; b != NULL; b = b->next) {
    *count += is_listed(b) && b->level <= deepest;
    if (b->type == BLOCK_GROUP) count_entries(b->child, deepest, count);
  }
}

static void write_contents(struct html_writer *writer, int top) {
  enum { FEWEST = 3 };
  struct buffer *out = writer->out;
  struct contents contents = {.writer = writer, .top = top};
  int count = 0;
  count_entries(writer->document->blocks, top + 1, &count);
  if (count < FEWEST) return;
  buffer_text(out, "<nav aria-labelledby=\"page:contents\">\n"
                   "<p id=\"page:contents\">");
  html_text(out, document_label(writer->document, LABEL_CONTENTS));
  buffer_text(out, "</p>\n<ul>");
  add_headings(&contents, writer->document->blocks);
  if (contents.inner) buffer_text(out, "</li>\n</ul>");
  buffer_text(out, "</li>\n</ul>\n</nav>\n");
}

/* ---- notes --------------------------------------------------------------- */

static int write_note(struct html_writer *writer, const struct note *note) {
  struct buffer *out = writer->out;
  buffer_printf(out, "<li id=\"note:%d\">", note->number);
  /* Links back go behind the last words. */
  const struct block *block = note->blocks;
  for (; block->next != NULL; block = block->next) {
    struct block alone = *block;
    alone.next = NULL;
    if (html_blocks(writer, &alone) != 0) return -1;
  }
  if (block->type == BLOCK_PARAGRAPH) {
    buffer_text(out, "<p>");
    html_spans(writer, block->spans);
    html_back_links(writer, "note", note->number, note->marks);
    buffer_text(out, "</p>");
  } else {
    if (html_blocks(writer, block) != 0) return -1;
    html_back_links(writer, "note", note->number, note->marks);
  }
  buffer_text(out, "</li>\n");
  return 0;
}

static int write_notes(struct html_writer *writer) {
  const struct document *document = writer->document;
  struct buffer *out = writer->out;
  if (document->note_count == 0) return 0;
  buffer_text(out, "<section class=\"notes\" role=\"doc-endnotes\" "
                   "aria-labelledby=\"page:notes\">\n"
                   "<h2 id=\"page:notes\">");
  html_text(out, document_label(document, LABEL_NOTES));
  buffer_text(out, "</h2>\n<ol>\n");
  for (size_t i = 0; i < document->note_count; i++)
    if (write_note(writer, document->notes[i]) != 0) return -1;
  buffer_text(out, "</ol>\n</section>\n");
  return 0;
}

/* ---- the page ------------------------------------------------------------ */

static int top_level(const struct document *document) {
  int top = 6;
  for (const struct block *b = document->blocks; b != NULL; b = b->next)
    if (b->type == BLOCK_HEADING && b->level < top) top = b->level;
  return top;
}

/* What says that the page is not to be published. */
static void write_mark(struct html_writer *writer) {
  const char *mark = front_matter_value(&writer->document->front, "mark", NULL);
  if (mark == NULL) return;
  buffer_text(writer->out,
              "<p style=\"color:#c01010;font-weight:bold;text-align:center;"
              "position:sticky;top:0\">");
  html_text(writer->out, mark);
  buffer_text(writer->out, "</p>\n");
}

int html_write(const struct document *document, const char *style,
               struct buffer *out, struct error *err) {
  struct html_writer writer = {.document = document, .out = out, .err = err};
  int top = top_level(document);
  bool titled = *front_matter_value(&document->front, "title", "") != 0;
  writer.lift = (titled ? 2 : 1) - top;
  if (check_title(&writer) != 0) return -1;
  write_head(&writer, style);
  buffer_text(out, "<body>\n<a class=\"skip\" href=\"#page:text\">");
  html_text(out, document_label(document, LABEL_SKIP));
  buffer_text(out, "</a>\n");
  write_mark(&writer);
  write_header(&writer);
  write_contents(&writer, top);
  buffer_text(out, "<main id=\"page:text\">\n");
  if (html_blocks(&writer, document->blocks) != 0 || write_notes(&writer) != 0)
    return -1;
  buffer_text(out, "</main>\n</body>\n</html>\n");
  return 0;
}
