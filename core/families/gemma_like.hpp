// What the families called Gemma share: their tree, whose embedding scales what it looks up.
#pragma once

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

}  // namespace headcount
