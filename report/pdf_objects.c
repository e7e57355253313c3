#include "report/pdf_objects.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/utf8.h"

static void on_error(HPDF_STATUS code, HPDF_STATUS detail, void *data) {
  pdf_fail(data, "pdf: libharu failed with 0x%04lX (%ld)", (unsigned long)code,
           (long)detail);
}

int pdf_open(struct pdf *pdf, struct error *err) {
  *pdf = (struct pdf){0};
  pdf->doc = HPDF_New(on_error, pdf);
  if (!pdf->doc) return error_set(err, "pdf: libharu does not start");
  pdf->doc->pdf_version = HPDF_VER_17;
  return 0;
}

void pdf_close(struct pdf *pdf) {
  if (pdf->doc) HPDF_Free(pdf->doc);
  pdf->doc = NULL;
}

void pdf_fail(struct pdf *pdf, const char *format, ...) {
  if (pdf->failed) return;
  char text[sizeof pdf->error.text];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  error_set(&pdf->error, "%s", text);
  pdf->failed = true;
}

HPDF_Dict pdf_catalog(struct pdf *pdf) {
  return pdf->doc->catalog;
}

HPDF_Dict pdf_info(struct pdf *pdf) {
  return pdf->doc->info;
}

HPDF_Dict pdf_trailer(struct pdf *pdf) {
  return pdf->doc->trailer;
}

/* ---- objects ------------------------------------------------------------ */

static void *indirect(struct pdf *pdf, void *object) {
  if (object) HPDF_Xref_Add(pdf->doc->xref, object);
  return object;
}

HPDF_Dict pdf_dict(struct pdf *pdf) {
  return pdf->failed ? NULL : HPDF_Dict_New(pdf->doc->mmgr);
}

HPDF_Dict pdf_dict_indirect(struct pdf *pdf) {
  return indirect(pdf, pdf_dict(pdf));
}

HPDF_Array pdf_array(struct pdf *pdf) {
  return pdf->failed ? NULL : HPDF_Array_New(pdf->doc->mmgr);
}

HPDF_Array pdf_array_indirect(struct pdf *pdf) {
  return indirect(pdf, pdf_array(pdf));
}

HPDF_Dict pdf_stream(struct pdf *pdf, const void *bytes, size_t length,
                     bool plain) {
  if (pdf->failed) return NULL;
  HPDF_Dict dict = HPDF_DictStream_New(pdf->doc->mmgr, pdf->doc->xref);
  if (!dict) return NULL;
  if (!plain) dict->filter = HPDF_STREAM_FILTER_FLATE_DECODE;
  if (length > 0x7FFFFFFF)
    pdf_fail(pdf, "pdf: a stream is larger than 2 GiB");
  else if (length > 0)
    HPDF_Stream_Write(dict->stream, bytes, (HPDF_UINT)length);
  return dict;
}

/* An object that found no container; indirect ones belong to the document. */
static void drop(struct pdf *pdf, void *object) {
  if (object) HPDF_Obj_Free(pdf->doc->mmgr, object);
}

void pdf_put(struct pdf *pdf, HPDF_Dict dict, const char *key, void *object) {
  if (pdf->failed || !dict || !object)
    drop(pdf, object);
  else
    HPDF_Dict_Add(dict, key, object);
}

void pdf_put_name(struct pdf *pdf, HPDF_Dict dict, const char *key,
                  const char *name) {
  if (!pdf->failed && dict) HPDF_Dict_AddName(dict, key, name);
}

void pdf_put_number(struct pdf *pdf, HPDF_Dict dict, const char *key,
                    long value) {
  if (!pdf->failed && dict) HPDF_Dict_AddNumber(dict, key, (HPDF_INT32)value);
}

void pdf_put_bool(struct pdf *pdf, HPDF_Dict dict, const char *key,
                  bool value) {
  if (!pdf->failed && dict) HPDF_Dict_AddBoolean(dict, key, value);
}

void *pdf_bytes(struct pdf *pdf, const void *bytes, size_t length) {
  return HPDF_Binary_New(pdf->doc->mmgr, (HPDF_BYTE *)bytes, (HPDF_UINT)length);
}

static bool is_ascii(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text >= 0x7F || (unsigned char)*text < ' ')
      return false;
  return true;
}

/* UTF-16BE with its byte order mark. */
static void utf16(const char *text, struct buffer *out) {
  const char *end = text + strlen(text);
  buffer_add(out, "\xFE\xFF", 2);
  while (text < end) {
    uint32_t code;
    size_t bytes = utf8_decode(text, end, &code);
    if (!bytes) {
      code = 0xFFFD;
      bytes = 1;
    }
    text += bytes;
    if (code >= 0x10000) {
      code -= 0x10000;
      uint32_t high = 0xD800 + (code >> 10);
      buffer_char(out, (char)(high >> 8));
      buffer_char(out, (char)high);
      code = 0xDC00 + (code & 0x3FF);
    }
    buffer_char(out, (char)(code >> 8));
    buffer_char(out, (char)code);
  }
}

static void *text_object(struct pdf *pdf, const char *text) {
  if (strlen(text) > PDF_LONGEST_TEXT) {
    pdf_fail(pdf, "pdf: a title or alternative text is longer than %d bytes",
             PDF_LONGEST_TEXT);
    return NULL;
  }
  if (is_ascii(text)) return HPDF_String_New(pdf->doc->mmgr, text, NULL);
  struct buffer wide = {0};
  utf16(text, &wide);
  void *object = pdf_bytes(pdf, wide.bytes, wide.length);
  buffer_free(&wide);
  return object;
}

void pdf_put_text(struct pdf *pdf, HPDF_Dict dict, const char *key,
                  const char *text) {
  if (text && !pdf->failed) pdf_put(pdf, dict, key, text_object(pdf, text));
}

void pdf_push(struct pdf *pdf, HPDF_Array array, void *object) {
  if (array && HPDF_Array_Items(array) >= PDF_LONGEST_ARRAY)
    pdf_fail(pdf, "pdf: more than %d parts in one element or list",
             PDF_LONGEST_ARRAY);
  if (pdf->failed || !array || !object)
    drop(pdf, object);
  else
    HPDF_Array_Add(array, object);
}

void pdf_push_number(struct pdf *pdf, HPDF_Array array, long value) {
  pdf_push(pdf, array, HPDF_Number_New(pdf->doc->mmgr, (HPDF_INT32)value));
}

void pdf_push_real(struct pdf *pdf, HPDF_Array array, double value) {
  pdf_push(pdf, array, HPDF_Real_New(pdf->doc->mmgr, (HPDF_REAL)value));
}

void pdf_push_text(struct pdf *pdf, HPDF_Array array, const char *text) {
  if (!pdf->failed) pdf_push(pdf, array, text_object(pdf, text));
}

/* ---- content streams ---------------------------------------------------- */

void pdf_write_number(struct buffer *out, double value, int decimals) {
  static const long long POWERS[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
  assert(isfinite(value) && fabs(value) <= 32767);
  long long power = POWERS[decimals];
  long long scaled = llround(value * (double)power);
  if (scaled < 0) buffer_char(out, '-');
  scaled = llabs(scaled);
  buffer_printf(out, "%lld", scaled / power);
  long long rest = scaled % power;
  if (rest) {
    for (; rest % 10 == 0; rest /= 10)
      decimals--;
    buffer_printf(out, ".%0*lld", decimals, rest);
  }
  buffer_char(out, ' ');
}

static void write_hex(struct buffer *out, const struct buffer *bytes) {
  buffer_char(out, '<');
  for (size_t i = 0; i < bytes->length; i++)
    buffer_printf(out, "%02X", (unsigned char)bytes->bytes[i]);
  buffer_char(out, '>');
}

void pdf_write_text(struct buffer *out, const char *text) {
  if (!is_ascii(text)) {
    struct buffer wide = {0};
    utf16(text, &wide);
    write_hex(out, &wide);
    buffer_free(&wide);
    return;
  }
  buffer_char(out, '(');
  for (; *text; text++) {
    if (strchr("()\\", *text)) buffer_char(out, '\\');
    buffer_char(out, *text);
  }
  buffer_char(out, ')');
}
