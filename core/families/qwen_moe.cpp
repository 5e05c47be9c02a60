// Qwen's mixtures (transformers, modeling_qwen2_moe.py and modeling_qwen3_moe.py).
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

void read_rest(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
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

constexpr LlamaType type{.type = "qwen2_moe",
                         .name = "Qwen 2 MoE",
                         .classes = classes,
                         .modules = modules,
                         .dim = 2048,
                         .ffn_dim = 5632,
                         .layers = 24,
                         .heads = 16,
                         .kv_heads = 16,
                         .vocab = 151936,
                         .context = 32768,
                         .qkv_bias = true,
                         .qkv_bias_field = "qkv_bias",
                         .qkv_bias_is_output_bias = false,
                         .computing = {.routing = {.scores = RouterScores::softmax}, .normalizes = true},
                         .read_rest = read_rest,
                         .write_rest = write_rest};

}  // namespace qwen2_moe

constexpr Family qwen2_moe_family = llama_like<qwen2_moe_family, qwen2_moe::type>();

// Qwen 3's: norms of queries and keys, many small experts.
namespace qwen3_moe {

constexpr DecoderClasses classes = classes_of<"Qwen3Moe">;
constexpr std::array modules = decoder_modules(
    classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
    mixture_modules("mlp", "Qwen3MoeSparseMoeBlock"), expert_modules("Qwen3MoeExperts", classes.feed_forward),
    router_modules("gate", "Qwen3MoeTopKRouter"), norm_modules);

constexpr LlamaType type{.type = "qwen3_moe",
                         .name = "Qwen 3 MoE",
                         .classes = classes,
                         .modules = modules,
                         .dim = 2048,
                         .ffn_dim = 6144,
                         .layers = 24,
                         .kv_heads = 4,
                         .vocab = 151936,
                         .context = 32768,
                         .qk_norm = QkNorm::per_head,
                         .computing = {.routing = {.scores = RouterScores::softmax}, .normalizes = true},
                         .read_rest =
                             [](ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
                                 read_qwen_window(reader, arch, {});
                                 arch.layer.mixture = read_qwen_mixture(reader, arch.layers, {128, 8, 768});
                             },
                         .write_rest =
                             [](nlohmann::ordered_json& config, const Architecture& arch) {
                                 write_qwen_window(config, arch);
                                 write_qwen_mixture(config, arch);
                             }};

}  // namespace qwen3_moe

constexpr Family qwen3_moe_family = llama_like<qwen3_moe_family, qwen3_moe::type>();

}  // namespace headcount
