// From a page's pixels to the plane and to the screen.
#include "app/canvas/draw/page_view.hpp"

#include <algorithm>
#include <cmath>

namespace headcount {

Point PageView::plane(Point point) const {
    const WorldPoint world = seen.placement.world(point);
    const Camera& camera = lens.camera();
    return {static_cast<float>((world.x - camera.x) * camera.zoom),
            static_cast<float>((world.y - camera.y) * camera.zoom)};
}

Rect PageView::screen_box(const Rect& rect) const {
    Rect around{screen(rect.min), screen(rect.max)};
    if (lens.camera().flat()) return around;
    const Rect ends = around;
    for (Point corner :
         {ends.min, ends.max, screen(Point{rect.max.x, rect.min.y}), screen(Point{rect.min.x, rect.max.y})}) {
        around.min = {std::min(around.min.x, corner.x), std::min(around.min.y, corner.y)};
        around.max = {std::max(around.max.x, corner.x), std::max(around.max.y, corner.y)};
    }
    return around;
}

float PageView::height(const Slab& slab) const {
    if (lens.camera().tilt == 0) return 0;
    const auto zoomed = static_cast<float>(zoom());
    const bool thin = slab.look != SlabLook::parameter;
    const float side = std::min(slab.rect.width(), slab.rect.height()) * zoomed;
    const float full = thin ? px(2) : std::clamp(0.25F * side, px(4), px(48));
    return full * static_cast<float>(std::sin(lens.camera().tilt));
}

Rgba faded(Rgba colour, float share) {
    const auto alpha = static_cast<float>(colour >> 24U) * std::clamp(share, 0.0F, 1.0F);
    return (colour & 0x00FFFFFFU) | (static_cast<Rgba>(std::lround(alpha)) << 24U);
}

}  // namespace headcount
