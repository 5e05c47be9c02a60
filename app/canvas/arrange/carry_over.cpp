// What the camera is at, found again in pages that were laid out anew.
#include <algorithm>
#include <cmath>

#include "app/canvas/arrange/atlas.hpp"

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

// What an id of one atlas is in another, which may show another kind of layers.
std::string in_other(std::string_view id, const Atlas& from, const Atlas& to) {
    const std::string_view own = from.layer;
    const bool inside = id.starts_with(own) && (id.size() == own.size() || id[own.size()] == '.');
    return inside ? to.layer + std::string(id.substr(own.size())) : std::string(id);
}

const Slab* same_slab(const Page& page, const Slab& slab, const std::string& id) {
    const auto& slabs = page.scene.slabs;
    const auto same = std::find_if(slabs.begin(), slabs.end(), [&](const Slab& other) {
        return other.id == id && other.grid_columns == 0 && other.look == slab.look;
    });
    return same == slabs.end() ? nullptr : &*same;
}

// One side of a matrix: where it lies in the world, and how many cells it has there.
struct Side {
    double begin, size, cells;

    double cell() const { return size / cells; }
};
Side across(const WorldRect& rect, const Slab& slab) {
    return {rect.min.x, rect.width(), static_cast<double>(std::max<std::int64_t>(1, slab.columns))};
}
Side down(const WorldRect& rect, const Slab& slab) {
    return {rect.min.y, rect.height(), static_cast<double>(std::max<std::int64_t>(1, slab.rows))};
}

// The same cell, or the last one there is; or the same share.
double moved(double at, const Side& from, const Side& to, bool by_cells) {
    const double share = (at - from.begin) / from.size, cell = share * from.cells;
    if (!by_cells) return to.begin + share * to.size;
    return to.begin + (cell < to.cells ? cell : to.cells - 0.5) * to.cell();
}

// How much larger the matrix was. On a screen of another size its longer side counts alone: the other one may be as
// thin as it was because nothing is drawn thinner.
double shrinking(const Side (&from)[2], const Side (&to)[2], bool resized) {
    if (!resized) return std::min(from[0].size / to[0].size, from[1].size / to[1].size);
    const int longer = from[0].size > from[1].size ? 0 : 1;
    return from[longer].size / to[longer].size;
}

// `room` is how much larger the screen has become.
Camera over_slab(Camera camera, const Side (&from)[2], const Side (&to)[2], double room) {
    const double cell = std::min(from[0].cell(), from[1].cell());
    const bool by_cells = cell * camera.zoom >= cell_size;
    camera.x = moved(camera.x, from[0], to[0], by_cells);
    camera.y = moved(camera.y, from[1], to[1], by_cells);
    camera.zoom *= by_cells ? cell / std::min(to[0].cell(), to[1].cell()) : room * shrinking(from, to, room != 1);
    camera.zoom = std::clamp(camera.zoom, least_zoom, most_zoom);
    return camera;
}

}  // namespace

Camera carried_over(const Camera& camera, const Atlas& before, const Atlas& after) {
    if (before.pages.empty() || camera == home(before)) return home(after);
    const Leaf over = page_under(camera, before);
    const Page& was = before.pages[over.page];
    const std::string block = in_other(was.block, before, after);
    const auto same =
        std::find_if(after.pages.begin(), after.pages.end(), [&](const Page& page) { return page.block == block; });
    if (same == after.pages.end()) return home(after);
    Leaf now{static_cast<PageIndex>(same - after.pages.begin()), 0};
    if (same->around) now.copy = std::min(over.copy, after.pages[*same->around].scene.doors[same->door].count - 1);
    const Placement from = placement_of(before, over), to = placement_of(after, now);
    const double room = static_cast<double>(
        std::min(after.area.width() / before.area.width(), after.area.height() / before.area.height()));
    if (const Slab* slab = slab_under(camera, before, over))
        if (const Slab* there = same_slab(*same, *slab, in_other(slab->id, before, after))) {
            const WorldRect old_rect = from.world(slab->rect), new_rect = to.world(there->rect);
            return over_slab(camera, {across(old_rect, *slab), down(old_rect, *slab)},
                             {across(new_rect, *there), down(new_rect, *there)}, room);
        }
    // The same share of the page stays in the middle, and the page at its size on the screen, or its share of it.
    const double ratio = static_cast<double>(same->bounds.width()) / static_cast<double>(was.bounds.width());
    Camera carried = camera;
    carried.x = to.x + (camera.x - from.x) / from.scale * ratio * to.scale;
    carried.y = to.y + (camera.y - from.y) / from.scale * ratio * to.scale;
    carried.zoom = std::clamp(camera.zoom * from.scale / to.scale / ratio * room, least_zoom, most_zoom);
    return carried;
}

namespace {

// The innermost page around this one, or itself, that the other atlas has too, and there.
struct Shared {
    Leaf from, to;
    bool same = true;  // it is the page itself
};
Shared shared_page(Leaf leaf, const Atlas& from, const Atlas& to) {
    Shared shared{leaf, {}};
    while (true) {
        const Page& page = from.pages[shared.from.page];
        const std::string block = in_other(page.block, from, to);
        for (PageIndex i = 0; i < to.pages.size(); ++i) {
            if (to.pages[i].block != block) continue;
            shared.to.page = i;
            const std::optional<PageIndex>& around = to.pages[i].around;
            if (around)
                shared.to.copy = std::min(shared.from.copy, to.pages[*around].scene.doors[to.pages[i].door].count - 1);
            return shared;
        }
        if (!page.around) return shared;
        shared.from = {*page.around, 0};
        shared.same = false;
    }
}

// The zoom at which it fills the canvas.
double filling_zoom(const Atlas& atlas, const Leaf& leaf) {
    return atlas.pages[leaf.page].filling / placement_of(atlas, leaf).scale;
}

}  // namespace

Camera same_place(const Camera& camera, const Atlas& from, const Atlas& to) {
    if (from.pages.empty() || to.pages.empty()) return camera;
    const Leaf over = page_under(camera, from);
    const Shared shared = shared_page(over, from, to);
    if (over.page == 0 || shared.to.page == 0) return over.page == 0 ? camera : home(to);
    const Page &was = from.pages[shared.from.page], &is = to.pages[shared.to.page];
    const Placement old = placement_of(from, shared.from), now = placement_of(to, shared.to);
    Camera there = camera;
    const Slab* const slab = shared.same ? slab_under(camera, from, over) : nullptr;
    const Slab* const same = slab ? same_slab(is, *slab, in_other(slab->id, from, to)) : nullptr;
    if (same) {
        const WorldRect old_rect = old.world(slab->rect), new_rect = now.world(same->rect);
        const Side a[2] = {across(old_rect, *slab), down(old_rect, *slab)},
                   b[2] = {across(new_rect, *same), down(new_rect, *same)};
        const bool by_cells = std::min(a[0].cell(), a[1].cell()) * camera.zoom >= cell_size;
        there.x = moved(camera.x, a[0], b[0], by_cells);
        there.y = moved(camera.y, a[1], b[1], by_cells);
        const int longer = a[0].cells > a[1].cells ? 0 : 1;  // the other may be as thick as the least
        there.zoom = camera.zoom * a[longer].cell() / b[longer].cell();
    } else {
        const double share = shared.same ? camera.zoom / filling_zoom(from, shared.from) : 1;
        const auto at = [&](double place, double begin, double scale, float size, float new_size) {
            const double part = shared.same ? (place - begin) / scale / static_cast<double>(size) : 0.5;
            return part * static_cast<double>(new_size);
        };
        there.x = now.x + at(camera.x, old.x, old.scale, was.bounds.width(), is.bounds.width()) * now.scale;
        there.y = now.y + at(camera.y, old.y, old.scale, was.bounds.height(), is.bounds.height()) * now.scale;
        there.zoom = share * filling_zoom(to, shared.to);
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
    return std::any_of(atlas.pages.begin(), atlas.pages.end(), [&](const Page& page) {
        const PageScale own = scale_of(atlas, page);
        return std::any_of(scales.begin(), scales.end(), [&](const PageScale& most) {
            return most.block == own.block && (own.most > most.most * tolerance || own.card > most.card * tolerance);
        });
    });
}

}  // namespace headcount
