/* pinpress plot: a gnuplot template and pinned values to one SVG. */
#include <stdio.h>

#include "report/base/file.h"
#include "report/base/json.h"
#include "report/base/options.h"
#include "report/commands.h"
#include "report/pins.h"
#include "report/plot.h"

static int plot(const char *path, const char *directory, const char *output,
                struct error *err) {
  struct json_document pins = {0};
  struct buffer svg = {0};
  int result = pins_values(directory, &pins, err);
  if (result == 0) result = plot_draw(path, pins.root, &svg, err);
  if (result == 0 && output != NULL)
    result = file_write(output, svg.bytes, svg.length, err);
  else if (result == 0)
    fwrite(svg.bytes, 1, svg.length, stdout);
  buffer_free(&svg);
  json_free(&pins);
  return result;
}

int command_plot(int argc, char **argv) {
  const char *pins = "data/pins", *output = NULL;
  const struct option_entry entries[] = {
      {.name = "pins",
       .argument = "DIR",
       .text = &pins,
       .help = "take values from the pins of DIR\n"
               "(default: data/pins)"},
      {.name = "output",
       .letter = 'o',
       .argument = "FILE",
       .text = &output,
       .help = "write FILE instead of standard output"},
      {0}};
  const struct option_usage usage = {
      .synopsis = "[OPTION]... FILE.gp",
      .summary = "Draw the figure of a gnuplot template as SVG.",
      .details = "Comments at the template's head give the figure's title and "
                 "description:\n"
                 "  # title: ...\n"
                 "  # alt: ...\n"
                 "Its inline data is checked before gnuplot runs, the figure "
                 "after it.",
      .entries = entries,
      .minimum = 1,
      .maximum = 1};
  struct error err;
  int status;
  if (!options_parse(&usage, &argc, &argv, &status)) return status;
  if (plot(argv[0], pins, output, &err) != 0) return options_fail(&err);
  return options_finish(EXIT_HOLDS);
}
