// How near one is, with buttons for that and for how the model is drawn, between the words below the canvas, where it
// covers nothing of the model; in the corner a map of the whole model while one is inside it.
#include <algorithm>
#include <cmath>

#include "app/panels/canvas_view.hpp"
#include "app/panels/part_colours.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float bar_height = zoom_bar_height, bar_below = zoom_bar_below, least_number = 60, word_padding = 14,
                map_width = 132, map_height = 66, least_height_for_map = 400;
constexpr float corner_gap = 8;
constexpr double button_step = 1.5;  // of the zoom
constexpr double near_enough_for_map = 1.5;

// "150 %"; "58,009×" where hundreds of per cents say nothing more.
std::string zoom_text(double zoom) {
    if (zoom < 10) return grouped(std::max<std::int64_t>(1, std::llround(zoom * 100))) + " %";
    return grouped(std::llround(zoom)) + "×";
}

struct Boxes {
    ImVec2 min, out, in, fit, tilt, log_sides, decode, max;  // the bar, and where each of its buttons begins
    ImVec2 map_min, map_max;                                 // the card
    ImVec2 map;                                              // where the model begins on it
    float map_scale = 1;
};

float word_width(const Ui& ui, std::string_view word) {
    return std::round(text_width(ui.fonts.table, word) + ui.px(word_padding));
}

// "640 %  -  +  Fit | Tilt  Log  Decode" in the middle of what the strip's words leave free, from the right, so that
// the buttons stay where they are while the number changes.
Boxes boxes_of(const Ui& ui, const Session& session, const CanvasView& canvas) {
    Boxes boxes;
    const float top = canvas.area.max.y + ui.px(bar_below), square = std::round(ui.px(bar_height));
    const float fit = word_width(ui, "Fit"), tilt = word_width(ui, "Tilt"), log_sides = word_width(ui, "Log");
    const float decode = word_width(ui, "Decode"), number = std::round(ui.px(least_number));
    const float all = zoom_bar_width(ui);
    // At the end of the row where something else than the strip's words stands before them.
    const bool aside = !canvas.has_strip || canvas.ribbon;
    const StripWords words = aside ? StripWords{} : strip_words(ui, session.derived.shown, canvas.area.width());
    const float from = aside ? canvas.area.max.x - all : canvas.area.min.x + words.left;
    const float to = canvas.area.max.x - words.right;
    boxes.max = ImVec2(std::round((from + to + all) / 2), top + square);
    boxes.decode = ImVec2(boxes.max.x - decode, top);
    boxes.log_sides = ImVec2(boxes.decode.x - log_sides, top);
    boxes.tilt = ImVec2(boxes.log_sides.x - tilt, top);
    boxes.fit = ImVec2(boxes.tilt.x - fit, top);
    boxes.in = ImVec2(boxes.fit.x - square, top);
    boxes.out = ImVec2(boxes.in.x - square, top);
    const float wanted = text_width(ui.fonts.mono_caption, zoom_text(canvas.camera.zoom)) + ui.px(16);
    boxes.min = ImVec2(boxes.out.x - std::max(number, std::round(wanted)), top);
    const Rect& model = canvas.atlas.pages.front().bounds;
    boxes.map_scale = std::min(ui.px(map_width) / model.width(), ui.px(map_height) / model.height());
    boxes.map_max = ImVec2(canvas.area.max.x, canvas.area.max.y);
    boxes.map_min = ImVec2(boxes.map_max.x - model.width() * boxes.map_scale - ui.px(corner_gap),
                           boxes.map_max.y - model.height() * boxes.map_scale - ui.px(corner_gap));
    boxes.map = boxes.map_min + ImVec2(ui.px(corner_gap / 2), ui.px(corner_gap / 2));
    return boxes;
}

bool has_map(const Ui& ui, const CanvasView& canvas) {
    const bool room = canvas.area.height() >= ui.px(least_height_for_map);
    return room && canvas.has_strip && (canvas.way.size() > 1 || canvas.camera.zoom >= near_enough_for_map);
}

void draw_zoom_bar(const Ui& ui, const Session& session, const CanvasView& canvas, const Boxes& boxes) {
    const float radius = ui.px(size::radius_button);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, boxes.min, boxes.max, ui.theme.raised, ui.theme.line, radius);
    ui.recorder.record("canvas", "zoom", boxes.min, boxes.max);
    draw_text_in(list, ui.fonts.mono_caption, boxes.min, {boxes.out.x, boxes.max.y}, ui.theme.text_mid,
                 zoom_text(canvas.camera.zoom), Align::centre);
    const auto face = [&](std::string_view name, ImVec2 from, float right, const Press& press, bool lit = false) {
        const ImVec2 to(right, boxes.max.y), in(1, 1);
        ui.recorder.record("canvas.zoom", name, from, to);
        if (lit) list.AddRectFilled(from + in, to - in, ui.theme.strong_line, radius);
        if (press.hovered) list.AddRectFilled(from, to, press.held ? ui.theme.hover : hover_tint(ui.theme), radius);
        // More than what the pointer does to it.
        if (lit)
            list.AddRectFilled({from.x + ui.px(4), to.y - ui.px(3)}, {to.x - ui.px(4), to.y - 1}, ui.theme.selection);
        if (press.focused) draw_focus_ring(ui, from, to, size::radius_button);
        return press.hovered || lit ? ui.theme.text_high : ui.theme.text_mid;
    };
    const auto word = [&](std::string_view name, std::string_view text, ImVec2 from, float right, const Press& press,
                          bool lit = false) {
        const ImU32 ink = face(name, from, right, press, lit);
        draw_text_in(list, ui.fonts.table, from, {right, boxes.max.y}, ink, text, Align::centre);
    };
    const float half = ui.px(bar_height / 2), icon = ui.px(14);
    const CanvasView::Corners& pressed = canvas.corners;
    draw_icon(list, Icon::minus, boxes.out + ImVec2(half, half), icon, face("out", boxes.out, boxes.in.x, pressed.out));
    draw_icon(list, Icon::plus, boxes.in + ImVec2(half, half), icon, face("in", boxes.in, boxes.fit.x, pressed.in));
    word("fit", "Fit", boxes.fit, boxes.tilt.x, pressed.fit);
    list.AddRectFilled({boxes.tilt.x, boxes.min.y}, {boxes.tilt.x + 1, boxes.max.y}, ui.theme.strong_line);
    word("tilt", "Tilt", boxes.tilt, boxes.log_sides.x, pressed.tilt, session.view.tilted);
    word("log", "Log", boxes.log_sides, boxes.decode.x, pressed.log_sides, session.view.log_sides);
    word("decode", "Decode", boxes.decode, boxes.max.x, pressed.decode, decoding(session.document));
}

// All of the model in small, with what is seen of it.
void draw_map(const Ui& ui, const CanvasView& canvas, const Boxes& boxes) {
    const Page& model = canvas.atlas.pages.front();
    const ImVec2 min = boxes.map_min, max = boxes.map_max;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, min, max, ui.theme.panel, canvas.corners.map.hovered ? ui.theme.strong_line : ui.theme.line,
             ui.px(size::radius_button));
    const auto at = [&](double x, double y) {
        return boxes.map + ImVec2(static_cast<float>(x) * boxes.map_scale, static_cast<float>(y) * boxes.map_scale);
    };
    const auto corner = [&](Point point) { return at(static_cast<double>(point.x), static_cast<double>(point.y)); };
    for (const Frame& frame : model.scene.frames)
        list.AddRect(corner(frame.rect.min), corner(frame.rect.max), ui.theme.strong_line, ui.px(2));
    for (const Slab& slab : model.scene.slabs)
        list.AddRectFilled(corner(slab.rect.min), corner(slab.rect.max), part_colour(ui.theme, slab.part));
    const WorldRect seen = canvas.lens().seen();
    const auto inside = [&](WorldPoint point) {
        const ImVec2 place = at(point.x, point.y);
        return ImVec2(std::clamp(place.x, min.x, max.x), std::clamp(place.y, min.y, max.y));
    };
    ImVec2 from = inside(seen.min), to = inside(seen.max);
    const float least = ui.px(3);  // still to be found when one cell fills the screen
    if (to.x - from.x < least) to.x = (from.x = std::min(from.x, max.x - least)) + least;
    if (to.y - from.y < least) to.y = (from.y = std::min(from.y, max.y - least)) + least;
    list.AddRect(from, to, ui.theme.selection, 0, 0, ui.px(1));
    ui.recorder.record("canvas", "map", min, max);
}

}  // namespace

float zoom_bar_width(const Ui& ui) {
    float width = std::round(ui.px(least_number)) + 2 * std::round(ui.px(bar_height));
    for (const std::string_view word : {"Fit", "Tilt", "Log", "Decode"}) width += word_width(ui, word);
    return width;
}

std::optional<Camera> press_canvas_corners(const Ui& ui, const Session& session, CanvasView& canvas, Intents& intents) {
    const Boxes boxes = boxes_of(ui, session, canvas);
    const IdScope scope("canvas.corners");
    CanvasView::Corners& corners = canvas.corners;
    const auto area = [&](const char* id, ImVec2 from, float right, std::string_view means) {
        const Press press = press_area(ui, id, from, {right, boxes.max.y}, -1);
        hint(ui, means);
        return press;
    };
    corners.out = area("out", boxes.out, boxes.in.x, "Farther away (wheel)");
    corners.in = area("in", boxes.in, boxes.fit.x, "Nearer (wheel)");
    corners.fit = area("fit", boxes.fit, boxes.tilt.x, "The whole model (F)");
    corners.tilt = area("tilt", boxes.tilt, boxes.log_sides.x,
                        "In perspective; dragged with the right button it "
                        "turns (P)");
    corners.log_sides =
        area("log", boxes.log_sides, boxes.decode.x, "Sides by their logarithm instead of to scale (L)");
    corners.decode = area("decode", boxes.decode, boxes.max.x, "One decoding step instead of the whole prompt (D)");
    if (corners.tilt.pressed) intents.push_back(Tilt{!session.view.tilted});
    if (corners.log_sides.pressed) intents.push_back(DrawLogSides{!session.view.log_sides});
    if (corners.decode.pressed)
        intents.push_back(
            Replace{decoding(session.document) ? with_prompt(session.document) : with_decoding(session.document)});
    corners.map = {};
    if (has_map(ui, canvas)) corners.map = press_area(ui, "map", boxes.map_min, boxes.map_max, -1, false);
    const Camera to = canvas.destination();
    const Point middle = canvas.area.centre();
    if (corners.out.pressed) return zoomed_at(to, canvas.area, middle, 1 / button_step);
    if (corners.in.pressed) return zoomed_at(to, canvas.area, middle, button_step);
    if (corners.fit.pressed) {
        const std::optional<Stop> model = find_place(canvas.atlas, "");
        return camera_at(*model, canvas.atlas, Lens(to, canvas.area), ui.scale);
    }
    if (!corners.map.held) return std::nullopt;
    const ImVec2 at = ImGui::GetIO().MousePos - boxes.map;
    Camera there = to;
    there.x = static_cast<double>(at.x / boxes.map_scale);
    there.y = static_cast<double>(at.y / boxes.map_scale);
    if (ImGui::IsMouseClicked(0)) return there;
    if (ImGui::IsMouseDragging(0)) {
        canvas.motion.reset();
        canvas.camera = there;
    }
    return std::nullopt;
}

void draw_canvas_corners(const Ui& ui, const Session& session, const CanvasView& canvas) {
    const Boxes boxes = boxes_of(ui, session, canvas);
    draw_zoom_bar(ui, session, canvas, boxes);
    if (has_map(ui, canvas)) draw_map(ui, canvas, boxes);
}

}  // namespace headcount
