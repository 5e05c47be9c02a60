// What only files of lessons have: each function takes one thing out of a JSON object, as those of json_fields.hpp do.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/arch/input.hpp"
#include "core/base/json_fields.hpp"

namespace headcount::lesson_json {

using json_fields::at;
using json_fields::is_id;
using json_fields::Json;
using json_fields::read_number;
using json_fields::read_text;
using json_fields::under;
using json_fields::unknown_key;
using json_fields::Wrong;
using json_fields::wrong_list;

// Text in which {T} and the like is filled in later.
Wrong read_words(const Json& json, std::string_view path, std::string_view key, std::string& into,
                 bool required = false);
Wrong read_input(const Json& json, std::string_view path, Input& input);  // of the key "input"
// Of the key "set": fields of an architecture and their values as text, in order.
Wrong read_fields(const Json& json, std::string_view path, std::vector<std::pair<std::string, std::string>>& into);

// "byte 312" as line and character, which an editor shows.
Error with_line(Error error, std::string_view text);

}  // namespace headcount::lesson_json
