// OLMo Hybrid: OLMo 2's attention in every fourth layer, a state that the gated delta rule writes in the others, whose
// norms stand before their sub-blocks (transformers, modeling_olmo_hybrid.py). Modules are called as transformers does;
// published files cut the convolution in three, and have other names for norms.
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace olmo_hybrid {

constexpr DecoderClasses classes = classes_of<"OlmoHybrid">;
constexpr auto state_modules = std::to_array<Module>({
    {4, "linear_attn", ModuleKind::container, {}, "OlmoHybridGatedDeltaNet"},
    {5, "A_log", ModuleKind::bare, Part::decay_rate, {}},
    {5, "dt_bias", ModuleKind::bare, Part::step_bias, {}},
    {5, "q_proj", ModuleKind::linear, Part::state_query, {}},
    {5, "k_proj", ModuleKind::linear, Part::state_key, {}},
    {5, "v_proj", ModuleKind::linear, Part::state_value, {}},
    {5, "a_proj", ModuleKind::linear, Part::state_step, {}},
    {5, "b_proj", ModuleKind::linear, Part::state_write, {}},
    {5, "g_proj", ModuleKind::linear, Part::state_gate, {}},
    {5, "o_proj", ModuleKind::linear, Part::state_output, {}},
    in_pieces(
        {5, "conv1d", ModuleKind::convolution, {Part::convolved_query, Part::convolved_key, Part::convolved_value}, {}},
        {"q_conv1d", "k_conv1d", "v_conv1d"}),
    {5, "o_norm", ModuleKind::norm, Part::state_norm, {}},
});
constexpr std::array modules = decoder_modules(classes, attention_modules(classes.attention), state_modules,
                                               gated_modules(classes.feed_forward), norm_modules);

// All but every fourth; of fewer layers than four all but the last.
LayerSet usual_layers(std::int64_t layers) {
    constexpr std::int64_t step = 4;
    return layers >= step ? all_but_every(step)
                          : layers_where(layers, [&](std::int64_t layer) { return layer + 1 < layers; });
}

// Published files say a rope_theta of null where nothing turns queries and keys.
bool says_no_rope(const nlohmann::json& config) {
    const nlohmann::json* rope = said(config, "rope_parameters");
    return rope && rope->is_object() && rope->contains("rope_theta") && (*rope)["rope_theta"].is_null();
}

void read(ConfigReader& reader, Architecture& arch) {
    if (says_no_rope(reader.config())) arch.positions = Positions::none;
    const std::int64_t heads = arch.layer.attention.heads, groups = reader.number({"linear_num_key_heads"}, heads);
    const std::int64_t key =
        reader.number({"linear_key_head_dim"}, std::max<std::int64_t>(1, arch.dim * 3 / 4 / groups));
    Recurrence recurrence{
        .state_dim = key,
        .heads = reader.number({"linear_num_value_heads"}, heads),
        .groups = groups,
        .head_dim = reader.number({"linear_value_head_dim"}, 2 * key),
        .conv_kernel = reader.number({"linear_conv_kernel_dim"}, 4, 2),
        .conv_bias = false,
        .norms_first = true,
        .kind = RecurrenceKind::gated_delta,
        .layers = reader.layers_with({"layer_types"}, "linear_attention", arch.layers, "full_attention")
                      .value_or(usual_layers(arch.layers))};
    if (recurrence.layers.count(arch.layers) > 0) arch.layer.recurrence = std::move(recurrence);
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    if (arch.positions == Positions::none) config["rope_parameters"] = {{"rope_theta", nullptr}};
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    if (arch.layers <= LayerSet::longest)
        config["layer_types"] = worded(recurrence ? recurrence->layers : LayerSet::none(), arch.layers,
                                       "linear_attention", "full_attention");
    if (!recurrence) return;
    config["linear_key_head_dim"] = recurrence->state_dim;
    config["linear_num_value_heads"] = recurrence->heads;
    config["linear_num_key_heads"] = recurrence->groups;
    config["linear_value_head_dim"] = recurrence->head_dim;
    config["linear_conv_kernel_dim"] = recurrence->conv_kernel;
}

void compute(ComputationReader& reader, Computation& computation) {
    computation.read_norm_epsilon = 1e-5;
    computation.writes_twice = reader.flag("linear_allow_neg_eigval", true);
}

// Of how its numbers are drawn before training; and read by a run.
constexpr std::string_view ignored =
    "linear_a_log_max linear_a_log_min linear_allow_neg_eigval linear_dt_init_floor linear_dt_max linear_dt_min";

constexpr LlamaType type{.called = {"olmo_hybrid", "OLMo Hybrid", classes, modules},
                         .usual = {.dim = 3840, .layers = 32, .heads = 30, .vocab = 100352, .context = 65536},
                         .head_dim_field = {},
                         .qk_norm = QkNorm::across,
                         .norm = {.placement = NormPlacement::after},
                         .computing = {.rest = compute},
                         .padding = 100277,
                         .ignored = ignored,
                         .own = {read, write}};

}  // namespace olmo_hybrid

constexpr Family olmo_hybrid_family = llama_like<olmo_hybrid::type>();

}  // namespace headcount
