// Boxes and lines of all pages that are seen.
#include "app/canvas/compose.hpp"

#include <algorithm>
#include <cmath>

#include "app/canvas/composer.hpp"
#include "app/canvas/picking.hpp"

namespace headcount {
namespace {

// Around the screen, so that edges and corners of what is cut off there stay out of sight.
constexpr float margin = 64;
constexpr float clear_enough = 0.5F;  // what is dimmer is neither recorded nor in a label's way

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

Rect common(const Rect& a, const Rect& b) {
    return {{std::max(a.min.x, b.min.x), std::max(a.min.y, b.min.y)},
            {std::min(a.max.x, b.max.x), std::min(a.max.y, b.max.y)}};
}

// What is divided into cells, in pixels of the page.
struct Cells {
    Rect rect;
    std::int64_t columns = 1, rows = 1;
    FirstCell first;
};

class Composer {
  public:
    Composer(const PageView& view, const NumberedGraph& model, const Palette& palette, const Rect& sight,
             Drawing& drawing)
        : view_(view), model_(model), palette_(palette), sight_(sight), drawing_(drawing) {}

    // In this order; each step for all pages that lie equally deep, so that their boxes and lines are few batches.
    void draw_frames() {
        if (view_.page.own_ground) draw_ground();
        for (const Frame& frame : view_.page.scene.frames) draw_frame(frame);
    }
    void draw_wires() {
        for (const Wire& wire : view_.page.scene.wires) draw_wire(wire);
    }
    void draw_slabs();
    void draw_marks() {
        for (const Mark& mark : view_.page.scene.marks) draw_mark(mark);
    }
    void draw_bent_marks() {
        for (const Mark& mark : view_.page.scene.marks)
            if (mark.kind == MarkKind::apply) draw_bend(mark);
    }
    std::vector<Region> obstacles;  // slabs that labels may not lie on

  private:
    float px(float design) const { return view_.px(design); }
    Glow glow(std::string_view id) const { return view_.looks.glow(id); }
    Rect snapped(Rect rect) const;
    bool add(const Box& box, const Rect& rect);
    void add_with_cells(Box box, const Rect& rect, const Cells& cells);
    void outline(const Rect& rect, float out, float width, Rgba colour, float clarity, float top);
    void draw_ground();
    void draw_frame(const Frame& frame);
    void draw_deck(const Frame& frame, const Rect& rect, const Box& face);
    void draw_slab(const Slab& slab);
    void draw_grid(const Slab& slab, float clarity);
    Box body(const Slab& slab) const;
    void add_body(const Box& box, const Slab& slab, const Rect& rect);
    void draw_token(const Slab& slab, const Rect& rect, float top, float clarity);
    void draw_break(const Slab& slab, const Rect& rect, float top, float clarity);
    void draw_wire(const Wire& wire);
    void stroke(Point from, Point to, float width, Rgba colour, float arrow = 0);
    void draw_mark(const Mark& mark);
    void draw_bend(const Mark& mark);
    Rgba ink_of(const Mark& mark) const;

    const PageView& view_;
    const NumberedGraph& model_;
    const Palette& palette_;
    const Rect& sight_;
    Drawing& drawing_;
};

// To whole pixels of the screen, so that straight edges are crisp; a tilted picture has none.
Rect Composer::snapped(Rect rect) const {
    if (!view_.lens.camera().flat()) return rect;
    const Point middle = view_.lens.area().centre();
    const auto snap = [](float value, float offset) { return std::round(value + offset) - offset; };
    return {{snap(rect.min.x, middle.x), snap(rect.min.y, middle.y)},
            {snap(rect.max.x, middle.x), snap(rect.max.y, middle.y)}};
}

// Adds what can be seen of the box; returns whether that is anything.
bool Composer::add(const Box& box, const Rect& rect) {
    Box piece = box;
    const Rect seen = common(rect, sight_);
    if (seen.width() <= 0 || seen.height() <= 0) return false;
    piece.min_x = seen.min.x;
    piece.min_y = seen.min.y;
    piece.max_x = seen.max.x;
    piece.max_y = seen.max.y;
    drawing_.add(piece);
    return true;
}

// The same for a box of cells. Which cell lies in the corner of the piece is found in doubles, because the whole may be
// millions of pixels away.
void Composer::add_with_cells(Box box, const Rect& rect, const Cells& cells) {
    const Rect seen = common(rect, sight_);
    const WorldRect whole = view_.seen.placement.world(cells.rect);
    const Camera& camera = view_.lens.camera();
    const auto start = [&](float piece, double target, double begin, double size, std::int64_t count,
                           std::int64_t first, std::int32_t& cell, float& fraction, float& rate) {
        const double a_pixel = static_cast<double>(count) / (size * camera.zoom);
        const double at = (target - begin) * camera.zoom * a_pixel + static_cast<double>(piece) * a_pixel;
        cell = static_cast<std::int32_t>(first + static_cast<std::int64_t>(std::floor(at)));
        fraction = static_cast<float>(at - std::floor(at));
        rate = static_cast<float>(a_pixel);
    };
    start(seen.min.x, camera.x, whole.min.x, whole.width(), cells.columns, cells.first.column, box.first_column,
          box.column_fraction, box.columns_a_pixel);
    start(seen.min.y, camera.y, whole.min.y, whole.height(), cells.rows, cells.first.row, box.first_row,
          box.row_fraction, box.rows_a_pixel);
    if (box.pattern == CellPattern::none) box.pattern = CellPattern::cells;
    add(box, rect);
}

void Composer::outline(const Rect& rect, float out, float width, Rgba colour, float clarity, float top) {
    const Rect around{{rect.min.x - out, rect.min.y - out}, {rect.max.x + out, rect.max.y + out}};
    add({.bottom = top, .top = top, .edge = faded(colour, clarity), .edge_width = width, .radius = px(4)}, around);
}

// A page among copies of itself lies on ground of its own, over the grid that it replaces.
void Composer::draw_ground() {
    add({.fill = faded(palette_.deck, view_.seen.clarity),
         .edge = faded(palette_.strong_line, view_.seen.clarity),
         .edge_width = px(1)},
        view_.plane(view_.page.bounds));
}

// Cards behind the first say that there are more: beside it seen from above, below it seen tilted.
void Composer::draw_deck(const Frame& frame, const Rect& rect, const Box& face) {
    const bool flat = view_.lens.camera().flat();
    const auto behind = static_cast<int>(std::min<std::int64_t>(frame.copies - 1, flat ? 3 : 11));
    const auto zoom = static_cast<float>(view_.zoom());
    const auto tilted = static_cast<float>(std::sin(view_.lens.camera().tilt));
    for (int i = behind; i > 0; --i) {
        const float shift = px(4) * static_cast<float>(i) * std::clamp(zoom, 0.25F, 4.0F) * (1 - tilted);
        Box card = face;
        card.fill = faded(palette_.ground, view_.seen.clarity);
        card.edge = faded(palette_.line, view_.seen.clarity);
        card.bottom = card.top = -px(9) * static_cast<float>(i) * tilted;
        add(card, {{rect.min.x + shift, rect.min.y - shift}, {rect.max.x + shift, rect.max.y - shift}});
    }
}

void Composer::draw_frame(const Frame& frame) {
    const float clarity = view_.seen.clarity;
    const Rect rect = snapped(view_.plane(frame.rect));
    const Palette::Hue& hue = palette_.components[static_cast<std::size_t>(frame.component)];
    Box box{.edge_width = px(1), .radius = px(frame.kind == FrameKind::layer ? 10 : 8)};
    switch (frame.kind) {
        case FrameKind::layer:
            box.fill = faded(palette_.deck, clarity);
            box.edge = faded(palette_.strong_line, clarity);
            draw_deck(frame, rect, box);
            break;
        case FrameKind::component: {
            const bool bright = glow(frame.id) >= Glow::hovered;
            box.fill = bright ? faded(hue.fill, 0.07F * clarity) : 0;
            box.edge = faded(hue.fill, (bright ? 1.0F : 0.55F) * clarity);
            box.edge_width = px(bright ? 1.5F : 1);
            break;
        }
        case FrameKind::card:
            box.fill = faded(palette_.deck, clarity);
            box.edge = faded(hue.fill, 0.7F * clarity);
            draw_deck(frame, rect, box);
            break;
        case FrameKind::cache:
            box.fill = faded(palette_.cache_fill, 0.35F * clarity);
            box.edge = faded(palette_.cache_edge, 0.8F * clarity);
            break;
    }
    if (!add(box, rect) || frame.kind == FrameKind::card || frame.kind == FrameKind::cache) return;
    drawing_.regions.push_back({frame.id, view_.screen_box(frame.rect)});
    if (frame.kind != FrameKind::component) return;
    const Point corner{rect.min.x + px(16), rect.min.y + px(11)};
    add({.fill = faded(hue.fill, clarity), .radius = px(2)}, {corner, {corner.x + px(10), corner.y + px(10)}});
}

Box Composer::body(const Slab& slab) const {
    const float clarity = view_.clarity(slab.door);
    const Palette::Hue& hue = palette_.parts[static_cast<std::size_t>(slab.part)];
    const Rect rect = view_.plane(slab.rect);
    Box box{.edge_width = px(1), .radius = std::min({px(2), rect.width() / 3, rect.height() / 3})};
    switch (slab.look) {
        case SlabLook::parameter:
            box.fill = faded(hue.fill, clarity);
            box.edge = faded(hue.edge, clarity);
            box.ink = faded(hue.ink, 0.3F * clarity);
            break;
        case SlabLook::activation:
        case SlabLook::cached: {
            const bool cached = slab.look == SlabLook::cached;
            box.fill = faded(cached ? palette_.cache_fill : palette_.deck, clarity);
            box.edge = faded(cached ? palette_.cache_edge : palette_.activation_edge, clarity);
            box.ink = faded(cached ? palette_.cache_edge : palette_.activation_edge, 0.4F * clarity);
            box.tab = faded(hue.fill, clarity);
            box.tab_width = std::min(px(3), rect.width() / 2);
            break;
        }
        case SlabLook::ghost:
            box.fill = faded(hue.fill, 0.22F * clarity);
            box.edge = faded(hue.fill, clarity);
            box.ink = faded(hue.fill, 0.4F * clarity);
            box.dash = px(4);
            break;
        case SlabLook::hollow:
            box.fill = faded(palette_.raised, clarity);
            box.edge = faded(palette_.strong_line, clarity);
            break;
    }
    box.top = view_.height(slab);
    return box;
}

// The body of a matrix, with its cells where it has any to scale.
void Composer::add_body(const Box& box, const Slab& slab, const Rect& rect) {
    if (slab.rows <= 0 || slab.columns <= 0 || slab.cut || slab.cut_right)
        add(box, rect);
    else
        add_with_cells(box, rect, {slab.rect, slab.columns, slab.rows, first_cell(slab, view_.copy_of(slab))});
}

// One row for one token, the same in every activation that has a row for each.
void Composer::draw_token(const Slab& slab, const Rect& rect, float top, float clarity) {
    const Tensor* tensor = model_.graph.find(slab.id);
    const bool rows = tensor && tensor->role != Role::parameter && uses(tensor->shape, Symbol::tokens);
    if (!view_.looks.token || !rows || slab.grid_columns > 0) return;
    const float tall = std::max(px(1.5F), rect.height() / static_cast<float>(std::max<std::int64_t>(1, slab.rows)));
    const float y = rect.min.y + static_cast<float>(*view_.looks.token) * (rect.height() - tall);
    add({.bottom = top, .top = top, .fill = faded(palette_.selection, 0.85F * clarity)},
        {{rect.min.x, y}, {rect.max.x, y + tall}});
}

// A break across the matrix: the rest would not fit.
void Composer::draw_break(const Slab& slab, const Rect& rect, float top, float clarity) {
    const float reach = px(3), gap = px(4), from_end = px(9);
    const Box paper{.bottom = top, .top = top, .fill = faded(palette_.deck, clarity)};
    if (slab.cut)
        add(paper, {{rect.min.x - reach, rect.max.y - from_end}, {rect.max.x + reach, rect.max.y - from_end + gap}});
    if (slab.cut_right)
        add(paper, {{rect.max.x - from_end, rect.min.y - reach}, {rect.max.x - from_end + gap, rect.max.y + reach}});
}

// All squares of a grid are two boxes, however many there are: the full rows, and the rest.
void Composer::draw_grid(const Slab& slab, float clarity) {
    const auto columns = static_cast<std::int64_t>(slab.grid_columns);
    const std::int64_t rows = (slab.grid_cells + columns - 1) / columns, full = slab.grid_cells / columns;
    const float width = slab.rect.width() / static_cast<float>(columns),
                height = slab.rect.height() / static_cast<float>(rows);
    const Box box{.fill = faded(palette_.deck, clarity),
                  .edge = faded(palette_.activation_edge, clarity),
                  .edge_width = px(1),
                  .pattern = CellPattern::cells,
                  .ink = faded(palette_.activation_edge, clarity)};
    const auto stretch = [&](std::int64_t row, std::int64_t count, std::int64_t across) {
        if (count <= 0 || across <= 0) return;
        const float y = slab.rect.min.y + static_cast<float>(row) * height;
        const Rect part{{slab.rect.min.x, y},
                        {slab.rect.min.x + static_cast<float>(across) * width, y + static_cast<float>(count) * height}};
        add_with_cells(box, snapped(view_.plane(part)), {part, across, count, {}});
    };
    stretch(0, full, columns);
    stretch(full, 1, slab.grid_cells - full * columns);
}

void Composer::draw_slab(const Slab& slab) {
    const float clarity = view_.clarity(slab.door);
    if (clarity <= 0) return;
    const Rect rect = snapped(view_.plane(slab.rect));
    Box box = body(slab);
    if (slab.base) {
        const Rect base = snapped(view_.plane(*slab.base));
        const bool larger = base.max.x > rect.max.x + 1 || base.max.y > rect.max.y + 1;
        const Box dashed{
            .bottom = box.top,
            .top = box.top,
            .edge = faded(larger ? palette_.text_low : palette_.parts[static_cast<std::size_t>(slab.part)].ink,
                          (larger ? 1.0F : 0.6F) * clarity),
            .edge_width = px(1),
            .dash = px(4)};
        if (larger) add(dashed, base);
        add_body(box, slab, rect);
        if (!larger && slab.look == SlabLook::parameter) add(dashed, base);
    } else if (slab.grid_columns > 0) {
        draw_grid(slab, clarity);
    } else if (slab.causal) {
        add(box, rect);
        Box triangle = box;
        triangle.edge = triangle.tab = 0;
        triangle.bottom = box.top;
        triangle.fill = faded(palette_.parts[static_cast<std::size_t>(slab.part)].fill, 0.5F * clarity);
        triangle.pattern = CellPattern::causal;
        triangle.diagonal = static_cast<std::int32_t>(std::max<std::int64_t>(0, slab.columns - slab.rows));
        add_body(triangle, slab, rect);
    } else {
        add_body(box, slab, rect);
    }
    draw_break(slab, rect, box.top, clarity);
    draw_token(slab, rect, box.top, clarity);
    if (clarity < clear_enough) return;
    const Rect screen = view_.screen_box(slab.rect);
    if (!screen.overlaps(view_.lens.area())) return;
    drawing_.regions.push_back({slab.id, screen});
    obstacles.push_back({slab.id, screen});
    const Glow light = glow(slab.id);
    if (light == Glow::selected) outline(rect, px(3), px(2), palette_.selection, clarity, box.top);
    if (light == Glow::hovered) outline(rect, px(2), px(1.25F), palette_.selection, clarity, box.top);
    if (light == Glow::near) outline(rect, px(2), px(1), palette_.lit_edge, clarity, box.top);
}

void Composer::draw_slabs() {
    const Scene& scene = view_.page.scene;
    if (view_.lens.camera().flat()) {
        for (const Slab& slab : scene.slabs) draw_slab(slab);
        return;
    }
    // Tilted, what is nearer stands before what is farther away.
    std::vector<const Slab*> order;
    for (const Slab& slab : scene.slabs) order.push_back(&slab);
    std::stable_sort(order.begin(), order.end(), [&](const Slab* a, const Slab* b) {
        return view_.screen(a->rect.centre()).y < view_.screen(b->rect.centre()).y;
    });
    for (const Slab* slab : order) draw_slab(*slab);
}

void Composer::stroke(Point from, Point to, float width, Rgba colour, float arrow) {
    // What lies beside the screen with both ends is not seen; a stroke that crosses it is cut to its surroundings.
    const auto cut = [](float& a, float& b, float& other_a, float& other_b, float least, float most) {
        if ((a < least && b < least) || (a > most && b > most)) return false;
        const auto clip = [&](float& end, float& other, float start, float other_start) {
            const float bound = std::clamp(end, least, most);
            if (bound == end) return;
            other = other_start + (other - other_start) * (bound - start) / (end - start);
            end = bound;
        };
        clip(a, other_a, b, other_b);
        clip(b, other_b, a, other_a);
        return true;
    };
    const Point tip = to;
    if (!cut(from.x, to.x, from.y, to.y, sight_.min.x, sight_.max.x)) return;
    if (!cut(from.y, to.y, from.x, to.x, sight_.min.y, sight_.max.y)) return;
    drawing_.add(Line{.from_x = from.x,
                      .from_y = from.y,
                      .to_x = to.x,
                      .to_y = to.y,
                      .width = width,
                      .arrow = tip == to ? arrow : 0,
                      .colour = colour});
}

void Composer::draw_wire(const Wire& wire) {
    const float clarity = view_.clarity(wire.door);
    if (clarity <= 0 || wire.points.size() < 2) return;
    const Glow light = glow(wire.tensor);
    const Tensor* tensor = model_.graph.find(wire.tensor);
    Rgba colour = wire.stream ? palette_.lit_edge : palette_.edge;
    if (tensor && tensor->role == Role::cache) colour = palette_.cache_edge;
    if (wire.faint) colour = faded(palette_.edge, 0.45F);
    if (light >= Glow::hovered && !wire.faint) colour = palette_.selection;
    if (light == Glow::near) colour = palette_.lit_edge;
    colour = faded(colour, clarity);
    const float width = px(wire.stream ? 2 : 1.25F), arrow = wire.arrow ? px(5.5F) : 0;
    constexpr int corner_steps = 5;
    const bool round = wire.points.size() < 12;  // a drawn curve has its corners already
    Point from = view_.plane(wire.points.front());
    for (std::size_t i = 1; i + 1 < wire.points.size(); ++i) {
        const Point before = view_.plane(wire.points[i - 1]), corner = view_.plane(wire.points[i]),
                    after = view_.plane(wire.points[i + 1]);
        const auto towards = [&](Point to) {
            const float length = std::hypot(to.x - corner.x, to.y - corner.y);
            const float reach = length > 0 && round ? std::min(px(6), length / 2) / length : 0;
            return Point{corner.x + (to.x - corner.x) * reach, corner.y + (to.y - corner.y) * reach};
        };
        const Point begin = towards(before), end = towards(after);
        stroke(from, begin, width, colour);
        from = begin;
        for (int step = 1; round && step <= corner_steps; ++step) {
            const float t = static_cast<float>(step) / corner_steps, u = 1 - t;
            const Point next{u * u * begin.x + 2 * u * t * corner.x + t * t * end.x,
                             u * u * begin.y + 2 * u * t * corner.y + t * t * end.y};
            stroke(from, next, width, colour);
            from = next;
        }
    }
    stroke(from, view_.plane(wire.points.back()), width, colour, arrow);
}

Rgba Composer::ink_of(const Mark& mark) const {
    const bool lit = glow(mark.id) >= Glow::hovered;
    return faded(lit ? palette_.selection : palette_.lit_edge, view_.clarity(mark.door));
}

// A circle with a plus or a dot in it.
void Composer::draw_mark(const Mark& mark) {
    const float clarity = view_.clarity(mark.door);
    if (clarity <= 0) return;
    const Rgba ink = ink_of(mark);
    const Point at = view_.plane(mark.centre);
    const auto box = [&](float across, float down) {
        return Rect{{at.x - across, at.y - down}, {at.x + across, at.y + down}};
    };
    const float radius = px(8.5F), arm = px(4), half = px(0.625F), dot = px(2);
    add({.fill = faded(palette_.deck, clarity), .edge = ink, .edge_width = px(1.25F), .radius = radius},
        box(radius, radius));
    if (mark.kind == MarkKind::add) {
        add({.fill = ink}, box(arm, half));
        add({.fill = ink}, box(half, arm));
    } else if (mark.kind == MarkKind::multiply) {
        add({.fill = ink, .radius = dot}, box(dot, dot));
    }
}

// A bent line, as activation functions are drawn.
void Composer::draw_bend(const Mark& mark) {
    if (view_.clarity(mark.door) <= 0) return;
    const Point at = view_.plane(mark.centre);
    const float arm = px(4), width = px(1.25F);
    stroke({at.x - arm, at.y + px(2)}, {at.x, at.y + px(2)}, width, ink_of(mark));
    stroke({at.x, at.y + px(2)}, {at.x + arm, at.y - px(4)}, width, ink_of(mark));
}

}  // namespace

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

void compose(const Atlas& atlas, const std::vector<SeenPage>& seen, const NumberedGraph& model, const Lens& lens,
             const Palette& palette, const Looks& looks, Drawing& drawing) {
    drawing.clear();
    drawing.area = lens.area();
    drawing.view_projection = lens.view_projection();
    const Rect sight = sight_of(lens);
    std::vector<LabelWish> wishes;
    std::vector<Region> obstacles;
    for (std::size_t depth = 0; !seen.empty() && depth <= deepest(atlas, seen); ++depth) {
        std::vector<PageView> views;
        for (const SeenPage& page : seen)
            if (depth_of(atlas, page) == depth) views.emplace_back(atlas, page, lens, looks);
        std::vector<Composer> composers;
        for (const PageView& view : views) composers.emplace_back(view, model, palette, sight, drawing);
        for (Composer& composer : composers) composer.draw_frames();
        for (Composer& composer : composers) composer.draw_wires();
        for (Composer& composer : composers) composer.draw_slabs();
        for (const PageView& view : views) mark_sides_and_cells(view, model, palette, drawing, wishes);
        for (Composer& composer : composers) composer.draw_marks();
        for (Composer& composer : composers) composer.draw_bent_marks();
        for (const PageView& view : views) wish_labels(view, palette, wishes);
        for (const Composer& composer : composers)
            obstacles.insert(obstacles.end(), composer.obstacles.begin(), composer.obstacles.end());
    }
    place_labels(wishes, obstacles, lens.area(), drawing);
}

}  // namespace headcount
