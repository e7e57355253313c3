/* What SVG attributes hold: numbers, colours, transformations, path data (SVG
 * 1.1, chapters 7 and 8), as far as gnuplot writes them, and a little more. */
#ifndef SVG_VALUES_H
#define SVG_VALUES_H

#include <stdbool.h>

#include "report/base/error.h"
#include "report/base/memory.h"
#include "report/device.h"

/* A number, with `px` behind it or nothing; finite. */
int svg_number(const char *text, struct place at, double *out,
               struct error *err);

/* A colour by name, as #rgb, #rrggbb or rgb(r, g, b). */
int svg_color(const char *text, struct place at, struct color *out,
              struct error *err);

/* translate, scale, rotate and matrix, applied from the right. */
int svg_transform(const char *text, struct place at, struct matrix *out,
                  struct error *err);

/* First `inner`, then `outer`. */
struct matrix matrix_multiply(struct matrix inner, struct matrix outer);
struct path_point matrix_apply(struct matrix m, double x, double y);

/* Paths grow here; the arrays move to the arena when one is finished. */
struct path_builder {
  enum path_step *steps;
  struct path_point *points;
  size_t step_count, step_room, point_count, point_room;
};

void path_step(struct path_builder *path, enum path_step step);
void path_point(struct path_builder *path, struct path_point point);
struct path *path_finish(struct path_builder *path, struct arena *arena);
void path_free(struct path_builder *path);

/* Path data (M L H V C Z and their relative forms) through `m`. */
int svg_path_data(const char *text, struct place at, struct matrix m,
                  struct path_builder *out, struct error *err);

/* Pairs of coordinates through `m`, as a polygon or polyline. */
int svg_points(const char *text, struct place at, struct matrix m, bool closed,
               struct path_builder *out, struct error *err);

#endif
