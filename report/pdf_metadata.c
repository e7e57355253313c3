#include "report/pdf_metadata.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/base/hash.h"
#include "report/base/memory.h"

enum { ID_BYTES = 16 };

static void xml_text(struct buffer *out, const char *text) {
  for (; *text; text++) {
    if (*text == '<')
      buffer_text(out, "&lt;");
    else if (*text == '>')
      buffer_text(out, "&gt;");
    else if (*text == '&')
      buffer_text(out, "&amp;");
    else if ((unsigned char)*text >= ' ')
      buffer_char(out, *text);
    else
      buffer_char(out, ' ');
  }
}

static void xml_element(struct buffer *out, const char *before,
                        const char *text, const char *after) {
  if (!text) return;
  buffer_text(out, before);
  xml_text(out, text);
  buffer_text(out, after);
}

/* False without SOURCE_DATE_EPOCH. */
static bool build_date(struct pdf *pdf, struct tm *date) {
  const char *text = getenv("SOURCE_DATE_EPOCH");
  if (!text) return false;
  char *end;
  long long seconds = strtoll(text, &end, 10);
  time_t when = (time_t)seconds;
  if (!*text || *end || seconds < 0 || seconds > 253402300799 ||
      !gmtime_r(&when, date)) {
    pdf_fail(pdf, "SOURCE_DATE_EPOCH: not a count of seconds since 1970: %s",
             text);
    return false;
  }
  return true;
}

static void put_dates(struct pdf *pdf, const struct tm *date) {
  char text[40];
  strftime(text, sizeof text, "D:%Y%m%d%H%M%SZ", date);
  pdf_put_text(pdf, pdf_info(pdf), "CreationDate", text);
  pdf_put_text(pdf, pdf_info(pdf), "ModDate", text);
}

static void write_xmp(struct pdf *pdf, const struct document_info *info,
                      const struct tm *date, bool accessible) {
  struct buffer out = {0};
  buffer_text(&out, "<?xpacket begin=\"\xEF\xBB\xBF\" "
                    "id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
                    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
                    "<rdf:RDF xmlns:rdf="
                    "\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
                    "<rdf:Description rdf:about=\"\""
                    " xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
                    " xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\""
                    " xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\""
                    " xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\">\n"
                    "<dc:format>application/pdf</dc:format>\n");
  xml_element(&out, "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">",
              info->title, "</rdf:li></rdf:Alt></dc:title>\n");
  xml_element(&out, "<dc:creator><rdf:Seq><rdf:li>", info->author,
              "</rdf:li></rdf:Seq></dc:creator>\n");
  xml_element(&out, "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">",
              info->subject, "</rdf:li></rdf:Alt></dc:description>\n");
  xml_element(&out, "<dc:language><rdf:Bag><rdf:li>",
              info->language ? info->language : "en",
              "</rdf:li></rdf:Bag></dc:language>\n");
  xml_element(&out, "<pdf:Keywords>", info->keywords, "</pdf:Keywords>\n");
  xml_element(&out, "<pdf:Producer>",
              HPDF_GetInfoAttr(pdf->doc, HPDF_INFO_PRODUCER),
              "</pdf:Producer>\n");
  xml_element(&out, "<xmp:CreatorTool>", info->creator, "</xmp:CreatorTool>\n");
  if (date) {
    char text[40];
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", date);
    xml_element(&out, "<xmp:CreateDate>", text, "</xmp:CreateDate>\n");
    xml_element(&out, "<xmp:ModifyDate>", text, "</xmp:ModifyDate>\n");
  }
  if (accessible) buffer_text(&out, "<pdfuaid:part>1</pdfuaid:part>\n");
  buffer_text(&out, "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n"
                    "<?xpacket end=\"w\"?>\n");
  HPDF_Dict stream = pdf_stream(pdf, out.bytes, out.length, true);
  buffer_free(&out);
  pdf_put_name(pdf, stream, "Type", "Metadata");
  pdf_put_name(pdf, stream, "Subtype", "XML");
  pdf_put(pdf, pdf_catalog(pdf), "Metadata", stream);
}

void pdf_metadata_write(struct pdf *pdf, const struct document_info *info,
                        bool accessible) {
  HPDF_Dict about = pdf_info(pdf), catalog = pdf_catalog(pdf);
  pdf_put_text(pdf, about, "Title", info->title);
  pdf_put_text(pdf, about, "Author", info->author);
  pdf_put_text(pdf, about, "Subject", info->subject);
  pdf_put_text(pdf, about, "Keywords", info->keywords);
  pdf_put_text(pdf, about, "Creator", info->creator);
  struct tm date;
  bool dated = build_date(pdf, &date);
  if (dated) put_dates(pdf, &date);
  HPDF_Dict preferences = pdf_dict(pdf);
  pdf_put_bool(pdf, preferences, "DisplayDocTitle", true);
  pdf_put(pdf, catalog, "ViewerPreferences", preferences);
  pdf_put_text(pdf, catalog, "Lang", info->language ? info->language : "en");
  pdf_put_name(pdf, catalog, "Version", "1.7");
  write_xmp(pdf, info, dated ? &date : NULL,
            accessible && info->title && *info->title);
}

static int save(struct pdf *pdf, struct buffer *out, struct error *err) {
  if (!pdf->failed) HPDF_SaveToStream(pdf->doc);
  if (pdf->failed) return error_set(err, "%s", pdf->error.text);
  HPDF_UINT32 size = HPDF_GetStreamSize(pdf->doc), read = size;
  char *bytes = memory_alloc(1, (size_t)size + 1);
  HPDF_ResetStream(pdf->doc);
  HPDF_ReadFromStream(pdf->doc, (HPDF_BYTE *)bytes, &read);
  buffer_add(out, bytes, read);
  free(bytes);
  if (pdf->failed || read != size)
    return error_set(err, "%s",
                     pdf->failed ? pdf->error.text
                                 : "pdf: libharu lost its output");
  return 0;
}

/* Overwrite the identifier at `at`, in the hexadecimal digits of a string. */
static char *write_id(char *at, const char digits[HASH_TEXT]) {
  at = strchr(at, '<') + 1;
  memcpy(at, digits, 2 * ID_BYTES);
  return at;
}

int pdf_metadata_save(struct pdf *pdf, struct buffer *out, struct error *err) {
  static const char none[ID_BYTES];
  HPDF_Array id = pdf_array(pdf);
  for (int i = 0; i < 2; i++)
    pdf_push(pdf, id, pdf_bytes(pdf, none, sizeof none));
  pdf_put(pdf, pdf_trailer(pdf), "ID", id);
  size_t start = out->length;
  if (save(pdf, out, err) != 0) return -1;
  char digits[HASH_TEXT];
  hash_bytes(out->bytes + start, out->length - start, digits);
  for (char *c = digits; *c; c++)
    *c = (char)toupper((unsigned char)*c);
  /* The trailer is the file's end: the last /ID is the identifier. */
  char *at = NULL;
  for (size_t i = out->length; i > start && !at; i--)
    if (strncmp(out->bytes + i - 1, "/ID ", 4) == 0) at = out->bytes + i - 1;
  if (!at) return error_set(err, "pdf: libharu wrote no trailer");
  write_id(write_id(at, digits), digits);
  return 0;
}
