// How near one is, with buttons for that and for how the model is drawn, between the words below the canvas, where it
// covers nothing of the model; in the first corner that is free a map of the whole model while one is inside it.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/diagram/view.hpp"
#include "app/parts/actions.hpp"
#include "app/parts/part_colours.hpp"
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

// "640 %  -  +  Fit | Tilt  Log  Decode": the buttons behind the number.
enum ZoomButton : std::size_t { button_out, button_in, button_fit, button_tilt, button_log, button_decode };
struct ButtonFace {
    std::string_view name, word;
    Icon icon = Icon::none;
};
constexpr std::array<ButtonFace, 6> faces{{{"out", "", Icon::minus},
                                           {"in", "", Icon::plus},
                                           {"fit", "Fit"},
                                           {"tilt", "Tilt"},
                                           {"log", "Log"},
                                           {"decode", "Decode"}}};

float zoom_button_width(const Ui& ui, const ButtonFace& face) {
    return std::round(face.word.empty() ? ui.px(bar_height)
                                        : text_width(ui.fonts.table, face.word) + ui.px(word_padding));
}

struct Boxes {
    ImVec2 min, max;                            // the bar
    std::array<float, faces.size() + 1> edges;  // where each button begins, and where the last one ends

    std::pair<ImVec2, ImVec2> of(std::size_t button) const {
        return {{edges[button], min.y}, {edges[button + 1], max.y}};
    }
};

// Whether there is another step to be shown than this one.
bool has_steps(const DiagramOf& diagram) {
    return with_other_step(diagram.shown.document) != diagram.shown.document.input;
}

// In the middle of what the strip's words leave free, from the right, so that the buttons stay where they are while the
// number changes.
Boxes boxes_of(const Ui& ui, const DiagramOf& diagram, const CanvasView& canvas) {
    Boxes boxes;
    const float top = canvas.area.max.y + ui.px(bar_below), all = zoom_bar_width(ui);
    // At the end of the row where something else than the strip's words stands before them.
    const bool aside = !canvas.has_strip || canvas.ribbon;
    const StripWords words = aside ? StripWords{} : strip_words(ui, diagram.counted(), canvas.area.width());
    const float from = aside ? canvas.area.max.x - all : canvas.area.min.x + words.left;
    const float to = canvas.area.max.x - words.right;
    boxes.max = ImVec2(std::round((from + to + all) / 2), top + std::round(ui.px(bar_height)));
    boxes.edges.back() = boxes.max.x;
    for (std::size_t i = faces.size(); i-- > 0;) boxes.edges[i] = boxes.edges[i + 1] - zoom_button_width(ui, faces[i]);
    const float wanted = text_width(ui.fonts.mono_caption, zoom_text(canvas.camera.zoom)) + ui.px(16);
    boxes.min = ImVec2(boxes.edges.front() - std::round(std::max(ui.px(least_number), wanted)), top);
    return boxes;
}

// The card of the map, and where the model is on it.
struct MapCard {
    ImVec2 min, max, model;
    float scale = 1;
};
float map_scale(const Ui& ui, const CanvasView& canvas) {
    const Rect& model = canvas.atlas.pages.front().bounds;
    return std::min(ui.px(map_width) / model.width(), ui.px(map_height) / model.height());
}
MapCard map_card(const Ui& ui, const CanvasView& canvas) {
    const Rect& at = *canvas.map;
    const ImVec2 min(at.min.x, at.min.y), inset(ui.px(corner_gap / 2), ui.px(corner_gap / 2));
    return {min, ImVec2(at.max.x, at.max.y), min + inset, map_scale(ui, canvas)};
}

// What is watched has all the room.
bool has_map(const Ui& ui, const DiagramOf& diagram, const CanvasView& canvas) {
    const bool room = !diagram.watch && canvas.area.height() >= ui.px(least_height_for_map);
    return room && canvas.has_strip && (canvas.way.size() > 1 || canvas.camera.zoom >= near_enough_for_map);
}

// The first corner in which the map covers nothing of what was drawn last, else such a place along the lower or the
// upper edge, else the first corner in which it covers no matrix; inside of one that fills the picture it is in the
// first. Nothing where it would cover a part of a matrix in each of them.
std::optional<Rect> map_place(const Ui& ui, const DiagramOf& diagram, const CanvasView& canvas) {
    if (!has_map(ui, diagram, canvas)) return std::nullopt;
    const Rect &area = canvas.area, &model = canvas.atlas.pages.front().bounds;
    const float scale = map_scale(ui, canvas);
    const float width = model.width() * scale + ui.px(corner_gap), height = model.height() * scale + ui.px(corner_gap);
    const auto at = [&](float x, float y) { return Rect{{x, y}, {x + width, y + height}}; };
    const std::array corners{at(area.max.x - width, area.max.y - height), at(area.min.x, area.max.y - height),
                             at(area.max.x - width, area.min.y), at(area.min.x, area.min.y)};
    const Drawing& drawn = canvas.drawing;
    const auto off_matrices = [&](const Rect& corner) {
        return std::ranges::none_of(
            drawn.regions, [&](const Region& region) { return region.matrix && region.rect.overlaps(corner); });
    };
    const auto off_words = [&](const Rect& corner) {
        return std::ranges::none_of(drawn.labels, [&](const PlacedLabel& label) {
            return corner.overlaps({label.at, {label.at.x + label.width, label.at.y + label.height}});
        });
    };
    const auto free = [&](const Rect& corner) { return off_matrices(corner) && off_words(corner); };
    if (const auto found = std::ranges::find_if(corners, free); found != corners.end()) return *found;
    for (const float y : {area.max.y - height, area.min.y})
        for (float x = area.max.x - width - ui.px(corner_gap); x > area.min.x; x -= ui.px(corner_gap))
            if (free(at(x, y))) return at(std::round(x), y);
    if (const auto found = std::ranges::find_if(corners, off_matrices); found != corners.end()) return *found;
    const bool inside = std::ranges::any_of(
        drawn.regions, [&](const Region& region) { return region.matrix && region.rect.holds(area); });
    return inside ? std::optional(corners.front()) : std::nullopt;
}

void draw_zoom_bar(const Ui& ui, const DiagramOf& diagram, const CanvasView& canvas, const Boxes& boxes) {
    const float radius = ui.px(size::radius_button);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, boxes.min, boxes.max, ui.theme.raised, ui.theme.line, radius);
    ui.recorder.record("canvas", "zoom", boxes.min, boxes.max);
    draw_text_in(list, ui.fonts.mono_caption, boxes.min, {boxes.edges.front(), boxes.max.y}, ui.theme.text_mid,
                 zoom_text(canvas.camera.zoom), Align::centre);
    const Look& look = diagram.shown.look;
    const std::array<bool, faces.size()> lit{false,       false,          false,
                                             look.tilted, look.log_sides, decoding(diagram.shown.document.input)};
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const ButtonFace& face = faces[i];
        const Press& press = canvas.corners.zoom[i];
        const auto [from, to] = boxes.of(i);
        const ImVec2 inset(1, 1);
        if (i == button_tilt) list.AddRectFilled(from, {from.x + 1, to.y}, ui.theme.strong_line);
        ui.recorder.record("canvas.zoom", face.name, from, to);
        if (lit[i]) list.AddRectFilled(from + inset, to - inset, ui.theme.strong_line, radius);
        if (press.hovered) list.AddRectFilled(from, to, press.held ? ui.theme.hover : hover_tint(ui.theme), radius);
        // More than what the pointer does to it.
        if (lit[i])
            list.AddRectFilled({from.x + ui.px(4), to.y - ui.px(3)}, {to.x - ui.px(4), to.y - 1}, ui.theme.selection);
        if (press.focused) draw_focus_ring(ui, from, to, size::radius_button);
        const bool idle = i == button_decode && !has_steps(diagram);
        const ImU32 ink = idle ? ui.theme.text_low : press.hovered || lit[i] ? ui.theme.text_high : ui.theme.text_mid;
        const float half = ui.px(bar_height / 2);
        if (face.word.empty())
            draw_icon(list, face.icon, from + ImVec2(half, half), ui.px(14), ink);
        else
            draw_text_in(list, ui.fonts.table, from, to, ink, face.word, Align::centre);
    }
}

// All of the model in small, with what is seen of it.
void draw_map(const Ui& ui, const CanvasView& canvas) {
    const Page& model = canvas.atlas.pages.front();
    const MapCard card = map_card(ui, canvas);
    const ImVec2 min = card.min, max = card.max;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, min, max, ui.theme.panel, canvas.corners.map.hovered ? ui.theme.strong_line : ui.theme.line,
             ui.px(size::radius_button));
    const auto at = [&](double x, double y) {
        return card.model + ImVec2(static_cast<float>(x) * card.scale, static_cast<float>(y) * card.scale);
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
    float width = std::round(ui.px(least_number));
    for (const ButtonFace& face : faces) width += zoom_button_width(ui, face);
    return width;
}

std::optional<Camera> press_canvas_corners(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas,
                                           Intents& intents) {
    const Boxes boxes = boxes_of(ui, diagram, canvas);
    const IdScope scope("canvas.corners");
    CanvasView::Corners& corners = canvas.corners;
    const std::array<std::string, faces.size()> tooltips{
        "Farther away (wheel)",
        "Nearer (wheel)",
        tooltip_of("fit"),
        tooltip_of("tilt", "In perspective; dragged with the right button it turns"),
        tooltip_of("log_sides", "Sides by their logarithm instead of to scale"),
        has_steps(diagram) ? tooltip_of("decode", "One decoding step instead of the whole prompt")
                           : "No decoding: this model reads all tokens at once"};
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const auto [from, to] = boxes.of(i);
        corners.zoom[i] = press_area(ui, faces[i].name.data(), from, to, -1);
        hint(ui, tooltips[i]);
    }
    if (corners.zoom[button_tilt].pressed) intents.push_back(Tilt{!diagram.shown.look.tilted});
    if (corners.zoom[button_log].pressed) intents.push_back(DrawLogSides{!diagram.shown.look.log_sides});
    if (corners.zoom[button_decode].pressed) intents.push_back(SetInput{with_other_step(diagram.shown.document)});
    corners.map = {};
    // While the picture moves the map stays.
    if (!has_map(ui, diagram, canvas) || !(canvas.motion || ImGui::IsMouseDown(0)))
        canvas.map = map_place(ui, diagram, canvas);
    const std::optional<MapCard> map = canvas.map ? std::optional(map_card(ui, canvas)) : std::nullopt;
    if (map) corners.map = press_area(ui, "map", map->min, map->max, -1, false);
    const Camera target = canvas.destination();
    const Point middle = canvas.area.centre();
    if (corners.zoom[button_out].pressed) return zoomed_at(target, canvas.area, middle, 1 / button_step);
    if (corners.zoom[button_in].pressed) return zoomed_at(target, canvas.area, middle, button_step);
    if (corners.zoom[button_fit].pressed) return home_of(ui, canvas);
    if (!corners.map.held) return std::nullopt;
    const ImVec2 at = ImGui::GetIO().MousePos - map->model;
    Camera there = target;
    there.x = static_cast<double>(at.x / map->scale);
    there.y = static_cast<double>(at.y / map->scale);
    if (ImGui::IsMouseClicked(0)) return there;
    if (ImGui::IsMouseDragging(0)) {
        canvas.motion.reset();
        canvas.camera = there;
    }
    return std::nullopt;
}

void draw_canvas_corners(const Ui& ui, const DiagramOf& diagram, const CanvasView& canvas) {
    const Boxes boxes = boxes_of(ui, diagram, canvas);
    draw_zoom_bar(ui, diagram, canvas, boxes);
    if (canvas.map) draw_map(ui, canvas);
    // What is drawn now may be another picture than the one that the map was placed in.
    if (!canvas.motion && !ImGui::IsMouseDown(0) && !(map_place(ui, diagram, canvas) == canvas.map))
        ui.memory.animating = true;
}

}  // namespace headcount
