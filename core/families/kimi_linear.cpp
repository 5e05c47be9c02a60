// Kimi Linear (Moonshot AI 2025): Kimi's delta attention in most layers, latent
// attention in the others, experts behind a few dense layers (transformers, modeling_kimi_linear.py).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace kimi_linear {

constexpr DecoderClasses classes = classes_of<"KimiLinear">;

constexpr auto mixture_of_experts = std::to_array<Module>({
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
});
constexpr auto dense_rest = std::to_array<Module>({
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
    {5, "act_fn", ModuleKind::activation, {}, {}},
});
constexpr auto delta_modules = std::to_array<Module>({
    {4, "self_attn", ModuleKind::container, {}, "KimiLinearDeltaAttention"},
    {5, "A_log", ModuleKind::bare_heads, Part::decay_rate, {}},
    {5, "dt_bias", ModuleKind::bare, Part::step_bias, {}},
    {5, "q_proj", ModuleKind::linear, Part::state_query, {}},
    {5, "k_proj", ModuleKind::linear, Part::state_key, {}},
    {5, "v_proj", ModuleKind::linear, Part::state_value, {}},
    {5, "q_conv1d", ModuleKind::convolution, Part::convolved_query, {}},
    {5, "k_conv1d", ModuleKind::convolution, Part::convolved_key, {}},
    {5, "v_conv1d", ModuleKind::convolution, Part::convolved_value, {}},
    {5, "f_a_proj", ModuleKind::linear, Part::state_step_down, {}},
    {5, "f_b_proj", ModuleKind::linear, Part::state_step, {}},
    {5, "b_proj", ModuleKind::linear, Part::state_write, {}},
    {5, "g_a_proj", ModuleKind::linear, Part::state_gate_down, {}},
    {5, "g_b_proj", ModuleKind::linear, Part::state_gate, {}},
    {5, "o_norm", ModuleKind::norm, Part::state_norm, "KimiLinearRMSNormGated"},
    {5, "o_proj", ModuleKind::linear, Part::state_output, {}},
});
constexpr std::array modules =
    decoder_modules(classes, latent_attention_modules(classes.attention), delta_modules, mixture_of_experts, dense_rest,
                    shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);

// The layers as published files list them, from 1 on.
LayerSet listed_from_one(const nlohmann::json& list, std::int64_t layers) {
    return layers_where(layers, [&](std::int64_t layer) {
        return std::ranges::any_of(list, [&](const nlohmann::json& each) { return each == layer + 1; });
    });
}

constexpr Latent sizes{};
void read(ConfigReader& reader, Architecture& arch) {
    arch.context = reader.number({"model_max_length", "max_position_embeddings"}, 1048576);
    arch.tied = false;  // whatever the file says
    arch.positions = Positions::none;
    arch.layer.attention.kv_heads.reset();
    arch.layer.attention.latent = read_latent(reader, sizes);
    LayerSet rule = layers_where(arch.layers, [](std::int64_t layer) { return layer > 0 && layer % 4 == 0; });
    Recurrence delta_rule{.state_dim = reader.number({"linear_head_dim"}, 128),
                          .heads = reader.number({"linear_num_heads"}, 32),
                          .conv_kernel = reader.number({"linear_conv_kernel_dim"}, 4, 2),
                          .conv_bias = false,
                          .kind = RecurrenceKind::kimi_delta};
    if (const nlohmann::json* inside = reader.object({"linear_attn_config"})) {
        ConfigReader fields(*inside);
        delta_rule.state_dim = fields.number({"head_dim"}, delta_rule.state_dim);
        delta_rule.heads = fields.number({"num_heads"}, delta_rule.heads);
        delta_rule.conv_kernel = fields.number({"short_conv_kernel_size"}, delta_rule.conv_kernel, 2);
        if (fields.error()) reader.reject("linear_attn_config", fields.error()->what, fields.error()->fix);
        const nlohmann::json *delta = said(*inside, "kda_layers"), *full = said(*inside, "full_attn_layers");
        if (delta && full) rule = listed_from_one(*full, arch.layers);
    }
    const std::optional<LayerSet> said_so =
        reader.layers_with({"layer_types"}, "full_attention", arch.layers, "linear_attention");
    delta_rule.layers = without({}, said_so.value_or(rule), arch.layers);
    delta_rule.head_dim = delta_rule.step_rank = delta_rule.state_dim;
    if (delta_rule.layers.count(arch.layers) > 0) arch.layer.recurrence = std::move(delta_rule);
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["model_max_length"] = arch.context;
    if (arch.layer.attention.latent) write_latent(config, *arch.layer.attention.latent);
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    if (arch.layers <= LayerSet::longest)
        config["layer_types"] = worded(recurrence ? recurrence->layers : LayerSet::none(), arch.layers,
                                       "linear_attention", "full_attention");
    if (!recurrence) return;
    config["linear_head_dim"] = recurrence->state_dim;
    config["linear_num_heads"] = recurrence->heads;
    config["linear_conv_kernel_dim"] = recurrence->conv_kernel;
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

// As DeepSeek V3's router chooses.
constexpr ComputationType computing{
    .routing = {.scores = RouterScores::sigmoid, .normalized = true, .scaling = 2.446, .group_by_best_two = true},
    .normalizes = true,
    .grouped = true,
    .routing_scale_field = "routed_scaling_factor",
    .rest = [](ComputationReader& reader, Computation& computation) {
        if (reader.text("moe_router_activation_func", "sigmoid") != "sigmoid")
            reader.reject("moe_router_activation_func", "a function of the router's scores that is not computed here",
                          "use sigmoid");
        computation.latent_norm_epsilon = 1e-6;
    }};

constexpr LlamaType type{.called = {"kimi_linear", "Kimi Linear", classes, modules},
                         .usual = {.dim = 2304, .ffn_dim = 9216, .layers = 27, .vocab = 163840},
                         .head_dim_field = {},
                         .norm = {.epsilon = 1e-5},
                         .mixture = experts,
                         .computing = computing,
                         .padding = 163839,
                         .ignored =
                             "mla_use_nope moe_layer_freq moe_renormalize moe_router_activation_func num_expert_group "
                             "num_nextn_predict_layers use_grouped_topk",
                         .own = {read, write}};

}  // namespace kimi_linear

constexpr Family kimi_linear_family = llama_like<kimi_linear::type>();

}  // namespace headcount
