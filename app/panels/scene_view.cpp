// Draws a scene with ImDrawList: the only place where the canvas meets ImGui.
#include "app/panels/scene_view.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/icons.hpp"
#include "app/ui/matrix_view.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"

namespace headcount {
namespace {

ImVec2 at(Point point) {
    return {point.x, point.y};
}

struct Pen {
    const Ui& ui;
    ImDrawList& list;
    const SceneLight& light;

    const Theme& theme() const { return ui.theme; }
    float px(float design) const { return ui.px(design); }

    bool lit(const Subject& subject, std::string_view id) const {
        if (nothing(subject)) return false;
        if (const auto* pointed = std::get_if<TensorSubject>(&subject)) return pointed->id == id;
        const Tensor* tensor = light.graph.find(id);
        return tensor && lights(subject, *tensor);
    }
    bool selected(std::string_view id) const { return lit(light.selection, id); }
    bool hovered(std::string_view id) const { return lit(light.hover, id); }
};

void draw_frame(const Pen& pen, const Frame& frame) {
    const Theme& theme = pen.theme();
    bool layer = frame.kind == FrameKind::layer;
    float radius = pen.px(layer ? size::radius_layer : size::radius_card);
    if (layer) {
        // A deck of cards behind the first says that there are more; the overview strip says how many, to scale.
        auto behind = static_cast<int>(std::min<std::int64_t>(frame.copies - 1, 3));
        for (int i = behind; i > 0; --i) {
            ImVec2 shift{pen.px(4) * static_cast<float>(i), -pen.px(4) * static_cast<float>(i)};
            pen.list.AddRectFilled(at(frame.rect.min) + shift, at(frame.rect.max) + shift, theme.canvas, radius);
            pen.list.AddRect(at(frame.rect.min) + shift, at(frame.rect.max) + shift, theme.line, radius);
        }
        pen.list.AddRectFilled(at(frame.rect.min), at(frame.rect.max), theme.deck, radius);
        pen.list.AddRect(at(frame.rect.min), at(frame.rect.max), theme.strong_line, radius);
        return;
    }
    ImU32 hue = component_colour(theme, frame.component);
    const auto* pointed = std::get_if<Component>(&pen.light.hover);
    const auto* chosen = std::get_if<Component>(&pen.light.selection);
    bool bright = (pointed && *pointed == frame.component) || (chosen && *chosen == frame.component);
    if (bright) pen.list.AddRectFilled(at(frame.rect.min), at(frame.rect.max), with_alpha(hue, 0.07F), radius);
    pen.list.AddRect(at(frame.rect.min), at(frame.rect.max), with_alpha(hue, bright ? 1.0F : 0.55F), radius, 0,
                     pen.px(bright ? 1.5F : 1.0F));
    ImVec2 swatch{frame.rect.min.x + pen.px(16), frame.rect.min.y + pen.px(11)};
    pen.list.AddRectFilled(swatch, swatch + ImVec2{pen.px(10), pen.px(10)}, hue, pen.px(2));
    std::string name = "block.layer." + std::string(component_key(frame.component));
    pen.ui.recorder.record("canvas", name, at(frame.rect.min), at(frame.rect.max));
}

// Right-angled lines with rounded corners.
void stroke(const Pen& pen, const std::vector<Point>& points, ImU32 colour, float thickness) {
    float radius = pen.px(6);
    pen.list.PathClear();
    pen.list.PathLineTo(at(points.front()));
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        Point before = points[i - 1], corner = points[i], after = points[i + 1];
        auto towards = [&](Point to) {
            float length = std::hypot(to.x - corner.x, to.y - corner.y);
            float reach = length > 0 ? std::min(radius, length / 2) / length : 0;
            return ImVec2{corner.x + (to.x - corner.x) * reach, corner.y + (to.y - corner.y) * reach};
        };
        pen.list.PathLineTo(towards(before));
        pen.list.PathBezierQuadraticCurveTo(at(corner), towards(after), 6);
    }
    pen.list.PathLineTo(at(points.back()));
    pen.list.PathStroke(colour, 0, thickness);
}

void draw_wire(const Pen& pen, const Wire& wire) {
    bool lit = pen.hovered(wire.tensor) || pen.selected(wire.tensor);
    bool ids = wire.tensor == "tokens";
    ImU32 colour = lit ? pen.theme().selection : wire.stream ? pen.theme().lit_edge : pen.theme().edge;
    if (ids) colour = with_alpha(pen.theme().edge, lit ? 1.0F : 0.6F);
    float thickness = pen.px(wire.stream ? size::stream : size::edge);
    stroke(pen, wire.points, colour, thickness);
    if (!wire.arrow || wire.points.size() < 2) return;
    Point tip = wire.points.back(), before = wire.points[wire.points.size() - 2];
    float length = std::hypot(tip.x - before.x, tip.y - before.y);
    if (length <= 0) return;
    float dx = (tip.x - before.x) / length, dy = (tip.y - before.y) / length, size = pen.px(5.5F), half = pen.px(3);
    ImVec2 base{tip.x - dx * size, tip.y - dy * size};
    pen.list.AddTriangleFilled(at(tip), {base.x - dy * half, base.y + dx * half},
                               {base.x + dy * half, base.y - dx * half}, colour);
}

// A square for each head; the whole is one thing to point at.
void draw_grid(const Pen& pen, const Slab& slab) {
    float cell = slab.rect.width() / static_cast<float>(slab.grid_columns);
    float inset = cell > pen.px(4) ? pen.px(1) : 0;
    for (std::int64_t i = 0; i < slab.grid_cells; ++i) {
        std::int64_t column = i % slab.grid_columns, row = i / slab.grid_columns;
        ImVec2 min{slab.rect.min.x + static_cast<float>(column) * cell,
                   slab.rect.min.y + static_cast<float>(row) * cell};
        pen.list.AddRect(min + ImVec2{inset, inset}, min + ImVec2{cell, cell}, pen.theme().activation_edge);
    }
}

void draw_body(const Pen& pen, const Slab& slab) {
    const Theme& theme = pen.theme();
    ImVec2 min = at(slab.rect.min), max = at(slab.rect.max);
    ImU32 hue = part_colour(theme, slab.part);
    switch (slab.look) {
        case SlabLook::parameter:
            draw_matrix(pen.ui, pen.list, min, max, MatrixLook::parameter, hue);
            break;
        case SlabLook::activation:
            draw_matrix(pen.ui, pen.list, min, max, MatrixLook::activation, hue);
            break;
        case SlabLook::cached:
            draw_matrix(pen.ui, pen.list, min, max, MatrixLook::cached, hue);
            break;
        case SlabLook::ghost:
            pen.list.AddRectFilled(min, max, with_alpha(hue, 0.22F), pen.px(size::radius_matrix));
            draw_dashed_rect(pen.list, min, max, hue, pen.px(4), pen.px(1));
            break;
        case SlabLook::hollow:
            pen.list.AddRectFilled(min, max, theme.raised, pen.px(size::radius_field));
            pen.list.AddRect(min, max, theme.strong_line, pen.px(size::radius_field));
            break;
    }
    if (slab.cut) {  // a break across both sides: the rest would not fit
        float y = max.y - pen.px(7), reach = pen.px(3), gap = pen.px(4);
        for (float x : {min.x, max.x}) {
            ImVec2 left{x - reach, y + pen.px(2)}, right{x + reach, y - pen.px(2)}, down{0, gap};
            pen.list.AddQuadFilled(left, right, right + down, left + down, theme.deck);
            pen.list.AddLine(left, right, theme.activation_edge, pen.px(1));
            pen.list.AddLine(left + down, right + down, theme.activation_edge, pen.px(1));
        }
    }
}

// Where the preset was smaller, its far edges lie inside the matrix: only those are drawn, clear of the words.
void draw_smaller_base(const Pen& pen, const Slab& slab) {
    ImU32 ink = with_alpha(text_on(part_colour(pen.theme(), slab.part)), 0.6F);
    auto dashed = [&](ImVec2 from, ImVec2 to) { draw_dashed_line(pen.list, from, to, ink, pen.px(4), pen.px(1)); };
    const Rect &now = slab.rect, &before = *slab.base;
    if (before.max.x < now.max.x - 1) dashed({before.max.x, now.min.y}, {before.max.x, now.max.y});
    for (float y : {before.min.y, before.max.y})
        if (y > now.min.y + 1 && y < now.max.y - 1) dashed({now.min.x, y}, {now.max.x, y});
}

void draw_slab(const Pen& pen, const Slab& slab) {
    const Theme& theme = pen.theme();
    ImVec2 min = at(slab.rect.min), max = at(slab.rect.max);
    bool larger = slab.base && (slab.base->max.x > slab.rect.max.x + 1 || slab.base->max.y > slab.rect.max.y + 1);
    if (larger)
        draw_dashed_rect(pen.list, at(slab.base->min), at(slab.base->max), theme.text_low, pen.px(4), pen.px(1));
    if (slab.grid_columns > 0)
        draw_grid(pen, slab);
    else
        draw_body(pen, slab);
    if (slab.base && slab.look == SlabLook::parameter) draw_smaller_base(pen, slab);
    pen.ui.recorder.record("canvas", slab.id, min, max);
    bool selected = pen.selected(slab.id), hovered = pen.hovered(slab.id);
    if (!selected && !hovered) return;
    float out = pen.px(selected ? 3 : 2);
    pen.list.AddRect(min - ImVec2{out, out}, max + ImVec2{out, out}, theme.selection, pen.px(size::radius_field), 0,
                     pen.px(selected ? 2.0F : 1.25F));
}

void draw_mark(const Pen& pen, const Mark& mark) {
    bool lit = pen.hovered(mark.id) || pen.selected(mark.id);
    ImU32 ink = lit ? pen.theme().selection : pen.theme().lit_edge;
    float radius = pen.px(8);
    ImVec2 centre = at(mark.centre);
    pen.list.AddCircleFilled(centre, radius, pen.theme().deck, 24);
    pen.list.AddCircle(centre, radius, ink, 24, pen.px(1.25F));
    float arm = pen.px(4);
    if (mark.kind == MarkKind::add) {
        pen.list.AddLine({centre.x - arm, centre.y}, {centre.x + arm, centre.y}, ink, pen.px(1.25F));
        pen.list.AddLine({centre.x, centre.y - arm}, {centre.x, centre.y + arm}, ink, pen.px(1.25F));
    } else if (mark.kind == MarkKind::multiply) {
        pen.list.AddCircleFilled(centre, pen.px(2), ink, 12);
    } else {  // a bent line, as activation functions are drawn
        pen.list.AddLine({centre.x - arm, centre.y + pen.px(2)}, centre + ImVec2{0, pen.px(2)}, ink, pen.px(1.25F));
        pen.list.AddLine(centre + ImVec2{0, pen.px(2)}, {centre.x + arm, centre.y - pen.px(4)}, ink, pen.px(1.25F));
    }
}

ImU32 ink_of(const Pen& pen, const Label& label) {
    const Theme& theme = pen.theme();
    switch (label.tone) {
        case Tone::high:
            return theme.text_high;
        case Tone::mid:
            return theme.text_mid;
        case Tone::low:
            return theme.text_low;
        case Tone::on_slab:
        case Tone::on_slab_low:
            return text_on(part_colour(theme, label.part));
        case Tone::cached:
            return readable(theme, theme.kv_edge);
    }
    return theme.text_high;
}

void draw_label(const Pen& pen, const Label& label) {
    const Font& font = font_of(pen.ui.fonts, label.role);
    bool scripts = label.role == TextRole::name;
    float width = scripts ? symbol_width(font, label.text) : text_width(font, label.text);
    float shift = label.anchor == Anchor::left ? 0 : label.anchor == Anchor::centre ? width / 2 : width;
    ImVec2 position{std::floor(label.at.x - shift), std::floor(label.at.y)};
    if (scripts)
        draw_symbol(pen.list, font, position, ink_of(pen, label), label.text);
    else
        draw_text(pen.list, font, position, ink_of(pen, label), label.text);
}

}  // namespace

const Font& font_of(const Fonts& fonts, TextRole role) {
    switch (role) {
        case TextRole::title:
        case TextRole::name:
            return fonts.body_bold;
        case TextRole::number:
            return fonts.mono_caption;
        case TextRole::caption:
            return fonts.table;
    }
    return fonts.body;
}

void draw_scene(const Ui& ui, ImDrawList& list, const Scene& scene, const SceneLight& light) {
    Pen pen{ui, list, light};
    for (const Frame& frame : scene.frames) draw_frame(pen, frame);
    for (const Wire& wire : scene.wires) draw_wire(pen, wire);
    for (const Slab& slab : scene.slabs) draw_slab(pen, slab);
    for (const Mark& mark : scene.marks) draw_mark(pen, mark);
    for (const Label& label : scene.labels) draw_label(pen, label);
}

}  // namespace headcount
