// Mamba and Falcon Mamba: a state for each column in every layer, and no feed-forward; and Jamba, which has attention
// in some layers and experts in some (transformers, modeling_mamba.py, modeling_falcon_mamba.py, modeling_jamba.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace mamba {

// Of all three, but for where its norms are.
constexpr auto mixer_modules(std::string_view name, std::string_view mixer) {
    return std::to_array<Module>({
        {4, name, ModuleKind::container, {}, mixer},
        {5, "A_log", ModuleKind::bare, Part::decay_rate, {}},
        {5, "D", ModuleKind::bare, Part::state_skip, {}},
        {5, "conv1d", ModuleKind::convolution, Part::convolved_value, {}},
        {5, "act", ModuleKind::activation, {}, {}},
        {5, "in_proj", ModuleKind::linear, {Part::state_value, Part::state_gate}, {}},
        {5, "x_proj", ModuleKind::linear, {Part::state_step_down, Part::state_key, Part::state_query}, {}},
        {5, "dt_proj", ModuleKind::linear, Part::state_step, {}},
        {5, "out_proj", ModuleKind::linear, Part::state_output, {}},
        {5, "dt_layernorm", ModuleKind::norm, Part::state_step_norm, {}},
        {5, "b_layernorm", ModuleKind::norm, Part::state_key_norm, {}},
    });
}
constexpr auto query_norm = std::to_array<Module>({{5, "c_layernorm", ModuleKind::norm, Part::state_query_norm, {}}});

constexpr auto modules_of(std::string_view causal_lm, std::string_view model, std::string_view block,
                          std::string_view mixer) {
    return join(std::to_array<Module>({
                    {0, "", ModuleKind::container, {}, causal_lm},
                    {1, "backbone", ModuleKind::container, {}, model},
                    {2, "embeddings", ModuleKind::embedding, Part::token_embedding, {}},
                    {2, "layers", ModuleKind::container, {}, "ModuleList"},
                    {3, "{i}", ModuleKind::layer, {}, block},
                    {4, "norm", ModuleKind::norm, Part::attention_norm, {}},
                }),
                mixer_modules("mixer", mixer), query_norm,
                std::to_array<Module>({
                    {2, "norm_f", ModuleKind::norm, Part::final_norm, {}},
                    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
                }));
}

constexpr std::array own_modules = modules_of("MambaForCausalLM", "MambaModel", "MambaBlock", "MambaMixer");
constexpr std::array falcon_modules =
    modules_of("FalconMambaForCausalLM", "FalconMambaModel", "FalconMambaBlock", "FalconMambaMixer");

struct Fields {
    std::string_view state, kernel, conv_bias, bias, expand, rank, width{};  // the last overrules how often the width
};
constexpr Fields own{"state_size", "conv_kernel",    "use_conv_bias",    "use_bias",
                     "expand",     "time_step_rank", "intermediate_size"};
constexpr Fields jamba{"mamba_d_state",   "mamba_d_conv", "mamba_conv_bias",
                       "mamba_proj_bias", "mamba_expand", "mamba_dt_rank"};

Recurrence read_mixer(ConfigReader& reader, std::int64_t dim, const Fields& fields) {
    Recurrence recurrence{.state_dim = reader.number({fields.state}, 16),
                          .heads = 1,
                          .groups = 1,
                          .head_dim = 1,
                          .conv_kernel = reader.number({fields.kernel}, 4),
                          .conv_bias = reader.flag({fields.conv_bias}, true),
                          .bias = reader.flag({fields.bias}, false),
                          .norm = false,
                          .kind = RecurrenceKind::mamba,
                          .layers = {}};
    recurrence.output_bias = recurrence.bias;
    const std::optional<std::int64_t> wide = checked_multiply(reader.number({fields.expand}, 2), dim);
    if (!wide) reader.reject(fields.expand, "so many times the width does not fit in 64 bits", "give a smaller number");
    recurrence.heads = wide.value_or(1);
    if (!fields.width.empty()) recurrence.heads = reader.number({fields.width}, recurrence.heads);
    // Rounded up.
    const std::int64_t rule = (dim - 1) / 16 + 1;
    const nlohmann::json* rank = said(reader.config(), fields.rank);
    const bool by_rule = rank && *rank == "auto";
    recurrence.step_rank = by_rule ? rule : reader.number({fields.rank}, rule);
    if (by_rule) reader.text({fields.rank}, "");  // read, and so not carried
    return recurrence;
}

void write_mixer(nlohmann::ordered_json& config, const Architecture& arch, const Fields& fields) {
    // Without states it must still be read again, and then differs.
    const Recurrence recurrence = arch.layer.recurrence.value_or(Recurrence{.heads = arch.dim, .head_dim = 1});
    config[fields.state] = recurrence.state_dim;
    config[fields.kernel] = recurrence.conv_kernel;
    config[fields.conv_bias] = recurrence.conv_bias;
    config[fields.bias] = recurrence.bias && recurrence.output_bias;
    config[fields.expand] = std::max<std::int64_t>(1, recurrence.heads / arch.dim);
    if (!fields.width.empty()) config[fields.width] = recurrence.heads;
    config[fields.rank] = recurrence.step_rank;
}

template <InnerNorms norms>
void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.layer.recurrence = read_mixer(reader, arch.dim, own);
    arch.layer.recurrence->inner_norms = norms;
    set_absent_parts(arch.layer, arch.dim, 64);
}

constexpr ComputationType falcon_computing{.rest = [](ComputationReader& reader, Computation& computation) {
    computation.inner_norm_epsilon = reader.positive("mixer_rms_eps", 1e-6);
}};

// How training starts, and in which pieces the sum over tokens is made; and what the first files say to their own code.
constexpr std::string_view ignored =
    "d_inner d_model fused_add_norm mixer_rms_eps n_layer pad_vocab_size_multiple rescale_prenorm_residual "
    "residual_in_fp32 rms_norm ssm_cfg time_step_floor time_step_init_scheme time_step_max time_step_min "
    "time_step_scale use_associative_scan use_falcon_mambapy use_mambapy";

constexpr PlainType type{
    .called = {"mamba", "Mamba", own_modules},
    .words = state_words,
    .usual = {.dim = 768, .layers = 32, .vocab = 50280, .context = 2048},
    .activation = "silu",
    .norm = {.epsilon = 1e-5},
    .gated = true,
    .biases = false,
    .positions = Positions::none,
    .own = {read_rest<InnerNorms::none>, [](auto& config, const auto& arch) { write_mixer(config, arch, own); }},
    .rest = {.norm_class = "MambaRMSNorm()", .ignored = ignored}};
constexpr PlainType falcon_type = changed(type, [](PlainType& other) {
    other.called = {"falcon_mamba", "Falcon Mamba", falcon_modules};
    other.computing = falcon_computing;
    other.own.read = read_rest<InnerNorms::plain>;
    other.rest.norm_class = "FalconMambaRMSNorm()";
});

}  // namespace mamba

constexpr Family mamba_family = known_to_peft(plain_family<mamba::type>(), {.fused_states = true});
constexpr Family falcon_mamba_family = known_to_peft(plain_family<mamba::falcon_type>(), {.fused_states = true});

namespace jamba {

constexpr DecoderClasses classes = classes_of<"Jamba">;
constexpr std::array modules =
    join(model_modules(classes), attention_modules(classes.attention), mamba::mixer_modules("mamba", "JambaMambaMixer"),
         mamba::query_norm,
         std::to_array<Module>({
             {4, "feed_forward", ModuleKind::container, {}, "JambaMLP"},
             {5, "gate_proj", ModuleKind::linear, Part::gate, {}},
             {5, "up_proj", ModuleKind::linear, Part::up, {}},
             {5, "down_proj", ModuleKind::linear, Part::down, {}},
             {5, "act_fn", ModuleKind::activation, {}, {}},
         }),
         mixture_modules("feed_forward", "JambaSparseMoeBlock"), router_modules("router", "JambaTopKRouter"),
         expert_modules("JambaExperts", "JambaMLP"),
         std::to_array<Module>({
             {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
             {4, "pre_ff_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
             {2, "final_layernorm", ModuleKind::norm, Part::final_norm, {}},
             {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
         }));

// One of each so many layers, from this one on.
LayerSet read_period(ConfigReader& reader, std::int64_t layers, std::string_view period, std::string_view offset,
                     std::int64_t every, std::int64_t first) {
    const std::int64_t step = read_step(reader, {period}, every), from = reader.number({offset}, first, 0);
    if (from < step) return layers_where(layers, [&](std::int64_t layer) { return layer % step == from; });
    reader.reject(offset, std::to_string(from) + " is not below " + std::to_string(step), "give a smaller number");
    return {};
}

// From the first of such layers to the next; where there is no next, behind all.
void write_period(nlohmann::ordered_json& config, const LayerSet& layers, std::int64_t count, std::string_view period,
                  std::string_view offset) {
    const auto from = [&](std::int64_t layer) {
        while (layer < count && !layers.contains(layer)) ++layer;
        return layer;
    };
    const std::int64_t first = from(0), next = from(first + 1);
    config[period] = std::max(first + 1, next - first);
    config[offset] = first;
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.positions = Positions::none;
    const LayerSet attention = read_period(reader, arch.layers, "attn_layer_period", "attn_layer_offset", 8, 4);
    Recurrence recurrence = mamba::read_mixer(reader, arch.dim, mamba::jamba);
    recurrence.inner_norms = InnerNorms::trained;
    recurrence.layers = without({}, attention, arch.layers);
    if (recurrence.layers.count(arch.layers) > 0) arch.layer.recurrence = std::move(recurrence);
    arch.layer.mixture->layers = read_period(reader, arch.layers, "expert_layer_period", "expert_layer_offset", 2, 1);
    if (arch.layer.mixture->experts == 1) arch.layer.mixture.reset();
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const LayerSet states = arch.layer.recurrence ? arch.layer.recurrence->layers : LayerSet::none();
    write_period(config, without({}, states, arch.layers), arch.layers, "attn_layer_period", "attn_layer_offset");
    if (arch.layer.mixture)
        write_period(config, arch.layer.mixture->layers, arch.layers, "expert_layer_period", "expert_layer_offset");
    else
        config["num_experts"] = 1;
    mamba::write_mixer(config, arch, mamba::jamba);
}

constexpr LlamaType type{.called = {"jamba", "Jamba", classes, modules},
                         .usual = {.ffn_dim = 14336, .vocab = 65536, .context = 262144},
                         .kv_heads = 8,
                         .qkv_bias_field = {},
                         .mixture = MixtureType{.width_field = {}, .experts = 16},
                         .computing = {.routing = {.scores = RouterScores::softmax}},
                         .padding = 0,
                         .own = {read_rest, write_rest}};

}  // namespace jamba

constexpr Family jamba_family = changed(llama_like<jamba::type>(), [](Family& made) {
    made.ignored =
        "calc_logits_for_entire_prompt mamba_inner_layernorms num_logits_to_keep use_associative_scan "
        "use_mamba_kernels use_mambapy";
});

}  // namespace headcount
