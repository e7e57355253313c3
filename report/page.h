/* A column cut into pages, and the pages drawn.
 *
 * Pages are filled greedily; each ends at the break that costs least (penalty
 * of the break and badness of the room left), as in TeX's page builder. An item
 * that floats and does not fit moves to the top of the next page while text
 * fills this one; its place in the reading order is kept. Notes stand at the
 * foot of the page with their marks. Room left over goes into the stretch of
 * the spaces when that fills the page, else to the bottom; where lines to write
 * on stand on the page, it first goes into more of them. */
#ifndef PAGE_H
#define PAGE_H

#include <stddef.h>

#include "report/device.h"
#include "report/document.h"
#include "report/flow.h"

struct page_geometry {
  double width, height; /* of the paper */
  double left, top;     /* margins of the text */
  double text_width, text_height;
  double first_baseline; /* below the top of the text */
  double foot;           /* baseline of the running foot above the paper's
                            edge */
};

/* Margins for a paper (`width` x `height`), a measure and a leading: as many
 * whole lines as fit. */
struct page_geometry page_geometry(double width, double height, double measure,
                                   double leading);

struct placed {
  const struct flow_item *item;
  const struct box *box; /* the item's, or the head repeated above it */
  double y;              /* of the reference point below the text's top */
  bool is_deferred;      /* not drawn here, only entered in reading order */
};

struct placed_note {
  const struct box *box;
  double y;
};

struct page {
  struct placed *items; /* in the arena, as all below */
  size_t count;
  struct placed_note *notes;
  size_t note_count;
  double rule_y; /* above the notes */
};

struct pages {
  struct page *pages; /* freed by pages_free */
  size_t count, room;
};

struct page_options {
  struct page_geometry geometry;
  struct arena *arena;
  struct box *const *notes; /* by number, from 0 */
};

/* An item or note that is taller than a page is an error at its place. */
int pages_build(const struct flow *flow, const struct page_options *options,
                struct pages *out, struct error *err);
void pages_free(struct pages *pages);

struct foot {
  struct box *left; /* on every page but the first, or NULL */
  struct box *(*number)(void *context, size_t page, size_t count);
  void *context;
  bool left_on_first;
  struct box *head; /* in the middle above the text of every page, or NULL */
};

/* Draw all pages inside the elements of `base`. */
void pages_draw(const struct pages *pages, const struct page_geometry *geometry,
                const struct foot *foot, const struct tag_path *base,
                struct device *device);

#endif
