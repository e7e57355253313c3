#include "report/code_program.h"

#include <stdio.h>
#include <string.h>

/* A part of a block: a line of the preprocessor with its continuations, or an
 * item: what ends with a `;` or a `}` outside of all brackets. */
struct piece {
  const char *text, *end;
  bool outside; /* of main */
};

/* What is known of an item while it is read. */
struct item {
  int depth;      /* of ( [ { */
  bool named;     /* a type or `*`, then a name before its first ( */
  bool statement; /* its first word is if, for, while, do, switch, else */
  size_t words;   /* before its first bracket */
  bool opened;    /* its first bracket was met, and it was a ( */
  bool function;  /* a { followed a ) */
  char last;      /* the last sign that is no blank */
};

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (c >= '0' && c <= '9');
}

/* Past a comment, string or character that begins at `c`; else `c`. */
static const char *skip_opaque(const char *c) {
  if (c[0] == '/' && c[1] == '/') return c + strcspn(c, "\n");
  if (c[0] == '/' && c[1] == '*') {
    const char *close = strstr(c + 2, "*/");
    return close != NULL ? close + 2 : c + strlen(c);
  }
  if (*c != '"' && *c != '\'') return c;
  char quote = *c++;
  while (*c != 0 && *c != '\n' && *c != quote)
    c += *c == '\\' && c[1] != 0 ? 2 : 1;
  return *c == quote ? c + 1 : c;
}

static const char *directive_end(const char *c) {
  for (;;) {
    c += strcspn(c, "\n");
    if (*c == 0) return c;
    c++;
    if (c[-2] != '\\') return c;
  }
}

static const char *read_word(const char *c, struct item *item) {
  static const char *const words[] = {"if",     "for",  "while", "do",
                                      "switch", "else", "return"};
  size_t n = 0;
  while (is_word(c[n]))
    n++;
  if (item->words++ == 0)
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (strlen(words[i]) == n && strncmp(c, words[i], n) == 0)
        item->statement = true;
  item->last = 'a';
  return c + n;
}

static void read_open(char c, struct item *item) {
  if (item->depth == 0 && c == '(' && !item->opened)
    item->named = item->words >= 2 && item->last == 'a' && !item->statement;
  if (item->depth == 0 && c == '{')
    item->function = item->named && item->last == ')';
  item->opened = true;
  item->depth++;
}

/* Whether the sign `c`, now read, ends the item: a brace does that behind a
 * function, a statement or a block, and not behind an initialiser or a type. */
static bool read_sign(char c, struct item *item) {
  if (c == '(' || c == '[' || c == '{') read_open(c, item);
  if ((c == ')' || c == ']' || c == '}') && item->depth > 0) item->depth--;
  item->last = c;
  bool closes = item->function || item->statement || item->words == 0;
  return item->depth == 0 && (c == ';' || (c == '}' && closes));
}

/* Only these move: a condition stays around what it is about. */
static bool moves(const char *directive) {
  directive += 1 + strspn(directive + 1, " \t");
  return strncmp(directive, "include", 7) == 0 ||
         strncmp(directive, "define", 6) == 0;
}

/* The piece at `c`, which is not the end; false if a bracket or comment does
 * not end. */
static bool read_piece(const char *c, struct piece *out) {
  struct item item = {0};
  bool line_start = true, done = false, open_comment = false;
  *out = (struct piece){.text = c};
  while (*c != 0 && !done) {
    const char *past = skip_opaque(c);
    if (*c == '#' && line_start) {
      bool alone = item.last == 0;
      if (alone) out->outside = moves(c);
      c = directive_end(c);
      done = alone;
      continue;
    }
    if (past != c) {
      open_comment = *past == 0 && c[1] == '*' &&
                     (past - c < 4 || strncmp(past - 2, "*/", 2) != 0);
      if (*c != '/') item.last = *c;
      c = past;
    } else if (is_word(*c)) {
      c = read_word(c, &item);
    } else {
      line_start = *c == '\n' || (line_start && strchr(" \t", *c) != NULL);
      done = strchr(" \t\n", *c) == NULL && read_sign(*c, &item);
      c++;
      continue;
    }
    line_start = false;
  }
  out->end = c;
  out->outside |= item.function;
  return item.depth == 0 && !open_comment;
}

/* ---- writing ------------------------------------------------------------- */

static void write_line_number(const struct code_block *block, int line,
                              struct buffer *out) {
  buffer_printf(out, "#line %d \"", line);
  for (const char *c = block->place.file; *c != 0; c++) {
    if (*c == '"' || *c == '\\') buffer_char(out, '\\');
    buffer_char(out, *c == '\n' ? '?' : *c);
  }
  buffer_text(out, "\"\n");
}

static int lines_between(const char *from, const char *to) {
  int lines = 0;
  for (; from < to; from++)
    lines += *from == '\n';
  return lines;
}

/* A run of pieces that stay together, from the beginning of its first line
 * with text; blanks keep the columns. */
static void write_run(const struct code_block *block, const char *from,
                      const char *to, enum code_program form,
                      struct buffer *out) {
  const char *first = from + strspn(from, " \t\n");
  if (first >= to) return;
  int line = block->place.line + 1 + lines_between(block->text, first);
  if (form == CODE_MARKED) write_line_number(block, line, out);
  const char *start = first;
  while (start > block->text && start[-1] != '\n')
    start--;
  for (; start < first; start++)
    buffer_char(out, *start == '\t' ? '\t' : ' ');
  buffer_add(out, first, (size_t)(to - first));
  if (to[-1] != '\n') buffer_char(out, '\n');
}

/* The block's pieces of one side, in runs. */
static int write_side(const struct code_block *block, bool outside,
                      enum code_program form, struct buffer *out,
                      struct error *err) {
  const char *from = block->text;
  struct piece piece = {.end = block->text};
  bool before = !outside;
  while (*piece.end != 0) {
    const char *at = piece.end;
    if (!read_piece(at, &piece))
      return error_at(err, block->place,
                      "block `%s` has a bracket or comment that it does not "
                      "close",
                      block->name);
    bool here = piece.outside == outside;
    if (here && !before) from = at;
    if (!here && before) write_run(block, from, at, form, out);
    before = here;
  }
  if (before) write_run(block, from, piece.end, form, out);
  return 0;
}

static const char mark_declaration[] = "void pinpress_end_block(void);\n";
static const char mark_definition[] =
    "#line 1 \"end of block\"\n"
    "#include <stdio.h>\n"
    "#include <unistd.h>\n"
    "void pinpress_end_block(void)\n"
    "{\n"
    "  fflush(NULL);\n"
    "  if (write(3, \"\", 1) != 1) _exit(3);\n"
    "  if (read(3, &(char){0}, 1) != 1) _exit(3);\n"
    "}\n";

int code_program_text(const struct code_blocks *blocks, enum code_program form,
                      struct buffer *out, struct error *err) {
  bool marked = form == CODE_MARKED;
  for (size_t i = 0; i < blocks->count; i++)
    if (write_side(&blocks->items[i], true, form, out, err) != 0) return -1;
  if (marked) buffer_text(out, mark_declaration);
  buffer_text(out, "int main(void)\n{\n");
  for (size_t i = 0; i < blocks->count; i++) {
    const struct code_block *block = &blocks->items[i];
    if (!marked) buffer_printf(out, "/* %s */\n", block->name);
    if (write_side(block, false, form, out, err) != 0) return -1;
    if (!marked) continue;
    int lines = lines_between(block->text, block->text + strlen(block->text));
    write_line_number(block, block->place.line + 1 + lines, out);
    buffer_text(out, "pinpress_end_block();\n");
  }
  buffer_text(out, "}\n");
  if (marked) buffer_text(out, mark_definition);
  return 0;
}
