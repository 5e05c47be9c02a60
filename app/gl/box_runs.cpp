// Looks at large boxes alone: on small ones nothing can be saved.
#include "app/gl/box_runs.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace headcount {
namespace {

constexpr float large = 10'000;          // pixels: what they cost is more than another call to draw does
constexpr float worth_its_strips = 200;  // pixels a box that are not drawn
constexpr std::size_t most_large = 64;   // each is compared with each

constexpr Rect nowhere{{std::numeric_limits<float>::max(), std::numeric_limits<float>::max()},
                       {std::numeric_limits<float>::max(), std::numeric_limits<float>::max()}};

bool seen(Rgba colour) { return colour >> 24U != 0; }
bool opaque(Rgba colour) { return colour >> 24U == 255; }
Rect rect_of(const Box& box) { return {{box.min_x, box.min_y}, {box.max_x, box.max_y}}; }
// In pixels; 0 of one that is turned inside out.
float area(const Rect& rect, Point pixel) {
    return std::max(rect.width(), 0.0F) / pixel.x * std::max(rect.height(), 0.0F) / pixel.y;
}

// What lies inside of the edge, the round corners and the pixels in which the border fades.
Rect inside(const Box& box, Point pixel) {
    const float all = (seen(box.edge) ? box.edge_width : 0) + box.radius;
    return {{box.min_x + all + pixel.x, box.min_y + all + pixel.y},
            {box.max_x - all - pixel.x, box.max_y - all - pixel.y}};
}

bool empty_inside(const Box& box) {
    return box.pattern == CellPattern::none && !seen(box.fill) && (box.tab_width <= 0 || !seen(box.tab));
}
bool covers(const Box& box) {
    return opaque(box.fill) && (box.pattern == CellPattern::none || box.pattern == CellPattern::cells);
}

BoxNeeds needs_of(const Box& box, std::optional<Point> pixel) {
    if (box.pattern == CellPattern::none) return BoxNeeds::look;
    if (box.pattern != CellPattern::heat) return BoxNeeds::cells;
    const bool bare = box.edge_width <= 0 && box.tab_width <= 0 && box.radius <= 0;
    constexpr float one = 1.0001F;
    const bool near = pixel && box.columns_a_pixel * pixel->x <= one && box.rows_a_pixel * pixel->y <= one;
    return bare && near ? BoxNeeds::heat : BoxNeeds::all;
}

BoxNeeds needs_both(BoxNeeds a, BoxNeeds b) {
    return a != b && std::min(a, b) == BoxNeeds::heat ? BoxNeeds::all : std::max(a, b);
}

}  // namespace

std::optional<Point> pixel_seen_flat(const Drawing& drawing, float density) {
    const std::array<float, 16>& view = drawing.view_projection;  // column by column
    for (const std::size_t turned : {1, 3, 4, 7, 8, 9})
        if (view[turned] != 0) return std::nullopt;
    // What stands higher is nearer to an eye that is not infinitely far.
    const auto in_the_plane = [](const Box& box) { return box.bottom == 0 && box.top == 0; };
    if (view[11] != 0 && !std::ranges::all_of(drawing.boxes, in_the_plane)) return std::nullopt;
    const Point shown{view[0] / view[15] * drawing.area.width() * density / 2,
                      -view[5] / view[15] * drawing.area.height() * density / 2};
    if (!(shown.x > 0 && shown.y > 0)) return std::nullopt;
    return Point{1 / shown.x, 1 / shown.y};
}

std::vector<Rect> holes_in(const Drawing& drawing, Point pixel) {
    std::vector<std::size_t> large_ones;
    for (std::size_t i = 0; i < drawing.boxes.size() && large_ones.size() < most_large; ++i)
        if (area(rect_of(drawing.boxes[i]), pixel) >= large) large_ones.push_back(i);
    std::vector<Rect> holes;
    for (std::size_t k = 0; k < large_ones.size(); ++k) {
        const Box& box = drawing.boxes[large_ones[k]];
        Rect hole = empty_inside(box) ? inside(box, pixel) : nowhere;
        for (std::size_t later = k + 1; later < large_ones.size(); ++later) {
            const Box& other = drawing.boxes[large_ones[later]];
            const Rect hidden = covers(other) ? rect_of(box).common(inside(other, pixel)) : nowhere;
            if (area(hidden, pixel) > area(hole, pixel)) hole = hidden;
        }
        if (area(hole, pixel) < large) continue;
        if (holes.empty()) holes.assign(drawing.boxes.size(), nowhere);
        holes[large_ones[k]] = hole;
    }
    return holes;
}

std::vector<BoxRun> box_runs(const Drawing& drawing, const Batch& batch, std::optional<Point> pixel,
                             const std::vector<Rect>& holes) {
    std::vector<BoxRun> runs;
    float waiting = 0;  // pixels of the last run
    for (std::uint32_t i = batch.first; i < batch.first + batch.count; ++i) {
        const Box& box = drawing.boxes[i];
        const BoxNeeds needs = needs_of(box, pixel);
        const float pixels = pixel ? area(rect_of(box), *pixel) : 0;
        const bool apart = !runs.empty() && (needs == BoxNeeds::heat) != (runs.back().needs == BoxNeeds::heat) &&
                           std::max(pixels, waiting) >= large;
        if (runs.empty() || apart) {
            runs.push_back({i, 0, needs});
            waiting = 0;
        }
        BoxRun& run = runs.back();
        run.needs = needs_both(run.needs, needs);
        ++run.count;
        waiting += pixels;
    }
    if (holes.empty()) return runs;
    for (BoxRun& run : runs) {
        float saved = 0;
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i) saved += area(holes[i], *pixel);
        run.holes = saved > worth_its_strips * static_cast<float>(run.count);
    }
    return runs;
}

}  // namespace headcount
