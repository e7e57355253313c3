/* Between the files of problem_set.h. */
#ifndef PROBLEM_SET_PARTS_H
#define PROBLEM_SET_PARTS_H

#include "report/problem_set.h"

/* The id of the level-1 heading that holds mistakes. */
extern const char problem_set_mistakes[];

/* "Problem 3" */
const char *problem_set_name(const struct problem_set *set,
                             const struct problem *problem);

/* Links, footnotes and references of a page that was put together. */
void problem_set_link(struct problem_set *set, struct document *page);

#endif
