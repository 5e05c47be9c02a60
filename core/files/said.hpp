// What a configuration says under a key: of another kind it says nothing.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace headcount {

inline std::string said_text(const nlohmann::json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}
inline std::int64_t said_number(const nlohmann::json& json, const char* key, std::int64_t otherwise) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
}
inline bool said_flag(const nlohmann::json& json, const char* key, bool otherwise) {
    const auto found = json.find(key);
    return found != json.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}
// An object, or an empty one.
inline nlohmann::json said_object(const nlohmann::json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_object() ? *found : nlohmann::json::object();
}
// The texts of a list.
inline std::vector<std::string> said_texts(const nlohmann::json& json, const char* key) {
    std::vector<std::string> texts;
    const auto found = json.find(key);
    if (found != json.end() && found->is_array())
        for (const nlohmann::json& each : *found)
            if (each.is_string()) texts.push_back(each.get<std::string>());
    return texts;
}

}  // namespace headcount
