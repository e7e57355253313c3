/* What points elsewhere, on a page that was put together: where its target is
 * shown, links lead there, and notes and references count from 1. */
#include <stdlib.h>
#include <string.h>

#include "report/problem_set_parts.h"

struct linker {
  struct problem_set *set;
  struct document *page;
  struct arena *arena;
  const char **ids; /* shown on the page, sorted */
  size_t id_count, id_room;
  int notes, references; /* marks found so far */
};

/* ---- ids ------------------------------------------------------------------*/

static void gather_ids(struct linker *l, const struct block *blocks) {
  for (const struct block *block = blocks; block; block = block->next) {
    if (block->id != NULL) {
      if (l->id_count == l->id_room) {
        l->id_room = l->id_room > 0 ? 2 * l->id_room : 64;
        l->ids = memory_resize(l->ids, l->id_room, sizeof *l->ids);
      }
      l->ids[l->id_count++] = block->id;
    }
    gather_ids(l, block->child);
  }
}

static int compare_ids(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_shown(const struct linker *l, const char *id) {
  return l->id_count > 0 &&
         bsearch(&id, l->ids, l->id_count, sizeof *l->ids, compare_ids) != NULL;
}

/* ---- spans ----------------------------------------------------------------*/

static struct problem *problem_of(struct linker *l, const struct block *block) {
  bool is_problem = block->type == BLOCK_HEADING && block->number > 0;
  return is_problem ? &l->set->problems[block->number - 1] : NULL;
}

/* A problem has its number, one left out of new numbers its title. */
static struct span *words_of(struct linker *l, const struct problem *problem,
                             const struct span *link) {
  struct span *span = arena_alloc(l->arena, sizeof *span);
  *span = (struct span){.type = SPAN_TEXT, .place = link->place, .text = ""};
  bool has_number = problem->is_chosen || !l->set->is_renumbered;
  if (!has_number && problem->title != NULL) {
    span->type = SPAN_EMPHASIS;
    span->child = (struct span *)problem->title;
  } else {
    span->text = has_number ? problem_set_name(l->set, problem)
                            : document_label(l->page, LABEL_PROBLEM);
  }
  return span;
}

static void link_block(struct linker *l, struct span *link) {
  const struct block *target = link->target;
  struct problem *problem = problem_of(l, target);
  link->url = is_shown(l, target->id)
                  ? arena_printf(l->arena, "#%s", target->id)
                  : NULL;
  if (problem == NULL) return;
  if (link->automatic) link->child = words_of(l, problem, link);
  if (!problem->is_chosen) problem->is_missed = true;
}

static void link_spans(struct linker *l, struct span *spans) {
  for (struct span *span = spans; span != NULL; span = span->next) {
    if (span->type == SPAN_LINK && span->target != NULL) {
      link_block(l, span);
    } else if (span->type == SPAN_NOTE) {
      if (span->note->number == 0) span->note->number = ++l->notes;
      span->occurrence = ++span->note->marks;
    } else if (span->type == SPAN_CITATION) {
      struct reference *entry = span->reference;
      if (entry->number == 0) entry->number = ++l->references;
      span->occurrence = ++entry->marks;
    }
    link_spans(l, span->child);
  }
}

static void link_table(struct linker *l, const struct table *table) {
  for (size_t i = 0; i < table->columns; i++)
    link_spans(l, table->head[i].spans);
  for (size_t i = 0; i < table->rows * table->columns; i++)
    link_spans(l, table->cells[i].spans);
}

static void link_blocks(struct linker *l, const struct block *blocks) {
  for (const struct block *block = blocks; block; block = block->next) {
    link_spans(l, block->spans);
    if (block->table != NULL) link_table(l, block->table);
    link_blocks(l, block->child);
  }
}

/* ---- notes and references -------------------------------------------------*/

static void forget_numbers(const struct document *source) {
  for (size_t i = 0; i < source->note_count; i++) {
    source->notes[i]->number = 0;
    source->notes[i]->marks = 0;
  }
  for (size_t i = 0; i < source->reference_count; i++) {
    source->references[i]->number = 0;
    source->references[i]->marks = 0;
  }
}

static void take_notes(struct linker *l, const struct document *source) {
  struct document *page = l->page;
  page->note_count = (size_t)l->notes;
  page->notes = arena_alloc(l->arena, ((size_t)l->notes + 1) * sizeof(void *));
  for (size_t i = 0; i < source->note_count; i++)
    if (source->notes[i]->number > 0)
      page->notes[source->notes[i]->number - 1] = source->notes[i];
  for (size_t i = 0; i < page->note_count; i++)
    link_blocks(l, page->notes[i]->blocks);
}

/* They may cite each other: what is found on the way is looked through too. */
static void take_references(struct linker *l, const struct document *source) {
  struct document *page = l->page;
  bool is_new = true;
  page->references =
      arena_alloc(l->arena, (source->reference_count + 1) * sizeof(void *));
  page->reference_count = 0;
  while (is_new) {
    is_new = false;
    for (size_t i = 0; i < source->reference_count; i++) {
      struct reference *entry = source->references[i];
      if (entry->number == 0 || page->references[entry->number - 1] != NULL)
        continue;
      page->references[entry->number - 1] = entry;
      page->reference_count++;
      link_spans(l, entry->spans);
      is_new = true;
    }
  }
}

/* The list stands where the source has it, else at the end. */
static void place_references(struct linker *l) {
  struct block **at = &l->page->blocks;
  if (l->page->reference_count == 0) return;
  for (; *at != NULL; at = &(*at)->next)
    if ((*at)->type == BLOCK_REFERENCES) return;
  *at = arena_alloc(l->arena, sizeof **at);
  (*at)->type = BLOCK_REFERENCES;
  (*at)->place = l->set->heading->place;
}

void problem_set_link(struct problem_set *set, struct document *page) {
  struct linker l = {.set = set, .page = page, .arena = &set->document->arena};
  gather_ids(&l, page->blocks);
  if (l.id_count > 0) qsort(l.ids, l.id_count, sizeof *l.ids, compare_ids);
  forget_numbers(set->document);
  link_blocks(&l, page->blocks);
  take_notes(&l, set->document);
  take_references(&l, set->document);
  place_references(&l);
  free(l.ids);
}
