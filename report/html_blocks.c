#include <string.h>

#include "report/html_text.h"
#include "report/html_writer.h"
#include "report/math_mathml.h"

static void write_id(struct html_writer *writer, const struct block *block) {
  if (block->id == NULL) return;
  buffer_text(writer->out, " id=\"");
  html_text(writer->out, block->id);
  buffer_char(writer->out, '"');
}

static void write_heading(struct html_writer *writer,
                          const struct block *block) {
  int level = block->level + writer->lift;
  if (level > 6) level = 6;
  buffer_printf(writer->out, "<h%d", level);
  write_id(writer, block);
  buffer_char(writer->out, '>');
  html_spans(writer, block->spans);
  if (block->aside != NULL) {
    buffer_text(writer->out, " <span class=\"aside\">");
    html_spans(writer, block->aside);
    buffer_text(writer->out, "</span>");
  }
  buffer_printf(writer->out, "</h%d>\n", level);
}

/* ---- blocks that programs make ------------------------------------------- */

static int write_group(struct html_writer *writer, const struct block *block) {
  struct buffer *out = writer->out;
  buffer_text(out, block->spans ? "<div class=\"entry\"" : "<section");
  write_id(writer, block);
  buffer_text(out, ">\n");
  if (block->spans) {
    buffer_text(out, "<p class=\"label\">");
    html_spans(writer, block->spans);
    buffer_text(out, "</p>\n");
  }
  if (html_blocks(writer, block->child) != 0) return -1;
  buffer_text(out, block->spans ? "</div>\n" : "</section>\n");
  return 0;
}

static int write_fold(struct html_writer *writer, const struct block *block) {
  struct buffer *out = writer->out;
  buffer_text(out, "<details>\n<summary");
  if (block->level == 0) write_id(writer, block);
  buffer_char(out, '>');
  if (block->level > 0)
    write_heading(writer, block);
  else
    html_spans(writer, block->spans);
  buffer_text(out, "</summary>\n");
  if (html_blocks(writer, block->child) != 0) return -1;
  buffer_text(out, "</details>\n");
  return 0;
}

static void write_paragraph(struct html_writer *writer,
                            const struct block *block) {
  buffer_text(writer->out,
              block->continues ? "<p class=\"continues\">" : "<p>");
  html_spans(writer, block->spans);
  buffer_text(writer->out, "</p>\n");
}

/* ---- lists --------------------------------------------------------------- */

static void write_cross(struct html_writer *writer) {
  buffer_text(writer->out, "<span class=\"cross\">\u2717</span> ");
}

/* Paragraphs of a tight list are set without <p>. What is crossed begins with
 * a paragraph. */
static int write_item(struct html_writer *writer, const struct block *item,
                      bool tight) {
  const struct block *block = item->child;
  buffer_text(writer->out, "<li>");
  if (item->is_crossed && block != NULL && !tight) {
    buffer_text(writer->out, "<p>");
    write_cross(writer);
    html_spans(writer, block->spans);
    buffer_text(writer->out, "</p>\n");
    block = block->next;
  } else if (item->is_crossed) {
    write_cross(writer);
  }
  if (tight && block != NULL && block->type == BLOCK_PARAGRAPH) {
    html_spans(writer, block->spans);
    block = block->next;
    if (block != NULL) buffer_char(writer->out, '\n');
  }
  if (html_blocks(writer, block) != 0) return -1;
  buffer_text(writer->out, "</li>\n");
  return 0;
}

static int write_list(struct html_writer *writer, const struct block *list) {
  struct buffer *out = writer->out;
  buffer_text(out, list->ordered ? "<ol" : "<ul");
  if (list->ordered && list->start != 1)
    buffer_printf(out, " start=\"%u\"", list->start);
  if (list->steps || !list->tight)
    buffer_printf(out, " class=\"%s\"", list->steps ? "steps" : "loose");
  buffer_text(out, ">\n");
  for (const struct block *item = list->child; item != NULL; item = item->next)
    if (write_item(writer, item, list->tight) != 0) return -1;
  buffer_text(out, list->ordered ? "</ol>\n" : "</ul>\n");
  return 0;
}

/* ---- code ---------------------------------------------------------------- */

/* The first word of the info string names the language; `output` is what a
 * program printed. */
static void write_code(struct html_writer *writer, const struct block *block) {
  struct buffer *out = writer->out;
  size_t language = strcspn(block->info, " \t{");
  bool output = language == 6 && strncmp(block->info, "output", 6) == 0;
  const char *element = output ? "samp" : "code";
  buffer_text(out, output ? "<pre class=\"output\" tabindex=\"0\">"
                          : "<pre tabindex=\"0\">");
  buffer_printf(out, "<%s", element);
  if (!output && language > 0) {
    buffer_text(out, " class=\"language-");
    struct buffer name = {0};
    buffer_add(&name, block->info, language);
    html_text(out, name.bytes);
    buffer_free(&name);
    buffer_char(out, '"');
  }
  buffer_char(out, '>');
  html_sourced_text(writer, block->text, &block->text_origins, 0,
                    strlen(block->text));
  buffer_printf(out, "</%s></pre>\n", element);
}

/* ---- tables and figures -------------------------------------------------- */

static void write_label(struct html_writer *writer, enum document_label label,
                        const struct block *block) {
  if (block->number == 0) return;
  buffer_text(writer->out, "<span class=\"label\">");
  html_text(writer->out, document_label(writer->document, label));
  buffer_printf(writer->out, "\u00a0%d.</span> ", block->number);
}

static void write_cell(struct html_writer *writer, const char *element,
                       char align, const struct table_cell *cell) {
  buffer_printf(writer->out, "<%s%s", element,
                element[1] == 'h' ? " scope=\"col\"" : "");
  if (align != 0) buffer_printf(writer->out, " class=\"%c\"", align);
  buffer_char(writer->out, '>');
  html_spans(writer, cell->spans);
  buffer_printf(writer->out, "</%s>", element);
}

static void write_rows(struct html_writer *writer, const struct table *table) {
  struct buffer *out = writer->out;
  buffer_text(out, "<thead>\n<tr>");
  for (size_t j = 0; j < table->columns; j++) {
    /* A corner without words heads nothing. */
    const char *element = table->head[j].spans == NULL ? "td" : "th";
    write_cell(writer, element, table->align[j], &table->head[j]);
  }
  buffer_text(out, "</tr>\n</thead>\n<tbody>\n");
  for (size_t i = 0; i < table->rows; i++) {
    buffer_text(out, "<tr>");
    for (size_t j = 0; j < table->columns; j++)
      write_cell(writer, "td", table->align[j],
                 &table->cells[i * table->columns + j]);
    buffer_text(out, "</tr>\n");
  }
  buffer_text(out, "</tbody>\n");
}

/* The box around the table scrolls, and takes the keyboard for that. */
static void write_table(struct html_writer *writer, const struct block *block) {
  struct buffer *out = writer->out;
  buffer_text(out, "<div class=\"table\"");
  write_id(writer, block);
  if (block->number > 0)
    buffer_printf(out,
                  " role=\"region\" aria-labelledby=\"table:%d\" "
                  "tabindex=\"0\"",
                  block->number);
  buffer_text(out, ">\n<table>\n");
  if (block->number > 0) {
    buffer_printf(out, "<caption id=\"table:%d\">", block->number);
    write_label(writer, LABEL_TABLE, block);
    html_spans(writer, block->spans);
    buffer_text(out, "</caption>\n");
  }
  write_rows(writer, block->table);
  buffer_text(out, "</table>\n</div>\n");
}

static int write_figure(struct html_writer *writer, const struct block *block) {
  struct buffer *out = writer->out;
  buffer_text(out, "<figure");
  write_id(writer, block);
  buffer_text(out, ">\n");
  if (html_figure_drawing(writer, block) != 0) return -1;
  if (block->spans != NULL) {
    buffer_text(out, "<figcaption>");
    write_label(writer, LABEL_FIGURE, block);
    html_spans(writer, block->spans);
    buffer_text(out, "</figcaption>\n");
  }
  buffer_text(out, "</figure>\n");
  return 0;
}

/* ---- references ---------------------------------------------------------- */

static void write_references(struct html_writer *writer) {
  const struct document *document = writer->document;
  struct buffer *out = writer->out;
  buffer_text(out, "<ol class=\"references\">\n");
  for (size_t i = 0; i < document->reference_count; i++) {
    const struct reference *entry = document->references[i];
    buffer_printf(out, "<li id=\"reference:%d\">", entry->number);
    html_spans(writer, entry->spans);
    html_back_links(writer, "reference", entry->number, entry->marks);
    buffer_text(out, "</li>\n");
  }
  buffer_text(out, "</ol>\n");
}

/* ---- all ----------------------------------------------------------------- */

static int write_block(struct html_writer *writer, const struct block *block) {
  struct buffer *out = writer->out;
  switch (block->type) {
  case BLOCK_HEADING:
    write_heading(writer, block);
    return 0;
  case BLOCK_PARAGRAPH:
    write_paragraph(writer, block);
    return 0;
  case BLOCK_LIST:
    return write_list(writer, block);
  case BLOCK_ITEM:
    return 0; /* written by its list */
  case BLOCK_QUOTE:
    buffer_text(out, "<blockquote>\n");
    if (html_blocks(writer, block->child) != 0) return -1;
    buffer_text(out, "</blockquote>\n");
    return 0;
  case BLOCK_CODE:
    write_code(writer, block);
    return 0;
  case BLOCK_RULE:
    buffer_text(out, "<hr>\n");
    return 0;
  case BLOCK_TABLE:
    write_table(writer, block);
    return 0;
  case BLOCK_MATHS:
    buffer_text(out, "<div class=\"display\">");
    math_mathml(block->formula, out);
    buffer_text(out, "</div>\n");
    return 0;
  case BLOCK_FIGURE:
    return write_figure(writer, block);
  case BLOCK_REFERENCES:
    write_references(writer);
    return 0;
  case BLOCK_GROUP:
    return write_group(writer, block);
  case BLOCK_FOLD:
    return write_fold(writer, block);
  case BLOCK_PAGE_BREAK:
  case BLOCK_WORK_SPACE:
    return 0; /* of paper alone */
  }
  return 0;
}

int html_blocks(struct html_writer *writer, const struct block *blocks) {
  for (const struct block *block = blocks; block != NULL; block = block->next)
    if (write_block(writer, block) != 0) return -1;
  return 0;
}
