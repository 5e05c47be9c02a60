// Picks from the innermost page outwards, in doubles: one cell of millions is hit exactly.
#include "app/canvas/arrange/picking.hpp"

#include <cmath>

namespace headcount {
namespace {

constexpr double slack = 2;               // pixels by which a thin slab may be missed
constexpr double fills = 0.8;             // of the screen's width or height: what one has gone to
constexpr float barely_outside = 0.025F;  // of the screen: at home one may be a little nearer
constexpr float matrix_margin = 72;       // design pixels around it, and at most
constexpr float margin_share = 0.18F;     // so much of the canvas's smaller side
constexpr float around_mark = 12;         // on its page
constexpr float deck_depth = 24;          // ... below a layer that is seen tilted
constexpr float tilted_margin = 18;       // ... around a model that is

Cell cell_at(const Atlas& atlas, const Slab& slab, Leaf leaf, const WorldRect& rect, WorldPoint point) {
    return cell_in(slab, copy_of(slab, leaf, atlas.group), index_at(point.y, rect.min.y, rect.height(), slab.rows),
                   index_at(point.x, rect.min.x, rect.width(), slab.columns));
}

WorldRect grown(WorldRect rect, double by) {
    return {{rect.min.x - by, rect.min.y - by}, {rect.max.x + by, rect.max.y + by}};
}

float clarity_of(const SeenPage& page, DoorIndex door) {
    return door == no_door ? page.clarity : page.clarity * page.summaries[static_cast<std::size_t>(door)];
}

// The page behind the square of a grid, or behind a frame, that lies under a point.
std::optional<Leaf> behind(const Page& page, const Placement& placement, WorldPoint point, bool grid) {
    for (std::size_t i = 0; i < page.behind.size(); ++i) {
        const Door& door = page.scene.doors[i];
        const WorldRect rect = placement.world(door.rect);
        if (door.grid != grid || !rect.contains(point)) continue;
        const std::int64_t column = index_at(point.x, rect.min.x, rect.width(), door.columns);
        const std::int64_t copy = index_at(point.y, rect.min.y, rect.height(), door.rows()) * door.columns + column;
        if (copy < door.count) return Leaf{page.behind[i], copy};
    }
    return std::nullopt;
}

// The matrix that a point is in, else one that it misses by no more than `reach`.
const Slab* slab_at(const SeenPage& seen, const Page& page, WorldPoint point, double reach) {
    const Slab* near = nullptr;
    const auto& slabs = page.scene.slabs;
    for (auto slab = slabs.rbegin(); slab != slabs.rend(); ++slab) {
        if (clarity_of(seen, slab->door) < clear_enough) continue;
        const WorldRect rect = seen.placement.world(slab->rect);
        if (rect.contains(point)) return &*slab;
        if (!near && grown(rect, reach).contains(point)) near = &*slab;
    }
    return near;
}

std::optional<Hit::Square> square_at(const Slab& slab, const WorldRect& rect, WorldPoint point) {
    const std::int64_t columns = slab.grid_columns, rows = (slab.grid_cells + columns - 1) / columns;
    const std::int64_t index = index_at(point.y, rect.min.y, rect.height(), rows) * columns +
                               index_at(point.x, rect.min.x, rect.width(), columns);
    return index < slab.grid_cells ? std::optional(Hit::Square{index, slab.grid_cells}) : std::nullopt;
}

std::optional<Hit> pick_on(const Atlas& atlas, const SeenPage& seen, WorldPoint point, double zoom) {
    const Page& page = atlas.pages[seen.leaf.page];
    if (const Slab* slab = slab_at(seen, page, point, slack / zoom)) {
        Hit hit{.id = slab->id, .leaf = seen.leaf, .slab = slab};
        if (slab->has_cells()) hit.cell = cell_at(atlas, *slab, seen.leaf, seen.placement.world(slab->rect), point);
        if (slab->grid_columns > 0) {
            hit.behind = behind(page, seen.placement, point, true);
            hit.square = square_at(*slab, seen.placement.world(slab->rect), point);
        }
        return hit;
    }
    for (auto frame = page.scene.frames.rbegin(); frame != page.scene.frames.rend(); ++frame)
        if ((frame->kind == FrameKind::component || frame->kind == FrameKind::choice) &&
            seen.placement.world(frame->rect).contains(point))
            return Hit{.id = frame->id, .leaf = seen.leaf, .slab = nullptr};
    return std::nullopt;
}

// The pages under a point from the outside in, whether or not they are clear yet.
std::vector<Leaf> pages_under(const Atlas& atlas, WorldPoint point) {
    std::vector<Leaf> leaves{{}};
    for (;;) {
        const Page& page = atlas.pages[leaves.back().page];
        const Placement placement = placement_of(atlas, leaves.back());
        std::optional<Leaf> next = behind(page, placement, point, false);
        if (!next) next = behind(page, placement, point, true);
        if (!next) return leaves;
        leaves.push_back(*next);
    }
}

Stop stop_of_page(const Atlas& atlas, Leaf leaf) {
    const Page& page = atlas.pages[leaf.page];
    const Stop::Kind kind = page.around ? Stop::Kind::block : Stop::Kind::model;
    return {kind, page.block, leaf, {}, placement_of(atlas, leaf).world(page.bounds)};
}

// The first layer for which that is so.
template <class Is>
std::optional<Stop> stop_of_layer(const Atlas& atlas, Is is) {
    for (const Frame& frame : atlas.pages.front().scene.frames)
        if (frame.kind == FrameKind::layer && is(frame))
            return Stop{Stop::Kind::layer, frame.id, {}, {}, Placement{}.world(frame.rect)};
    return std::nullopt;
}

bool large(const WorldRect& rect, const Lens& lens, double share) {
    const double zoom = lens.camera().zoom;
    return rect.width() * zoom >= share * static_cast<double>(lens.area().width()) ||
           rect.height() * zoom >= share * static_cast<double>(lens.area().height());
}

// Of the page of the whole model, the corners of what is in it.
std::vector<WorldPoint> corners_of_model(const Atlas& atlas) {
    const Scene& scene = atlas.pages.front().scene;
    std::vector<WorldPoint> corners;
    const auto add = [&](const Rect& rect) {
        for (const Point corner : rect.corners()) corners.push_back(Placement{}.world(corner));
    };
    for (const Frame& frame : scene.frames)
        if (frame.kind == FrameKind::layer) add(frame.rect);
    for (const Slab& slab : scene.slabs)
        if (slab.door == no_door) add(slab.rect);
    return corners;
}

// Whether all of these are on the screen, or beyond its edges by no more than a share of it.
bool in_sight(std::span<const WorldPoint> corners, const Lens& lens, float beyond) {
    const Rect& area = lens.area();
    const float across = area.width() * beyond, down = area.height() * beyond;
    const Rect around{{area.min.x - across, area.min.y - down}, {area.max.x + across, area.max.y + down}};
    return std::ranges::all_of(corners, [&](WorldPoint corner) { return around.contains(lens.project(corner)); });
}

// Tilted, what is in a model is in sight where the corners of its page may not be.
bool model_in_sight(const Atlas& atlas, const Lens& lens) {
    if (!lens.camera().flat()) return in_sight(corners_of_model(atlas), lens, barely_outside);
    return in_sight(stop_of_page(atlas, {}).rect.corners(), lens, barely_outside);
}

double far_from(const WorldRect& a, const WorldRect& b) {
    return std::hypot(a.centre().x - b.centre().x, a.centre().y - b.centre().y);
}

// The stretch of cells around one that is shown when one goes to it.
WorldRect cells_around(const WorldRect& matrix, const Slab& slab, WorldPoint point) {
    const double width = matrix.width() / static_cast<double>(slab.columns);
    const double height = matrix.height() / static_cast<double>(slab.rows);
    const double half = cells_shown / 2 * std::min(width, height);
    return {{point.x - half, point.y - half * 0.6}, {point.x + half, point.y + half * 0.6}};
}

}  // namespace

std::int64_t copy_of(const Slab& slab, Leaf leaf, std::int64_t group) {
    const bool shared = slab.part == Part::key || slab.part == Part::value;
    return shared ? leaf.copy / group : leaf.copy;
}

Cell first_cell(const Slab& slab, std::int64_t copy) { return {copy * slab.row_step, copy * slab.column_step}; }

Cell cell_in(const Slab& slab, std::int64_t copy, std::int64_t down, std::int64_t across) {
    const Cell first = first_cell(slab, copy);
    return {first.row + (slab.transposed ? across : down), first.column + (slab.transposed ? down : across)};
}

std::optional<Hit> pick(const Atlas& atlas, const Lens& lens, const std::vector<SeenPage>& seen, Point screen) {
    const std::optional<WorldPoint> point = lens.unproject(screen);
    if (!point) return std::nullopt;
    for (auto page = seen.rbegin(); page != seen.rend(); ++page) {
        if (page->clarity < clear_enough) continue;
        if (std::optional<Hit> hit = pick_on(atlas, *page, *point, lens.camera().zoom)) return hit;
        // What lies on the ground of a page hides what is under it.
        const Page& own = atlas.pages[page->leaf.page];
        if (own.own_ground && page->placement.world(own.bounds).contains(*point)) return std::nullopt;
    }
    return std::nullopt;
}

std::vector<Stop> places_under(const Atlas& atlas, const Lens& lens, const std::vector<SeenPage>& seen, Point screen) {
    std::vector<Stop> places{stop_of_page(atlas, {})};
    const std::optional<WorldPoint> point = lens.unproject(screen);
    if (!point) return places;
    const auto is_under = [&](const Frame& frame) { return Placement{}.world(frame.rect).contains(*point); };
    if (const std::optional<Stop> layer = stop_of_layer(atlas, is_under)) places.push_back(*layer);
    const std::vector<Leaf> leaves = pages_under(atlas, *point);
    for (std::size_t i = 1; i < leaves.size(); ++i) places.push_back(stop_of_page(atlas, leaves[i]));
    const std::optional<Hit> hit = pick(atlas, lens, seen, screen);
    if (!hit || !hit->slab || hit->slab->grid_columns > 0) return places;
    // A matrix of an outer page is in front of the pages that lie beyond it.
    const auto on = std::ranges::find(leaves, hit->leaf) - leaves.begin();
    const std::size_t deeper = leaves.size() - 1 - static_cast<std::size_t>(on);
    const bool in_front = on < static_cast<std::ptrdiff_t>(leaves.size()) && deeper > 0;
    if (in_front) places.resize(places.size() - deeper);
    // Where the page beyond draws it, too, it is there by the time that one has come near.
    const std::optional<Stop> beyond = in_front ? find_place(atlas, hit->id, leaves.back().copy) : std::nullopt;
    if (beyond && beyond->leaf.page != hit->leaf.page) {
        places.push_back(*beyond);
        return places;
    }
    const WorldRect rect = placement_of(atlas, hit->leaf).world(hit->slab->rect);
    places.push_back({Stop::Kind::matrix, hit->id, hit->leaf, {}, rect});
    if (!hit->cell) return places;
    places.push_back({Stop::Kind::cells, hit->id, hit->leaf, *hit->cell, cells_around(rect, *hit->slab, *point)});
    return places;
}

std::vector<Stop> way_here(const Atlas& atlas, const Lens& lens, const std::vector<SeenPage>& seen) {
    std::vector<Stop> places = places_under(atlas, lens, seen, lens.area().centre());
    const auto reached = [&](const Stop& stop) {
        switch (stop.kind) {
            case Stop::Kind::model: return true;
            // With all in sight that it lies in, one is still there.
            case Stop::Kind::layer: return large(stop.rect, lens, fills) && !model_in_sight(atlas, lens);
            case Stop::Kind::block:
                return large(stop.rect, lens, fills) && !in_sight(places[places.size() - 2].rect.corners(), lens, 0);
            case Stop::Kind::matrix: return large(stop.rect, lens, fills_matrix);
            case Stop::Kind::cells:
                return stop.rect.width() / cells_shown * lens.camera().zoom >= cell_size &&
                       !in_sight(places[places.size() - 2].rect.corners(), lens, 0);
        }
        return false;
    };
    // A place is reached with all that it lies in.
    while (places.size() > 1 && !reached(places.back())) places.pop_back();
    return places;
}

std::optional<Stop> find_cell(const Atlas& atlas, std::string_view id, std::int64_t copy, Cell cell) {
    std::optional<Stop> stop = find_place(atlas, id, copy);
    if (!stop || stop->kind != Stop::Kind::matrix) return std::nullopt;
    for (const Slab& slab : atlas.pages[stop->leaf.page].scene.slabs) {
        if (slab.id != id || !slab.has_cells()) continue;
        const Cell at = slab.transposed ? Cell{cell.column, cell.row} : cell;  // of the picture
        if (at.row < 0 || at.row >= slab.rows || at.column < 0 || at.column >= slab.columns) return std::nullopt;
        const WorldPoint middle{stop->rect.min.x + (static_cast<double>(at.column) + 0.5) /
                                                       static_cast<double>(slab.columns) * stop->rect.width(),
                                stop->rect.min.y + (static_cast<double>(at.row) + 0.5) /
                                                       static_cast<double>(slab.rows) * stop->rect.height()};
        return Stop{Stop::Kind::cells, stop->id, stop->leaf, cell, cells_around(stop->rect, slab, middle)};
    }
    return std::nullopt;
}

std::optional<Stop> find_mark(const Atlas& atlas, std::string_view id) {
    for (PageIndex i = 0; i < atlas.pages.size(); ++i)
        for (const FlowMark& mark : atlas.pages[i].scene.marks) {
            if (mark.id != id) continue;
            const Leaf leaf{i, 0};
            const Rect rect = around(mark.centre, mark.centre).grown(around_mark);
            return Stop{Stop::Kind::matrix, std::string(id), leaf, {}, placement_of(atlas, leaf).world(rect)};
        }
    return std::nullopt;
}

std::optional<Stop> find_place(const Atlas& atlas, std::string_view id, std::int64_t copy, const Stop* beside) {
    if (id.empty()) return stop_of_page(atlas, {});
    if (const auto layer = stop_of_layer(atlas, [&](const Frame& frame) { return frame.id == id; })) return layer;
    for (PageIndex i = 0; i < atlas.pages.size(); ++i) {
        const Page& page = atlas.pages[i];
        if (!page.around || page.block != id) continue;
        const Door& door = atlas.pages[*page.around].scene.doors[page.door];
        if (copy < 0 || copy >= door.count) return std::nullopt;
        return stop_of_page(atlas, {i, copy});
    }
    // The innermost page that draws it shows it best. What a head only reads or adds to is on the page around.
    for (PageIndex i = atlas.pages.size(); i-- > 0;) {
        const Page& page = atlas.pages[i];
        if (page.own_ground && !id.starts_with(page.block + ".")) continue;
        const std::int64_t copies = page.around ? atlas.pages[*page.around].scene.doors[page.door].count : 1;
        const Leaf leaf{i, std::clamp<std::int64_t>(copy, 0, copies - 1)};
        const Placement placement = placement_of(atlas, leaf);
        std::optional<WorldRect> shown;
        for (const Slab& slab : page.scene.slabs) {
            if (slab.id != id || slab.is_slice() || slab.grid_columns > 0) continue;
            const WorldRect rect = placement.world(slab.rect);
            if (!shown || (beside && far_from(rect, beside->rect) < far_from(*shown, beside->rect))) shown = rect;
        }
        if (shown) return Stop{Stop::Kind::matrix, std::string(id), leaf, {}, *shown};
    }
    return std::nullopt;
}

std::optional<Stop> neighbour(const Atlas& atlas, const Stop& stop, int right, int down) {
    if (stop.kind == Stop::Kind::block) {
        const Page& page = atlas.pages[stop.leaf.page];
        const Page& around = atlas.pages[*page.around];
        const Door& door = around.scene.doors[page.door];
        if (door.grid) return find_place(atlas, page.block, stop.leaf.copy + right + down * door.columns);
        const auto next = static_cast<std::ptrdiff_t>(page.door) + right + down;
        if (next < 0 || next >= static_cast<std::ptrdiff_t>(around.behind.size())) return std::nullopt;
        return stop_of_page(atlas, {around.behind[static_cast<std::size_t>(next)], 0});
    }
    if (stop.kind != Stop::Kind::matrix) return std::nullopt;
    std::vector<const Slab*> slabs;
    for (const Slab& slab : atlas.pages[stop.leaf.page].scene.slabs)
        if (slab.has_cells()) slabs.push_back(&slab);
    const auto own = std::ranges::find_if(slabs, [&](const Slab* slab) { return slab->id == stop.id; });
    const std::ptrdiff_t next = own - slabs.begin() + right + down;
    if (own == slabs.end() || next < 0 || next >= static_cast<std::ptrdiff_t>(slabs.size())) return std::nullopt;
    const Slab& slab = *slabs[static_cast<std::size_t>(next)];
    return Stop{Stop::Kind::matrix, slab.id, stop.leaf, {}, placement_of(atlas, stop.leaf).world(slab.rect)};
}

namespace {

// The whole model, tilted: as large as what is in it has room, above the depth of its decks.
Camera tilted_home(const Stop& model, const Atlas& atlas, const Lens& lens, float unit) {
    const Rect& area = lens.area();
    Rect room = area;
    room.max.y -= std::min(deck_depth * unit, area.height() / 4);
    const Camera camera = fitted(model.rect, room, tilted_margin * unit, lens.camera(), corners_of_model(atlas));
    return panned(camera, area, area.centre(), room.centre());
}

}  // namespace

Camera camera_at(const Stop& stop, const Atlas& atlas, const Lens& lens, float unit) {
    if (stop.kind == Stop::Kind::model)
        return lens.camera().flat() ? home(atlas) : tilted_home(stop, atlas, lens, unit);
    float margin = place_margin * unit;
    if (stop.kind == Stop::Kind::matrix)
        margin = std::min(matrix_margin * unit, margin_share * std::min(lens.area().width(), lens.area().height()));
    if (stop.kind != Stop::Kind::block) return fitted(stop.rect, lens.area(), margin, lens.camera());
    const Rect room = page_room(lens.area(), unit);
    Camera camera = fitted(stop.rect, room, 0, lens.camera());
    camera.y += static_cast<double>(lens.area().centre().y - room.centre().y) / camera.zoom;
    return camera;
}

}  // namespace headcount
