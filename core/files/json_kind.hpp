// What a JSON file is for, by the keys that only its kind has: so that one given in another's place is named.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "core/base/result.hpp"

namespace headcount {

enum class JsonKind { worksheet, claims, tour, model };

// The key that tells a lesson's file from all others: "questions".
std::string_view telling_key(JsonKind kind);

// Where the file is none of the wanted kind and one of another: "this is a model's configuration, no worksheet", and
// what reads it.
std::optional<Error> other_kind(const nlohmann::json& json, JsonKind wanted, std::string_view where);

}  // namespace headcount
