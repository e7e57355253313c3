#include "report/paragraph_breaks.h"

#include <math.h>
#include <stdlib.h>

#include "report/base/memory.h"

/* The TeXbook's plain values. */
enum {
  LINE_DEMERITS = 10,
  ADJACENT_DEMERITS = 10000, /* a tight line beside a loose one */
  DOUBLE_HYPHEN_DEMERITS = 10000,
  FINAL_HYPHEN_DEMERITS = 5000, /* in the last line but one */
  RUNT_DEMERITS = 40000         /* a last line of nothing; less for more */
};
static const double runt_share = 0.15; /* of the width: long enough */

enum fitness { TIGHT, NORMAL, LOOSE, VERY_LOOSE, FITNESS_COUNT };

struct pass {
  double tolerance;
  bool hyphens;
  int dearest;      /* breaks that cost as much are not tried */
  double emergency; /* stretch per line, as a share of the width */
};
static const struct pass passes[] = {
    {100, false, PENALTY_RELUCTANT, 0},
    {200, true, PENALTY_RELUCTANT, 0},
    {500, true, PENALTY_DESPERATE, 0.06},
    {HUGE_VAL, true, PENALTY_NEVER, 0.12},
};
enum { PASS_COUNT = sizeof passes / sizeof passes[0] };

/* A feasible breakpoint. The totals are of all that precedes the first item of
 * the line that starts here. */
struct node {
  double width, stretch, shrink;
  double demerits;
  size_t break_at, first; /* item broken at; first item of the next line */
  size_t previous;        /* node the line before starts at */
  enum fitness fitness;
  bool flagged;
};

struct nodes {
  struct node *at;
  size_t count, room;
};

struct breaker {
  const struct line_item *items;
  size_t count;
  const struct line_options *options;
  struct pass pass;
  double width, stretch, shrink; /* totals up to the current item */
  struct nodes nodes;            /* all feasible breaks; 0 is the start */
  size_t *active;                /* indices into nodes, in order */
  size_t active_count, active_room;
};

/* The best way to reach the current break, for one fitness. */
struct candidate {
  double demerits;
  size_t from;
};

static size_t push_node(struct nodes *nodes, struct node node) {
  if (nodes->count == nodes->room) {
    nodes->room = nodes->room ? nodes->room * 2 : 64;
    nodes->at = memory_resize(nodes->at, nodes->room, sizeof *nodes->at);
  }
  nodes->at[nodes->count] = node;
  return nodes->count++;
}

static void push_active(struct breaker *b, size_t node) {
  if (b->active_count == b->active_room) {
    b->active_room = b->active_room ? b->active_room * 2 : 64;
    b->active = memory_resize(b->active, b->active_room, sizeof *b->active);
  }
  b->active[b->active_count++] = node;
}

static double measure(const struct line_options *options, bool is_first) {
  return options->width - (is_first ? options->first_indent : 0);
}

static double fill_ratio(double length, double target, double stretch,
                         double shrink) {
  double lack = target - length;
  if (fabs(lack) < 1e-9 * (1 + target)) return 0;
  if (lack > 0) return stretch > 0 ? lack / stretch : HUGE_VAL;
  return shrink > 0 ? lack / shrink : -HUGE_VAL;
}

double line_ratio(const struct line_item *items, struct line_break line,
                  const struct line_options *options, bool is_first) {
  double width = 0, stretch = options->right_stretch, shrink = 0;
  for (size_t i = line.first; i < line.break_at; i++) {
    if (items[i].kind == LINE_PENALTY) continue;
    width += items[i].width;
    stretch += items[i].stretch;
    shrink += items[i].shrink;
  }
  if (items[line.break_at].kind == LINE_PENALTY)
    width += items[line.break_at].width;
  return fill_ratio(width, measure(options, is_first), stretch, shrink);
}

static double ratio_from(const struct breaker *b, const struct node *a,
                         const struct line_item *end) {
  double width =
      b->width - a->width + (end->kind == LINE_PENALTY ? end->width : 0);
  double stretch = b->stretch - a->stretch + b->options->right_stretch +
                   b->pass.emergency * b->options->width;
  return fill_ratio(width, measure(b->options, a == b->nodes.at), stretch,
                    b->shrink - a->shrink);
}

static enum fitness fitness_of(double ratio) {
  if (ratio < -0.5) return TIGHT;
  if (ratio <= 0.5) return NORMAL;
  return ratio <= 1 ? LOOSE : VERY_LOOSE;
}

static double line_demerits(const struct breaker *b, const struct node *a,
                            const struct line_item *end, double ratio,
                            double length) {
  double badness = fmin(100 * fabs(ratio) * ratio * ratio, 1e6);
  double penalty = end->kind == LINE_PENALTY ? end->penalty : 0;
  double demerits = (LINE_DEMERITS + badness) * (LINE_DEMERITS + badness);
  if (penalty > 0)
    demerits += penalty * penalty;
  else if (penalty > PENALTY_FORCED)
    demerits -= penalty * penalty;
  bool flagged = end->kind == LINE_PENALTY && end->flagged;
  bool is_last = end == b->items + b->count - 1;
  if (a->flagged && flagged) demerits += DOUBLE_HYPHEN_DEMERITS;
  if (a->flagged && is_last) demerits += FINAL_HYPHEN_DEMERITS;
  double enough = runt_share * b->options->width;
  if (is_last && a != b->nodes.at && length < enough)
    demerits += RUNT_DEMERITS * (1 - length / enough);
  if (abs((int)fitness_of(ratio) - (int)a->fitness) > 1)
    demerits += ADJACENT_DEMERITS;
  return demerits;
}

/* Add the breaks at item `i` that `best` describes. The next line starts after
 * the glue and penalties that follow (a forced break among them stands). */
static void add_breaks(struct breaker *b, size_t i,
                       const struct candidate best[FITNESS_COUNT]) {
  struct node node = {.width = b->width,
                      .stretch = b->stretch,
                      .shrink = b->shrink,
                      .break_at = i,
                      .first = i,
                      .flagged = b->items[i].kind == LINE_PENALTY &&
                                 b->items[i].flagged};
  for (; node.first < b->count; node.first++) {
    const struct line_item *item = &b->items[node.first];
    if (item->kind == LINE_BOX) break;
    if (item->kind == LINE_PENALTY) {
      if (item->penalty <= PENALTY_FORCED && node.first > i) break;
      continue;
    }
    node.width += item->width;
    node.stretch += item->stretch;
    node.shrink += item->shrink;
  }
  for (int f = 0; f < FITNESS_COUNT; f++) {
    if (best[f].demerits == HUGE_VAL) continue;
    node.demerits = best[f].demerits;
    node.previous = best[f].from;
    node.fitness = (enum fitness)f;
    push_active(b, push_node(&b->nodes, node));
  }
}

/* Try the legal break at item `i`; false when no way leads on from here. */
static bool try_break(struct breaker *b, size_t i, bool is_final_pass) {
  const struct line_item *end = &b->items[i];
  bool is_forced = end->kind == LINE_PENALTY && end->penalty <= PENALTY_FORCED;
  struct candidate best[FITNESS_COUNT];
  for (int f = 0; f < FITNESS_COUNT; f++)
    best[f] = (struct candidate){HUGE_VAL, 0};
  bool found = false;
  size_t kept = 0, last_dropped = 0;
  for (size_t k = 0; k < b->active_count; k++) {
    size_t from = b->active[k];
    const struct node *a = &b->nodes.at[from];
    double ratio = ratio_from(b, a, end);
    double badness = 100 * fabs(ratio) * ratio * ratio;
    if (ratio >= -1 && badness <= b->pass.tolerance) {
      double total =
          a->demerits + line_demerits(b, a, end, ratio, b->width - a->width);
      enum fitness f = fitness_of(ratio);
      if (total < best[f].demerits) best[f] = (struct candidate){total, from};
      found = true;
    }
    /* A penalty's width is gone at the next break: keep lines it alone
     * makes too long. */
    bool is_over = ratio < -1 && (end->kind != LINE_PENALTY || end->width <= 0);
    if (is_over || is_forced)
      last_dropped = from;
    else
      b->active[kept++] = from;
  }
  b->active_count = kept;
  if (!found && kept == 0) {
    if (!is_final_pass) return false;
    double demerits = b->nodes.at[last_dropped].demerits + 1e12;
    best[TIGHT] = (struct candidate){demerits, last_dropped};
    found = true;
  }
  if (found) add_breaks(b, i, best);
  return true;
}

static bool is_legal_break(const struct breaker *b, size_t i) {
  const struct line_item *item = &b->items[i];
  if (item->kind == LINE_GLUE) return i > 0 && b->items[i - 1].kind == LINE_BOX;
  if (item->kind != LINE_PENALTY || item->penalty >= PENALTY_NEVER)
    return false;
  if (item->penalty >= b->pass.dearest) return false;
  return b->pass.hyphens || !item->flagged;
}

static bool run_pass(struct breaker *b, bool is_final_pass) {
  b->width = b->stretch = b->shrink = 0;
  b->nodes.count = b->active_count = 0;
  struct node start = {.fitness = NORMAL};
  push_active(b, push_node(&b->nodes, start));
  for (size_t i = 0; i < b->count; i++) {
    const struct line_item *item = &b->items[i];
    if (is_legal_break(b, i) && !try_break(b, i, is_final_pass)) return false;
    if (item->kind == LINE_PENALTY) continue;
    b->width += item->width;
    b->stretch += item->stretch;
    b->shrink += item->shrink;
  }
  return true;
}

/* Walk back from the best node of the last, forced break. */
static void collect_lines(const struct breaker *b, struct line_breaks *out) {
  size_t best = b->active[0];
  for (size_t k = 1; k < b->active_count; k++)
    if (b->nodes.at[b->active[k]].demerits < b->nodes.at[best].demerits)
      best = b->active[k];
  out->count = 0;
  for (size_t n = best; n != 0; n = b->nodes.at[n].previous)
    out->count++;
  out->lines = memory_alloc(out->count, sizeof *out->lines);
  size_t line = out->count;
  for (size_t n = best; n != 0; n = b->nodes.at[n].previous) {
    const struct node *from = &b->nodes.at[b->nodes.at[n].previous];
    out->lines[--line] =
        (struct line_break){from->first, b->nodes.at[n].break_at};
  }
}

void line_breaks_find(const struct line_item *items, size_t count,
                      const struct line_options *options,
                      struct line_breaks *out) {
  struct breaker b = {.items = items, .count = count, .options = options};
  for (int p = 0; p < PASS_COUNT; p++) {
    b.pass = passes[p];
    if (run_pass(&b, p == PASS_COUNT - 1)) break;
  }
  collect_lines(&b, out);
  free(b.nodes.at);
  free(b.active);
}

void line_breaks_free(struct line_breaks *breaks) {
  free(breaks->lines);
  *breaks = (struct line_breaks){0};
}
