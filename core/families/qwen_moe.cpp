// Qwen's mixtures, and Flint, which is built on them (transformers, modeling_qwen2_moe.py, modeling_qwen3_moe.py,
// modeling_qwen3_vl_moe.py, modeling_qwen3_omni_moe.py, modeling_flint.py).
#include "core/base/text.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/qwen_mixture.hpp"

namespace headcount {

Mixture read_qwen_mixture(ConfigReader& reader, std::int64_t layers, const QwenMixtureDefaults& defaults,
                          std::int64_t least) {
    Mixture mixture;
    mixture.experts = reader.number({"num_experts", "num_local_experts"}, defaults.experts, least);
    mixture.experts_per_token = reader.number({"num_experts_per_tok"}, defaults.experts_per_token);
    mixture.expert_dim = reader.number({"moe_intermediate_size"}, defaults.expert_dim);
    mixture.layers = LayerSet::every(read_step(reader, {"decoder_sparse_step"}, 1));
    const std::optional<LayerSet> dense = reader.layers_listed({"mlp_only_layers"}, layers);
    if (!dense || dense->count(layers) == 0) return mixture;
    mixture.layers = without(mixture.layers, *dense, layers);
    if (layers > LayerSet::longest)
        reader.reject("mlp_only_layers", "the layers of " + grouped(layers) + " cannot be told apart one by one",
                      "list them of at most " + grouped(LayerSet::longest) + " layers");
    return mixture;
}

void read_qwen_shared_experts(ConfigReader& reader, Mixture& mixture, std::int64_t otherwise) {
    set_shared_width(mixture, reader.number({"shared_expert_intermediate_size"}, otherwise));
    mixture.shared_gate = true;
}

void write_qwen_shared_experts(nlohmann::ordered_json& config, const Architecture& arch) {
    if (const std::optional<Mixture>& mixture = arch.layer.mixture)
        config["shared_expert_intermediate_size"] = shared_width(*mixture);
}

void write_qwen_mixture(nlohmann::ordered_json& config, const Architecture& arch) {
    if (!arch.layer.mixture) return;
    const Mixture& mixture = *arch.layer.mixture;
    config["num_experts"] = mixture.experts;
    config["num_experts_per_tok"] = mixture.experts_per_token;
    config["moe_intermediate_size"] = mixture.expert_dim;
    const std::optional<std::int64_t> step = step_of(mixture.layers, arch.layers);
    config["decoder_sparse_step"] = step.value_or(1);
    // The layers that have no experts one by one, where no rhythm says which.
    if (!step) config["mlp_only_layers"] = listed(without({}, mixture.layers, arch.layers), arch.layers);
}

namespace {

// use_sliding_window and sliding_window; `layers` are those that slide where nothing else is said.
void read_qwen_window(ConfigReader& reader, Architecture& arch, const LayerSet& layers) {
    const std::int64_t size = reader.number({"sliding_window"}, 4096, 0);
    if (reader.flag({"use_sliding_window"}, false) && size > 0 && layers.count(arch.layers) > 0)
        arch.layer.attention.window = AttentionWindow{size, false, layers};
}

void write_qwen_window(nlohmann::ordered_json& config, const Architecture& arch) {
    const std::optional<AttentionWindow>& window = arch.layer.attention.window;
    config["use_sliding_window"] = window.has_value();
    config["sliding_window"] = window ? nlohmann::ordered_json(window->size) : nullptr;
}

}  // namespace

// Qwen 1.5's and 2's: biases of queries, keys and values, and experts that every token passes, gated.
namespace qwen2_moe {

constexpr DecoderClasses classes = classes_of<"Qwen2Moe">;
constexpr std::array modules = decoder_modules(
    classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
    mixture_modules("mlp", "Qwen2MoeSparseMoeBlock"), router_modules("gate", "Qwen2MoeTopKRouter"),
    expert_modules("Qwen2MoeExperts", classes.feed_forward),
    shared_expert_modules("shared_expert", classes.feed_forward, "act_fn"), shared_gate_modules, norm_modules);

// Of the first `max_window_layers` every other one slides.
LayerSet sliding_layers(ConfigReader& reader, std::int64_t layers) {
    const LayerSet behind = read_all_but_first(reader, {"max_window_layers"}, 28, layers);
    std::optional<LayerSet> given = reader.layers_with({"layer_types"}, "sliding_attention", layers, "full_attention");
    if (given) return *given;
    return without(all_but_every(2), behind, layers);
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    read_qwen_window(reader, arch, sliding_layers(reader, arch.layers));
    Mixture mixture = read_qwen_mixture(reader, arch.layers, {60, 4, 1408});
    read_qwen_shared_experts(reader, mixture, 5632);
    arch.layer.mixture = mixture;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    write_qwen_window(config, arch);
    if (const std::optional<AttentionWindow>& window = arch.layer.attention.window)
        config["layer_types"] = worded(window->layers, arch.layers, "sliding_attention", "full_attention");
    write_qwen_mixture(config, arch);
    write_qwen_shared_experts(config, arch);
}

constexpr LlamaType type{
    .called = {"qwen2_moe", "Qwen 2 MoE", classes, modules},
    .usual = {.dim = 2048, .ffn_dim = 5632, .layers = 24, .heads = 16, .vocab = 151936, .context = 32768},
    .kv_heads = 16,
    .qkv_bias = true,
    .qkv_bias_field = "qkv_bias",
    .qkv_bias_is_output_bias = false,
    .computing = {.routing = {.scores = RouterScores::softmax}, .normalizes = true},
    .own = {read_rest, write_rest}};

}  // namespace qwen2_moe

constexpr Family qwen2_moe_family = llama_like<qwen2_moe::type>();

// Qwen 3's: norms of queries and keys, many small experts.
namespace qwen3_moe {

constexpr DecoderClasses classes = classes_of<"Qwen3Moe">;
constexpr std::array modules = decoder_modules(
    classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
    mixture_modules("mlp", "Qwen3MoeSparseMoeBlock"), expert_modules("Qwen3MoeExperts", classes.feed_forward),
    router_modules("gate", "Qwen3MoeTopKRouter"), norm_modules);

constexpr LlamaType type{.called = {"qwen3_moe", "Qwen 3 MoE", classes, modules},
                         .usual = {.dim = 2048, .ffn_dim = 6144, .layers = 24, .vocab = 151936, .context = 32768},
                         .kv_heads = 4,
                         .qk_norm = QkNorm::per_head,
                         .computing = {.routing = {.scores = RouterScores::softmax}, .normalizes = true},
                         .own = {[](ConfigReader& reader, Architecture& arch) {
                                     read_qwen_window(reader, arch, {});
                                     arch.layer.mixture = read_qwen_mixture(reader, arch.layers, {128, 8, 768});
                                 },
                                 [](nlohmann::ordered_json& config, const Architecture& arch) {
                                     write_qwen_window(config, arch);
                                     write_qwen_mixture(config, arch);
                                 }}};

}  // namespace qwen3_moe

constexpr Family qwen3_moe_family = llama_mixture<qwen3_moe::type>();

// The text parts of Qwen3-VL, whose experts are in one tensor, and of Qwen3-Omni: neither knows windows.
namespace qwen3_vl_moe {

constexpr DecoderClasses classes = classes_of<"Qwen3VLMoeText">;
constexpr std::array modules = decoder_modules(
    classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
    mixture_modules("mlp", "Qwen3VLMoeTextSparseMoeBlock"), linear_expert_modules("Qwen3VLMoeTextExperts"),
    router_modules("gate", "Qwen3VLMoeTextTopKRouter"), norm_modules);

template <const QwenMixtureDefaults& defaults>
void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.layer.mixture = read_qwen_mixture(reader, arch.layers, defaults);
}

constexpr QwenMixtureDefaults vision_experts{60, 4, 1408}, omni_experts{128, 8, 768};

constexpr LlamaType vision{
    .called = {"qwen3_vl_moe_text", "Qwen3-VL MoE, text", classes, modules},
    .usual = {.dim = 2048, .ffn_dim = 5632, .layers = 24, .heads = 16, .vocab = 151936, .context = 128000},
    .kv_heads = 16,
    .tied = true,
    .qk_norm = QkNorm::per_head,
    .computing = {.rope_base = 500000, .routing = {.scores = RouterScores::softmax, .normalized = true}},
    .own = {read_rest<vision_experts>, write_qwen_mixture}};

// A file that leaves head_dim out may come to heads of an odd size: all columns but the last make pairs.
void read_omni(ConfigReader& reader, Architecture& arch) {
    read_rest<omni_experts>(reader, arch);
    const std::int64_t head_dim = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
    if (head_dim % 2 == 1) arch.layer.attention.rotary_dim = head_dim - 1;
}

void refuse_odd_heads(ComputationReader& reader, Computation&) {
    if (bindings(reader.arch(), Input{})[Symbol::head_dim].value_or(0) % 2 == 1)
        reader.reject("head_dim", "the turns of an odd number of columns are not computed here",
                      "give an even head size");
}

constexpr DecoderClasses omni_classes = classes_of<"Qwen3OmniMoeThinkerText">;
constexpr std::array omni_modules =
    decoder_modules(omni_classes, attention_modules(omni_classes.attention), gated_modules(omni_classes.feed_forward),
                    mixture_modules("mlp", "Qwen3OmniMoeThinkerTextSparseMoeBlock"),
                    expert_modules("Qwen3OmniMoeThinkerTextExperts", omni_classes.feed_forward),
                    router_modules("gate", "Qwen3OmniMoeThinkerTextTopKRouter"), norm_modules);
constexpr LlamaType omni = changed(
    called(vision, "qwen3_omni_moe_text", "Qwen3-Omni MoE, text", omni_classes, omni_modules), [](LlamaType& other) {
        other.usual.ffn_dim = 18944;
        other.usual.layers = 28;
        other.usual.heads = 28;
        other.kv_heads = 4;
        other.rounds_head_dim = true;
        other.usual.vocab = 3584;
        other.usual.context = 32768;
        other.tied = false;
        other.computing.rope_base = 1000000;
        other.computing.normalizes = true;
        other.computing.rest = refuse_odd_heads;
        other.own.read = read_omni;
    });

}  // namespace qwen3_vl_moe

constexpr Family qwen3_vl_moe_text_family = llama_like<qwen3_vl_moe::vision>();
constexpr Family qwen3_omni_moe_text_family = llama_mixture<qwen3_vl_moe::omni>();

// Flint: sigmoids, a sink a head; positions only where there is a window, and experts that every token passes.
namespace flint {

constexpr DecoderClasses classes = classes_of<"Flint">;
constexpr auto sinks = std::to_array<Module>({{5, "softmax_offset", ModuleKind::bare, Part::sinks, {}}});
constexpr std::array modules =
    decoder_modules(classes, std::to_array<Module>({{4, "self_attn", ModuleKind::container, {}, classes.attention}}),
                    sinks, attention_modules(classes.attention), gated_modules(classes.feed_forward),
                    mixture_modules("mlp", "FlintSparseMoeBlock"), expert_modules("FlintExperts", classes.feed_forward),
                    router_modules("gate", "FlintTopKRouter"),
                    shared_expert_modules("shared_expert", classes.feed_forward, "act_fn"), norm_modules);

constexpr WindowFields window{.size = 513};

void read_rest(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.sinks = true;
    read_window(reader, arch, window, layers_where(arch.layers, [&](std::int64_t layer) {
                    return layer >= 2 && layer % 4 != 1 && layer != arch.layers - 1;
                }));
    attention.rotated = attention.window ? attention.window->layers : LayerSet::none();
    Mixture mixture = read_qwen_mixture(reader, arch.layers, {256, 6, 512});
    if (!said(reader.config(), "mlp_only_layers"))
        mixture.layers = layers_where(
            arch.layers, [rule = mixture.layers](std::int64_t layer) { return layer >= 2 && rule.contains(layer); });
    set_shared_width(mixture, reader.number({"shared_expert_intermediate_size"}, 1024));
    arch.layer.mixture = mixture;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    write_window(config, arch, window);
    write_qwen_mixture(config, arch);
    write_qwen_shared_experts(config, arch);
    if (arch.layer.mixture && !config.contains("mlp_only_layers"))
        config["mlp_only_layers"] = nlohmann::ordered_json::array();
}

constexpr LlamaType type{
    .called = {"flint", "Flint", classes, modules},
    .usual = {.dim = 2048, .ffn_dim = 6144, .layers = 49, .vocab = 150144, .context = 262144},
    .kv_heads = 4,
    .head_dim = 128,
    .qk_norm = QkNorm::per_head,
    .computing = {.routing = {.scores = RouterScores::sigmoid, .normalized = true}, .normalizes = true},
    .own = {read_rest, write_rest}};

}  // namespace flint

constexpr Family flint_family = llama_like<flint::type>();

}  // namespace headcount
