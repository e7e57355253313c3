/* The inline data of a gnuplot script, checked row by row. */
#ifndef REPORT_PLOT_DATA_H
#define REPORT_PLOT_DATA_H

#include <stddef.h>

#include "report/base/error.h"
#include "report/source_map.h"

/* Every data block of `script` is closed and has rows; each row has the same
 * number of fields, each a finite number or a "quoted" string. Comment lines
 * pass. `map` covers the script. */
int plot_data_check(const char *script, size_t length,
                    const struct source_map *map, struct error *err);

#endif
