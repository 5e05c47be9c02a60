// Writes and reads what the What-if view asks.
#include "app/state/what_if/json.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace headcount {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

constexpr std::size_t longest_text = 100;

const Json* part_of(const Json& json, const char* key) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    return found == json.end() || !json.is_object() ? nullptr : &*found;
}

std::string short_text_at(const Json& json, const char* key) {
    const Json* const text = part_of(json, key);
    if (!text || !text->is_string()) return {};
    auto read = text->get<std::string>();
    return read.size() > longest_text ? std::string() : read;
}

bool flag_at(const Json& json, const char* key, bool otherwise) {
    const Json* const flag = part_of(json, key);
    return flag && flag->is_boolean() ? flag->get<bool>() : otherwise;
}

template <class Choice>
Choice choice_at(const Json& json, const char* key, std::span<const std::string_view> keys, Choice otherwise) {
    const auto found = std::find(keys.begin(), keys.end(), short_text_at(json, key));
    return found == keys.end() ? otherwise : static_cast<Choice>(found - keys.begin());
}

Metric metric_at(const Json& json, const char* key) {
    const std::string text = short_text_at(json, key);
    const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& each) { return each.key == text; });
    return found == metrics.end() ? Metric::total : found->metric;
}

std::optional<Field> number_named(std::string_view key) {
    for (const FieldInfo& field : fields())
        if (field.kind == FieldKind::number && field.key == key) return field.field;
    return std::nullopt;
}

std::optional<std::int64_t> number_at(const Json& json, const char* key, std::int64_t least) {
    const Json* const number = part_of(json, key);
    if (!number || !number->is_number_integer()) return std::nullopt;
    const auto value = number->get<std::int64_t>();  // below 0 where it does not fit
    return value < least ? std::nullopt : std::optional(value);
}

std::optional<ValueRange> range_from(const Json& json) {
    const std::optional<Field> field = number_named(short_text_at(json, "field"));
    const std::optional<std::int64_t> from = number_at(json, "from", 0), to = number_at(json, "to", 0),
                                      step = number_at(json, "step", 1);
    if (!field || !from || !to || !step) return std::nullopt;
    return ValueRange{*field, *from, *to, *step};
}

SweepPlace sweep_from(const Json& json) {
    SweepPlace place{{}, metric_at(json, "metric")};
    if (const Json* const ranges = part_of(json, "ranges"); ranges && ranges->is_array())
        for (const Json& each : *ranges)
            if (const auto range = range_from(each); range && place.ranges.size() < most_ranges)
                place.ranges.push_back(*range);
    return place;
}

SolvePlace solve_from(const Json& json) {
    SolvePlace place;
    const Metric held = metric_at(json, "held");
    if (std::find(held_metrics.begin(), held_metrics.end(), held) != held_metrics.end()) place.held = held;
    for (std::size_t i = 0; i < held_metrics.size(); ++i)
        place.wished[i] = short_text_at(json, std::string(info(held_metrics[i]).key).c_str());
    if (const Json* const free = part_of(json, "free"); free && free->is_array())
        for (const Json& each : *free)
            if (const auto field = each.is_string() ? number_named(each.get<std::string>()) : std::nullopt;
                field && place.free.size() < most_free)
                place.free.push_back(*field);
    place.size = short_text_at(json, "size");
    place.budget = short_text_at(json, "budget");
    return place;
}

ShelfPlace shelf_from(const Json& json) {
    const ShelfPlace first;
    return {choice_at(json, "x", shelf_axis_keys, first.x), choice_at(json, "y", shelf_axis_keys, first.y),
            flag_at(json, "log_x", first.log_x), flag_at(json, "log_y", first.log_y)};
}

template <class Choice>
std::string_view key_of(std::span<const std::string_view> keys, Choice choice) {
    return keys[static_cast<std::size_t>(choice)];
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
    return {{"tab", key_of(what_if_tab_keys, place.tab)},
            {"sweep", {{"ranges", std::move(ranges)}, {"metric", info(place.sweep.metric).key}}},
            {"sensitivity", info(place.sensitivity).key},
            {"solve", std::move(solve)},
            {"shelf",
             {{"x", key_of(shelf_axis_keys, place.shelf.x)},
              {"y", key_of(shelf_axis_keys, place.shelf.y)},
              {"log_x", place.shelf.log_x},
              {"log_y", place.shelf.log_y}}}};
}

WhatIfPlace what_if_from_json(const Json& json) {
    const Json nothing = Json::object();
    const auto part = [&](const char* key) -> const Json& {
        const Json* const found = part_of(json, key);
        return found ? *found : nothing;
    };
    WhatIfPlace place;
    place.tab = choice_at(json, "tab", what_if_tab_keys, place.tab);
    place.sweep = sweep_from(part("sweep"));
    place.sensitivity = metric_at(json, "sensitivity");
    place.solve = solve_from(part("solve"));
    place.shelf = shelf_from(part("shelf"));
    return place;
}

}  // namespace headcount
