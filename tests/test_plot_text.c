/* The head of a gnuplot script and the bounds of its data blocks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "report/base/buffer.h"
#include "report/plot_text.h"

static struct plot_line line_of(const char *text) {
  return (struct plot_line){text, text + strlen(text)};
}

/* Each line of the head as KEY=TEXT, or +TEXT when it continues. */
static void head_is(const char *script, const char *expected) {
  const char *at = script, *end = script + strlen(script);
  struct buffer found = {0};
  struct plot_head_line line;
  buffer_text(&found, "");
  while (plot_next_head_line(&at, end, &line)) {
    if (line.key == NULL)
      buffer_char(&found, '+');
    else
      buffer_printf(&found, "%.*s=", (int)line.key_length, line.key);
    buffer_add(&found, line.text.start,
               (size_t)(line.text.end - line.text.start));
    buffer_char(&found, ';');
  }
  assert_string_equal(found.bytes, expected);
  buffer_free(&found);
}

static void test_head(void **state) {
  (void)state;
  head_is("", "");
  head_is("set grid\n# title: none\n", "");
  head_is("# title:  A: b\n#   more\n#\n# words\nplot x\n# alt: late\n",
          "title=A: b;+more;=;=words;");
  head_is("#title:a\n#  b", "title=a;+b;");
}

static void test_keys(void **state) {
  (void)state;
  const char *at = "# title: a", *end = at + strlen(at);
  struct plot_head_line line;
  assert_true(plot_next_head_line(&at, end, &line));
  assert_true(plot_is_key(&line, "title"));
  assert_false(plot_is_key(&line, "titles"));
  assert_false(plot_is_key(&line, "tit"));
  assert_false(plot_is_key(&line, ""));
}

static void test_data(void **state) {
  (void)state;
  char word[PLOT_WORD] = "", too_long[PLOT_WORD + 16] = "$d << ";
  const char *const opening[] = {"$d << EOD", " $data<<EOD\r", "$d\t<<\tEOD x"};
  const char *const other[] = {"",       "d << EOD", "$d < EOD",
                               "$d <<",  "$d << \r", "plot $d << EOD",
                               too_long, "$d = 1"};
  memset(too_long + 6, 'E', PLOT_WORD);
  for (size_t i = 0; i < sizeof opening / sizeof *opening; i++) {
    if (!plot_opens_data(line_of(opening[i]), word)) fail_msg("%s", opening[i]);
    assert_string_equal(word, "EOD");
  }
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    if (plot_opens_data(line_of(other[i]), word)) fail_msg("%s", other[i]);
  assert_true(plot_closes_data(line_of("EOD"), "EOD"));
  assert_true(plot_closes_data(line_of("\tEOD \r"), "EOD"));
  assert_false(plot_closes_data(line_of("EODS"), "EOD"));
  assert_false(plot_closes_data(line_of("EOD 1"), "EOD"));
  assert_false(plot_closes_data(line_of("EO"), "EOD"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_head),
      cmocka_unit_test(test_keys),
      cmocka_unit_test(test_data),
  };
  return cmocka_run_group_tests_name("plot_text", tests, NULL, NULL);
}
