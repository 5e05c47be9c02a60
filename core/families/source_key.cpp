// Which key of a configuration a field of an architecture was read from.
#include "core/families/source_key.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/arch/family.hpp"

namespace headcount {
namespace {

// Another number or truth value that can stand there; nothing in place of what is neither.
nlohmann::json another(const nlohmann::json& value) {
    if (value.is_boolean()) return !value.get<bool>();
    if (!value.is_number_integer()) return nullptr;
    const auto number = value.get<std::int64_t>();
    return number == std::numeric_limits<std::int64_t>::max() ? number - 1 : number + 1;
}

}  // namespace

std::string source_key(const Family& family, const nlohmann::json& config, Field field) {
    const Result<Architecture> arch = family.read(config);
    if (!arch) return "";
    // What the family does not ask for may be as large as a file.
    nlohmann::json asked = config;
    for (const auto& [key, text] : arch->carried.fields()) asked.erase(key);
    const nlohmann::json as_it_is = asked;
    std::string found;
    for (const auto& [key, value] : as_it_is.items()) {
        nlohmann::json other = another(value);
        if (other.is_null()) continue;
        asked[key] = std::move(other);
        const Result<Architecture> changed = family.read(asked);
        asked[key] = value;
        if (!changed || field_text(*changed, field) == field_text(*arch, field)) continue;
        if (value == field_number(*arch, field).value_or(-1)) return key;
        if (found.empty()) found = key;
    }
    return found;
}

}  // namespace headcount
