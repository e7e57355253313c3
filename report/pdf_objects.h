/* PDF objects through libharu's exported object functions, with one sticky
 * error. Objects belong to the document; `*_indirect` ones may be referred to
 * from several places, the others have one container. After a failure new
 * objects are NULL and what is added is dropped.
 *
 * libharu's own text, font and outline calls are not used: it refuses OpenType
 * fonts and writes malformed Unicode maps. */
#ifndef PDF_OBJECTS_H
#define PDF_OBJECTS_H

#include <hpdf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/base/memory.h"

/* Arrays longer than this are refused by libharu. */
enum { PDF_LONGEST_ARRAY = 32000, PDF_LONGEST_TEXT = 60000 };

struct pdf {
  HPDF_Doc doc;
  bool failed; /* the first failure stays; later calls do nothing useful */
  struct error error;
};

int pdf_open(struct pdf *pdf, struct error *err);
void pdf_close(struct pdf *pdf);
void pdf_fail(struct pdf *pdf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

HPDF_Dict pdf_catalog(struct pdf *pdf);
HPDF_Dict pdf_info(struct pdf *pdf);
HPDF_Dict pdf_trailer(struct pdf *pdf);

HPDF_Dict pdf_dict(struct pdf *pdf);
HPDF_Dict pdf_dict_indirect(struct pdf *pdf);
HPDF_Array pdf_array(struct pdf *pdf);
HPDF_Array pdf_array_indirect(struct pdf *pdf);

/* An indirect stream, compressed unless `plain`. */
HPDF_Dict pdf_stream(struct pdf *pdf, const void *bytes, size_t length,
                     bool plain);

void pdf_put(struct pdf *pdf, HPDF_Dict dict, const char *key, void *object);
void pdf_put_name(struct pdf *pdf, HPDF_Dict dict, const char *key,
                  const char *name);
void pdf_put_number(struct pdf *pdf, HPDF_Dict dict, const char *key,
                    long value);
void pdf_put_bool(struct pdf *pdf, HPDF_Dict dict, const char *key, bool value);

/* Text strings from UTF-8; NULL adds nothing. */
void pdf_put_text(struct pdf *pdf, HPDF_Dict dict, const char *key,
                  const char *text);
void pdf_push(struct pdf *pdf, HPDF_Array array, void *object);
void pdf_push_number(struct pdf *pdf, HPDF_Array array, long value);
void pdf_push_real(struct pdf *pdf, HPDF_Array array, double value);
void pdf_push_text(struct pdf *pdf, HPDF_Array array, const char *text);

/* A byte string, as hexadecimal digits. */
void *pdf_bytes(struct pdf *pdf, const void *bytes, size_t length);

/* One more item in an array that grows; a pointer to it. */
#define PDF_GROW(array, count, room)                                           \
  ((count) == (room) ? (void)((array) = memory_resize(                         \
                                  (array), (room) = (room) ? 2 * (room) : 8,   \
                                  sizeof *(array)))                            \
                     : (void)0,                                                \
   &(array)[(count)++])

/* ---- content streams ---------------------------------------------------- */

/* A number and a space: at most `decimals` (up to 6), no exponent, no locale.
 * The value must be finite and at most 32767 in size. */
void pdf_write_number(struct buffer *out, double value, int decimals);

/* A text string as in pdf_put_text, for property lists. */
void pdf_write_text(struct buffer *out, const char *text);

#endif
