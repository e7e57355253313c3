#include "report/base/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/buffer.h"
#include "report/base/memory.h"

enum { HELP_COLUMN = 26, FIRST_VALUE = 256, HELP_VALUE = FIRST_VALUE - 1 };

static size_t entry_count(const struct option_entry *entries) {
  size_t n = 0;
  while (entries[n].name != NULL)
    n++;
  return n;
}

static void print_entry(const struct option_entry *entry) {
  struct buffer left = {0};
  if (entry->letter != 0)
    buffer_printf(&left, "  -%c, --%s", entry->letter, entry->name);
  else
    buffer_printf(&left, "      --%s", entry->name);
  if (entry->argument != NULL)
    buffer_printf(&left, entry->otherwise != NULL ? "[=%s]" : "=%s",
                  entry->argument);
  if (left.length + 2 > HELP_COLUMN)
    printf("%s\n%*s", left.bytes, HELP_COLUMN, "");
  else
    printf("%-*s", HELP_COLUMN, left.bytes);
  for (const char *c = entry->help; *c != 0; c++) {
    putchar(*c);
    if (*c == '\n') printf("%*s", HELP_COLUMN, "");
  }
  putchar('\n');
  buffer_free(&left);
}

static void print_help(const struct option_usage *usage, const char *program) {
  printf("Usage: %s %s\n%s\n\n", program, usage->synopsis, usage->summary);
  for (const struct option_entry *e = usage->entries; e->name != NULL; e++)
    print_entry(e);
  print_entry(&(struct option_entry){
      .name = "help", .letter = 'h', .help = "print this help and exit"});
  if (usage->details != NULL) printf("\n%s\n", usage->details);
}

void options_add_text(struct option_texts *texts, const char *text) {
  texts->items =
      memory_resize(texts->items, texts->count + 1, sizeof *texts->items);
  texts->items[texts->count++] = text;
}

static void keep(const struct option_entry *entry, const char *argument) {
  if (entry->flag != NULL) {
    *entry->flag = true;
  } else if (entry->text != NULL) {
    *entry->text = argument != NULL ? argument : entry->otherwise;
  } else {
    options_add_text(entry->texts, argument);
  }
}

static bool refuse(const char *program, const char *what, const char *which,
                   int *status) {
  fprintf(stderr, "%s: %s%s%s%s (see %s --help)\n", program, what,
          *which != 0 ? " '" : "", which, *which != 0 ? "'" : "", program);
  *status = 2;
  return false;
}

/* getopt_long's tables; `letters` begins with ':' so that a missing argument
 * is told from an unknown option. */
static void fill_tables(const struct option_entry *entries, size_t n,
                        struct option *longs, char *letters) {
  *letters++ = ':';
  *letters++ = 'h';
  for (size_t i = 0; i < n; i++) {
    const struct option_entry *e = &entries[i];
    int has_argument = e->flag != NULL        ? no_argument
                       : e->otherwise != NULL ? optional_argument
                                              : required_argument;
    longs[i] =
        (struct option){e->name, has_argument, NULL, FIRST_VALUE + (int)i};
    if (e->letter == 0) continue;
    *letters++ = e->letter;
    if (has_argument == required_argument) *letters++ = ':';
  }
  longs[n] = (struct option){"help", no_argument, NULL, HELP_VALUE};
  *letters = 0;
}

static const struct option_entry *entry_of(const struct option_entry *entries,
                                           size_t n, int value) {
  if (value >= FIRST_VALUE) return &entries[value - FIRST_VALUE];
  for (size_t i = 0; i < n; i++)
    if (entries[i].letter == value) return &entries[i];
  return NULL;
}

/* The option getopt_long has just refused, as it was typed. */
static const char *refused_text(char **argv, char short_text[3]) {
  const char *typed = argv[optind - 1];
  if (optopt == 0 || optopt >= HELP_VALUE || strncmp(typed, "--", 2) == 0)
    return typed;
  short_text[0] = '-';
  short_text[1] = (char)optopt;
  short_text[2] = 0;
  return short_text;
}

static bool parse_all(const struct option_usage *usage, int argc, char **argv,
                      const struct option *longs, const char *letters, size_t n,
                      int *status) {
  char short_text[3];
  optind = 0; /* GNU: start anew, as often as a command is called */
  opterr = 0;
  for (int value;
       (value = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
    if (value == 'h' || value == HELP_VALUE) {
      print_help(usage, argv[0]);
      *status = options_finish(0);
      return false;
    }
    if (value == ':')
      return refuse(argv[0], "missing argument of",
                    refused_text(argv, short_text), status);
    const struct option_entry *entry = entry_of(usage->entries, n, value);
    if (value == '?' || entry == NULL)
      return refuse(argv[0],
                    "unknown or ambiguous option, or one that takes "
                    "no argument:",
                    refused_text(argv, short_text), status);
    keep(entry, optarg);
  }
  return true;
}

bool options_parse(const struct option_usage *usage, int *argc, char ***argv,
                   int *status) {
  size_t n = entry_count(usage->entries);
  struct option *longs = memory_alloc(n + 2, sizeof *longs);
  char *letters = memory_alloc(2 * n + 3, 1);
  fill_tables(usage->entries, n, longs, letters);
  const char *program = (*argv)[0];
  bool go_on = parse_all(usage, *argc, *argv, longs, letters, n, status);
  free(longs);
  free(letters);
  if (go_on) {
    *argc -= optind;
    *argv += optind;
    if (*argc < usage->minimum)
      go_on = refuse(program, "an operand is missing", "", status);
    else if (usage->maximum != OPTIONS_ANY_NUMBER && *argc > usage->maximum)
      go_on = refuse(program, "unexpected operand", (*argv)[usage->maximum],
                     status);
  }
  for (size_t i = 0; i < n && !go_on; i++)
    if (usage->entries[i].texts != NULL)
      options_free_texts(usage->entries[i].texts);
  return go_on;
}

void options_free_texts(struct option_texts *texts) {
  free(texts->items);
  *texts = (struct option_texts){0};
}

int options_fail(const struct error *err) {
  fflush(stdout);
  fprintf(stderr, "%s\n", err->text);
  return 2;
}

int options_finish(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  fprintf(stderr, "standard output: cannot write: %s\n", strerror(errno));
  return 2;
}
