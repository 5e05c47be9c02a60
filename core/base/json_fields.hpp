// How files that people write are read: each function takes one thing out of a JSON object, or says what is wrong with
// it and where ("questions[2].answer"). `path` is of the object.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace headcount::json_fields {

using Json = nlohmann::json;
using Wrong = std::optional<Error>;

std::string under(std::string_view path, std::string_view key);  // "questions[2].answer"
std::string at(std::string_view path, std::size_t index);        // "questions[2]"

Wrong unknown_key(const Json& json, std::string_view path, std::span<const std::string_view> known);

// Whether an id can stand in a CSV heading and in an HTML attribute as it is.
bool is_id(std::string_view id);

// What is absent leaves `into` as it is, unless it is required; then it may not be empty either.
Wrong read_text(const Json& json, std::string_view path, std::string_view key, std::string& into,
                bool required = false);
Wrong read_number(const Json& json, std::string_view path, std::string_view key, std::int64_t least, std::int64_t most,
                  std::int64_t& into);
// Whether there is a list of so many things.
Wrong wrong_list(const Json& json, std::string_view path, std::string_view key, std::size_t least, std::size_t most);

}  // namespace headcount::json_fields
