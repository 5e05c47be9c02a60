// Models as Headcount saves them.
#include "core/files/saved_model.hpp"

#include "core/arch/validate.hpp"
#include "core/base/json_fields.hpp"
#include "core/files/architecture_json.hpp"
#include "core/files/stored_formats.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;
using json_fields::Wrong;

constexpr const char *stored_key = "stored", *cache_key = "cache", *about_key = "weights_about", *notes_key = "notes";

// What the file says in place of `into`, which stays where it says nothing.
template <typename Format, typename Parse>
Wrong read_format(const Json& json, const char* key, Parse parse, std::optional<Format>& into) {
    const auto said = json.find(key);
    if (said == json.end()) return std::nullopt;
    into.reset();
    if (said->is_null()) return std::nullopt;
    if (!said->is_string()) return Error{"this is not text", key, "put it in quotes"};
    const Result<Format> format = parse(said->get<std::string>(), key);
    if (!format) return format.error();
    into = *format;
    return std::nullopt;
}

Wrong read_notes(const Json& json, std::vector<std::string>& notes) {
    constexpr std::size_t most_notes = 1000;
    const auto said = json.find(notes_key);
    if (said == json.end()) return std::nullopt;
    if (Wrong wrong = json_fields::wrong_list(json, "", notes_key, 0, most_notes)) return wrong;
    notes.clear();
    for (const Json& note : *said) {
        if (!note.is_string())
            return Error{"this is not text", json_fields::at(notes_key, notes.size()), "put it in quotes"};
        notes.push_back(note.get<std::string>());
    }
    return std::nullopt;
}

}  // namespace

nlohmann::ordered_json saved_model_json(const Opened& model) {
    using Ordered = nlohmann::ordered_json;  // null where it is empty
    nlohmann::ordered_json json{{"architecture", architecture_to_json(model.architecture)}};
    json[stored_key] = model.precision ? Ordered(formats_text(*model.precision)) : Ordered();
    json[cache_key] = model.cache ? Ordered(precision_text(*model.cache)) : Ordered();
    json[about_key] = model.weights_doubt;
    json[notes_key] = model.notes;
    return json;
}

Result<Opened> opened_saved_model(const Json& json, const std::filesystem::path& path) {
    const Json& saved = json["architecture"];
    if (!saved.is_object()) return Error{"\"architecture\" is not an object", path.string(), "save the document again"};
    Result<Architecture> arch = architecture_from_json(saved);
    if (!arch) return within(path.string() + ", architecture", arch.error());
    if (std::vector<Problem> problems = validate(*arch); !problems.empty())
        return within(path.string(), problems.front().error);
    const StoredFormats carried = stored_formats(*arch);
    std::vector<std::string> notes = notes_on(*arch);
    Opened opened{.architecture = *std::move(arch),
                  .notes = std::move(notes),
                  .precision = carried.weights,
                  .read = {path},
                  .weights_doubt = carried.doubt,
                  .cache = carried.cache};
    const std::vector<std::string> more = notes_on(carried);
    opened.notes.insert(opened.notes.end(), more.begin(), more.end());
    Wrong wrong = read_format(json, stored_key, parse_formats, opened.precision);
    if (!wrong) wrong = read_format(json, cache_key, parse_precision, opened.cache);
    if (!wrong) wrong = json_fields::read_text(json, "", about_key, opened.weights_doubt);
    if (!wrong) wrong = read_notes(json, opened.notes);
    if (wrong) return within(path.string(), *std::move(wrong));
    return opened;
}

}  // namespace headcount
