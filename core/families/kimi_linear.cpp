// Kimi Linear (Moonshot AI 2025): Kimi's delta attention in most layers, which
// is counted and not computed, latent attention in the others, experts behind a
// few dense layers (transformers, modeling_kimi_linear.py).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace kimi_linear {

constexpr DecoderClasses classes = classes_of<"KimiLinear">;

constexpr std::array<Module, 10> mixture_of_experts{{
    {4, "block_sparse_moe", ModuleKind::container, {}, "KimiLinearMoE"},
    {5, "experts", ModuleKind::container, {}, "KimiLinearExperts"},
    {6, "{e}", ModuleKind::expert, {}, "KimiLinearMLP"},
    {7, "w1", ModuleKind::linear, Part::expert_gate, {}},
    {7, "w3", ModuleKind::linear, Part::expert_up, {}},
    {7, "w2", ModuleKind::linear, Part::expert_down, {}},
    {5, "gate", ModuleKind::linear, Part::router, "KimiLinearTopkRouter"},
    {5, "gate.e_score_correction_bias", ModuleKind::buffer, Part::router_correction, {}},
    {4, "block_sparse_moe", ModuleKind::container, {}, "KimiLinearMLP"},
    {5, "gate_proj", ModuleKind::linear, Part::gate, {}},
}};
constexpr std::array<Module, 3> dense_rest{{
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
    {5, "act_fn", ModuleKind::activation, {}, {}},
}};
constexpr std::array modules =
    decoder_modules(classes, latent_attention_modules(classes.attention), mixture_of_experts, dense_rest,
                    shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);

// The layers as published files list them, from 1 on.
LayerSet listed_from_one(const nlohmann::json& list, std::int64_t layers) {
    return layers_where(layers, [&](std::int64_t layer) {
        return std::ranges::any_of(list, [&](const nlohmann::json& each) { return each == layer + 1; });
    });
}

constexpr Latent sizes{};
constexpr std::array numbers =
    std::to_array<std::string_view>({"linear_conv_kernel_dim", "linear_head_dim", "linear_num_heads"});

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    arch.context = reader.number({"model_max_length", "max_position_embeddings"}, 1048576);
    arch.tied = false;  // whatever the file says
    arch.positions = Positions::none;
    arch.layer.attention.kv_heads.reset();
    arch.layer.attention.latent = read_latent(reader, config, sizes);
    LayerSet rule = layers_where(arch.layers, [](std::int64_t layer) { return layer > 0 && layer % 4 == 0; });
    if (const nlohmann::json* inside = reader.object({"linear_attn_config"})) {
        reader.carry("linear_attn_config");
        ConfigReader fields(*inside);
        for (const char* const field : {"head_dim", "num_heads", "short_conv_kernel_size"}) fields.number({field}, 1);
        if (fields.error()) reader.reject("linear_attn_config", fields.error()->what, fields.error()->fix);
        const nlohmann::json *delta = said(*inside, "kda_layers"), *full = said(*inside, "full_attn_layers");
        if (delta && full) rule = listed_from_one(*full, arch.layers);
    }
    const std::optional<LayerSet> said_so =
        reader.layers_with({"layer_types"}, "full_attention", arch.layers, "linear_attention");
    arch.layer.mixer_layers = said_so.value_or(rule);
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["model_max_length"] = arch.context;
    if (arch.layer.attention.latent) write_latent(config, *arch.layer.attention.latent);
    if (arch.layers <= LayerSet::longest)
        config["layer_types"] = worded(arch.layer.mixer_layers, arch.layers, "full_attention", "linear_attention");
}

// Kimi's delta attention: a state of each head whose rows fade each by itself,
// with its norm.
std::vector<Extra> besides(const Architecture& arch) {
    Besides besides(arch);
    const nlohmann::json* inside = said(arch.carried.object(), "linear_attn_config");
    const auto size = [&](std::string_view field, const char* in_object, std::int64_t otherwise) {
        const std::int64_t given = besides.number(field, otherwise);
        return inside && inside->is_object() ? ConfigReader(*inside).number({in_object}, given) : given;
    };
    const std::int64_t head = size("linear_head_dim", "head_dim", 128),
                       heads = size("linear_num_heads", "num_heads", 32);
    const std::int64_t kernel = size("linear_conv_kernel_dim", "short_conv_kernel_size", 4);
    const Expr columns = Expr(heads) * head;
    const LayerSet delta = without({}, arch.layer.mixer_layers, arch.layers);
    besides.in_layers(Extra::Place::norm, delta)
        .norm("input_layernorm", Symbol::dim)
        .in_layers(Extra::Place::attention, delta);
    for (const char* const each : {"q", "k", "v"}) {
        const std::string name = std::string("self_attn.") + each;
        besides.linear(name + "_proj", columns, Symbol::dim).add(name + "_conv1d.weight", {columns, 1, kernel});
    }
    for (const char* const each : {"f", "g"}) {
        const std::string name = std::string("self_attn.") + each;
        besides.linear(name + "_a_proj", head, Symbol::dim).linear(name + "_b_proj", columns, head);
    }
    return besides.linear("self_attn.b_proj", heads, Symbol::dim)
        .add("self_attn.A_log", {1, 1, heads, 1})
        .add("self_attn.dt_bias", {columns})
        .norm("self_attn.o_norm", head)
        .linear("self_attn.o_proj", Symbol::dim, columns)
        .take();
}

constexpr MixtureType experts{.experts_field = {"num_experts", "num_local_experts", "n_routed_experts"},
                              .per_token_field = {"num_experts_per_token", "num_experts_per_tok"},
                              .shared_field = {"num_shared_experts", "n_shared_experts"},
                              .dense_first_field = {"first_k_dense_replace"},
                              .has_types = true,
                              .experts = 256,
                              .experts_per_token = 8,
                              .width = 1024,
                              .shared = 1,
                              .dense_first = 1,
                              .correction_bias = true,
                              .expert_bias = false};

constexpr std::array ignored = std::to_array<std::string_view>(
    {"linear_attn_config", "linear_conv_kernel_dim", "linear_head_dim", "linear_num_heads", "mla_use_nope",
     "moe_layer_freq", "moe_renormalize", "moe_router_activation_func", "num_expert_group", "num_nextn_predict_layers",
     "use_grouped_topk"});
constexpr LlamaType type{.type = "kimi_linear",
                         .name = "Kimi Linear",
                         .classes = classes,
                         .modules = modules,
                         .dim = 2304,
                         .ffn_dim = 9216,
                         .layers = 27,
                         .vocab = 163840,
                         .head_dim_field = {},
                         .norm = {.epsilon = 1e-5},
                         .mixture = experts,
                         .computing = {.refused = "Kimi's delta attention"},
                         .padding = 163839,
                         .numbers = numbers,
                         .ignored = ignored,
                         .besides = besides,
                         .read_rest = read,
                         .write_rest = write};

}  // namespace kimi_linear

constexpr Family kimi_linear_family = llama_like<kimi_linear_family, kimi_linear::type>();

}  // namespace headcount
