// Mixtures of experts of 2025 and 2026 that are like other families but for their experts: Aria, Kolibri 1, Command A+
// (transformers, modeling_aria.py, modeling_kolibri1.py, modeling_cohere2_moe.py).
#include <algorithm>

#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

// Aria's text part: LLaMA with experts as wide as its feed-forward, and some that every token passes.
namespace aria {

constexpr DecoderClasses classes = classes_of<"AriaText">;
constexpr auto experts = std::to_array<Module>({
    {5, "experts", ModuleKind::container, {}, "AriaExperts"},
    {6, "fc1.weight", ModuleKind::stacked, {Part::expert_gate, Part::expert_up}, {}},
    {6, "fc2.weight", ModuleKind::stacked, Part::expert_down, {}},
    {6, "act_fn", ModuleKind::activation, {}, {}},
});
constexpr std::array modules =
    decoder_modules(classes, attention_modules(classes.attention), mixture_modules("mlp", "AriaTextMoELayer"),
                    router_modules("router", "AriaTextTopKRouter"), experts,
                    shared_expert_modules("shared_experts", "AriaSharedExpertsMLP", "act_fn"), norm_modules);
constexpr LlamaType type{.called = {"aria_text", "Aria, text", classes, modules},
                         .usual = {.ffn_dim = 4096},
                         .mlp_bias_field = "mlp_bias",
                         .mixture = MixtureType{.experts_field = {"moe_num_experts"},
                                                .per_token_field = {"moe_topk"},
                                                .width_field = {},
                                                .shared_field = {"moe_num_shared_experts"},
                                                .shared = 2,
                                                .expert_bias = false},
                         .padding = 2};

}  // namespace aria

constexpr Family aria_text_family = llama_like<aria::type>();

// Kolibri 1: norms on both sides; where layers with a window stand beside others, those alone have positions.
namespace kolibri1 {

constexpr DecoderClasses classes = classes_of<"Kolibri1">;
constexpr auto rest = std::to_array<Module>({
    {4, "moe.router.expert_bias", ModuleKind::buffer, Part::router_correction, {}},
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_attn_norm", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "post_ffn_norm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
});
constexpr std::array modules = decoder_modules(
    classes, attention_modules(classes.attention), mixture_modules("mlp", "Kolibri1SparseMoeBlock"),
    expert_modules("Kolibri1Experts", classes.feed_forward), router_modules("gate", "Kolibri1TopKRouter"),
    shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), rest);
constexpr LlamaType type{
    .called = {"kolibri1", "Kolibri 1", classes, modules},
    .usual = {.dim = 2560, .ffn_dim = 512, .layers = 50, .heads = 48, .vocab = 128000, .context = 262144},
    .kv_heads = 4,
    .head_dim = 128,
    .qkv_bias_field = {},
    .qk_norm = QkNorm::per_head,
    .norm = {.placement = NormPlacement::both},
    .window = WindowFields{.size = 513, .pattern = 5},
    .mixture = MixtureType{.shared_width_field = {"shared_expert_intermediate_size"},
                           .experts = 384,
                           .experts_per_token = 6,
                           .width = 512,
                           .shared = 512,
                           .correction_bias = true},
    .computing = {.routing = {.scores = RouterScores::sigmoid_of_chosen}, .normalizes = true},
    .own = {[](ConfigReader&, Architecture& arch) {
        Attention& attention = arch.layer.attention;
        if (attention.window) attention.rotated = attention.window->layers;
    }}};

}  // namespace kolibri1

constexpr Family kolibri1_family = llama_like<kolibri1::type>();

// Command A+: Command A with experts, whose sum and the shared ones' are averaged. Its first layers may be dense, with
// a width and a pattern of windows of their own.
namespace cohere2_moe {

constexpr DecoderClasses classes = classes_of<"Cohere2Moe">;
constexpr std::array modules =
    decoder_modules(classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
                    mixture_modules("mlp", "Cohere2MoeSparseMoeBlock"), router_modules("gate", "Cohere2MoeTopKRouter"),
                    expert_modules("Cohere2MoeExperts", classes.feed_forward),
                    shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);
constexpr WindowFields window{.size = 4096};

void read_rest(ConfigReader& reader, Architecture& arch) {
    if (const std::optional<double> epsilon = reader.positive({"rms_norm_eps"}))
        arch.norm = {.kind = NormKind::rms, .epsilon = *epsilon};
    Mixture& mixture = *arch.layer.mixture;
    const std::int64_t first = reader.number({"first_k_dense_replace"}, 0, 0);
    const std::int64_t first_step = read_step(reader, {"prefix_dense_sliding_window_pattern"}, 1);
    const std::int64_t step = read_step(reader, {"sliding_window_pattern"}, 4);
    if (!said(reader.config(), "mlp_layer_types"))
        mixture.layers = LayerSet::all_but_first(std::min(first, LayerSet::longest));
    const LayerSet rule = first == 0 ? all_but_every(step) : layers_where(arch.layers, [&](std::int64_t layer) {
        return layer < first ? (layer + 1) % first_step != 0 : (layer - first + 1) % step != 0;
    });
    read_window(reader, arch, window, rule);
    Attention& attention = arch.layer.attention;
    const LayerSet windowed = attention.window ? attention.window->layers : LayerSet::none();
    attention.rotated = windowed;
    if (first_step == 1 && mixture.layers.count(arch.layers) < arch.layers)
        attention.rotated = layers_where(arch.layers, [&](std::int64_t layer) {
            return windowed.contains(layer) || !mixture.layers.contains(layer);
        });
    if (const auto width = reader.optional_number({"prefix_dense_intermediate_size"}))
        arch.layer.feed_forward.width = *width;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    write_window(config, arch, window);
    // Whether layers that have neither a window nor experts have positions: 1 says so, any other number not.
    const Attention& attention = arch.layer.attention;
    const LayerSet windowed = attention.window ? attention.window->layers : LayerSet::none();
    config["prefix_dense_sliding_window_pattern"] = attention.rotated.same_in(windowed, arch.layers) ? 2 : 1;
    config["prefix_dense_intermediate_size"] = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    if (arch.norm.kind != NormKind::rms) return;
    config["rms_norm_eps"] = arch.norm.epsilon;
    config.erase("layer_norm_eps");
}

void read_computation(ComputationReader& reader, Computation& computation) {
    Routing& routing = computation.routing;
    const std::string scores = reader.text("expert_selection_fn", "softmax");
    const std::string together = reader.text("shared_expert_combination_strategy", "average");
    if (scores == "sigmoid")
        routing.scores = RouterScores::sigmoid;
    else if (scores != "softmax")
        reader.reject("expert_selection_fn", "a function of the router's scores that is not known here",
                      "use softmax or sigmoid");
    routing.normalized = scores == "sigmoid" && reader.flag("norm_topk_prob", true);
    const std::optional<Mixture>& mixture = reader.arch().layer.mixture;
    if (!mixture || mixture->shared_experts == 0) return;
    if (together == "average")
        routing.combined = 0.5;
    else if (together != "sum")
        reader.reject("shared_expert_combination_strategy", "a way to join experts that is not known here",
                      "use average or sum");
}

constexpr LlamaType type{
    .called = {"cohere2_moe", "Command A+", classes, modules},
    .norm_class = "Cohere2MoeLayerNorm()",
    .usual = {.dim = 8192, .ffn_dim = 22528, .layers = 40, .heads = 64, .vocab = 256000, .context = 8192},
    .head_dim = 128,
    .tied = true,
    .epsilon_field = "layer_norm_eps",
    .norm = {.kind = NormKind::layer, .epsilon = 1e-5},
    .joining = Joining::parallel_shared,
    .mixture =
        MixtureType{
            .width_field = {}, .shared_field = {"num_shared_experts"}, .has_types = true, .may_share_none = true},
    .computing = {.pairs = RopePairs::neighbours, .logit_scale = 0.0625, .rest = read_computation},
    .padding = 0,
    .own = {read_rest, write_rest}};

// How experts are chosen and joined changes no shape.
constexpr std::string_view ignored = "expert_selection_fn shared_expert_combination_strategy";

}  // namespace cohere2_moe

constexpr Family cohere2_moe_family = known_to_peft(
    changed(llama_like<cohere2_moe::type>(), [](Family& family) { family.ignored = cohere2_moe::ignored; }),
    {.experts_by_name = true});

}  // namespace headcount
