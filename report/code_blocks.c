#define _GNU_SOURCE
#include "report/code_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"

enum { TIMEOUT = 60, TIMEOUT_MAX = 3600 };

static const char blank[] = " \t";

/* ---- info strings -------------------------------------------------------- */

bool code_is_run(const char *info) {
  const char *second = info + strcspn(info, blank);
  second += strspn(second, blank);
  return second > info && strncmp(second, "run", 3) == 0 &&
         (second[3] == 0 || strchr(blank, second[3]) != NULL);
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Parts of keys: no dot, and no number, which would be an index. */
static bool is_name(const char *text) {
  for (const char *c = text; *c != 0; c++)
    if (!is_letter(*c) && !(*c >= '0' && *c <= '9') && *c != '-' && *c != '_')
      return false;
  return is_letter(*text);
}

static int set_show(const char *value, struct code_block *block) {
  static const char *const names[] = {
      [CODE_BOTH] = "both", [CODE_SOURCE] = "source", [CODE_OUTPUT] = "output"};
  for (int i = 0; i <= CODE_OUTPUT; i++)
    if (strcmp(value, names[i]) == 0) {
      block->show = (enum code_show)i;
      return 0;
    }
  return -1;
}

static int set_timeout(const char *value, struct code_block *block) {
  size_t digits = strspn(value, "0123456789");
  if (digits == 0 || digits > 4 || value[digits] != 0) return -1;
  block->timeout = atoi(value);
  return block->timeout >= 1 && block->timeout <= TIMEOUT_MAX ? 0 : -1;
}

/* One word, key=value. */
static int set_option(char *word, struct code_block *block, struct place at,
                      struct error *err) {
  char *value = strchr(word, '=');
  if (value == NULL)
    return error_at(err, at,
                    "`%s` is no option of a block to run: name=, "
                    "show=, timeout=",
                    word);
  *value++ = 0;
  if (strcmp(word, "name") == 0) {
    if (!is_name(value))
      return error_at(err, at,
                      "name=%s: a name has letters, digits, - and _, "
                      "and begins with a letter",
                      value);
    block->name = value;
    return 0;
  }
  if (strcmp(word, "show") == 0)
    return set_show(value, block) == 0
               ? 0
               : error_at(err, at, "show=%s: it is both, source or output",
                          value);
  if (strcmp(word, "timeout") == 0)
    return set_timeout(value, block) == 0
               ? 0
               : error_at(err, at, "timeout=%s: it is 1 to %d seconds", value,
                          TIMEOUT_MAX);
  return error_at(err, at,
                  "a block to run has no option %s=: it has name=, "
                  "show=, timeout=",
                  word);
}

int code_info_parse(const char *info, struct place at, struct arena *arena,
                    struct code_block *out, struct error *err) {
  char *words = arena_copy(arena, info, strlen(info)), *rest;
  *out = (struct code_block){.timeout = TIMEOUT, .place = at, .text = ""};
  char *word = strtok_r(words, blank, &rest);
  if (word == NULL || strcmp(word, "c") != 0)
    return error_at(err, at, "only C blocks can be run: ```c run name=...");
  strtok_r(NULL, blank, &rest); /* run */
  while ((word = strtok_r(NULL, blank, &rest)) != NULL)
    if (set_option(word, out, at, err) != 0) return -1;
  if (out->name == NULL)
    return error_at(err, at,
                    "a block to run needs a name, under which its "
                    "output is pinned: ```c run name=...");
  return 0;
}

void code_hash(const struct code_block *before, struct code_block *block) {
  struct buffer text = {0};
  buffer_printf(&text, "%s %s\n%s", before != NULL ? before->sha256 : "-",
                block->name, block->text);
  hash_bytes(text.bytes, text.length, block->sha256);
  buffer_free(&text);
}

const char *code_article(const char *path, struct arena *arena) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t stem = strlen(name);
  if (stem > 3 && strcmp(name + stem - 3, ".md") == 0) stem -= 3;
  return arena_copy(arena, name, stem);
}

/* ---- fences -------------------------------------------------------------- */

struct line {
  const char *text;
  size_t length; /* without the line end */
};

struct scan {
  struct code_blocks *blocks;
  const char *next, *end;
  int number; /* of the line just read */
  size_t room;
};

static bool next_line(struct scan *scan, struct line *out) {
  if (scan->next == scan->end) return false;
  const char *newline =
      memchr(scan->next, '\n', (size_t)(scan->end - scan->next));
  const char *stop = newline != NULL ? newline : scan->end;
  *out = (struct line){scan->next, (size_t)(stop - scan->next)};
  if (out->length > 0 && stop[-1] == '\r') out->length--;
  scan->next = newline != NULL ? newline + 1 : scan->end;
  scan->number++;
  return true;
}

static size_t run_of(const struct line *line, size_t from, char sign) {
  size_t n = from;
  while (n < line->length && line->text[n] == sign)
    n++;
  return n - from;
}

struct fence {
  char sign;
  size_t indent, length;
};

/* CommonMark: up to three blanks, three or more ` or ~, and no ` in the info
 * string of a fence of them. */
static bool is_fence(const struct line *line, struct fence *out) {
  size_t at = run_of(line, 0, ' ');
  if (at > 3 || at == line->length) return false;
  char sign = line->text[at];
  size_t length = run_of(line, at, sign);
  *out = (struct fence){sign, at, length};
  if (length < 3 || (sign != '`' && sign != '~')) return false;
  return sign == '~' || memchr(line->text + at + length, '`',
                               line->length - at - length) == NULL;
}

static bool closes(const struct line *line, const struct fence *open) {
  struct fence fence;
  if (!is_fence(line, &fence)) return false;
  for (size_t i = fence.indent + fence.length; i < line->length; i++)
    if (strchr(blank, line->text[i]) == NULL) return false;
  return fence.sign == open->sign && fence.length >= open->length;
}

/* The lines up to the closing fence; `out` NULL leaves them out. */
static bool read_fenced(struct scan *scan, const struct fence *open,
                        struct buffer *out) {
  struct line line;
  while (next_line(scan, &line)) {
    if (closes(&line, open)) return true;
    if (out == NULL) continue;
    buffer_add(out, line.text, line.length);
    buffer_char(out, '\n');
  }
  return false;
}

static int add_block(struct scan *scan, const char *info,
                     const struct fence *open, struct error *err) {
  struct code_blocks *blocks = scan->blocks;
  struct place at = {blocks->path, scan->number, 1};
  struct code_block block;
  struct buffer text = {0};
  if (open->indent > 0)
    return error_at(err, at, "the fence of a block to run begins its line");
  if (code_info_parse(info, at, &blocks->arena, &block, err) != 0) return -1;
  for (size_t i = 0; i < blocks->count; i++)
    if (strcmp(blocks->items[i].name, block.name) == 0)
      return error_at(err, at, "block `%s` is also at line %d", block.name,
                      blocks->items[i].place.line);
  bool closed = read_fenced(scan, open, &text);
  buffer_text(&text, "");
  bool whole = strlen(text.bytes) == text.length;
  block.text = arena_copy(&blocks->arena, text.bytes, text.length);
  code_hash(blocks->count > 0 ? &blocks->items[blocks->count - 1] : NULL,
            &block);
  buffer_free(&text);
  if (!closed) return error_at(err, at, "block `%s` does not end", block.name);
  if (!whole) return error_at(err, at, "block `%s` holds a byte 0", block.name);
  if (blocks->count == scan->room) {
    scan->room = 2 * scan->room + 4;
    blocks->items =
        memory_resize(blocks->items, scan->room, sizeof *blocks->items);
  }
  blocks->items[blocks->count++] = block;
  return 0;
}

/* A fence that is not to run is passed over with its content. */
static int take_fence(struct scan *scan, const struct line *line,
                      const struct fence *open, struct error *err) {
  size_t at = open->indent + open->length;
  at += run_of(line, at, ' ');
  size_t length = line->length - at;
  char *info = arena_copy(&scan->blocks->arena, line->text + at, length);
  if (code_is_run(info)) return add_block(scan, info, open, err);
  read_fenced(scan, open, NULL);
  return 0;
}

/* A comment that begins its line hides fences up to its end. */
static void skip_comment(struct scan *scan, const struct line *line) {
  size_t left = (size_t)(scan->end - line->text);
  const char *close = memmem(line->text, left, "-->", 3);
  if (close == NULL) return;
  struct line ignored;
  while (scan->next < close && next_line(scan, &ignored))
    ;
}

int code_blocks_parse(const char *path, const char *text, size_t length,
                      struct code_blocks *out, struct error *err) {
  *out = (struct code_blocks){0};
  out->path = arena_copy(&out->arena, path, strlen(path));
  out->article = code_article(path, &out->arena);
  struct scan scan = {.blocks = out, .next = text, .end = text + length};
  struct line line;
  struct fence fence;
  int status = 0;
  while (status == 0 && next_line(&scan, &line)) {
    if (line.length >= 4 && memcmp(line.text, "<!--", 4) == 0)
      skip_comment(&scan, &line);
    else if (is_fence(&line, &fence))
      status = take_fence(&scan, &line, &fence, err);
  }
  if (status == 0 && out->count > 0 && !is_name(out->article))
    status = error_set(err,
                       "%s: the outputs of its blocks have keys with the "
                       "file's name: letters, digits, - and _, a letter "
                       "first",
                       path);
  if (status != 0) code_blocks_free(out);
  return status;
}

int code_blocks_read(const char *path, struct code_blocks *out,
                     struct error *err) {
  struct buffer text = {0};
  int status = file_read(path, &text, err);
  if (status == 0)
    status = code_blocks_parse(path, text.length > 0 ? text.bytes : "",
                               text.length, out, err);
  buffer_free(&text);
  return status;
}

void code_blocks_free(struct code_blocks *blocks) {
  free(blocks->items);
  arena_free(&blocks->arena);
  *blocks = (struct code_blocks){0};
}
