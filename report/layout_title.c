/* What stands at the head of a document, and room to write in. */
#include <math.h>
#include <string.h>

#include "report/layout.h"
#include "report/paragraph_breaks.h"

static const double title_size = 19, author_size = 11.5, abstract_size = 10;
static const double abstract_indent = 24;
static const double line_pitch = 24, line_stretch = 1.4; /* of ruled lines */
static const struct color grey = {0x55, 0x55, 0x55, 0};
static const struct color faint = {0xc8, 0xc8, 0xc8, 0};
static const struct tag artifact = {.role = TAG_ARTIFACT};

/* Lines of plain text in the element `role`. */
static int add_text(struct layout *layout, const char *string, struct place at,
                    const struct layout_text *text, double leading,
                    enum tag_role role, struct layout_place place,
                    struct error *err) {
  struct span span = {.type = SPAN_TEXT, .place = at, .text = string};
  struct paragraph_line *lines;
  size_t count;
  bool is_centred = text->shape == SHAPE_CENTRED;
  if ((is_centred ? layout_balanced : layout_lines)(layout, &span, text, &lines,
                                                    &count, err) != 0)
    return -1;
  place.leading = leading;
  place.path = layout_path(layout, place.path, layout_tag(layout, role));
  layout_add_lines(layout, lines, count, place, at);
  flow_keep(layout->flow, PENALTY_NEVER);
  return 0;
}

/* A paragraph of one line that was put together here. */
static void add_composed(struct layout *layout, struct box *box,
                         struct layout_place place) {
  place.path =
      layout_path(layout, place.path, layout_tag(layout, TAG_PARAGRAPH));
  struct flow_item item = {.box = box,
                           .x = place.x,
                           .height = box->height,
                           .depth = box->depth,
                           .is_line = true,
                           .path = place.path};
  flow_add(layout->flow, item, place.leading);
  flow_keep(layout->flow, PENALTY_NEVER);
}

/* Course at the left, school at the right; below it, if the line is too
 * short for both. A blank parts them where only the text is read. */
static int add_above(struct layout *layout, const struct layout_title *title,
                     struct layout_place place, struct error *err) {
  const char *const texts[] = {title->above_left, title->above_right};
  struct box *box = box_new(layout->arena, BOX_LIST), *parts[2] = {0};
  double size = layout->style->small, used = 0;
  struct place nowhere = {"", 0, 0};
  box->width = place.width;
  if (!texts[0] && !texts[1]) return 0;
  for (int i = 0; i < 2; i++) {
    if (!texts[i]) continue;
    const char *text = i == 0 && texts[1]
                           ? arena_printf(layout->arena, "%s ", texts[0])
                           : texts[i];
    if (layout_label(layout, FONT_ROMAN, size, grey, text, nowhere, &parts[i],
                     err) != 0)
      return -1;
    if (parts[i]->width > place.width)
      return error_at(err, title->at, "too long for one line: \"%s\"",
                      texts[i]);
    used += parts[i]->width;
  }
  double lower = used + 2 * size > place.width ? -1.3 * size : 0;
  if (parts[0]) box_cover(box, parts[0], 0, 0);
  if (parts[1])
    box_cover(box, parts[1], place.width - parts[1]->width,
              parts[0] ? lower : 0);
  add_composed(layout, box, place);
  flow_space(layout->flow, 12, 0);
  return 0;
}

/* "Name ________  Date ____  Points ____ / 40": the first rule is twice as long
 * as the others. */
static int add_fields(struct layout *layout, const struct layout_title *title,
                      struct layout_place place, struct error *err) {
  static const double gap = 14, inner_gap = 6;
  struct place nowhere = {"", 0, 0};
  struct box *labels[LAYOUT_FIELDS], *end = NULL;
  size_t count = 0;
  double left = place.width;
  for (; count < LAYOUT_FIELDS && title->fields[count]; count++) {
    if (layout_label(layout, FONT_ROMAN, place.size, grey, title->fields[count],
                     nowhere, &labels[count], err) != 0)
      return -1;
    left -= labels[count]->width + inner_gap + (count ? gap : 0);
  }
  if (count == 0) return 0;
  if (title->field_end) {
    if (layout_label(layout, FONT_ROMAN, place.size, grey, title->field_end,
                     nowhere, &end, err) != 0)
      return -1;
    left -= end->width + inner_gap;
  }
  if (left < 40 * (double)count)
    return error_at(err, title->at,
                    "no room for blanks beside labels that long");
  double unit = left / (double)(count + (count > 1)), x = 0;
  struct box *box = box_new(layout->arena, BOX_LIST);
  box->width = place.width;
  for (size_t i = 0; i < count; i++) {
    double length = i == 0 && count > 1 ? 2 * unit : unit;
    struct box *rule = box_rule(layout->arena, length, 0, 0.4);
    rule->color = grey;
    rule->tag = &artifact;
    box_cover(box, labels[i], x, 0);
    x += labels[i]->width + inner_gap;
    box_cover(box, rule, x, -2);
    x += length + gap;
  }
  if (end) box_cover(box, end, place.width - end->width, 0);
  flow_space(layout->flow, 16, 0);
  add_composed(layout, box, place);
  return 0;
}

/* A line below the title, if there is one. */
static int add_line(struct layout *layout, const struct layout_title *title,
                    const char *string, const struct layout_text *text,
                    struct layout_place place, struct error *err) {
  if (!string || !*string) return 0;
  flow_space(layout->flow, 5, 0);
  return add_text(layout, string, title->at, text, text->size * 1.3,
                  TAG_PARAGRAPH, place, err);
}

/* Three lines at most: centred like the title above them. */
static bool is_short(struct layout *layout, const char *string,
                     const struct layout_text *text) {
  struct span span = {.type = SPAN_TEXT, .place = {"", 0, 0}, .text = string};
  struct paragraph_line *lines;
  size_t count;
  struct error ignored;
  return layout_lines(layout, &span, text, &lines, &count, &ignored) == 0 &&
         count <= 3;
}

int layout_title(struct layout *layout, const struct layout_title *title,
                 struct layout_place place, struct error *err) {
  struct layout_text heading = {.width = place.width,
                                .size = title_size,
                                .shape = SHAPE_CENTRED,
                                .unhyphenated = true};
  struct layout_text author = {
      .width = place.width, .size = author_size, .shape = SHAPE_CENTRED};
  struct layout_text abstract = {.width = place.width - 2 * abstract_indent,
                                 .size = abstract_size};
  if (add_above(layout, title, place, err) != 0) return -1;
  if (title->title && add_text(layout, title->title, title->at, &heading,
                               title_size * 1.2, TAG_H1, place, err) != 0)
    return -1;
  struct layout_text subtitle = author;
  subtitle.italic = subtitle.unhyphenated = true;
  if (add_line(layout, title, title->subtitle, &subtitle, place, err) != 0 ||
      add_line(layout, title, title->author, &author, place, err) != 0 ||
      add_line(layout, title, title->date, &author, place, err) != 0)
    return -1;
  if (title->description && *title->description) {
    struct layout_place inner = place;
    if (is_short(layout, title->description, &abstract)) {
      abstract.shape = SHAPE_CENTRED;
      abstract.unhyphenated = true;
    }
    inner.x += abstract_indent;
    flow_space(layout->flow, 10, 0);
    if (add_text(layout, title->description, title->at, &abstract,
                 abstract_size * 1.28, TAG_PARAGRAPH, inner, err) != 0)
      return -1;
  }
  if (add_fields(layout, title, place, err) != 0) return -1;
  flow_space(layout->flow, 20, 4);
  return 0;
}

void layout_work_space(struct layout *layout, int lines,
                       struct layout_place place) {
  for (int i = 0; i < lines; i++) {
    struct box *rule = box_rule(layout->arena, place.width, 0.4, 0);
    rule->color = faint;
    rule->tag = &artifact;
    struct flow_item item = {.box = rule,
                             .x = place.x,
                             .height = line_pitch,
                             .stretch = line_stretch,
                             .is_ruled = true,
                             .path = place.path};
    flow_add(layout->flow, item, 0);
  }
  flow_space(layout->flow, 24, 4);
}
