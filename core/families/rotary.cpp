// How a configuration says that positions turn only a part of each head.
#include "core/families/rotary.hpp"

#include <cmath>

#include "core/base/json_file.hpp"

namespace headcount {
namespace {

// The part that, times the head's size and rounded down, is the number of columns again.
double part_of(std::int64_t columns, std::int64_t head_dim) {
    const auto size = static_cast<double>(head_dim);
    const double part = static_cast<double>(columns) / size;
    return static_cast<std::int64_t>(size * part) < columns ? std::nextafter(part, 2) : part;
}

}  // namespace

void write_rotary_part(nlohmann::ordered_json& config, const Architecture& arch, const std::string& field) {
    constexpr std::string_view field_inside = "partial_rotary_factor";
    const std::int64_t head_dim = bindings(arch, Input{})[Symbol::head_dim].value_or(1);
    const std::optional<std::int64_t> columns = arch.layer.attention.rotary_dim;
    const double part = columns ? part_of(*columns, head_dim) : 1.0;
    const std::string* text = arch.carried.find("rope_parameters");
    auto inside = text ? nlohmann::ordered_json(parsed_again(*text)) : nlohmann::ordered_json();
    if (!inside.is_object() || !inside.contains(field_inside)) {
        config[field] = part;
        return;
    }
    inside[field_inside] = part;
    config["rope_parameters"] = std::move(inside);
}

}  // namespace headcount
