/* Small models of all naming styles, and ones with something wrong, in the
 * scratch directory: what `pinpress dead-direction` is tested on. */
#ifndef DEAD_MODELS_H
#define DEAD_MODELS_H

#include "tests/scratch.h"
#include "tests/model_files_fixture.h"

#define VECTOR(tensor, n, data)                                                \
  { .name = (tensor), .rank = 1, .shape = {n}, .values = (data) }
#define VECTOR_OF(type, tensor, n, data)                                       \
  {                                                                            \
    .name = (tensor), .dtype = (type), .rank = 1, .shape = {n},                \
    .values = (data)                                                           \
  }
#define MATRIX(tensor, n, m)                                                   \
  {                                                                            \
    .name = (tensor), .rank = 2, .shape = { n, m }                             \
  }

#define PUT_MODEL(file, rows) put_model(file, rows, sizeof rows / sizeof *rows)

static const double gain_of_4[] = {2, 1, 0.5, 4};
static const double bias_of_4[] = {1, 0.25, -1, 8};

/* ---- naming styles ---- */

SUPPORT void put_gpt2(const char *directory, const char *prefix,
                      const char *config) {
  char names[8][64], path[256];
  static const char *const plain[8] = {"wte.weight",
                                       "h.0.ln_1.weight",
                                       "h.0.ln_1.bias",
                                       "h.0.ln_2.weight",
                                       "h.0.attn.c_attn.weight",
                                       "h.0.ln_2.bias",
                                       "ln_f.weight",
                                       "ln_f.bias"};
  for (int i = 0; i < 8; i++)
    snprintf(names[i], sizeof names[i], "%s%s", prefix, plain[i]);
  const struct tensor_row rows[] = {
      MATRIX(names[0], 9, 4),         VECTOR(names[1], 4, NULL),
      VECTOR(names[2], 4, NULL),      VECTOR(names[3], 4, NULL),
      MATRIX(names[4], 12, 4),        VECTOR(names[5], 4, NULL),
      VECTOR(names[6], 4, gain_of_4), VECTOR(names[7], 4, bias_of_4)};
  snprintf(path, sizeof path, "%s/model.safetensors", directory);
  PUT_MODEL(path, rows);
  if (config == NULL) return;
  snprintf(path, sizeof path, "%s/config.json", directory);
  put(path, config);
}

SUPPORT void put_pythia(void) {
  const struct tensor_row rows[] = {
      MATRIX("gpt_neox.embed_in.weight", 9, 4),
      VECTOR_OF("F16", "gpt_neox.layers.0.input_layernorm.weight", 4, NULL),
      VECTOR_OF("F16", "gpt_neox.layers.0.input_layernorm.bias", 4, NULL),
      VECTOR_OF("F16", "gpt_neox.layers.0.post_attention_layernorm.weight", 4,
                NULL),
      VECTOR_OF("F16", "gpt_neox.final_layer_norm.weight", 4, gain_of_4),
      VECTOR_OF("F16", "gpt_neox.final_layer_norm.bias", 4, bias_of_4)};
  PUT_MODEL("pythia/model.safetensors", rows);
  put("pythia/config.json",
      "{\"model_type\": \"gpt_neox\", \"hidden_size\": 4}");
}

SUPPORT void put_bert(void) {
  const struct tensor_row rows[] = {
      MATRIX("bert.embeddings.word_embeddings.weight", 9, 4),
      VECTOR("bert.embeddings.LayerNorm.weight", 4, NULL),
      VECTOR("bert.embeddings.LayerNorm.bias", 4, NULL),
      VECTOR("bert.encoder.layer.0.attention.output.LayerNorm.weight", 4, NULL),
      VECTOR("bert.encoder.layer.0.output.LayerNorm.weight", 4, NULL),
      VECTOR("bert.encoder.layer.0.output.LayerNorm.bias", 4, NULL),
      VECTOR("bert.encoder.layer.1.attention.output.LayerNorm.weight", 4, NULL),
      VECTOR("bert.encoder.layer.1.output.LayerNorm.weight", 4, gain_of_4),
      VECTOR("bert.encoder.layer.1.output.LayerNorm.bias", 4, bias_of_4)};
  PUT_MODEL("bert/model.safetensors", rows);
  PUT_MODEL("shard/bert-00001-of-00002.safetensors", rows);
  PUT_MODEL("shard/all-00001-of-00001.safetensors", rows);
  put("bert/config.json", "{\"model_type\": \"bert\", \"hidden_size\": 4}");
}

SUPPORT void put_vit(void) {
  const struct tensor_row rows[] = {
      MATRIX("vit.embeddings.patch_embeddings.projection.weight", 9, 4),
      VECTOR("vit.encoder.layer.0.layernorm_before.weight", 4, NULL),
      VECTOR("vit.encoder.layer.0.layernorm_after.weight", 4, NULL),
      VECTOR("vit.layernorm.weight", 4, gain_of_4),
      VECTOR("vit.layernorm.bias", 4, bias_of_4)};
  PUT_MODEL("vit/model.safetensors", rows);
  put("vit/config.json", "{\"model_type\": \"vit\", \"hidden_size\": 4}");
}

SUPPORT void put_opt(void) {
  const struct tensor_row rows[] = {
      MATRIX("model.decoder.embed_tokens.weight", 9, 4),
      VECTOR("model.decoder.layers.0.self_attn_layer_norm.weight", 4, NULL),
      VECTOR("model.decoder.layers.0.final_layer_norm.weight", 4, NULL),
      VECTOR("model.decoder.layers.0.final_layer_norm.bias", 4, NULL),
      VECTOR("model.decoder.final_layer_norm.weight", 4, gain_of_4),
      VECTOR("model.decoder.final_layer_norm.bias", 4, bias_of_4)};
  PUT_MODEL("opt/model.safetensors", rows);
  put("opt/config.json", "{\"model_type\": \"opt\", \"hidden_size\": 4, "
                         "\"do_layer_norm_before\": true}");
}

/* Llama, Qwen and Gemma, in three shards. */
SUPPORT void put_llama(const char *directory, const char *config) {
  const struct tensor_row rows[] = {
      {.name = "model.embed_tokens.weight",
       .rank = 2,
       .shape = {9, 4},
       .shard = 1},
      {.name = "model.layers.0.input_layernorm.weight",
       .rank = 1,
       .shape = {4},
       .shard = 1},
      {.name = "model.layers.0.post_attention_layernorm.weight",
       .rank = 1,
       .shape = {4},
       .shard = 2},
      {.name = "model.layers.0.self_attn.q_norm.weight",
       .rank = 1,
       .shape = {2},
       .shard = 2},
      {.name = "model.layers.0.mlp.gate_proj.weight",
       .rank = 2,
       .shape = {8, 4},
       .shard = 2},
      {.name = "model.norm.weight",
       .dtype = "BF16",
       .rank = 1,
       .shape = {4},
       .values = gain_of_4,
       .shard = 3}};
  char path[256];
  put_shards(directory, rows, 6, 3);
  if (config == NULL) return;
  snprintf(path, sizeof path, "%s/config.json", directory);
  put(path, config);
}

SUPPORT void put_styles(void) {
  put_gpt2("gpt2", "transformer.", "{\"model_type\": \"gpt2\"}");
  put_gpt2("gpt2-plain", "", NULL);
  put_pythia();
  put_bert();
  put_vit();
  put_opt();
  put_llama("llama", "{\"model_type\": \"llama\", \"hidden_size\": 4}");
  put_llama("qwen", "{\"model_type\": \"qwen3\", \"hidden_size\": 4}");
  put_llama("gemma", "{\"model_type\": \"gemma\", \"hidden_size\": 4}");
  put_llama("bare", NULL);
}

/* ---- gains that rules are for, and files that are refused ---- */

/* A model of one LayerNorm; what it is is said by a bias and names. */
SUPPORT void put_norm(const char *file, const char *dtype, size_t width,
                      const double *gain, const double *bias) {
  const struct tensor_row rows[] = {
      VECTOR_OF(dtype, "h.0.ln_1.weight", width, NULL),
      VECTOR_OF(dtype, "h.0.ln_1.bias", width, NULL),
      VECTOR_OF(dtype, "ln_f.weight", width, gain),
      VECTOR_OF(dtype, "ln_f.bias", width, bias)};
  PUT_MODEL(file, rows);
}

SUPPORT void put_gains(void) {
  static const double zeros[] = {1, 0, 2, -0.0}, negative[] = {1, -2, 3, 4};
  static const double tiny[] = {1e-45, -1e-45, 1, 2}, nan[] = {1, 2, NAN, 4};
  static const double wide[] = {5e-324, 1, 1e300, 2};
  static const double steep[] = {1, 2, 300, 4}, infinite[] = {1, INFINITY};

  put_norm("zeros.safetensors", "F32", 4, zeros, bias_of_4);
  put_norm("all-zero.safetensors", "F32", 12, NULL, NULL);
  put_norm("negative.safetensors", "F32", 4, negative, bias_of_4);
  put_norm("tiny.safetensors", "F32", 4, tiny, bias_of_4);
  put_norm("wide.safetensors", "F64", 4, wide, bias_of_4);
  put_norm("steep.safetensors", "BF16", 4, steep, bias_of_4);
  put_norm("nan.safetensors", "F32", 4, nan, bias_of_4);
  put_norm("infinite.safetensors", "F16", 2, infinite, NULL);
  put_norm("one.safetensors", "F64", 1, negative + 1, bias_of_4);
  put_norm("none.safetensors", "F32", 0, NULL, NULL);
  put_norm("vast.safetensors", "F32", (1 << 20) + 1, NULL, NULL);
  put_norm("int8.safetensors", "I8", 4, NULL, NULL);
  put_norm("f8.safetensors", "F8_E4M3", 4, NULL, NULL);
}

SUPPORT void put_odd(void) {
  static const struct tensor_row matrix[] = {MATRIX("ln_f.weight", 2, 2),
                                             VECTOR("ln_f.bias", 4, NULL)};
  static const struct tensor_row unequal[] = {
      VECTOR("ln_f.weight", 4, gain_of_4), VECTOR("ln_f.bias", 3, bias_of_4)};
  static const struct tensor_row alien[] = {VECTOR("the.scale", 4, gain_of_4),
                                            VECTOR("the.shift", 4, bias_of_4),
                                            MATRIX("w", 4, 4)};
  static const struct tensor_row two[] = {
      VECTOR("a.final_norm.weight", 4, gain_of_4),
      VECTOR("b.final_norm.weight", 4, bias_of_4)};
  static const struct tensor_row hostile[] = {
      VECTOR("\\u001b[2J\\u001b[31m\\u009b5n\\u202e\\u0007.ln_f.weight", 4,
             gain_of_4),
      VECTOR("\\u001b[2J\\u001b[31m\\u009b5n\\u202e\\u0007.ln_f.bias", 4,
             bias_of_4)};
  PUT_MODEL("matrix.safetensors", matrix);
  PUT_MODEL("unequal.safetensors", unequal);
  PUT_MODEL("alien.safetensors", alien);
  PUT_MODEL("two.safetensors", two);
  PUT_MODEL("hostile.safetensors", hostile);
  put_gpt2("narrow", "", "{\"model_type\": \"gpt2\", \"n_embd\": 5}");
  put_gpt2("torn", "", "{\"model_type\": \"llama\"}");
  put("text.safetensors", "no tensors at all");
}

SUPPORT void put_all_models(void) {
  put_styles();
  put_gains();
  put_odd();
}

#endif
