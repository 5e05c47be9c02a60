// Words through which the dashed outline of another size or a token's lit row would run stand on ground of their own.
#include <algorithm>

#include "app/canvas/draw/labels.hpp"

namespace headcount {
namespace {

bool runs_through(const Rect& outline, const Rect& ink) {
    const bool within = outline.min.x < ink.min.x && outline.min.y < ink.min.y && outline.max.x > ink.max.x &&
                        outline.max.y > ink.max.y;
    return ink.overlaps(outline) && !within;
}

// The colour of what lies on top there; nothing where that is numbers, each in a colour of its own.
std::optional<Rgba> ground_at(Point screen, const Lens& lens, Rgba ground, const Drawing& drawing, bool under_numbers) {
    const std::optional<WorldPoint> at = lens.unproject(screen);
    if (!at) return ground;
    const Camera& camera = lens.camera();
    const auto x = static_cast<float>((at->x - camera.x) * camera.zoom);
    const auto y = static_cast<float>((at->y - camera.y) * camera.zoom);
    const auto top = std::find_if(drawing.boxes.rbegin(), drawing.boxes.rend(), [&](const Box& box) {
        const bool numbers = box.pattern == CellPattern::heat;
        const bool covers = numbers ? !under_numbers : box.fill >> 24U == 0xFFU;
        return covers && x >= box.min_x && x < box.max_x && y >= box.min_y && y < box.max_y;
    });
    if (top == drawing.boxes.rend()) return ground;
    return top->pattern == CellPattern::heat ? std::nullopt : std::optional(top->fill);
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
        const bool struck = std::any_of(drawing.lit.begin(), drawing.lit.end(),
                                        [&](const Lit& lit) { return lit.row && runs_through(lit.rect, ink); });
        if (crossed || struck)
            label.ground = ground_at(ink.centre(), lens, palette.ground, drawing, crossed).value_or(0);
    }
}

}  // namespace headcount
