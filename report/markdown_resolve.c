/* What points elsewhere: ids, links, notes, citations, and their numbers in
 * the order of the text. */
#include <stdlib.h>
#include <string.h>

#include "report/markdown_reader.h"

/* ---- a table of names (open addressing, FNV-1a) -------------------------- */

struct names {
  struct {
    const char *name;
    void *value;
  } * slots;
  size_t room, count; /* room is a power of two */
};

static size_t hash_name(const char *name) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (; *name != 0; name++)
    hash = (hash ^ (unsigned char)*name) * 0x100000001B3u;
  return (size_t)(hash ^ (hash >> 32));
}

/* The value's slot, which is NULL for a new name. */
static void **find_name(const struct names *names, const char *name) {
  size_t at = hash_name(name) & (names->room - 1);
  while (names->slots[at].name != NULL &&
         strcmp(names->slots[at].name, name) != 0)
    at = (at + 1) & (names->room - 1);
  names->slots[at].name = name;
  return &names->slots[at].value;
}

static void **add_name(struct names *names, const char *name);

static void grow_names(struct names *names) {
  struct names larger = {0};
  larger.room = names->room > 0 ? names->room * 2 : 64;
  larger.slots = memory_alloc(larger.room, sizeof *larger.slots);
  for (size_t i = 0; i < names->room; i++)
    if (names->slots[i].value != NULL)
      *add_name(&larger, names->slots[i].name) = names->slots[i].value;
  free(names->slots);
  *names = larger;
}

/* The caller sets the value, which counts the name in. */
static void **add_name(struct names *names, const char *name) {
  if (names->count * 2 >= names->room) grow_names(names);
  void **value = find_name(names, name);
  names->count++;
  return value;
}

static void *get_name(const struct names *names, const char *name) {
  if (names->room == 0) return NULL;
  size_t at = hash_name(name) & (names->room - 1);
  for (; names->slots[at].name != NULL; at = (at + 1) & (names->room - 1))
    if (strcmp(names->slots[at].name, name) == 0) return names->slots[at].value;
  return NULL;
}

struct resolver {
  struct markdown_reader *reader;
  struct document *document;
  struct names ids, slugs, notes, references;
  size_t cited_notes, cited_references;
  int level; /* of the heading before */
  bool in_note;
};

static int fail(struct resolver *r, struct place place, const char *before,
                const char *name, const char *behind) {
  return error_at(r->reader->err, place, "%s`%s`%s", before, name, behind);
}

/* ---- ids ----------------------------------------------------------------- */

static int add_id(struct resolver *r, struct block *block) {
  struct block *other = get_name(&r->ids, block->id);
  if (other != NULL)
    return error_at(r->reader->err, block->place,
                    "the id `%s` stands already in line %d", block->id,
                    other->place.line);
  *add_name(&r->ids, block->id) = block;
  return 0;
}

/* Given ids first, so that made ones give way to them. */
static int gather_ids(struct resolver *r, struct block *blocks) {
  for (struct block *block = blocks; block != NULL; block = block->next) {
    if (block->id != NULL && add_id(r, block) != 0) return -1;
    if (gather_ids(r, block->child) != 0) return -1;
  }
  return 0;
}

/* The heading's words in small letters with hyphens between; middle dots are
 * no letters. */
static const char *make_slug(struct arena *arena, const struct span *spans) {
  struct buffer words = {0}, slug = {0};
  document_plain_text(spans, &words);
  for (size_t i = 0; i < words.length; i++) {
    char c = words.bytes[i];
    if (strncmp(words.bytes + i, "\u00b7", 2) == 0) {
      i++;
      continue;
    }
    bool letter =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
    if (c >= 'A' && c <= 'Z') {
      buffer_char(&slug, (char)(c | 0x20));
    } else if (letter) {
      buffer_char(&slug, c);
    } else if (slug.length > 0 && slug.bytes[slug.length - 1] != '-') {
      buffer_char(&slug, '-');
    }
  }
  while (slug.length > 0 && slug.bytes[slug.length - 1] == '-')
    slug.length--;
  const char *copy =
      slug.length > 0 ? arena_copy(arena, slug.bytes, slug.length) : "section";
  buffer_free(&words);
  buffer_free(&slug);
  return copy;
}

/* `slug`, or `slug-2` and so on; counting goes on where it stopped. */
static const char *unique_slug(struct resolver *r, const char *slug) {
  struct arena *arena = r->reader->arena;
  const char *id = slug;
  int *used = get_name(&r->slugs, slug);
  if (used == NULL) {
    used = arena_alloc(arena, sizeof *used);
    *add_name(&r->slugs, slug) = used;
  }
  while (*used > 0 || get_name(&r->ids, id) != NULL) {
    *used = *used > 0 ? *used + 1 : 2;
    id = arena_printf(arena, "%s-%d", slug, *used);
    if (get_name(&r->ids, id) == NULL) break;
  }
  if (*used == 0) *used = 1;
  return id;
}

static int make_ids(struct resolver *r, struct block *blocks) {
  for (struct block *block = blocks; block != NULL; block = block->next) {
    if (block->type == BLOCK_HEADING && block->id == NULL) {
      block->id = unique_slug(r, make_slug(r->reader->arena, block->spans));
      *add_name(&r->ids, block->id) = block;
    }
    if (make_ids(r, block->child) != 0) return -1;
  }
  return 0;
}

static int gather_definitions(struct resolver *r) {
  struct document *document = r->document;
  for (size_t i = 0; i < document->note_count; i++) {
    struct note *note = document->notes[i];
    if (get_name(&r->notes, note->key) != NULL)
      return fail(r, note->place, "the note ", note->key, " is defined twice");
    *add_name(&r->notes, note->key) = note;
  }
  for (size_t i = 0; i < document->reference_count; i++) {
    struct reference *entry = document->references[i];
    if (get_name(&r->references, entry->key) != NULL)
      return fail(r, entry->place, "the reference ", entry->key,
                  " is defined twice");
    *add_name(&r->references, entry->key) = entry;
  }
  return 0;
}

/* ---- spans --------------------------------------------------------------- */

static const char *target_words(struct resolver *r,
                                const struct block *target) {
  struct buffer words = {0};
  if (target->number > 0)
    buffer_printf(&words, "%s\u00a0%d",
                  document_label(r->document, target->type == BLOCK_FIGURE
                                                  ? LABEL_FIGURE
                                                  : LABEL_TABLE),
                  target->number);
  else if (target->type == BLOCK_HEADING)
    document_plain_text(target->spans, &words);
  const char *copy = arena_copy(
      r->reader->arena, words.length > 0 ? words.bytes : "", words.length);
  buffer_free(&words);
  return copy;
}

static int resolve_link(struct resolver *r, struct span *link) {
  if (link->url[0] == '#') {
    link->target = get_name(&r->ids, link->url + 1);
    if (link->target == NULL)
      return fail(r, link->place, "no heading, figure or table has the id ",
                  link->url + 1, "");
  }
  if (link->child != NULL) return 0;
  if (link->target == NULL)
    return fail(r, link->place, "the link to ", link->url, " has no words");
  const char *words = target_words(r, link->target);
  if (*words == 0)
    return fail(r, link->place, "", link->url,
                " has no caption and so no number: give the link words");
  link->automatic = true;
  link->child = arena_alloc(r->reader->arena, sizeof *link->child);
  *link->child = (struct span){
      .type = SPAN_TEXT, .place = link->place, .text = words, .url = NULL};
  return 0;
}

static int resolve_note(struct resolver *r, struct span *span) {
  if (r->in_note)
    return fail(r, span->place, "the note ", span->text,
                " is referred to inside of a note");
  struct note *note = get_name(&r->notes, span->text);
  if (note == NULL)
    return fail(r, span->place, "the note ", span->text, " is not defined");
  if (note->number == 0) note->number = (int)++r->cited_notes;
  span->occurrence = ++note->marks;
  span->note = note;
  span->text = "";
  return 0;
}

static int resolve_citation(struct resolver *r, struct span *span) {
  struct reference *entry = get_name(&r->references, span->text);
  if (entry == NULL)
    return fail(r, span->place, "the reference ", span->text,
                " is not defined");
  if (entry->number == 0) entry->number = (int)++r->cited_references;
  span->occurrence = ++entry->marks;
  span->reference = entry;
  span->text = "";
  return 0;
}

static int resolve_spans(struct resolver *r, struct span *spans) {
  for (struct span *span = spans; span != NULL; span = span->next) {
    int status = 0;
    if (span->type == SPAN_LINK) status = resolve_link(r, span);
    if (span->type == SPAN_NOTE) status = resolve_note(r, span);
    if (span->type == SPAN_CITATION) status = resolve_citation(r, span);
    if (status != 0 || resolve_spans(r, span->child) != 0) return -1;
  }
  return 0;
}

/* ---- blocks -------------------------------------------------------------- */

static int check_heading(struct resolver *r, const struct block *heading) {
  if (r->in_note)
    return error_at(r->reader->err, heading->place, "a heading in a note");
  if (r->level > 0 && heading->level > r->level + 1)
    return error_at(r->reader->err, heading->place,
                    "a heading of level %d under one of level %d skips a level",
                    heading->level, r->level);
  r->level = heading->level;
  return 0;
}

static int resolve_cells(struct resolver *r, const struct table *table) {
  for (size_t i = 0; i < table->columns; i++)
    if (resolve_spans(r, table->head[i].spans) != 0) return -1;
  for (size_t i = 0; i < table->rows * table->columns; i++)
    if (resolve_spans(r, table->cells[i].spans) != 0) return -1;
  return 0;
}

static int resolve_blocks(struct resolver *r, struct block *blocks) {
  for (struct block *block = blocks; block != NULL; block = block->next) {
    if (block->type == BLOCK_HEADING && check_heading(r, block) != 0) return -1;
    if (resolve_spans(r, block->spans) != 0) return -1;
    if (block->table != NULL && resolve_cells(r, block->table) != 0) return -1;
    if (resolve_blocks(r, block->child) != 0) return -1;
  }
  return 0;
}

/* ---- the order of notes and references ----------------------------------- */

static int compare_notes(const void *a, const void *b) {
  const struct note *left = *(struct note *const *)a;
  const struct note *right = *(struct note *const *)b;
  return (left->number > right->number) - (left->number < right->number);
}

static int compare_references(const void *a, const void *b) {
  const struct reference *left = *(struct reference *const *)a;
  const struct reference *right = *(struct reference *const *)b;
  return (left->number > right->number) - (left->number < right->number);
}

static int check_notes(struct resolver *r) {
  struct document *document = r->document;
  for (size_t i = 0; i < document->note_count; i++)
    if (document->notes[i]->number == 0)
      return fail(r, document->notes[i]->place, "the note ",
                  document->notes[i]->key, " is never referred to");
  if (document->note_count > 0)
    qsort(document->notes, document->note_count, sizeof *document->notes,
          compare_notes);
  return 0;
}

static int check_references(struct resolver *r) {
  struct document *document = r->document;
  for (size_t i = 0; i < document->reference_count; i++)
    if (document->references[i]->number == 0)
      return fail(r, document->references[i]->place, "the reference ",
                  document->references[i]->key, " is never cited");
  if (document->reference_count > 0)
    qsort(document->references, document->reference_count,
          sizeof *document->references, compare_references);
  return 0;
}

static int resolve_notes(struct resolver *r) {
  r->in_note = true;
  for (size_t i = 0; i < r->document->note_count; i++)
    if (resolve_blocks(r, r->document->notes[i]->blocks) != 0) return -1;
  for (size_t i = 0; i < r->document->reference_count; i++)
    if (resolve_spans(r, r->document->references[i]->spans) != 0) return -1;
  return 0;
}

int markdown_resolve(struct markdown_reader *reader) {
  struct resolver r = {.reader = reader, .document = reader->document};
  struct block *blocks = reader->document->blocks;
  int status = -1;
  if (gather_ids(&r, blocks) != 0 || make_ids(&r, blocks) != 0 ||
      gather_definitions(&r) != 0 || resolve_blocks(&r, blocks) != 0 ||
      check_notes(&r) != 0 || resolve_notes(&r) != 0 ||
      check_references(&r) != 0)
    goto cleanup;
  status = 0;

cleanup:
  free(r.ids.slots);
  free(r.slugs.slots);
  free(r.notes.slots);
  free(r.references.slots);
  return status;
}
