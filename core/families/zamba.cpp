// Zamba (Zyphra 2024): a recurrence in every layer whose channels come in heads, and before some a transformer's layer
// that all of those share, which reads the stream beside the embedded tokens. Both are counted, and not computed
// (transformers, modeling_zamba.py).
#include <algorithm>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/layer_lists.hpp"

namespace headcount {
namespace zamba {

constexpr std::array<Module, 7> modules{{
    {0, "", ModuleKind::container, {}, "ZambaForCausalLM"},
    {1, "model", ModuleKind::container, {}, "ZambaModel"},
    {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "ZambaMambaDecoderLayer"},
    {2, "final_layernorm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

// The layers with what is shared where a file lists none: the third, and every sixth from the eighth on.
LayerSet hybrid_layers(const Architecture& arch) {
    const auto usual = [](std::int64_t layer) { return layer == 2 || (layer >= 3 && (layer - 3) % 6 == 4); };
    return layers_called(arch, "layers_block_type", "hybrid",
                         layers_called(arch, "layer_types", "hybrid", layers_where(arch.layers, usual)));
}

constexpr std::array numbers = std::to_array<std::string_view>(
    {"attention_head_dim", "attention_hidden_size", "mamba_d_conv", "mamba_d_state", "mamba_expand", "n_mamba_heads"});

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    arch.dim = reader.number({"hidden_size"}, 3712);
    arch.layers = reader.number({"num_hidden_layers"}, 76);
    arch.vocab = reader.number({"vocab_size"}, 32000);
    arch.context = reader.number({"max_position_embeddings"}, 4096);
    arch.positions = Positions::none;
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.norm.epsilon = reader.real({"rms_norm_eps"}, 1e-5);
    Layer& layer = arch.layer;
    layer.attention.heads = reader.number({"num_attention_heads"}, 16);
    layer.attention.kv_heads = reader.optional_number({"num_key_value_heads"});
    layer.feed_forward.width = reader.number({"intermediate_size"}, 14848);
    layer.feed_forward.activation = read_activation(reader, {"hidden_act"}, "gelu");
    layer.mixer_layers = layer.feed_forward_layers = LayerSet::none();
    carry_numbers(reader, numbers);
    carry_flag(reader, "mamba_conv_bias", true);
    carry_flag(reader, "mamba_proj_bias", false);
    if (const nlohmann::json* rank = said(config, "mamba_dt_rank"); rank && !rank->is_string())
        carry_number(reader, "mamba_dt_rank", 1);
    if (arch.layers > LayerSet::longest)
        reader.reject("num_hidden_layers", "so many layers of this type cannot be told apart", "give fewer");
}

nlohmann::ordered_json write(const Architecture& arch) {
    return {
        {"architectures", {"ZambaForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", arch.layer.attention.heads},
        {"num_key_value_heads", kv_heads(arch)},
        {"intermediate_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"hidden_act", activation_name(arch.layer.feed_forward.activation)},
        {"max_position_embeddings", arch.context},
        {"rms_norm_eps", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

// Of a layer with what is shared the recurrence and its norm stand one module deeper.
void add_mixer(Besides& besides, const Architecture& arch, const std::string& below, const LayerSet& layers) {
    using Place = Extra::Place;
    const std::int64_t heads = std::max<std::int64_t>(1, besides.number("n_mamba_heads", 2));
    const std::int64_t state = besides.number("mamba_d_state", 16), kernel = besides.number("mamba_d_conv", 4);
    const std::int64_t rank = besides.number("mamba_dt_rank", (arch.dim + 15) / 16);
    const Expr channels = Expr(besides.number("mamba_expand", 2)) * Symbol::dim, each = channels / heads;
    const bool bias = besides.flag("mamba_proj_bias", false);
    const std::string mixer = below + "mamba.";
    besides.in_layers(Place::attention, layers)
        .linear(mixer + "in_proj", Expr(2) * channels, Symbol::dim, bias)
        .add(mixer + "conv1d.weight", {channels, 1, kernel});
    if (besides.flag("mamba_conv_bias", true)) besides.add(mixer + "conv1d.bias", {channels});
    besides.add(mixer + "x_proj_weight", {heads, rank + 2 * state, each})
        .add(mixer + "dt_proj_weight", {heads, each, rank})
        .add(mixer + "dt_proj_bias", {heads, each})
        .add(mixer + "A_log", {heads, each, state})
        .add(mixer + "D", {heads, each})
        .linear(mixer + "out_proj", Symbol::dim, channels, bias);
    besides.in_layers(Place::norm, layers).norm(below + "input_layernorm", Symbol::dim);
}

// What the layers share is stored with the first of them.
std::vector<Extra> besides(const Architecture& arch) {
    using Place = Extra::Place;
    Besides besides(arch);
    const LayerSet hybrid = hybrid_layers(arch);
    const LayerSet plain = layers_where(arch.layers, [&](std::int64_t layer) { return !hybrid.contains(layer); });
    const std::int64_t uses = hybrid.count(arch.layers);
    if (uses < arch.layers) add_mixer(besides, arch, "", plain);
    if (uses == 0) return besides.take();
    add_mixer(besides, arch, "mamba_decoder.", hybrid);
    besides.in_layers(Place::feed_forward, hybrid).linear("linear", Symbol::dim, Symbol::dim);
    std::int64_t first = 0;
    while (!hybrid.contains(first)) ++first;
    const LayerSet here = layers_where(arch.layers, [&](std::int64_t layer) { return layer == first; });
    const std::int64_t rule = 2 * arch.dim, given = besides.number("attention_hidden_size", rule);
    const std::int64_t head =
        besides.number("attention_head_dim", rule / std::max<std::int64_t>(1, arch.layer.attention.heads));
    const Expr both = given == rule ? Expr(2) * Symbol::dim : Expr(given), queries = Expr(Symbol::heads) * head;
    const Expr keys = Expr(Symbol::kv_heads) * head;
    return besides.in_layers(Place::attention, here)
        .linear("shared_transf.self_attn.q_proj", queries, both)
        .linear("shared_transf.self_attn.k_proj", keys, both)
        .linear("shared_transf.self_attn.v_proj", keys, both)
        .linear("shared_transf.self_attn.o_proj", Symbol::dim, queries)
        .norm("shared_transf.input_layernorm", both)
        .in_layers(Place::feed_forward, here)
        .linear("shared_transf.feed_forward.gate_proj", Symbol::ffn_dim, Symbol::dim)
        .linear("shared_transf.feed_forward.up_proj", Symbol::ffn_dim, Symbol::dim)
        .linear("shared_transf.feed_forward.down_proj", Symbol::dim, Symbol::ffn_dim)
        .norm("shared_transf.pre_ff_layernorm", Symbol::dim)
        .take();
}

constexpr ComputationType computing{.refused = "this type's recurrence in heads"};
constexpr std::array ignored = std::to_array<std::string_view>(
    {"attention_head_dim", "attention_hidden_size", "attn_layer_offset", "attn_layer_period",    "hidden_mamba_act",
     "layer_types",        "layers_block_type",     "mamba_conv_bias",   "mamba_d_conv",         "mamba_d_state",
     "mamba_dt_rank",      "mamba_expand",          "mamba_proj_bias",   "n_mamba_heads",        "num_logits_to_keep",
     "time_step_floor",    "time_step_max",         "time_step_min",     "use_associative_scan", "use_mamba_kernels"});

}  // namespace zamba

constexpr Family zamba_family = gpt_like<zamba_family, zamba::read, zamba::write, zamba::computing>(
    "zamba", "Zamba", zamba::modules, {.besides = zamba::besides, .ignored = zamba::ignored});

}  // namespace headcount
