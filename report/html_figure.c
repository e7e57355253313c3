#define _GNU_SOURCE
#include <expat.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "report/base/file.h"
#include "report/html_text.h"
#include "report/html_writer.h"

struct drawing {
  XML_Parser parser;
  struct buffer *out;
  const struct block *figure;
  const char *label; /* "Figure 1", "" without a number */
  int index;         /* makes ids unique in the page */
  int depth;         /* of open elements */
  int skipped;       /* depth of an element that is left out; 0: none */
  bool open;         /* a start tag lacks its `>` */
  bool failed;
  struct error *err;
};

static void fail(struct drawing *drawing, const char *format,
                 const char *argument) {
  if (drawing->failed) return;
  struct place place = {drawing->figure->path,
                        (int)XML_GetCurrentLineNumber(drawing->parser),
                        (int)XML_GetCurrentColumnNumber(drawing->parser) + 1};
  struct buffer message = {0};
  buffer_text(&message, format);
  buffer_text(&message, argument);
  error_at(drawing->err, place, "%s", message.bytes);
  buffer_free(&message);
  drawing->failed = true;
  XML_StopParser(drawing->parser, XML_FALSE);
}

static void close_tag(struct drawing *drawing) {
  if (drawing->open) buffer_char(drawing->out, '>');
  drawing->open = false;
}

/* ---- attributes ---------------------------------------------------------- */

/* A value with `url(#id)` led to the id's new name. */
static void write_value(struct drawing *drawing, const char *value) {
  static const char mark[] = "url(#";
  struct buffer text = {0};
  for (const char *found; (found = strstr(value, mark)) != NULL;) {
    buffer_add(&text, value, (size_t)(found - value) + strlen(mark));
    buffer_printf(&text, "f%d-", drawing->index);
    value = found + strlen(mark);
  }
  buffer_text(&text, value);
  html_text(drawing->out, text.bytes);
  buffer_free(&text);
}

/* Inside of a page small and capital letters of names are the same. */
static bool is(const char *name, const char *other) {
  return strcasecmp(name, other) == 0;
}

static bool is_left_out(const struct drawing *drawing, const char *name) {
  if (strncmp(name, "xmlns", 5) == 0 || is(name, "xml:space")) return true;
  return drawing->depth == 1 &&
         (is(name, "width") || is(name, "height") || is(name, "role") ||
          is(name, "version") || is(name, "id") ||
          strncmp(name, "aria-", 5) == 0);
}

/* Whether the value names anything but parts of the drawing. */
static bool leads_outside(const char *value) {
  while ((value = strcasestr(value, "url(")) != NULL) {
    value += strlen("url(");
    if (*value != '#') return true;
  }
  return false;
}

static void write_attribute(struct drawing *drawing, const char *name,
                            const char *value) {
  bool link = is(name, "xlink:href") || is(name, "href");
  if (is_left_out(drawing, name)) return;
  if (strncasecmp(name, "on", 2) == 0) {
    fail(drawing, "a figure must not run a program: ", name);
  } else if (link && value[0] != '#') {
    fail(drawing, "a figure must not use another file: ", value);
  } else if (leads_outside(value)) {
    fail(drawing, "a figure must not use another file: ", value);
  } else if (is(name, "id") || link) {
    buffer_printf(drawing->out, " %s=\"%sf%d-", link ? "href" : "id",
                  link ? "#" : "", drawing->index);
    html_text(drawing->out, value + link);
    buffer_char(drawing->out, '"');
  } else {
    buffer_printf(drawing->out, " %s=\"", name);
    write_value(drawing, value);
    buffer_char(drawing->out, '"');
  }
}

/* ---- elements ------------------------------------------------------------ */

/* What the drawing shows, for readers who cannot see it. */
static void write_alternative(struct drawing *drawing) {
  struct buffer *out = drawing->out;
  bool labelled = *drawing->label != 0;
  buffer_printf(out, " role=\"img\" aria-labelledby=\"");
  if (labelled) buffer_printf(out, "figure:%d:title ", drawing->index);
  buffer_printf(out, "figure:%d:text\">\n", drawing->index);
  drawing->open = false;
  if (labelled) {
    buffer_printf(out, "<title id=\"figure:%d:title\">", drawing->index);
    html_text(out, drawing->label);
    buffer_text(out, "</title>\n");
  }
  buffer_printf(out, "<desc id=\"figure:%d:text\">", drawing->index);
  html_text(out, drawing->figure->alt);
  buffer_text(out, "</desc>\n");
}

/* Elements that draw. Others could run programs, load files or, as HTML's own
 * do, end the drawing. */
static bool is_allowed(const char *name) {
  static const char *const names[] = {"svg",
                                      "g",
                                      "defs",
                                      "symbol",
                                      "use",
                                      "path",
                                      "rect",
                                      "circle",
                                      "ellipse",
                                      "line",
                                      "polyline",
                                      "polygon",
                                      "text",
                                      "tspan",
                                      "title",
                                      "desc",
                                      "metadata",
                                      "linearGradient",
                                      "radialGradient",
                                      "stop",
                                      "pattern",
                                      "marker",
                                      "clipPath",
                                      "mask"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static bool has_view_box(const XML_Char **attributes) {
  for (; attributes[0] != NULL; attributes += 2)
    if (is(attributes[0], "viewBox")) return true;
  return false;
}

static void start_element(void *user, const XML_Char *name,
                          const XML_Char **attributes) {
  enum { DEEPEST = 100 };
  struct drawing *drawing = user;
  drawing->depth++;
  if (drawing->skipped != 0 || drawing->failed) return;
  if (drawing->depth == 1 && !is(name, "svg"))
    fail(drawing, "a figure must be SVG, not ", name);
  if (drawing->depth == 1 && !has_view_box(attributes))
    fail(drawing, "the figure lacks a viewBox", "");
  if (drawing->depth > DEEPEST)
    fail(drawing, "the figure's elements are nested too deep", "");
  if (!is_allowed(name))
    fail(drawing, "a figure must not hold the element ", name);
  if (is(name, "title") || is(name, "desc") || is(name, "metadata")) {
    drawing->skipped = drawing->depth;
    return;
  }
  close_tag(drawing);
  buffer_printf(drawing->out, "<%s", name);
  for (; attributes[0] != NULL && !drawing->failed; attributes += 2)
    write_attribute(drawing, attributes[0], attributes[1]);
  drawing->open = true;
  if (drawing->depth == 1) write_alternative(drawing);
}

static void end_element(void *user, const XML_Char *name) {
  struct drawing *drawing = user;
  int depth = drawing->depth--;
  if (drawing->skipped != 0) {
    if (depth == drawing->skipped) drawing->skipped = 0;
    return;
  }
  if (drawing->open)
    buffer_text(drawing->out, "/>");
  else
    buffer_printf(drawing->out, "</%s>", name);
  drawing->open = false;
}

static void character_data(void *user, const XML_Char *text, int length) {
  struct drawing *drawing = user;
  if (drawing->skipped != 0 || drawing->failed) return;
  struct buffer copy = {0};
  buffer_add(&copy, text, (size_t)length);
  close_tag(drawing);
  html_text(drawing->out, copy.bytes);
  buffer_free(&copy);
}

static void start_doctype(void *user, const XML_Char *name,
                          const XML_Char *system, const XML_Char *public_id,
                          int internal) {
  (void)name, (void)system, (void)public_id;
  if (internal) fail(user, "a figure must not define entities", "");
}

static int parse(struct drawing *drawing, const struct buffer *file) {
  XML_Parser parser = drawing->parser;
  XML_SetUserData(parser, drawing);
  XML_SetElementHandler(parser, start_element, end_element);
  XML_SetCharacterDataHandler(parser, character_data);
  XML_SetStartDoctypeDeclHandler(parser, start_doctype);
  enum XML_Status status =
      XML_Parse(parser, file->bytes, (int)file->length, XML_TRUE);
  if (drawing->failed) return -1;
  if (status == XML_STATUS_OK) return 0;
  fail(drawing, "", XML_ErrorString(XML_GetErrorCode(parser)));
  return -1;
}

int html_figure_drawing(struct html_writer *writer,
                        const struct block *figure) {
  enum { LARGEST = 64 << 20 };
  struct buffer file = {0}, label = {0};
  int status = -1;
  struct drawing drawing = {.out = writer->out,
                            .figure = figure,
                            .label = "",
                            .index = ++writer->figures,
                            .err = writer->err};
  struct error cause;
  if (file_read(figure->path, &file, &cause) != 0) {
    error_at(writer->err, figure->place, "%s", cause.text);
    goto cleanup;
  }
  if (file.length == 0 || file.length > LARGEST) {
    error_at(writer->err, figure->place, "%s is %s", figure->path,
             file.length == 0 ? "empty" : "larger than 64 MB");
    goto cleanup;
  }
  if (figure->number > 0) {
    buffer_printf(&label, "%s %d",
                  document_label(writer->document, LABEL_FIGURE),
                  figure->number);
    drawing.label = label.bytes;
  }
  drawing.parser = XML_ParserCreate("UTF-8");
  if (drawing.parser == NULL) {
    error_set(writer->err, "%s: out of memory in the XML parser", figure->path);
    goto cleanup;
  }
  buffer_text(writer->out, "<div class=\"drawing\">");
  status = parse(&drawing, &file);
  buffer_text(writer->out, "</div>\n");

cleanup:
  if (drawing.parser != NULL) XML_ParserFree(drawing.parser);
  buffer_free(&file);
  buffer_free(&label);
  return status;
}
