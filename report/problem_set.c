#include "report/problem_set.h"

#include <stdlib.h>
#include <string.h>

#include "report/problem_set_parts.h"

const char problem_set_mistakes[] = "mistakes";
static const char dot[] = "\xc2\xb7";

struct reader {
  struct problem_set *set;
  struct arena *arena;
  struct error *err;
  size_t room;
};

/* ---- a problem's heading --------------------------------------------------*/

static bool ends_with(const char *text, size_t length, const char *end) {
  size_t n = strlen(end);
  return length >= n && memcmp(text + length - n, end, n) == 0;
}

static size_t without_blanks(const char *text, size_t length) {
  for (;;) {
    if (length > 0 && strchr(" \t\n", text[length - 1]) != NULL)
      length--;
    else if (ends_with(text, length, "\xc2\xa0"))
      length -= 2;
    else
      return length;
  }
}

/* Characters that look like the dot. */
static bool is_false_dot(const char *text, size_t length) {
  static const char *const others[] = {"\xe2\x80\xa2", "\xe2\x8b\x85",
                                       "\xe2\x88\x99", "\xe2\x80\xa7",
                                       "\xe2\x97\x8f", "\xce\x87"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ends_with(text, length, others[i])) return true;
  return false;
}

/* Dots at the end, set apart by a blank; shortens `*length`. */
static int take_dots(struct reader *r, struct problem *problem,
                     const char *text, size_t *length) {
  size_t end = *length;
  int dots = 0;
  if (is_false_dot(text, end))
    return error_at(r->err, problem->heading->place,
                    "write the difficulty with middle dots (%s, U+00B7)", dot);
  while (ends_with(text, end, dot)) {
    end -= strlen(dot);
    dots++;
  }
  if (dots == 0 || (end > 0 && without_blanks(text, end) == end)) return 0;
  if (dots > PROBLEM_MOST_DOTS)
    return error_at(r->err, problem->heading->place,
                    "a difficulty of %d dots: there are %d at most", dots,
                    PROBLEM_MOST_DOTS);
  problem->difficulty = dots;
  *length = without_blanks(text, end);
  return 0;
}

static double number_of(const char *digits) {
  double value = 0, unit = 1;
  for (; *digits >= '0' && *digits <= '9'; digits++)
    value = 10 * value + (*digits - '0');
  if (*digits != '.' && *digits != ',') return value;
  for (digits++; *digits >= '0' && *digits <= '9'; digits++)
    value += (unit /= 10) * (*digits - '0');
  return value;
}

/* A copy whose blanks are not broken at. */
static const char *keep_together(struct arena *arena, const char *text,
                                 size_t length) {
  struct buffer out = {0};
  for (size_t i = 0; i < length; i++)
    if (text[i] == ' ')
      buffer_text(&out, "\xc2\xa0");
    else
      buffer_char(&out, text[i]);
  const char *copy = arena_copy(arena, out.bytes, out.length);
  buffer_free(&out);
  return copy;
}

/* "(4 points)" at the end; shortens `*length`. */
static void take_points(struct reader *r, struct problem *problem,
                        const char *text, size_t *length) {
  if (*length < 3 || text[*length - 1] != ')') return;
  size_t open = *length - 1;
  while (open > 0 && text[open] != '(')
    open--;
  if (text[open] != '(' || text[open + 1] < '0' || text[open + 1] > '9') return;
  problem->points =
      keep_together(r->arena, text + open + 1, *length - open - 2);
  problem->worth = number_of(problem->points);
  *length = without_blanks(text, open);
}

/* Text spans next to each other become one. */
static void join_text(struct arena *arena, struct span *spans) {
  for (struct span *span = spans; span != NULL; span = span->next)
    while (span->type == SPAN_TEXT && span->next != NULL &&
           span->next->type == SPAN_TEXT) {
      span->text = arena_printf(arena, "%s%s", span->text, span->next->text);
      span->next = span->next->next;
    }
}

static int read_heading(struct reader *r, struct problem *problem,
                        struct block *heading) {
  join_text(r->arena, heading->spans);
  struct span **last = &heading->spans;
  while ((*last)->next != NULL)
    last = &(*last)->next;
  if ((*last)->type == SPAN_TEXT) {
    const char *text = (*last)->text;
    size_t length = without_blanks(text, strlen(text));
    if (take_dots(r, problem, text, &length) != 0) return -1;
    take_points(r, problem, text, &length);
    if (problem->difficulty == 0 && take_dots(r, problem, text, &length) != 0)
      return -1;
    (*last)->text = arena_copy(r->arena, text, length);
    if (length == 0) *last = NULL;
  }
  problem->title = heading->spans;
  return 0;
}

/* ---- taking the document apart --------------------------------------------*/

static bool is_heading(const struct block *block, int level) {
  return block->type == BLOCK_HEADING && block->level <= level;
}

/* Cut the list before the next heading of that level or above; returns what
 * stands there. */
static struct block *cut(struct block **list, int level) {
  struct block **at = list;
  while (*at != NULL && !is_heading(*at, level))
    at = &(*at)->next;
  struct block *rest = *at;
  *at = NULL;
  return rest;
}

static void mark_steps(struct block *blocks) {
  for (struct block *block = blocks; block != NULL; block = block->next)
    if (block->type == BLOCK_LIST && block->ordered) block->steps = true;
}

/* `rest` begins with a level-3 heading or is NULL; the part that it begins. */
static int take_part(struct reader *r, const struct problem *problem,
                     const char *name, const char *which, struct block **rest,
                     const struct block **heading, struct block **out) {
  if (*rest == NULL)
    return error_at(r->err, problem->heading->place,
                    "the problem has no %s: its %s level-3 heading is missing",
                    name, which);
  *heading = *rest;
  *out = (*rest)->next;
  *rest = cut(out, 3);
  if (*out == NULL)
    return error_at(r->err, (*heading)->place, "the %s is empty", name);
  return 0;
}

/* The statement and what its level-3 headings begin. */
static int read_problem(struct reader *r, struct problem *problem,
                        struct block *heading, struct block *body) {
  problem->heading = heading;
  if (read_heading(r, problem, heading) != 0) return -1;
  problem->statement = body;
  struct block *rest = cut(&problem->statement, 3);
  if (problem->statement == NULL)
    return error_at(r->err, heading->place, "the problem has no statement");
  if (take_part(r, problem, "answer", "first", &rest, &problem->answer_heading,
                &problem->answer) != 0 ||
      take_part(r, problem, "worked solution", "second", &rest,
                &problem->solution_heading, &problem->solution) != 0)
    return -1;
  if (rest != NULL)
    return error_at(r->err, rest->place,
                    "a third level-3 heading: the first begins the answer, "
                    "the second the solution; level 4 is for parts of them");
  mark_steps(problem->solution);
  return 0;
}

static struct problem *new_problem(struct reader *r) {
  struct problem_set *set = r->set;
  if (set->count == r->room) {
    size_t room = r->room > 0 ? 2 * r->room : 16;
    struct problem *larger = arena_alloc(r->arena, room * sizeof *larger);
    if (set->count > 0)
      memcpy(larger, set->problems, set->count * sizeof *larger);
    set->problems = larger;
    r->room = room;
  }
  return &set->problems[set->count++];
}

static int read_problems(struct reader *r, struct block *blocks) {
  struct problem_set *set = r->set;
  set->introduction = blocks;
  struct block *heading = cut(&set->introduction, 2);
  while (heading != NULL) {
    struct block *body = heading->next, *next = cut(&body, 2);
    struct problem *problem = new_problem(r);
    if (read_problem(r, problem, heading, body) != 0) return -1;
    heading->number = problem->number = (int)set->count;
    heading = next;
  }
  if (set->count == 0)
    return error_at(r->err, set->heading->place,
                    "no problem stands below: each is a level-2 heading");
  return 0;
}

/* ---- mistakes -------------------------------------------------------------*/

/* A step that starts with the cross loses it and is marked. */
static bool take_cross(struct block *item) {
  static const char cross[] = "\xe2\x9c\x97"; /* U+2717 */
  struct block *first = item->child;
  if (first == NULL || first->type != BLOCK_PARAGRAPH || first->spans == NULL ||
      first->spans->type != SPAN_TEXT ||
      strncmp(first->spans->text, cross, strlen(cross)) != 0)
    return false;
  first->spans->text += strlen(cross);
  first->spans->text += strspn(first->spans->text, " ");
  item->is_crossed = true;
  return true;
}

static int read_mistake(struct reader *r, struct block *heading) {
  bool any = false;
  for (struct block *b = heading->next; b && !is_heading(b, 2); b = b->next)
    if (b->type == BLOCK_LIST)
      for (struct block *item = b->child; item != NULL; item = item->next)
        any = take_cross(item) || any;
  if (any) return 0;
  return error_at(r->err, heading->place,
                  "no step of this mistake starts with \xe2\x9c\x97 (the "
                  "tempting one)");
}

static int read_closing(struct reader *r, struct block *blocks) {
  bool is_mistakes = false;
  r->set->closing = blocks;
  for (struct block *block = blocks; block != NULL; block = block->next) {
    if (is_heading(block, 1))
      is_mistakes = strcmp(block->id, problem_set_mistakes) == 0;
    else if (is_mistakes && is_heading(block, 2) && read_mistake(r, block) != 0)
      return -1;
  }
  mark_steps(blocks);
  return 0;
}

/* ---- the set --------------------------------------------------------------*/

static struct block **find_problems(struct reader *r, const char *file) {
  struct block **at = &r->set->document->blocks;
  while (*at != NULL &&
         ((*at)->type != BLOCK_HEADING || strcmp((*at)->id, "problems") != 0))
    at = &(*at)->next;
  if (*at == NULL)
    error_set(r->err,
              "%s: no heading holds the problems: write one with the id "
              "`problems` (# Problems, # Aufgaben {#problems})",
              file);
  else if ((*at)->level == 1)
    return at;
  else
    error_at(r->err, (*at)->place,
             "the heading that holds the problems must be of level 1");
  return NULL;
}

static void choose_all(struct problem_set *set, struct arena *arena) {
  set->chosen = arena_alloc(arena, set->count * sizeof(struct problem *));
  set->chosen_count = set->count;
  for (size_t i = 0; i < set->count; i++) {
    set->chosen[i] = &set->problems[i];
    set->chosen[i]->is_chosen = true;
  }
}

int problem_set_read(struct document *document, const char *file,
                     struct problem_set *out, struct error *err) {
  *out = (struct problem_set){.document = document};
  struct reader r = {.set = out, .arena = &document->arena, .err = err};
  struct block **at = find_problems(&r, file);
  if (at == NULL) return -1;
  struct block *heading = *at, *body = heading->next;
  out->preface = at == &document->blocks ? NULL : document->blocks;
  *at = NULL;
  out->heading = heading;
  struct block *closing = cut(&body, 1);
  if (read_problems(&r, body) != 0 || read_closing(&r, closing) != 0) return -1;
  choose_all(out, r.arena);
  return 0;
}

int problem_set_points(const struct problem_set *set, double *out,
                       struct error *err) {
  const struct problem *without = NULL;
  bool any = false;
  *out = 0;
  for (size_t i = 0; i < set->chosen_count; i++) {
    const struct problem *problem = set->chosen[i];
    if (problem->points == NULL) without = without ? without : problem;
    any = any || problem->points != NULL;
    *out += problem->worth;
  }
  if (any && without != NULL)
    return error_at(err, without->heading->place,
                    "this problem has no points, others have");
  return 0;
}
