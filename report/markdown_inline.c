/* Text as md4c reports it, cut into words, formulas, marks of notes and
 * citations. */
#include <stdlib.h>
#include <string.h>

#include "report/base/utf8.h"
#include "report/markdown_reader.h"

struct span *markdown_add_span(struct markdown_spans *spans,
                               enum span_type type, size_t offset) {
  struct markdown_reader *reader = spans->reader;
  struct span *span = arena_alloc(reader->arena, sizeof *span);
  span->type = type;
  span->place = source_map_place(&reader->document->map, offset);
  span->text = "";
  *spans->tail = span;
  spans->tail = &span->next;
  return span;
}

static void add_origin(struct markdown_spans *spans, size_t offset,
                       const char *text, size_t length, bool fixed) {
  struct arena *arena = spans->reader->arena;
  if (length == 0) return;
  struct span *span = markdown_add_span(spans, SPAN_TEXT, offset);
  struct origin *origin = arena_alloc(arena, sizeof *origin);
  *origin = (struct origin){.offset = offset, .fixed = fixed};
  span->text = arena_copy(arena, text, length);
  span->origins = (struct origins){.items = origin, .count = 1};
}

/* Words as they stand in the source at `offset`. */
static void add_words(struct markdown_spans *spans, size_t offset,
                      const char *text, size_t length) {
  add_origin(spans, offset, text, length, false);
}

/* Words that stand for what the source has at `offset`. */
static void add_decoded(struct markdown_spans *spans, size_t offset,
                        const char *text, size_t length) {
  add_origin(spans, offset, text, length, true);
}

/* ---- entities ------------------------------------------------------------ */

static uint32_t named_entity(const char *name, size_t length) {
  static const struct {
    const char *name;
    uint32_t code;
  } entities[] = {{"amp", '&'},
                  {"lt", '<'},
                  {"gt", '>'},
                  {"quot", MARKDOWN_LITERAL_QUOTE},
                  {"apos", MARKDOWN_LITERAL_APOSTROPHE},
                  {"nbsp", 0xA0},
                  {"thinsp", 0x2009},
                  {"shy", 0xAD},
                  {"ndash", 0x2013},
                  {"mdash", 0x2014},
                  {"hellip", 0x2026},
                  {"copy", 0xA9},
                  {"times", 0xD7},
                  {"minus", 0x2212},
                  {"middot", 0xB7},
                  {"deg", 0xB0},
                  {"sect", 0xA7},
                  {"para", 0xB6},
                  {"eacute", 0xE9},
                  {"auml", 0xE4},
                  {"ouml", 0xF6},
                  {"uuml", 0xFC},
                  {"szlig", 0xDF}};
  for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
    if (strlen(entities[i].name) == length &&
        memcmp(entities[i].name, name, length) == 0)
      return entities[i].code;
  return 0;
}

static uint32_t numeric_entity(const char *digits, size_t length) {
  bool hexadecimal = length > 0 && (*digits == 'x' || *digits == 'X');
  uint32_t code = 0;
  for (size_t i = hexadecimal; i < length; i++) {
    char c = digits[i];
    uint32_t digit =
        c <= '9' ? (uint32_t)(c - '0') : (uint32_t)((c | 0x20) - 'a' + 10);
    code = code * (hexadecimal ? 16 : 10) + digit;
    if (code > 0x10FFFF) return 0;
  }
  if (code == '\t' || code == '\n') return ' '; /* both are only blanks here */
  bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  bool surrogate = code >= 0xD800 && code < 0xE000;
  bool reserved = code >= 0xFDD0 && code <= 0xFDEF;
  return control || surrogate || reserved || (code & 0xFFFE) == 0xFFFE ? 0
                                                                       : code;
}

bool markdown_decode_entity(const char *entity, size_t length,
                            struct buffer *out) {
  uint32_t code = entity[1] == '#' ? numeric_entity(entity + 2, length - 3)
                                   : named_entity(entity + 1, length - 2);
  if (code == 0) return false;
  utf8_append(out, code);
  return true;
}

int markdown_add_entity(struct markdown_spans *spans, size_t offset,
                        const char *entity, size_t length) {
  struct buffer text = {0};
  if (!markdown_decode_entity(entity, length, &text))
    return markdown_fail(spans->reader, offset,
                         "unknown character `%.*s`: write the character itself",
                         length > 40 ? 40 : (int)length, entity);
  add_decoded(spans, offset, text.bytes, text.length);
  buffer_free(&text);
  return 0;
}

/* ---- marks --------------------------------------------------------------- */

static size_t skip_blanks(const char *text, size_t at, size_t end) {
  while (at < end && (text[at] == ' ' || text[at] == '\n'))
    at++;
  return at;
}

/* "@key" or "@key, locator" up to `;` or `]`; moves `*at` there. */
static int add_citation(struct markdown_spans *spans, size_t *at, size_t end,
                        bool *located) {
  const char *text = spans->reader->scan.text;
  size_t key = skip_blanks(text, *at, end);
  if (key >= end || text[key] != '@')
    return markdown_fail(spans->reader, key,
                         "a citation is written [@key] or [@a; @b, p. 3]");
  size_t length = markdown_id_length(text + key + 1, end - key - 1);
  if (length == 0)
    return markdown_fail(spans->reader, key, "the citation's key is missing");
  markdown_add_span(spans, SPAN_CITATION, key)->text =
      arena_copy(spans->reader->arena, text + key + 1, length);
  size_t rest = key + 1 + length, stop = rest;
  while (stop < end && text[stop] != ';')
    stop++;
  *located = skip_blanks(text, rest, stop) < stop;
  if (*located && text[skip_blanks(text, rest, stop)] != ',')
    return markdown_fail(spans->reader, rest,
                         "a comma must follow the citation's key");
  add_words(spans, rest, text + rest, *located ? stop - rest : 0);
  *at = stop;
  return 0;
}

/* `[@key]`, `[@a; @b, p. 3]` from `start` to the bracket at `close` */
static int add_citations(struct markdown_spans *spans, size_t start,
                         size_t close) {
  size_t at = start + 1;
  add_words(spans, start, "[", 1);
  for (;;) {
    bool located;
    if (add_citation(spans, &at, close, &located) != 0) return -1;
    if (at == close) break;
    add_decoded(spans, at, located ? "; " : ", ", 2);
    at++;
  }
  add_words(spans, close, "]", 1);
  return 0;
}

/* The offset behind the mark that starts with the bracket at `start`, or 0 for
 * a bracket that is text. */
static size_t mark_end(const char *text, size_t start, size_t end) {
  enum { LONGEST = 400 };
  if (end - start < 4) return 0;
  if (text[start + 1] == '^') {
    size_t close =
        start + 2 + markdown_id_length(text + start + 2, end - start - 2);
    return close > start + 2 && close < end && text[close] == ']' ? close + 1
                                                                  : 0;
  }
  size_t room = end - start < LONGEST ? end - start : LONGEST;
  const char *close = memchr(text + start, ']', room);
  if (text[start + 1] != '@' || close == NULL) return 0;
  return (size_t)(close - text) + 1;
}

static int add_mark(struct markdown_spans *spans, size_t start, size_t end) {
  const char *text = spans->reader->scan.text;
  if (text[start + 1] == '@') return add_citations(spans, start, end - 1);
  markdown_add_span(spans, SPAN_NOTE, start)->text =
      arena_copy(spans->reader->arena, text + start + 2, end - start - 3);
  return 0;
}

/* ---- plain text ---------------------------------------------------------- */

static bool is_capital(char c) {
  return (c >= 'A' && c <= 'Z') || c == '_';
}

/* A dollar sign in text: `$10`, `US$`, `$PATH`; anything else is likely to be
 * a formula with a slip. */
static int check_dollar(struct markdown_spans *spans, size_t at) {
  const struct markdown_scan *scan = &spans->reader->scan;
  const char *text = scan->text;
  char before = at > 0 ? text[at - 1] : ' ';
  char next = at + 1 < scan->length ? text[at + 1] : ' ';
  char after = at + 2 < scan->length ? text[at + 2] : ' ';
  bool money = (next >= '0' && next <= '9') ||
               (before >= 'A' && before <= 'Z') ||
               (before >= 'a' && before <= 'z');
  if (money || (is_capital(next) && is_capital(after))) return 0;
  return markdown_fail(spans->reader, at,
                       "this `$` is not closed; write \\$ for a dollar sign");
}

/* md4c starts a chunk behind the backslash of an escape, which belongs to no
 * chunk. */
static bool is_escaped(const struct markdown_spans *spans, size_t at) {
  return at > 0 && spans->reader->scan.text[at - 1] == '\\' && spans->end != at;
}

/* An escaped sign that typography would change. */
static uint32_t literal_code(char c) {
  switch (c) {
  case '"':
    return MARKDOWN_LITERAL_QUOTE;
  case '\'':
    return MARKDOWN_LITERAL_APOSTROPHE;
  case '-':
    return MARKDOWN_LITERAL_HYPHEN;
  case '.':
    return MARKDOWN_LITERAL_POINT;
  default:
    return 0;
  }
}

/* The first character of a chunk, when a backslash stands before it. */
static size_t add_escaped(struct markdown_spans *spans, size_t start) {
  const char *text = spans->reader->scan.text;
  uint32_t literal = literal_code(text[start]);
  if (literal == 0) {
    add_words(spans, start, text + start, 1);
    return start + 1;
  }
  struct buffer sign = {0};
  utf8_append(&sign, literal);
  add_decoded(spans, start, sign.bytes, sign.length);
  buffer_free(&sign);
  return start + 1;
}

static int add_plain(struct markdown_spans *spans, size_t start, size_t end) {
  /* Comments are blank in this copy; formulas, hidden in it, are cut out. */
  const char *text = spans->reader->scan.parts;
  if (start < end && is_escaped(spans, start))
    start = add_escaped(spans, start);
  spans->end = end;
  size_t from = start;
  for (size_t i = start; i < end;) {
    size_t next = text[i] == '[' ? mark_end(text, i, end) : 0;
    if (text[i] == '$' && check_dollar(spans, i) != 0) return -1;
    if (next == 0) {
      i++;
      continue;
    }
    add_words(spans, from, text + from, i - from);
    if (add_mark(spans, i, next) != 0) return -1;
    i = from = next;
  }
  add_words(spans, from, text + from, end - from);
  return 0;
}

/* ---- formulas, figures --------------------------------------------------- */

/* The formula's text as long as in the source: marks of block quotes at the
 * start of its lines become blanks. */
static char *formula_text(const struct markdown_reader *reader,
                          const struct markdown_item *item) {
  size_t length = item->content.end - item->content.start;
  char *text = arena_copy(reader->arena,
                          reader->scan.text + item->content.start, length);
  for (char *line = text; (line = strchr(line, '\n')) != NULL;) {
    line++;
    size_t quotes = item->quotes;
    for (; *line == ' ' || (*line == '>' && quotes > 0); line++) {
      quotes -= *line == '>';
      *line = ' ';
    }
  }
  return text;
}

static struct block *new_block(struct markdown_reader *reader,
                               enum block_type type, size_t offset) {
  struct block *block = arena_alloc(reader->arena, sizeof *block);
  block->type = type;
  block->place = source_map_place(&reader->document->map, offset);
  return block;
}

static int add_formula(struct markdown_spans *spans,
                       const struct markdown_item *item) {
  struct markdown_reader *reader = spans->reader;
  struct math_formula *formula = arena_alloc(reader->arena, sizeof *formula);
  bool display = item->type == ITEM_DISPLAY;
  size_t start = item->content.start;
  if (math_parse(formula_text(reader, item), item->content.end - start, display,
                 &reader->document->map, start, reader->arena, formula,
                 reader->err) != 0)
    return -1;
  struct span *span = markdown_add_span(spans, SPAN_MATHS, item->whole.start);
  span->formula = formula;
  if (!display) return 0;
  struct block *block = new_block(reader, BLOCK_MATHS, item->whole.start);
  block->formula = formula;
  span->target = block;
  return 0;
}

/* A range as plain text: escapes undone, lines joined. */
static char *plain_range(const struct markdown_reader *reader,
                         struct range range, struct origins *origins) {
  struct origin_list list = {0};
  const char *text = reader->scan.text;
  char *copy =
      arena_copy(reader->arena, text + range.start, range.end - range.start);
  char *to = copy;
  for (size_t i = range.start; i < range.end; i++) {
    char c = text[i], next = i + 1 < range.end ? text[i + 1] : 0;
    bool escape = c == '\\' && next > ' ' && next < 0x7F &&
                  strchr("\\`*_{}[]()#+-.!$\"'<>|&~^", next) != NULL;
    if (escape) i++;
    origin_list_add(&list, (struct origin){(size_t)(to - copy), i, false});
    *to++ = text[i] == '\n' ? ' ' : text[i];
  }
  *to = 0;
  *origins = origin_list_keep(&list, reader->arena);
  origin_list_free(&list);
  return copy;
}

static const char *figure_path(const struct markdown_reader *reader,
                               struct range range) {
  struct origins ignored;
  const char *path = plain_range(reader, range, &ignored);
  const char *slash = strrchr(reader->path, '/');
  if (path[0] == '/' || slash == NULL) return path;
  return arena_printf(reader->arena, "%.*s/%s", (int)(slash - reader->path),
                      reader->path, path);
}

static int add_figure(struct markdown_spans *spans,
                      const struct markdown_item *item) {
  struct markdown_reader *reader = spans->reader;
  struct block *figure = new_block(reader, BLOCK_FIGURE, item->whole.start);
  figure->alt = plain_range(reader, item->alt, &figure->alt_origins);
  figure->path = figure_path(reader, item->path);
  if (figure->alt[strspn(figure->alt, " ")] == 0)
    return markdown_fail(reader, item->whole.start,
                         "the figure has no alternative text: say in ![...] "
                         "what it shows");
  if (memchr(reader->scan.text + item->alt.start, '$',
             item->alt.end - item->alt.start) != NULL)
    return markdown_fail(reader, item->alt.start,
                         "alternative text is read aloud: write the formula "
                         "in words");
  if (item->path.end == item->path.start)
    return markdown_fail(reader, item->whole.start, "the figure has no path");
  struct origins ignored;
  if (item->id.end > item->id.start)
    figure->id = plain_range(reader, item->id, &ignored);
  if (item->caption.end > item->caption.start) {
    struct block *caption;
    if (markdown_read_range(reader, reader->scan.parts, item->caption,
                            &caption) != 0)
      return -1;
    if (caption == NULL || caption->type != BLOCK_PARAGRAPH ||
        caption->next != NULL)
      return markdown_fail(reader, item->caption.start,
                           "a caption must be one paragraph");
    figure->spans = caption->spans;
  }
  markdown_add_span(spans, SPAN_MATHS, item->whole.start)->target = figure;
  return 0;
}

static int add_item(struct markdown_spans *spans,
                    const struct markdown_item *item) {
  struct markdown_reader *reader = spans->reader;
  switch (item->type) {
  case ITEM_FORMULA:
  case ITEM_DISPLAY:
    return add_formula(spans, item);
  case ITEM_FIGURE:
    return add_figure(spans, item);
  default:
    markdown_add_span(spans, SPAN_MATHS, item->whole.start)->target =
        new_block(reader, BLOCK_REFERENCES, item->whole.start);
    return 0;
  }
}

int markdown_add_text(struct markdown_spans *spans, size_t offset,
                      size_t length) {
  const struct markdown_scan *scan = &spans->reader->scan;
  size_t end = offset + length;
  for (size_t at = offset; at < end;) {
    size_t index = markdown_scan_find(scan, at);
    const struct markdown_item *item =
        index < scan->item_count ? &scan->items[index] : NULL;
    if (item == NULL || item->whole.start >= end)
      return add_plain(spans, at, end);
    if (add_plain(spans, at, item->whole.start) != 0 ||
        add_item(spans, item) != 0)
      return -1;
    at = item->whole.end;
  }
  return 0;
}
