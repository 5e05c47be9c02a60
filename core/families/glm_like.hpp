// What GLM-4 9B and its successor share.
#pragma once

#include "core/families/llama_like.hpp"

namespace headcount {

constexpr LlamaType glm_type(std::string_view class_name, NormPlacement placement) {
    return {.class_name = class_name,
            .ffn_dim = 13696,
            .layers = 40,
            .kv_heads = 2,
            .head_dim = 128,
            .vocab = 151552,
            .context = 131072,
            .qkv_bias = true,
            .rotary = 0.5,
            .qkv_bias_is_output_bias = false,
            .norm = {.placement = placement, .epsilon = 1.5625e-7}};
}

template <std::size_t N>
constexpr auto glm_modules(const DecoderClasses& classes, const std::array<Module, N>& norms) {
    return join(model_modules(classes.causal_lm, classes.model, classes.layer), attention_modules(classes.attention),
                fused_gate_modules(classes.feed_forward), norms, output_modules(classes.rotary));
}

}  // namespace headcount
