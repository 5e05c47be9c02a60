// Panels grow with the window, the canvas most of all.
#include "app/parts/explore_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/ui/theme.hpp"

namespace headcount {
namespace {

struct LayoutStep {
    float window, panel;  // pixels at scale 1
};

// The design's picture is 1600x1000; the other steps are 1280x720, 2560x1440 and the smallest window.
constexpr std::array left_steps{LayoutStep{960, 240}, LayoutStep{1280, 264}, LayoutStep{1600, size::left_panel},
                                LayoutStep{2560, 360}};
constexpr std::array right_steps{LayoutStep{960, 288}, LayoutStep{1280, 312}, LayoutStep{1600, size::right_panel},
                                 LayoutStep{2560, 440}};
constexpr std::array table_steps{LayoutStep{600, 150}, LayoutStep{720, 190}, LayoutStep{1000, 250},
                                 LayoutStep{1440, 360}};

// Between two steps in proportion; beyond the ends as at the end, but in a tiny window never more than a part of it.
float along(std::span<const LayoutStep> steps, float window, float most_part) {
    float panel = steps.back().panel;
    if (window <= steps.front().window) panel = steps.front().panel;
    for (std::size_t i = 1; i < steps.size(); ++i) {
        const LayoutStep& low = steps[i - 1];
        const LayoutStep& high = steps[i];
        if (window < low.window || window >= high.window) continue;
        panel = low.panel + (high.panel - low.panel) * (window - low.window) / (high.window - low.window);
    }
    return std::min(panel, window * most_part);
}

constexpr float line = 1;
constexpr float least_inspector = 0.45F;  // of the right column
constexpr float least_canvas = 440;       // beside which a tour's words leave the tables what there is
// Of the diagram: where it would have less, what stands right of it gives way to it, then what stands left, and below.
constexpr float diagram_across = 360, diagram_down = 400;
constexpr float least_down = 340;  // where the tables alone are left of what is around it
// Of a window that is enlarged so far that no more has room: 150 % of it is 1280x720.
constexpr float enlarged_width = 853, enlarged_height = 480;

}  // namespace

ExploreLayout explore_layout(ImVec2 display, float scale, float breakdown_height, float caption_height, bool chrome) {
    const float width = std::max(display.x, 8 * line), whole = std::max(display.y, 8 * line);
    const float caption = std::min(std::round(caption_height), std::floor(whole / 3));
    const float height = whole - caption - (caption > 0 ? line : 0);
    const float top = chrome ? std::min(std::round(size::top_bar * scale), std::floor(height / 3)) : 0;
    float left = std::round(along(left_steps, width / scale, 0.3F) * scale);
    float right = std::round(along(right_steps, width / scale, 0.35F) * scale);
    for (float* const side : {&right, &left})
        if (width - left - right < diagram_across * scale) *side = 0;
    const float spare = height - top - std::round(least_canvas * scale);
    const float wanted = std::round(along(table_steps, whole / scale, 0.3F) * scale);
    float table = caption > 0 ? std::clamp(spare, std::min(wanted, std::floor(height / 8)), wanted) : wanted;
    if (height - top - table < (right > 0 ? diagram_down : least_down) * scale) table = 0;

    const auto line_beside = [](float side) { return side > 0 ? line : 0; };
    const float below = top + (chrome ? line : 0), right_from = width - right, table_from = height - table;
    const float middle_from = left + line_beside(left), middle_to = right_from - line_beside(right);
    const float most_breakdown = std::floor((height - below) * (1 - least_inspector));
    const float breakdown_to = below + std::clamp(std::round(breakdown_height), 1.0F, most_breakdown);
    return {
        .top_bar = {{0, 0}, {width, top}},
        .architecture = {{0, below}, {left, height}},
        .canvas = {{middle_from, below}, {middle_to, table_from - line_beside(table)}},
        .tables = {{middle_from, table_from}, {middle_to, height}},
        .breakdown = {{right_from, below}, {width, breakdown_to}},
        .inspector = {{right_from, breakdown_to + line}, {width, height}},
        .caption = {{0, whole - caption}, {width, whole}},
    };
}

float largest_scale(ImVec2 display) {
    constexpr float steps = 20, tolerance = 0.001F;
    const float room = std::min(display.x / enlarged_width, display.y / enlarged_height);
    return std::max(1.0F, std::floor(room * steps + tolerance) / steps);
}

}  // namespace headcount
