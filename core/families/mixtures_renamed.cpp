// Mixtures of experts like those of mixtures.cpp whose checkpoints name some modules otherwise: Trinity, Beam, MiniMax
// M2, Phi-3.5 MoE, ERNIE 4.5 (transformers, modeling_afmoe.py, modeling_beam.py, modeling_minimax_m2.py,
// modeling_phimoe.py, modeling_ernie4_5_moe.py).
#include <cmath>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace {

constexpr Routing sigmoids{.scores = RouterScores::sigmoid, .normalized = true};
constexpr Routing sigmoids_of_groups{.scores = RouterScores::sigmoid,
                                     .normalized = true,
                                     .scaling = 2.5,
                                     .groups = 8,
                                     .groups_used = 4,
                                     .group_by_best_two = true};

// Mixtral's names of an expert's matrices.
constexpr auto mixtral_modules(std::string_view mixture, std::string_view router, std::string_view experts) {
    return std::to_array<Module>({
        {4, "block_sparse_moe", ModuleKind::container, {}, mixture},
        {5, "gate", ModuleKind::linear, Part::router, router},
        {5, "e_score_correction_bias", ModuleKind::buffer, Part::router_correction, {}},
        {5, "experts", ModuleKind::container, {}, experts},
        {6, "{e}", ModuleKind::expert, {}, {}},
        {7, "w1", ModuleKind::linear, Part::expert_gate, {}},
        {7, "w2", ModuleKind::linear, Part::expert_down, {}},
        {7, "w3", ModuleKind::linear, Part::expert_up, {}},
        {6, "act_fn", ModuleKind::activation, {}, {}},
    });
}

}  // namespace

// Trinity (AFMoE): a gate on what heads found, norms on both sides, positions only where there is a window.
namespace afmoe {

constexpr DecoderClasses classes = classes_of<"Afmoe">;
constexpr auto norms = std::to_array<Module>({
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "pre_mlp_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_mlp_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
});
constexpr auto gate = std::to_array<Module>({{5, "gate_proj", ModuleKind::linear, Part::attention_gate, {}}});
constexpr auto router = std::to_array<Module>({
    {5, "expert_bias", ModuleKind::bare, Part::router_correction, {}},
    {5, "router", ModuleKind::container, {}, "AfmoeTokenChoiceRouter"},
    {6, "gate", ModuleKind::linear, Part::router, {}},
});
constexpr std::array modules =
    decoder_modules(classes, attention_modules(classes.attention), gate, norms, gated_modules(classes.feed_forward),
                    mixture_modules("mlp", "AfmoeSparseMoeBlock"), router,
                    shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"),
                    expert_modules("AfmoeExperts", classes.feed_forward));

void read_rest(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.output_gate = true;
    attention.gate_bias = false;
    const LayerSet rule = all_but_every(read_step(reader, {"global_attn_every_n_layers"}, 4));
    read_window(reader, arch, {.size = 1024}, rule);
    attention.rotated = attention.window ? attention.window->layers : LayerSet::none();
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    write_window(config, arch, {.size = 1024});
}

constexpr LlamaType type{.called = {"afmoe", "Trinity", classes, modules},
                         .usual = {.dim = 2048, .ffn_dim = 6144, .heads = 16, .vocab = 200192, .context = 16384},
                         .head_dim = 128,
                         .qk_norm = QkNorm::per_head,
                         .norm = {.placement = NormPlacement::both, .epsilon = 1e-5},
                         .mixture = MixtureType{.shared_field = {"num_shared_experts"},
                                                .dense_first_field = {"num_dense_layers"},
                                                .experts = 64,
                                                .experts_per_token = 6,
                                                .shared = 2,
                                                .dense_first = 1,
                                                .correction_bias = true},
                         .computing = {.routing = sigmoids,
                                       .routing_scale_field = "route_scale",
                                       .rest =
                                           [](ComputationReader& reader, Computation& computation) {
                                               if (reader.flag("mup_enabled", false))
                                                   computation.embedding_scale =
                                                       std::sqrt(static_cast<double>(reader.arch().dim));
                                           }},
                         .own = {read_rest, write_rest}};

}  // namespace afmoe

constexpr Family afmoe_family = llama_mixture<afmoe::type>();

// Beam: Trinity's gate with a number for each head beside it, a window in five of six layers and none in the last.
namespace beam {

constexpr DecoderClasses classes = classes_of<"Beam">;
constexpr std::array modules = decoder_modules(
    classes, attention_modules(classes.attention), afmoe::gate, sandwich_norm_modules,
    gated_modules(classes.feed_forward), mixture_modules("mlp", "BeamMoE"), router_modules("gate", "BeamTopkRouter"),
    correction_modules, expert_modules("BeamExperts", classes.feed_forward));

void read_rest(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.output_gate = true;
    attention.gate_bias = false;
    constexpr std::int64_t step = 6;
    const LayerSet rule =
        arch.layers > LayerSet::longest ? all_but_every(step) : layers_where(arch.layers, [&](std::int64_t layer) {
            return (layer + 1) % step != 0 && layer + 1 != arch.layers;
        });
    read_window(reader, arch, {.size = 512}, rule);
    attention.rotated = attention.window ? attention.window->layers : LayerSet::none();
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) { write_window(config, arch, {.size = 512}); }

std::vector<Extra> besides(const Architecture& arch) {
    return Besides(arch).in_layers(Component::attention).add("self_attn.gate_bias", {Symbol::heads}).take();
}

constexpr LlamaType type = changed(called(afmoe::type, "beam", "Beam", classes, modules), [](LlamaType& other) {
    other.usual = {.dim = 5120, .ffn_dim = 20480, .layers = 52, .heads = 48, .vocab = 151936, .context = 8192};
    other.kv_heads = 8;
    other.norm.epsilon = 1e-6;
    other.mixture = MixtureType{.has_types = true,
                                .experts = 256,
                                .experts_per_token = 8,
                                .width = 2560,
                                .dense_first = 3,
                                .correction_bias = true};
    other.computing = {.logit_cap = 30,
                       .routing = sigmoids_of_groups,
                       .normalizes = true,
                       .grouped = true,
                       .routing_scale_field = "routed_scaling_factor",
                       .refused = "gates with a number for each head"};
    other.besides = besides;
    other.own = {read_rest, write_rest};
});

}  // namespace beam

constexpr Family beam_family = llama_mixture<beam::type>();

// MiniMax M2: norms of all queries and keys side by side.
namespace minimax_m2 {

constexpr DecoderClasses classes = classes_of<"MiniMaxM2">;
constexpr std::array modules = decoder_modules(
    classes, attention_modules(classes.attention),
    mixtral_modules("MiniMaxM2SparseMoeBlock", "MiniMaxM2TopKRouter", "MiniMaxM2Experts"), norm_modules);
// What is always so, and the layers that only predict further tokens.
constexpr std::string_view ignored =
    "attn_type_list mtp_transformer_layers num_mtp_modules qk_norm_type shared_intermediate_size use_mtp use_qk_norm "
    "use_routing_bias";
constexpr LlamaType type{
    .called = {"minimax_m2", "MiniMax M2", classes, modules},
    .usual = {.dim = 3072, .ffn_dim = 1536, .layers = 62, .heads = 48, .vocab = 200064, .context = 196608},
    .kv_heads = 8,
    .head_dim = 128,
    .rotary = 1.0,
    .qkv_bias_field = {},
    .qk_norm = QkNorm::across,
    .mixture = MixtureType{.experts_field = {"num_local_experts", "num_experts"},
                           .width_field = {},
                           .experts = 256,
                           .experts_per_token = 8,
                           .correction_bias = true},
    .computing = {.rope_base = 5000000, .routing = sigmoids},
    .ignored = ignored};

}  // namespace minimax_m2

constexpr Family minimax_m2_family = llama_mixture<minimax_m2::type>();

// Phi-3.5 MoE: LayerNorm, and an output head that may have a bias.
namespace phimoe {

// Its scaled positions are multiplied by numbers of its file's own.
void stretch(ComputationReader& reader, Rope& rope) {
    if (rope.scaling == RopeScaling::none) return;
    const std::string_view name = reader.object("rope_scaling") ? "rope_scaling" : "rope_parameters";
    const nlohmann::json& fields = *reader.object(name);
    const nlohmann::json *longer = said(fields, "long_mscale"), *shorter = said(fields, "short_mscale");
    if (!longer || !shorter || !longer->is_number() || *longer != *shorter)
        return reader.reject(name, "needs long_mscale and short_mscale, as one number", "give both");
    rope.attention_factor = longer->get<double>();
}

constexpr DecoderClasses classes = classes_of<"Phimoe">;
constexpr std::array modules =
    decoder_modules(classes, attention_modules(classes.attention),
                    mixtral_modules("PhimoeSparseMoeBlock", "PhimoeTopKRouter", "PhimoeExperts"), norm_modules);
constexpr LlamaType type{
    .called = {"phimoe", "Phi MoE", classes, modules},
    .norm_class = "LayerNorm",
    .usual = {.ffn_dim = 6400, .vocab = 32064, .context = 131072},
    .kv_heads = 8,
    .norm = {.kind = NormKind::layer, .bias = true, .epsilon = 1e-5},
    .window = WindowFields{.has_types = false},
    .mixture = MixtureType{.experts_field = {"num_local_experts", "num_experts"}, .width_field = {}, .experts = 16},
    .computing = {.rope_base = 1000000,
                  .routing = {.scores = RouterScores::softmax_of_close},
                  .rest =
                      [](ComputationReader& reader, Computation& computation) {
                          computation.routing.closeness = 2 * reader.positive("router_jitter_noise", 0.01);
                          stretch(reader, computation.rope);
                          const auto& mixture = reader.arch().layer.mixture;
                          if (mixture && mixture->experts_per_token != 2)
                              reader.reject("num_experts_per_tok", "its router, SparseMixer, always chooses 2 experts",
                                            "set it to 2");
                      }},
    .own = {[](ConfigReader& reader, Architecture& arch) { arch.head_bias = reader.flag({"lm_head_bias"}, false); },
            [](nlohmann::ordered_json& config, const Architecture& arch) { config["lm_head_bias"] = arch.head_bias; }}};

}  // namespace phimoe

constexpr Family phimoe_family = known_to_peft(llama_like<phimoe::type>(), {.linear_router = true});

// ERNIE 4.5 with experts: in every so many layers between a first and a last one.
namespace ernie4_5_moe {

constexpr DecoderClasses classes = classes_of<"Ernie4_5_Moe">;
constexpr auto correction = std::to_array<Module>(
    {{5, "moe_statics.e_score_correction_bias", ModuleKind::bare_row, Part::router_correction, {}}});
constexpr std::array modules = decoder_modules(
    classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
    mixture_modules("mlp", "Ernie4_5_MoeSparseMoeBlock"), router_modules("gate", "Ernie4_5_MoeTopKRouter"), correction,
    expert_modules("Ernie4_5_MoeExperts", classes.feed_forward),
    shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);

void read_rest(ConfigReader& reader, Architecture& arch) {
    const std::int64_t step = read_step(reader, {"moe_layer_interval"}, 1);
    const std::int64_t first = reader.number({"moe_layer_start_index"}, 1, 0);
    const std::int64_t given = reader.number({"moe_layer_end_index"}, -1, -1);
    const std::int64_t last = given < 0 ? arch.layers - 1 : given;
    if (step == 1 && last >= arch.layers - 1 && first <= LayerSet::longest)
        arch.layer.mixture->layers = LayerSet::all_but_first(first);
    else
        arch.layer.mixture->layers = layers_where(arch.layers, [&](std::int64_t layer) {
            return (layer + 1) % step == 0 && layer >= first && layer <= last;
        });
    arch.head_bias = arch.layer.feed_forward.bias;
}

// Of layers that follow no such rule nothing can be said.
void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const LayerSet layers = arch.layer.mixture ? arch.layer.mixture->layers : LayerSet::none();
    std::int64_t first = arch.layers, last = -1;
    for (std::int64_t layer = 0; layer < std::min(arch.layers, LayerSet::longest); ++layer) {
        if (!layers.contains(layer)) continue;
        first = std::min(first, layer);
        last = layer;
    }
    const std::int64_t count = layers.count(arch.layers);
    const std::int64_t step = count > 1 ? (last - first) / (count - 1) : 1;
    config["moe_layer_start_index"] = first;
    config["moe_layer_end_index"] = arch.layers > LayerSet::longest ? arch.layers - 1 : std::max<std::int64_t>(last, 0);
    config["moe_layer_interval"] = std::max<std::int64_t>(step, 1);
}

constexpr LlamaType type{
    .called = {"ernie4_5_moe", "ERNIE 4.5 MoE", classes, modules},
    .usual = {.dim = 2560, .ffn_dim = 12288, .layers = 28, .heads = 20, .vocab = 103424, .context = 131072},
    .kv_heads = 4,
    .tied = true,
    .qkv_bias_field = "use_bias",
    .mlp_bias_field = "use_bias",
    .norm = {.epsilon = 1e-5},
    .mixture = MixtureType{.experts_field = {"moe_num_experts", "num_experts"},
                           .per_token_field = {"moe_k", "num_experts_per_tok"},
                           .shared_field = {"moe_num_shared_experts"},
                           .experts = 64,
                           .experts_per_token = 6,
                           .width = 1536,
                           .shared = 2,
                           .correction_bias = true,
                           .may_share_none = true,
                           .expert_bias = false},
    .computing = {.rope_base = 500000,
                  .pairs = RopePairs::neighbours,
                  .routing = {.scores = RouterScores::softmax, .normalized = true}},
    .padding = 0,
    .ignored = "moe_capacity moe_gate moe_use_aux_free use_rmsnorm",
    .own = {read_rest, write_rest}};

}  // namespace ernie4_5_moe

constexpr Family ernie4_5_moe_family = llama_mixture<ernie4_5_moe::type>();

}  // namespace headcount
