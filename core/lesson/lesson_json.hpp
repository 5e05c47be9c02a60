// What only files of lessons have: each function takes one thing out of a JSON object, as those of json_fields.hpp do.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json_fields.hpp"
#include "core/base/json_file.hpp"
#include "core/files/json_kind.hpp"
#include "core/lesson/experiment.hpp"
#include "core/lesson/planted.hpp"
#include "core/lesson/reference.hpp"

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
// Of the value of an "architecture", which in some files may be "own".
Wrong read_model(const Json& value, std::string_view path, bool may_be_own, ModelChoice& model);
// Of the key "set": fields of an architecture and their values as text, in order.
Wrong read_fields(const Json& json, std::string_view path, std::vector<std::pair<std::string, std::string>>& into);

Wrong read_experiment(const Json& json, std::string_view path, Experiment& into);   // of the key "experiment"
Wrong read_planted(const Json& json, std::string_view path, PlantedMistake& into);  // of the key "planted"

// What to take instead of a name that is not known: the nearest of those that are, or else one of all of them.
std::string one_of(std::string_view name, std::span<const std::string_view> known);
// "there is no kind \"sahpe\"".
Error no_such(std::string_view what, std::string_view name, std::string path, std::span<const std::string_view> known);

// "byte 312" as line and character, which an editor shows.
Error with_line(Error error, std::string_view text);

// A whole file of this kind, read into `lesson` by `read`; errors begin with `where`, which is the file's name.
template <class Lesson, class Read>
Result<Lesson> parse_lesson(std::string_view text, JsonKind kind, std::string_view where, Lesson lesson, Read read) {
    const Result<Json> json = parse_json(text, where);
    if (!json) return with_line(json.error(), text);
    if (std::optional<Error> other = other_kind(*json, kind, where)) return *std::move(other);
    if (Wrong wrong = read(*json, lesson)) return within(std::string(where), *wrong);
    return lesson;
}

}  // namespace headcount::lesson_json
