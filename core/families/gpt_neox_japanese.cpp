// GPT-NeoX Japanese (ABEJA 2022): GPT-NeoX's layers in turn and without biases, but one behind the last attention
// (transformers, modeling_gpt_neox_japanese.py).
#include "core/base/checked.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/plain_type.hpp"
#include "core/families/rope_fields.hpp"

namespace headcount {
namespace gpt_neox_japanese {

constexpr auto modules = std::to_array<Module>({
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
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    set_biases(arch.layer, false);
    arch.layer.attention.rotary_dim = reader.rotary_dim(1, arch.dim / arch.layer.attention.heads);
    const std::int64_t times = reader.number({"intermediate_multiple_size"}, 4);
    const std::optional<std::int64_t> width = checked_multiply(times, arch.dim);
    if (!width) reader.reject("intermediate_multiple_size", "the feed-forward's width does not fit", "give less");
    arch.layer.feed_forward.width = width.value_or(1);
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["intermediate_multiple_size"] = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0) / arch.dim;
    write_rotary_part(config, arch, "rotary_pct");
}

std::vector<Extra> besides(const Architecture& arch) {
    const LayerSet last = layers_where(arch.layers, [&](std::int64_t layer) { return layer + 1 == arch.layers; });
    return Besides(arch).in_layers(Component::attention, last).add("attention.dense_bias", {Symbol::dim}).take();
}

constexpr ComputationType computing{.rope_base_field = "rotary_emb_base", .refused = "biases of the last layer alone"};

constexpr PlainType type{.called = {"gpt_neox_japanese", "GPT-NeoX Japanese", modules},
                         .words = {.width = {}},
                         .usual = {.dim = 2560, .layers = 32, .heads = 32, .vocab = 32000, .context = 2048},
                         .activation = "gelu",
                         .computing = computing,
                         .own = {read_rest, write_rest},
                         .rest = {.besides = besides}};

}  // namespace gpt_neox_japanese

constexpr Family gpt_neox_japanese_family = plain_family<gpt_neox_japanese::type>();

}  // namespace headcount
