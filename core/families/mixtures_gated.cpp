// Mixtures of experts whose attention decides how much passes of what its heads find: Laguna, Beam (transformers,
// modeling_laguna.py, modeling_beam.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/own_tensors.hpp"

namespace headcount {

// Laguna: as many heads in all layers, or in each its own, which is not known here.
namespace laguna {

constexpr DecoderClasses classes = classes_of<"Laguna">;
constexpr std::array<Module, 1> gate{{{5, "g_proj", ModuleKind::linear, Part::attention_gate, {}}}};
constexpr std::array<Module, 1> correction{
    {{5, "experts.e_score_correction_bias", ModuleKind::bare, Part::router_correction, {}}}};
constexpr std::array modules =
    decoder_modules(classes, attention_modules(classes.attention), gate, gated_modules(classes.feed_forward),
                    mixture_modules("mlp", "LagunaSparseMoeBlock"), expert_modules("LagunaExperts", "LagunaMLP"),
                    correction, router_modules("gate", "LagunaTopKRouter"),
                    shared_expert_modules("shared_expert", "LagunaMLP", "act_fn"), norm_modules);
constexpr WindowFields window{.size = 512, .has_types = true};

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.output_gate = true;
    attention.gate_bias = false;
    const nlohmann::json* gating = said(config, "gating");
    if (gating && !gating->is_boolean() && *gating != "per-head" && *gating != "per-element")
        reader.reject("gating", "is no way to gate that is known here", "give true, per-head or per-element");
    attention.gate_by_head = !gating || *gating == true || *gating == "per-head";
    if (const nlohmann::json* heads = said(config, "num_attention_heads_per_layer"); heads && heads->is_array()) {
        const bool alike =
            std::ranges::all_of(*heads, [&](const nlohmann::json& each) { return each == heads->front(); });
        if (!alike || heads->empty() || !heads->front().is_number_integer())
            reader.reject("num_attention_heads_per_layer", "layers with other numbers of heads are not known here",
                          "give all layers as many");
        else
            attention.heads = heads->front().get<std::int64_t>();
    }
    read_window(reader, config, arch, window, LayerSet::none());
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    write_window(config, arch, window);
    if (arch.layer.attention.gate_by_head)
        config["gating"] = true;
    else
        config["gating"] = "per-element";
}

void compute(ComputationReader& reader, Computation&) {
    reader.reject("gating", "gates by softplus are not computed here", "count it, or run another type");
}

constexpr LlamaType type{.type = "laguna",
                         .name = "Laguna",
                         .classes = classes,
                         .modules = modules,
                         .dim = 2048,
                         .ffn_dim = 8192,
                         .layers = 40,
                         .heads = 48,
                         .kv_heads = 8,
                         .head_dim = 128,
                         .vocab = 100352,
                         .context = 131072,
                         .qk_norm = QkNorm::per_head,
                         .mixture = MixtureType{.shared_width_field = {"shared_expert_intermediate_size"},
                                                .has_types = true,
                                                .experts = 256,
                                                .experts_per_token = 8,
                                                .width = 512,
                                                .shared = 512,
                                                .dense_first = 1,
                                                .correction_bias = true},
                         .computing = {.rest = compute},
                         .read_rest = read,
                         .write_rest = write};
constexpr std::array ignored =
    std::to_array<std::string_view>({"gating", "moe_apply_router_weight_on_input", "moe_routed_scaling_factor",
                                     "moe_router_logit_softcapping", "num_attention_heads_per_layer"});

}  // namespace laguna

constexpr Family laguna_family = [] {
    Family family = llama_like<laguna_family, laguna::type>();
    family.ignored = laguna::ignored;
    return family;
}();

// Beam: norms on both sides, windows in all but every sixth layer and the last, and one more number a head in its gate.
namespace beam {

constexpr DecoderClasses classes = classes_of<"Beam">;
constexpr std::array<Module, 1> gate{{{5, "gate_proj", ModuleKind::linear, Part::attention_gate, {}}}};
constexpr std::array modules =
    decoder_modules(classes, attention_modules(classes.attention), gate, gated_modules(classes.feed_forward),
                    mixture_modules("mlp", "BeamMoE"), expert_modules("BeamExperts", classes.feed_forward),
                    router_modules("gate", "BeamTopKRouter"), correction_modules, sandwich_norm_modules);
constexpr WindowFields window{.size = 512};

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    constexpr std::int64_t step = 6;
    Attention& attention = arch.layer.attention;
    attention.output_gate = true;
    attention.gate_bias = false;
    read_window(reader, config, arch, window, layers_where(arch.layers, [&](std::int64_t layer) {
                    return (layer + 1) % step != 0 && layer + 1 < arch.layers;
                }));
    attention.rotated = attention.window ? attention.window->layers : LayerSet::none();
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    write_window(config, arch, window);
}

std::vector<OwnTensor> own(const Architecture& arch) {
    return OwnTensors(arch).in(LayerSet()).add("self_attn.gate_bias", {Symbol::heads}).take();
}

constexpr LlamaType type{.type = "beam",
                         .name = "Beam",
                         .classes = classes,
                         .modules = modules,
                         .dim = 5120,
                         .ffn_dim = 20480,
                         .layers = 52,
                         .heads = 48,
                         .kv_heads = 8,
                         .head_dim = 128,
                         .vocab = 151936,
                         .context = 8192,
                         .qk_norm = QkNorm::per_head,
                         .norm = {.placement = NormPlacement::both},
                         .mixture = MixtureType{.has_types = true,
                                                .experts = 256,
                                                .experts_per_token = 8,
                                                .width = 2560,
                                                .dense_first = 3,
                                                .correction_bias = true},
                         .computing = {.logit_cap = 30,
                                       .routing = {.scores = RouterScores::sigmoid,
                                                   .normalized = true,
                                                   .scaling = 2.5,
                                                   .groups = 8,
                                                   .groups_used = 4,
                                                   .group_by_best_two = true},
                                       .normalizes = true,
                                       .grouped = true,
                                       .routing_scale_field = "routed_scaling_factor"},
                         .read_rest = read,
                         .write_rest = write};

}  // namespace beam

constexpr Family beam_family = [] {
    Family family = llama_like<beam_family, beam::type>();
    family.own = beam::own;
    return family;
}();

}  // namespace headcount
