#include "report/front_matter.h"

#include <stdbool.h>
#include <string.h>

struct reader {
  const char *text;
  size_t length, at;
  const struct source_map *map;
  struct arena *arena;
  struct front_field **tail;
};

struct line {
  const char *text;
  size_t offset, length; /* without its newline and trailing blanks */
};

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static bool next_line(struct reader *reader, struct line *line) {
  if (reader->at >= reader->length) return false;
  const char *start = reader->text + reader->at;
  const char *end = memchr(start, '\n', reader->length - reader->at);
  size_t length =
      end == NULL ? reader->length - reader->at : (size_t)(end - start);
  *line = (struct line){start, reader->at, length};
  reader->at += length + (end != NULL);
  while (line->length > 0 &&
         (is_blank(start[line->length - 1]) || start[line->length - 1] == '\r'))
    line->length--;
  return true;
}

static bool is_fence(const struct line *line) {
  return line->length == 3 && memcmp(line->text, "---", 3) == 0;
}

static bool is_key_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '-' || c == '_';
}

static const char *value_text(struct arena *arena, const char *text,
                              size_t length) {
  if (length >= 2 && text[0] == '"' && text[length - 1] == '"')
    return arena_copy(arena, text + 1, length - 2);
  return arena_copy(arena, text, length);
}

/* The value's bytes from `start` on are those of the source at `offset`. */
static void add_origin(struct reader *reader, struct front_field *field,
                       size_t start, size_t offset) {
  struct origins *origins = &field->origins;
  size_t count = origins->count;
  struct origin *items = (struct origin *)origins->items;
  if ((count & (count - 1)) == 0) { /* it is full: 0, 1, 2, 4, ... */
    size_t room = count > 0 ? 2 * count : 1;
    items = arena_alloc(reader->arena, room * sizeof *items);
    if (count > 0) memcpy(items, origins->items, count * sizeof *items);
  }
  items[count] = (struct origin){start, offset, false};
  *origins = (struct origins){.items = items, .count = count + 1};
}

static int read_field(struct reader *reader, const struct line *line,
                      struct front_matter *out, struct error *err) {
  struct place place = source_map_place(reader->map, line->offset);
  size_t key = 0;
  while (key < line->length && is_key_char(line->text[key]))
    key++;
  if (key == 0 || key == line->length || line->text[key] != ':')
    return error_at(err, place, "front matter wants `key: value` on each line");
  struct front_field *field = arena_alloc(reader->arena, sizeof *field);
  field->key = arena_copy(reader->arena, line->text, key);
  field->place = place;
  if (front_matter_field(out, field->key) != NULL)
    return error_at(err, place,
                    "the field `%s` stands twice in the front matter",
                    field->key);
  size_t start = key + 1;
  while (start < line->length && is_blank(line->text[start]))
    start++;
  field->value =
      value_text(reader->arena, line->text + start, line->length - start);
  bool quoted = strlen(field->value) < line->length - start;
  if (*field->value != 0)
    add_origin(reader, field, 0, line->offset + start + quoted);
  *reader->tail = field;
  reader->tail = &field->next;
  return 0;
}

static int continue_field(struct reader *reader, const struct line *line,
                          struct front_field *last, struct error *err) {
  if (last == NULL)
    return error_at(err, source_map_place(reader->map, line->offset),
                    "front matter starts with a continued line");
  size_t start = 0;
  while (is_blank(line->text[start]))
    start++;
  size_t length = strlen(last->value);
  add_origin(reader, last, length > 0 ? length + 1 : 0, line->offset + start);
  last->value = arena_printf(reader->arena, "%s%s%.*s", last->value,
                             *last->value == 0 ? "" : " ",
                             (int)(line->length - start), line->text + start);
  return 0;
}

int front_matter_parse(const char *text, size_t length,
                       const struct source_map *map, struct arena *arena,
                       struct front_matter *out, size_t *body,
                       struct error *err) {
  *out = (struct front_matter){0};
  *body = 0;
  struct reader reader = {text, length, 0, map, arena, &out->fields};
  struct line line;
  if (!next_line(&reader, &line) || !is_fence(&line)) return 0;
  struct front_field *last = NULL;
  while (next_line(&reader, &line)) {
    if (is_fence(&line)) {
      *body = reader.at;
      return 0;
    }
    if (line.length == 0 || line.text[0] == '#') continue;
    int status = is_blank(line.text[0])
                     ? continue_field(&reader, &line, last, err)
                     : read_field(&reader, &line, out, err);
    if (status != 0) return -1;
    last = last == NULL ? out->fields : last;
    while (last->next != NULL)
      last = last->next;
  }
  return error_at(err, source_map_place(map, 0),
                  "the front matter is not closed by a `---` line");
}

void front_matter_override(struct front_matter *front, struct arena *arena,
                           const char *key, const char *value,
                           struct place place) {
  struct front_field *field = arena_alloc(arena, sizeof *field);
  *field = (struct front_field){
      .key = key, .value = value, .place = place, .next = front->fields};
  front->fields = field;
}

const struct front_field *front_matter_field(const struct front_matter *front,
                                             const char *key) {
  const struct front_field *field = front->fields;
  while (field != NULL && strcmp(field->key, key) != 0)
    field = field->next;
  return field;
}

const char *front_matter_value(const struct front_matter *front,
                               const char *key, const char *otherwise) {
  const struct front_field *field = front_matter_field(front, key);
  return field == NULL ? otherwise : field->value;
}
