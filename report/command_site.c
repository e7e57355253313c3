/* pinpress site: all pages as a directory to publish. */
#include "report/base/options.h"
#include "report/commands.h"
#include "report/site.h"

int command_site(int argc, char **argv) {
  struct site_options site = {
      .pages = "build", .pins = "data/pins", .out = "build/site"};
  const struct option_entry entries[] = {
      {.name = "index",
       .argument = "FILE",
       .text = &site.index,
       .help = "the index page's Markdown: title, words, pictures"},
      {.name = "pages",
       .argument = "DIR",
       .text = &site.pages,
       .help = "where the pages of KIND/NAME.md are: DIR/KIND (build)"},
      {.name = "pins",
       .argument = "DIR",
       .text = &site.pins,
       .help = "the pins (data/pins)"},
      {.name = "out",
       .letter = 'o',
       .argument = "DIR",
       .text = &site.out,
       .help = "write to DIR (build/site)"},
      {0}};
  const struct option_usage usage = {
      .synopsis = "[OPTION]... --index=FILE KIND/NAME.md...",
      .summary = "Gather all pages in a directory that can be published.",
      .details = "The index lists each source with its title, its description "
                 "and its pages\n"
                 "DIR/KIND/NAME.* and DIR/KIND/NAME-*, HTML and PDF, and leads "
                 "to a page for\n"
                 "each study's pins. Sources of one KIND stand in the order "
                 "given; those with a\n"
                 "field `order: N` in their front matter stand first, by N.",
      .entries = entries,
      .minimum = 1,
      .maximum = OPTIONS_ANY_NUMBER};
  struct error err;
  int status;
  if (!options_parse(&usage, &argc, &argv, &status)) return status;
  if (site.index == NULL) {
    error_set(&err, "pinpress site: say which page begins it: --index FILE");
    return options_fail(&err);
  }
  site.sources = (const char **)argv;
  site.source_count = (size_t)argc;
  if (site_write(&site, &err) != 0) return options_fail(&err);
  return options_finish(EXIT_HOLDS);
}
