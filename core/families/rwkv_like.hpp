// What RWKV's types share: the words of their files, and the modules of those that Hugging Face's code names.
#pragma once

#include "core/families/plain_type.hpp"

namespace headcount::rwkv {

// All up to what a layer has in the place of attention.
template <FixedText name>
inline constexpr std::array first_modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, joined_name<name, "ForCausalLM">},
    {1, "rwkv", ModuleKind::container, {}, joined_name<name, "Model">},
    {2, "embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "blocks.0.pre_ln", ModuleKind::norm, Part::embedding_norm, {}},
    {2, "blocks", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, joined_name<name, "Block">},
    {4, "ln1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "ln2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "attention", ModuleKind::container, {}, joined_name<name, "SelfAttention">},
});

// All behind that. What a row and the one before it are blended by has names of its own.
template <FixedText name>
constexpr std::array<Module, 8> last_modules(std::string_view up_blend, std::string_view pass_blend) {
    return {{
        {4, "feed_forward", ModuleKind::container, {}, joined_name<name, "FeedForward">},
        {5, up_blend, ModuleKind::bare_rows, Part::up_blend, {}},
        {5, pass_blend, ModuleKind::bare_rows, Part::pass_blend, {}},
        {5, "key", ModuleKind::linear, Part::up, {}},
        {5, "receptance", ModuleKind::linear, Part::pass, {}},
        {5, "value", ModuleKind::linear, Part::down, {}},
        {2, "ln_out", ModuleKind::norm, Part::final_norm, {}},
        {1, "head", ModuleKind::linear, Part::output_head, {}},
    }};
}

// The first of them, RWKV-4.
inline constexpr PlainType first_type{.called = {"rwkv", "RWKV"},
                                      .words = {.heads = {},
                                                .context = {"context_length", "max_position_embeddings"},
                                                .activation = {},
                                                .epsilon = "layer_norm_epsilon"},
                                      .usual = {.dim = 4096, .layers = 32, .vocab = 50277, .context = 1024},
                                      .activation = "relu2",
                                      .tied = false,
                                      .biases = false,
                                      .embedding_norm = true,
                                      .positions = Positions::none};

}  // namespace headcount::rwkv
