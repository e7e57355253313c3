/* The generator against values that NumPy 1.24 prints; the whole reference
 * file too where it is at hand (PINPRESS_REFERENCE, or ../shared/reference). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rng.h"
#include "report/base/file.h"
#include "report/base/hash.h"
#include "report/base/json.h"
#include "report/base/memory.h"

static void same_double(double found, double expected) {
  if (memcmp(&found, &expected, sizeof found) != 0)
    fail_msg("found %.17g, expected %.17g", found, expected);
}

static struct rng seeded(uint64_t seed) {
  struct rng rng;
  rng_seed(&rng, seed);
  return rng;
}

static void test_seed_sequence(void **state) {
  (void)state;
  const uint32_t expected[] = {2968811710u, 3677149159u, 745650761u,
                               2884920346u, 2642120001u, 549907821u,
                               574372308u,  742431198u};
  uint32_t found[8];
  rng_seed_sequence(0, 8, found);
  assert_memory_equal(found, expected, sizeof expected);
}

static void test_raw_words(void **state) {
  (void)state;
  const uint64_t seed0[] = {0xa30febcfd9c2825f, 0x4510bdf882d9d721,
                            0x0a7d3da94ecde8b8, 0x043b27b61342f01d};
  const uint64_t seed12345[] = {0x3a32b18db2ffc19d, 0x51171315c9e4c4de,
                                0xcc2024823444efd9, 0xad1f06aea486e910};
  struct rng a = seeded(0), b = seeded(12345);
  for (int i = 0; i < 4; i++) {
    assert_true(rng_next64(&a) == seed0[i]);
    assert_true(rng_next64(&b) == seed12345[i]);
  }
}

static void test_doubles(void **state) {
  (void)state;
  const double expected[] = {0.6369616873214543, 0.2697867137638703,
                             0.04097352393619469, 0.016527635528529094,
                             0.8132702392002724};
  struct rng rng = seeded(0);
  for (int i = 0; i < 5; i++)
    same_double(rng_double(&rng), expected[i]);
}

static void test_normals(void **state) {
  (void)state;
  const double expected[] = {
      0x1.017ed89db8441p-3, -0x1.0e8cfe9bd45ccp-3, 0x1.47e57a468b06dp-1,
      0x1.adabbec84d4f0p-4, -0x1.1243418e643edp-1, 0x1.7245f95ced1e6p-2,
      0x1.4dd2f26bd103cp+0, 0x1.e4e7cbc69bca3p-1,  -0x1.684ffc1daaf28p-1};
  struct rng rng = seeded(0);
  for (int i = 0; i < 9; i++)
    same_double(rng_normal(&rng), expected[i]);

  double scaled[128];
  rng = seeded(0);
  rng_normals(&rng, 0, 2, 128, scaled);
  same_double(scaled[0], 0x1.017ed89db8441p-2);
  same_double(scaled[127], 0x1.08a7d9321ff4ep-1);
}

/* Half of a word stays buffered across calls of other kinds. */
static void test_integers_keep_the_spare_half(void **state) {
  (void)state;
  const int64_t expected[] = {850, 636, 511, 269, 307, 40, 75, 16, 175, 813};
  int64_t found[10];
  struct rng rng = seeded(0);
  rng_integers(&rng, 0, 1000, 10, found);
  assert_memory_equal(found, expected, sizeof expected);

  rng = seeded(0);
  assert_int_equal(rng_integer(&rng, 0, 1000), 850);
  same_double(rng_double(&rng), 0.2697867137638703);
  assert_int_equal(rng_integer(&rng, 0, 1000), 636);

  rng = seeded(0);
  rng_integers(&rng, 0, 1000, 6, found);
  same_double(rng_normal(&rng), 0.10490011715303971);
  same_double(rng_normal(&rng), -0.535669373161111);
  rng_integers(&rng, 0, 1000, 3, found);
  assert_int_equal(found[0], 649);
  assert_int_equal(found[1], 912);
  assert_int_equal(found[2], 503);
}

static void test_integers_at_their_limits(void **state) {
  (void)state;
  struct rng rng = seeded(7);
  unsigned __int128 before = rng.state;
  assert_int_equal(rng_integer(&rng, 5, 6), 5);
  assert_true(rng.state == before); /* a range of one takes no draw */
  for (int i = 0; i < 1000; i++) {
    int64_t wide = rng_integer(&rng, INT64_MIN, INT64_MAX);
    assert_true(wide < INT64_MAX);
    assert_in_range(rng_integer(&rng, -3, 4) + 3, 0, 6);
    assert_in_range(rng_integer(&rng, 0, INT64_C(1) << 32), 0, UINT32_MAX);
    assert_in_range(rng_integer(&rng, 0, INT64_C(1) << 40), 0,
                    (INT64_C(1) << 40) - 1);
  }
}

/* Far into the stream, from the tail too: a wrong acceptance anywhere before
 * would have shifted these. */
static void test_a_million_normals(void **state) {
  (void)state;
  const size_t n = 1048577;
  double *values = memory_alloc(n, sizeof *values);
  struct rng rng = seeded(0);
  rng_normals(&rng, 0, 1, n, values);
  same_double(values[303], -0x1.e2d9e98d87bc6p+1); /* first from the tail */
  same_double(values[14920], -0x1.017b6e68781fcp+2);
  same_double(values[65536], -0.13540604454510777);
  same_double(values[1048576], 1.2192021266564745);
  free(values);
}

/* ---- the reference file -------------------------------------------------- */

static char *reference_path(void) {
  const char *directory = getenv("PINPRESS_REFERENCE");
  if (directory == NULL) directory = "../shared/reference";
  struct buffer path = {0};
  buffer_printf(&path, "%s/numpy-rng.json", directory);
  return path.bytes;
}

static void same_word(uint64_t found, const char *expected) {
  char text[17];
  snprintf(text, sizeof text, "%016" PRIx64, found);
  assert_string_equal(text, expected);
}

static void test_reference_draws(const struct json *rng_values) {
  struct rng rng = seeded(0);
  const struct json *list = json_member(rng_values, "pcg64_seed0_raw8");
  for (const struct json *v = list->child; v != NULL; v = v->next)
    same_word(rng_next64(&rng), v->text);
  rng = seeded(12345);
  list = json_member(rng_values, "normal_seed12345_5_hex");
  for (const struct json *v = list->child; v != NULL; v = v->next)
    same_double(rng_normal(&rng), strtod(v->text, NULL));
  rng = seeded(0);
  list = json_member(rng_values, "normal_0_2_128_seed0_hex");
  for (const struct json *v = list->child; v != NULL; v = v->next)
    same_double(2 * rng_normal(&rng), strtod(v->text, NULL));
}

static void test_reference_digest(const struct json *long_run) {
  size_t n = (size_t)json_member(long_run, "n")->integer;
  double *values = memory_alloc(n, sizeof *values);
  struct rng rng = seeded(0);
  rng_normals(&rng, 0, 1, n, values);
  char sha256[HASH_TEXT];
  hash_bytes(values, n * sizeof *values, sha256);
  assert_string_equal(sha256, json_member(long_run, "sha256_le_f64")->text);
  char text[33];
  snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64,
           (uint64_t)(rng.state >> 64), (uint64_t)rng.state);
  assert_string_equal(text,
                      json_member(long_run, "pcg64_state_after_hex")->text);
  free(values);
}

static void test_reference_file(void **state) {
  (void)state;
  char *path = reference_path();
  struct json_document document;
  struct error err;
  if (!file_exists(path)) {
    print_message("skipped: %s is not here\n", path);
    free(path);
    skip();
  }
  assert_int_equal(json_read(path, &document, &err), 0);
  const struct json *values = json_member(document.root, "rng");
  test_reference_draws(values);
  test_reference_digest(json_member(values, "standard_normal_seed0_25600000"));
  json_free(&document);
  free(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_seed_sequence),
      cmocka_unit_test(test_raw_words),
      cmocka_unit_test(test_doubles),
      cmocka_unit_test(test_normals),
      cmocka_unit_test(test_integers_keep_the_spare_half),
      cmocka_unit_test(test_integers_at_their_limits),
      cmocka_unit_test(test_a_million_normals),
      cmocka_unit_test(test_reference_file),
  };
  return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
