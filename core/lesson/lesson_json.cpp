// The parts that files of lessons have in common: texts, numbers, lists, an input, changed fields.
#include "core/lesson/lesson_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <tuple>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount::lesson_json {

Wrong read_words(const Json& json, std::string_view path, std::string_view key, std::string& into, bool required) {
    if (Wrong wrong = read_text(json, path, key, into, required)) return wrong;
    if (Wrong wrong = check_text(into)) return within(under(path, key), *wrong);
    return std::nullopt;
}

Wrong read_input(const Json& json, std::string_view path, Input& input) {
    const auto found = json.find("input");
    if (found == json.end()) return std::nullopt;
    const std::string here = under(path, "input");
    if (!found->is_object()) return Error{"this is not an object", here, "write {\"tokens\": 100}"};
    constexpr std::array<std::string_view, 5> known{"tokens", "source", "batch", "cached", "precision"};
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    if (Wrong wrong = unknown_key(*found, here, known)) return wrong;
    for (auto [key, number, least] : {std::tuple("tokens", &input.tokens, std::int64_t{1}),
                                      {"source", &input.source, 1},
                                      {"batch", &input.batch, 1},
                                      {"cached", &input.cached, 0}})
        if (Wrong wrong = read_number(*found, here, key, least, most, *number)) return wrong;
    std::string precision = formats_text(input.precision);
    if (Wrong wrong = read_text(*found, here, "precision", precision)) return wrong;
    const Result<Formats> formats = parse_formats(precision, under(here, "precision"));
    if (!formats) return formats.error();
    input.precision = *formats;
    return std::nullopt;
}

Wrong read_model(const Json& value, std::string_view path, bool may_be_own, ModelChoice& model) {
    if (value.is_string()) {
        model.own = may_be_own && value == "own";
        if (!model.own) model.preset = value.get<std::string>();
        return std::nullopt;
    }
    if (!value.is_object())
        return Error{"this is not an architecture", std::string(path),
                     std::string("write a preset's id, ") + (may_be_own ? "\"own\", " : "") +
                         "or {\"preset\": \"llama-7b\", \"set\": {\"vocab\": 50000}}"};
    constexpr std::array<std::string_view, 2> known{"preset", "set"};
    if (Wrong wrong = unknown_key(value, path, known)) return wrong;
    if (Wrong wrong = read_text(value, path, "preset", model.preset, true)) return wrong;
    return read_fields(value, path, model.set);
}

Wrong read_fields(const Json& json, std::string_view path, std::vector<std::pair<std::string, std::string>>& into) {
    const auto set = json.find("set");
    if (set == json.end()) return std::nullopt;
    if (!set->is_object()) return Error{"this is not an object", under(path, "set"), "write {\"vocab\": 50000}"};
    for (const auto& [key, field] : set->items())
        into.emplace_back(key, field.is_string() ? field.get<std::string>() : field.dump());
    return std::nullopt;
}

Wrong read_experiment(const Json& json, std::string_view path, Experiment& into) {
    const auto found = json.find("experiment");
    const std::string here = under(path, "experiment");
    if (found == json.end() || !found->is_object())
        return Error{
            "there is no experiment", here,
            R"(write {"prompt": "Tom gave the ball to Lily. Who has the ball?", "from": "Lily", "to": "Tom"})"};
    constexpr std::array<std::string_view, 4> known{"prompt", "from", "to", "most"};
    constexpr std::int64_t most = 1000;
    if (Wrong wrong = unknown_key(*found, here, known)) return wrong;
    for (auto [key, text] : {std::pair("prompt", &into.prompt), {"from", &into.from}, {"to", &into.to}})
        if (Wrong wrong = read_text(*found, here, key, *text, true)) return wrong;
    if (into.from == into.to) return Error{"nothing is to become another word", under(here, "to"), "give another one"};
    return read_number(*found, here, "most", 1, most, into.most);
}

Wrong read_planted(const Json& json, std::string_view path, PlantedMistake& into) {
    const auto found = json.find("planted");
    const std::string here = under(path, "planted");
    if (found == json.end() || !found->is_object())
        return Error{"it is not said which numbers are shown", here,
                     R"(write {"prompt": "Once upon a time", "shows": "layer.0.attention.head.weights", "head": 1})"};
    constexpr std::array<std::string_view, 4> known{"prompt", "shows", "head", "beside"};
    constexpr std::int64_t most = 1000;
    if (Wrong wrong = unknown_key(*found, here, known)) return wrong;
    if (Wrong wrong = read_text(*found, here, "prompt", into.prompt, true)) return wrong;
    if (Wrong wrong = read_text(*found, here, "shows", into.shows, true)) return wrong;
    if (const auto beside = found->find("beside"); beside != found->end()) {
        if (!beside->is_boolean()) return Error{"this is neither true nor false", under(here, "beside"), "give one"};
        into.beside = beside->get<bool>();
    }
    return read_number(*found, here, "head", 0, most, into.head);
}

std::string one_of(std::string_view name, std::span<const std::string_view> known) {
    std::string all;
    for (const std::string_view each : known)
        if (!each.empty()) all += (all.empty() ? "use one of " : ", ") + std::string(each);
    return did_you_mean(name, known, all);
}

Error no_such(std::string_view what, std::string_view name, std::string path, std::span<const std::string_view> known) {
    return {"there is no " + std::string(what) + " " + quote(name), std::move(path), one_of(name, known)};
}

Error with_line(Error error, std::string_view text) {
    constexpr std::string_view word = "byte ";
    const std::size_t found = error.where.rfind(word);
    if (found == std::string::npos) return error;
    std::size_t byte = 0;
    const char* const end = error.where.data() + error.where.size();
    if (std::from_chars(error.where.data() + found + word.size(), end, byte).ptr != end) return error;
    const std::string_view before = text.substr(0, byte);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t start = before.rfind('\n');
    const std::size_t character = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
    error.where.resize(found);
    error.where += "line " + std::to_string(line) + ", character " + std::to_string(character);
    return error;
}

}  // namespace headcount::lesson_json
