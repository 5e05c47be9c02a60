// Granite 3 and 4, dense and with experts, and HyperCLOVA X, which is built on it (transformers, modeling_granite.py,
// modeling_granitemoe.py, modeling_granitemoeshared.py, modeling_granite_swa.py, modeling_granitemoe_swa.py,
// modeling_granite_docling.py, modeling_hyperclovax.py).
#include "core/families/granite.hpp"

#include <algorithm>
#include <set>

#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

// Granite 3: multipliers that change no shape.
constexpr LlamaType granite{.called = {"granite", "Granite", classes_of<"Granite">},
                            .mlp_bias_field = "mlp_bias",
                            .computing = {.granite = true}};
constexpr Family granite_family = llama_like<granite>();

// The text part of Granite Docling: multiplied where Granite is silent, too.
namespace granite_docling {

constexpr DecoderClasses classes = classes_of<"GraniteDoclingText">;
constexpr std::array modules = llama_modules(classes);
constexpr LlamaType type =
    changed(called(granite, "granite_docling_text", "Granite Docling, text", classes, modules), [](LlamaType& other) {
        other.usual = {.dim = 1024, .ffn_dim = 2048, .layers = 28, .heads = 16, .vocab = 133800, .context = 32768};
        other.kv_heads = 4;
        other.tied = true;
        other.norm.epsilon = 1e-5;
        other.padding = 100256;
        other.computing.granite = false;
        other.computing.rest = [](ComputationReader& reader, Computation& computation) {
            computation.score_scale = reader.positive("attention_multiplier", 0.015625);
            computation.embedding_scale = reader.positive("embedding_multiplier", 12);
            computation.residual_scale = reader.positive("residual_multiplier", 0.263);
            computation.logit_scale = 1 / reader.positive("logits_scaling", 4);
        };
    });

}  // namespace granite_docling

constexpr Family granite_docling_text_family = llama_like<granite_docling::type>();

// HyperCLOVA X: Granite with norms on both sides; its logits are multiplied where Granite's are divided.
namespace hyperclovax {

constexpr DecoderClasses classes = classes_of<"HyperCLOVAX">;
constexpr auto norms = std::to_array<Module>({
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_norm1", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "post_norm2", ModuleKind::norm, Part::feed_forward_output_norm, {}},
});
constexpr std::array modules =
    decoder_modules(classes, attention_modules(classes.attention), gated_modules(classes.feed_forward), norms);

constexpr LlamaType type{.called = {"hyperclovax", "HyperCLOVA X", classes, modules},
                         .mlp_bias_field = "mlp_bias",
                         .computing = {.rest =
                                           [](ComputationReader& reader, Computation& computation) {
                                               computation.embedding_scale = reader.positive("embedding_multiplier", 1);
                                               computation.residual_scale = reader.positive("residual_multiplier", 1);
                                               computation.logit_scale = reader.positive("logits_scaling", 1);
                                               computation.score_scale =
                                                   reader.positive("attention_multiplier", computation.score_scale);
                                           }},
                         .own = {[](ConfigReader& reader, Architecture& arch) {
                                     if (reader.flag({"use_post_norm"}, true))
                                         arch.norm.placement = NormPlacement::both;
                                 },
                                 [](nlohmann::ordered_json& config, const Architecture& arch) {
                                     config["use_post_norm"] = arch.norm.placement == NormPlacement::both;
                                 }}};

}  // namespace hyperclovax

constexpr Family hyperclovax_family = llama_like<hyperclovax::type>();

// Granite's mixtures: experts stacked as linear layers store them.
namespace granitemoe {

constexpr MixtureType experts{.experts_field = {"num_local_experts", "num_experts"}, .width_field = {}};

constexpr DecoderClasses classes = classes_of<"GraniteMoe">;
constexpr std::array modules = decoder_modules(classes, attention_modules(classes.attention), norm_modules,
                                               mixture_modules("block_sparse_moe", "GraniteMoeMoE"),
                                               granite_expert_modules("GraniteMoeTopKRouter"));

constexpr LlamaType type{
    .called = {"granitemoe", "Granite MoE", classes, modules}, .mixture = experts, .computing = {.granite = true}};

// Beside them a feed-forward that every token passes, as wide as its field says.
constexpr MixtureType with_shared = changed(experts, [](MixtureType& other) {
    other.shared_width_field = {"shared_intermediate_size"};
    other.may_share_none = true;
});

constexpr DecoderClasses shared_classes = classes_of<"GraniteMoeShared">;
constexpr std::array modules_with_shared = decoder_modules(
    shared_classes, attention_modules(shared_classes.attention), norm_modules,
    mixture_modules("block_sparse_moe", "GraniteMoeSharedMoE"), granite_expert_modules("GraniteMoeSharedTopKRouter"),
    granite_shared_modules("GraniteMoeSharedMLP"));

constexpr LlamaType shared =
    changed(called(type, "granitemoeshared", "Granite MoE, shared", shared_classes, modules_with_shared),
            [](LlamaType& other) { other.mixture = with_shared; });

}  // namespace granitemoe

constexpr Family granitemoe_family = llama_like<granitemoe::type>();
constexpr Family granitemoeshared_family = llama_like<granitemoe::shared>();

// With a window in three of four layers, attention sinks, and a base of rotary positions for each layer, where 0 says
// that it has none.
namespace granite_swa {

constexpr WindowFields window{.size = 128, .pattern = 4, .first_sees_all = true};

// One number for each layer, 0 or above 1; null where the file has no such list.
const nlohmann::json* bases(const nlohmann::json& config, std::int64_t layers) {
    const nlohmann::json* list = said(config, "layer_rope_theta");
    if (!list || !list->is_array() || static_cast<std::int64_t>(list->size()) != layers) return nullptr;
    const bool numbers = std::ranges::all_of(
        *list, [](const nlohmann::json& base) { return base.is_number() && (base == 0 || base.get<double>() > 1); });
    return numbers ? list : nullptr;
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json& config = reader.config();
    arch.layer.attention.sinks = true;
    if (!said(config, "layer_rope_theta")) return;
    const nlohmann::json* list = bases(config, arch.layers);
    if (!list)
        return reader.reject("layer_rope_theta", "there is not one number, 0 or above 1, for each layer",
                             "give one each");
    arch.layer.attention.rotated =
        layers_where(arch.layers, [&](std::int64_t layer) { return (*list)[static_cast<std::size_t>(layer)] != 0; });
}

// Layers without positions say so in the list, which is carried.
void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const LayerSet& rotated = arch.layer.attention.rotated;
    const nlohmann::json* list = bases(arch.carried.object(), arch.layers);
    if (!list && rotated.count(arch.layers) == arch.layers) return;
    const double usual = 10000;
    nlohmann::ordered_json written = nlohmann::ordered_json::array();
    for (std::int64_t layer = 0; layer < std::min(arch.layers, LayerSet::longest); ++layer) {
        const nlohmann::json* base = list ? &(*list)[static_cast<std::size_t>(layer)] : nullptr;
        const double own = base && base->is_number() && *base != 0 ? base->get<double>() : usual;
        written.push_back(rotated.contains(layer) ? own : 0.0);
    }
    config["layer_rope_theta"] = std::move(written);
}

// Layers with a window may turn by another base than the others.
void read_computation(ComputationReader& reader, Computation& computation) {
    const Architecture& arch = reader.arch();
    if (!said(arch.carried.object(), "layer_rope_theta")) return;
    const nlohmann::json* list = bases(arch.carried.object(), arch.layers);
    if (!list)
        return reader.reject("layer_rope_theta", "there is not one number, 0 or above 1, for each layer",
                             "give one each");
    std::set<double> with_window, without_window;
    for (std::int64_t layer = 0; layer < arch.layers; ++layer) {
        const nlohmann::json& base = (*list)[static_cast<std::size_t>(layer)];
        if (!arch.layer.attention.rotated.contains(layer) || !base.is_number() || base == 0) continue;
        const std::optional<AttentionWindow>& windows = arch.layer.attention.window;
        (windows && windows->layers.contains(layer) ? with_window : without_window).insert(base.get<double>());
    }
    if (with_window.size() > 1 || without_window.size() > 1)
        return reader.reject("layer_rope_theta", "layers of one kind that turn by several bases are not computed here",
                             "give the layers with a window one base, and the others one");
    if (!without_window.empty()) computation.rope.base = *without_window.begin();
    if (with_window.empty()) return;
    computation.windowed_rope = computation.rope;
    computation.windowed_rope->base = *with_window.begin();
}

constexpr LlamaType type{
    .called = {"granite_swa", "Granite SWA", classes_of<"GraniteSWA">},
    .usual = {.dim = 2560, .ffn_dim = 8192, .layers = 24, .heads = 20, .vocab = 100352, .context = 8192},
    .kv_heads = 4,
    .tied = true,
    .head_dim_field = {},
    .mlp_bias_field = "mlp_bias",
    .norm = {.epsilon = 1e-5},
    .window = window,
    .computing = {.granite = true, .rest = read_computation},
    .own = {read_rest, write_rest}};

constexpr DecoderClasses mixture_classes = classes_of<"GraniteMoeSWA">;
constexpr std::array mixture_modules_of_all = decoder_modules(
    mixture_classes, attention_modules(mixture_classes.attention), norm_modules,
    mixture_modules("block_sparse_moe", "GraniteMoeSWAMoE"), router_modules("router", "GraniteMoeSWATopKRouter"),
    linear_expert_modules("GraniteMoeSWAExperts"), granite_shared_modules("GraniteMoeSWAMLP"));
constexpr LlamaType mixture = [] {
    LlamaType other =
        called(granitemoe::shared, "granitemoe_swa", "Granite MoE SWA", mixture_classes, mixture_modules_of_all);
    other.window = window;
    other.head_dim_field = {};
    other.computing.rest = read_computation;
    other.own = {read_rest, write_rest};
    return other;
}();

}  // namespace granite_swa

constexpr Family granite_swa_family = llama_like<granite_swa::type>();
constexpr Family granitemoe_swa_family = llama_like<granite_swa::mixture>();

}  // namespace headcount
