/* The studies of gains, block rank and ladder as programs, on random weights
 * of both kinds of norm. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "tests/study_fixture.h"

static double number(const struct json_document *d, const char *format,
                     const char *name) {
  char path[128];
  snprintf(path, sizeof path, format, name);
  const struct json *value = json_at(d->root, path);
  if (value == NULL) fail_msg("%s is missing", path);
  return value->number;
}

/* diag(gain) times a projector: its singular values lie between the gain's
 * extremes, all but the two (RMSNorm: one) that are 0. */
static void check_gains(const struct fixture *f) {
  static const char *const norms[] = {"b0.ln1", "b0.ln2", "b1.ln1",
                                      "b1.ln2", "b2.ln1", "b2.ln2",
                                      "b3.ln1", "b3.ln2", "lnf"};
  struct json_document d;
  study_values(f, "gains", &d);
  for (size_t n = 0; n < 9; n++) {
    double spread = number(&d, "values.m.%s.spread", norms[n]);
    double most = number(&d, "values.m.%s.gain_largest", norms[n]) /
                  number(&d, "values.m.%s.gain_smallest", norms[n]);
    assert_int_equal((int)number(&d, "values.m.%s.rank", norms[n]),
                     f->rms ? 127 : 126);
    assert_true(spread >= 1 && spread <= most);
    assert_true(spread <= number(&d, "values.m.%s", "largest_spread"));
  }
  json_free(&d);
}

static void check_block_rank(const struct fixture *f) {
  struct json_document d;
  study_values(f, "block_rank", &d);
  const struct json *spectrum = json_at(d.root, "values.m.branch_spectrum");
  assert_int_equal(spectrum->count, 128);
  double before = INFINITY;
  for (const struct json *s = spectrum->child; s != NULL; s = s->next) {
    assert_true(s->number >= 0 && s->number <= before);
    before = s->number;
  }
  assert_int_equal((int)number(&d, "values.m.%s", "block_rank"), 128);
  int rank = (int)number(&d, "values.m.%s", "branch_rank");
  assert_true(rank <= 127);
  assert_int_equal((int)number(&d, "values.m.ranks.%s.branch", "2"), rank);
  double wide = number(&d, "values.m.%s", "block_largest");
  double narrow = number(&d, "values.m.float32.%s", "block_largest");
  assert_true(fabs(wide - narrow) < 1e-5 * wide && wide != narrow);
  json_free(&d);
}

static void check_ladder(const struct fixture *f) {
  struct json_document d;
  study_values(f, "ladder", &d);
  const struct json *points = json_at(d.root, "values.m.points");
  assert_int_equal(points->count, 9);
  assert_string_equal(points->child->key, "embed");
  double first = number(&d, "values.m.points.%s.rms", "embed");
  double last = number(&d, "values.m.points.%s.rms", "b3_mlp");
  assert_true(number(&d, "values.m.%s", "growth") == last / first);
  /* rms^2 = std^2 + mean^2 in each row. */
  for (const struct json *p = points->child; p != NULL; p = p->next) {
    const struct json *inv_rms = json_member(p, "inv_row_rms");
    assert_int_equal(inv_rms != NULL, f->rms);
    if (inv_rms != NULL)
      assert_true(inv_rms->number > 0 &&
                  inv_rms->number <= json_member(p, "inv_sigma")->number);
  }
  json_free(&d);
}

static void check_refusal(const struct fixture *f) {
  for (size_t i = 0; i < f->table.count; i++) {
    const struct transformer_tensor *t = &f->table.tensors[i];
    if (strcmp(t->name, "transformer.ln_f.weight") != 0) continue;
    memset(f->values + t->offset, 0, t->count * sizeof *f->values);
  }
  fixture_write_weights(f, norm_name(f->rms ? NORM_RMS : NORM_LAYER), "1e-05");
  study_refused(f, "gains", "lnf: all singular values of its Jacobian are 0");
  unlink(f->manifest);
  study_refused(f, "gains", "manifest.json");
}

static void check_model(bool rms) {
  struct fixture f;
  fixture_make(&f, rms, 1e-5);
  check_gains(&f);
  check_block_rank(&f);
  check_ladder(&f);
  check_refusal(&f);
  study_fixture_remove(&f);
}

static void test_layernorm(void **state) {
  (void)state;
  check_model(false);
}

static void test_rmsnorm(void **state) {
  (void)state;
  check_model(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layernorm),
      cmocka_unit_test(test_rmsnorm),
  };
  return cmocka_run_group_tests_name("structure_studies", tests, NULL, NULL);
}
