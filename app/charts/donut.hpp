// The donut: inner ring components, outer ring tensors. Geometry is data; drawing reads it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/charts/chart.hpp"

namespace headcount {

struct DonutSlice {
    double fraction = 0;  // of the whole; a ring's fractions sum to at most 1
    ImU32 colour = 0;
    int id = 0;
    int component = -1;          // outer ring: index into the inner ring
    std::string_view name = {};  // recorded as `name.slice.<this>`
};

struct DonutArc {
    float from = 0, to = 0;  // radians, clockwise from 12 o'clock; equal where the fraction is 0
};

// Arcs of a ring. A slice narrower than `smallest` radians is drawn that wide and the wide ones give way in
// proportion, so order and visibility are kept; percentages beside the chart stay exact.
std::vector<DonutArc> donut_arcs(std::span<const DonutSlice> slices, float smallest);

// The outer ring: every component's tensors share that component's arc.
std::vector<DonutArc> outer_arcs(std::span<const DonutSlice> outer, std::span<const DonutArc> inner, float smallest);

struct DonutRadii {
    float inner_from = 0, inner_to = 0, outer_from = 0, outer_to = 0;
};
DonutRadii donut_radii(float radius);

struct DonutHit {
    bool outer = false;
    int index = 0;
    bool operator==(const DonutHit&) const = default;
};
std::optional<DonutHit> donut_pick(ImVec2 point, ImVec2 centre, const DonutRadii& radii,
                                   std::span<const DonutArc> inner, std::span<const DonutArc> outer);

struct Donut {
    std::span<const DonutSlice> components, tensors;
    std::optional<int> focused_component = {};  // an inner id: the other components fade to 35 %
    std::optional<int> selected_tensor = {};    // an outer id: lifted 3 px with an edge in the selection colour
    std::optional<int> lit_component, lit_tensor;
    std::string_view value, unit;  // in the middle: "6.74 B", "parameters"
    std::string_view about = {};   // the key of what the value is about: see app/ui/veil.hpp
    float diameter = 146;          // unscaled
    std::string_view title = {};   // of its files
};

struct DonutResult {
    std::optional<int> hovered_component, hovered_tensor;
    std::optional<int> clicked_component, clicked_tensor;
    std::optional<ChartAsked> asked;  // of its menu
};
DonutResult donut(const Ui& ui, std::string_view name, const Donut& chart);

}  // namespace headcount
