/* Long options: what is kept, what is refused, calls that repeat. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/pins_support.h"

#include "report/base/options.h"
#include "report/commands.h"

static bool loud;
static const char *name, *lines;
static struct option_texts pages;
static char kept[256]; /* what the command got, as text */

static int command(int argc, char **argv) {
  loud = false;
  name = "default";
  lines = NULL;
  static const struct option_entry entries[] = {
      {.name = "loud", .letter = 'l', .flag = &loud, .help = "be loud"},
      {.name = "name",
       .letter = 'n',
       .argument = "NAME",
       .text = &name,
       .help = "the name,\non two lines"},
      {.name = "lines",
       .argument = "N",
       .text = &lines,
       .otherwise = "8",
       .help = "some lines"},
      {.name = "page", .argument = "PAGE", .texts = &pages, .help = "a page"},
      {.name = NULL}};
  static const struct option_usage usage = {.synopsis = "[OPTION]... FILE",
                                            .summary = "Do it.",
                                            .details = "More.",
                                            .entries = entries,
                                            .minimum = 1,
                                            .maximum = 2};
  int status;
  if (!options_parse(&usage, &argc, &argv, &status)) return status;
  size_t n = (size_t)snprintf(kept, sizeof kept, "%d %s", loud, name);
  if (lines != NULL)
    n += (size_t)snprintf(kept + n, sizeof kept - n, " lines %s", lines);
  for (size_t i = 0; i < pages.count; i++)
    n +=
        (size_t)snprintf(kept + n, sizeof kept - n, " page %s", pages.items[i]);
  for (int i = 0; i < argc; i++)
    n += (size_t)snprintf(kept + n, sizeof kept - n, " %s;", argv[i]);
  options_free_texts(&pages);
  return 0;
}

static void takes(const char *arguments, const char *expected) {
  struct output o = run(command, "do", arguments);
  if (o.status != 0) fail_msg("%s", o.err.bytes);
  assert_string_equal(kept, expected);
  output_free(&o);
}

static void refuses(const char *arguments, const char *message) {
  struct output o = run(command, "do", arguments);
  struct buffer expected = {0};
  buffer_printf(&expected, "pinpress do: %s (see pinpress do --help)\n",
                message);
  assert_string_equal(o.err.bytes, expected.bytes);
  assert_int_equal(o.status, 2);
  assert_null(pages.items);
  buffer_free(&expected);
  output_free(&o);
}

static void test_options(void **state) {
  (void)state;
  takes("f", "0 default f;");
  takes("-l f --page a g --page=b", "1 default page a page b f; g;");
  takes("--lo f", "1 default f;"); /* unambiguous beginning */
  takes("--lines 5", "0 default lines 8 5;");
  takes("--lines=5 f", "0 default lines 5 f;");
  takes("-- --loud", "0 default --loud;");
}

static void test_refusals(void **state) {
  (void)state;
  const char *unknown = "unknown or ambiguous option, or one that takes no "
                        "argument: ";
  struct buffer message = {0};
  buffer_printf(&message, "%s'--quiet'", unknown);
  refuses("--page a --quiet f", message.bytes);
  buffer_clear(&message);
  buffer_printf(&message, "%s'-q'", unknown);
  refuses("-lq f", message.bytes);
  buffer_clear(&message);
  buffer_printf(&message, "%s'--loud=1'", unknown);
  refuses("--loud=1 f", message.bytes);
  refuses("f -n", "missing argument of '-n'");
  refuses("f --page a --page", "missing argument of '--page'");
  refuses("--page a", "an operand is missing");
  refuses("a b c", "unexpected operand 'c'");
  buffer_free(&message);
}

static void test_help(void **state) {
  (void)state;
  struct output o = run(command, "do", "--help");
  assert_int_equal(o.status, 0);
  assert_string_equal(o.out.bytes,
                      "Usage: pinpress do [OPTION]... FILE\n"
                      "Do it.\n\n"
                      "  -l, --loud              be loud\n"
                      "  -n, --name=NAME         the name,\n"
                      "                          on two lines\n"
                      "      --lines[=N]         some lines\n"
                      "      --page=PAGE         a page\n"
                      "  -h, --help              print this help and exit\n\n"
                      "More.\n");
  output_free(&o);
}

static void names_each_once(char *help) {
  const char *seen[64];
  size_t count = 0;
  for (char *line = strtok(help, "\n"); line != NULL;
       line = strtok(NULL, "\n")) {
    char *option = strstr(line, "--");
    if (option == NULL || option - line != 6) continue;
    option[strcspn(option, "[= ")] = 0;
    for (size_t i = 0; i < count; i++)
      if (strcmp(seen[i], option) == 0) fail_msg("%s is listed twice", option);
    seen[count++] = option;
  }
  assert_true(count > 0);
}

static void test_no_option_twice(void **state) {
  (void)state;
  int (*const all[])(int, char **) = {
      command_accept, command_check, command_expand, command_init,
      command_ledger, command_new,   command_plot,   command_problems,
      command_run,    command_site,  command_typeset};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct output o = run(all[i], "do", "--help");
    assert_int_equal(o.status, 0);
    names_each_once(o.out.bytes);
    output_free(&o);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_help),
      cmocka_unit_test(test_no_option_twice),
  };
  return cmocka_run_group_tests_name("options", tests, scratch_make,
                                     scratch_remove);
}
