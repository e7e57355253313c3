/* What share of a random direction's length lies in a fixed plane: the measure
 * for every share a gradient has in the plane its norm deletes.
 *
 * The square of the share is Beta(k/2, (width - k)/2) for k dimensions; here it
 * is drawn, as the published figures were. */
#ifndef RANDOM_PLANE_H
#define RANDOM_PLANE_H

#include <stddef.h>
#include <stdint.h>

/* The article's draw. */
enum { RANDOM_PLANE_ROWS = 200000, RANDOM_PLANE_WIDTH = 128 };

/* shares: (rows), of the first `dimensions` coordinates of normal rows of
 * `width` from default_rng(seed). */
void random_plane_shares(uint64_t seed, size_t rows, size_t width,
                         size_t dimensions, double *shares);

#endif
