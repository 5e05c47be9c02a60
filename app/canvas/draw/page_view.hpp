// One page as it is seen in this frame: where its things are on the screen, how clearly, how high.
#pragma once

#include "app/canvas/draw/compose.hpp"

namespace headcount {

// One page as it is seen in this frame.
class PageView {
  public:
    PageView(const Atlas& atlas, const SeenPage& seen, const Lens& lens, const Looks& looks)
        : page(atlas.pages[seen.leaf.page]), seen(seen), lens(lens), looks(looks), group(atlas.group) {}

    const Page& page;
    const SeenPage& seen;
    const Lens& lens;
    const Looks& looks;
    std::int64_t group;

    float px(float design) const { return design * looks.unit; }
    // Pixels of the screen a pixel of the page.
    double zoom() const { return seen.placement.scale * lens.camera().zoom; }
    // How clearly a thing behind this door, or behind none, is seen.
    float clarity(DoorIndex door) const {
        return door == no_door ? seen.clarity : seen.clarity * seen.summaries[static_cast<std::size_t>(door)];
    }
    // Pixels in the plane from the camera's target.
    Point plane(Point point) const;
    Rect plane(const Rect& rect) const { return {plane(rect.min), plane(rect.max)}; }
    Point screen(Point point, float height = 0) const { return lens.project(seen.placement.world(point), height); }
    // The least rectangle of the screen around it.
    Rect screen_box(const Rect& rect) const;
    // How far the top of this slab is above the plane: nothing from straight above.
    float height(const Slab& slab) const;
    std::int64_t copy_of(const Slab& slab) const { return headcount::copy_of(slab, seen.leaf, group); }
};

// The colour with its opacity times `share`.
Rgba faded(Rgba colour, float share);

}  // namespace headcount
