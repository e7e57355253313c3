#include "report/pdf_navigation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"

struct destination {
  const char *name;
  HPDF_Dict page;
  double y;
};

struct entry {
  int level;
  const char *title, *destination;
  HPDF_Dict dict;
  size_t parent;      /* entry + 1, 0 for the root */
  size_t first, last; /* children, entry + 1 */
  size_t previous, next;
  long count; /* descendants */
};

struct pdf_navigation {
  struct arena arena;
  struct destination *destinations;
  size_t destination_count, destination_room;
  const char **wanted; /* names that links lead to */
  size_t wanted_count, wanted_room;
  struct entry *entries;
  size_t entry_count, entry_room;
};

struct pdf_navigation *pdf_navigation_new(void) {
  return memory_alloc(1, sizeof(struct pdf_navigation));
}

void pdf_navigation_free(struct pdf_navigation *navigation) {
  free(navigation->destinations);
  free(navigation->wanted);
  free(navigation->entries);
  arena_free(&navigation->arena);
  free(navigation);
}

static const char *keep(struct pdf_navigation *navigation, const char *text) {
  return text ? arena_copy(&navigation->arena, text, strlen(text)) : NULL;
}

static void want(struct pdf_navigation *navigation, const char *name) {
  *PDF_GROW(navigation->wanted, navigation->wanted_count,
            navigation->wanted_room) = keep(navigation, name);
}

void pdf_navigation_destination(struct pdf_navigation *navigation,
                                const char *name, HPDF_Dict page, double y) {
  *PDF_GROW(navigation->destinations, navigation->destination_count,
            navigation->destination_room) =
      (struct destination){keep(navigation, name), page, y};
}

HPDF_Dict pdf_navigation_link(struct pdf_navigation *navigation,
                              struct pdf *pdf, HPDF_Dict page,
                              const double rectangle[4], const char *target) {
  HPDF_Dict link = pdf_dict_indirect(pdf);
  HPDF_Array sides = pdf_array(pdf), border = pdf_array(pdf);
  for (int i = 0; i < 4; i++)
    pdf_push_real(pdf, sides, rectangle[i]);
  for (int i = 0; i < 3; i++)
    pdf_push_number(pdf, border, 0);
  pdf_put_name(pdf, link, "Type", "Annot");
  pdf_put_name(pdf, link, "Subtype", "Link");
  pdf_put(pdf, link, "Rect", sides);
  pdf_put(pdf, link, "Border", border);
  pdf_put_number(pdf, link, "F", 4); /* printed */
  if (*target == '#') {
    want(navigation, target + 1);
    pdf_put_text(pdf, link, "Dest", target + 1);
    pdf_put_text(pdf, link, "Contents", "Link within the document");
  } else {
    HPDF_Dict action = pdf_dict(pdf);
    pdf_put_name(pdf, action, "S", "URI");
    pdf_put_text(pdf, action, "URI", target);
    pdf_put(pdf, link, "A", action);
    pdf_put_text(pdf, link, "Contents", target);
  }
  HPDF_Array annotations = HPDF_Dict_GetItem(page, "Annots", HPDF_OCLASS_ARRAY);
  if (!annotations) {
    annotations = pdf_array(pdf);
    pdf_put(pdf, page, "Annots", annotations);
    pdf_put_name(pdf, page, "Tabs", "S"); /* in the order of the structure */
  }
  pdf_push(pdf, annotations, link);
  return link;
}

void pdf_navigation_outline(struct pdf_navigation *navigation, int level,
                            const char *title, const char *destination) {
  want(navigation, destination);
  *PDF_GROW(navigation->entries, navigation->entry_count,
            navigation->entry_room) =
      (struct entry){.level = level,
                     .title = keep(navigation, title),
                     .destination = keep(navigation, destination)};
}

/* ---- names -------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
  return strcmp(((const struct destination *)a)->name,
                ((const struct destination *)b)->name);
}

static void check_names(const struct pdf_navigation *navigation,
                        struct pdf *pdf) {
  const struct destination *d = navigation->destinations;
  for (size_t i = 1; i < navigation->destination_count; i++)
    if (strcmp(d[i].name, d[i - 1].name) == 0)
      pdf_fail(pdf, "pdf: the destination #%s is given twice", d[i].name);
  for (size_t i = 0; i < navigation->wanted_count; i++) {
    struct destination key = {.name = navigation->wanted[i]};
    if (!d ||
        !bsearch(&key, d, navigation->destination_count, sizeof *d, compare))
      pdf_fail(pdf, "pdf: a link leads to #%s, which the document has not",
               key.name);
  }
}

static void write_names(const struct pdf_navigation *navigation,
                        struct pdf *pdf) {
  HPDF_Array names = pdf_array(pdf);
  for (size_t i = 0; i < navigation->destination_count; i++) {
    const struct destination *d = &navigation->destinations[i];
    HPDF_Array place = pdf_array(pdf);
    pdf_push(pdf, place, d->page);
    pdf_push(pdf, place, HPDF_Name_New(pdf->doc->mmgr, "FitH"));
    pdf_push_number(pdf, place, lround(d->y));
    pdf_push_text(pdf, names, d->name);
    pdf_push(pdf, names, place);
  }
  HPDF_Dict tree = pdf_dict(pdf), all = pdf_dict(pdf);
  pdf_put(pdf, tree, "Names", names);
  pdf_put(pdf, all, "Dests", tree);
  pdf_put(pdf, pdf_catalog(pdf), "Names", all);
}

/* ---- bookmarks ---------------------------------------------------------- */

/* The parent is the last entry before of a smaller level. */
static void connect(struct pdf_navigation *navigation, struct entry *root) {
  for (size_t i = 0; i < navigation->entry_count; i++) {
    struct entry *entries = navigation->entries, *entry = &entries[i];
    size_t parent = i;
    while (parent > 0 && entries[parent - 1].level >= entry->level)
      parent = entries[parent - 1].parent;
    entry->parent = parent;
    struct entry *above = parent ? &entries[parent - 1] : root;
    entry->previous = above->last;
    if (above->last)
      entries[above->last - 1].next = i + 1;
    else
      above->first = i + 1;
    above->last = i + 1;
    for (size_t up = parent; up; up = entries[up - 1].parent)
      entries[up - 1].count++;
    root->count++;
  }
}

static void put_entry(const struct pdf_navigation *navigation, struct pdf *pdf,
                      HPDF_Dict dict, const char *key, size_t entry) {
  if (entry) pdf_put(pdf, dict, key, navigation->entries[entry - 1].dict);
}

static void write_outline(struct pdf_navigation *navigation, struct pdf *pdf) {
  struct entry root = {.dict = pdf_dict_indirect(pdf)};
  connect(navigation, &root);
  for (size_t i = 0; i < navigation->entry_count; i++)
    navigation->entries[i].dict = pdf_dict_indirect(pdf);
  for (size_t i = 0; i < navigation->entry_count; i++) {
    const struct entry *entry = &navigation->entries[i];
    pdf_put_text(pdf, entry->dict, "Title", entry->title);
    pdf_put_text(pdf, entry->dict, "Dest", entry->destination);
    if (entry->parent)
      put_entry(navigation, pdf, entry->dict, "Parent", entry->parent);
    else
      pdf_put(pdf, entry->dict, "Parent", root.dict);
    put_entry(navigation, pdf, entry->dict, "Prev", entry->previous);
    put_entry(navigation, pdf, entry->dict, "Next", entry->next);
    put_entry(navigation, pdf, entry->dict, "First", entry->first);
    put_entry(navigation, pdf, entry->dict, "Last", entry->last);
    if (entry->count) pdf_put_number(pdf, entry->dict, "Count", entry->count);
  }
  pdf_put_name(pdf, root.dict, "Type", "Outlines");
  put_entry(navigation, pdf, root.dict, "First", root.first);
  put_entry(navigation, pdf, root.dict, "Last", root.last);
  pdf_put_number(pdf, root.dict, "Count", root.count);
  pdf_put(pdf, pdf_catalog(pdf), "Outlines", root.dict);
  pdf_put_name(pdf, pdf_catalog(pdf), "PageMode", "UseOutlines");
}

void pdf_navigation_write(struct pdf_navigation *navigation, struct pdf *pdf) {
  if (navigation->destination_count)
    qsort(navigation->destinations, navigation->destination_count,
          sizeof *navigation->destinations, compare);
  check_names(navigation, pdf);
  if (navigation->destination_count) write_names(navigation, pdf);
  if (navigation->entry_count) write_outline(navigation, pdf);
}
