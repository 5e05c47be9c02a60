// What stands at a key of saved JSON, where it is of the right kind.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace headcount {

// What is there, where it is a number of at least `least` that fits; else `otherwise`.
inline std::int64_t number_at(const nlohmann::json& json, const char* key, std::int64_t least, std::int64_t otherwise) {
    auto found = json.find(key);
    if (found == json.end() || !found->is_number_integer()) return otherwise;
    auto number = found->get<std::int64_t>();  // below 0 where it does not fit
    return number < least ? otherwise : number;
}

inline std::string text_at(const nlohmann::json& json, const char* key) {
    auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

// What of the list is text, in its order.
inline std::vector<std::string> texts_at(const nlohmann::json& json, const char* key, std::size_t most) {
    std::vector<std::string> texts;
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array()) return texts;
    for (const nlohmann::json& text : *found)
        if (text.is_string() && texts.size() < most) texts.push_back(text.get<std::string>());
    return texts;
}

}  // namespace headcount
