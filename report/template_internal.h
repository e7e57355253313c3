/* The parsed template, shared by parser and renderer. */
#ifndef REPORT_TEMPLATE_INTERNAL_H
#define REPORT_TEMPLATE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/base/memory.h"
#include "report/format.h"
#include "report/template.h"

enum {
  TEMPLATE_SECTIONS = 100, /* open at once in one file */
  TEMPLATE_PARTIALS = 50   /* open at once */
};

enum template_node_kind {
  NODE_TEXT,
  NODE_INDENT, /* a partial's indentation */
  NODE_VALUE,
  NODE_SECTION,
  NODE_INVERTED,
  NODE_PARTIAL
};

struct template_node {
  enum template_node_kind kind;
  struct place at;  /* of the text or of the tag */
  const char *text; /* text; tag's name */
  size_t length;
  const char **path; /* the name's parts; no parts: the item itself */
  size_t parts;
  bool raw;                   /* value: not escaped */
  struct format format;       /* value */
  const char *format_text;    /* value: as written, "" without one */
  const char *indent;         /* partial */
  struct template_node *body; /* section */
  struct template_node *next;
};

/* Parse `text`, every line behind `indent`, into nodes owned by `arena`. */
int template_parse(const char *name, const char *text, size_t length,
                   const char *indent, enum template_mode mode, bool document,
                   struct arena *arena, struct template_node **out,
                   struct error *err);

#endif
