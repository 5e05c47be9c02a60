// The text parts of Muse Glimmer and Muse Spark (Meta 2026): a gate on what heads found, norms of what is embedded and
// of queries and keys without weights, positions in three of four layers, counted from the last (transformers,
// modeling_muse_glimmer.py, modeling_muse_spark.py). Spark's experts are narrower than the model, and gates weigh what
// is added against the residual stream.
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace muse {

template <FixedText name>
constexpr auto modules_of() {
    constexpr DecoderClasses classes = classes_of<name>;
    constexpr auto gate = std::to_array<Module>({{5, "gate_proj", ModuleKind::linear, Part::attention_gate, {}}});
    return decoder_modules(classes, attention_modules(classes.attention), gate, gated_modules(classes.feed_forward),
                           sandwich_norm_modules);
}

constexpr std::string_view bases = "layer_rope_theta";  // of each layer's positions; 0: it has none
constexpr WindowFields window{.size = 2048};

void read(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.output_gate = true;
    attention.gate_bias = false;
    constexpr std::int64_t step = 4;
    const LayerSet rule =
        arch.layers > LayerSet::longest
            ? all_but_every(step)
            : layers_where(arch.layers, [&](std::int64_t layer) { return (arch.layers - 1 - layer) % step != 0; });
    read_window(reader, arch, window, rule);
    attention.rotated = rule;
    const nlohmann::json* const list = said(reader.config(), bases);
    if (!list) return;
    const auto is_number = [](const nlohmann::json& value) { return value.is_number(); };
    if (!list->is_array() || static_cast<std::int64_t>(list->size()) < arch.layers || arch.layers > LayerSet::longest ||
        !std::ranges::all_of(*list, is_number))
        return reader.reject(bases, "is no list of a number for each layer", "give a number for each, 0 for none");
    attention.rotated =
        layers_where(arch.layers, [&](std::int64_t layer) { return (*list)[static_cast<std::size_t>(layer)] != 0; });
}

void write(nlohmann::ordered_json& config, const Architecture& arch) { write_window(config, arch, window); }

constexpr std::string_view ignored = "output_multiplier post_norm_eps qk_scale_factor";
constexpr std::array glimmer_modules = modules_of<"MuseGlimmerText">();
constexpr LlamaType glimmer{
    .called = {"muse_glimmer_text", "Muse Glimmer, text", classes_of<"MuseGlimmerText">, glimmer_modules},
    .norm_class = "MuseGlimmerTextCenteredRMSNorm",
    .usual = {.dim = 6656, .ffn_dim = 19968, .layers = 52, .vocab = 202048, .context = 131072},
    .kv_heads = 2,
    .head_dim = 128,
    .activation_field = "hidden_activation",
    .qk_norm = QkNorm::plain,
    .norm = {.placement = NormPlacement::both, .epsilon = 1e-5},
    .computing = {.refused = "embedded rows that are normed"},
    .ignored = ignored,
    .own = {read, write}};

// Spark: of its layers without experts the dense feed-forward is shown, and the rest is counted alone.
constexpr std::string_view kinds = "mlp_layer_types";

void read_spark(ConfigReader& reader, Architecture& arch) {
    read(reader, arch);
    arch.layer.feed_forward_layers =
        reader.layers_with({kinds}, "dense", arch.layers, "sparse").value_or(LayerSet::none());
    reader.carry(kinds);
}

void write_spark(nlohmann::ordered_json& config, const Architecture& arch) {
    write(config, arch);
    config[std::string(kinds)] = worded(arch.layer.feed_forward_layers, arch.layers, "dense", "sparse");
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t experts = more.number("num_local_experts", 256), width = more.number("moe_hidden_size", 4096);
    const std::int64_t inner = more.number("moe_intermediate_size", 4096);
    const Expr dim = Symbol::dim;
    more.in_layers(Component::norm)
        .norm("post_feedforward_layernorm", dim)
        .add("post_attention_residual_gate.gate", {dim})
        .add("post_feedforward_residual_gate.gate", {dim});
    const LayerSet sparse = without({}, arch.layer.feed_forward_layers, arch.layers);
    if (sparse.count(arch.layers) == 0) return more.take();
    return more.in_layers(Component::norm, sparse)
        .norm("pre_feedforward_layernorm", dim)
        .in_layers(Component::feed_forward, sparse)
        .linear("mlp.gate", experts, dim)
        .buffer("mlp.gate.e_score_correction_bias", {experts})
        .linear("mlp.pre_expert_proj", width, dim)
        .norm("mlp.pre_expert_norm", width)
        .add("mlp.experts.gate_up_proj", {experts, Expr(2) * inner, width})
        .add("mlp.experts.down_proj", {experts, width, inner})
        .norm("mlp.experts.post_expert_norm", width)
        .linear("mlp.post_expert_proj", dim, width)
        .take();
}

constexpr std::string_view numbers = "moe_hidden_size moe_intermediate_size num_local_experts";
constexpr std::string_view ignored_by_spark =
    "mlp_layer_types num_experts_per_tok output_multiplier post_norm_eps qk_scale_factor "
    "residual_gate_temperature";
constexpr std::array spark_modules = modules_of<"MuseSparkText">();
constexpr LlamaType spark =
    changed(called(glimmer, "muse_spark_text", "Muse Spark, text", classes_of<"MuseSparkText">, spark_modules),
            [](LlamaType& other) {
                other.norm_class = "MuseSparkTextCenteredRMSNorm";
                other.usual.dim = 8192;
                other.usual.ffn_dim = 16384;
                other.usual.layers = 62;
                other.usual.heads = 128;
                other.usual.context = 1048576;
                other.kv_heads = 16;
                other.head_dim = 64;
                other.activation_field = "hidden_act";
                other.norm.placement = NormPlacement::before;
                other.computing.refused = "gates that weigh what is added against the residual stream";
                other.numbers = numbers;
                other.ignored = ignored_by_spark;
                other.besides = besides;
                other.own = {read_spark, write_spark};
            });

}  // namespace muse

constexpr Family muse_glimmer_text_family = llama_like<muse::glimmer>();
constexpr Family muse_spark_text_family = llama_like<muse::spark>();

}  // namespace headcount
