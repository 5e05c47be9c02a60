// What the families called Gemma share: their tree, whose embedding scales what it looks up.
#pragma once

#include "core/families/computing.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

template <FixedText name>
constexpr auto gemma_modules(std::string_view model, const std::array<Module, 4>& norms) {
    constexpr DecoderClasses names = classes_of<name>;
    return join(model_modules(names.causal_lm, model, names.layer, joined_name<name, "TextScaledWordEmbedding">),
                attention_modules(names.attention), gated_modules(names.feed_forward, "GELUTanh()"), norms,
                output_modules(names.rotary));
}

// A field that would turn the model into an encoder.
inline constexpr std::string_view gemma_encoder_field = "use_bidirectional_attention";

// Gemma 2's type, and Gemma 3's but for what is given.
constexpr LlamaType gemma2_type(std::string_view class_name, std::int64_t vocab, std::int64_t context, QkNorm qk_norm,
                                const WindowFields& window) {
    return {.class_name = class_name,
            .dim = 2304,
            .ffn_dim = 9216,
            .layers = 26,
            .heads = 8,
            .kv_heads = 4,
            .head_dim = 256,
            .vocab = vocab,
            .context = context,
            .tied = true,
            .activation = "gelu_pytorch_tanh",
            .activation_field = "hidden_activation",
            .qk_norm = qk_norm,
            .norm = {.placement = NormPlacement::both},
            .window = window,
            .encoder_field = gemma_encoder_field};
}

// What Gemma 2 computes: Gemma's embedding and norms, scores scaled by a number of its own, both capped.
constexpr ComputationType gemma2_computation(double rope_base, double score_cap, double logit_cap) {
    return {.rope_base = rope_base,
            .root_embedding_scale = true,
            .norm_offset = 1,
            .score_scalar = "query_pre_attn_scalar",
            .score_scalar_otherwise = 256,
            .score_cap = score_cap,
            .logit_cap = logit_cap};
}

}  // namespace headcount
