// Takes single fields out of JSON objects: texts, numbers, lists.
#include "core/base/json_fields.hpp"

#include <algorithm>
#include <limits>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount::json_fields {
namespace {

constexpr std::size_t longest_text = 20'000;

}  // namespace

std::string under(std::string_view path, std::string_view key) {
    return path.empty() ? shown(key) : std::string(path) + "." + shown(key);
}
std::string at(std::string_view path, std::size_t index) {
    return std::string(path) + "[" + std::to_string(index) + "]";
}

Wrong unknown_key(const Json& json, std::string_view path, std::span<const std::string_view> known) {
    for (const auto& [key, value] : json.items()) {
        if (contains(known, key)) continue;
        return Error{"there is no " + quote(key) + " here", under(path, key), use_one_of(key, known)};
    }
    return std::nullopt;
}

// Whether an id can stand in a CSV heading and in an HTML attribute as it is.
bool is_id(std::string_view id) {
    return !id.empty() && id.size() <= 64 &&
           std::ranges::all_of(id, [](char c) { return is_letter_or_digit(c) || c == '-' || c == '_'; });
}

Wrong read_text(const Json& json, std::string_view path, std::string_view key, std::string& into, bool required) {
    const auto found = json.find(key);
    if (found == json.end()) {
        if (!required) return std::nullopt;
        return Error{"there is no " + quote(key), under(path, key), "give a text in quotes"};
    }
    if (!found->is_string()) return Error{"this is not text", under(path, key), "put it in quotes"};
    into = found->get<std::string>();
    if (required && into.empty()) return Error{"this is empty", under(path, key), "say something"};
    if (into.size() > longest_text)
        return Error{"this text is longer than " + grouped(longest_text) + " bytes", under(path, key), "shorten it"};
    return std::nullopt;
}

Wrong read_number(const Json& json, std::string_view path, std::string_view key, std::int64_t least, std::int64_t most,
                  std::int64_t& into) {
    const auto found = json.find(key);
    if (found == json.end()) return std::nullopt;
    const bool fits = found->is_number_integer() &&
                      (!found->is_number_unsigned() ||
                       found->get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
    const std::int64_t number = fits ? found->get<std::int64_t>() : least - 1;
    if (!fits || number < least || number > most)
        return Error{"this is not a whole number from " + grouped(least) + " to " + grouped(most), under(path, key),
                     "give one, without quotes"};
    into = number;
    return std::nullopt;
}

// An array of at least `least` things.
Wrong wrong_list(const Json& json, std::string_view path, std::string_view key, std::size_t least, std::size_t most) {
    const auto found = json.find(key);
    if (found == json.end()) return Error{"there is no " + quote(key), under(path, key), "give a list"};
    if (!found->is_array()) return Error{"this is not a list", under(path, key), "put it in [ ]"};
    if (found->size() < least)
        return Error{"a list of " + std::to_string(found->size()) + " is too short", under(path, key),
                     "give at least " + std::to_string(least)};
    if (found->size() > most)
        return Error{"a list of " + std::to_string(found->size()) + " is too long", under(path, key),
                     "give at most " + std::to_string(most)};
    return std::nullopt;
}

}  // namespace headcount::json_fields
