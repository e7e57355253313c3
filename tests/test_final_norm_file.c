/* LayerNorm or RMSNorm from a model's file, with and without its metadata. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/final_norm_file.h"
#include "tests/model_fixture.h"

static struct final_norm_file read_class(const struct fixture *f,
                                         bool metadata) {
  struct final_norm_file class;
  struct error err = {{0}};
  if (final_norm_file_read(f->weights, metadata, &class, &err) != 0)
    fail_msg("%s", err.text);
  assert_string_equal(class.gain, "transformer.ln_f.weight");
  return class;
}

/* A bias tells a LayerNorm; its absence tells nothing. */
static void check(bool rms) {
  struct fixture f;
  fixture_make(&f, rms, 1e-5);
  struct final_norm_file all = read_class(&f, true),
                         names = read_class(&f, false);
  assert_int_equal(all.kind, rms ? FINAL_NORM_RMS : FINAL_NORM_LAYER);
  assert_non_null(strstr(all.evidence, "metadata: "));
  assert_int_equal(names.kind, rms ? FINAL_NORM_UNDECIDED : FINAL_NORM_LAYER);
  assert_null(strstr(names.evidence, "metadata"));
  if (rms)
    assert_string_equal(names.evidence, "none");
  else
    assert_non_null(strstr(names.evidence, "bias: "));
  fixture_remove(&f);
}

static void test_layernorm(void **state) {
  (void)state;
  check(false);
}

static void test_rmsnorm(void **state) {
  (void)state;
  check(true);
}

/* The bias says LayerNorm, the metadata RMSNorm. */
static void test_contradiction(void **state) {
  (void)state;
  struct fixture f;
  fixture_make(&f, false, 1e-5);
  fixture_write_weights(&f, "RMSNorm", "1e-05");
  struct final_norm_file class = read_class(&f, true);
  assert_int_equal(class.kind, FINAL_NORM_UNDECIDED);
  assert_non_null(strstr(class.evidence, "; "));
  fixture_remove(&f);
}

static void test_refusals(void **state) {
  (void)state;
  struct fixture f;
  struct final_norm_file class;
  struct error err = {{0}};
  fixture_make(&f, false, 1e-5);
  f.entries[0].name = "layers.0.norm_a.weight";
  f.entries[1].name = "layers.0.norm_b.weight";
  f.count = 2;
  fixture_write_weights(&f, "LayerNorm", "1e-05");
  assert_int_equal(final_norm_file_read(f.weights, true, &class, &err), -1);
  assert_non_null(strstr(err.text, "m.safetensors: "));
  char name[160];
  snprintf(name, sizeof name, "%0140d.ln_f.weight", 0);
  f.entries[0].name = name;
  f.count = 1;
  fixture_write_weights(&f, "LayerNorm", "1e-05");
  assert_int_equal(final_norm_file_read(f.weights, true, &class, &err), -1);
  assert_non_null(strstr(err.text, "what is said of its norm is too long"));
  unlink(f.weights);
  assert_int_equal(final_norm_file_read(f.weights, true, &class, &err), -1);
  fixture_remove(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layernorm),
      cmocka_unit_test(test_rmsnorm),
      cmocka_unit_test(test_contradiction),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests_name("final_norm_file", tests, NULL, NULL);
}
