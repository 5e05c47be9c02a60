// Takes values out of a tokenizer.json: what is there and of another kind is an error.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/result.hpp"

namespace headcount::tokenizer_json {

using Json = nlohmann::json;

inline const Json nothing;  // null

// null where there is no such key.
inline const Json& value(const Json& json, const char* key) {
    if (!json.is_object()) return nothing;
    const auto found = json.find(key);
    return found != json.end() ? *found : nothing;
}

inline Error expected(const char* what, const std::string& where) {
    return {std::string(what) + " was expected", where, "give the tokenizer.json of the model"};
}

inline Result<std::string> text(const Json& json, const char* key, const std::string& where) {
    const Json& found = value(json, key);
    if (!found.is_string()) return expected("a text", where + "." + key);
    return found.get<std::string>();
}

inline Result<bool> truth(const Json& json, const char* key, bool otherwise, const std::string& where) {
    const Json& found = value(json, key);
    if (found.is_null()) return otherwise;
    if (!found.is_boolean()) return expected("true or false", where + "." + key);
    return found.get<bool>();
}

inline std::string at(const std::string& where, std::size_t index) {
    return where + "[" + std::to_string(index) + "]";
}

}  // namespace headcount::tokenizer_json
