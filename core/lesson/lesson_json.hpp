// How files of lessons are read: each function takes one thing out of a JSON object, or says what is wrong with it and
// where ("questions[2].answer"). `path` is of the object.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/arch/input.hpp"
#include "core/base/result.hpp"

namespace headcount::lesson_json {

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
// Text in which {T} and the like is filled in later.
Wrong read_words(const Json& json, std::string_view path, std::string_view key, std::string& into,
                 bool required = false);
Wrong read_number(const Json& json, std::string_view path, std::string_view key, std::int64_t least, std::int64_t most,
                  std::int64_t& into);
Wrong read_input(const Json& json, std::string_view path, Input& input);  // of the key "input"
// Of the key "set": fields of an architecture and their values as text, in order.
Wrong read_fields(const Json& json, std::string_view path, std::vector<std::pair<std::string, std::string>>& into);

// Whether there is a list of so many things.
Wrong wrong_list(const Json& json, std::string_view path, std::string_view key, std::size_t least, std::size_t most);

// "byte 312" as line and character, which an editor shows.
Error with_line(Error error, std::string_view text);

}  // namespace headcount::lesson_json
