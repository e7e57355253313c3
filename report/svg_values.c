#include "report/svg_values.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_blanks(const char *text) {
  while (is_blank(*text))
    text++;
  return text;
}

static const char *skip_separator(const char *text) {
  text = skip_blanks(text);
  return *text == ',' ? skip_blanks(text + 1) : text;
}

/* One decimal number at *text; NULL when there is none. */
static const char *read_number(const char *text, double *out) {
  text = skip_separator(text);
  const char *digits = text + (*text == '-' || *text == '+');
  if (!(isdigit((unsigned char)*digits) ||
        (*digits == '.' && isdigit((unsigned char)digits[1]))))
    return NULL;
  char *end;
  *out = strtod(text, &end);
  return fabs(*out) < 1e6 ? end : NULL;
}

int svg_number(const char *text, struct place at, double *out,
               struct error *err) {
  const char *end = read_number(text, out);
  if (end && strncmp(end, "px", 2) == 0) end += 2;
  if (!end || *skip_blanks(end))
    return error_at(err, at, "number expected, not \"%.40s\"", text);
  return 0;
}

static const struct {
  const char *name;
  unsigned char red, green, blue;
} color_names[] = {
    {"black", 0, 0, 0},           {"white", 255, 255, 255},
    {"gray", 128, 128, 128},      {"grey", 128, 128, 128},
    {"red", 255, 0, 0},           {"green", 0, 128, 0},
    {"blue", 0, 0, 255},          {"lightgrey", 211, 211, 211},
    {"lightgray", 211, 211, 211},
};

static bool read_hexadecimal(const char *text, struct color *out) {
  size_t digits = strlen(text);
  if (strspn(text, "0123456789abcdefABCDEF") != digits) return false;
  unsigned long value = strtoul(text, NULL, 16);
  if (digits == 3)
    *out = (struct color){(unsigned char)((value >> 8 & 15) * 17),
                          (unsigned char)((value >> 4 & 15) * 17),
                          (unsigned char)((value & 15) * 17), 0};
  else
    *out = (struct color){(unsigned char)(value >> 16),
                          (unsigned char)(value >> 8), (unsigned char)value, 0};
  return digits == 3 || digits == 6;
}

int svg_color(const char *text, struct place at, struct color *out,
              struct error *err) {
  for (size_t i = 0; i < sizeof color_names / sizeof color_names[0]; i++)
    if (strcmp(text, color_names[i].name) == 0) {
      *out = (struct color){color_names[i].red, color_names[i].green,
                            color_names[i].blue, 0};
      return 0;
    }
  if (text[0] == '#' && read_hexadecimal(text + 1, out)) return 0;
  int r, g, b, end = 0;
  if (sscanf(text, "rgb( %3d , %3d , %3d )%n", &r, &g, &b, &end) == 3 && end &&
      r >= 0 && g >= 0 && b >= 0 && r < 256 && g < 256 && b < 256) {
    *out =
        (struct color){(unsigned char)r, (unsigned char)g, (unsigned char)b, 0};
    return 0;
  }
  return error_at(err, at, "unsupported colour \"%.40s\"", text);
}

struct matrix matrix_multiply(struct matrix m, struct matrix n) {
  return (struct matrix){
      m.a * n.a + m.b * n.c,       m.a * n.b + m.b * n.d,
      m.c * n.a + m.d * n.c,       m.c * n.b + m.d * n.d,
      m.e * n.a + m.f * n.c + n.e, m.e * n.b + m.f * n.d + n.f};
}

struct path_point matrix_apply(struct matrix m, double x, double y) {
  return (struct path_point){m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f};
}

static struct matrix rotation(double degrees) {
  double quarter = fmod(degrees, 360) / 90, radians = degrees * (M_PI / 180);
  double c = cos(radians), s = sin(radians);
  if (quarter == floor(quarter)) { /* no residue of pi in right angles */
    c = round(c);
    s = round(s);
  }
  return (struct matrix){c, s, -s, c, 0, 0};
}

/* The matrix of one function with `n` arguments; false when it is none. */
static bool function_matrix(const char *name, size_t length, const double v[6],
                            int n, struct matrix *out) {
  if (length == 9 && memcmp(name, "translate", 9) == 0 && n <= 2)
    *out = (struct matrix){1, 0, 0, 1, v[0], n == 2 ? v[1] : 0};
  else if (length == 5 && memcmp(name, "scale", 5) == 0 && n <= 2)
    *out = (struct matrix){v[0], 0, 0, n == 2 ? v[1] : v[0], 0, 0};
  else if (length == 6 && memcmp(name, "rotate", 6) == 0 && n == 1)
    *out = rotation(v[0]);
  else if (length == 6 && memcmp(name, "matrix", 6) == 0 && n == 6)
    *out = (struct matrix){v[0], v[1], v[2], v[3], v[4], v[5]};
  else
    return false;
  return true;
}

int svg_transform(const char *text, struct place at, struct matrix *out,
                  struct error *err) {
  struct matrix result = {1, 0, 0, 1, 0, 0};
  for (const char *c = skip_separator(text); *c; c = skip_separator(c)) {
    size_t length = strspn(c, "abcdefghijklmnopqrstuvwxyz");
    const char *name = c;
    double v[6] = {0};
    int n = 0;
    struct matrix m;
    c = skip_blanks(c + length);
    if (*c == '(') c++;
    for (const char *next; n < 6 && (next = read_number(c, &v[n])); c = next)
      n++;
    c = skip_blanks(c);
    if (*c != ')' || n == 0 || !function_matrix(name, length, v, n, &m))
      return error_at(err, at, "unsupported transformation \"%.40s\"", text);
    c++;
    result = matrix_multiply(m, result);
  }
  *out = result;
  return 0;
}

void path_step(struct path_builder *path, enum path_step step) {
  if (path->step_count == path->step_room) {
    path->step_room = path->step_room ? path->step_room * 2 : 64;
    path->steps =
        memory_resize(path->steps, path->step_room, sizeof *path->steps);
  }
  path->steps[path->step_count++] = step;
}

void path_point(struct path_builder *path, struct path_point point) {
  if (path->point_count == path->point_room) {
    path->point_room = path->point_room ? path->point_room * 2 : 64;
    path->points =
        memory_resize(path->points, path->point_room, sizeof *path->points);
  }
  path->points[path->point_count++] = point;
}

struct path *path_finish(struct path_builder *path, struct arena *arena) {
  struct path *out = arena_alloc(arena, sizeof *out);
  size_t steps = path->step_count * sizeof *path->steps;
  size_t points = path->point_count * sizeof *path->points;
  enum path_step *own_steps = arena_alloc(arena, steps + 1);
  struct path_point *own_points = arena_alloc(arena, points + 1);
  if (steps) memcpy(own_steps, path->steps, steps);
  if (points) memcpy(own_points, path->points, points);
  *out =
      (struct path){own_steps, path->step_count, own_points, path->point_count};
  path->step_count = path->point_count = 0;
  return out;
}

void path_free(struct path_builder *path) {
  free(path->steps);
  free(path->points);
}

/* Pen of path data: where it is and where its subpath began. */
struct pen {
  double x, y, start_x, start_y;
};

static void add_point(struct path_builder *out, struct matrix m, double x,
                      double y) {
  path_point(out, matrix_apply(m, x, y));
}

static int arguments_of(char command) {
  switch (tolower((unsigned char)command)) {
  case 'm':
  case 'l':
    return 2;
  case 'h':
  case 'v':
    return 1;
  case 'c':
    return 6;
  case 'z':
    return 0;
  default:
    return -1;
  }
}

static void run_command(char command, double v[6], struct pen *pen,
                        struct matrix m, struct path_builder *out) {
  bool is_relative = islower((unsigned char)command);
  double x0 = is_relative ? pen->x : 0, y0 = is_relative ? pen->y : 0;
  switch (toupper((unsigned char)command)) {
  case 'M':
    pen->x = pen->start_x = x0 + v[0];
    pen->y = pen->start_y = y0 + v[1];
    path_step(out, PATH_MOVE);
    break;
  case 'L':
    pen->x = x0 + v[0];
    pen->y = y0 + v[1];
    path_step(out, PATH_LINE);
    break;
  case 'H':
    pen->x = x0 + v[0];
    path_step(out, PATH_LINE);
    break;
  case 'V':
    pen->y = y0 + v[0];
    path_step(out, PATH_LINE);
    break;
  case 'C':
    path_step(out, PATH_CURVE);
    add_point(out, m, x0 + v[0], y0 + v[1]);
    add_point(out, m, x0 + v[2], y0 + v[3]);
    pen->x = x0 + v[4];
    pen->y = y0 + v[5];
    break;
  default:
    path_step(out, PATH_CLOSE);
    pen->x = pen->start_x;
    pen->y = pen->start_y;
    return;
  }
  add_point(out, m, pen->x, pen->y);
}

int svg_path_data(const char *text, struct place at, struct matrix m,
                  struct path_builder *out, struct error *err) {
  struct pen pen = {0};
  char command = 0;
  for (const char *c = skip_separator(text); *c; c = skip_separator(c)) {
    bool is_letter = isalpha((unsigned char)*c);
    if (is_letter) command = *c++;
    int count = arguments_of(command);
    if (count < 0)
      return error_at(err, at, "unsupported path command '%c'",
                      isprint((unsigned char)command) ? command : '?');
    double v[6] = {0};
    for (int i = 0; i < count; i++) {
      c = read_number(c, &v[i]);
      if (!c) return error_at(err, at, "number missing in path data");
    }
    if ((count == 0 && !is_letter) ||
        (out->step_count == 0 && toupper((unsigned char)command) != 'M'))
      return error_at(err, at, "malformed path data");
    run_command(command, v, &pen, m, out);
    if (command == 'M') command = 'L'; /* further pairs are lines */
    if (command == 'm') command = 'l';
  }
  return 0;
}

int svg_points(const char *text, struct place at, struct matrix m, bool closed,
               struct path_builder *out, struct error *err) {
  for (const char *c = skip_separator(text); *c; c = skip_separator(c)) {
    double x, y;
    c = read_number(c, &x);
    if (c) c = read_number(c, &y);
    if (!c) return error_at(err, at, "malformed list of points");
    path_step(out, out->step_count ? PATH_LINE : PATH_MOVE);
    add_point(out, m, x, y);
  }
  if (closed && out->step_count) path_step(out, PATH_CLOSE);
  return 0;
}
