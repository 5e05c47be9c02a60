// In the canvas's corner: how near one is, with buttons, and above them a map of the whole model while one is inside it.
#include <algorithm>
#include <cmath>

#include "app/panels/canvas_view.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float bar_height = 26, map_width = 132, map_height = 66, least_height_for_map = 400, corner_gap = 8;
constexpr double button_step = 1.5;  // of the zoom

std::string zoom_text(double zoom) {
    return grouped(std::max<std::int64_t>(1, std::llround(zoom * 100))) + " %";
}

// "-  640 %  +  Fit"
std::optional<Camera> draw_zoom_bar(const Ui& ui, const CanvasView& canvas) {
    const std::string text = zoom_text(canvas.camera.zoom);
    const float side = ui.px(bar_height),
                words = std::max(ui.px(52), text_width(ui.fonts.mono_caption, text) + ui.px(12));
    const float fit = ui.px(36), width = 2 * side + words + fit;
    const ImVec2 max(canvas.area.max.x, canvas.area.max.y), min(max.x - width, max.y - side);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, min, max, ui.theme.raised, ui.theme.line, ui.px(size::radius_button));
    ui.recorder.record("canvas", "zoom", min, max);
    float x = min.x;
    const auto cell = [&](const char* id, float wide, std::string_view label, const Font& font) {
        const ImVec2 from(x, min.y), to(x + wide, max.y);
        const IdScope scope("canvas.zoom");
        const Press press = press_area(ui, id, from, to, ui.px(size::radius_button));
        ui.recorder.record("canvas.zoom", id, from, to);
        draw_text_in(list, font, from, to, press.hovered ? ui.theme.text_high : ui.theme.text_mid, label,
                     Align::centre);
        x += wide;
        return press.pressed;
    };
    const Point middle = canvas.area.centre();
    std::optional<Camera> asked;
    if (cell("out", side, "-", ui.fonts.body)) asked = zoomed_at(canvas.camera, canvas.area, middle, 1 / button_step);
    draw_text_in(list, ui.fonts.mono_caption, {x, min.y}, {x + words, max.y}, ui.theme.text_mid, text, Align::centre);
    x += words;
    if (cell("in", side, "+", ui.fonts.body)) asked = zoomed_at(canvas.camera, canvas.area, middle, button_step);
    if (cell("fit", fit, "Fit", ui.fonts.table)) {
        asked = home(canvas.atlas);
        asked->tilt = canvas.camera.tilt;
        asked->turn = canvas.camera.turn;
    }
    return asked;
}

// All of the model in small, with what is seen of it; a press goes there.
std::optional<Camera> draw_map(const Ui& ui, const CanvasView& canvas) {
    const Page& model = canvas.atlas.pages.front();
    const float scale = std::min(ui.px(map_width) / model.bounds.width(), ui.px(map_height) / model.bounds.height());
    const ImVec2 max(canvas.area.max.x, canvas.area.max.y - ui.px(bar_height + corner_gap));  // above the buttons
    const ImVec2 min(max.x - model.bounds.width() * scale - ui.px(corner_gap),
                     max.y - model.bounds.height() * scale - ui.px(corner_gap));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, min, max, ui.theme.panel, ui.theme.line, ui.px(size::radius_button));
    const ImVec2 origin(min.x + ui.px(corner_gap / 2), min.y + ui.px(corner_gap / 2));
    const auto at = [&](double x, double y) {
        return ImVec2(origin.x + static_cast<float>(x) * scale, origin.y + static_cast<float>(y) * scale);
    };
    const auto corner = [&](Point point) { return at(static_cast<double>(point.x), static_cast<double>(point.y)); };
    const Palette palette = palette_of(ui.theme);
    for (const Frame& frame : model.scene.frames)
        list.AddRect(corner(frame.rect.min), corner(frame.rect.max), ui.theme.strong_line, ui.px(2));
    for (const Slab& slab : model.scene.slabs)
        list.AddRectFilled(corner(slab.rect.min), corner(slab.rect.max),
                           palette.parts[static_cast<std::size_t>(slab.part)].fill);
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
    const IdScope scope("canvas");
    const Press press = press_area(ui, "map", min, max, ui.px(size::radius_button));
    if (!press.held && !press.pressed) return std::nullopt;
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    Camera camera = canvas.camera;
    camera.x = static_cast<double>((pointer.x - origin.x) / scale);
    camera.y = static_cast<double>((pointer.y - origin.y) / scale);
    return camera;
}

}  // namespace

std::optional<Camera> draw_canvas_corners(const Ui& ui, const CanvasView& canvas) {
    std::optional<Camera> asked = draw_zoom_bar(ui, canvas);
    const bool room = canvas.area.height() >= ui.px(least_height_for_map);
    if (!room || (canvas.way.size() < 2 && canvas.camera.zoom < 1.5)) return asked;
    if (const std::optional<Camera> there = draw_map(ui, canvas)) asked = there;
    return asked;
}

}  // namespace headcount
