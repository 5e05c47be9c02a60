// Llama 4, the text part: chunked attention with every so many layers seeing all without positions, experts in every
// so many layers (transformers, modeling_llama4.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/local_experts.hpp"
#include "core/families/mixture_layout.hpp"

namespace headcount {
namespace llama4 {

constexpr std::array<Module, 1> key_query_norm{{
    {5, "qk_norm", ModuleKind::norm, Part::query_norm, "Llama4TextL2Norm", {}, Part::query_norm},
}};

// Before the norms' weights came into it there were none: an edited model's are named by the part.
constexpr std::array<Module, 6> attention_modules{{
    {4, "self_attn", ModuleKind::container, {}, "Llama4TextAttention"},
    {5, "sinks", ModuleKind::bare, Part::sinks, {}},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
}};

constexpr std::array<Module, 5> dense_modules{{
    {4, "feed_forward", ModuleKind::container, {}, "Llama4TextMLP"},
    {5, "gate_proj", ModuleKind::linear, Part::gate, {}},
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
    {5, "activation_fn", ModuleKind::activation, {}, {}},
}};

constexpr std::array<Module, 1> expert_activation{{{6, "act_fn", ModuleKind::activation, {}, {}}}};

constexpr std::array modules =
    join(model_modules("Llama4ForCausalLM", "Llama4TextModel", "Llama4TextDecoderLayer"), attention_modules,
         key_query_norm, dense_modules, mixture_modules("feed_forward", "Llama4TextMoe"),
         stacked_expert_modules("Llama4TextExperts"), expert_activation, router_modules("router", "Llama4Router"),
         shared_expert_modules("shared_expert", "Llama4TextMLP", "activation_fn"), norm_modules,
         output_modules("Llama4TextRotaryEmbedding"));

// Which layers turn queries and keys: a list, or all but every so many. Published files have an empty list.
LayerSet read_rotated(ConfigReader& reader, const nlohmann::json& config, std::int64_t layers) {
    LayerSet rule = all_but_every(read_step(reader, {"no_rope_layer_interval"}, 4));
    const auto list = config.find("no_rope_layers");
    if (list != config.end() && list->is_array() && list->empty()) return rule;
    return reader.layers_flagged({"no_rope_layers"}, layers).value_or(std::move(rule));
}

void read_attention(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.qk_norm = reader.flag({"use_qk_norm"}, true) ? QkNorm::plain : QkNorm::none;
    attention.rotated = read_rotated(reader, config, arch.layers);
    const LayerSet chunked = reader.layers_with({"layer_types"}, "chunked_attention", arch.layers, "full_attention")
                                 .value_or(attention.rotated);
    const std::int64_t size = reader.number({"attention_chunk_size"}, 8192);
    if (chunked.count(arch.layers) > 0) attention.window = AttentionWindow{size, true, chunked};
}

constexpr LlamaType type{.class_name = "Llama4ForCausalLM",
                         .dim = 5120,
                         .ffn_dim = 8192,
                         .layers = 48,
                         .heads = 40,
                         .kv_heads = 8,
                         .head_dim = 128,
                         .vocab = 202048,
                         .context = 131072,
                         .norm = {.epsilon = 1e-5}};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, llama4_family(), type);
    read_attention(reader, config, arch);
    Mixture mixture;
    mixture.experts = reader.number({"num_local_experts"}, 16);
    mixture.experts_per_token = reader.number({"num_experts_per_tok"}, 1);
    mixture.expert_dim = std::get<std::int64_t>(arch.layer.feed_forward.width);
    mixture.shared_experts = 1;
    mixture.layers = LayerSet::every(read_step(reader, {"interleave_moe_layer_step"}, 1));
    if (std::optional<LayerSet> listed = reader.layers_listed({"moe_layers"}, arch.layers)) mixture.layers = *listed;
    arch.layer.mixture = mixture;
    arch.layer.feed_forward.width = reader.number({"intermediate_size_mlp"}, 16384);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
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
    if (!arch.layer.mixture) return config;
    write_local_experts(config, arch);
    const Mixture& mixture = *arch.layer.mixture;
    if (std::optional<std::int64_t> step = step_of(mixture.layers, arch.layers))
        config["interleave_moe_layer_step"] = *step;
    else
        config["moe_layers"] = listed(mixture.layers, arch.layers);
    return config;
}

Result<Computation> computation(const Architecture& arch) {
    ComputationReader reader(arch);
    Computation computation = reader.read({.rope_base = 500000,
                                           .pairs = RopePairs::neighbours,
                                           .routing = {.scores = RouterScores::sigmoid, .on_input = true}});
    const QueryTemperature temperature{reader.positive("attn_scale", 0.1), reader.positive("floor_scale", 8192)};
    if (reader.flag("attn_temperature_tuning", true)) computation.query_temperature = temperature;
    return reader.finish(std::move(computation));
}

constexpr Family family{"llama4_text", "Llama 4", "Llama4TextRMSNorm", "model", modules, read, write, computation};

}  // namespace llama4

const Family& llama4_family() {
    return llama4::family;
}

}  // namespace headcount
