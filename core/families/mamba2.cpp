// Mamba-2: a state in the place of attention in every layer, and no feed-forward (Dao & Gu 2024; transformers,
// modeling_mamba2.py).
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/layer_lists.hpp"

namespace headcount {
namespace mamba2 {

constexpr std::array<Module, 17> modules{{
    {0, "", ModuleKind::container, {}, "Mamba2ForCausalLM"},
    {1, "backbone", ModuleKind::container, {}, "Mamba2Model"},
    {2, "embeddings", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "Mamba2Block"},
    {4, "norm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "mixer", ModuleKind::container, {}, "Mamba2Mixer"},
    {5, "dt_bias", ModuleKind::bare, Part::step_bias, {}},
    {5, "A_log", ModuleKind::bare, Part::decay_rate, {}},
    {5, "D", ModuleKind::bare, Part::state_skip, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {5, "conv1d", ModuleKind::convolution, {Part::convolved_value, Part::convolved_key, Part::convolved_query}, {}},
    {5,
     "in_proj",
     ModuleKind::linear,
     {Part::state_gate, Part::state_value, Part::state_key, Part::state_query, Part::state_step},
     {}},
    {5, "norm", ModuleKind::norm, Part::state_norm, "MambaRMSNormGated()"},
    {5, "out_proj", ModuleKind::linear, Part::state_output, {}},
    {2, "norm_f", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

// How training starts and in which pieces the sum over tokens is made, but for the steps' limits, which `compute_rest`
// reads.
constexpr std::array<std::string_view, 12> ignored{
    "chunk_size",       "intermediate_size", "norm_before_gate", "rescale_prenorm_residual",
    "residual_in_fp32", "rms_norm",          "time_step_floor",  "time_step_limit",
    "time_step_max",    "time_step_min",     "time_step_rank",   "time_step_scale"};

// The width and the heads' columns are said twice, and must agree.
void check_columns(ConfigReader& reader, const Architecture& arch) {
    const Recurrence& recurrence = *arch.layer.recurrence;
    const std::int64_t expand = reader.number({"expand"}, 2);
    const std::optional<std::int64_t> wide = checked_multiply(expand, arch.dim);
    const std::optional<std::int64_t> columns = checked_multiply(recurrence.heads, recurrence.head_dim);
    if (wide && wide == columns) return;
    reader.reject("num_heads",
                  std::to_string(recurrence.heads) + " heads of " + std::to_string(recurrence.head_dim) +
                      " are not as wide as " + std::to_string(expand) + " times the width of " +
                      std::to_string(arch.dim),
                  "give num_heads · head_dim = expand · hidden_size");
}

// What the file has no word for: as it would be if some layers had it.
void set_absent_parts(ConfigReader& reader, Architecture& arch) {
    const std::int64_t head_dim = arch.layer.recurrence->head_dim;
    arch.layer.attention.head_dim = head_dim;
    arch.layer.attention.heads = arch.dim % head_dim == 0 ? arch.dim / head_dim : 1;
    arch.layer.feed_forward.width = four_times(reader, "hidden_size", arch.dim);
    arch.layer.feed_forward_layers = LayerSet::none();
}

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"hidden_size"}, 4096);
    arch.layers = reader.number({"num_hidden_layers"}, 64);
    arch.vocab = reader.number({"vocab_size"}, 32768);
    // No word of the type's own: a state has no limit. The first models were trained on so many tokens.
    arch.context = reader.number({"max_position_embeddings"}, 2048);
    arch.positions = Positions::none;
    arch.tied = reader.flag({"tie_word_embeddings"}, false);
    arch.norm.epsilon = reader.real({"layer_norm_epsilon"}, 1e-5);
    arch.layer.recurrence = Recurrence{.state_dim = reader.number({"state_size"}, 128),
                                       .heads = reader.number({"num_heads"}, 128),
                                       .groups = reader.number({"n_groups"}, 8),
                                       .head_dim = reader.number({"head_dim"}, 64),
                                       .conv_kernel = reader.number({"conv_kernel"}, 4),
                                       .conv_bias = reader.flag({"use_conv_bias"}, true),
                                       .bias = reader.flag({"use_bias"}, false),
                                       .kind = RecurrenceKind::mamba2,
                                       .layers = {}};
    set_absent_parts(reader, arch);
    arch.layer.feed_forward.activation = read_activation(reader, {"hidden_act"}, "silu");
    check_columns(reader, arch);
}

// JSON has no number without end: transformers 5 writes {"__float__": "Infinity"}, and what older ones wrote,
// Infinity, is read as that word in quotes.
bool is_infinite(const nlohmann::json& limit) {
    return limit.is_null() || limit == "Infinity" || (limit.is_object() && limit.value("__float__", "") == "Infinity");
}

nlohmann::ordered_json written_limit(const nlohmann::json& limit) {
    nlohmann::ordered_json written = limit;
    if (limit.is_array() && limit.size() == 2 && is_infinite(limit[1])) written[1] = {{"__float__", "Infinity"}};
    return written;
}

nlohmann::ordered_json write(const Architecture& arch) {
    // Without states it must still be read again, and then differs.
    const Recurrence recurrence = arch.layer.recurrence.value_or(Recurrence{.heads = arch.dim, .head_dim = 1});
    nlohmann::ordered_json config{
        {"architectures", {"Mamba2ForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"num_hidden_layers", arch.layers},
        {"num_heads", recurrence.heads},
        {"head_dim", recurrence.head_dim},
        {"expand", checked_multiply(recurrence.heads, recurrence.head_dim).value_or(0) / arch.dim},
        {"state_size", recurrence.state_dim},
        {"n_groups", recurrence.groups},
        {"conv_kernel", recurrence.conv_kernel},
        {"use_conv_bias", recurrence.conv_bias},
        {"use_bias", recurrence.bias},
        {"hidden_act", activation_name(arch.layer.feed_forward.activation, "silu")},
        {"max_position_embeddings", arch.context},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
    if (const auto limit = arch.carried.object().find("time_step_limit"); limit != arch.carried.object().end())
        config["time_step_limit"] = written_limit(*limit);
    return config;
}

std::optional<StepRule> rule_of(const nlohmann::json& limit) {
    if (!limit.is_array() || limit.size() != 2 || !limit[0].is_number() || limit[0] < 0) return std::nullopt;
    StepRule rule{.least = limit[0].get<double>()};
    if (is_infinite(limit[1])) return rule;
    if (!limit[1].is_number() || limit[1] < limit[0]) return std::nullopt;
    rule.most = limit[1].get<double>();
    return rule;
}

void compute_rest(ComputationReader& reader, Computation& computation) {
    const auto& fields = reader.arch().carried.object();
    const auto limit = fields.find("time_step_limit");
    if (limit == fields.end() || limit->is_null()) return;
    if (const std::optional<StepRule> rule = rule_of(*limit))
        computation.step = *rule;
    else
        reader.reject("time_step_limit", as_written(*limit) + " are no limits of a step",
                      "give the least and the largest, such as [0.0, 0.5]");
}

constexpr ComputationType computing{.rest = compute_rest};

}  // namespace mamba2

constexpr Family mamba2_family = [] {
    Family family =
        gpt_like<mamba2_family, mamba2::read, mamba2::write, mamba2::computing>("mamba2", "Mamba-2", mamba2::modules);
    family.norm_class = "Mamba2RMSNorm()";
    family.ignored = mamba2::ignored;
    return family;
}();

}  // namespace headcount
