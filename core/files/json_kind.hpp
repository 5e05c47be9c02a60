// What a JSON file is for, by the keys that only its kind has: so that one given in another's place is named.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "core/base/result.hpp"

namespace headcount {

enum class JsonKind { worksheet, claims, tour, model };

// Whether a file is meant as a lesson of this kind, by the key that tells it from all others ("questions"): right or
// wrong, also where it is damaged further on.
bool meant_as(const std::filesystem::path& path, JsonKind kind);

// Where the file is none of the wanted kind and one of another: "this is a model's configuration, no worksheet", and
// what reads it.
std::optional<Error> other_kind(const nlohmann::json& json, JsonKind wanted, std::string_view where);

}  // namespace headcount
