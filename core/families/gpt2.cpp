// GPT-2: learned positions, LayerNorm, biases everywhere, one fused Q/K/V matrix stored [in, out]
// (transformers, modeling_gpt2.py and configuration_gpt2.py).
#include <array>

#include "core/base/checked.hpp"
#include "core/families/activations.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace {

// The rate is no part of an architecture: this is the type's default for all four.
constexpr std::string_view dropout = "Dropout(p=0.1, inplace=False)";

constexpr std::array<Module, 25> modules{{
    {0, "", ModuleKind::container, {}, "GPT2LMHeadModel"},
    {1, "transformer", ModuleKind::container, {}, "GPT2Model"},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "wpe", ModuleKind::embedding, Part::position_embedding, {}},
    {2, "drop", ModuleKind::dropout, {}, dropout},
    {2, "h", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "GPT2Block"},
    {4, "ln_1", ModuleKind::norm, Part::attention_norm, {}},
    {4, "attn", ModuleKind::container, {}, "GPT2Attention"},
    {5, "c_attn", ModuleKind::conv1d, {Part::query, Part::key, Part::value}, {}},
    {5, "c_proj", ModuleKind::conv1d, Part::attention_output, {}},
    {5, "attn_dropout", ModuleKind::dropout, {}, dropout},
    {5, "resid_dropout", ModuleKind::dropout, {}, dropout},
    // With the norms behind the sub-blocks they keep their names; the other names below no published GPT-2 has.
    {4, "ln_1", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "mlp", ModuleKind::container, {}, "GPT2MLP"},
    {5, "c_gate", ModuleKind::conv1d, Part::gate, {}},
    {5, "c_fc", ModuleKind::conv1d, Part::up, {}},
    {5, "c_proj", ModuleKind::conv1d, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {5, "dropout", ModuleKind::dropout, {}, dropout},
    {4, "ln_2", ModuleKind::norm, Part::feed_forward_output_norm, {}},
    {2, "ln_f", ModuleKind::norm, Part::final_norm, {}},
    {2, "rotary_emb", ModuleKind::rotary, {}, "GPT2RotaryEmbedding"},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &gpt2_family();
    arch.dim = reader.number({"n_embd", "hidden_size"}, 768);
    arch.layers = reader.number({"n_layer", "num_hidden_layers"}, 12);
    arch.vocab = reader.number({"vocab_size"}, 50257);
    arch.context = reader.number({"n_positions", "max_position_embeddings"}, 1024);
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.positions = Positions::learned;
    arch.norm = {.kind = NormKind::layer, .bias = true, .epsilon = reader.real({"layer_norm_epsilon"}, 1e-5)};
    arch.layer.attention = {.heads = reader.number({"n_head", "num_attention_heads"}, 12),
                            .kv_heads = {},
                            .head_dim = {},
                            .qkv_bias = true,
                            .output_bias = true};
    std::optional<std::int64_t> inner = reader.optional_number({"n_inner"});
    std::optional<std::int64_t> four_times = checked_multiply(4, arch.dim);
    if (!inner && !four_times)
        reader.reject("n_embd", "four times the width does not fit in 64 bits", "give a smaller width");
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"activation_function"}, "gelu_new"),
                               .width = inner.value_or(four_times.value_or(1)),
                               .bias = true};
    if (reader.flag({"add_cross_attention"}, false))
        reader.reject("add_cross_attention", "cross-attention is not part of a decoder-only model", "set it to false");
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    return {
        {"architectures", {"GPT2LMHeadModel"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"n_positions", arch.context},
        {"n_embd", arch.dim},
        {"n_layer", arch.layers},
        {"n_head", arch.layer.attention.heads},
        {"n_inner", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"activation_function", activation_name(arch.layer.feed_forward.activation)},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

constexpr Family family{"gpt2", "GPT-2", "", "transformer", modules, read, write};

}  // namespace

const Family& gpt2_family() {
    return family;
}

}  // namespace headcount
