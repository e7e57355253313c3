/* Mustache text to nodes.
 *
 *   template = (text | tag)*
 *   tag      = OPEN name [| format] CLOSE | OPEN { name [| format] } CLOSE
 *            | OPEN & name [| format] CLOSE | OPEN # name CLOSE
 *            | OPEN ^ name CLOSE | OPEN / name CLOSE | OPEN > name CLOSE
 *            | OPEN ! comment CLOSE | OPEN = open close = CLOSE
 *
 * A tag other than a value that stands alone on its line takes the line with
 * it ("standalone" in the specification). */
#include <string.h>

#include "report/template_internal.h"

enum { DELIMITER = 32 };

struct open_section {
  struct template_node *node;
  struct template_node **link; /* where the section's successor goes */
};

/* Counts lines up to `mark`, which moves forward only. */
struct cursor {
  const char *mark, *line_start;
  int line;
};

struct parser {
  const char *file, *text, *end;
  const char *at;                        /* not yet in nodes */
  struct cursor text_cursor, tag_cursor; /* a tag is read before the text */
  char open[DELIMITER], close[DELIMITER];
  const char *skip, *skip_end; /* the line that chose the delimiters */
  const char *indent;
  bool indent_due; /* a line has begun, its indentation is not yet out */
  struct template_node **link;
  struct open_section sections[TEMPLATE_SECTIONS];
  size_t depth;
  struct arena *arena;
  struct error *err;
};

/* A tag being read: [start, end) in the text; content without sigil. */
struct tag {
  const char *start, *end;
  const char *content, *content_end;
  struct place at;
  char sigil; /* # ^ / > ! = & { or 0 */
};

static struct place count_to(struct parser *p, struct cursor *c,
                             const char *at) {
  for (; c->mark < at; c->mark++)
    if (*c->mark == '\n') {
      c->line++;
      c->line_start = c->mark + 1;
    }
  return (struct place){p->file, c->line, (int)(at - c->line_start) + 1};
}

static struct place place_of(struct parser *p, const char *at) {
  return count_to(p, &p->tag_cursor, at);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static bool is_space(char c) {
  return is_blank(c) || c == '\n' || c == '\r';
}

static const char *find(const char *at, const char *end, const char *what) {
  size_t length = strlen(what);
  for (; (size_t)(end - at) >= length; at++) {
    at = memchr(at, what[0], (size_t)(end - at) - length + 1);
    if (at == NULL) return NULL;
    if (memcmp(at, what, length) == 0) return at;
  }
  return NULL;
}

/* ---- nodes --------------------------------------------------------------- */

static struct template_node *
add_node(struct parser *p, enum template_node_kind kind, struct place at) {
  struct template_node *node = arena_alloc(p->arena, sizeof *node);
  node->kind = kind;
  node->at = at;
  *p->link = node;
  p->link = &node->next;
  return node;
}

static void add_indent(struct parser *p, struct place at) {
  if (!p->indent_due) return;
  p->indent_due = false;
  struct template_node *node = add_node(p, NODE_INDENT, at);
  node->text = p->indent;
  node->length = strlen(p->indent);
}

/* Text up to `end`; in an indented partial one node a line. */
static void add_text(struct parser *p, const char *end) {
  while (p->at < end) {
    const char *stop = end;
    if (*p->indent != 0) {
      const char *newline = memchr(p->at, '\n', (size_t)(end - p->at));
      if (newline != NULL) stop = newline + 1;
    }
    struct place at = count_to(p, &p->text_cursor, p->at);
    add_indent(p, at);
    struct template_node *node = add_node(p, NODE_TEXT, at);
    node->text = p->at;
    node->length = (size_t)(stop - p->at);
    p->indent_due = *p->indent != 0 && stop[-1] == '\n';
    p->at = stop;
  }
}

/* ---- names --------------------------------------------------------------- */

static void trim(const char **start, const char **end) {
  while (*start < *end && is_space(**start))
    (*start)++;
  while (*end > *start && is_space((*end)[-1]))
    (*end)--;
}

static int bad_name(struct parser *p, const struct tag *tag) {
  return error_at(p->err, tag->at, "a tag wants one name between %s and %s",
                  p->open, p->close);
}

/* name = `.` | part (`.` part)* */
static int set_name(struct parser *p, const struct tag *tag,
                    struct template_node *node) {
  const char *start = tag->content, *end = tag->content_end;
  trim(&start, &end);
  if (start == end) return bad_name(p, tag);
  for (const char *c = start; c < end; c++)
    if ((unsigned char)*c <= ' ' || *c == 0x7f) return bad_name(p, tag);
  node->length = (size_t)(end - start);
  node->text = arena_copy(p->arena, start, node->length);
  if (strcmp(node->text, ".") == 0 || node->kind == NODE_PARTIAL) return 0;
  size_t parts = 1;
  for (const char *c = node->text; *c != 0; c++)
    parts += *c == '.';
  node->path = arena_alloc(p->arena, parts * sizeof *node->path);
  char *part = arena_copy(p->arena, node->text, node->length);
  for (char *dot; part != NULL; part = dot) {
    dot = strchr(part, '.');
    if (dot != NULL) *dot++ = 0;
    if (*part == 0)
      return error_at(p->err, tag->at, "name \"%s\" has an empty part",
                      node->text);
    node->path[node->parts++] = part;
  }
  return 0;
}

static int refuse_format(struct parser *p, const struct tag *tag) {
  size_t length = (size_t)(tag->content_end - tag->content);
  const char *bar = memchr(tag->content, '|', length);
  if (bar == NULL) return 0;
  return error_at(p->err, place_of(p, bar),
                  "only a printed value takes a format");
}

/* ---- tags ---------------------------------------------------------------- */

static int add_value(struct parser *p, struct tag *tag) {
  struct template_node *node = add_node(p, NODE_VALUE, tag->at);
  node->raw = tag->sigil != 0;
  node->format.precision = -1;
  size_t length = (size_t)(tag->content_end - tag->content);
  const char *bar = memchr(tag->content, '|', length);
  const char *end = tag->content_end;
  if (bar != NULL) tag->content_end = bar;
  if (set_name(p, tag, node) != 0) return -1;
  node->format_text = "";
  if (bar == NULL) return 0;
  const char *start = bar + 1, *stop = end;
  trim(&start, &stop);
  node->format_text = arena_copy(p->arena, start, (size_t)(stop - start));
  return format_parse(bar + 1, (size_t)(end - bar - 1), place_of(p, bar + 1),
                      &node->format, p->err);
}

static int open_section(struct parser *p, const struct tag *tag) {
  struct template_node *node =
      add_node(p, tag->sigil == '#' ? NODE_SECTION : NODE_INVERTED, tag->at);
  if (refuse_format(p, tag) != 0 || set_name(p, tag, node) != 0) return -1;
  if (p->depth == TEMPLATE_SECTIONS)
    return error_at(p->err, tag->at, "more than %d sections within another",
                    TEMPLATE_SECTIONS);
  p->sections[p->depth++] = (struct open_section){node, p->link};
  p->link = &node->body;
  return 0;
}

static int close_section(struct parser *p, const struct tag *tag) {
  struct template_node name = {0};
  if (refuse_format(p, tag) != 0 || set_name(p, tag, &name) != 0) return -1;
  if (p->depth == 0)
    return error_at(p->err, tag->at, "\"%s\" is closed but was not opened",
                    name.text);
  const struct open_section *section = &p->sections[--p->depth];
  if (strcmp(section->node->text, name.text) != 0)
    return error_at(p->err, tag->at,
                    "\"%s\" is closed, but \"%s\" of line %d is open",
                    name.text, section->node->text, section->node->at.line);
  p->link = section->link;
  return 0;
}

static int add_partial(struct parser *p, const struct tag *tag,
                       const char *line_indent, size_t length) {
  struct template_node *node = add_node(p, NODE_PARTIAL, tag->at);
  if (refuse_format(p, tag) != 0 || set_name(p, tag, node) != 0) return -1;
  if (node->text[0] == '/' || strstr(node->text, "..") != NULL)
    return error_at(p->err, tag->at,
                    "partial \"%s\" lies outside the partials' directory",
                    node->text);
  node->indent =
      arena_printf(p->arena, "%s%.*s", p->indent, (int)length, line_indent);
  return 0;
}

/* Two delimiters with blanks between them; no blank and no `=` inside. */
static int set_delimiters(struct parser *p, const char *start, const char *end,
                          struct place at) {
  trim(&start, &end);
  const char *gap = start;
  while (gap < end && !is_space(*gap))
    gap++;
  const char *second = gap;
  while (second < end && is_space(*second))
    second++;
  size_t first_length = (size_t)(gap - start);
  size_t second_length = (size_t)(end - second);
  bool good = first_length > 0 && second_length > 0 &&
              first_length < DELIMITER && second_length < DELIMITER;
  for (const char *c = start; c < end; c++)
    good = good && *c != '=' && !(c >= second && is_space(*c));
  if (!good)
    return error_at(p->err, at,
                    "two delimiters expected, as in <%% %%>; without '=' and "
                    "shorter than %d bytes",
                    DELIMITER);
  memcpy(p->open, start, first_length);
  p->open[first_length] = 0;
  memcpy(p->close, second, second_length);
  p->close[second_length] = 0;
  return 0;
}

/* From the delimiter at `start` to the end of the tag. */
static int read_tag(struct parser *p, const char *start, struct tag *tag) {
  char close[DELIMITER + 1] = "";
  *tag = (struct tag){.start = start, .at = place_of(p, start)};
  const char *c = start + strlen(p->open);
  while (c < p->end && is_blank(*c))
    c++;
  if (c < p->end && strchr("#^/>!=&{", *c) != NULL && *c != 0)
    tag->sigil = *c++;
  if (tag->sigil == '=') strcat(close, "=");
  if (tag->sigil == '{') strcat(close, "}");
  strcat(close, p->close);
  tag->content = c;
  tag->content_end = find(c, p->end, close);
  if (tag->content_end == NULL)
    return error_at(p->err, tag->at, "the tag is not closed: %s is missing",
                    close);
  tag->end = tag->content_end + strlen(close);
  return 0;
}

/* Whether the tag is alone on its line: then [*from, *to) is the line, its
 * newline included. */
static bool is_standalone(const struct parser *p, const struct tag *tag,
                          const char **from, const char **to) {
  if (tag->sigil == 0 || tag->sigil == '{' || tag->sigil == '&') return false;
  const char *left = tag->start, *right = tag->end;
  while (left > p->text && is_blank(left[-1]))
    left--;
  if (left > p->text && left[-1] != '\n') return false;
  while (right < p->end && is_blank(*right))
    right++;
  if (right < p->end && *right == '\r') right++;
  if (right < p->end && *right != '\n') return false;
  *from = left;
  *to = right < p->end ? right + 1 : right;
  return true;
}

static int add_tag(struct parser *p, struct tag *tag) {
  const char *from = tag->start, *to = tag->end;
  bool standalone = is_standalone(p, tag, &from, &to);
  add_text(p, from);
  if (!standalone) add_indent(p, tag->at);
  p->at = to;
  if (standalone) p->indent_due = *p->indent != 0;
  switch (tag->sigil) {
  case '#':
  case '^':
    return open_section(p, tag);
  case '/':
    return close_section(p, tag);
  case '>':
    return add_partial(p, tag, from,
                       standalone ? (size_t)(tag->start - from) : 0);
  case '!':
    return 0;
  case '=':
    return set_delimiters(p, tag->content, tag->content_end, tag->at);
  default:
    return add_value(p, tag);
  }
}

/* ---- front matter -------------------------------------------------------- */

static const char *line_end(const char *at, const char *end) {
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  return newline != NULL ? newline : end;
}

static bool is_rule(const char *at, const char *end) {
  trim(&at, &end);
  return end - at == 3 && memcmp(at, "---", 3) == 0;
}

/* Delimiters chosen in the document's head; that line is text. */
static int read_front_matter(struct parser *p) {
  static const char key[] = "delimiters:";
  const char *line = p->text, *end = line_end(line, p->end);
  if (!is_rule(line, end)) return 0;
  for (line = end + 1; line < p->end; line = end + 1) {
    end = line_end(line, p->end);
    if (is_rule(line, end)) return 0;
    if ((size_t)(end - line) < sizeof key - 1 ||
        memcmp(line, key, sizeof key - 1) != 0)
      continue;
    struct parser places = *p; /* tags before this line are still to come */
    struct place at = place_of(&places, line);
    if (p->skip != NULL)
      return error_at(p->err, at, "delimiters are chosen a second time");
    if (set_delimiters(p, line + sizeof key - 1, end, at) != 0) return -1;
    p->skip = line;
    p->skip_end = end;
  }
  return 0;
}

static const char *next_tag(const struct parser *p) {
  const char *start = find(p->at, p->end, p->open);
  if (start != NULL && start >= p->skip && start < p->skip_end)
    start = find(p->skip_end, p->end, p->open);
  return start;
}

int template_parse(const char *name, const char *text, size_t length,
                   const char *indent, enum template_mode mode, bool document,
                   struct arena *arena, struct template_node **out,
                   struct error *err) {
  const char *copy = arena_copy(arena, text, length);
  struct parser p = {.text = copy,
                     .end = copy + length,
                     .at = copy,
                     .file = arena_copy(arena, name, strlen(name)),
                     .text_cursor = {copy, copy, 1},
                     .tag_cursor = {copy, copy, 1},
                     .open = "{{",
                     .close = "}}",
                     .indent = indent,
                     .indent_due = *indent != 0,
                     .link = out,
                     .arena = arena,
                     .err = err};
  *out = NULL;
  if (document && mode == TEMPLATE_MARKDOWN && read_front_matter(&p) != 0)
    return -1;
  for (const char *start; (start = next_tag(&p)) != NULL;) {
    struct tag tag;
    if (read_tag(&p, start, &tag) != 0 || add_tag(&p, &tag) != 0) return -1;
  }
  add_text(&p, p.end);
  if (p.depth == 0) return 0;
  const struct template_node *section = p.sections[p.depth - 1].node;
  return error_at(err, section->at, "section \"%s\" is not closed",
                  section->text);
}
