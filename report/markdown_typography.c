/* Straight quotes, runs of hyphens and points as a typesetter sets them. */
#include <stdlib.h>
#include <string.h>

#include "report/base/utf8.h"
#include "report/markdown_reader.h"

struct quotes {
  const char *language;
  const char *open, *close, *inner_open, *inner_close;
};

static const struct quotes languages[] = {
    {"en", "“", "”", "‘", "’"}, {"cs", "„", "“", "‚", "‘"},
    {"da", "»", "«", "›", "‹"}, {"de", "„", "“", "‚", "‘"},
    {"el", "«", "»", "“", "”"}, {"es", "«", "»", "“", "”"},
    {"fi", "”", "”", "’", "’"}, {"fr", "«\u202f", "\u202f»", "“", "”"},
    {"it", "«", "»", "“", "”"}, {"nl", "“", "”", "‘", "’"},
    {"pl", "„", "”", "«", "»"}, {"pt", "«", "»", "“", "”"},
    {"sv", "”", "”", "’", "’"},
};

/* By the language's first part: "de" for "de-AT". */
static const struct quotes *find_quotes(const char *language) {
  size_t length = strcspn(language, "-");
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
    if (strlen(languages[i].language) == length &&
        strncmp(languages[i].language, language, length) == 0)
      return &languages[i];
  return &languages[0];
}

struct setter {
  struct arena *arena;
  const struct quotes *quotes;
  uint32_t before; /* the character set last; a blank at the start */
  int inner;       /* inner quotes that are open */
  struct buffer out;
  struct origin_list origins; /* of `out` */
};

/* Whether a quote behind this character opens. */
static bool opens_after(uint32_t before) {
  return before == ' ' || before == 0xA0 || before == '(' || before == '[' ||
         before == '{' || before == '/' || before == 0x2013 ||
         before == 0x2014 || before == 0x201C || before == 0x201E ||
         before == 0x2018 || before == 0x201A || before == 0xAB ||
         before == 0x202F;
}

static bool is_word(uint32_t code) {
  return (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') ||
         (code >= 'A' && code <= 'Z') || (code >= 0xC0 && code < 0x2000);
}

static uint32_t last_code(const struct buffer *text) {
  uint32_t code = ' ';
  size_t start = text->length;
  while (start > 0 && ((unsigned char)text->bytes[start - 1] & 0xC0) == 0x80)
    start--;
  if (start > 0)
    utf8_decode(text->bytes + start - 1, text->bytes + text->length, &code);
  return code;
}

static void put(struct setter *setter, const char *text) {
  buffer_text(&setter->out, text);
  setter->before = last_code(&setter->out);
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}

/* `'`: an apostrophe inside of a word, behind one when no quote is open, and
 * before a year; a quote elsewhere. */
static void put_single(struct setter *setter, char next) {
  bool opens = opens_after(setter->before), behind = is_word(setter->before);
  bool year = opens && next >= '0' && next <= '9';
  if (year || (behind && (is_letter(next) || setter->inner == 0))) {
    put(setter, "’");
  } else if (opens) {
    put(setter, setter->quotes->inner_open);
    setter->inner++;
  } else {
    put(setter, setter->quotes->inner_close);
    setter->inner -= setter->inner > 0;
  }
}

/* A run of hyphens or points; returns how many characters were used. */
static size_t put_run(struct setter *setter, const char *text) {
  size_t length = strspn(text, *text == '-' ? "-" : ".");
  const char *sign = NULL;
  if (*text == '-' && length == 2) sign = "–";
  if (*text == '-' && length == 3) sign = "—";
  if (*text == '.' && length == 3) sign = "…";
  if (sign != NULL) {
    put(setter, sign);
    return length;
  }
  buffer_add(&setter->out, text, length);
  setter->before = (unsigned char)*text;
  return length;
}

static bool put_literal(struct setter *setter, uint32_t code) {
  static const char signs[] = "\"'-.";
  if (code < MARKDOWN_LITERAL_QUOTE || code > MARKDOWN_LITERAL_POINT)
    return false;
  setter->before = (unsigned char)signs[code - MARKDOWN_LITERAL_QUOTE];
  buffer_char(&setter->out, (char)setter->before);
  return true;
}

/* What was put from `start` on stands for `length` bytes of the span at `at`.
 */
static void note_origin(struct setter *setter, const struct span *span,
                        size_t start, size_t at, size_t length) {
  struct origin origin = {.start = start,
                          .fixed = setter->out.length - start != length};
  if (origins_find(&span->origins, at, &origin.offset))
    origin_list_add(&setter->origins, origin);
}

static void set_text(struct setter *setter, struct span *span) {
  const char *text = span->text, *end = text + strlen(text);
  buffer_clear(&setter->out);
  while (text < end) {
    uint32_t code;
    size_t start = setter->out.length;
    size_t length = utf8_decode(text, end, &code);
    if (*text == '"') {
      put(setter, opens_after(setter->before) ? setter->quotes->open
                                              : setter->quotes->close);
    } else if (*text == '\'') {
      put_single(setter, text[1]);
    } else if (*text == '-' || *text == '.') {
      length = put_run(setter, text);
    } else if (*text == ' ' || *text == '\t') {
      if (setter->before != ' ') put(setter, " ");
    } else if (!put_literal(setter, code)) {
      buffer_add(&setter->out, text, length);
      setter->before = code;
    }
    note_origin(setter, span, start, (size_t)(text - span->text), length);
    text += length;
  }
  buffer_text(&setter->out, "");
  span->text = arena_copy(setter->arena, setter->out.bytes, setter->out.length);
  span->origins = origin_list_keep(&setter->origins, setter->arena);
}

static void set_spans(struct setter *setter, struct span *spans) {
  for (struct span *span = spans; span != NULL; span = span->next) {
    switch (span->type) {
    case SPAN_TEXT:
      if (*span->text != 0) set_text(setter, span);
      break;
    case SPAN_EMPHASIS:
    case SPAN_STRONG:
    case SPAN_LINK:
      set_spans(setter, span->child);
      /* Words that a reference gets later on. */
      if (span->child == NULL) setter->before = 'x';
      break;
    case SPAN_SOFT_BREAK:
    case SPAN_HARD_BREAK:
      setter->before = ' ';
      break;
    case SPAN_CODE:
    case SPAN_MATHS:
    case SPAN_CITATION:
      setter->before = 'x';
      break;
    case SPAN_NOTE:
      break;
    }
  }
}

/* Text that md4c reported in pieces, an escaped sign between, is one again. */
static void join_texts(struct arena *arena, struct span *spans) {
  struct buffer text = {0};
  struct origin_list origins = {0};
  for (struct span *span = spans; span != NULL; span = span->next) {
    if (span->child != NULL) join_texts(arena, span->child);
    if (span->type != SPAN_TEXT || span->next == NULL ||
        span->next->type != SPAN_TEXT)
      continue;
    buffer_clear(&text);
    struct span *last = span;
    for (; last != NULL && last->type == SPAN_TEXT; last = last->next) {
      origin_list_join(&origins, text.length, &last->origins,
                       strlen(last->text));
      buffer_text(&text, last->text);
    }
    span->text = arena_copy(arena, text.bytes, text.length);
    span->origins = origin_list_keep(&origins, arena);
    span->next = last;
  }
  origin_list_free(&origins);
  buffer_free(&text);
}

void markdown_typography(struct arena *arena, const char *language,
                         struct span *spans) {
  struct setter setter = {
      .arena = arena, .quotes = find_quotes(language), .before = ' '};
  join_texts(arena, spans);
  set_spans(&setter, spans);
  origin_list_free(&setter.origins);
  buffer_free(&setter.out);
}
