/* What Pinpress reads of a gnuplot script itself: the comments of its head and
 * where its data blocks begin and end.
 *
 *   # title: Shares of the gradient       a field of the head; lines that are
 *   #   by layer                          indented further continue it
 *   $shares << EOD                        a data block
 *   1 0.25
 *   EOD
 *
 * The head is the run of comments that the script starts with. */
#ifndef PLOT_TEXT_H
#define PLOT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct plot_line {
  const char *start, *end; /* without the newline */
};

/* The line at *at, which moves to the next one; false at the end. */
bool plot_next_line(const char **at, const char *end, struct plot_line *out);

const char *plot_skip_blanks(const char *at, const char *end);

/* A line of the head, `# key: text` or one that continues: no key then. */
struct plot_head_line {
  struct plot_line text;
  const char *key; /* up to `key_length`; NULL: continues */
  size_t key_length;
};

bool plot_next_head_line(const char **at, const char *end,
                         struct plot_head_line *out);
bool plot_is_key(const struct plot_head_line *line, const char *key);

enum { PLOT_WORD = 64 };

/* `$name << WORD`, which opens a block up to a line that is WORD alone. */
bool plot_opens_data(struct plot_line line, char word[PLOT_WORD]);
bool plot_closes_data(struct plot_line line, const char *word);

#endif
