/* The gate: every result against its pin, every pin against its result. */
#ifndef PINS_CHECK_H
#define PINS_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "report/base/error.h"
#include "report/compare.h"
#include "report/pins.h"
#include "report/pins_results.h"

/* In the order in which findings of one ratio are told. */
enum finding_status {
  FINDING_NO_RESULT, /* a pin without result */
  FINDING_STALE,     /* kept results of another `tied_to` file */
  FINDING_NO_PIN,    /* a result without pin */
  FINDING_NULL,      /* the result is null */
  FINDING_TYPE,      /* the result is of another type */
  FINDING_MOVED,     /* outside its bound */
  FINDING_HOLDS,
  FINDING_STATUSES
};

struct finding {
  enum finding_status status;
  const char *key;
  const struct pin *pin;           /* NULL: no pin */
  const struct json *found;        /* NULL: no result */
  const struct pin_file *pins;     /* NULL: no such file */
  const struct results_file *from; /* NULL: no such file */
  /* What counts on this platform: */
  const struct pin_override *override; /* NULL: the pin itself */
  const struct json *pinned;
  const struct pin_allowance *allowance;
  struct comparison comparison; /* of FINDING_HOLDS and FINDING_MOVED */
};

struct check_paths {
  const char *results, *pins;
  /* Kept results of optional studies; may be absent. Where a study was also
   * measured, its pins are checked against both. */
  const char *measured;
};

struct check {
  struct pin_set pins;
  struct results_set results, kept;
  struct finding *findings; /* drift before what holds, worst first */
  size_t count;
  size_t drifted; /* findings that do not hold */
  size_t by_status[FINDING_STATUSES];
  size_t drafts;                   /* pins that are drafts */
  const struct pin_file **skipped; /* optional, nothing at hand */
  size_t skipped_count;
  const struct pin_file **reused; /* optional, only kept results at hand */
  size_t reused_count;
};

/* Nothing to check at all is an error, since it must not pass for success. */
int check_run(const struct check_paths *paths, struct check *out,
              struct error *err);
/* Take over from another check against the same pins what is worse there; both
 * must live on. So several measurements, by other compilers, thread counts or
 * machines, show how far each value spreads. */
void check_merge(struct check *check, const struct check *other);
void check_free(struct check *check);

const char *check_status_name(enum finding_status status);

/* "rel 1e-13", "digits %.4f", "range 0 to 1", ... */
void check_allowance_text(const struct pin_allowance *allowance,
                          struct buffer *out);

/* What differs between the record of the pin and the results it was checked
 * with: changed, only recorded, only found. */
struct check_change {
  const char *part; /* "input" or "environment" */
  const char *name;
  const char *before, *after; /* NULL: not there */
};

struct check_changes {
  struct arena arena;
  struct check_change *items;
  size_t count;
};

void check_changes_find(const struct json *taken,
                        const struct results_file *from,
                        struct check_changes *out);
void check_changes_free(struct check_changes *changes);

#endif
