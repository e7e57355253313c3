/* Ways through a PDF: named destinations, links, bookmarks. */
#ifndef PDF_NAVIGATION_H
#define PDF_NAVIGATION_H

#include "report/pdf_objects.h"

struct pdf_navigation;

struct pdf_navigation *pdf_navigation_new(void);
void pdf_navigation_free(struct pdf_navigation *navigation);

/* The height y of a page under a name; names are given once. */
void pdf_navigation_destination(struct pdf_navigation *navigation,
                                const char *name, HPDF_Dict page, double y);

/* A link annotation on `page`; `target` is a URI, or "#name" of a destination
 * that may follow later. Its StructParent is the caller's to add. */
HPDF_Dict pdf_navigation_link(struct pdf_navigation *navigation,
                              struct pdf *pdf, HPDF_Dict page,
                              const double rectangle[4], const char *target);

void pdf_navigation_outline(struct pdf_navigation *navigation, int level,
                            const char *title, const char *destination);

/* Write names and bookmarks into the catalog; a name given twice, or led to
 * but never given, is an error. */
void pdf_navigation_write(struct pdf_navigation *navigation, struct pdf *pdf);

#endif
