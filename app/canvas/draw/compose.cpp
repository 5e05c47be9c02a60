// All pages that are seen, from the outside in, and then the words that have room.
#include "app/canvas/draw/compose.hpp"

#include <algorithm>

#include "app/canvas/draw/labels.hpp"
#include "app/canvas/draw/page_view.hpp"

namespace headcount {
namespace {

// Around the screen, so that edges and corners of what is cut off there stay out of sight.
constexpr float margin = 64;

// What is drawn of the plane, in pixels from the target.
Rect sight_of(const Lens& lens) {
    const WorldRect seen = lens.seen();
    const Camera& camera = lens.camera();
    const auto plane = [&](double world, double target) { return static_cast<float>((world - target) * camera.zoom); };
    return {{plane(seen.min.x, camera.x) - margin, plane(seen.min.y, camera.y) - margin},
            {plane(seen.max.x, camera.x) + margin, plane(seen.max.y, camera.y) + margin}};
}

// How many pages lie around it.
std::size_t depth_of(const Atlas& atlas, const SeenPage& seen) {
    std::size_t depth = 0;
    for (auto around = atlas.pages[seen.leaf.page].around; around; around = atlas.pages[*around].around) ++depth;
    return depth;
}

std::size_t deepest(const Atlas& atlas, const std::vector<SeenPage>& seen) {
    std::size_t depth = 0;
    for (const SeenPage& page : seen) depth = std::max(depth, depth_of(atlas, page));
    return depth;
}

}  // namespace

void compose(const Atlas& atlas, const std::vector<SeenPage>& seen, const NumberedGraph& model, const Lens& lens,
             const Palette& palette, const Looks& looks, Drawing& drawing) {
    drawing.clear();
    drawing.area = lens.area();
    drawing.view_projection = lens.view_projection();
    const Rect sight = sight_of(lens);
    std::vector<LabelWish> wishes;
    std::vector<Obstacle> obstacles;
    std::vector<PageView> all;
    for (std::size_t depth = 0; !seen.empty() && depth <= deepest(atlas, seen); ++depth) {
        std::vector<PageView> views;
        for (const SeenPage& page : seen)
            if (depth_of(atlas, page) == depth) views.emplace_back(atlas, page, lens, looks);
        std::vector<Brush> brushes;
        for (const PageView& view : views) brushes.push_back({view, model, palette, sight, drawing, obstacles});
        for (const auto step : {draw_frames, draw_wires, draw_slabs})
            for (const Brush& brush : brushes) step(brush);
        for (const PageView& view : views) mark_sides_and_cells(view, model, palette, drawing, wishes);
        for (const auto step : {draw_bands, draw_marks, draw_bends})
            for (const Brush& brush : brushes) step(brush);
        for (const PageView& view : views) wish_labels(view, palette, wishes);
        for (const PageView& view : views) all.push_back(view);
    }
    place_labels(wishes, obstacles, all, palette, drawing);
    put_ground_behind_labels(all, lens, palette, drawing);
}

}  // namespace headcount
