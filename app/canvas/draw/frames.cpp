// Frames, cards and the decks behind them, wires, and the circles of operations.
#include <algorithm>
#include <cmath>

#include "app/canvas/draw/page_view.hpp"

namespace headcount {
namespace {

// A page among copies of itself lies on ground of its own, over the grid that it replaces.
void draw_ground(const Brush& brush) {
    brush.add({.fill = faded(brush.palette.deck, brush.clarity()),
               .edge = faded(brush.palette.strong_line, brush.clarity()),
               .edge_width = brush.px(1)},
              brush.view.plane(brush.view.page.bounds));
}

// Cards behind the first say that there are more: beside it seen from above, below it seen tilted.
void draw_deck(const Brush& brush, const Frame& frame, const Rect& rect, const Box& face) {
    const bool flat = brush.view.flat();
    const auto behind = static_cast<int>(std::min<std::int64_t>(frame.copies - 1, flat ? 3 : 11));
    const auto zoom = static_cast<float>(brush.view.zoom());
    const auto tilted = static_cast<float>(std::sin(brush.view.lens.camera().tilt));
    for (int i = behind; i > 0; --i) {
        const float shift = brush.px(4) * static_cast<float>(i) * std::clamp(zoom, 0.25F, 4.0F) * (1 - tilted);
        Box card = face;
        card.fill = faded(brush.palette.ground, brush.clarity(frame.door));
        card.edge = faded(brush.palette.line, brush.clarity(frame.door));
        card.bottom = card.top = -brush.px(9) * static_cast<float>(i) * tilted;
        brush.add(card, {{rect.min.x + shift, rect.min.y - shift}, {rect.max.x + shift, rect.max.y - shift}});
    }
}

void draw_frame(const Brush& brush, const Frame& frame) {
    const float clarity = brush.clarity(frame.door);
    if (clarity <= 0) return;
    const Rect rect = brush.snapped(brush.view.plane(frame.rect));
    const Palette::Hue& hue = brush.hue(frame.component);
    Box box{.edge_width = brush.px(1), .radius = brush.px(frame.kind == FrameKind::layer ? 10 : 8)};
    switch (frame.kind) {
        case FrameKind::layer:
            box.fill = faded(brush.palette.deck, clarity);
            box.edge = faded(brush.palette.strong_line, clarity);
            draw_deck(brush, frame, rect, box);
            break;
        case FrameKind::component: {
            const bool bright = brush.glow(frame.id) >= Glow::hovered;
            box.fill = bright ? faded(hue.fill, 0.07F * clarity) : 0;
            box.edge = faded(hue.fill, (bright ? 1.0F : 0.55F) * clarity);
            box.edge_width = brush.px(bright ? 1.5F : 1);
            break;
        }
        case FrameKind::card:
            box.fill = faded(brush.palette.deck, clarity);
            box.edge = faded(hue.fill, 0.7F * clarity);
            draw_deck(brush, frame, rect, box);
            break;
        case FrameKind::choice:
            box.radius = brush.px(5);
            box.fill = faded(frame.chosen ? brush.palette.strong_line : brush.palette.raised, clarity);
            box.edge = faded(frame.chosen ? brush.palette.text_mid : brush.palette.line, clarity);
            break;
        case FrameKind::band: return;  // over what it cuts through: see draw_bands
        case FrameKind::cache:
            box.fill = faded(brush.palette.cache_fill, 0.35F * clarity);
            box.edge = faded(brush.palette.cache_edge, 0.8F * clarity);
            break;
    }
    if (!brush.add(box, rect) || frame.kind == FrameKind::card || frame.kind == FrameKind::cache) return;
    const bool choice = frame.kind == FrameKind::choice;
    brush.drawing.regions.push_back({choice ? "kind." + frame.id : frame.id, brush.view.screen_box(frame.rect)});
    // Before its title, which is elsewhere when it is seen tilted.
    if (frame.kind != FrameKind::component || !brush.view.flat()) return;
    brush.add({.fill = faded(hue.fill, clarity), .radius = brush.px(2)}, brush.view.swatch_of(frame, rect.min));
}

Rect bounds_of(const Wire& wire) {
    Rect bounds{wire.points.front(), wire.points.front()};
    for (const Point& point : wire.points) {
        bounds.min = {std::min(bounds.min.x, point.x), std::min(bounds.min.y, point.y)};
        bounds.max = {std::max(bounds.max.x, point.x), std::max(bounds.max.y, point.y)};
    }
    return bounds;
}

// A token that is looked at lights the stream, all of which it goes along; not the other tokens' ways into it.
Glow glow_of(const Brush& brush, const Wire& wire, const Tensor* tensor, Glow own) {
    const std::optional<double>& token = brush.view.looks.token;
    if (!token || !tensor || !uses(tensor->shape, Symbol::tokens)) return own;
    if (wire.tensor == "tokens") return wire.token == token ? Glow::hovered : Glow::none;
    return wire.stream ? std::max(own, Glow::hovered) : own;
}

// Each of its straight parts.
void add_lit(const Brush& brush, const Wire& wire) {
    const float half = brush.px(2);
    for (std::size_t i = 1; i < wire.points.size(); ++i) {
        const Rect rect = brush.view.screen_box(around(wire.points[i - 1], wire.points[i])).grown(half);
        if (rect.overlaps(brush.view.lens.area())) brush.drawing.lit.push_back({rect});
    }
}

void draw_wire(const Brush& brush, const Wire& wire) {
    const float clarity = brush.clarity(wire.door);
    if (clarity <= 0 || wire.points.size() < 2 || !brush.in_sight(bounds_of(wire))) return;
    if (wire.faint && clarity < clear_enough) return;  // explains what cannot be read yet
    const Tensor* tensor = brush.model.graph.find(wire.tensor);
    const Glow light = glow_of(brush, wire, tensor, brush.glow(wire.tensor));
    Rgba colour = wire.stream ? brush.palette.lit_edge : brush.palette.edge;
    if (tensor && tensor->role == Role::cache) colour = brush.palette.cache_edge;
    if (wire.faint) colour = faded(brush.palette.edge, 0.45F);
    if (light >= Glow::hovered && !wire.faint) colour = brush.palette.selection;
    if (light == Glow::near) colour = brush.palette.lit_edge;
    colour = faded(colour, clarity);
    const float width = brush.px(wire.stream ? 2 : 1.25F), arrow = wire.arrow ? brush.px(5.5F) : 0;
    const bool pointed = glow_of(brush, wire, tensor, brush.pointer_glow(wire.tensor)) == Glow::hovered;
    if (pointed && clarity >= clear_enough) add_lit(brush, wire);
    constexpr int corner_steps = 5;
    const bool round = wire.points.size() < 12;  // a drawn curve has its corners already
    const bool whole = wire.tilted_start && !brush.view.flat();
    Point from = brush.view.plane(whole ? *wire.tilted_start : wire.points.front());
    for (std::size_t i = 1; i + 1 < wire.points.size(); ++i) {
        const Point before = brush.view.plane(wire.points[i - 1]), corner = brush.view.plane(wire.points[i]),
                    after = brush.view.plane(wire.points[i + 1]);
        const auto towards = [&](Point to) {
            const float length = std::hypot(to.x - corner.x, to.y - corner.y);
            const float reach = length > 0 && round ? std::min(brush.px(6), length / 2) / length : 0;
            return Point{corner.x + (to.x - corner.x) * reach, corner.y + (to.y - corner.y) * reach};
        };
        const Point begin = towards(before), end = towards(after);
        brush.stroke(from, begin, width, colour);
        from = begin;
        for (int step = 1; round && step <= corner_steps; ++step) {
            const float t = static_cast<float>(step) / corner_steps, u = 1 - t;
            const Point next{u * u * begin.x + 2 * u * t * corner.x + t * t * end.x,
                             u * u * begin.y + 2 * u * t * corner.y + t * t * end.y};
            brush.stroke(from, next, width, colour);
            from = next;
        }
    }
    brush.stroke(from, brush.view.plane(wire.points.back()), width, colour, arrow);
}

Rgba ink_of(const Brush& brush, const FlowMark& mark) {
    const bool lit = brush.glow(mark.id) >= Glow::hovered;
    return faded(lit ? brush.palette.selection : brush.palette.lit_edge, brush.clarity(mark.door));
}

// A cell that is spoken of, or read by that, is framed where it is made if it is no matrix's.
void frame_mark(const Brush& brush, const FlowMark& mark, const Rect& around, float clarity) {
    const auto& framed = brush.view.looks.framed;
    const auto each = std::ranges::find(framed, mark.id, &FramedCells::id);
    if (each == framed.end() || clarity < clear_enough) return;
    const bool own = each->why == FramedCells::Why::own;
    if (!own && each->why != FramedCells::Why::read) return;
    const auto is_it = [&](const Slab& slab) { return slab.id == mark.id && slab.grid_columns == 0; };
    if (std::ranges::any_of(brush.view.page.scene.slabs, is_it)) return;
    brush.add({.edge = faded(brush.palette.selection, clarity),
               .edge_width = brush.px(own ? 2 : 1.5F),
               .radius = around.width() / 2},
              around);
    const Point middle = brush.view.lens.area().centre();
    const Rect screen{{around.min.x + middle.x, around.min.y + middle.y},
                      {around.max.x + middle.x, around.max.y + middle.y}};
    if (screen.overlaps(brush.view.lens.area())) brush.drawing.framed.push_back({each->id, screen, own, {}});
}

// A circle with a plus or a dot in it.
void draw_mark(const Brush& brush, const FlowMark& mark) {
    const float clarity = brush.clarity(mark.door);
    if (clarity <= 0) return;
    const Rgba ink = ink_of(brush, mark);
    const Point at = brush.view.plane(mark.centre);
    const auto box = [&](float across, float down) {
        return Rect{{at.x - across, at.y - down}, {at.x + across, at.y + down}};
    };
    const float radius = brush.px(mark_radius), arm = brush.px(4), half = brush.px(0.625F), dot = brush.px(2);
    frame_mark(brush, mark, box(radius + brush.px(3), radius + brush.px(3)), clarity);
    brush.add(
        {.fill = faded(brush.palette.deck, clarity), .edge = ink, .edge_width = brush.px(1.25F), .radius = radius},
        box(radius, radius));
    if (mark.kind == MarkKind::add) {
        brush.add({.fill = ink}, box(arm, half));
        brush.add({.fill = ink}, box(half, arm));
    } else if (mark.kind == MarkKind::multiply) {
        brush.add({.fill = ink, .radius = dot}, box(dot, dot));
    }
}

// A bent line, as activation functions are drawn.
void draw_bend(const Brush& brush, const FlowMark& mark) {
    if (brush.clarity(mark.door) <= 0) return;
    const Point at = brush.view.plane(mark.centre);
    const float arm = brush.px(4), width = brush.px(1.25F);
    brush.stroke({at.x - arm, at.y + brush.px(2)}, {at.x, at.y + brush.px(2)}, width, ink_of(brush, mark));
    brush.stroke({at.x, at.y + brush.px(2)}, {at.x + arm, at.y - brush.px(4)}, width, ink_of(brush, mark));
}

}  // namespace

void draw_frames(const Brush& brush) {
    if (brush.view.page.own_ground) draw_ground(brush);
    for (const Frame& frame : brush.view.page.scene.frames) draw_frame(brush.on(frame.id), frame);
}

void draw_bands(const Brush& brush) {
    for (const Frame& frame : brush.view.page.scene.frames) {
        const float clarity = brush.clarity(frame.door);
        if (frame.kind != FrameKind::band || clarity <= 0) continue;
        const Rect rect = brush.view.plane(frame.rect);
        brush.add({.edge = faded(brush.on(frame.id).palette.selection, clarity),
                   .edge_width = brush.px(1.5F),
                   .radius = std::min({brush.px(3), rect.width() / 3, rect.height() / 3})},
                  rect);
        brush.drawing.regions.push_back({"band." + frame.id, brush.view.screen_box(frame.rect)});
    }
}

void draw_wires(const Brush& brush) {
    for (const Wire& wire : brush.view.page.scene.wires) draw_wire(brush.on(wire.tensor), wire);
}

void draw_marks(const Brush& brush) {
    for (const FlowMark& mark : brush.view.page.scene.marks) draw_mark(brush.on(mark.id), mark);
}

void draw_bends(const Brush& brush) {
    for (const FlowMark& mark : brush.view.page.scene.marks)
        if (mark.kind == MarkKind::apply) draw_bend(brush.on(mark.id), mark);
}

}  // namespace headcount
