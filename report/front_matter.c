#include "report/front_matter.h"

#include <stdbool.h>
#include <string.h>

#include "report/base/buffer.h"

enum { MOST_FIELDS = 1000 }; /* each is compared with those before it */

struct reader {
  const char *text;
  size_t length, at;
  const struct source_map *map;
  struct arena *arena;
  struct front_field **tail, *last;
  struct buffer value; /* of the last field, so far */
  size_t count;
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

/* The value starts behind the blanks at `start`; quotes around it go. */
static void begin_value(struct reader *reader, struct front_field *field,
                        const struct line *line, size_t start) {
  size_t end = line->length;
  while (start < end && is_blank(line->text[start]))
    start++;
  if (end - start >= 2 && line->text[start] == '"' &&
      line->text[end - 1] == '"') {
    start++;
    end--;
  }
  buffer_clear(&reader->value);
  buffer_add(&reader->value, line->text + start, end - start);
  if (end > start) add_origin(reader, field, 0, line->offset + start);
}

/* The last field has no further lines. */
static void end_value(struct reader *reader) {
  if (reader->last == NULL) return;
  reader->last->value =
      arena_copy(reader->arena, reader->value.bytes, reader->value.length);
  reader->last = NULL;
}

static int read_field(struct reader *reader, const struct line *line,
                      struct front_matter *out, struct error *err) {
  struct place place = source_map_place(reader->map, line->offset);
  size_t key = 0;
  end_value(reader);
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
  if (++reader->count > MOST_FIELDS)
    return error_at(err, place, "front matter of more than %d fields",
                    MOST_FIELDS);
  begin_value(reader, field, line, key + 1);
  *reader->tail = reader->last = field;
  reader->tail = &field->next;
  return 0;
}

static int continue_field(struct reader *reader, const struct line *line,
                          struct error *err) {
  struct buffer *value = &reader->value;
  if (reader->last == NULL)
    return error_at(err, source_map_place(reader->map, line->offset),
                    "front matter starts with a continued line");
  size_t start = 0;
  while (is_blank(line->text[start]))
    start++;
  if (value->length > 0) buffer_char(value, ' ');
  add_origin(reader, reader->last, value->length, line->offset + start);
  buffer_add(value, line->text + start, line->length - start);
  return 0;
}

static int read_fields(struct reader *reader, struct front_matter *out,
                       struct error *err) {
  struct line line;
  while (next_line(reader, &line)) {
    if (is_fence(&line)) {
      end_value(reader);
      return 0;
    }
    if (line.length == 0 || line.text[0] == '#') continue;
    if ((is_blank(line.text[0]) ? continue_field(reader, &line, err)
                                : read_field(reader, &line, out, err)) != 0)
      return -1;
  }
  return error_at(err, source_map_place(reader->map, 0),
                  "the front matter is not closed by a `---` line");
}

int front_matter_parse(const char *text, size_t length,
                       const struct source_map *map, struct arena *arena,
                       struct front_matter *out, size_t *body,
                       struct error *err) {
  *out = (struct front_matter){0};
  *body = 0;
  struct reader reader = {.text = text,
                          .length = length,
                          .map = map,
                          .arena = arena,
                          .tail = &out->fields};
  struct line line;
  if (!next_line(&reader, &line) || !is_fence(&line)) return 0;
  int status = read_fields(&reader, out, err);
  if (status == 0) *body = reader.at;
  buffer_free(&reader.value);
  return status;
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
