#include "report/markdown_scan.h"

#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"
#include "report/base/utf8.h"

enum { NO_DEFINITION = -1, LONGEST_TICKS = 64 };

struct scanner {
  struct markdown_scan *scan;
  const char *text;
  size_t length, at;
  size_t line;          /* where the current line starts */
  size_t paragraph_end; /* of the lines that belong together */
  size_t quotes;        /* depth of block quotes of the current line */
  long open;            /* definition that is being read */
  bool has_references;  /* one was defined */
  bool no_closing_ticks[LONGEST_TICKS]; /* by length, in this paragraph */
  const struct source_map *map;
  struct error *err;
};

static int fail(struct scanner *s, size_t at, const char *message) {
  return error_at(s->err, source_map_place(s->map, at), "%s", message);
}

/* ---- characters and lines ------------------------------------------------ */

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_capital(char c) {
  return (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}

static bool is_letter(char c) {
  return is_small(c) || (c >= 'A' && c <= 'Z');
}

static char char_at(const struct scanner *s, size_t at) {
  return at < s->length ? s->text[at] : '\n';
}

static size_t line_end(const struct scanner *s, size_t at) {
  const char *newline = memchr(s->text + at, '\n', s->length - at);
  return newline == NULL ? s->length : (size_t)(newline - s->text);
}

static size_t next_line(const struct scanner *s, size_t at) {
  size_t end = line_end(s, at);
  return end < s->length ? end + 1 : end;
}

/* Past the blanks and `>` that a line starts with. */
static size_t skip_prefix(const struct scanner *s, size_t line,
                          size_t *quotes) {
  size_t at = line;
  *quotes = 0;
  while (at < s->length &&
         (s->text[at] == ' ' || s->text[at] == '\t' || s->text[at] == '>')) {
    *quotes += s->text[at] == '>';
    at++;
  }
  return at;
}

static size_t indentation(const struct scanner *s, size_t line) {
  size_t blanks = 0;
  while (char_at(s, line + blanks) == ' ')
    blanks++;
  return char_at(s, line + blanks) == '\t' ? blanks + 4 : blanks;
}

static bool line_is_blank(const struct scanner *s, size_t line) {
  size_t quotes, at = skip_prefix(s, line, &quotes);
  return char_at(s, at) == '\n' || char_at(s, at) == '\r';
}

static bool starts_with(const struct scanner *s, size_t at, const char *token) {
  size_t length = strlen(token);
  return s->length - at >= length && memcmp(s->text + at, token, length) == 0;
}

static size_t run_length(const struct scanner *s, size_t at, size_t end) {
  size_t length = 0;
  while (at + length < end && s->text[at + length] == s->text[at])
    length++;
  return length;
}

/* Past a list's marker, or `at`. */
static size_t skip_marker(const struct scanner *s, size_t at) {
  size_t end = at;
  while (is_digit(char_at(s, end)))
    end++;
  if (end > at)
    end = char_at(s, end) == '.' || char_at(s, end) == ')' ? end + 1 : at;
  else if (char_at(s, at) == '-' || char_at(s, at) == '*' ||
           char_at(s, at) == '+')
    end = at + 1;
  return end > at && is_blank(char_at(s, end)) ? end : at;
}

/* Whether a line opens a fence; its sign and length. */
static bool opens_fence(const struct scanner *s, size_t line, char *sign,
                        size_t *length) {
  size_t quotes, at = skip_prefix(s, line, &quotes);
  for (size_t marker; (marker = skip_marker(s, at)) != at;)
    at = skip_prefix(s, marker, &quotes);
  *sign = char_at(s, at);
  if (*sign != '`' && *sign != '~') return false;
  size_t end = line_end(s, at);
  *length = run_length(s, at, end);
  bool info_has_ticks =
      memchr(s->text + at + *length, '`', end - at - *length) != NULL;
  return *length >= 3 && !(*sign == '`' && info_has_ticks);
}

static bool closes_fence(const struct scanner *s, size_t line, char sign,
                         size_t length) {
  size_t quotes, at = skip_prefix(s, line, &quotes), end = line_end(s, at);
  if (char_at(s, at) != sign) return false;
  size_t found = run_length(s, at, end);
  for (at += found; at < end; at++)
    if (!is_blank(s->text[at])) return false;
  return found >= length;
}

/* Whether a line of a paragraph starts another block in spite of it. */
static bool interrupts(const struct scanner *s, size_t line) {
  size_t quotes, at = skip_prefix(s, line, &quotes), length;
  char sign, c = char_at(s, at);
  return c == '#' || c == '|' || skip_marker(s, at) != at ||
         opens_fence(s, line, &sign, &length);
}

static bool is_heading(const struct scanner *s, size_t line) {
  size_t quotes, at = skip_prefix(s, line, &quotes), end = line_end(s, at);
  if (char_at(s, at) != '#') return false;
  size_t signs = run_length(s, at, end);
  return signs <= 6 && (at + signs == end || is_blank(s->text[at + signs]));
}

static size_t paragraph_end(const struct scanner *s, size_t line) {
  char sign;
  size_t length, at = next_line(s, line);
  if (is_heading(s, line)) return at;
  while (at < s->length && !line_is_blank(s, at) && !is_heading(s, at) &&
         !opens_fence(s, at, &sign, &length))
    at = next_line(s, at);
  return at;
}

/* ---- what is found ------------------------------------------------------- */

static struct markdown_item *add_item(struct scanner *s,
                                      enum markdown_item_type type,
                                      size_t start, size_t end) {
  struct markdown_scan *scan = s->scan;
  if (scan->item_count == scan->item_room) {
    scan->item_room = scan->item_room > 0 ? scan->item_room * 2 : 64;
    scan->items =
        memory_resize(scan->items, scan->item_room, sizeof *scan->items);
  }
  struct markdown_item *item = &scan->items[scan->item_count++];
  *item = (struct markdown_item){.type = type, .whole = {start, end}};
  item->quotes = s->quotes;
  return item;
}

static void hide(struct scanner *s, size_t start, size_t end) {
  memset(s->scan->body + start, 'x', end - start);
  memset(s->scan->parts + start, 'x', end - start);
}

/* Blanks that keep the lines. */
static void blank_out(char *copy, size_t start, size_t end) {
  for (size_t i = start; i < end; i++)
    if (copy[i] != '\n') copy[i] = ' ';
}

static void add_formula(struct scanner *s, enum markdown_item_type type,
                        size_t start, size_t end, size_t dollars) {
  struct markdown_item *item = add_item(s, type, start, end);
  item->content = (struct range){start + dollars, end - dollars};
  hide(s, start, end);
  s->at = end;
}

/* ---- formulas ------------------------------------------------------------ */

/* `$10 and 20$`: starts with a digit, holds no command but a word. */
static bool looks_like_money(const struct scanner *s, size_t start,
                             size_t end) {
  if (!is_digit(s->text[start])) return false;
  bool word = false;
  for (size_t i = start; i < end; i++) {
    if (s->text[i] == '\\') return false;
    word = word || (s->text[i] == ' ' && is_letter(char_at(s, i + 1)) &&
                    is_letter(char_at(s, i + 2)));
  }
  return word;
}

/* The closing `$` for the one at `start`; 0 when this one is text: the next
 * dollar sign in the paragraph decides. */
static size_t inline_end(const struct scanner *s, size_t start) {
  if (is_blank(char_at(s, start + 1))) return 0;
  for (size_t i = start + 1; i < s->paragraph_end; i++) {
    char c = s->text[i];
    if (c == '\\') i++;
    if (c == '`' || (c == '\n' && interrupts(s, i + 1))) return 0;
    if (c != '$') continue;
    char next = char_at(s, i + 1);
    bool names = is_capital(s->text[start + 1]) &&
                 is_capital(char_at(s, start + 2)) && is_capital(next);
    bool closes = !is_blank(s->text[i - 1]) && next != '$' && !is_digit(next);
    return closes && !names ? i + 1 : 0;
  }
  return 0;
}

static size_t display_end(const struct scanner *s, size_t start) {
  char sign;
  size_t length;
  for (size_t i = start + 2; i < s->length; i++) {
    char c = s->text[i];
    if (c == '\\') i++;
    if (c == '\n' && i + 1 < s->length) {
      size_t quotes, content = skip_prefix(s, i + 1, &quotes);
      if (char_at(s, content) == '#' || opens_fence(s, i + 1, &sign, &length))
        return 0;
    }
    if (c == '$') return char_at(s, i + 1) == '$' ? i + 2 : 0;
  }
  return 0;
}

static int scan_dollar(struct scanner *s) {
  size_t start = s->at;
  if (char_at(s, start + 1) == '$') {
    size_t end = display_end(s, start);
    if (end == 0)
      return fail(s, start,
                  "this `$$` is not closed; write \\$ for a dollar sign");
    add_formula(s, ITEM_DISPLAY, start, end, 2);
    return 0;
  }
  size_t end = inline_end(s, start);
  if (end == 0) {
    s->at++;
    return 0;
  }
  if (looks_like_money(s, start + 1, end - 1))
    return fail(s, start,
                "this formula looks like amounts of money: write \\$ for a "
                "dollar sign");
  add_formula(s, ITEM_FORMULA, start, end, 1);
  return 0;
}

/* ---- code and comments --------------------------------------------------- */

static void scan_ticks(struct scanner *s) {
  size_t length = run_length(s, s->at, s->paragraph_end),
         start = s->at + length;
  s->at = start;
  if (length >= LONGEST_TICKS || s->no_closing_ticks[length]) return;
  for (size_t i = start; i < s->paragraph_end; i++) {
    if (s->text[i] != '`') continue;
    size_t found = run_length(s, i, s->paragraph_end);
    i += found;
    if (found == length) {
      s->at = i;
      return;
    }
  }
  s->no_closing_ticks[length] = true;
}

static bool starts_line(const struct scanner *s, size_t at) {
  for (size_t i = s->line; i < at; i++)
    if (!is_blank(s->text[i])) return false;
  return true;
}

static int scan_comment(struct scanner *s) {
  size_t start = s->at, end = start + 4;
  while (end < s->length && !starts_with(s, end, "-->"))
    end++;
  if (end >= s->length) return fail(s, start, "this comment is not closed");
  end += 3;
  s->at = end;
  if (!starts_line(s, start)) {
    memset(s->scan->body + start, '\t', end - start);
    memset(s->scan->parts + start, '\t', end - start);
    return 0;
  }
  while (end < s->length && s->text[end] != '\n')
    if (!is_blank(s->text[end++]))
      return fail(s, end - 1, "text after a comment on the comment's line");
  blank_out(s->scan->body, start, end);
  blank_out(s->scan->parts, start, end);
  return 0;
}

/* ---- figures ------------------------------------------------------------- */

size_t markdown_id_length(const char *text, size_t length) {
  size_t at = 0;
  while (at < length &&
         (is_digit(text[at]) || is_small(text[at]) || is_capital(text[at]) ||
          strchr("-.", text[at]) != NULL) &&
         text[at] != 0)
    at++;
  return at;
}

static size_t find(const struct scanner *s, size_t from, size_t to,
                   const char *token) {
  while (from < to && !starts_with(s, from, token))
    from += s->text[from] == '\\' ? 2 : 1;
  return from < to ? from : to;
}

/* `{#id}` at the end of what stands before `*end`, which moves before it. */
static struct range take_id(const struct scanner *s, size_t start,
                            size_t *end) {
  struct range none = {0, 0};
  if (*end - start < 4 || s->text[*end - 1] != '}') return none;
  size_t open = *end - 1;
  while (open > start && s->text[open] != '{')
    open--;
  if (char_at(s, open + 1) != '#') return none;
  struct range id = {open + 2, *end - 1};
  if (markdown_id_length(s->text + id.start, id.end - id.start) !=
      id.end - id.start)
    return none;
  *end = open;
  return id;
}

/* ![alt](path "caption"){#id} as the whole of a paragraph */
static bool parse_figure(const struct scanner *s, size_t start, size_t end,
                         struct markdown_item *item) {
  while (end > start && is_blank(s->text[end - 1]))
    end--;
  item->whole = (struct range){start, end};
  item->id = take_id(s, start, &end);
  if (end - start < 6 || s->text[end - 1] != ')') return false;
  end--;
  size_t close = find(s, start + 2, end, "](");
  if (close == end) return false;
  item->alt = (struct range){start + 2, close};
  size_t path = close + 2, at = path;
  while (at < end && !is_blank(s->text[at]))
    at++;
  item->path = (struct range){path, at};
  while (at < end && is_blank(s->text[at]))
    at++;
  if (at == end) return true;
  if (end - at < 2 || s->text[at] != '"' || s->text[end - 1] != '"')
    return false;
  item->caption = (struct range){at + 1, end - 1};
  return true;
}

static void scan_figure(struct scanner *s, size_t start) {
  struct markdown_item found = {.type = ITEM_FIGURE};
  if (!parse_figure(s, start, s->paragraph_end, &found)) return;
  struct markdown_item *item =
      add_item(s, ITEM_FIGURE, found.whole.start, found.whole.end);
  *item = found;
  memset(s->scan->body + found.whole.start, 'x',
         found.whole.end - found.whole.start);
}

/* ---- definitions --------------------------------------------------------- */

/* `[^key]:` or `[@key]:` at a line's start */
static bool parse_definition(const struct scanner *s, size_t line,
                             struct markdown_definition *out, size_t *label) {
  size_t at = line + indentation(s, line);
  if (at - line > 3 || char_at(s, at) != '[') return false;
  char sign = char_at(s, at + 1);
  if (sign != '^' && sign != '@') return false;
  size_t key = at + 2,
         length = markdown_id_length(s->text + key, s->length - key);
  if (length == 0 || char_at(s, key + length) != ']' ||
      char_at(s, key + length + 1) != ':')
    return false;
  out->note = sign == '^';
  out->key = (struct range){key, key + length};
  out->content.start = key + length + 2;
  *label = at;
  return true;
}

static void close_definition(struct scanner *s, size_t end) {
  if (s->open == NO_DEFINITION) return;
  struct markdown_definition *definition = &s->scan->definitions[s->open];
  definition->content.end = end;
  blank_out(s->scan->body, definition->content.start, end);
  s->open = NO_DEFINITION;
}

static void open_definition(struct scanner *s,
                            const struct markdown_definition *definition,
                            size_t label) {
  struct markdown_scan *scan = s->scan;
  bool first = !definition->note && !s->has_references;
  s->has_references |= first;
  if (scan->definition_count == scan->definition_room) {
    scan->definition_room =
        scan->definition_room > 0 ? scan->definition_room * 2 : 16;
    scan->definitions = memory_resize(scan->definitions, scan->definition_room,
                                      sizeof *scan->definitions);
  }
  s->open = (long)scan->definition_count;
  scan->definitions[scan->definition_count++] = *definition;
  size_t content = definition->content.start;
  if (first) {
    add_item(s, ITEM_REFERENCES, label, content);
    memset(scan->body + label, 'x', content - label);
  } else {
    blank_out(scan->body, label, content);
  }
  s->at = content;
}

/* ---- lines and paragraphs ------------------------------------------------ */

static void skip_fence(struct scanner *s, char sign, size_t length) {
  s->at = next_line(s, s->at);
  while (s->at < s->length) {
    size_t line = s->at;
    s->at = next_line(s, line);
    if (closes_fence(s, line, sign, length)) return;
  }
}

/* A blank line ends a definition, unless a note goes on indented. */
static void scan_blank_line(struct scanner *s) {
  size_t next = next_line(s, s->at);
  while (next < s->length && line_is_blank(s, next))
    next = next_line(s, next);
  bool note = s->open != NO_DEFINITION && s->scan->definitions[s->open].note;
  if (!note || next >= s->length || indentation(s, next) < 4)
    close_definition(s, s->at);
  s->at = next;
}

static void begin_paragraph(struct scanner *s) {
  s->paragraph_end = paragraph_end(s, s->line);
  memset(s->no_closing_ticks, 0, sizeof s->no_closing_ticks);
  size_t quotes, content = skip_prefix(s, s->line, &quotes);
  if (starts_with(s, content, "![")) scan_figure(s, content);
}

/* Handle what a line starts with; true when it was consumed. */
static bool scan_line_start(struct scanner *s) {
  char sign;
  size_t length, label;
  struct markdown_definition definition;
  s->line = s->at;
  skip_prefix(s, s->line, &s->quotes);
  if (line_is_blank(s, s->line)) {
    scan_blank_line(s);
    return true;
  }
  if (opens_fence(s, s->line, &sign, &length)) {
    skip_fence(s, sign, length);
    return true;
  }
  if (s->line >= s->paragraph_end) begin_paragraph(s);
  if (!parse_definition(s, s->line, &definition, &label)) return false;
  close_definition(s, s->line);
  open_definition(s, &definition, label);
  return false;
}

static bool is_punctuation(char c) {
  return c > ' ' && c < 0x7F && !is_digit(c) && !is_small(c) &&
         !(c >= 'A' && c <= 'Z');
}

static int scan_character(struct scanner *s) {
  switch (s->text[s->at]) {
  case '\\':
    s->at += is_punctuation(char_at(s, s->at + 1)) ? 2 : 1;
    return 0;
  case '`':
    scan_ticks(s);
    return 0;
  case '$':
    return scan_dollar(s);
  case '<':
    if (starts_with(s, s->at, "<!--")) return scan_comment(s);
    break;
  default:
    break;
  }
  s->at++;
  return 0;
}

static int scan_all(struct scanner *s) {
  while (s->at < s->length) {
    bool at_line = s->at == 0 || s->text[s->at - 1] == '\n';
    if (at_line && scan_line_start(s)) continue;
    if (s->at > s->paragraph_end) {
      /* A formula or comment led out of its paragraph. */
      s->paragraph_end = paragraph_end(s, s->at);
      memset(s->no_closing_ticks, 0, sizeof s->no_closing_ticks);
    }
    if (s->at < s->length && scan_character(s) != 0) return -1;
  }
  close_definition(s, s->length);
  return 0;
}

/* ---- the whole text ------------------------------------------------------ */

/* U+FDD0 to U+FDEF stand for escaped signs later on. */
static int check_characters(struct scanner *s) {
  size_t valid = utf8_valid_prefix(s->text, s->length);
  if (valid < s->length) return fail(s, valid, "invalid UTF-8");
  for (size_t i = 0; i < s->length; i++) {
    unsigned char c = (unsigned char)s->text[i];
    if ((c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7F)
      return fail(s, i, "a control character; a document holds plain text");
    bool three = i + 2 < s->length;
    if (c == 0xEF && three && (unsigned char)s->text[i + 1] == 0xB7 &&
        (unsigned char)s->text[i + 2] >= 0x90 &&
        (unsigned char)s->text[i + 2] <= 0xAF)
      return fail(s, i, "a code point that is not a character");
    if (c == 0xEF && three && (unsigned char)s->text[i + 1] == 0xBB &&
        (unsigned char)s->text[i + 2] == 0xBF)
      return fail(s, i, "a byte order mark: save the file without it");
  }
  return 0;
}

int markdown_scan(const char *text, size_t length, size_t start,
                  const struct source_map *map, struct markdown_scan *out,
                  struct error *err) {
  *out = (struct markdown_scan){.text = text, .length = length};
  struct scanner s = {.scan = out,
                      .text = text,
                      .length = length,
                      .at = start,
                      .line = start,
                      .open = NO_DEFINITION,
                      .map = map,
                      .err = err};
  if (check_characters(&s) != 0) return -1;
  out->body = memory_alloc(length + 1, 1);
  out->parts = memory_alloc(length + 1, 1);
  memcpy(out->body, text, length);
  memcpy(out->parts, text, length);
  return scan_all(&s);
}

void markdown_scan_free(struct markdown_scan *scan) {
  free(scan->body);
  free(scan->parts);
  free(scan->items);
  free(scan->definitions);
  *scan = (struct markdown_scan){0};
}

size_t markdown_scan_find(const struct markdown_scan *scan, size_t offset) {
  size_t low = 0, high = scan->item_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (scan->items[middle].whole.start < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
