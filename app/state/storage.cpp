// Saving the document and the view, and restoring them at the next start.
#include "app/state/storage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>

#include "app/state/derived.hpp"
#include "app/state/desk_json.hpp"
#include "app/state/run_json.hpp"
#include "app/state/shortcuts.hpp"
#include "app/state/what_if_json.hpp"
#include "core/base/json_file.hpp"
#include "core/files/architecture_json.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_opened_files = 50;

Result<Architecture> architecture_at(const Json& json, const char* key) {
    auto found = json.find(key);
    if (found == json.end() || !found->is_object()) return Error{"there is no architecture", key, ""};
    Json saved = *found;
    // A vocabulary that a params.json leaves open is 0, which no field can be given.
    const Json::json_pointer vocab("/fields/vocab");
    const bool open = saved.contains(vocab) && saved[vocab] == "0";
    if (open) saved[vocab] = "1";
    Result<Architecture> arch = architecture_from_json(saved);
    if (!arch) return within(key, arch.error());
    if (open) arch->vocab = 0;
    return arch;
}

// What is there, where it is a number of at least `least` that fits; else `otherwise`.
std::int64_t number_at(const Json& json, const char* key, std::int64_t least, std::int64_t otherwise) {
    auto found = json.find(key);
    if (found == json.end() || !found->is_number_integer()) return otherwise;
    auto number = found->get<std::int64_t>();  // below 0 where it does not fit
    return number < least ? otherwise : number;
}

std::string text_at(const Json& json, const char* key) {
    auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

Input input_from(const Json& json) {
    Input input;
    input.tokens = number_at(json, "tokens", 1, input.tokens);
    input.batch = number_at(json, "batch", 1, input.batch);
    input.cached = number_at(json, "cached", 0, input.cached);
    for (const PrecisionInfo& precision : precisions())
        if (precision.key == text_at(json, "precision")) input.precision = precision.precision;
    return input;
}

// What of the list is text, in its order.
std::vector<std::string> texts_at(const Json& json, const char* key, std::size_t most) {
    std::vector<std::string> texts;
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array()) return texts;
    for (const Json& text : *found)
        if (text.is_string() && texts.size() < most) texts.push_back(text.get<std::string>());
    return texts;
}

// What was chosen to compare with; nothing where nothing was. It must be possible, as a base must.
Result<std::optional<Compared>> compared_from(const Json& json) {
    const auto found = json.find("compare");
    if (found == json.end() || found->is_null()) return std::optional<Compared>();
    if (!found->is_object()) return Error{"it is no model", "compare", ""};
    Result<Architecture> base = architecture_at(*found, "base");
    if (!base) return within("compare", base.error());
    if (Result<Counted> counted = count(*base, Input{.tokens = 1}); !counted)
        return within("compare, base", counted.error());
    Result<Architecture> architecture = architecture_at(*found, "architecture");
    if (!architecture) return within("compare", architecture.error());
    return std::optional<Compared>(
        {std::move(*architecture), std::move(*base), text_at(*found, "preset"), text_at(*found, "file")});
}

nlohmann::ordered_json compared_json(const std::optional<Compared>& with) {
    if (!with) return nullptr;
    return {{"preset", with->preset},
            {"file", with->file},
            {"architecture", architecture_to_json(with->architecture)},
            {"base", architecture_to_json(with->base)}};
}

ClaimPlace claim_from(const Json& json) {
    if (!json.is_object()) return {};
    ClaimPlace place{text_at(json, "file"), text_at(json, "id"), {}};
    const std::int64_t step = number_at(json, "step", 0, -1);
    if (step >= 0) place.step = static_cast<std::size_t>(step);
    return place;
}

Json claim_json(const ClaimPlace& place) {
    Json json{{"file", place.file}, {"id", place.claim}};
    if (place.step) json["step"] = *place.step;
    return json;
}

// The place of a word among those that an enumeration has; the first where it is none of them.
template <class Enum>
Enum word_at(const Json& json, const char* key, std::span<const std::string_view> words) {
    const auto found = std::find(words.begin(), words.end(), text_at(json, key));
    return static_cast<Enum>(found == words.end() ? 0 : found - words.begin());
}

ComparePlace compare_from(const Json& json) {
    if (!json.is_object()) return {};
    return {word_at<CompareSplit>(json, "split", compare_split_keys),
            word_at<CompareTab>(json, "tab", compare_tab_keys), std::nullopt};
}

Json compare_json(const ComparePlace& place) {
    return {{"split", compare_split_keys[static_cast<std::size_t>(place.split)]},
            {"tab", compare_tab_keys[static_cast<std::size_t>(place.tab)]}};
}

bool true_at(const Json& json, const char* key) {
    return json.value(key, Json(false)) == Json(true);
}

// What is impossible for the model is said in the view.
CostsPlace costs_from(const Json& json) {
    CostsPlace place;
    if (!json.is_object()) return place;
    if (const std::string device = text_at(json, "device"); !device.empty()) place.device = device;
    for (const PrecisionInfo& precision : precisions())
        if (precision.key == text_at(json, "cache")) place.cache = precision.precision;
    place.training = true_at(json, "training");
    place.how = {word_at<Optimizer>(json, "optimizer", optimizer_words()),
                 word_at<Recompute>(json, "recompute", recompute_words()), true_at(json, "dropout"),
                 json.value("training_scores", Json(true)) != Json(false)};
    place.scores = true_at(json, "scores");
    place.sharding = {number_at(json, "devices", 1, 1), number_at(json, "tensor", 1, 1),
                      number_at(json, "pipeline", 1, 1), number_at(json, "zero", 0, 0)};
    place.phase = word_at<CostsPhase>(json, "phase", costs_phases);
    place.full = true_at(json, "full");
    return place;
}

Json costs_json(const CostsPlace& place) {
    Json json{{"device", place.device},
              {"training", place.training},
              {"optimizer", optimizer_words()[static_cast<std::size_t>(place.how.optimizer)]},
              {"recompute", recompute_words()[static_cast<std::size_t>(place.how.recompute)]},
              {"dropout", place.how.dropout},
              {"scores", place.scores},
              {"training_scores", place.how.scores},
              {"devices", place.sharding.devices},
              {"tensor", place.sharding.tensor},
              {"pipeline", place.sharding.pipeline},
              {"zero", place.sharding.zero},
              {"phase", costs_phases[static_cast<std::size_t>(place.phase)]},
              {"full", place.full}};
    if (place.cache) json["cache"] = info(*place.cache).key;
    return json;
}

View view_from(const Json& json) {
    View view;
    view.theme = text_at(json, "theme") == "light" ? ThemeChoice::light : ThemeChoice::dark;
    const float scale = static_cast<float>(number_at(json, "scale_percent", 0, 100)) / 100;
    view.scale = scale < least_scale || scale > most_scale ? 1 : scale;
    view.reduced_motion = json.value("reduced_motion", Json(false)) == Json(true);
    view.selection = subject_from_key(text_at(json, "selection"));
    view.folder = text_at(json, "folder");
    view.recent = texts_at(json, "recent", most_recent);
    view.claim = claim_from(json.value("claim", Json::object()));
    view.costs = costs_from(json.value("costs", Json::object()));
    view.what_if = what_if_from_json(json.value("what_if", Json::object()));
    view.compare = compare_from(json.value("compare", Json::object()));
    view.run = run_from_json(json.value("run", Json::object()));
    view.claims_files = texts_at(json, "claims_files", most_opened_files);
    view.tour_files = texts_at(json, "tour_files", most_opened_files);
    view.workspace = word_at<Workspace>(json, "workspace", workspace_keys);
    view.bottom_tab = word_at<BottomTab>(json, "tab", bottom_tab_keys);
    const auto chart = std::find(breakdown_chart_keys.begin(), breakdown_chart_keys.end(), text_at(json, "breakdown"));
    if (chart != breakdown_chart_keys.end())
        view.breakdown = static_cast<BreakdownChart>(chart - breakdown_chart_keys.begin());
    return view;
}

std::filesystem::path free_name(const std::filesystem::path& file) {
    std::filesystem::path name = file;
    name.replace_extension(".damaged.json");
    std::error_code ignored;
    for (int i = 2; std::filesystem::exists(name, ignored); ++i)
        name = file.parent_path() / (file.stem().string() + ".damaged-" + std::to_string(i) + ".json");
    return name;
}

}  // namespace

std::string saved_text(const Saved& saved) {
    const Document& document = saved.document;
    nlohmann::ordered_json json{
        {"headcount", 1},
        {"preset", document.preset},
        {"file", document.file},
        {"architecture", architecture_to_json(document.architecture)},
        {"base", architecture_to_json(document.base)},
        {"compare", compared_json(document.with)},
        {"input",
         {{"tokens", document.input.tokens},
          {"batch", document.input.batch},
          {"cached", document.input.cached},
          {"precision", info(document.input.precision).key}}},
        {"view",
         {{"theme", saved.view.theme == ThemeChoice::light ? "light" : "dark"},
          {"scale_percent", std::lround(saved.view.scale * 100)},
          {"reduced_motion", saved.view.reduced_motion},
          {"workspace", workspace_keys[static_cast<std::size_t>(saved.view.workspace)]},
          {"tab", bottom_tab_keys[static_cast<std::size_t>(saved.view.bottom_tab)]},
          {"breakdown", breakdown_chart_keys[static_cast<std::size_t>(saved.view.breakdown)]},
          {"selection", subject_key(saved.view.selection)},
          {"folder", saved.view.folder},
          {"recent", saved.view.recent},
          {"claim", claim_json(saved.view.claim)},
          {"what_if", what_if_json(saved.view.what_if)},
          {"costs", costs_json(saved.view.costs)},
          {"compare", compare_json(saved.view.compare)},
          {"run", run_json(saved.view.run)},
          {"claims_files", saved.view.claims_files},
          {"tour_files", saved.view.tour_files}}},
        {"worksheets", desk_json(saved.desk)},
    };
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<Saved> saved_from_text(std::string_view text, std::string_view where) {
    Result<Json> json = parse_json(text, where);
    if (!json) return json.error();
    Result<Architecture> base = architecture_at(*json, "base");
    if (!base) return within(std::string(where), base.error());
    if (Result<Counted> counted = count(*base, Input{.tokens = 1}); !counted)
        return within(std::string(where) + ", base", counted.error());
    Result<Architecture> architecture = architecture_at(*json, "architecture");
    if (!architecture) return within(std::string(where), architecture.error());
    Result<std::optional<Compared>> with = compared_from(*json);
    const std::string lost = with ? "" : sentence(within(std::string(where), with.error()));
    Json nothing = Json::object();
    const Json& input = json->contains("input") && (*json)["input"].is_object() ? (*json)["input"] : nothing;
    const Json& view = json->contains("view") && (*json)["view"].is_object() ? (*json)["view"] : nothing;
    return Saved{{std::move(*architecture), std::move(*base), text_at(*json, "preset"), input_from(input),
                  text_at(*json, "file"), with ? std::move(*with) : std::nullopt},
                 view_from(view),
                 desk_from_json(json->value("worksheets", nothing)),
                 lost};
}

Result<std::filesystem::path> state_file() {
    // Read once at the start, before there are threads.
    const char* state = std::getenv("XDG_STATE_HOME");
    const char* home = std::getenv("HOME");
    if (state && *state) return std::filesystem::path(state) / "headcount" / "document.json";
    if (home && *home) return std::filesystem::path(home) / ".local" / "state" / "headcount" / "document.json";
    return Error{"there is no place to save the document", "HOME", "set HOME or XDG_STATE_HOME"};
}

Restored restore(const std::filesystem::path& file) {
    std::error_code failure;
    if (!std::filesystem::exists(file, failure)) return {};
    Result<std::string> text = read_text(file);
    Result<Saved> saved = text ? saved_from_text(*text, file.string()) : Result<Saved>(text.error());
    if (saved && saved->lost.empty()) return {std::move(*saved), ""};
    const std::filesystem::path aside = free_name(file);
    if (saved)  // it will be written again without what is lost
        std::filesystem::copy_file(file, aside, failure);
    else
        std::filesystem::rename(file, aside, failure);
    const std::string kept = failure ? "It could not be set aside: " + failure.message() + "."
                                     : "It was set aside as " + aside.string() + ".";
    if (!saved)
        return {std::nullopt, "The saved document could not be read (" + sentence(saved.error()) + "). " + kept};
    const std::string notice = "The model to compare with could not be restored (" + saved->lost + ").";
    return {std::move(*saved), notice + " " + kept};
}

}  // namespace headcount
