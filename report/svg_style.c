#include "report/svg_style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/svg_values.h"

const struct svg_style svg_initial_style = {
    .has_fill = true,
    .fill_opacity = 1,
    .stroke_opacity = 1,
    .opacity = 1,
    .stroke_width = 1,
    .miter_limit = 4,
    .font_size = 16,
};

typedef int property_reader(const char *value, struct place at,
                            struct svg_style *style, struct error *err);

static int read_paint(const char *value, struct place at, bool *has,
                      bool *is_current, struct color *color,
                      struct error *err) {
  *has = strcmp(value, "none") != 0;
  *is_current = strcmp(value, "currentColor") == 0;
  if (!*has || *is_current) return 0;
  return svg_color(value, at, color, err);
}

static int read_fill(const char *value, struct place at, struct svg_style *s,
                     struct error *err) {
  return read_paint(value, at, &s->has_fill, &s->fill_is_current, &s->fill,
                    err);
}

static int read_stroke(const char *value, struct place at, struct svg_style *s,
                       struct error *err) {
  return read_paint(value, at, &s->has_stroke, &s->stroke_is_current,
                    &s->stroke, err);
}

static int read_color(const char *value, struct place at, struct svg_style *s,
                      struct error *err) {
  if (strcmp(value, "currentColor") == 0) return 0;
  return svg_color(value, at, &s->color, err);
}

static int read_share(const char *value, struct place at, double *out,
                      struct error *err) {
  if (svg_number(value, at, out, err) != 0) return -1;
  *out = fmin(fmax(*out, 0), 1);
  return 0;
}

static int read_fill_opacity(const char *value, struct place at,
                             struct svg_style *s, struct error *err) {
  return read_share(value, at, &s->fill_opacity, err);
}

static int read_stroke_opacity(const char *value, struct place at,
                               struct svg_style *s, struct error *err) {
  return read_share(value, at, &s->stroke_opacity, err);
}

/* Group opacity becomes that of each part: parts that overlap show it. */
static int read_opacity(const char *value, struct place at, struct svg_style *s,
                        struct error *err) {
  double share;
  if (read_share(value, at, &share, err) != 0) return -1;
  s->opacity *= share;
  return 0;
}

static int read_stroke_width(const char *value, struct place at,
                             struct svg_style *s, struct error *err) {
  return svg_number(value, at, &s->stroke_width, err);
}

static int read_miter_limit(const char *value, struct place at,
                            struct svg_style *s, struct error *err) {
  return svg_number(value, at, &s->miter_limit, err);
}

static int read_dash_phase(const char *value, struct place at,
                           struct svg_style *s, struct error *err) {
  return svg_number(value, at, &s->dash_phase, err);
}

static int read_dashes(const char *value, struct place at, struct svg_style *s,
                       struct error *err) {
  s->dash_count = 0;
  if (strcmp(value, "none") == 0) return 0;
  double sum = 0;
  for (const char *c = value; *c;) {
    char *end;
    double length = strtod(c, &end);
    if (end == c || !(length >= 0 && length < 1e6) || s->dash_count == 8)
      return error_at(err, at, "malformed dashes \"%.40s\"", value);
    s->dash[s->dash_count++] = length;
    sum += length;
    for (c = end; *c == ' ' || *c == ','; c++)
      continue;
  }
  if (sum <= 0) s->dash_count = 0;
  return 0;
}

/* The index of `value` in `names`, which NULL closes; -1 when absent. */
static int choice(const char *value, const char *const names[]) {
  for (int i = 0; names[i]; i++)
    if (strcmp(value, names[i]) == 0) return i;
  return -1;
}

static int read_cap(const char *value, struct place at, struct svg_style *s,
                    struct error *err) {
  int i = choice(value, (const char *const[]){"butt", "round", "square", NULL});
  if (i < 0) return error_at(err, at, "unknown line cap \"%.40s\"", value);
  s->cap = (enum line_cap)i;
  return 0;
}

static int read_join(const char *value, struct place at, struct svg_style *s,
                     struct error *err) {
  int i = choice(value, (const char *const[]){"miter", "round", "bevel", NULL});
  if (i < 0) return error_at(err, at, "unknown line join \"%.40s\"", value);
  s->join = (enum line_join)i;
  return 0;
}

static int read_anchor(const char *value, struct place at, struct svg_style *s,
                       struct error *err) {
  int i = choice(value, (const char *const[]){"start", "middle", "end", NULL});
  if (i < 0) return error_at(err, at, "unknown text-anchor \"%.40s\"", value);
  s->anchor = (enum svg_anchor)i;
  return 0;
}

static int read_font_size(const char *value, struct place at,
                          struct svg_style *s, struct error *err) {
  return svg_number(value, at, &s->font_size, err);
}

/* Whatever the family, text is set in the page's faces. */
static int read_font_family(const char *value, struct place at,
                            struct svg_style *s, struct error *err) {
  (void)at, (void)err;
  s->is_mono = strstr(value, "Mono") || strstr(value, "mono");
  return 0;
}

static int read_font_weight(const char *value, struct place at,
                            struct svg_style *s, struct error *err) {
  (void)at, (void)err;
  s->is_bold = strcmp(value, "bold") == 0 || atoi(value) >= 600;
  return 0;
}

static int read_font_style(const char *value, struct place at,
                           struct svg_style *s, struct error *err) {
  (void)at, (void)err;
  s->is_italic = strcmp(value, "normal") != 0;
  return 0;
}

static int read_display(const char *value, struct place at, struct svg_style *s,
                        struct error *err) {
  (void)at, (void)err;
  if (strcmp(value, "none") == 0) s->is_hidden = true;
  return 0;
}

static int read_visibility(const char *value, struct place at,
                           struct svg_style *s, struct error *err) {
  (void)at, (void)err;
  s->is_hidden = strcmp(value, "visible") != 0;
  return 0;
}

static int read_space(const char *value, struct place at, struct svg_style *s,
                      struct error *err) {
  (void)at, (void)err;
  s->keeps_space = strcmp(value, "preserve") == 0;
  return 0;
}

/* What would change the picture and cannot be drawn. */
static int refuse(const char *value, struct place at, struct svg_style *s,
                  struct error *err) {
  (void)s;
  if (strcmp(value, "none") == 0) return 0;
  return error_at(err, at, "clip paths, masks and filters are not supported");
}

static const struct {
  const char *name;
  property_reader *read;
} properties[] = {
    {"color", read_color},
    {"fill", read_fill},
    {"fill-opacity", read_fill_opacity},
    {"stroke", read_stroke},
    {"stroke-opacity", read_stroke_opacity},
    {"opacity", read_opacity},
    {"stroke-width", read_stroke_width},
    {"stroke-miterlimit", read_miter_limit},
    {"stroke-dasharray", read_dashes},
    {"stroke-dashoffset", read_dash_phase},
    {"stroke-linecap", read_cap},
    {"stroke-linejoin", read_join},
    {"text-anchor", read_anchor},
    {"font-size", read_font_size},
    {"font-family", read_font_family},
    {"font-weight", read_font_weight},
    {"font-style", read_font_style},
    {"display", read_display},
    {"visibility", read_visibility},
    {"space", read_space},
    {"clip-path", refuse},
    {"mask", refuse},
    {"filter", refuse},
};

static int set_property(const char *name, const char *value, struct place at,
                        struct svg_style *style, struct error *err) {
  for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++)
    if (strcmp(name, properties[i].name) == 0 && strcmp(value, "inherit") != 0)
      return properties[i].read(value, at, style, err);
  return 0;
}

/* `name: value; ...` */
static int apply_declarations(const char *text, struct place at,
                              struct svg_style *style, struct error *err) {
  char *copy = memory_copy_text(text), *rest = copy, *saved;
  int status = 0;
  for (char *part; status == 0 && (part = strtok_r(rest, ";", &saved));) {
    rest = NULL;
    char *value = strchr(part, ':');
    if (!value) continue;
    *value++ = 0;
    part += strspn(part, " \t\n\r");
    part[strcspn(part, " \t\n\r")] = 0;
    value += strspn(value, " \t\n\r");
    for (size_t n = strlen(value); n && strchr(" \t\n\r", value[n - 1]); n--)
      value[n - 1] = 0;
    status = set_property(part, value, at, style, err);
  }
  free(copy);
  return status;
}

int svg_style_apply(const struct svg_node *node, struct svg_style *style,
                    struct error *err) {
  for (size_t i = 0; i < node->attribute_count; i++) {
    const struct svg_attribute *a = &node->attributes[i];
    int status = strcmp(a->name, "style") == 0
                     ? apply_declarations(a->value, node->place, style, err)
                     : set_property(a->name, a->value, node->place, style, err);
    if (status != 0) return -1;
  }
  return 0;
}

static struct color with_opacity(struct color color, double opacity) {
  color.transparency = (unsigned char)lround(255 * (1 - opacity));
  return color;
}

struct color svg_fill_color(const struct svg_style *s) {
  return with_opacity(s->fill_is_current ? s->color : s->fill,
                      s->fill_opacity * s->opacity);
}

struct color svg_stroke_color(const struct svg_style *s) {
  return with_opacity(s->stroke_is_current ? s->color : s->stroke,
                      s->stroke_opacity * s->opacity);
}
