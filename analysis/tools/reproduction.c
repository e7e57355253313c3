/* Sets published numbers beside measured ones: reads a list of what was
 * published, with the key that measures each number and the relation in which
 * both must stand, and judges the relation for each model. Keys may hold MODEL
 * (each model in turn) and NORM (each of its norms: the relation must hold for
 * all of them). */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/json_fields.h"
#include "analysis/measured.h"
#include "analysis/relation.h"
#include "analysis/results.h"
#include "analysis/transformer.h"
#include "report/base/json.h"

enum { KEY = 256, DIRECTORIES = 8, DECIMALS = 17 };

struct options {
  const char *published, *out;
  const char *directories[DIRECTORIES + 1];
  int directory_count;
};

/* ---- keys ---- */

/* Copy `text` with the first `from` in it as `to`; whether there was one. */
static bool substitute(const char *text, const char *from, const char *to,
                       char out[KEY]) {
  const char *at = strstr(text, from);
  if (at == NULL)
    snprintf(out, KEY, "%s", text);
  else
    snprintf(out, KEY, "%.*s%s%s", (int)(at - text), text, to,
             at + strlen(from));
  return at != NULL;
}

struct look_up {
  struct measured *measured;
  const char *model, *norm;
};

static int number_at(const struct look_up *up, const struct json *key,
                     double *out, struct error *err) {
  char with_norm[KEY], name[KEY];
  struct error reason;
  if (strlen(key->text) >= KEY / 2)
    return error_at(err, key->place, "this key is too long");
  substitute(key->text, "NORM", up->norm, with_norm);
  bool of_model = substitute(with_norm, "MODEL", up->model, name);
  if (measured_number(up->measured, name, of_model ? up->model : NULL, out,
                      &reason) == 0)
    return 0;
  return error_at(err, key->place, "%s", reason.text);
}

/* ---- one published number ---- */

struct number {
  const struct json *key, *relation;
  const char *id, *class;
  double published, times, plus;
  bool in_size, derived;
};

static int optional_number(const struct json *object, const char *name,
                           double *out, struct error *err) {
  return json_member(object, name) == NULL
             ? 0
             : json_field_number(object, name, out, err);
}

static bool is_set(const struct json *object, const char *name) {
  const struct json *value = json_member(object, name);
  return value != NULL && value->type == JSON_BOOL && value->boolean;
}

static int read_number(const struct json *object, struct number *out,
                       struct error *err) {
  const struct json *id = json_field(object, "id", JSON_STRING, err);
  if (id == NULL) return -1;
  const struct json *class = json_field(object, "class", JSON_STRING, err);
  if (class == NULL) return -1;
  if (strcmp(class->text, "exact") != 0 && strcmp(class->text, "kind") != 0 &&
      strcmp(class->text, "weights") != 0)
    return error_at(err, class->place,
                    "\"class\" is exact, kind or weights, not %s", class->text);
  *out = (struct number){.id = id->text, .class = class->text, .times = 1};
  out->key = json_field(object, "key", JSON_STRING, err);
  if (out->key == NULL) return -1;
  out->relation = json_field(object, "relation", JSON_OBJECT, err);
  if (out->relation == NULL ||
      json_field_number(object, "value", &out->published, err) != 0 ||
      optional_number(object, "times", &out->times, err) != 0 ||
      optional_number(object, "plus", &out->plus, err) != 0)
    return -1;
  out->in_size = is_set(object, "in_size");
  out->derived = is_set(object, "derived");
  return 0;
}

/* The relation, its bound looked up if it is another measured number. */
static int read_relation(const struct json *object, const struct look_up *up,
                         struct relation *out, const char **than,
                         struct error *err) {
  static const char *const bounds[] = {"limit", "part", "of"};
  const struct json *name = json_field(object, "is", JSON_STRING, err);
  if (name == NULL) return -1;
  *out = (struct relation){.kind = relation_named(name->text)};
  if (out->kind == RELATION_KINDS)
    return error_at(err, name->place, "there is no relation \"%s\"",
                    name->text);
  const struct json *words = json_member(object, "than");
  const struct json *key = json_member(object, "key");
  *than = words != NULL ? words->text : NULL;
  if (out->kind == RELATION_PRINTED) {
    size_t decimals;
    if (json_field_count(object, "decimals", &decimals, err) != 0) return -1;
    if (decimals > DECIMALS)
      return error_at(err, json_member(object, "decimals")->place,
                      "\"decimals\" is %zu, at most %d", decimals, DECIMALS);
    out->decimals = (int)decimals;
    return 0;
  }
  if (key != NULL && key->type == JSON_STRING)
    return number_at(up, key, &out->bound, err);
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
    if (json_member(object, bounds[i]) != NULL)
      return json_field_number(object, bounds[i], &out->bound, err);
  return error_at(err, object->place, "a relation needs a bound");
}

static int judge_one(const struct number *n, const struct look_up *up,
                     double *value, bool *holds, struct error *err) {
  struct relation relation;
  const char *than;
  if (read_relation(n->relation, up, &relation, &than, err) != 0 ||
      number_at(up, n->key, value, err) != 0)
    return -1;
  *value = n->times * (n->in_size ? fabs(*value) : *value) + n->plus;
  *holds = relation_holds(&relation, n->published, *value);
  return 0;
}

/* For one model: of a key with NORM, all norms must agree. */
static int judge(const struct number *n, struct look_up *up, double *value,
                 bool *holds, struct error *err) {
  struct transformer_config config = transformer_config(false, 0);
  size_t norms =
      strstr(n->key->text, "NORM") != NULL ? transformer_points(&config) : 1;
  *holds = true;
  for (size_t i = 0; i < norms; i++) {
    char norm[TRANSFORMER_NAME];
    bool one;
    transformer_norm_name(&config, i, norm);
    up->norm = norm;
    if (judge_one(n, up, value, &one, err) != 0) return -1;
    *holds = *holds && one;
  }
  return 0;
}

/* ---- all ---- */

struct tally {
  const char *class;
  int numbers;
};

static int copy_text(const struct json *object, const char *id,
                     const char *from, const char *to, struct results *results,
                     struct error *err) {
  const struct json *text = json_field(object, from, JSON_STRING, err);
  if (text == NULL) return -1;
  results_text(results, text->text, "%s.%s", id, to);
  return 0;
}

static int record_words(const struct number *n, const struct look_up *up,
                        struct results *results, struct error *err) {
  struct relation relation;
  struct buffer words = {0};
  const char *than;
  if (read_relation(n->relation, up, &relation, &than, err) != 0) return -1;
  relation_words(&relation, than, &words);
  results_text(results, words.bytes, "%s.relation", n->id);
  buffer_free(&words);
  return 0;
}

/* What the list says of a number, and for each model whether it holds. */
static int record_number(const struct json *object, const struct json *models,
                         struct measured *measured, int *agreeing,
                         struct results *results, struct error *err) {
  struct number n;
  size_t m = 0;
  if (read_number(object, &n, err) != 0 ||
      copy_text(object, n.id, "quantity", "quantity", results, err) != 0 ||
      copy_text(object, n.id, "text", "published", results, err) != 0)
    return -1;
  results_text(results, n.class, "%s.class", n.id);
  for (const struct json *model = models->child; model != NULL;
       model = model->next, m++) {
    struct look_up up = {measured, model->text, ""};
    double value;
    bool holds;
    if (m == 0 && record_words(&n, &up, results, err) != 0) return -1;
    if (judge(&n, &up, &value, &holds, err) != 0) return -1;
    results_bool(results, holds, "%s.%s", n.id, model->text);
    if (n.derived)
      results_double(results, value, "%s.value.%s", n.id, model->text);
    agreeing[m] += holds;
  }
  return 0;
}

static int check_models(const struct json *models, struct error *err) {
  if (models->count < 1 || models->count > 16)
    return error_at(err, models->place, "1 to 16 models are needed");
  for (const struct json *m = models->child; m != NULL; m = m->next)
    if (m->type != JSON_STRING || strlen(m->text) >= KEY / 4)
      return error_at(err, m->place, "a model is named by a short string");
  return 0;
}

static void record_tally(const struct json *models, const int *agreeing,
                         const struct tally tally[4], struct results *results) {
  size_t m = 0;
  for (const struct json *model = models->child; model != NULL;
       model = model->next)
    results_integer(results, agreeing[m++], "agree.%s", model->text);
  for (int i = 0; i < 4; i++)
    results_integer(results, tally[i].numbers, "numbers.%s", tally[i].class);
}

static int compare(const struct options *options, struct results *results,
                   struct error *err) {
  struct json_document list;
  struct tally tally[4] = {
      {"all", 0}, {"exact", 0}, {"kind", 0}, {"weights", 0}};
  int agreeing[16] = {0}, status = -1;
  if (json_read(options->published, &list, err) != 0) return -1;
  struct measured *measured = measured_new(options->directories);
  const struct json *numbers =
      json_field(list.root, "numbers", JSON_ARRAY, err);
  if (numbers == NULL) goto cleanup;
  const struct json *models = json_field(list.root, "models", JSON_ARRAY, err);
  if (models == NULL || check_models(models, err) != 0 ||
      results_input(results, options->published, err) != 0)
    goto cleanup;
  for (const struct json *n = numbers->child; n != NULL; n = n->next) {
    if (record_number(n, models, measured, agreeing, results, err) != 0)
      goto cleanup;
    for (int i = 0; i < 4; i++)
      tally[i].numbers +=
          i == 0 || strcmp(json_member(n, "class")->text, tally[i].class) == 0;
  }
  record_tally(models, agreeing, tally, results);
  status = measured_record(measured, results, err);
cleanup:
  measured_free(measured);
  json_free(&list);
  return status;
}

/* ---- the program ---- */

static void print_help(void) {
  puts(
      "usage: reproduction --published FILE --results DIR... [--out FILE]\n\n"
      "Published numbers beside measured ones: which of them agree.\n\n"
      "  --published FILE  what was published, and in which relation it "
      "stands\n"
      "  --results DIR     where results lie; of several, the first that has a "
      "file\n"
      "  --out FILE        write there instead of standard output\n"
      "  --help            print this text");
}

/* 0 to go on, 1 when all is done, -1 on a usage error already printed. */
static int parse(int argc, char **argv, struct options *options) {
  static const struct option known[] = {
      {"published", required_argument, NULL, 'p'},
      {"results", required_argument, NULL, 'r'},
      {"out", required_argument, NULL, 'o'},
      {"help", no_argument, NULL, 'h'},
      {0}};
  int c;
  while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
    if (c == 'p') options->published = optarg;
    if (c == 'o') options->out = optarg;
    if (c == 'r') {
      if (options->directory_count == DIRECTORIES) {
        fprintf(stderr, "reproduction: more than %d --results\n", DIRECTORIES);
        return -1;
      }
      options->directories[options->directory_count++] = optarg;
    }
    if (c == '?') return -1;
    if (c == 'h') {
      print_help();
      return 1;
    }
  }
  if (optind == argc && options->published != NULL &&
      options->directory_count > 0)
    return 0;
  fprintf(stderr, "reproduction: --published FILE and --results DIR are "
                  "needed, and nothing else (see --help)\n");
  return -1;
}

int main(int argc, char **argv) {
  struct options options = {0};
  int status = parse(argc, argv, &options);
  if (status != 0) return status > 0 ? 0 : 2;
  struct error err = {{0}};
  struct results *results = results_new("reproduction");
  status = compare(&options, results, &err);
  if (status == 0) status = results_write(results, options.out, &err);
  if (status < 0) fprintf(stderr, "reproduction: %s\n", err.text);
  results_free(results);
  return status < 0 ? 2 : 0;
}
