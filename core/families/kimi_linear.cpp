// Kimi Linear and Ling 2.6's hybrid: Kimi's delta attention in most layers, latent attention in the others, experts
// behind a few dense layers (transformers, modeling_kimi_linear.py, modeling_bailing_hybrid.py).
#include <nlohmann/json.hpp>

#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace kimi_linear {

constexpr DecoderClasses classes = classes_of<"KimiLinear">, hybrid_classes = classes_of<"BailingHybrid">;

// What both mixers of delta attention have, below the module of that name.
constexpr auto delta_modules(std::string_view mixer, std::string_view class_name, std::string_view output) {
    return std::array<Module, 11>{{
        {4, mixer, ModuleKind::container, {}, class_name},
        {5, "b_proj", ModuleKind::linear, Part::state_write, {}},
        {5, "q_conv1d", ModuleKind::convolution, Part::convolved_query, {}},
        {5, "k_conv1d", ModuleKind::convolution, Part::convolved_key, {}},
        {5, "v_conv1d", ModuleKind::convolution, Part::convolved_value, {}},
        {5, "dt_bias", ModuleKind::bare, Part::step_bias, {}},
        {5, "q_proj", ModuleKind::linear, Part::state_query, {}},
        {5, "k_proj", ModuleKind::linear, Part::state_key, {}},
        {5, "v_proj", ModuleKind::linear, Part::state_value, {}},
        {5, "o_norm", ModuleKind::norm, Part::state_norm, {}},
        {5, output, ModuleKind::linear, Part::state_output, {}},
    }};
}

constexpr std::array<Module, 5> narrow_modules{{
    {5, "A_log", ModuleKind::bare_heads, Part::decay_rate, {}},
    {5, "f_a_proj", ModuleKind::linear, Part::state_step_down, {}},
    {5, "f_b_proj", ModuleKind::linear, Part::state_step, {}},
    {5, "g_a_proj", ModuleKind::linear, Part::state_gate_down, {}},
    {5, "g_b_proj", ModuleKind::linear, Part::state_gate, {}},
}};

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
    decoder_modules(classes, delta_modules("self_attn", "KimiLinearDeltaAttention", "o_proj"), narrow_modules,
                    latent_attention_modules(classes.attention), mixture_of_experts, dense_rest,
                    shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);

// Fields that hold the sizes of delta attention, with a layer's list of words, or a group's rule.
Recurrence delta_attention(std::int64_t heads, std::int64_t head_dim, std::int64_t kernel, std::int64_t rank) {
    return {.state_dim = head_dim,
            .heads = heads,
            .groups = heads,
            .head_dim = head_dim,
            .conv_kernel = kernel,
            .conv_bias = false,
            .kind = RecurrenceKind::kimi_delta,
            .step_rank = rank};
}

// The layers with latent attention as published files list them, from 1 on.
LayerSet listed_from_one(const nlohmann::json& list, std::int64_t layers) {
    return layers_where(layers, [&](std::int64_t layer) {
        return std::ranges::any_of(list, [&](const nlohmann::json& each) { return each == layer + 1; });
    });
}

void read_layers(ConfigReader& reader, Architecture& arch, Recurrence delta, const LayerSet& rule) {
    delta.layers =
        reader.layers_with({"layer_types"}, "linear_attention", arch.layers, "full_attention").value_or(rule);
    if (delta.layers.count(arch.layers) > 0) arch.layer.recurrence = std::move(delta);
}

constexpr Latent sizes{};

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    arch.context = reader.number({"model_max_length", "max_position_embeddings"}, 1048576);
    arch.tied = false;  // whatever the file says
    arch.positions = Positions::none;
    arch.layer.attention.kv_heads.reset();
    arch.layer.attention.latent = read_latent(reader, config, sizes);
    std::int64_t head_dim = reader.number({"linear_head_dim"}, 128), heads = reader.number({"linear_num_heads"}, 32);
    std::int64_t kernel = reader.number({"linear_conv_kernel_dim"}, 4, 2);
    LayerSet rule = layers_where(arch.layers, [](std::int64_t layer) { return layer == 0 || layer % 4 != 0; });
    if (const nlohmann::json* inside = reader.object({"linear_attn_config"})) {
        ConfigReader fields(*inside);
        head_dim = fields.number({"head_dim"}, head_dim);
        heads = fields.number({"num_heads"}, heads);
        kernel = fields.number({"short_conv_kernel_size"}, kernel, 2);
        if (fields.error()) reader.reject("linear_attn_config", fields.error()->what, fields.error()->fix);
        if (const nlohmann::json* layers = said(*inside, "kda_layers")) rule = listed_from_one(*layers, arch.layers);
    }
    read_layers(reader, arch, delta_attention(heads, head_dim, kernel, head_dim), rule);
}

void write_layers(nlohmann::ordered_json& config, const Architecture& arch) {
    const std::optional<Recurrence>& delta = arch.layer.recurrence;
    if (arch.layers <= LayerSet::longest)
        config["layer_types"] =
            worded(delta ? delta->layers : LayerSet::none(), arch.layers, "linear_attention", "full_attention");
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["model_max_length"] = arch.context;
    if (arch.layer.attention.latent) write_latent(config, *arch.layer.attention.latent);
    write_layers(config, arch);
    if (const std::optional<Recurrence>& delta = arch.layer.recurrence) {
        config["linear_head_dim"] = delta->head_dim;
        config["linear_num_heads"] = delta->heads;
        config["linear_conv_kernel_dim"] = delta->conv_kernel;
    }
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

void read_groups(ComputationReader& reader, Computation& computation) {
    computation.latent_norm_epsilon = 1e-6;
    computation.routing.normalized = reader.flag("moe_renormalize", reader.flag("norm_topk_prob", true));
    computation.routing.groups = reader.number("num_expert_group", computation.routing.groups);
    computation.routing.groups_used = reader.number("topk_group", computation.routing.groups_used);
}

constexpr Routing by_sigmoid{
    .scores = RouterScores::sigmoid, .normalized = true, .scaling = 2.446, .group_by_best_two = true};

constexpr LlamaType type{
    .type = "kimi_linear",
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
    .computing = {.routing = by_sigmoid, .routing_scale_field = "routed_scaling_factor", .rest = read_groups},
    .padding = 163839,
    .read_rest = read,
    .write_rest = write};

// Ling's hybrid: no bottlenecks in delta attention, queries of latent attention straight from the width, and a gate on
// what its heads find.
constexpr std::array<Module, 3> straight_modules{{
    {5, "A_log", ModuleKind::bare, Part::decay_rate, {}},
    {5, "f_proj", ModuleKind::linear, Part::state_step, {}},
    {5, "g_proj", ModuleKind::linear, Part::state_gate, {}},
}};
constexpr std::array<Module, 7> gated_latent_modules{{
    {4, "attention", ModuleKind::container, {}, hybrid_classes.attention},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "kv_a_proj_with_mqa", ModuleKind::linear, Part::latent_down, {}},
    {5, "kv_a_layernorm", ModuleKind::norm, Part::latent_norm, {}},
    {5, "kv_b_proj", ModuleKind::linear, Part::latent_up, {}},
    {5, "dense", ModuleKind::linear, Part::attention_output, {}},
    {5, "g_proj", ModuleKind::linear, Part::attention_gate, {}},
}};
constexpr auto hybrid_model = [] {
    auto own = model_modules(hybrid_classes);
    own[2].name = "word_embeddings";
    return own;
}();
constexpr std::array<Module, 1> hybrid_correction{
    {{5, "gate.expert_bias", ModuleKind::buffer, Part::router_correction, {}}}};
constexpr std::array hybrid_modules =
    join(hybrid_model, delta_modules("attention", "BailingHybridDeltaAttention", "dense"), straight_modules,
         gated_latent_modules, gated_modules(hybrid_classes.feed_forward), mixture_modules("mlp", "BailingHybridMoE"),
         expert_modules("BailingHybridExperts", hybrid_classes.feed_forward),
         router_modules("gate", "BailingHybridTopkRouter"), hybrid_correction,
         shared_expert_modules("shared_experts", hybrid_classes.feed_forward, "act_fn"), norm_modules,
         output_modules(hybrid_classes.rotary));

void read_hybrid(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    arch.context = reader.number({"model_max_length", "max_position_embeddings"}, 262144);
    arch.tied = false;  // whatever the file says
    attention.kv_heads.reset();
    attention.latent = read_latent(reader, config, sizes);
    attention.latent->query_rank.reset();  // whatever the file says
    attention.output_gate = attention.gate_by_head = true;
    const std::int64_t step = read_step(reader, {"layer_group_size"}, 6);
    read_layers(reader, arch,
                delta_attention(attention.heads, reader.number({"head_dim"}, 128),
                                reader.number({"short_conv_kernel_size"}, 4, 2), 0),
                all_but_every(step));
}

void write_hybrid(nlohmann::ordered_json& config, const Architecture& arch) {
    config["model_max_length"] = arch.context;
    if (arch.layer.attention.latent) write_latent(config, *arch.layer.attention.latent);
    write_layers(config, arch);
    if (const std::optional<Recurrence>& delta = arch.layer.recurrence) {
        config["head_dim"] = delta->head_dim;
        config["short_conv_kernel_size"] = delta->conv_kernel;
    }
}

constexpr LlamaType hybrid = [] {
    LlamaType other = type;
    other.type = "bailing_hybrid";
    other.name = "Ling hybrid";
    other.classes = hybrid_classes;
    other.modules = hybrid_modules;
    other.dim = 2560;
    other.ffn_dim = 6144;
    other.layers = 42;
    other.vocab = 157184;
    other.norm.epsilon = 1e-6;
    other.mixture->experts = 512;
    other.mixture->width = 768;
    other.mixture->dense_first = 2;
    other.computing.rope_base = 6000000;
    other.computing.routing.scaling = 2.5;
    other.computing.routing.groups = 8;
    other.computing.routing.groups_used = 4;
    other.computing.rest = [](ComputationReader& reader, Computation& computation) {
        read_groups(reader, computation);
        reader.reject("kda_safe_gate", "how far states of this type fade at most is not computed here",
                      "count it; Kimi Linear runs");
    };
    other.padding = 156892;
    other.read_rest = read_hybrid;
    other.write_rest = write_hybrid;
    return other;
}();

// Read by `computation`, or of layers that predict further tokens, which transformers reads past.
constexpr std::array ignored =
    std::to_array<std::string_view>({"kda_lower_bound", "kda_safe_gate", "moe_renormalize", "mtp_loss_scaling_factor",
                                     "num_expert_group", "num_nextn_predict_layers", "q_lora_rank", "mla_use_nope",
                                     "moe_router_activation_func", "moe_layer_freq", "use_grouped_topk"});

template <const Family& family, const LlamaType& type>
constexpr Family with_fields_read_past() {
    Family made = llama_like<family, type>();
    made.ignored = ignored;
    return made;
}

}  // namespace kimi_linear

constexpr Family kimi_linear_family = kimi_linear::with_fields_read_past<kimi_linear_family, kimi_linear::type>();
constexpr Family bailing_hybrid_family =
    kimi_linear::with_fields_read_past<bailing_hybrid_family, kimi_linear::hybrid>();

}  // namespace headcount
