/* A pin file being edited. What is not touched keeps its bytes: each pin's text
 * is taken over as it stands, only what lies between them is written anew.
 *
 *   {
 *     "study": "jacobian",
 *     "taken": {
 *       "5f3a9c2e": {
 *         "inputs": {...},
 *         "environment": {...}
 *       }
 *     },
 *     "pins": {
 *       "jacobian.rank": {"value": 126, "kind": "exact",
 *         "reason": "..."}
 *     }
 *   }
 *
 * A new record's name is the beginning of its text's SHA-256. */
#ifndef PINS_SHEET_H
#define PINS_SHEET_H

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/pins.h"
#include "report/pins_results.h"

struct pins_sheet;

/* Open the file, or begin a new one for that study when it does not exist.
 * `path` and the texts given later are copied. */
int sheet_open(const char *path, const char *study, struct pins_sheet **out,
               struct error *err);
void sheet_free(struct pins_sheet *sheet); /* NULL is allowed */

/* Make the study optional, see pins.h; `tied_to` may be NULL. */
void sheet_set_optional(struct pins_sheet *sheet, const char *reason,
                        const char *tied_to);

/* The record of where these results were taken, added when none of the file's
 * says the same. NULL when neither they nor the file say anything. The results
 * must live until sheet_write. */
const char *sheet_record(struct pins_sheet *sheet,
                         const struct results_file *results);

/* A pin as it is to be written. */
struct sheet_fields {
  const struct json *value;
  struct pin_allowance allowance;
  const char *unit, *reason; /* unit may be NULL */
  bool draft;
  const char *record;           /* from sheet_record */
  const struct json *platforms; /* arrays, kept as they are; or NULL */
  const struct json *history;
  const char *move; /* text of one more history entry, or NULL */
};

/* Set a pin that stood in the file (its old text is gone) or a new one, each
 * key once. New pins are placed where their results stand among the others, so
 * `results` must live until sheet_write. */
void sheet_set(struct pins_sheet *sheet, const char *key,
               const struct sheet_fields *fields,
               const struct results_file *results);
/* Take a pin away; `entry`, a JSON object, joins the file's `removed`. */
void sheet_remove(struct pins_sheet *sheet, const char *key, const char *entry);

/* Is there such a pin, and is it a draft? As the file was opened. */
bool sheet_has(const struct pins_sheet *sheet, const char *key, bool *draft);

/* Write the file atomically, without records that no pin refers to any more.
 * The text is read back first: what could not be read is never written. */
int sheet_write(struct pins_sheet *sheet, struct error *err);

#endif
