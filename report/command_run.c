/* pinpress run: the C blocks of a document, compiled and run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/file.h"
#include "report/base/options.h"
#include "report/code_program.h"
#include "report/code_results.h"
#include "report/code_run.h"
#include "report/commands.h"

struct running {
  const char *compiler, *libraries, *work, *out, *extract;
  struct option_texts inputs, pass;
};

/* A program that is there already keeps its time, so that what depends on it
 * is not made again. */
static int write_program(const struct code_blocks *blocks, const char *path,
                         struct error *err) {
  struct buffer text = {0}, old = {0};
  struct error ignored;
  int status = code_program_text(blocks, CODE_PLAIN, &text, err);
  bool same = status == 0 && file_exists(path) &&
              file_read(path, &old, &ignored) == 0 &&
              old.length == text.length &&
              memcmp(old.bytes, text.bytes, text.length) == 0;
  if (status == 0 && !same) status = file_make_parents(path, err);
  if (status == 0 && !same)
    status = file_write(path, text.bytes, text.length, err);
  buffer_free(&text);
  buffer_free(&old);
  return status;
}

static int run_blocks(const struct code_blocks *blocks, const struct running *r,
                      struct error *err) {
  const struct code_run_options options = {.compiler = r->compiler,
                                           .libraries = r->libraries,
                                           .work = r->work,
                                           .pass = r->pass.items,
                                           .pass_count = r->pass.count};
  struct buffer text = {0};
  struct buffer *outputs = memory_alloc(blocks->count + 1, sizeof *outputs);
  int status = code_run(blocks, &options, outputs, err);
  if (status == 0)
    status = code_results_text(blocks, outputs, r->inputs.items,
                               r->inputs.count, &text, err);
  if (status == 0) status = file_make_parents(r->out, err);
  if (status == 0) status = file_write(r->out, text.bytes, text.length, err);
  for (size_t i = 0; i < blocks->count; i++)
    buffer_free(&outputs[i]);
  free(outputs);
  buffer_free(&text);
  return status;
}

static int run(const char *path, const struct running *r, struct error *err) {
  struct code_blocks blocks;
  if (r->extract == NULL && r->out == NULL)
    return error_set(err, "pinpress run: say what to write: --out FILE, "
                          "--extract FILE or both");
  if (code_blocks_read(path, &blocks, err) != 0) return -1;
  int status = 0;
  if (r->extract != NULL) status = write_program(&blocks, r->extract, err);
  if (status == 0 && r->out != NULL) status = run_blocks(&blocks, r, err);
  code_blocks_free(&blocks);
  return status;
}

int command_run(int argc, char **argv) {
  struct running r = {
      .compiler = "cc", .libraries = "", .work = "build/blocks"};
  const struct option_entry entries[] = {
      {.name = "out",
       .argument = "FILE",
       .text = &r.out,
       .help = "run, and write what the blocks print as a results\n"
               "file"},
      {.name = "cc",
       .argument = "COMMAND",
       .text = &r.compiler,
       .help = "compiler with its flags (cc)"},
      {.name = "libs",
       .argument = "WORDS",
       .text = &r.libraries,
       .help = "libraries, and flags that stand behind the program"},
      {.name = "work",
       .argument = "DIR",
       .text = &r.work,
       .help = "where the program is compiled (build/blocks)"},
      {.name = "input",
       .argument = "FILE",
       .texts = &r.inputs,
       .help = "record the hash of a file that the blocks read;\n"
               "may be repeated"},
      {.name = "pass",
       .argument = "NAME",
       .texts = &r.pass,
       .help = "let the blocks see this variable; may be repeated"},
      {.name = "extract",
       .argument = "FILE",
       .text = &r.extract,
       .help = "write the blocks as one C program, unless FILE is\n"
               "that already"},
      {0}};
  const struct option_usage usage = {
      .synopsis = "[OPTION]... FILE.md",
      .summary = "Run the C blocks of a document that are marked ```c run "
                 "name=NAME.",
      .details =
          "Blocks build on each other. Warnings are errors; messages name the "
          "line of\n"
          "FILE.md. A block's output has the key blocks.FILE.NAME.lines.",
      .entries = entries,
      .minimum = 1,
      .maximum = 1};
  struct error err;
  int status;
  if (!options_parse(&usage, &argc, &argv, &status)) return status;
  int result = run(argv[0], &r, &err);
  options_free_texts(&r.inputs);
  options_free_texts(&r.pass);
  return result == 0 ? options_finish(EXIT_HOLDS) : options_fail(&err);
}
