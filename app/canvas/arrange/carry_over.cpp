// What the camera is at, found again in pages that were laid out anew.
#include <algorithm>
#include <array>

#include "app/canvas/arrange/atlas.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

// The innermost page under the middle of the screen.
Leaf page_under(const Camera& camera, const Atlas& atlas) {
    Leaf over;
    for (const SeenPage& page : seen_pages(atlas, Lens(camera, atlas.area)))
        if (page.clarity > clear_enough &&
            page.placement.world(atlas.pages[page.leaf.page].bounds).contains({camera.x, camera.y}))
            over = page.leaf;
    return over;
}

// The matrix in the middle, if it is large enough to be what is looked at.
const Slab* slab_under(const Camera& camera, const Atlas& atlas, Leaf leaf) {
    const Placement placement = placement_of(atlas, leaf);
    for (const Slab& slab : atlas.pages[leaf.page].scene.slabs) {
        const WorldRect rect = placement.world(slab.rect);
        const bool large = rect.width() * camera.zoom >= fills_matrix * static_cast<double>(atlas.area.width()) ||
                           rect.height() * camera.zoom >= fills_matrix * static_cast<double>(atlas.area.height());
        const bool matrix = slab.grid_columns == 0 && slab.look != SlabLook::hollow && slab.look != SlabLook::absent;
        if (matrix && large && rect.contains({camera.x, camera.y})) return &slab;
    }
    return nullptr;
}

// What an id of one atlas is in another, which may show another kind of layers in the place of these.
std::string in_other(std::string_view id, const Atlas& from, const Atlas& atlas) {
    const auto& frames = atlas.pages.front().scene.frames;
    const bool there = std::ranges::any_of(
        frames, [&](const Frame& frame) { return frame.kind == FrameKind::layer && frame.id == from.layer; });
    return there ? std::string(id) : in_layer(id, from.layer, atlas.layer);
}

const Slab* same_slab(const Page& page, const Slab& slab, const std::string& id) {
    const auto& slabs = page.scene.slabs;
    return find_if_in(
        slabs, [&](const Slab& other) { return other.id == id && other.grid_columns == 0 && other.look == slab.look; });
}

// One side of a matrix: where it lies in the world, and how many cells it has there.
struct Side {
    double begin, size, cells;

    double cell() const { return size / cells; }
};
using TwoSides = std::array<Side, 2>;  // across and down
TwoSides sides_of(const Placement& placement, const Slab& slab) {
    const WorldRect rect = placement.world(slab.rect);
    return {{{rect.min.x, rect.width(), static_cast<double>(std::max<std::int64_t>(1, slab.columns))},
             {rect.min.y, rect.height(), static_cast<double>(std::max<std::int64_t>(1, slab.rows))}}};
}

// The same cell, or the last one there is; or the same share.
double moved(double at, const Side& from, const Side& to, bool by_cells) {
    const double share = (at - from.begin) / from.size, cell = share * from.cells;
    if (!by_cells) return to.begin + share * to.size;
    return to.begin + (cell < to.cells ? cell : to.cells - 0.5) * to.cell();
}

// Over the same cells, where these are large enough to be what is looked at, else over the same share of the matrix;
// returns whether it is by cells.
bool move_over(Camera& camera, const TwoSides& from, const TwoSides& to) {
    const bool by_cells = std::min(from[0].cell(), from[1].cell()) * camera.zoom >= cell_size;
    camera.x = moved(camera.x, from[0], to[0], by_cells);
    camera.y = moved(camera.y, from[1], to[1], by_cells);
    return by_cells;
}

// How much larger the matrix was. On a screen of another size its longer side counts alone: the other one may be as
// thin as it was because nothing is drawn thinner.
double shrinking(const TwoSides& from, const TwoSides& to, bool resized) {
    if (!resized) return std::min(from[0].size / to[0].size, from[1].size / to[1].size);
    const std::size_t longer = from[0].size > from[1].size ? 0 : 1;
    return from[longer].size / to[longer].size;
}

// The same page of another atlas, where it has that.
std::optional<Leaf> same_page(Leaf leaf, const Atlas& from, const Atlas& atlas) {
    const std::string block = in_other(from.pages[leaf.page].block, from, atlas);
    for (PageIndex i = 0; i < atlas.pages.size(); ++i) {
        const Page& page = atlas.pages[i];
        if (page.block != block) continue;
        const std::int64_t copies = page.around ? atlas.pages[*page.around].scene.doors[page.door].count : 1;
        return Leaf{i, page.around ? std::min(leaf.copy, copies - 1) : 0};
    }
    return std::nullopt;
}

}  // namespace

Camera carried_over(const Camera& camera, const Atlas& before, const Atlas& after) {
    if (before.pages.empty() || camera == home(before)) return home(after);
    const Leaf over = page_under(camera, before);
    const std::optional<Leaf> now = same_page(over, before, after);
    if (!now) return home(after);
    const Page &was = before.pages[over.page], &is = after.pages[now->page];
    const Placement from = placement_of(before, over), to = placement_of(after, *now);
    // How much larger the screen has become.
    const double room = static_cast<double>(
        std::min(after.area.width() / before.area.width(), after.area.height() / before.area.height()));
    Camera carried = camera;
    const Slab* const slab = slab_under(camera, before, over);
    if (const Slab* there = slab ? same_slab(is, *slab, in_other(slab->id, before, after)) : nullptr) {
        const TwoSides a = sides_of(from, *slab), b = sides_of(to, *there);
        const bool by_cells = move_over(carried, a, b);
        carried.zoom *= by_cells ? std::min(a[0].cell(), a[1].cell()) / std::min(b[0].cell(), b[1].cell())
                                 : room * shrinking(a, b, room != 1);
    } else {
        // The same share of the page stays in the middle, and the page at its size on the screen, or its share of it.
        const double ratio = static_cast<double>(is.bounds.width()) / static_cast<double>(was.bounds.width());
        carried.x = to.x + (camera.x - from.x) / from.scale * ratio * to.scale;
        carried.y = to.y + (camera.y - from.y) / from.scale * ratio * to.scale;
        carried.zoom = camera.zoom * from.scale / to.scale / ratio * room;
    }
    carried.zoom = std::clamp(carried.zoom, least_zoom, most_zoom);
    return carried;
}

namespace {

// The innermost page around this one, or itself, that the other atlas has too, and there.
struct Shared {
    Leaf from, to;
    bool same = true;  // it is the page itself
};
Shared shared_page(Leaf leaf, const Atlas& from, const Atlas& atlas) {
    Shared shared{leaf, {}};
    while (true) {
        const std::optional<Leaf> there = same_page(shared.from, from, atlas);
        const std::optional<PageIndex> around = from.pages[shared.from.page].around;
        shared.to = there.value_or(Leaf{});
        if (there || !around) return shared;
        shared.from = {*around, 0};
        shared.same = false;
    }
}

// The zoom at which it fills the canvas.
double filling_zoom(const Atlas& atlas, const Leaf& leaf) {
    return atlas.pages[leaf.page].filling / placement_of(atlas, leaf).scale;
}

}  // namespace

Camera same_place(const Camera& camera, const Atlas& from, const Atlas& atlas) {
    if (from.pages.empty() || atlas.pages.empty()) return camera;
    const Leaf over = page_under(camera, from);
    const Shared shared = shared_page(over, from, atlas);
    if (over.page == 0 || shared.to.page == 0) return over.page == 0 ? camera : home(atlas);
    const Page &was = from.pages[shared.from.page], &is = atlas.pages[shared.to.page];
    const Placement old = placement_of(from, shared.from), now = placement_of(atlas, shared.to);
    Camera there = camera;
    const Slab* const slab = shared.same ? slab_under(camera, from, over) : nullptr;
    const Slab* const same = slab ? same_slab(is, *slab, in_other(slab->id, from, atlas)) : nullptr;
    if (same) {
        const TwoSides a = sides_of(old, *slab), b = sides_of(now, *same);
        move_over(there, a, b);
        const std::size_t longer = a[0].cells > a[1].cells ? 0 : 1;  // the other may be as thick as the least
        there.zoom = camera.zoom * a[longer].cell() / b[longer].cell();
    } else {
        const double share = shared.same ? camera.zoom / filling_zoom(from, shared.from) : 1;
        const auto at = [&](double place, double begin, double scale, float size, float new_size) {
            const double part = shared.same ? (place - begin) / scale / static_cast<double>(size) : 0.5;
            return part * static_cast<double>(new_size);
        };
        there.x = now.x + at(camera.x, old.x, old.scale, was.bounds.width(), is.bounds.width()) * now.scale;
        there.y = now.y + at(camera.y, old.y, old.scale, was.bounds.height(), is.bounds.height()) * now.scale;
        there.zoom = share * filling_zoom(atlas, shared.to);
    }
    there.zoom = std::clamp(there.zoom, least_zoom, most_zoom);
    return there;
}

namespace {

PageScale scale_of(const Atlas& atlas, const Page& page) {
    const double model = static_cast<double>(page.scene.model_scale),
                 card = static_cast<double>(page.scene.layer_scale);
    return {plain_block(atlas, page.block), model * page.filling, card * page.filling};
}

}  // namespace

std::vector<PageScale> shared_scales(const Atlas& a, const Atlas& b) {
    std::vector<PageScale> scales;
    for (const Page& page : a.pages) {
        const PageScale own = scale_of(a, page);
        for (const Page& other : b.pages) {
            const PageScale there = scale_of(b, other);
            if (page.around && there.block == own.block)
                scales.push_back({own.block, std::min(own.most, there.most), std::min(own.card, there.card)});
        }
    }
    return scales;
}

bool exceeds(const Atlas& atlas, const std::vector<PageScale>& scales) {
    constexpr double tolerance = 1.0001;
    return std::ranges::any_of(atlas.pages, [&](const Page& page) {
        const PageScale own = scale_of(atlas, page);
        return std::ranges::any_of(scales, [&](const PageScale& most) {
            return most.block == own.block && (own.most > most.most * tolerance || own.card > most.card * tolerance);
        });
    });
}

}  // namespace headcount
