// Words through which the dashed outline of another size would run stand on ground of their own.
#include <algorithm>

#include "app/canvas/labels.hpp"

namespace headcount {
namespace {

bool runs_through(const Rect& outline, const Rect& ink) {
    const bool within = outline.min.x < ink.min.x && outline.min.y < ink.min.y && outline.max.x > ink.max.x &&
                        outline.max.y > ink.max.y;
    return ink.overlaps(outline) && !within;
}

// The colour of what lies on top there.
Rgba ground_at(Point screen, const Lens& lens, Rgba ground, const Drawing& drawing) {
    const std::optional<WorldPoint> at = lens.unproject(screen);
    if (!at) return ground;
    const Camera& camera = lens.camera();
    const auto x = static_cast<float>((at->x - camera.x) * camera.zoom);
    const auto y = static_cast<float>((at->y - camera.y) * camera.zoom);
    const auto top = std::find_if(drawing.boxes.rbegin(), drawing.boxes.rend(), [&](const Box& box) {
        const bool covers = box.fill >> 24U == 0xFFU && box.pattern != CellPattern::heat;
        return covers && x >= box.min_x && x < box.max_x && y >= box.min_y && y < box.max_y;
    });
    return top == drawing.boxes.rend() ? ground : top->fill;
}

}  // namespace

void put_ground_behind_labels(const std::vector<PageView>& views, const Lens& lens, const Palette& palette,
                              Drawing& drawing) {
    std::vector<Rect> outlines;
    for (const PageView& view : views)
        for (const Slab& slab : view.page.scene.slabs)
            if (slab.base && view.clarity(slab.door) >= clear_enough) outlines.push_back(view.screen_box(*slab.base));
    for (PlacedLabel& label : drawing.labels) {
        const Rect ink = ink_of(label);
        const bool crossed = std::any_of(outlines.begin(), outlines.end(),
                                         [&](const Rect& outline) { return runs_through(outline, ink); });
        if (crossed) label.ground = ground_at(ink.centre(), lens, palette.ground, drawing);
    }
}

}  // namespace headcount
