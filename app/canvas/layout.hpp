// Lays the whole model out: embedding, one layer that stands for all, output head. A pure function of its input.
#pragma once

#include <functional>
#include <string_view>

#include "app/canvas/scene.hpp"

namespace headcount {

// A graph with its numbers.
struct NumberedGraph {
    const ModelGraph& graph;
    const Bindings& bindings;
};

struct LayoutInput {
    NumberedGraph model;
    NumberedGraph base;  // the preset: its sizes are dashed outlines where they differ
    Rect area;           // in pixels
    float unit = 1;      // pixels a design pixel: the interface scale
    std::function<float(std::string_view text, TextRole role)> text_width;
};

inline constexpr float least_side = 6;  // design pixels: no side is drawn thinner

Scene layout_model(const LayoutInput& input);

}  // namespace headcount
