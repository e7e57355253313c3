#include "report/pdf_structure.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"

enum kid_type { KID_MARK, KID_ELEMENT, KID_ANNOTATION };

struct kid {
  enum kid_type type;
  size_t page;          /* marks and annotations */
  size_t number;        /* marked-content id, or element */
  HPDF_Dict annotation; /* KID_ANNOTATION */
};

struct element {
  const struct tag *tag; /* NULL for the root */
  size_t parent;
  struct kid *kids;
  size_t kid_count, kid_room;
  bool boxed;
  double left, bottom, right, top;
  HPDF_Dict dict;
};

struct page {
  HPDF_Dict dict;
  long parents;  /* key in the parent tree */
  size_t *marks; /* element of each marked-content id */
  size_t mark_count, mark_room;
};

struct annotation {
  long parents;
  size_t element;
};

struct pdf_structure {
  struct element *elements;
  size_t element_count, element_room;
  struct page *pages;
  size_t page_count, page_room;
  struct annotation *annotations;
  size_t annotation_count, annotation_room;
  long next_parents;
  size_t *slots; /* tag -> element + 1, open addressing; 0 is free */
  size_t slot_count;
};

enum { MOST_KIDS = PDF_LONGEST_ARRAY - 2000 };
static const struct tag group = {.role = TAG_GROUP};

struct pdf_structure *pdf_structure_new(void) {
  struct pdf_structure *structure = memory_alloc(1, sizeof *structure);
  *PDF_GROW(structure->elements, structure->element_count,
            structure->element_room) = (struct element){0};
  structure->slot_count = 256;
  structure->slots = memory_alloc(structure->slot_count, sizeof(size_t));
  return structure;
}

void pdf_structure_free(struct pdf_structure *structure) {
  for (size_t i = 0; i < structure->element_count; i++)
    free(structure->elements[i].kids);
  for (size_t i = 0; i < structure->page_count; i++)
    free(structure->pages[i].marks);
  free(structure->elements);
  free(structure->pages);
  free(structure->annotations);
  free(structure->slots);
  free(structure);
}

/* ---- building ----------------------------------------------------------- */

static size_t *slot_of(const struct pdf_structure *structure,
                       const struct tag *tag) {
  size_t mask = structure->slot_count - 1;
  size_t i = ((uintptr_t)tag >> 4) * 0x9E3779B97F4A7C15u >> 20 & mask;
  while (structure->slots[i] &&
         structure->elements[structure->slots[i] - 1].tag != tag)
    i = (i + 1) & mask;
  return &structure->slots[i];
}

static void grow_slots(struct pdf_structure *structure) {
  free(structure->slots);
  structure->slot_count *= 2;
  structure->slots = memory_alloc(structure->slot_count, sizeof(size_t));
  for (size_t i = 1; i < structure->element_count; i++)
    if (structure->elements[i].tag != &group)
      *slot_of(structure, structure->elements[i].tag) = i + 1;
}

static void add_kid(struct pdf_structure *structure, size_t element,
                    struct kid kid) {
  struct element *e = &structure->elements[element];
  *PDF_GROW(e->kids, e->kid_count, e->kid_room) = kid;
}

static size_t add_element(struct pdf_structure *structure, size_t parent,
                          const struct tag *tag) {
  size_t element = structure->element_count;
  *PDF_GROW(structure->elements, structure->element_count,
            structure->element_room) =
      (struct element){.tag = tag, .parent = parent};
  add_kid(structure, parent,
          (struct kid){.type = KID_ELEMENT, .number = element});
  return element;
}

/* Where the next child of `parent` goes: an array of PDF has a limit, beyond
 * which children are gathered in groups. */
static size_t with_room(struct pdf_structure *structure, size_t parent) {
  const struct element *e = &structure->elements[parent];
  if (e->kid_count < MOST_KIDS) return parent;
  const struct kid *last = &e->kids[e->kid_count - 1];
  if (last->type == KID_ELEMENT &&
      structure->elements[last->number].tag == &group &&
      structure->elements[last->number].kid_count < MOST_KIDS)
    return last->number;
  return add_element(structure, parent, &group);
}

size_t pdf_structure_element(struct pdf_structure *structure, size_t parent,
                             const struct tag *tag) {
  if (tag->role == TAG_DOCUMENT && parent == PDF_ROOT_ELEMENT)
    return PDF_ROOT_ELEMENT;
  if (*slot_of(structure, tag)) return *slot_of(structure, tag) - 1;
  parent = with_room(structure, parent);
  size_t *slot = slot_of(structure, tag);
  *slot = structure->element_count + 1;
  size_t element = add_element(structure, parent, tag);
  if (structure->element_count * 2 > structure->slot_count)
    grow_slots(structure);
  return element;
}

enum tag_role pdf_structure_role(const struct pdf_structure *structure,
                                 size_t element) {
  const struct tag *tag = structure->elements[element].tag;
  return tag ? tag->role : TAG_DOCUMENT;
}

const struct tag *pdf_structure_tag(const struct pdf_structure *structure,
                                    size_t element) {
  return structure->elements[element].tag;
}

long pdf_structure_begin_page(struct pdf_structure *structure, HPDF_Dict page) {
  *PDF_GROW(structure->pages, structure->page_count, structure->page_room) =
      (struct page){.dict = page, .parents = structure->next_parents};
  return structure->next_parents++;
}

int pdf_structure_mark(struct pdf_structure *structure, size_t element,
                       bool *first) {
  struct page *page = &structure->pages[structure->page_count - 1];
  size_t number = page->mark_count;
  *PDF_GROW(page->marks, page->mark_count, page->mark_room) = element;
  *first = true;
  const struct element *e = &structure->elements[element];
  for (size_t i = 0; i < e->kid_count && *first; i++)
    *first = e->kids[i].type != KID_MARK;
  add_kid(structure, element,
          (struct kid){.type = KID_MARK,
                       .page = structure->page_count - 1,
                       .number = number});
  return (int)number;
}

long pdf_structure_annotation(struct pdf_structure *structure, size_t element,
                              HPDF_Dict annotation) {
  long parents = structure->next_parents++;
  *PDF_GROW(structure->annotations, structure->annotation_count,
            structure->annotation_room) = (struct annotation){parents, element};
  add_kid(structure, element,
          (struct kid){.type = KID_ANNOTATION,
                       .page = structure->page_count - 1,
                       .annotation = annotation});
  return parents;
}

void pdf_structure_cover(struct pdf_structure *structure, size_t element,
                         double x, double y) {
  struct element *e = &structure->elements[element];
  if (!e->boxed) {
    e->left = e->right = x;
    e->bottom = e->top = y;
    e->boxed = true;
  }
  e->left = fmin(e->left, x);
  e->right = fmax(e->right, x);
  e->bottom = fmin(e->bottom, y);
  e->top = fmax(e->top, y);
}

bool pdf_structure_accessible(const struct pdf_structure *structure) {
  int level = 0;
  for (size_t i = 1; i < structure->element_count; i++) {
    const struct tag *tag = structure->elements[i].tag;
    if ((tag->role == TAG_FIGURE || tag->role == TAG_FORMULA) &&
        (!tag->alt || !*tag->alt))
      return false;
    if (tag->role == TAG_HEADER_CELL && tag->scope == TAG_SCOPE_NONE)
      return false;
    if (tag->role >= TAG_H1 && tag->role <= TAG_H6) {
      int here = (int)tag->role - TAG_H1 + 1;
      if (here > level + 1) return false;
      level = here;
    }
  }
  return structure->element_count > 1;
}

/* ---- writing ------------------------------------------------------------ */

/* Attributes that a reader of tables and lists needs. */
static HPDF_Dict table_attributes(struct pdf *pdf, const struct tag *tag) {
  if (tag->scope == TAG_SCOPE_NONE && tag->column_span <= 1 &&
      tag->row_span <= 1)
    return NULL;
  HPDF_Dict dict = pdf_dict(pdf);
  pdf_put_name(pdf, dict, "O", "Table");
  if (tag->scope != TAG_SCOPE_NONE)
    pdf_put_name(pdf, dict, "Scope",
                 tag->scope == TAG_SCOPE_ROW ? "Row" : "Column");
  if (tag->column_span > 1)
    pdf_put_number(pdf, dict, "ColSpan", tag->column_span);
  if (tag->row_span > 1) pdf_put_number(pdf, dict, "RowSpan", tag->row_span);
  return dict;
}

static HPDF_Dict attributes(struct pdf *pdf, const struct element *element) {
  const struct tag *tag = element->tag;
  switch (tag->role) {
  case TAG_HEADER_CELL:
  case TAG_CELL:
    return table_attributes(pdf, tag);
  case TAG_LIST: {
    static const char *NAMES[] = {"None", "Disc", "Decimal"};
    HPDF_Dict dict = pdf_dict(pdf);
    pdf_put_name(pdf, dict, "O", "List");
    pdf_put_name(pdf, dict, "ListNumbering", NAMES[tag->numbering]);
    return dict;
  }
  case TAG_FIGURE: {
    if (!element->boxed) return NULL;
    HPDF_Dict dict = pdf_dict(pdf);
    HPDF_Array box = pdf_array(pdf);
    const double sides[] = {element->left, element->bottom, element->right,
                            element->top};
    for (int i = 0; i < 4; i++)
      pdf_push_real(pdf, box, sides[i]);
    pdf_put_name(pdf, dict, "O", "Layout");
    pdf_put_name(pdf, dict, "Placement", "Block");
    pdf_put(pdf, dict, "BBox", box);
    return dict;
  }
  default:
    return NULL;
  }
}

static void *kid_object(const struct pdf_structure *structure, struct pdf *pdf,
                        const struct kid *kid, size_t home) {
  if (kid->type == KID_ELEMENT) return structure->elements[kid->number].dict;
  HPDF_Dict page = structure->pages[kid->page].dict;
  if (kid->type == KID_MARK && kid->page == home)
    return HPDF_Number_New(pdf->doc->mmgr, (HPDF_INT32)kid->number);
  HPDF_Dict dict = pdf_dict(pdf);
  pdf_put_name(pdf, dict, "Type", kid->type == KID_MARK ? "MCR" : "OBJR");
  pdf_put(pdf, dict, "Pg", page);
  if (kid->type == KID_MARK)
    pdf_put_number(pdf, dict, "MCID", (long)kid->number);
  else
    pdf_put(pdf, dict, "Obj", kid->annotation);
  return dict;
}

static void write_kids(const struct pdf_structure *structure, struct pdf *pdf,
                       const struct element *element) {
  size_t home = SIZE_MAX;
  for (size_t i = 0; i < element->kid_count && home == SIZE_MAX; i++)
    if (element->kids[i].type == KID_MARK) home = element->kids[i].page;
  if (home != SIZE_MAX)
    pdf_put(pdf, element->dict, "Pg", structure->pages[home].dict);
  if (element->kid_count == 1) {
    pdf_put(pdf, element->dict, "K",
            kid_object(structure, pdf, &element->kids[0], home));
    return;
  }
  HPDF_Array kids = pdf_array(pdf);
  for (size_t i = 0; i < element->kid_count && !pdf->failed; i++)
    pdf_push(pdf, kids, kid_object(structure, pdf, &element->kids[i], home));
  pdf_put(pdf, element->dict, "K", kids);
}

/* Notes must have an identifier. */
static char *identifier(const struct element *element, size_t number,
                        struct arena *arena) {
  const struct tag *tag = element->tag;
  if (tag->id) return arena_copy(arena, tag->id, strlen(tag->id));
  if (tag->role != TAG_NOTE) return NULL;
  return arena_printf(arena, "note-%zu", number);
}

struct name {
  const char *text;
  HPDF_Dict dict;
};

static int compare_names(const void *a, const void *b) {
  return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static void write_identifiers(struct pdf_structure *structure, struct pdf *pdf,
                              HPDF_Dict root) {
  struct arena arena = {0};
  struct name *names = memory_alloc(structure->element_count, sizeof *names);
  size_t count = 0;
  for (size_t i = 1; i < structure->element_count; i++) {
    const struct element *element = &structure->elements[i];
    char *text = identifier(element, i, &arena);
    if (!text) continue;
    pdf_put_text(pdf, element->dict, "ID", text);
    names[count++] = (struct name){text, element->dict};
  }
  qsort(names, count, sizeof *names, compare_names);
  HPDF_Array array = pdf_array(pdf);
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && strcmp(names[i].text, names[i - 1].text) == 0)
      pdf_fail(pdf, "pdf: two elements have the id %s", names[i].text);
    pdf_push_text(pdf, array, names[i].text);
    pdf_push(pdf, array, names[i].dict);
  }
  HPDF_Dict tree = pdf_dict(pdf);
  pdf_put(pdf, tree, "Names", array);
  pdf_put(pdf, root, "IDTree", tree);
  free(names);
  arena_free(&arena);
}

static void write_element(const struct pdf_structure *structure,
                          struct pdf *pdf, const struct element *element,
                          HPDF_Dict root) {
  const struct tag *tag = element->tag;
  HPDF_Dict dict = element->dict;
  pdf_put_name(pdf, dict, "S", tag_role_name(tag ? tag->role : TAG_DOCUMENT));
  pdf_put(pdf, dict, "P",
          tag ? structure->elements[element->parent].dict : root);
  write_kids(structure, pdf, element);
  if (!tag) return;
  pdf_put_text(pdf, dict, "Alt", tag->alt);
  pdf_put_text(pdf, dict, "Lang", tag->language);
  pdf_put(pdf, dict, "A", attributes(pdf, element));
}

/* The parent tree: pages and annotations by their numbers, which were given
 * out in rising order to both. */
static HPDF_Dict parent_tree(const struct pdf_structure *structure,
                             struct pdf *pdf) {
  HPDF_Dict tree = pdf_dict_indirect(pdf);
  HPDF_Array numbers = pdf_array(pdf);
  size_t p = 0, a = 0;
  for (long key = 0; key < structure->next_parents; key++) {
    pdf_push_number(pdf, numbers, key);
    if (p < structure->page_count && structure->pages[p].parents == key) {
      const struct page *page = &structure->pages[p++];
      HPDF_Array marks = pdf_array_indirect(pdf);
      for (size_t m = 0; m < page->mark_count; m++)
        pdf_push(pdf, marks, structure->elements[page->marks[m]].dict);
      pdf_push(pdf, numbers, marks);
    } else {
      size_t element = structure->annotations[a++].element;
      pdf_push(pdf, numbers, structure->elements[element].dict);
    }
  }
  pdf_put(pdf, tree, "Nums", numbers);
  return tree;
}

void pdf_structure_write(struct pdf_structure *structure, struct pdf *pdf) {
  HPDF_Dict root = pdf_dict_indirect(pdf), mark_info = pdf_dict(pdf);
  for (size_t i = 0; i < structure->element_count; i++)
    structure->elements[i].dict = pdf_dict_indirect(pdf);
  for (size_t i = 0; i < structure->element_count && !pdf->failed; i++)
    write_element(structure, pdf, &structure->elements[i], root);
  pdf_put_name(pdf, root, "Type", "StructTreeRoot");
  pdf_put(pdf, root, "K", structure->elements[PDF_ROOT_ELEMENT].dict);
  pdf_put(pdf, root, "ParentTree", parent_tree(structure, pdf));
  pdf_put_number(pdf, root, "ParentTreeNextKey", structure->next_parents);
  write_identifiers(structure, pdf, root);
  pdf_put_bool(pdf, mark_info, "Marked", true);
  pdf_put(pdf, pdf_catalog(pdf), "MarkInfo", mark_info);
  pdf_put(pdf, pdf_catalog(pdf), "StructTreeRoot", root);
}
