/* The set put together again as pages. Blocks of the outermost level are
 * copied, since each page links them anew; what they hold is shared. */
#include <string.h>

#include "report/problem_set.h"
#include "report/problem_set_parts.h"

static const char bullet[] = "\xe2\x80\xa2";

struct builder {
  struct problem_set *set;
  struct arena *arena;
  struct block **tail;
  int work_space;
};

const char *problem_set_name(const struct problem_set *set,
                             const struct problem *problem) {
  return arena_printf(&set->document->arena, "%s\xc2\xa0%d",
                      document_label(set->document, LABEL_PROBLEM),
                      problem->number);
}

/* ---- spans ----------------------------------------------------------------*/

static struct span *new_span(struct builder *b, enum span_type type,
                             struct place place, const char *text) {
  struct span *span = arena_alloc(b->arena, sizeof *span);
  *span = (struct span){.type = type, .place = place, .text = text};
  return span;
}

/* Copies of the spans themselves, not of what they hold. */
static struct span *copy_spans(struct builder *b, const struct span *spans) {
  struct span *first = NULL, **tail = &first;
  for (; spans != NULL; spans = spans->next) {
    *tail = arena_alloc(b->arena, sizeof **tail);
    **tail = *spans;
    (*tail)->next = NULL;
    tail = &(*tail)->next;
  }
  return first;
}

/* "Problem 3. Title" */
static struct span *heading_spans(struct builder *b,
                                  const struct problem *problem) {
  const char *name = problem_set_name(b->set, problem);
  if (problem->title != NULL) name = arena_printf(b->arena, "%s. ", name);
  struct span *number = new_span(b, SPAN_TEXT, problem->heading->place, name);
  number->next = copy_spans(b, problem->title);
  return number;
}

/* "**3.** Title", with the points on a line below. */
static struct span *label_spans(struct builder *b,
                                const struct problem *problem) {
  struct place place = problem->heading->place;
  struct span *strong = new_span(b, SPAN_STRONG, place, "");
  strong->child = new_span(b, SPAN_TEXT, place,
                           arena_printf(b->arena, "%d.", problem->number));
  struct span *last = strong;
  if (problem->title != NULL) {
    last = last->next = new_span(b, SPAN_TEXT, place, "\xc2\xa0");
    last->next = copy_spans(b, problem->title);
  }
  if (problem->points != NULL) {
    while (last->next != NULL)
      last = last->next;
    last = last->next = new_span(b, SPAN_TEXT, place, " (");
    last = last->next = new_span(b, SPAN_TEXT, place, problem->points);
    last->next = new_span(b, SPAN_TEXT, place, ")");
  }
  return strong;
}

/* Points and difficulty. */
static const struct span *aside_spans(struct builder *b,
                                      const struct problem *problem) {
  struct buffer text = {0};
  if (problem->points != NULL) buffer_text(&text, problem->points);
  if (problem->points != NULL && problem->difficulty > 0)
    buffer_text(&text, "\xe2\x80\x83");
  for (int i = 0; i < problem->difficulty; i++)
    buffer_text(&text, bullet);
  if (text.length == 0) return NULL;
  const char *copy = arena_copy(b->arena, text.bytes, text.length);
  buffer_free(&text);
  return new_span(b, SPAN_TEXT, problem->heading->place, copy);
}

/* ---- blocks ---------------------------------------------------------------*/

static struct block *add(struct builder *b, enum block_type type,
                         struct place place) {
  struct block *block = arena_alloc(b->arena, sizeof *block);
  *block = (struct block){.type = type, .place = place};
  *b->tail = block;
  b->tail = &block->next;
  return block;
}

static void add_copies(struct builder *b, const struct block *blocks) {
  for (; blocks != NULL; blocks = blocks->next) {
    struct block *copy = add(b, blocks->type, blocks->place);
    *copy = *blocks;
    copy->next = NULL;
  }
}

static void add_heading(struct builder *b, int level, const char *id,
                        const char *words) {
  struct block *heading = add(b, BLOCK_HEADING, b->set->heading->place);
  heading->level = level;
  heading->id = id;
  heading->spans = new_span(b, SPAN_TEXT, heading->place, words);
}

static void add_problem_heading(struct builder *b,
                                const struct problem *problem, const char *id,
                                bool with_aside) {
  struct block *heading = add(b, BLOCK_HEADING, problem->heading->place);
  heading->level = 2;
  heading->id = id;
  heading->spans = heading_spans(b, problem);
  if (with_aside) heading->aside = aside_spans(b, problem);
}

static void add_break(struct builder *b) {
  add(b, BLOCK_PAGE_BREAK, b->set->heading->place);
}

/* A fold over copies of `blocks`. */
static struct block *add_fold(struct builder *b, const struct block *heading,
                              const struct block *blocks) {
  struct block *fold = add(b, BLOCK_FOLD, heading->place);
  struct builder inside = *b;
  inside.tail = &fold->child;
  fold->id = heading->id;
  fold->spans = copy_spans(b, heading->spans);
  add_copies(&inside, blocks);
  return fold;
}

/* ---- parts ----------------------------------------------------------------*/

static bool has_difficulties(const struct problem_set *set) {
  for (size_t i = 0; i < set->chosen_count; i++)
    if (set->chosen[i]->difficulty > 0) return true;
  return false;
}

static void add_problem(struct builder *b, const struct problem *problem,
                        bool is_folded) {
  struct block *group = add(b, BLOCK_GROUP, problem->heading->place);
  struct builder inside = *b;
  inside.tail = &group->child;
  add_problem_heading(&inside, problem, problem->heading->id, true);
  add_copies(&inside, problem->statement);
  if (b->work_space > 0)
    add(&inside, BLOCK_WORK_SPACE, problem->heading->place)->lines =
        b->work_space;
  if (!is_folded) return;
  add_fold(&inside, problem->answer_heading, problem->answer);
  add_fold(&inside, problem->solution_heading, problem->solution);
}

static void add_sheet(struct builder *b, bool is_folded) {
  struct problem_set *set = b->set;
  add_copies(b, set->preface);
  struct block *heading = add(b, BLOCK_HEADING, set->heading->place);
  *heading = *set->heading;
  heading->next = NULL;
  if (has_difficulties(set))
    heading->aside = new_span(b, SPAN_TEXT, heading->place,
                              document_label(set->document, LABEL_DIFFICULTY));
  add_copies(b, set->introduction);
  for (size_t i = 0; i < set->chosen_count; i++)
    add_problem(b, set->chosen[i], is_folded);
}

/* Where the sheet is not on the page, links to problems lead here. */
static void add_key(struct builder *b, bool is_alone) {
  struct problem_set *set = b->set;
  add_heading(b, 1, "page:answers",
              document_label(set->document, LABEL_ANSWERS));
  for (size_t i = 0; i < set->chosen_count; i++) {
    const struct problem *problem = set->chosen[i];
    struct block *entry = add(b, BLOCK_GROUP, problem->heading->place);
    struct builder inside = *b;
    inside.tail = &entry->child;
    entry->spans = label_spans(b, problem);
    entry->id = is_alone ? problem->heading->id : problem->answer_heading->id;
    add_copies(&inside, problem->answer);
  }
}

static void add_solutions(struct builder *b, bool is_alone) {
  struct problem_set *set = b->set;
  add_heading(b, 1, "page:solutions",
              document_label(set->document, LABEL_SOLUTIONS));
  for (size_t i = 0; i < set->chosen_count; i++) {
    const struct problem *problem = set->chosen[i];
    struct block *group = add(b, BLOCK_GROUP, problem->heading->place);
    struct builder inside = *b;
    inside.tail = &group->child;
    add_problem_heading(
        &inside, problem,
        is_alone ? problem->heading->id : problem->solution_heading->id, false);
    add_copies(&inside, problem->solution);
  }
  if (set->closing == NULL) return;
  add_break(b);
  add_copies(b, set->closing);
}

/* Mistakes are folded, each with its derivation. */
static void add_folded_closing(struct builder *b) {
  bool is_mistakes = false;
  struct builder inside = *b;
  struct builder *to = b;
  for (const struct block *block = b->set->closing; block;
       block = block->next) {
    struct block alone = *block;
    alone.next = NULL;
    bool is_outer = block->type == BLOCK_HEADING && block->level <= 2;
    if (is_outer || block->type == BLOCK_REFERENCES) to = b;
    if (is_outer && block->level == 1)
      is_mistakes = strcmp(block->id, problem_set_mistakes) == 0;
    if (is_outer && block->level == 2 && is_mistakes) {
      struct block *fold = add_fold(b, block, NULL);
      fold->level = block->level;
      inside.tail = &fold->child;
      to = &inside;
    } else {
      add_copies(to, &alone);
    }
  }
}

static void add_page(struct builder *b, enum problem_page page) {
  switch (page) {
  case PROBLEM_PAGE_SET:
    add_sheet(b, false);
    add_break(b);
    add_key(b, false);
    add_break(b);
    add_solutions(b, false);
    return;
  case PROBLEM_PAGE_PROBLEMS:
    add_sheet(b, false);
    return;
  case PROBLEM_PAGE_KEY:
    add_key(b, true);
    return;
  case PROBLEM_PAGE_SOLUTIONS:
    add_solutions(b, true);
    return;
  case PROBLEM_PAGE_FOLDED:
    add_sheet(b, true);
    add_folded_closing(b);
    return;
  }
}

void problem_set_assemble(struct problem_set *set, enum problem_page page,
                          int work_space, struct document *out) {
  *out = *set->document;
  out->blocks = NULL;
  struct builder b = {.set = set,
                      .arena = &set->document->arena,
                      .tail = &out->blocks,
                      .work_space =
                          page == PROBLEM_PAGE_PROBLEMS ? work_space : 0};
  add_page(&b, page);
  problem_set_link(set, out);
}
