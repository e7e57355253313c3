/* What a PDF says about itself: document information, XMP, language, viewer
 * preferences, and an identifier taken from its content. Dates only from
 * SOURCE_DATE_EPOCH (reproducible-builds.org), never from the clock. */
#ifndef PDF_METADATA_H
#define PDF_METADATA_H

#include "report/device.h"
#include "report/pdf_objects.h"

/* `accessible`: claim conformance to PDF/UA-1. */
void pdf_metadata_write(struct pdf *pdf, const struct document_info *info,
                        bool accessible);

/* The whole file; its /ID is half of the SHA-256 of what it is with zeros in
 * that place. */
int pdf_metadata_save(struct pdf *pdf, struct buffer *out, struct error *err);

#endif
