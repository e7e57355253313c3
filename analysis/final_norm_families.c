/* What families of models do: tables written from the modelling code of the
 * transformers library, timm and the authors' own repositories, and from the
 * conversion code of llama.cpp, which adds the 1 to weights that lack it. */
#include "analysis/final_norm_parts.h"

/* ---- norms that stand after all layers ---- */

static const struct family_closer closers[] = {
    {"ln_f", "GPT-2, GPT-J, BLOOM and Falcon", NULL, true, false},
    {"lnf", "minGPT", NULL, true, false},
    {"norm_f", "MPT and Mamba", NULL, true, false},
    {"final_layer_norm", "GPT-NeoX, OPT, CLIP and T5", NULL, true, false},
    {"final_layernorm", "Phi, Persimmon and Jamba", NULL, true, false},
    {"final_norm", "ModernBERT and RecurrentGemma", NULL, true, false},
    {"norm", "Llama, Gemma and the ViT of timm", NULL, false, true},
    {"fc_norm", "the ViT of timm", NULL, false, false},
    {"layernorm", "the ViT and DINOv2 of transformers", NULL, false, false},
    {"layer_norm", "Whisper and mBART", NULL, false, false},
    {"LayerNorm", "RoBERTa-PreLayerNorm", NULL, false, false},
    {"ln", "MegatronBERT and torchvision", NULL, false, false},
    {"ln_post", "Whisper and CLIP of OpenAI", NULL, true, false},
    {"ln_final", "CLIP of OpenAI", NULL, true, false},
    {"ln_out", "RWKV", NULL, true, false},
    {"post_layernorm", "CLIP and SigLIP", NULL, true, false},
    {"layernorm_post", "the vision tower of Mllama", NULL, true, false},
    {"decoder_norm", "the masked autoencoder", NULL, true, false},
    {"emb_layer_norm_after", "ESM", NULL, true, false},
    /* named for what the head shares; elsewhere it is before the layers */
    {"embedding_norm", "LFM2", "operator_norm", false, false},
};

const struct family_closer *family_closer(struct span component) {
  for (size_t i = 0; i < sizeof closers / sizeof *closers; i++)
    if (span_is(component, closers[i].name)) return &closers[i];
  return NULL;
}

/* ---- norms at the end of each layer ---- */

/* Only names that are unmistakable: GPT-2's ln_2 and OPT's final_layer_norm
 * end layers of models of either order, so that those need a configuration. */
const struct family_post family_posts[] = {
    /* MobileBERT has the names of BERT, mostly for what is no norm */
    {"output.LayerNorm", NULL, "bottleneck", "BERT"},
    {"output_layer_norm", "sa_layer_norm", NULL, "DistilBERT"},
    {"ff.layer_norm", "rel_attn", NULL, "XLNet"},
    {"albert_layers.0.full_layer_layer_norm", NULL, NULL, "ALBERT"},
    {0},
};

/* ---- parts that the head does not read ---- */

static const struct family_side sides[] = {
    {"vision_tower", "vision tower", "vision_config"},
    {"vision_model", "vision tower", "vision_config"},
    {"vision_encoder", "vision tower", "vision_config"},
    {"vision_backbone", "vision tower", "vision_config"},
    {"vision_embed_tokens", "vision tower", "vision_config"},
    {"visual", "vision tower", "vision_config"},
    {"vision", "vision tower", "vision_config"},
    {"vpm", "vision tower", "vision_config"},
    {"img_processor", "vision tower", "vision_config"},
    {"image_encoder", "vision tower", "vision_config"},
    {"audio_tower", "audio tower", "audio_config"},
    {"audio_encoder", "audio tower", "audio_config"},
    {"audio_model", "audio tower", "audio_config"},
    {"speech_encoder", "audio tower", "audio_config"},
    {"qformer", "query transformer", "qformer_config"},
    {"resampler", "resampler", NULL},
    {"perceiver_resampler", "resampler", NULL},
    {"mtp", "multi-token prediction", NULL},
};

const struct family_side *family_side(struct span path) {
  struct span part;
  for (size_t at = 0; span_component(path, &at, &part);)
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
      if (span_is(part, sides[i].component)) return &sides[i];
  return NULL;
}

/* ---- names that occur with one kind only ---- */

/* StableLM, Orion and Phi-3.5-MoE give the names of Llama to LayerNorms, which
 * have a bias; Cohere's has none, but neither has it post_attention_layernorm.
 * So each pattern holds only where no norm of the layer has a bias. */
const struct family_pattern family_patterns[] = {
    {"Gemma 2 and 3",
     "pre_feedforward_layernorm and post_feedforward_layernorm",
     "norm",
     {"pre_feedforward_layernorm", "post_feedforward_layernorm"},
     {"altup", "laurel", "layer_scalar", "per_layer_projection"},
     true,
     false},
    {"Gemma 3n and 4",
     "pre_feedforward_layernorm and post_feedforward_layernorm, with altup, "
     "laurel or layer_scalar",
     "norm",
     {"pre_feedforward_layernorm", "post_feedforward_layernorm"},
     {0},
     false,
     false},
    {"Qwen3-Next",
     "post_attention_layernorm beside linear_attn.in_proj_qkvz",
     "norm",
     {"input_layernorm", "post_attention_layernorm", "in_proj_qkvz"},
     {0},
     true,
     false},
    {"Qwen3.5",
     "post_attention_layernorm beside linear_attn.in_proj_qkv",
     "norm",
     {"input_layernorm", "post_attention_layernorm", "in_proj_qkv"},
     {0},
     true,
     false},
    {"Llama, Mistral, Qwen and Gemma",
     "input_layernorm, post_attention_layernorm and a gated MLP",
     "norm",
     {"input_layernorm", "post_attention_layernorm", "gate_proj"},
     {0},
     false,
     true},
    {"Phi-3 and GLM",
     "input_layernorm, post_attention_layernorm and gate_up_proj",
     "norm",
     {"input_layernorm", "post_attention_layernorm", "gate_up_proj"},
     {0},
     false,
     false},
    {"Mixtral",
     "input_layernorm, post_attention_layernorm and block_sparse_moe",
     "norm",
     {"input_layernorm", "post_attention_layernorm", "block_sparse_moe"},
     {0},
     false,
     true},
    {"OLMo 2 and EXAONE 4",
     "post_attention_layernorm and post_feedforward_layernorm",
     "norm",
     {"post_attention_layernorm", "post_feedforward_layernorm", "gate_proj"},
     {0},
     false,
     false},
    {"Llama of Meta and InternLM2",
     "attention_norm, ffn_norm and feed_forward.w1",
     "norm",
     {"attention_norm", "ffn_norm", "feed_forward", "w1"},
     {0},
     false,
     false},
    {"LFM2",
     "operator_norm and ffn_norm",
     "embedding_norm",
     {"operator_norm", "ffn_norm"},
     {0},
     false,
     false},
    {"RecurrentGemma",
     "temporal_pre_norm and channel_pre_norm",
     "final_norm",
     {"temporal_pre_norm", "channel_pre_norm"},
     {0},
     true,
     false},
    {"T5",
     "layer_norm beside DenseReluDense",
     "final_layer_norm",
     {"layer_norm", "DenseReluDense"},
     {0},
     false,
     false},
    {"Mamba",
     "norm beside mixer.A_log",
     "norm_f",
     {"norm", "A_log"},
     {0},
     false,
     false},
    {0},
};
