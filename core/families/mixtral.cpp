// Mixtures of experts in Mixtral's spellings, num_local_experts of the width that intermediate_size tells: Mixtral,
// gpt-oss, Llama 4 (transformers, modeling_mixtral.py, modeling_gpt_oss.py, modeling_llama4.py).
#include <cmath>

#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace {

struct LocalExperts {
    std::int64_t experts = 8, experts_per_token = 2;
};

// Experts in every layer, each as wide as the dense feed-forward that was read before.
Mixture read_local_experts(ConfigReader& reader, const Architecture& arch, const LocalExperts& defaults = {},
                           ConfigReader::Names per_token = {"num_experts_per_tok"},
                           ConfigReader::Names experts = {"num_local_experts", "num_experts"}) {
    Mixture mixture;
    mixture.experts = reader.number(experts, defaults.experts);
    mixture.experts_per_token = reader.number(per_token, defaults.experts_per_token);
    mixture.expert_dim = std::get<std::int64_t>(arch.layer.feed_forward.width);
    return mixture;
}

void read_all_local(ConfigReader& reader, Architecture& arch) { arch.layer.mixture = read_local_experts(reader, arch); }

void write_local_experts(nlohmann::ordered_json& config, const Architecture& arch) {
    if (!arch.layer.mixture) return;
    config["intermediate_size"] = arch.layer.mixture->expert_dim;
    config["num_local_experts"] = arch.layer.mixture->experts;
    config["num_experts_per_tok"] = arch.layer.mixture->experts_per_token;
}

}  // namespace

// Mixtral: Mistral's layout with experts in every layer (Jiang et al. 2024).
namespace mixtral {

constexpr DecoderClasses classes = classes_of<"Mixtral">;
constexpr auto experts = std::to_array<Module>({
    {5, "experts", ModuleKind::container, {}, "MixtralExperts"},
    {6, "{e}", ModuleKind::expert, {}, "MixtralBlockSparseTop2MLP"},
    {7, "w1", ModuleKind::linear, Part::expert_gate, {}},
    {7, "w2", ModuleKind::linear, Part::expert_down, {}},
    {7, "w3", ModuleKind::linear, Part::expert_up, {}},
    {6, "act_fn", ModuleKind::activation, {}, {}},
});
constexpr std::array modules = decoder_modules(classes, attention_modules(classes.attention),
                                               mixture_modules("block_sparse_moe", "MixtralSparseMoeBlock"),
                                               router_modules("gate", "MixtralTopKRouter"), experts, norm_modules);

constexpr LlamaType type{.called = {"mixtral", "Mixtral", classes, modules},
                         .usual = {.ffn_dim = 14336, .context = 131072},
                         .kv_heads = 8,
                         .qkv_bias_field = {},
                         .norm = {.epsilon = 1e-5},
                         .window = WindowFields{.has_types = false},
                         .computing = {.rope_base = 1000000},
                         .own = {read_all_local, write_local_experts}};

}  // namespace mixtral

constexpr Family mixtral_family = llama_mixture<mixtral::type>();

// gpt-oss: attention sinks, windows in every other layer, biases everywhere, experts stacked into one tensor each.
namespace gpt_oss {

constexpr DecoderClasses classes = classes_of<"GptOss">;
constexpr std::array modules =
    decoder_modules(classes, attention_modules(classes.attention), mixture_modules("mlp", classes.feed_forward),
                    router_modules("router", "GptOssTopKRouter"),
                    stacked_expert_modules("GptOssExperts", Fusing::alternating), norm_modules);

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.layer.attention.sinks = true;
    arch.layer.feed_forward.bias = true;
    arch.layer.mixture = read_local_experts(reader, arch, {128, 4}, {"num_experts_per_tok", "experts_per_token"});
    arch.layer.mixture->router_bias = true;
}

// A file that says nothing of the scaling means the published models'.
void read_computation(ComputationReader& reader, Computation& computation) {
    if (!reader.says_rope() && reader.arch().positions == Positions::rope) {
        Rope& rope = computation.rope;
        rope.scaling = RopeScaling::yarn;
        rope.factor = 32;
        rope.original_context = 4096;
        rope.truncate = false;
        rope.attention_factor = 0.1 * std::log(rope.factor) + 1;
    }
    if (reader.arch().layer.mixture)
        computation.clamped_gate =
            ClampedGate{.alpha = reader.positive("swiglu_alpha", 1.702), .limit = reader.positive("swiglu_limit", 7)};
}

constexpr LlamaType type{
    .called = {"gpt_oss", "gpt-oss", classes, modules},
    .usual = {.dim = 2880, .ffn_dim = 2880, .layers = 36, .heads = 64, .vocab = 201088, .context = 131072},
    .kv_heads = 8,
    .head_dim = 64,
    .qkv_bias = true,
    .norm = {.epsilon = 1e-5},
    .window = WindowFields{.size = 128, .pattern = 2},
    .computing = {.rope_base = 150000, .rest = read_computation},
    .own = {read_rest, write_local_experts}};

}  // namespace gpt_oss

constexpr Family gpt_oss_family = llama_like<gpt_oss::type>();

// Llama 4, the text part: chunked attention with every so many layers seeing all without positions, experts in every
// so many layers.
namespace llama4 {

constexpr DecoderClasses classes =
    changed(classes_of<"Llama4Text">, [](DecoderClasses& other) { other.causal_lm = "Llama4ForCausalLM"; });

// Before the norms' weights came into it there were none: an edited model's are named by the part.
constexpr auto attention = std::to_array<Module>({
    {4, "self_attn", ModuleKind::container, {}, classes.attention},
    {5, "sinks", ModuleKind::bare, Part::sinks, {}},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "qk_norm", ModuleKind::norm, Part::query_norm, "Llama4TextL2Norm", {}, Part::query_norm},
});

constexpr auto dense = std::to_array<Module>({
    {4, "feed_forward", ModuleKind::container, {}, classes.feed_forward},
    {5, "gate_proj", ModuleKind::linear, Part::gate, {}},
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
    {5, "activation_fn", ModuleKind::activation, {}, {}},
});

constexpr auto expert_activation = std::to_array<Module>({{6, "act_fn", ModuleKind::activation, {}, {}}});

constexpr std::array modules = decoder_modules(
    classes, attention, dense, mixture_modules("feed_forward", "Llama4TextMoe"),
    stacked_expert_modules("Llama4TextExperts"), expert_activation, router_modules("router", "Llama4Router"),
    shared_expert_modules("shared_expert", classes.feed_forward, "activation_fn"), norm_modules);

// Which layers turn queries and keys: a list, or all but every so many. Published files have an empty list.
LayerSet read_rotated(ConfigReader& reader, std::int64_t layers) {
    const nlohmann::json& config = reader.config();
    LayerSet rule = all_but_every(read_step(reader, {"no_rope_layer_interval"}, 4));
    const auto list = config.find("no_rope_layers");
    if (list != config.end() && list->is_array() && list->empty()) return rule;
    return reader.layers_flagged({"no_rope_layers"}, layers).value_or(std::move(rule));
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.qk_norm = reader.flag({"use_qk_norm"}, true) ? QkNorm::plain : QkNorm::none;
    attention.rotated = read_rotated(reader, arch.layers);
    const LayerSet chunked = reader.layers_with({"layer_types"}, "chunked_attention", arch.layers, "full_attention")
                                 .value_or(attention.rotated);
    const std::int64_t size = reader.number({"attention_chunk_size"}, 8192);
    if (chunked.count(arch.layers) > 0) attention.window = AttentionWindow{size, true, chunked};

    Mixture mixture = read_local_experts(reader, arch, {16, 1}, {"num_experts_per_tok"}, {"num_local_experts"});
    mixture.shared_experts = 1;
    mixture.layers = LayerSet::every(read_step(reader, {"interleave_moe_layer_step"}, 1));
    if (std::optional<LayerSet> listed = reader.layers_listed({"moe_layers"}, arch.layers)) mixture.layers = *listed;
    arch.layer.mixture = mixture;
    arch.layer.feed_forward.width = reader.number({"intermediate_size_mlp"}, 16384);
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    config["use_qk_norm"] = attention.qk_norm == QkNorm::plain;
    const LayerSet chunked = attention.window ? attention.window->layers : LayerSet::none();
    if (attention.window) config["attention_chunk_size"] = attention.window->size;
    LayerSet rule = all_but_every(attention.rotated.cycle());
    if (attention.rotated.same_in(rule, arch.layers))
        config["no_rope_layer_interval"] = attention.rotated.cycle();
    else
        config["no_rope_layers"] = flagged(attention.rotated, arch.layers);
    if (!chunked.same_in(attention.rotated, arch.layers))
        config["layer_types"] = worded(chunked, arch.layers, "chunked_attention", "full_attention");
    config["intermediate_size_mlp"] = config["intermediate_size"];
    write_local_experts(config, arch);
    if (!arch.layer.mixture) return;
    const Mixture& mixture = *arch.layer.mixture;
    if (std::optional<std::int64_t> step = step_of(mixture.layers, arch.layers))
        config["interleave_moe_layer_step"] = *step;
    else
        config["moe_layers"] = listed(mixture.layers, arch.layers);
}

void read_computation(ComputationReader& reader, Computation& computation) {
    const QueryTemperature temperature{reader.positive("attn_scale", 0.1), reader.positive("floor_scale", 8192)};
    if (reader.flag("attn_temperature_tuning", true)) computation.query_temperature = temperature;
}

constexpr LlamaType type{
    .called = {"llama4_text", "Llama 4", classes, modules},
    .usual = {.dim = 5120, .ffn_dim = 8192, .layers = 48, .heads = 40, .vocab = 202048, .context = 131072},
    .kv_heads = 8,
    .head_dim = 128,
    .norm = {.epsilon = 1e-5},
    .computing = {.rope_base = 500000,
                  .pairs = RopePairs::neighbours,
                  .routing = {.scores = RouterScores::sigmoid, .on_input = true},
                  .rest = read_computation},
    .own = {read_rest, write_rest}};

}  // namespace llama4

constexpr Family llama4_family = known_to_peft(llama_like<llama4::type>(), {.linear_router = true});

}  // namespace headcount
