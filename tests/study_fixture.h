/* Studies run as programs on the model of model_fixture.h: results go to
 * out.json in its directory, messages to message. Included after cmocka.h. */
#ifndef STUDY_FIXTURE_H
#define STUDY_FIXTURE_H

#include <sys/wait.h>

#include "report/base/json.h"
#include "tests/model_fixture.h"

static inline const char *study_build(void) {
  const char *path = getenv("BUILD");
  return path == NULL ? "build" : path;
}

/* A file of that name in the fixture's directory; four stay valid. */
static inline const char *study_file(const struct fixture *f,
                                     const char *name) {
  static char path[4][300];
  static int next;
  next = (next + 1) % 4;
  snprintf(path[next], sizeof path[next], "%s/%s", f->directory, name);
  return path[next];
}

static inline bool study_is_built(const char *study) {
  char path[300];
  snprintf(path, sizeof path, "%s/bin/model_studies/%s", study_build(), study);
  if (file_exists(path)) return true;
  print_message("skipped: %s is not built\n", path);
  return false;
}

/* Exit status of a study on the fixture's model. */
static inline int study_run(const struct fixture *f, const char *study) {
  char command[2048];
  unlink(study_file(f, "out.json"));
  snprintf(command, sizeof command,
           "OPENBLAS_NUM_THREADS=1 %s/bin/model_studies/%s --model m --models "
           "%s --corpora %s --out %s 2>%s",
           study_build(), study, f->models, f->corpora,
           study_file(f, "out.json"), study_file(f, "message"));
  int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The study ends with one line that holds `expected`, and no results. */
static inline void study_refused(const struct fixture *f, const char *study,
                                 const char *expected) {
  struct buffer text = {0};
  struct error err = {{0}};
  assert_int_equal(study_run(f, study), 2);
  assert_int_equal(file_read(study_file(f, "message"), &text, &err), 0);
  if (strstr(text.bytes, expected) == NULL)
    fail_msg("\"%s\" expected in: %s", expected, text.bytes);
  assert_ptr_equal(strchr(text.bytes, '\n'), text.bytes + text.length - 1);
  buffer_free(&text);
  assert_false(file_exists(study_file(f, "out.json")));
}

/* The values of the model in what a study that succeeds writes. */
static inline const struct json *study_values(const struct fixture *f,
                                              const char *study,
                                              struct json_document *document) {
  struct error err = {{0}};
  if (study_run(f, study) != 0) fail_msg("%s fails", study);
  if (json_read(study_file(f, "out.json"), document, &err) != 0)
    fail_msg("%s", err.text);
  assert_string_equal(json_at(document->root, "study")->text, study);
  assert_string_equal(json_at(document->root, "inputs.0.path")->text,
                      f->weights);
  assert_string_equal(json_at(document->root, "inputs.1.path")->text, f->text);
  return json_at(document->root, "values.m");
}

static inline double study_number(const struct json *values, const char *path) {
  const struct json *value = json_at(values, path);
  if (value == NULL) fail_msg("no value at %s", path);
  assert_int_equal(value->type, JSON_NUMBER);
  return value->number;
}

/* Where the log of the model's training lies. */
static inline const char *study_log(const struct fixture *f) {
  return study_file(f, "models/m.training.json");
}

static inline void study_fixture_remove(struct fixture *f) {
  unlink(study_log(f));
  unlink(study_file(f, "out.json"));
  unlink(study_file(f, "message"));
  fixture_remove(f);
}

#endif
