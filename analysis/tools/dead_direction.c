/* The program behind `pinpress dead-direction`: reads the final norms of models
 * and reports their dead directions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/dead_report.h"
#include "analysis/dead_vector.h"
#include "report/base/memory.h"
#include "report/base/options.h"
#include "report/base/utf8.h"

enum { EXIT_READ = 0, EXIT_BAD = 2 };

struct settings {
  struct final_norm_request request;
  const char *norm, *vector;
  bool json;
};

static void print_error(const char *text) {
  struct buffer line = {0};
  utf8_append_shown(&line, text);
  fprintf(stderr, "%s\n", line.bytes);
  buffer_free(&line);
}

static int fail(const char *message) {
  print_error(message);
  return EXIT_BAD;
}

/* ---- the command line ---- */

static bool parse(struct settings *s, int *argc, char ***argv, int *status) {
  const struct option_entry entries[] = {
      {.name = "gain",
       .argument = "NAME",
       .text = &s->request.gain,
       .help =
           "the tensor that is the norm's gain, instead of\nlooking for it"},
      {.name = "bias",
       .argument = "NAME",
       .text = &s->request.bias,
       .help = "the tensor that is its bias"},
      {.name = "norm",
       .argument = "KIND",
       .text = &s->norm,
       .help = "layernorm or rmsnorm, instead of evidence"},
      {.name = "one-plus",
       .flag = &s->request.one_plus,
       .help = "the norm multiplies by 1 + weight"},
      {.name = "json", .flag = &s->json, .help = "all facts as JSON"},
      {.name = "vector",
       .argument = "FILE",
       .text = &s->vector,
       .help = "write u: a component a line, or the tensor\n"
               "`dead_direction` if FILE ends in .safetensors"},
      {.name = NULL}};
  const struct option_usage usage = {
      .synopsis = "[OPTION]... MODEL...",
      .summary =
          "Read the dead direction of each model's final norm from its gain "
          "alone.\n\n"
          "MODEL is FILE.safetensors, FILE.safetensors.index.json, or a "
          "directory that\nholds one of them; config.json beside it is read "
          "too.",
      .details =
          "A LayerNorm's output y never varies along u = 1/gain, scaled to "
          "length 1:\nu . y = u . bias for every input. An RMSNorm has no such "
          "direction. Which\nnorm is the final one, and of which kind, is told "
          "with its evidence; nothing is\nguessed.\n\n"
          "Exit status: 0 every model was read, 2 one was not (a line each on "
          "standard\nerror) or wrong usage.",
      .entries = entries,
      .minimum = 1,
      .maximum = OPTIONS_ANY_NUMBER};
  return options_parse(&usage, argc, argv, status);
}

static int check(struct settings *s, int count) {
  if (s->norm == NULL)
    s->request.kind = FINAL_NORM_UNDECIDED;
  else if (strcasecmp(s->norm, "layernorm") == 0)
    s->request.kind = FINAL_NORM_LAYER;
  else if (strcasecmp(s->norm, "rmsnorm") == 0)
    s->request.kind = FINAL_NORM_RMS;
  else
    return fail("--norm: the norm is layernorm or rmsnorm");
  if (s->vector != NULL && count != 1)
    return fail("--vector: one model is needed, not several");
  return 0;
}

/* ---- models ---- */

static int print(const struct settings *s, const struct dead_outcome *outcomes,
                 size_t count, int status) {
  struct buffer out = {0};
  buffer_text(&out, "");
  if (s->json)
    dead_report_json(outcomes, count, &out);
  else if (count > 1)
    dead_report_table(outcomes, count, &out);
  else if (!outcomes[0].failed)
    dead_report_text(&outcomes[0].model, &out);
  fwrite(out.bytes, 1, out.length, stdout);
  buffer_free(&out);
  return options_finish(status);
}

static int read_all(const struct settings *s, char **paths,
                    struct dead_outcome *outcomes, size_t count) {
  int status = EXIT_READ;
  for (size_t i = 0; i < count; i++) {
    struct dead_outcome *o = &outcomes[i];
    o->path = paths[i];
    o->failed = dead_model_read(paths[i], &s->request, &o->model, &o->err) != 0;
    if (o->failed) status = fail(o->err.text);
  }
  return status;
}

static int report(const struct settings *s, char **paths, size_t count) {
  struct dead_outcome *outcomes = memory_alloc(count, sizeof *outcomes);
  struct error err;
  int status = read_all(s, paths, outcomes, count);
  if (s->vector != NULL && status == EXIT_READ &&
      dead_vector_write(s->vector, &outcomes[0].model, &err) != 0)
    status = fail(err.text);
  else
    status = print(s, outcomes, count, status);
  for (size_t i = 0; i < count; i++)
    if (!outcomes[i].failed) dead_model_free(&outcomes[i].model);
  free(outcomes);
  return status;
}

int main(int argc, char **argv) {
  struct settings settings = {0};
  int status;
  if (!parse(&settings, &argc, &argv, &status)) return status;
  if (check(&settings, argc) != 0) return EXIT_BAD;
  return report(&settings, argv, (size_t)argc);
}
