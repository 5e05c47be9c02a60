// Points between two axes, labelled where there is room, with lines over them (a roofline); and a line with a mark at
// each of its points.
#pragma once

#include <array>
#include <functional>

#include "app/charts/axis.hpp"

namespace headcount {

struct ScatterPoint {
    double x = 0, y = 0;
    int series = 0;          // index into ScatterChart::series
    std::string label = {};  // beside it where nothing else is written there; empty: none
    ChartNote note = {};
    std::string name = {};  // recorded as `<chart>.<this>`; empty: by index
    float radius = 4;       // unscaled
    bool selected = false, lit = false;
};

struct ScatterLine {
    std::vector<std::array<double, 2>> points;  // x, y; cut at the axes
    ImU32 colour = 0;                           // 0: the theme's edge
    float width = 1.5F;
};

struct ScatterChart {
    std::string title;
    Axis x, y;  // see axis_over
    std::span<const ChartSeries> series;
    std::span<const ScatterPoint> points;
    std::span<const ScatterLine> lines = {};
    float height = 320;  // unscaled
};

struct PlacedName {
    int point = 0;
    ImVec2 min, max;
};
// Labels that touch neither each other nor any point or line, those of earlier points first; what has no room is left
// out. `centres`, `extents` and the points of `lines` are in pixels.
std::vector<PlacedName> place_names(std::span<const ImVec2> centres, std::span<const float> radii,
                                    std::span<const ImVec2> extents, const ChartArea& inside, float gap,
                                    std::span<const std::vector<ImVec2>> lines = {});

// The part of a polyline that lies inside; pieces where it leaves and comes back.
std::vector<std::vector<ImVec2>> cut_line(std::span<const ImVec2> points, const ChartArea& inside);

// At the cursor, at the available width; indices are of points.
ChartResult scatter_chart(const Ui& ui, std::string_view name, const ScatterChart& chart);

struct LinePoint {
    double x = 0, y = 0;
    bool selected = false;
};

struct LineChart {
    std::string title;
    Axis x, y;
    std::span<const LinePoint> points;        // in ascending x
    float height = 320;                       // unscaled
    std::function<ChartNote(int)> note = {};  // of a point, when it is pointed at
    std::optional<double> marked = {};        // an x with a dashed line: where the model is now
};

// At the cursor, at the available width; indices are of points.
ChartResult line_chart(const Ui& ui, std::string_view name, const LineChart& chart);

}  // namespace headcount
