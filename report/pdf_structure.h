/* The structure tree of a tagged PDF (ISO 32000-1, 14.7 and 14.8): elements,
 * the marked content that belongs to each, and the way back from pages to
 * elements (parent tree). */
#ifndef PDF_STRUCTURE_H
#define PDF_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/pdf_objects.h"
#include "report/tag.h"

enum { PDF_ROOT_ELEMENT = 0 }; /* the Document */

struct pdf_structure;

struct pdf_structure *pdf_structure_new(void);
void pdf_structure_free(struct pdf_structure *structure);

/* The element of a tag: made as a child of `parent` the first time. */
size_t pdf_structure_element(struct pdf_structure *structure, size_t parent,
                             const struct tag *tag);

enum tag_role pdf_structure_role(const struct pdf_structure *structure,
                                 size_t element);
const struct tag *pdf_structure_tag(const struct pdf_structure *structure,
                                    size_t element);

/* Pages in order; the returned number is for the page's StructParents. */
long pdf_structure_begin_page(struct pdf_structure *structure, HPDF_Dict page);

/* The next marked-content id of the current page, for this element. */
int pdf_structure_mark(struct pdf_structure *structure, size_t element,
                       bool *first);

/* An annotation of the current page; returns its StructParent. */
long pdf_structure_annotation(struct pdf_structure *structure, size_t element,
                              HPDF_Dict annotation);

/* Grow the bounding box of an element (figures state theirs). */
void pdf_structure_cover(struct pdf_structure *structure, size_t element,
                         double x, double y);

/* True when alternatives, heading levels and header scopes are as PDF/UA-1
 * (ISO 14289-1) demands. */
bool pdf_structure_accessible(const struct pdf_structure *structure);

/* Write the tree into the catalog. */
void pdf_structure_write(struct pdf_structure *structure, struct pdf *pdf);

#endif
