// GPT-NeoX Japanese (ABEJA 2022): GPT-NeoX's layers in turn and without biases, but one behind the last attention
// (transformers, modeling_gpt_neox_japanese.py).
#include "core/base/checked.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/rope_fields.hpp"

namespace headcount {
namespace gpt_neox_japanese {

constexpr std::array<Module, 17> modules{{
    {0, "", ModuleKind::container, {}, "GPTNeoXJapaneseForCausalLM"},
    {1, "gpt_neox_japanese", ModuleKind::container, {}, "GPTNeoXJapaneseModel"},
    {2, "embed_in", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "GPTNeoXJapaneseLayer"},
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "attention", ModuleKind::container, {}, "GPTNeoXJapaneseAttention"},
    fused({5, "query_key_value", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}}, Fusing::by_group),
    {5, "dense", ModuleKind::linear, Part::attention_output, {}},
    {4, "mlp", ModuleKind::container, {}, "GPTNeoXJapaneseMLP"},
    {5, "dense_h_to_4h", ModuleKind::linear, Part::up, {}},
    {5, "dense_4h_to_h", ModuleKind::linear, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {2, "final_layer_norm", ModuleKind::norm, Part::final_norm, {}},
    {2, "rotary_emb", ModuleKind::rotary, {}, "GPTNeoXJapaneseRotaryEmbedding"},
    {1, "embed_out", ModuleKind::linear, Part::output_head, {}},
}};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"hidden_size"}, 2560);
    arch.layers = reader.number({"num_hidden_layers"}, 32);
    Attention& attention = arch.layer.attention;
    attention.heads = reader.number({"num_attention_heads"}, 32);
    attention.rotary_dim = reader.rotary_dim(1, arch.dim / attention.heads);
    arch.vocab = reader.number({"vocab_size"}, 32000);
    arch.context = reader.number({"max_position_embeddings"}, 2048);
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.norm = layer_norm(reader.real({"layer_norm_eps"}, 1e-5));
    const std::int64_t times = reader.number({"intermediate_multiple_size"}, 4);
    const std::optional<std::int64_t> width = checked_multiply(times, arch.dim);
    if (!width) reader.reject("intermediate_multiple_size", "the feed-forward's width does not fit", "give less");
    arch.layer.feed_forward = {
        .gated = false, .activation = read_activation(reader, {"hidden_act"}, "gelu"), .width = width.value_or(1)};
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config{
        {"architectures", {"GPTNeoXJapaneseForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"intermediate_multiple_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0) / arch.dim},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", arch.layer.attention.heads},
        {"hidden_act", activation_name(arch.layer.feed_forward.activation)},
        {"max_position_embeddings", arch.context},
        {"layer_norm_eps", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
    write_rotary_part(config, arch, "rotary_pct");
    return config;
}

std::vector<Extra> besides(const Architecture& arch) {
    const LayerSet last = layers_where(arch.layers, [&](std::int64_t layer) { return layer + 1 == arch.layers; });
    return Besides(arch).in_layers(Extra::Place::attention, last).add("attention.dense_bias", {Symbol::dim}).take();
}

constexpr ComputationType computing{.rope_base_field = "rotary_emb_base", .refused = "biases of the last layer alone"};

}  // namespace gpt_neox_japanese

constexpr Family gpt_neox_japanese_family =
    gpt_like<gpt_neox_japanese_family, gpt_neox_japanese::read, gpt_neox_japanese::write, gpt_neox_japanese::computing>(
        "gpt_neox_japanese", "GPT-NeoX Japanese", gpt_neox_japanese::modules, {.besides = gpt_neox_japanese::besides});

}  // namespace headcount
