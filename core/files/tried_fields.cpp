// What of a configuration an architecture follows from, found by trying.
#include "core/files/tried_fields.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>

#include "core/analysis/parameters.hpp"
#include "core/base/checked.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/families/config_reader.hpp"
#include "core/files/class_said.hpp"
#include "core/files/config.hpp"

namespace headcount {
namespace {

// Other numbers, or the other truth value, that can stand there; nothing in place of what is neither. What has to
// divide something may be taken where one more is not.
std::vector<nlohmann::json> others(const nlohmann::json& value) {
    if (value.is_boolean()) return {!value.get<bool>()};
    if (!value.is_number_integer()) return {};
    const auto number = value.get<std::int64_t>();
    std::vector<nlohmann::json> numbers;
    if (const std::optional<std::int64_t> more = checked_add(number, 1)) numbers.emplace_back(*more);
    if (const std::optional<std::int64_t> twice = checked_multiply(number, 2)) numbers.emplace_back(*twice);
    numbers.emplace_back(number / 2);
    std::erase(numbers, value);
    return numbers;
}

// Without what the family does not ask for, which may be as large as a file; all of it where the rest cannot be read
// alone.
nlohmann::json asked_of(const nlohmann::json& config, const Architecture& arch) {
    nlohmann::json asked = config;
    for (const auto& [key, text] : arch.carried.fields()) asked.erase(key);
    return arch.family->read(asked, *arch.family) ? asked : config;
}

std::optional<std::int64_t> total_of(const nlohmann::json& config) {
    const Result<Architecture> arch = read_config(config, "");
    if (!arch) return std::nullopt;
    const Result<std::int64_t> total = TotalFormulas(*arch).total_at(bindings(*arch, Input{}));
    return total ? std::optional(*total) : std::nullopt;
}

// As the family writes what it reads of the file.
nlohmann::json written_again(const Family& family, const nlohmann::json& config) {
    const Result<Architecture> arch = family.read(config, family);
    return arch ? nlohmann::json(family.write(*arch)) : nlohmann::json::object();
}

using Place = nlohmann::json::json_pointer;

struct Value {
    Place place;
    nlohmann::json value;
};

// The numbers and truth values, those of objects inside with them; none of a list.
void list_values(const nlohmann::json& object, const Place& place, std::vector<Value>& values) {
    for (const auto& [key, value] : object.items()) {
        if (value.is_object()) list_values(value, place / key, values);
        if (!others(value).empty()) values.push_back({place / key, value});
    }
}

std::vector<Value> values_of(const nlohmann::json& config) {
    std::vector<Value> values;
    list_values(config, Place(), values);
    return values;
}

// Whether the file leaves it open, and what is put there can be read.
bool is_open(const nlohmann::json& config, const Place& place) {
    if (config.contains(place)) return config[place].is_null();
    const Place around = place.parent_pointer();
    return !config.contains(around) || config[around].is_object();
}

// Whether another value there changes the total, of a flag so that less is there.
bool decides(nlohmann::json config, const Value& field, std::int64_t total) {
    return std::ranges::any_of(others(field.value), [&](const nlohmann::json& other) {
        config[field.place] = other;
        const std::optional<std::int64_t> changed = total_of(config);
        return changed && (field.value.is_boolean() ? *changed < total : *changed != total);
    });
}

// Published files say some sixty numbers. Of more than this many, each of which is tried, nothing is found out.
constexpr std::size_t most_told = 500;

// What the family writes and the file does not say, nor what follows from others of its values.
std::vector<Value> left_open(const nlohmann::json& config, const Architecture& arch) {
    std::vector<Value> left = values_of(written_again(*arch.family, config));
    std::erase_if(left, [&](const Value& each) { return !is_open(config, each.place); });
    if (left.empty()) return left;
    const nlohmann::json asked = asked_of(config, arch);
    const auto drop_what_follows = [&](const Value& from) {
        for (const nlohmann::json& other : others(from.value)) {
            nlohmann::json tried = asked;
            tried[from.place] = other;
            const nlohmann::json changed = written_again(*arch.family, tried);
            std::erase_if(left, [&](const Value& each) {
                return each.place != from.place && changed.contains(each.place) && changed[each.place] != each.value;
            });
        }
    };
    const std::vector<Value> told = values_of(asked);
    if (told.size() > most_told) return {};
    for (const Value& each : told) drop_what_follows(each);
    const auto by_place = [](const Value& each) { return each.place; };
    const std::vector<Value> alone = left;  // of what is left some follows from others
    for (const Value& each : alone)
        if (contains(left, each.place, by_place)) drop_what_follows(each);
    return left;
}

std::string name_of(const Place& place) {
    std::string name = place.to_string().substr(1);
    std::ranges::replace(name, '/', '.');
    return name;
}

// "vision_config.hidden_size 768"
std::string as_said(const Value& field) {
    return name_of(field.place) + " " +
           (field.value.is_boolean() ? field.value.dump() : grouped(field.value.get<std::int64_t>()));
}

}  // namespace

std::string source_key(const Family& family, const nlohmann::json& config, Field field) {
    const Result<Architecture> arch = family.read(config, family);
    if (!arch) return "";
    nlohmann::json asked = asked_of(config, *arch);
    const nlohmann::json as_it_is = asked;
    std::string found;
    for (const auto& [key, value] : as_it_is.items()) {
        const std::vector<nlohmann::json> tried = others(value);
        if (tried.empty()) continue;
        asked[key] = tried.front();
        const Result<Architecture> changed = family.read(asked, family);
        asked[key] = value;
        if (!changed || field_text(*changed, field) == field_text(*arch, field)) continue;
        if (value == field_number(*arch, field).value_or(-1)) return key;
        if (found.empty()) found = key;
    }
    return found;
}

std::vector<std::string> unsaid_fields(const nlohmann::json& config) {
    const Result<Architecture> arch = read_config(config, "");
    if (!arch) return {};
    const ClassForm* const form = class_form(*arch->family, class_said(config));
    std::vector<Value> left = left_open(form ? of_stack(config, *arch->family, *form) : config, *arch);
    const std::size_t written = left.size();
    std::istringstream numbers{std::string(arch->family->numbers)};
    for (std::string key; numbers >> key;)
        if (const Place place = Place() / key; is_open(config, place)) left.push_back({place, 1});
    const std::optional<std::int64_t> total = left.empty() ? std::nullopt : total_of(config);
    if (!total) return {};
    std::vector<std::string> unsaid;
    for (std::size_t i = 0; i < left.size(); ++i)
        if (decides(config, left[i], *total))
            unsaid.push_back(i < written ? as_said(left[i]) : "the type's own " + name_of(left[i].place));
    return unsaid;
}

}  // namespace headcount
