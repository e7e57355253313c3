/* Which norm is chosen, of which kind, and why: from spec files, one for each
 * style of names. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/final_norm.h"
#include "tests/spec_cases.h"

/* ---- a case: tensor names, and lines that begin with a key ---- */

struct given {
  struct arena arena;
  const char **names;
  size_t count, room;
  struct json_document config;
  struct final_norm_source source;
  struct final_norm_request request;
};

static void add_name(struct given *given, const char *name) {
  if (given->count == given->room) {
    given->room = given->room * 2 + 64;
    given->names =
        memory_resize(given->names, given->room, sizeof *given->names);
  }
  given->names[given->count++] = arena_copy(&given->arena, name, strlen(name));
}

/* `h.{0..11}.ln_{1,2}` stands for all of them. */
static void expand(struct given *given, const char *text) {
  const char *open = strchr(text, '{');
  if (open == NULL) {
    add_name(given, text);
    return;
  }
  const char *close = strchr(open, '}'), *rest = close + 1;
  int before = (int)(open - text), from, to;
  char one[600];
  if (sscanf(open, "{%d..%d}", &from, &to) == 2) {
    for (int i = from; i <= to; i++) {
      snprintf(one, sizeof one, "%.*s%d%s", before, text, i, rest);
      expand(given, one);
    }
    return;
  }
  for (const char *word = open + 1; word < close;) {
    size_t length = strcspn(word, ",}");
    snprintf(one, sizeof one, "%.*s%.*s%s", before, text, (int)length, word,
             rest);
    expand(given, one);
    word += length + 1;
  }
}

static enum final_norm_kind kind_of(const char *name) {
  return strcmp(name, "rmsnorm") == 0 ? FINAL_NORM_RMS : FINAL_NORM_LAYER;
}

static void read_line(struct given *given, const char *line) {
  char *space = strchr(line, ' '), *value = space != NULL ? space + 1 : NULL;
  struct error err;
  if (strncmp(line, "config ", 7) == 0) {
    if (json_parse("config.json", value, strlen(value), &given->config, &err) !=
        0)
      fail_msg("%s", err.text);
    given->source.config = given->config.root;
  } else if (strncmp(line, "metadata ", 9) == 0) {
    given->source.metadata_norm = value;
  } else if (strncmp(line, "--gain ", 7) == 0) {
    given->request.gain = value;
  } else if (strncmp(line, "--bias ", 7) == 0) {
    given->request.bias = value;
  } else if (strncmp(line, "--norm ", 7) == 0) {
    given->request.kind = kind_of(value);
  } else if (strcmp(line, "--one-plus") == 0) {
    given->request.one_plus = true;
  } else {
    expand(given, line);
  }
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void read_case(struct given *given, const char *input, size_t length) {
  char *text = arena_copy(&given->arena, input, length), *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line != NULL;
       line = strtok_r(NULL, "\n", &rest))
    read_line(given, line);
  if (given->count > 0)
    qsort(given->names, given->count, sizeof *given->names, compare_names);
  given->source.names = given->names;
  given->source.count = given->count;
}

static void free_case(struct given *given) {
  json_free(&given->config);
  free(given->names);
  arena_free(&given->arena);
}

/* ---- what is found, as text ---- */

static const char *plus_text(const struct final_norm *norm) {
  assert_false(norm->one_plus && norm->one_plus_open);
  if (norm->one_plus_open) return "perhaps";
  return norm->one_plus ? "yes" : "no";
}

static void print_norm(const struct final_norm *norm, struct buffer *out) {
  buffer_printf(out, "gain: %s\n", norm->gain != NULL ? norm->gain : "?");
  buffer_printf(out, "because: %s\n", norm->reason);
  if (norm->gain != NULL) {
    buffer_printf(out, "bias: %s\n", norm->bias != NULL ? norm->bias : "none");
    buffer_printf(out, "kind: %s\n", final_norm_kind_name(norm->kind));
    for (size_t i = 0; i < norm->evidence_count; i++)
      buffer_printf(out, "  %s, %s: %s\n",
                    final_norm_kind_name(norm->evidence[i].says),
                    norm->evidence[i].source, norm->evidence[i].text);
    buffer_printf(out, "1 + weight: %s", plus_text(norm));
    if (norm->one_plus_reason != NULL)
      buffer_printf(out, ", %s", norm->one_plus_reason);
    buffer_printf(out, "\nwidth: %zu\n", norm->width);
  }
  for (size_t i = 0; i < norm->candidate_count; i++)
    buffer_printf(out, "or: %s\n", norm->candidates[i]);
}

static void render(const char *name, const char *input, size_t length,
                   struct buffer *out) {
  struct given given = {0};
  struct final_norm norm;
  struct error err;
  (void)name;
  read_case(&given, input, length);
  if (final_norm_find("model.safetensors", &given.source, &given.request, &norm,
                      &err) != 0) {
    buffer_text(out, err.text);
  } else {
    print_norm(&norm, out);
    final_norm_free(&norm);
  }
  free_case(&given);
}

/* ---- tests ---- */

static void check_file(const char *name, size_t least) {
  char path[200];
  snprintf(path, sizeof path, "tests/spec/final_norm/%s.txt", name);
  assert_true(spec_run(path, render) >= least);
}

static void test_gpt(void **state) {
  (void)state;
  check_file("gpt", 8);
}

static void test_opt(void **state) {
  (void)state;
  check_file("opt", 4);
}

static void test_bert(void **state) {
  (void)state;
  check_file("bert", 8);
}

static void test_vit(void **state) {
  (void)state;
  check_file("vit", 6);
}

static void test_llama(void **state) {
  (void)state;
  check_file("llama", 8);
}

static void test_gemma(void **state) {
  (void)state;
  check_file("gemma", 6);
}

static void test_encoder_decoder(void **state) {
  (void)state;
  check_file("encoder_decoder", 4);
}

static void test_multimodal(void **state) {
  (void)state;
  check_file("multimodal", 4);
}

static void test_evidence(void **state) {
  (void)state;
  check_file("evidence", 6);
}

static void test_doubt(void **state) {
  (void)state;
  check_file("doubt", 6);
}

static void test_configuration(void **state) {
  (void)state;
  check_file("configuration", 6);
}

/* ---- model types: every one of the table ---- */

/* The input is types, a line each; what is found for each is the output. */
static void render_types(const char *name, const char *input, size_t length,
                         struct buffer *out) {
  static const char *const names[] = {"m.layers.0.norm.weight",
                                      "m.norm.weight"};
  struct arena arena = {0};
  char *text = arena_copy(&arena, input, length), *rest = NULL;
  (void)name;
  for (char *type = strtok_r(text, "\n", &rest); type != NULL;
       type = strtok_r(NULL, "\n", &rest)) {
    struct json value = {
        .type = JSON_STRING, .key = "model_type", .text = type};
    struct json config = {.type = JSON_OBJECT, .child = &value, .count = 1};
    struct final_norm_source source = {names, 2, &config, NULL};
    struct final_norm_request request = {0};
    struct final_norm norm;
    struct error err;
    assert_int_equal(final_norm_find("m", &source, &request, &norm, &err), 0);
    buffer_printf(out, "%s: %s, 1 + weight: %s\n", type,
                  final_norm_kind_name(norm.kind), plus_text(&norm));
    final_norm_free(&norm);
  }
  arena_free(&arena);
}

static void test_types(void **state) {
  (void)state;
  assert_int_equal(spec_run("tests/spec/final_norm/types.txt", render_types),
                   5);
}

/* ---- parts of a larger model ---- */

static void test_head_reads_language_model(void **state) {
  static const char *const parts[] = {"vision_tower",   "vision_model",
                                      "vision_encoder", "vision_backbone",
                                      "visual",         "vision_embed_tokens",
                                      "vision",         "vpm",
                                      "img_processor",  "image_encoder",
                                      "audio_tower",    "audio_encoder",
                                      "audio_model",    "speech_encoder",
                                      "qformer",        "perceiver_resampler",
                                      "resampler",      "mtp"};
  (void)state;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    struct given given = {0};
    struct final_norm norm;
    struct error err;
    char input[200];
    int length = snprintf(input, sizeof input,
                          "llm.layers.0.norm.weight\nllm.norm.weight\n"
                          "m.%s.layers.0.norm.weight\nm.%s.norm.weight",
                          parts[i], parts[i]);
    read_case(&given, input, (size_t)length);
    assert_int_equal(
        final_norm_find("m", &given.source, &given.request, &norm, &err), 0);
    assert_string_equal(norm.gain, "llm.norm.weight");
    assert_non_null(strstr(norm.reason, "not the "));
    assert_int_equal(norm.candidate_count, 1);
    final_norm_free(&norm);
    free_case(&given);
  }
}

/* ---- what no model has ---- */

/* Names that are dots, numbers and endings only, and long ones. */
static void test_strange_names(void **state) {
  static const char *const names[] = {"",
                                      ".",
                                      "..",
                                      ".weight",
                                      "..weight",
                                      "0",
                                      "0.0",
                                      "0.norm",
                                      "1.weight",
                                      "norm.",
                                      "norm..weight",
                                      "layers.",
                                      "layers..0",
                                      "layers.0",
                                      "layers.0.",
                                      "layers.99999999999999999999.norm.weight",
                                      "layers.0.norm.weight",
                                      "layer_.norm.weight",
                                      "layer_1.norm.weight",
                                      "a.layers.0..weight"};
  struct given given = {0};
  struct final_norm norm;
  struct error err;
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    add_name(&given, names[i]);
  char *longest = memory_alloc(100001, 1);
  memset(longest, '.', 100000);
  add_name(&given, longest);
  memset(longest, 'n', 100000);
  memcpy(longest + 99000, ".layers.0.norm.weight", 21);
  longest[99021] = 0;
  add_name(&given, longest);
  free(longest);
  read_case(&given, "norm.weight", 11);
  assert_int_equal(
      final_norm_find("m", &given.source, &given.request, &norm, &err), 0);
  assert_string_equal(norm.gain, "norm.weight");
  final_norm_free(&norm);
  free_case(&given);
}

/* Texts are one line each whatever the names hold. */
static void test_control_characters(void **state) {
  static const char input[] = "a\x1b[2J\x7f.layers.0.norm.weight\n"
                              "a\x1b[2J\x7f.norm.{weight,bias}";
  struct given given = {0};
  struct final_norm norm;
  struct error err;
  (void)state;
  read_case(&given, input, sizeof input - 1);
  assert_int_equal(
      final_norm_find("m", &given.source, &given.request, &norm, &err), 0);
  assert_string_equal(norm.gain, "a\x1b[2J\x7f.norm.weight");
  assert_non_null(strstr(norm.reason, "a?[2J?.layers.0"));
  assert_string_equal(norm.evidence[0].text, "the norm adds a?[2J?.norm.bias");
  final_norm_free(&norm);
  given.request.gain = "b\n";
  assert_int_equal(
      final_norm_find("m", &given.source, &given.request, &norm, &err), -1);
  assert_string_equal(err.text, "m: no tensor is named \"b?\"");
  free_case(&given);
}

/* More towers than are compared with one another, and more names than any
 * model has. */
static void test_many_names(void **state) {
  struct given given = {0};
  struct final_norm norm;
  struct error err;
  char line[200];
  int length = snprintf(line, sizeof line,
                        "a{0..9999}_encoder.layers.{0..1}.norm.weight\n"
                        "a{0..9999}_encoder.norm.weight");
  (void)state;
  read_case(&given, line, (size_t)length);
  assert_int_equal(
      final_norm_find("m", &given.source, &given.request, &norm, &err), 0);
  assert_null(norm.gain);
  assert_int_equal(norm.candidate_count, 10000);
  for (size_t i = 1; i < norm.candidate_count; i++)
    assert_true(strcmp(norm.candidates[i - 1], norm.candidates[i]) < 0);
  final_norm_free(&norm);
  free_case(&given);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gpt),
      cmocka_unit_test(test_opt),
      cmocka_unit_test(test_bert),
      cmocka_unit_test(test_vit),
      cmocka_unit_test(test_llama),
      cmocka_unit_test(test_gemma),
      cmocka_unit_test(test_encoder_decoder),
      cmocka_unit_test(test_multimodal),
      cmocka_unit_test(test_evidence),
      cmocka_unit_test(test_doubt),
      cmocka_unit_test(test_configuration),
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_head_reads_language_model),
      cmocka_unit_test(test_strange_names),
      cmocka_unit_test(test_control_characters),
      cmocka_unit_test(test_many_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
