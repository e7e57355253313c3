/* Passages to entries: finds numerals and says where each comes from. */
#include "report/ledger.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/utf8.h"
#include "report/ledger_internal.h"

/* ---- passages ------------------------------------------------------------ */

void ledger_passage_clear(struct ledger_passage *passage,
                          enum ledger_part part) {
  passage->part = part;
  buffer_clear(&passage->text);
  buffer_text(&passage->text, "");
  passage->origins.count = 0;
  passage->region_count = 0;
}

void ledger_passage_free(struct ledger_passage *passage) {
  buffer_free(&passage->text);
  origin_list_free(&passage->origins);
  free(passage->regions);
  *passage = (struct ledger_passage){0};
}

static void add_region(struct ledger_passage *passage,
                       enum ledger_source kind) {
  size_t count = passage->region_count;
  if (count > 0 && passage->regions[count - 1].kind == kind) return;
  if (count == passage->region_room) {
    passage->region_room = count > 0 ? 2 * count : 16;
    passage->regions = memory_resize(passage->regions, passage->region_room,
                                     sizeof *passage->regions);
  }
  passage->regions[passage->region_count++] =
      (struct ledger_region){passage->text.length, kind};
}

void ledger_passage_add(struct ledger_passage *passage, const char *text,
                        size_t length, const struct origins *origins,
                        enum ledger_source kind) {
  if (length == 0) return;
  add_region(passage, kind);
  origin_list_join(&passage->origins, passage->text.length, origins, length);
  buffer_add(&passage->text, text, length);
}

void ledger_passage_mark(struct ledger_passage *passage, const char *text) {
  const struct origins none = {0};
  origin_list_join(&passage->origins, passage->text.length, &none, 0);
  buffer_text(&passage->text, text);
}

/* ---- signs of numbers ---------------------------------------------------- */

static bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Decimal digits of the scripts a page is likely to hold, superscripts,
 * subscripts, fractions, Roman and circled numbers. */
static bool is_number_sign(uint32_t code) {
  static const struct {
    uint32_t first, last;
  } ranges[] = {{0xB2, 0xB3},       {0xB9, 0xB9},      {0xBC, 0xBE},
                {0x660, 0x669},     {0x6F0, 0x6F9},    {0x7C0, 0x7C9},
                {0x966, 0x96F},     {0x9E6, 0x9EF},    {0xA66, 0xA6F},
                {0xAE6, 0xAEF},     {0xB66, 0xB6F},    {0xBE6, 0xBEF},
                {0xC66, 0xC6F},     {0xCE6, 0xCEF},    {0xD66, 0xD6F},
                {0xE50, 0xE59},     {0xED0, 0xED9},    {0xF20, 0xF33},
                {0x1040, 0x1049},   {0x17E0, 0x17E9},  {0x1810, 0x1819},
                {0x2070, 0x2070},   {0x2074, 0x2079},  {0x2080, 0x2089},
                {0x2150, 0x218B},   {0x2460, 0x249B},  {0x24EA, 0x24FF},
                {0x2776, 0x2793},   {0x3007, 0x3007},  {0xFF10, 0xFF19},
                {0x1D7CE, 0x1D7FF}, {0x1FBF0, 0x1FBF9}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (code >= ranges[i].first && code <= ranges[i].last) return true;
  return false;
}

/* Bytes of the sign for a number at `text`, 0 if there is none. */
static size_t number_sign(const char *text, const char *end) {
  uint32_t code;
  if (text >= end) return 0;
  if ((*text & 0x80) == 0) return is_ascii_digit(*text);
  size_t length = utf8_decode(text, end, &code);
  return length > 0 && is_number_sign(code) ? length : 0;
}

size_t ledger_significant(const char *text, size_t length) {
  size_t count = 0, zeros = 0;
  bool point = false;
  for (size_t i = 0; i < length; i++) {
    point = point || text[i] == '.';
    if (!is_ascii_digit(text[i])) continue;
    if (text[i] == '0' && count == 0) continue;
    zeros = text[i] == '0' ? zeros + 1 : 0;
    count++;
  }
  return point ? count : count - zeros;
}

/* ---- entries ------------------------------------------------------------- */

static struct place own_place(struct ledger *ledger, struct place at) {
  struct ledger_file *file = ledger->files;
  while (file != NULL && strcmp(file->name, at.file) != 0)
    file = file->next;
  if (file == NULL) {
    file = arena_alloc(&ledger->arena, sizeof *file);
    file->name = arena_copy(&ledger->arena, at.file, strlen(at.file));
    file->rank = ledger->files == NULL ? 0 : ledger->files->rank + 1;
    file->next = ledger->files;
    ledger->files = file;
  }
  at.file = file->name;
  return at;
}

void ledger_find(struct ledger *ledger, struct place place, const char *format,
                 ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  struct ledger_finding *finding = arena_alloc(&ledger->arena, sizeof *finding);
  *finding = (struct ledger_finding){
      .place = own_place(ledger, place),
      .text = arena_copy(&ledger->arena, message, strlen(message))};
  if (ledger->findings == NULL) ledger->finding_tail = &ledger->findings;
  *ledger->finding_tail = finding;
  ledger->finding_tail = &finding->next;
  ledger->findings_count++;
}

static struct ledger_entry *add_entry(struct ledger *ledger,
                                      enum ledger_source source,
                                      enum ledger_part part, const char *text,
                                      size_t length, struct place at) {
  struct ledger_entry *entry = arena_alloc(&ledger->arena, sizeof *entry);
  *entry =
      (struct ledger_entry){.source = source,
                            .part = part,
                            .text = arena_copy(&ledger->arena, text, length),
                            .place = own_place(ledger, at)};
  if (ledger->entries == NULL) ledger->entry_tail = &ledger->entries;
  *ledger->entry_tail = entry;
  ledger->entry_tail = &entry->next;
  ledger->count++;
  ledger->by_source[source]++;
  return entry;
}

/* ---- literals ------------------------------------------------------------ */

static void trim(const char **start, const char **end) {
  while (*start < *end && isspace((unsigned char)**start))
    (*start)++;
  while (*end > *start && isspace((unsigned char)(*end)[-1]))
    (*end)--;
}

static bool holds_number(const char *text, const char *end) {
  for (; text < end; text++)
    if (number_sign(text, end) > 0) return true;
  return false;
}

/* The next field of a declaration, up to a bar or the end. */
static const char *take_field(struct ledger_reading *reading, const char **at,
                              const char *end) {
  const char *start = *at;
  const char *bar = memchr(start, '|', (size_t)(end - start));
  const char *stop = bar != NULL ? bar : end;
  *at = bar != NULL ? bar + 1 : end;
  trim(&start, &stop);
  return arena_copy(&reading->ledger->arena, start, (size_t)(stop - start));
}

static void keep_literal(struct ledger_reading *reading,
                         const struct ledger_literal *literal) {
  struct ledger *ledger = reading->ledger;
  struct ledger_literal *copy = arena_alloc(&ledger->arena, sizeof *copy);
  *copy = *literal;
  copy->place = own_place(ledger, literal->place);
  if (ledger->literals == NULL) ledger->literal_tail = &ledger->literals;
  *ledger->literal_tail = copy;
  ledger->literal_tail = &copy->next;
  if (reading->literals == NULL) reading->literals = copy;
  reading->literal_count++;
}

int ledger_declare(struct ledger_reading *reading, const char *line,
                   size_t length, size_t offset) {
  const char *at = line, *end = line + length;
  struct place place = source_map_place(reading->map, offset);
  struct ledger_literal literal = {.place = place};
  literal.phrase = take_field(reading, &at, end);
  literal.reason = take_field(reading, &at, end);
  literal.chance = take_field(reading, &at, end);
  if (*literal.phrase == 0 || *literal.reason == 0 || at < end)
    return error_at(reading->err, place,
                    "a literal is declared as `PHRASE | REASON` or `PHRASE | "
                    "REASON | not KEY`");
  if (*literal.chance != 0) {
    if (strncmp(literal.chance, "not ", 4) != 0)
      return error_at(reading->err, place,
                      "behind a literal's reason stands `not KEY`, the key "
                      "that it agrees with by chance");
    literal.chance += 4;
  }
  if (!holds_number(literal.phrase, literal.phrase + strlen(literal.phrase)))
    return error_at(reading->err, place, "the literal `%s` has no digit",
                    literal.phrase);
  for (const struct ledger_literal *l = reading->literals; l; l = l->next)
    if (strcmp(l->phrase, literal.phrase) == 0)
      return error_at(reading->err, place, "the literal `%s` is declared twice",
                      literal.phrase);
  if (reading->literal_count == LEDGER_LITERALS)
    return error_at(reading->err, place,
                    "more than %d literals: print such numbers from a study",
                    LEDGER_LITERALS);
  keep_literal(reading, &literal);
  return 0;
}

/* ---- reading ------------------------------------------------------------- */

struct scan {
  struct ledger_reading *reading;
  const struct ledger_passage *passage;
  struct origins origins;
  const char *text, *end;
};

static const struct source_segment *segment_at(const struct scan *scan,
                                               const char *at) {
  size_t offset;
  if (!origins_find(&scan->origins, (size_t)(at - scan->text), &offset))
    return NULL;
  const struct source_segment *segment =
      source_map_segment(scan->reading->map, offset);
  return segment != NULL && segment->value != NULL ? segment : NULL;
}

static struct place place_at(const struct scan *scan, const char *at) {
  size_t offset;
  if (!origins_find(&scan->origins, (size_t)(at - scan->text), &offset))
    return (struct place){"", 0, 0};
  return source_map_place(scan->reading->map, offset);
}

static enum ledger_source region_at(const struct scan *scan, const char *at) {
  const struct ledger_passage *passage = scan->passage;
  size_t offset = (size_t)(at - scan->text), low = 0,
         high = passage->region_count;
  if (high == 0) return LEDGER_UNDECLARED;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (passage->regions[middle].start <= offset)
      low = middle;
    else
      high = middle;
  }
  return passage->regions[low].kind;
}

static void add_value(struct scan *scan, const char *at, const char *stop,
                      const struct source_segment *segment) {
  struct ledger *ledger = scan->reading->ledger;
  struct ledger_entry *entry =
      add_entry(ledger, LEDGER_KEY, scan->passage->part, at,
                (size_t)(stop - at), segment->at);
  entry->value = source_value_copy(&ledger->arena, segment->value);
}

/* The end of the typed numeral that starts at `at`. */
static const char *numeral_end(const struct scan *scan, const char *at) {
  for (;;) {
    size_t length = number_sign(at, scan->end);
    if (length > 0 && segment_at(scan, at) == NULL) {
      at += length;
      continue;
    }
    size_t gap = 0; /* a point or comma between digits */
    if (at < scan->end && (*at == '.' || *at == ',')) gap = 1;
    if (scan->end - at > 3 && memcmp(at, "{,}", 3) == 0) gap = 3;
    if (gap == 0 || segment_at(scan, at) != NULL ||
        number_sign(at + gap, scan->end) == 0 ||
        segment_at(scan, at + gap) != NULL)
      return at;
    at += gap;
  }
}

/* Whether a digit of a printed value stands right beside the numeral. */
static bool touches_value(const struct scan *scan, const char *start,
                          const char *end) {
  if (end < scan->end && segment_at(scan, end) != NULL &&
      number_sign(end, scan->end) > 0)
    return true;
  if (end + 1 < scan->end && (*end == '.' || *end == ',') &&
      segment_at(scan, end + 1) != NULL && is_ascii_digit(end[1]))
    return true;
  if (start > scan->text && (start[-1] == '.' || start[-1] == ',')) start--;
  return start > scan->text && segment_at(scan, start - 1) != NULL &&
         is_ascii_digit(start[-1]);
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || (c & 0x80) != 0;
}

/* A phrase's edges cut neither a word nor a numeral of the text. */
static bool is_whole(const struct scan *scan, const char *start,
                     const char *stop) {
  bool number = start > scan->text + 1 && is_ascii_digit(*start) &&
                (start[-1] == '.' || start[-1] == ',') &&
                is_ascii_digit(start[-2]);
  if (number || (start > scan->text && is_word(*start) && is_word(start[-1])))
    return false;
  if (stop >= scan->end) return true;
  number = stop + 1 < scan->end && is_ascii_digit(stop[-1]) &&
           (*stop == '.' || *stop == ',') && is_ascii_digit(stop[1]);
  return !number && !(is_word(stop[-1]) && is_word(*stop));
}

/* The literal whose phrase stands around [start, end), or NULL. */
static struct ledger_literal *find_literal(const struct scan *scan,
                                           const char *start, const char *end) {
  struct ledger_literal *literal = scan->reading->literals;
  for (; literal != NULL; literal = literal->next) {
    size_t length = strlen(literal->phrase);
    if (length < (size_t)(end - start)) continue;
    size_t before = length - (size_t)(end - start);
    size_t room = (size_t)(start - scan->text);
    const char *from = start - (before < room ? before : room);
    for (; from <= start; from++)
      if ((size_t)(scan->end - from) >= length &&
          memcmp(from, literal->phrase, length) == 0 &&
          is_whole(scan, from, from + length))
        return literal;
  }
  return NULL;
}

static enum ledger_source typed_source(const struct scan *scan,
                                       const char *start, const char *end) {
  enum { MOST = 3 };
  enum ledger_source region = region_at(scan, start);
  if (region != LEDGER_UNDECLARED) return region;
  size_t length = (size_t)(end - start);
  if (scan->passage->part == LEDGER_FORMULA &&
      memchr(start, '.', length) == NULL &&
      ledger_significant(start, length) <= MOST)
    return LEDGER_STRUCTURE;
  return LEDGER_UNDECLARED;
}

static void find_undeclared(const struct scan *scan, const char *start,
                            const char *end) {
  struct ledger *ledger = scan->reading->ledger;
  struct place at = place_at(scan, start);
  int length = (int)(end - start);
  if (scan->passage->part == LEDGER_FIGURE_DATA)
    ledger_find(ledger, at, "a data point, %.*s, is typed: print it from a key",
                length, start);
  else
    ledger_find(ledger, at,
                "the numeral %.*s is typed: print it from a key or declare it "
                "with a reason (%s)",
                length, start,
                scan->passage->part >= LEDGER_FIGURE_TITLE
                    ? "`# literal:` in the head"
                    : "`literals:` in the front matter");
}

bool ledger_is_checked(enum ledger_source source, enum ledger_part part) {
  return (source == LEDGER_CODE && part != LEDGER_CODE_TEXT) ||
         (source == LEDGER_TICK && part == LEDGER_FIGURE_PLACE);
}

static const char *read_typed(struct scan *scan, const char *start) {
  const char *end = numeral_end(scan, start);
  struct ledger *ledger = scan->reading->ledger;
  enum ledger_source source = typed_source(scan, start, end);
  bool plain = source == LEDGER_UNDECLARED || source == LEDGER_STRUCTURE;
  struct ledger_literal *literal =
      plain || ledger_is_checked(source, scan->passage->part)
          ? find_literal(scan, start, end)
          : NULL;
  if (plain && touches_value(scan, start, end))
    ledger_find(ledger, place_at(scan, start),
                "typed digits, %.*s, touch a printed value", (int)(end - start),
                start);
  else if (literal == NULL && source == LEDGER_UNDECLARED)
    find_undeclared(scan, start, end);
  if (literal != NULL) {
    source = LEDGER_LITERAL;
    literal->uses++;
  }
  add_entry(ledger, source, scan->passage->part, start, (size_t)(end - start),
            place_at(scan, start))
      ->literal = literal;
  return end;
}

/* Text without origin is the program's own. */
static bool is_made(const struct scan *scan, const char *at) {
  size_t offset;
  return !origins_find(&scan->origins, (size_t)(at - scan->text), &offset);
}

/* Text that no tag printed; a numeral ends where a printed value begins. */
static void read_typed_run(struct scan *scan, const char *at, const char *end) {
  while (at < end) {
    if (number_sign(at, scan->end) > 0 && !is_made(scan, at))
      at = read_typed(scan, at);
    else
      at++;
  }
}

void ledger_read_passage(struct ledger_reading *reading,
                         const struct ledger_passage *passage) {
  const char *text = passage->text.bytes;
  if (text == NULL) return;
  struct scan scan = {.reading = reading,
                      .passage = passage,
                      .origins = {.items = passage->origins.items,
                                  .count = passage->origins.count},
                      .text = text,
                      .end = text + passage->text.length};
  for (const char *at = text; at < scan.end;) {
    size_t stop;
    const struct source_segment *segment =
        origins_printed(&scan.origins, reading->map, (size_t)(at - text),
                        passage->text.length, &stop);
    if (segment != NULL)
      add_value(&scan, at, text + stop, segment);
    else
      read_typed_run(&scan, at, text + stop);
    at = text + stop;
  }
}

void ledger_put_series(const char *key, struct buffer *out) {
  for (;;) {
    size_t length = strcspn(key, ".");
    bool index = length > 0 && strspn(key, "0123456789") >= length;
    buffer_add(out, index ? "*" : key, index ? 1 : length);
    if (key[length] == 0) return;
    buffer_char(out, '.');
    key += length + 1;
  }
}

void ledger_free(struct ledger *ledger) {
  arena_free(&ledger->arena);
  *ledger = (struct ledger){0};
}

const char *ledger_source_name(enum ledger_source source) {
  static const char *const names[] = {"key",     "literal", "structure", "code",
                                      "address", "tick",    "undeclared"};
  return names[source];
}

const char *ledger_part_name(enum ledger_part part) {
  static const char *const names[] = {
      "front matter", "heading",     "text",         "table",
      "caption",      "alternative", "note",         "reference",
      "formula",      "code",        "figure title", "figure description",
      "figure label", "figure data", "figure place"};
  return names[part];
}
