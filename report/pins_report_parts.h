/* The parts that the text of a check is made of. */
#ifndef PINS_REPORT_PARTS_H
#define PINS_REPORT_PARTS_H

#include "report/pins_report.h"

/* Two digits, "inf" when infinite. */
void report_ratio(double ratio, char out[JSON_DOUBLE_TEXT]);

/* The value as its file has it, and its unit unless NULL. */
void report_value(const struct json *value, const char *unit,
                  struct buffer *out);

/* A file without its counterpart is one fact, however many keys it has. */
bool report_with_file(const struct finding *f);

void report_drifts(const struct check *check,
                   const struct report_options *options, struct buffer *out);
void report_changes(const struct check *check, struct buffer *out);
void report_pages(const struct pages *pages, struct buffer *out);

#endif
