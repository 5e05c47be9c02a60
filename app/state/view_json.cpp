// Writes and reads the view.
#include "app/state/view_json.hpp"

#include <cmath>

#include "app/state/derived.hpp"
#include "app/state/run/json.hpp"
#include "app/state/what_if/json.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;

ClaimPlace claim_from(const Fields& saved) {
    ClaimPlace place{saved.text("file"), saved.text("id"), {}};
    if (const auto step = saved.whole("step", 0)) place.step = static_cast<std::size_t>(*step);
    return place;
}

Json claim_json(const ClaimPlace& place) {
    Json json{{"file", place.file}, {"id", place.claim}};
    if (place.step) json["step"] = *place.step;
    return json;
}

ComparePlace compare_from(const Fields& saved) {
    const ComparePlace first;
    return {saved.choice("split", compare_split_keys, first.split), saved.choice("tab", compare_tab_keys, first.tab)};
}

Json compare_json(const ComparePlace& place) {
    return {{"split", word_of(compare_split_keys, place.split)}, {"tab", word_of(compare_tab_keys, place.tab)}};
}

// What is impossible for the model is said in the view.
CostsPlace costs_from(const Fields& saved) {
    CostsPlace place;
    place.device = saved.text("device", std::string::npos, place.device);
    for (const PrecisionInfo& precision : precisions())
        if (precision.key == saved.text("cache")) place.cache = precision.precision;
    place.training = saved.flag("training");
    place.how = {saved.choice("optimizer", optimizer_words(), Optimizer{}),
                 saved.choice("recompute", recompute_words(), Recompute{}), saved.flag("dropout"),
                 saved.flag("training_scores", true)};
    place.scores = saved.flag("scores");
    place.sharding = {saved.whole("devices", 1).value_or(1), saved.whole("tensor", 1).value_or(1),
                      saved.whole("pipeline", 1).value_or(1), saved.whole("zero", 0).value_or(0)};
    place.phase = saved.choice("phase", costs_phases, Phase{});
    place.full = saved.flag("full");
    return place;
}

Json costs_json(const CostsPlace& place) {
    Json json{{"device", place.device},
              {"training", place.training},
              {"optimizer", word_of(optimizer_words(), place.how.optimizer)},
              {"recompute", word_of(recompute_words(), place.how.recompute)},
              {"dropout", place.how.dropout},
              {"scores", place.scores},
              {"training_scores", place.how.scores},
              {"devices", place.sharding.devices},
              {"tensor", place.sharding.tensor},
              {"pipeline", place.sharding.pipeline},
              {"zero", place.sharding.zero},
              {"phase", word_of(costs_phases, place.phase)},
              {"full", place.full}};
    if (place.cache) json["cache"] = info(*place.cache).key;
    return json;
}

std::optional<std::array<int, 2>> pair_from(std::span<const Json> list, std::int64_t least) {
    constexpr std::int64_t most = 1 << 15;  // more than a screen has
    if (list.size() != 2) return std::nullopt;
    std::array<int, 2> pair{};
    for (std::size_t i = 0; i < pair.size(); ++i) {
        const std::int64_t number = list[i].is_number_integer() ? list[i].get<std::int64_t>() : most + 1;
        if (number < least || number > most) return std::nullopt;
        pair[i] = static_cast<int>(number);
    }
    return pair;
}

std::optional<WindowPlace> window_from(const Fields& saved) {
    constexpr std::int64_t least_corner = -(1 << 15);  // screens may lie to the left of the first
    if (!saved.object) return std::nullopt;
    return WindowPlace{pair_from(saved.list("corner"), least_corner), pair_from(saved.list("size"), 1),
                       saved.flag("maximised")};
}

}  // namespace

nlohmann::ordered_json window_json(const WindowPlace& place) {
    nlohmann::ordered_json json{{"maximised", place.maximised}};
    if (place.corner) json["corner"] = *place.corner;
    if (place.size) json["size"] = *place.size;
    return json;
}

View view_from(const Fields& saved) {
    View view;
    view.theme = saved.text("theme") == "light" ? ThemeChoice::light : ThemeChoice::dark;
    const float scale = static_cast<float>(saved.whole("scale_percent", 0).value_or(100)) / 100;
    view.scale = scale < least_scale || scale > most_scale ? 1 : scale;
    view.reduced_motion = saved.flag("reduced_motion");
    view.folder = saved.text("folder");
    view.recent = saved.texts("recent", most_recent);
    view.claim = claim_from(saved["claim"]);
    view.costs = costs_from(saved["costs"]);
    view.what_if = what_if_from(saved["what_if"]);
    view.compare = compare_from(saved["compare"]);
    view.run = run_from(saved["run"]);
    view.claims_files = saved.texts("claims_files", most_opened_files);
    view.tour_files = saved.texts("tour_files", most_opened_files);
    view.window = window_from(saved["window"]);
    view.workspace = saved.text("workspace", std::string::npos, view.workspace);
    view.bottom_tab = saved.choice("tab", bottom_tab_keys, view.bottom_tab);
    view.breakdown = saved.choice("breakdown", breakdown_chart_keys, view.breakdown);
    return view;
}

nlohmann::ordered_json view_json(const View& view, const Subject& selection) {
    nlohmann::ordered_json json{{"theme", view.theme == ThemeChoice::light ? "light" : "dark"},
                                {"scale_percent", std::lround(view.scale * 100)},
                                {"reduced_motion", view.reduced_motion},
                                {"workspace", view.workspace},
                                {"tab", word_of(bottom_tab_keys, view.bottom_tab)},
                                {"breakdown", word_of(breakdown_chart_keys, view.breakdown)},
                                {"selection", subject_key(selection)},
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
