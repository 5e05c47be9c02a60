// Writes and reads what the What-if view asks.
#include "app/state/what_if/json.hpp"

#include <algorithm>
#include <optional>

namespace headcount {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

constexpr std::size_t longest_text = 100;

Metric metric_at(const Fields& saved, const char* key) {
    const std::string text = saved.text(key, longest_text);
    const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& each) { return each.key == text; });
    return found == metrics.end() ? Metric::total : found->metric;
}

std::optional<Field> number_named(std::string_view key) {
    for (const FieldInfo& field : fields())
        if (field.kind == FieldKind::number && field.key == key) return field.field;
    return std::nullopt;
}

std::optional<ValueRange> range_from(const Fields& saved) {
    const std::optional<Field> field = number_named(saved.text("field"));
    const std::optional<std::int64_t> from = saved.whole("from", 0), to = saved.whole("to", 0),
                                      step = saved.whole("step", 1);
    if (!field || !from || !to || !step) return std::nullopt;
    return ValueRange{*field, *from, *to, *step};
}

SweepPlace sweep_from(const Fields& saved) {
    SweepPlace place{{}, metric_at(saved, "metric")};
    for (const Json& each : saved.list("ranges"))
        if (const auto range = range_from(fields_of(each)); range && place.ranges.size() < most_ranges)
            place.ranges.push_back(*range);
    return place;
}

SolvePlace solve_from(const Fields& saved) {
    SolvePlace place;
    const Metric held = metric_at(saved, "held");
    if (std::find(held_metrics.begin(), held_metrics.end(), held) != held_metrics.end()) place.held = held;
    for (std::size_t i = 0; i < held_metrics.size(); ++i)
        place.wished[i] = saved.text(std::string(info(held_metrics[i]).key), longest_text);
    for (const std::string& each : saved.texts("free", fields().size()))
        if (const auto field = number_named(each); field && place.free.size() < most_free) place.free.push_back(*field);
    place.size = saved.text("size", longest_text);
    place.budget = saved.text("budget", longest_text);
    return place;
}

ShelfPlace shelf_from(const Fields& saved) {
    const ShelfPlace first;
    return {saved.choice("x", shelf_axis_keys, first.x), saved.choice("y", shelf_axis_keys, first.y),
            saved.flag("log_x", first.log_x), saved.flag("log_y", first.log_y)};
}

}  // namespace

Ordered what_if_json(const WhatIfPlace& place) {
    Ordered ranges = Ordered::array(), free = Ordered::array();
    for (const ValueRange& range : place.sweep.ranges)
        ranges.push_back(
            {{"field", info(range.field).key}, {"from", range.from}, {"to", range.to}, {"step", range.step}});
    for (Field field : place.solve.free) free.push_back(info(field).key);
    Ordered solve{{"held", info(place.solve.held).key}};
    for (std::size_t i = 0; i < held_metrics.size(); ++i)
        solve[std::string(info(held_metrics[i]).key)] = place.solve.wished[i];
    solve["free"] = std::move(free);
    solve["size"] = place.solve.size;
    solve["budget"] = place.solve.budget;
    return {{"tab", word_of(what_if_tab_keys, place.tab)},
            {"sweep", {{"ranges", std::move(ranges)}, {"metric", info(place.sweep.metric).key}}},
            {"sensitivity", info(place.sensitivity).key},
            {"solve", std::move(solve)},
            {"shelf",
             {{"x", word_of(shelf_axis_keys, place.shelf.x)},
              {"y", word_of(shelf_axis_keys, place.shelf.y)},
              {"log_x", place.shelf.log_x},
              {"log_y", place.shelf.log_y}}}};
}

WhatIfPlace what_if_from(const Fields& saved) {
    WhatIfPlace place;
    place.tab = saved.choice("tab", what_if_tab_keys, place.tab);
    place.sweep = sweep_from(saved["sweep"]);
    place.sensitivity = metric_at(saved, "sensitivity");
    place.solve = solve_from(saved["solve"]);
    place.shelf = shelf_from(saved["shelf"]);
    return place;
}

}  // namespace headcount
