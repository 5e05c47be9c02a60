// Writes and reads the view.
#include "app/state/view_json.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/state/derived.hpp"
#include "app/state/json_at.hpp"
#include "app/state/run/json.hpp"
#include "app/state/shortcuts.hpp"
#include "app/state/what_if/json.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;

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
    place.phase = word_at<Phase>(json, "phase", costs_phases);
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

std::optional<std::array<int, 2>> pair_at(const Json& json, const char* key, std::int64_t least) {
    constexpr std::int64_t most = 1 << 15;  // more than a screen has
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array() || found->size() != 2) return std::nullopt;
    std::array<int, 2> pair{};
    for (std::size_t i = 0; i < pair.size(); ++i) {
        const Json& each = (*found)[i];
        const std::int64_t number = each.is_number_integer() ? each.get<std::int64_t>() : most + 1;
        if (number < least || number > most) return std::nullopt;
        pair[i] = static_cast<int>(number);
    }
    return pair;
}

std::optional<WindowPlace> window_from(const Json& json) {
    constexpr std::int64_t least_corner = -(1 << 15);  // screens may lie to the left of the first
    if (!json.is_object()) return std::nullopt;
    return WindowPlace{pair_at(json, "corner", least_corner), pair_at(json, "size", 1), true_at(json, "maximised")};
}

}  // namespace

nlohmann::ordered_json window_json(const WindowPlace& place) {
    nlohmann::ordered_json json{{"maximised", place.maximised}};
    if (place.corner) json["corner"] = *place.corner;
    if (place.size) json["size"] = *place.size;
    return json;
}

View view_from_json(const Json& json) {
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
    view.window = window_from(json.value("window", Json()));
    view.workspace = word_at<Workspace>(json, "workspace", workspace_keys);
    view.bottom_tab = word_at<BottomTab>(json, "tab", bottom_tab_keys);
    const auto chart = std::find(breakdown_chart_keys.begin(), breakdown_chart_keys.end(), text_at(json, "breakdown"));
    if (chart != breakdown_chart_keys.end())
        view.breakdown = static_cast<BreakdownChart>(chart - breakdown_chart_keys.begin());
    return view;
}

nlohmann::ordered_json view_json(const View& view) {
    nlohmann::ordered_json json{{"theme", view.theme == ThemeChoice::light ? "light" : "dark"},
                                {"scale_percent", std::lround(view.scale * 100)},
                                {"reduced_motion", view.reduced_motion},
                                {"workspace", workspace_keys[static_cast<std::size_t>(view.workspace)]},
                                {"tab", bottom_tab_keys[static_cast<std::size_t>(view.bottom_tab)]},
                                {"breakdown", breakdown_chart_keys[static_cast<std::size_t>(view.breakdown)]},
                                {"selection", subject_key(view.selection)},
                                {"folder", view.folder},
                                {"recent", view.recent},
                                {"claim", claim_json(view.claim)},
                                {"what_if", what_if_json(view.what_if)},
                                {"costs", costs_json(view.costs)},
                                {"compare", compare_json(view.compare)},
                                {"run", run_json(view.run)},
                                {"claims_files", view.claims_files},
                                {"tour_files", view.tour_files}};
    if (view.window) json["window"] = window_json(*view.window);
    return json;
}

}  // namespace headcount
