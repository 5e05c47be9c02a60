// How configurations speak of Mamba-2's mixer (transformers, configuration_mamba2.py, configuration_bamba.py, ...).
#include "core/families/state_space.hpp"

#include <string>

#include "core/base/checked.hpp"
#include "core/families/layer_lists.hpp"

namespace headcount {
namespace {

// JSON has no number without end: transformers 5 writes {"__float__": "Infinity"}, and what older ones wrote,
// Infinity, is read as that word in quotes.
bool is_infinite(const nlohmann::json& limit) {
    return limit.is_null() || limit == "Infinity" || (limit.is_object() && limit.value("__float__", "") == "Infinity");
}

std::optional<StepRule> rule_of(const nlohmann::json& limit) {
    if (!limit.is_array() || limit.size() != 2 || !limit[0].is_number() || limit[0] < 0) return std::nullopt;
    StepRule rule{.least = limit[0].get<double>()};
    if (is_infinite(limit[1])) return rule;
    if (!limit[1].is_number() || limit[1] < limit[0]) return std::nullopt;
    rule.most = limit[1].get<double>();
    return rule;
}

// How wide all heads are together; nothing where that is not said, or does not fit.
std::optional<std::int64_t> read_width(ConfigReader& reader, std::int64_t dim, const StateSpaceFields& fields) {
    if (!fields.width.empty()) {
        const std::optional<std::int64_t> given = reader.optional_number({fields.width});
        const std::optional<std::int64_t> width = reader.config().contains(fields.width) ? given : fields.usual_width;
        if (width) return width;
    }
    return fields.expand.empty() ? std::nullopt : checked_multiply(reader.number({fields.expand}, 2), dim);
}

// The width and the heads' columns are said twice, and must agree.
void check_columns(ConfigReader& reader, const Recurrence& recurrence, std::optional<std::int64_t> wide,
                   const StateSpaceFields& fields) {
    if (fields.expand.empty()) return;
    const std::optional<std::int64_t> columns = checked_multiply(recurrence.heads, recurrence.head_dim);
    if (wide && wide == columns) return;
    const std::string all = std::string(fields.heads) + " · " + std::string(fields.head_dim);
    const std::string said =
        fields.width.empty() ? std::string(fields.expand) + " · hidden_size" : std::string(fields.width);
    reader.reject(fields.heads,
                  std::to_string(recurrence.heads) + " heads of " + std::to_string(recurrence.head_dim) +
                      " are not the " + (wide ? std::to_string(*wide) + " " : "") + "columns of " + said,
                  "give " + all + " = " + said);
}

std::int64_t read_head_dim(ConfigReader& reader, std::int64_t heads, std::optional<std::int64_t> wide,
                           const StateSpaceFields& fields) {
    const std::int64_t rule = fields.usual_head_dim.value_or(std::max<std::int64_t>(1, wide.value_or(0) / heads));
    const nlohmann::json* given = said(reader.config(), fields.head_dim);
    if (!given || *given != "auto") return reader.number({fields.head_dim}, rule);
    reader.text({fields.head_dim}, "");  // read, and so not carried
    return rule;
}

// As transformers reads it again, where it has no end.
nlohmann::ordered_json written_step_limit(const nlohmann::json& limit) {
    nlohmann::ordered_json written = limit;
    if (limit.is_array() && limit.size() == 2 && is_infinite(limit[1])) written[1] = {{"__float__", "Infinity"}};
    return written;
}

}  // namespace

Recurrence read_state_space(ConfigReader& reader, std::int64_t dim, const StateSpaceFields& fields) {
    Recurrence recurrence{.state_dim = reader.number({fields.state}, fields.usual_state),
                          .heads = reader.number({fields.heads}, fields.usual_heads),
                          .groups = reader.number({fields.groups}, fields.usual_groups),
                          .head_dim = 64,
                          .conv_kernel = reader.number({fields.kernel}, 4),
                          .conv_bias = reader.flag({fields.conv_bias}, true),
                          .bias = reader.flag({fields.bias}, false),
                          .kind = RecurrenceKind::mamba2,
                          .layers = {}};
    recurrence.output_bias = recurrence.bias;
    const std::optional<std::int64_t> wide = read_width(reader, dim, fields);
    recurrence.head_dim = read_head_dim(reader, recurrence.heads, wide, fields);
    check_columns(reader, recurrence, wide, fields);
    return recurrence;
}

void write_state_space(nlohmann::ordered_json& config, const Architecture& arch, const StateSpaceFields& fields) {
    // Without states it must still be read again, and then differs.
    const Recurrence recurrence = arch.layer.recurrence.value_or(Recurrence{.heads = arch.dim, .head_dim = 1});
    const auto write = [&](std::string_view field, const auto& value) {
        if (!field.empty()) config[field] = value;
    };
    write(fields.heads, recurrence.heads);
    write(fields.head_dim, recurrence.head_dim);
    write(fields.groups, recurrence.groups);
    write(fields.state, recurrence.state_dim);
    write(fields.kernel, recurrence.conv_kernel);
    write(fields.conv_bias, recurrence.conv_bias);
    // One word for both, where there is none of its own for the second.
    write(fields.bias, recurrence.bias && (fields.own_output_bias || recurrence.output_bias));
    const std::int64_t wide = checked_multiply(recurrence.heads, recurrence.head_dim).value_or(0);
    write(fields.width, wide);
    if (fields.width.empty()) write(fields.expand, wide / arch.dim);
    if (const auto limit = arch.carried.object().find("time_step_limit"); limit != arch.carried.object().end())
        config["time_step_limit"] = written_step_limit(*limit);
}

std::optional<LayerSet> read_state_layers(ConfigReader& reader, std::int64_t layers) {
    const auto words = reader.layer_words({"layer_types", "layers_block_type"}, layers,
                                          {"linear_attention", "mamba", "full_attention", "attention"});
    if (!words) return std::nullopt;
    return layers_where(layers, [&](std::int64_t layer) {
        const std::string& word = (*words)[static_cast<std::size_t>(layer)];
        return word == "linear_attention" || word == "mamba";
    });
}

void read_step_limit(ComputationReader& reader, Computation& computation) {
    const auto& fields = reader.arch().carried.object();
    const auto limit = fields.find("time_step_limit");
    if (limit == fields.end() || limit->is_null()) return;
    if (const std::optional<StepRule> rule = rule_of(*limit))
        computation.step = *rule;
    else
        reader.reject("time_step_limit", as_written(*limit) + " are no limits of a step",
                      "give the least and the largest, such as [0.0, 0.5]");
}

}  // namespace headcount
