#include "report/template_place.h"

#include <string.h>

/* ---- Markdown ------------------------------------------------------------ */

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static void open_construct(struct template_place *p,
                           enum escape_target inside) {
  p->inside = inside;
  p->opening = p->run_length;
}

/* A run in prose opens what its character and place say; `next` follows it. */
static void open_by_run(struct template_place *p, char next) {
  if (p->run != '$' && p->run_leads && p->run_length >= 3) {
    open_construct(p, ESCAPE_CODE_BLOCK);
    p->fence = p->run;
  } else if (p->run == '`') {
    open_construct(p, ESCAPE_CODE_SPAN);
  } else if (p->run == '$' && p->run_length <= 2 &&
             (p->run_length == 2 || (!is_blank(next) && next != '\n'))) {
    open_construct(p, ESCAPE_FORMULA);
  }
}

static void finish_run(struct template_place *p, char next) {
  char run = p->run;
  if (run == 0) return;
  if (p->inside == ESCAPE_NONE)
    open_by_run(p, next);
  else if (p->inside == ESCAPE_CODE_BLOCK)
    p->closing = run == p->fence && p->run_leads && p->run_length >= p->opening;
  else if ((p->inside == ESCAPE_CODE_SPAN && run == '`' &&
            p->run_length == p->opening) ||
           (p->inside == ESCAPE_FORMULA && run == '$'))
    p->inside = ESCAPE_NONE;
  p->run = 0;
}

static void end_markdown_line(struct template_place *p) {
  bool dashes = p->dashes == 3 && !p->only_dashes_broken;
  if (p->lines == 0 && dashes)
    p->inside = ESCAPE_HEAD;
  else if (p->inside == ESCAPE_HEAD && dashes)
    p->inside = ESCAPE_NONE;
  else if (p->inside == ESCAPE_CODE_BLOCK && p->closing)
    p->inside = ESCAPE_NONE;
  else if (!p->text_on_line &&
           (p->inside == ESCAPE_CODE_SPAN || p->inside == ESCAPE_FORMULA))
    p->inside = ESCAPE_NONE;
  p->lines++;
  p->text_on_line = p->closing = p->backslash = false;
  p->dashes = 0;
  p->only_dashes_broken = false;
}

/* Whether a line may still begin with a fence behind this character: list
 * markers and quotes may stand before it. */
static bool leads_line(char c) {
  return is_blank(c) || strchr(">-+*.)0123456789", c) != NULL;
}

static bool starts_run(const struct template_place *p, char c) {
  if (p->inside == ESCAPE_HEAD || p->backslash) return false;
  return c == '`' || c == '$' || (c == '~' && !p->text_on_line);
}

static void markdown_character(struct template_place *p, char c) {
  if (c == p->run) {
    p->run_length++;
    return;
  }
  finish_run(p, c);
  if (c == '\n') {
    end_markdown_line(p);
    return;
  }
  if (c == '-')
    p->dashes++;
  else if (!is_blank(c))
    p->only_dashes_broken = true;
  if (starts_run(p, c)) {
    p->run = c;
    p->run_length = 1;
    p->run_leads = !p->text_on_line;
  } else if (!is_blank(c)) {
    p->closing = false;
  }
  bool active = p->inside == ESCAPE_NONE || p->inside == ESCAPE_FORMULA;
  p->backslash = c == '\\' && active && !p->backslash;
  if (!leads_line(c)) p->text_on_line = true;
}

/* ---- gnuplot ------------------------------------------------------------- */

static void end_gnuplot_line(struct template_place *p) {
  struct plot_line line = {p->line, p->line + p->line_length};
  p->data = p->data ? !plot_closes_data(line, p->terminator)
                    : plot_opens_data(line, p->terminator);
  p->lines++;
  p->line_length = 0;
  p->quote = 0;
  p->backslash = false;
}

static void gnuplot_character(struct template_place *p, char c) {
  if (c == '\n') {
    end_gnuplot_line(p);
    return;
  }
  if (p->line_length < sizeof p->line) p->line[p->line_length++] = c;
  if (p->backslash) {
    p->backslash = false;
  } else if (p->quote == '#') {
    return;
  } else if (p->quote == 0) {
    if (c == '"' || c == '#' || (c == '\'' && !p->data)) p->quote = c;
  } else if (c == p->quote) {
    p->quote = 0;
  } else {
    p->backslash = c == '\\' && p->quote == '"';
  }
}

static enum escape_target gnuplot_target(const struct template_place *p) {
  switch (p->quote) {
  case '"':
    return ESCAPE_GNUPLOT_DOUBLE;
  case '\'':
    return ESCAPE_GNUPLOT_SINGLE;
  case '#':
    return ESCAPE_GNUPLOT_COMMENT;
  default:
    return ESCAPE_GNUPLOT_NUMBER;
  }
}

/* ---- both ---------------------------------------------------------------- */

void template_place_text(struct template_place *place, const char *text,
                         size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (place->mode == TEMPLATE_MARKDOWN)
      markdown_character(place, text[i]);
    else if (place->mode == TEMPLATE_GNUPLOT)
      gnuplot_character(place, text[i]);
  }
}

void template_place_value(struct template_place *place) {
  finish_run(place, 'x');
  place->text_on_line = place->only_dashes_broken = true;
  place->closing = place->backslash = false;
}

enum escape_target template_place_target(struct template_place *place) {
  switch (place->mode) {
  case TEMPLATE_PLAIN:
    return ESCAPE_NONE;
  case TEMPLATE_HTML:
    return ESCAPE_HTML;
  case TEMPLATE_GNUPLOT:
    return gnuplot_target(place);
  case TEMPLATE_MARKDOWN:
    break;
  }
  finish_run(place, 'x');
  return place->inside == ESCAPE_NONE ? ESCAPE_MARKDOWN : place->inside;
}

enum format_style template_place_style(enum template_mode mode,
                                       enum escape_target target) {
  switch (target) {
  case ESCAPE_NONE:
    return mode == TEMPLATE_PLAIN ? FORMAT_ASCII : FORMAT_TEXT;
  case ESCAPE_FORMULA:
    return FORMAT_TEX;
  case ESCAPE_HTML:
  case ESCAPE_MARKDOWN:
  case ESCAPE_HEAD:
  case ESCAPE_GNUPLOT_DOUBLE:
  case ESCAPE_GNUPLOT_SINGLE:
  case ESCAPE_GNUPLOT_COMMENT: /* a figure's title and alternative text */
    return FORMAT_TEXT;
  default:
    return FORMAT_ASCII;
  }
}
