/* The ladder through training: what the study makes of a log, and which logs it
 * refuses. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "tests/study_fixture.h"

/* A log of four rows whose ladder climbs as 1, 2, 4, `last`; the last row is
 * that of `points`, the values of the ladder study. */
static void put_log(const struct fixture *f, const struct json *points,
                    const char *first, const char *sha256) {
  struct buffer text = {0};
  double end = study_number(points, "b3_mlp.inv_sigma");
  buffer_printf(&text,
                "{\"values\": {\"m\": {\"weights_sha256\": \"%s\",\n"
                "\"recipe\": {\"steps\": 3000, \"warm_up\": 0.3}, "
                "\"seeds\": {\"ladder\": \"0\"},\n"
                "\"ladder\": {\"every\": 100, \"sequences\": 8, \"points\": {",
                sha256);
  for (size_t n = 0; n < 9; n++) {
    char name[TRANSFORMER_NAME], key[64];
    transformer_point_name(n, name);
    snprintf(key, sizeof key, "%s.inv_sigma", name);
    double x = study_number(points, key);
    buffer_printf(&text, "%s\n\"%s\": {\"inv_sigma\": [", n > 0 ? "," : "",
                  name);
    if (n == 0)
      buffer_printf(&text, "%s, %.17g, %.17g, %.17g]}", first, 2 * end, 4 * end,
                    x);
    else
      buffer_printf(&text, "%.17g, %.17g, %.17g, %.17g]}", end, end, end, x);
  }
  buffer_printf(&text, "}}}}}\n");
  fixture_put(study_log(f), &text);
  buffer_free(&text);
}

static void test_log_and_weights(void **state) {
  (void)state;
  char sha256[HASH_TEXT];
  struct fixture f;
  struct json_document ladder, history;
  if (!study_is_built("training_ladder")) skip();
  fixture_make(&f, false, 1e-5);
  fixture_hash(f.weights, sha256);
  const struct json *points =
      json_member(study_values(&f, "ladder", &ladder), "points");

  put_log(&f, points, "1", sha256);
  const struct json *values = study_values(&f, "training_ladder", &history);
  double end = study_number(points, "b3_mlp.inv_sigma");
  double last = study_number(points, "embed.inv_sigma") / end;
  assert_true(study_number(values, "recomputed.largest_difference") < 1e-14);
  assert_true(study_number(values, "final_attenuation") == last);
  assert_true(study_number(values, "rows.2.attenuation") == 4);
  assert_true(study_number(values, "rows.3.step") == 300);
  assert_true(study_number(values, "warm_up_steps") == 900);
  assert_true(study_number(values, "highest.attenuation") ==
              fmax(fmax(4, last), 1 / end));
  json_free(&history);

  put_log(&f, points, "1", "0");
  study_refused(&f, "training_ladder",
                "m.training.json:1:37: the log is of other weights than ");
  put_log(&f, points, "0", sha256);
  study_refused(&f, "training_ladder",
                "m.training.json:4:25: 1/sigma must be a positive number");
  put_log(&f, points, "1, 1", sha256);
  study_refused(&f, "training_ladder",
                "m.training.json:5:26: 4 numbers where 5 are expected");
  json_free(&ladder);
  study_fixture_remove(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_log_and_weights),
  };
  return cmocka_run_group_tests_name("training_ladder", tests, NULL, NULL);
}
