// Reads the fields of a config.json with their defaults, keeping the first thing that is wrong.
#include "core/families/config_reader.hpp"

#include "core/base/text.hpp"

namespace headcount {

std::string as_written(const nlohmann::json& value) {
    constexpr std::size_t longest = 40;
    if (value.is_structured()) return value.is_array() ? "an array" : "an object";
    if (!value.is_string()) return value.dump();
    // Cut before it is escaped: a text may be as long as a file. A letter that the cut halves is left out.
    const auto& whole = value.get_ref<const std::string&>();
    nlohmann::json start = whole.substr(0, longest);
    std::string text = start.dump(-1, ' ', true, nlohmann::json::error_handler_t::ignore);
    if (whole.size() <= longest && text.size() <= longest) return text;
    return text.substr(0, longest - 4) + "...\"";
}

const nlohmann::json* ConfigReader::find(Names names) {
    for (std::string_view name : names) {
        auto found = config_.find(name);
        if (found == config_.end() || found->is_null()) continue;
        name_ = name;
        return &*found;
    }
    return nullptr;
}

void ConfigReader::reject(std::string_view name, std::string what, std::string fix) {
    if (!error_) error_ = Error{std::move(what), std::string(name), std::move(fix)};
}

std::optional<std::int64_t> ConfigReader::optional_number(Names names, std::int64_t least) {
    const nlohmann::json* value = find(names);
    if (!value) return std::nullopt;
    std::string range =
        "give a whole number from " + grouped(least) + " to " + grouped(std::numeric_limits<std::int64_t>::max());
    std::string shown = as_written(*value);
    if (!value->is_number_integer()) {
        reject(name_, shown + " is not a whole number", range);
    } else if (value->is_number_unsigned() &&
               value->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        reject(name_, shown + " is too large for 64 bits", range);
    } else if (value->get<std::int64_t>() < least) {
        reject(name_, shown + (value->get<std::int64_t>() < 0 ? " is negative" : " is too small"), range);
    } else {
        return value->get<std::int64_t>();
    }
    return std::nullopt;
}

std::int64_t ConfigReader::number(Names names, std::int64_t otherwise, std::int64_t least) {
    return optional_number(names, least).value_or(otherwise);
}

double ConfigReader::real(Names names, double otherwise) {
    const nlohmann::json* value = find(names);
    if (!value) return otherwise;
    if (value->is_number() && value->get<double>() >= 0) return value->get<double>();
    reject(name_, as_written(*value) + " is not a positive number", "give a number such as 1e-5");
    return otherwise;
}

bool ConfigReader::flag(Names names, bool otherwise) {
    const nlohmann::json* value = find(names);
    if (!value) return otherwise;
    if (value->is_boolean()) return value->get<bool>();
    reject(name_, as_written(*value) + " is neither true nor false", "give true or false");
    return otherwise;
}

std::string ConfigReader::text(Names names, std::string_view otherwise) {
    const nlohmann::json* value = find(names);
    if (!value) return std::string(otherwise);
    if (value->is_string()) return value->get<std::string>();
    reject(name_, as_written(*value) + " is not text", "give a text in quotes");
    return std::string(otherwise);
}

}  // namespace headcount
