// What moves the canvas's camera: places that are asked for, the wheel, drags, double clicks and keys.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/canvas_view.hpp"
#include "app/ui/imgui_compat.hpp"

namespace headcount {
namespace {

constexpr double motion_time = 0.34;                   // seconds from one place to another
constexpr double wheel_step = 1.2;                     // of the zoom, a notch
constexpr double drag_slack = 4;                       // pixels: less is a click
constexpr double tilt_angle = 0.85, turn_angle = 0.35;  // radians, when one tilts by key
constexpr double orbit_rate = 0.006;                   // radians a pixel

Point pointer() {
    const ImVec2 at = ImGui::GetIO().MousePos;
    return {at.x, at.y};
}

// Where the camera is going, or is.
const Camera& destination(const CanvasView& canvas) {
    return canvas.motion ? canvas.motion->to : canvas.camera;
}

void move_on(const Ui& ui, CanvasView& canvas) {
    if (!canvas.motion) return;
    const double time = (ImGui::GetTime() - canvas.motion->began) / motion_time;
    canvas.camera = between(canvas.motion->from, canvas.motion->to, eased(time));
    if (time >= 1 || ui.reduced_motion) {
        canvas.camera = canvas.motion->to;
        canvas.motion.reset();
    }
    ui.memory.animating = ui.memory.animating || canvas.motion.has_value();
}

void answer_asking(const Ui& ui, const View& view, CanvasView& canvas) {
    if (std::exchange(canvas.askings, view.askings) == view.askings) return;
    const Place& to = view.asked_for;
    const std::optional<Stop> place = to.cell ? find_cell(canvas.atlas, to.id, to.copy, {(*to.cell)[0], (*to.cell)[1]})
                                              : find_place(canvas.atlas, to.id, to.copy);
    if (place) move_to(ui, canvas, camera_at(*place, canvas.atlas, Lens(destination(canvas), canvas.area), ui.scale));
}

void answer_tilt(const Ui& ui, const View& view, CanvasView& canvas) {
    if (std::exchange(canvas.tilted, view.tilted) == view.tilted) return;
    // The same place, seen otherwise.
    const Lens now = canvas.lens();
    const Stop place = way_here(canvas.atlas, now, seen_pages(canvas.atlas, now)).back();
    Camera camera = canvas.camera;
    camera.tilt = view.tilted ? tilt_angle : 0;
    camera.turn = view.tilted ? turn_angle : 0;
    move_to(ui, canvas, camera_at(place, canvas.atlas, Lens(camera, canvas.area), ui.scale));
}

void turn_wheel(CanvasView& canvas) {
    const float wheel = ImGui::GetIO().MouseWheel;
    if (wheel == 0) return;
    // From where a zoom under way will end, so that quick notches add up.
    const Camera to =
        zoomed_at(destination(canvas), canvas.area, pointer(), std::pow(wheel_step, static_cast<double>(wheel)));
    canvas.motion.reset();
    canvas.camera = to;
}

void orbit(CanvasView& canvas, Point by) {
    canvas.camera.turn -= static_cast<double>(by.x) * orbit_rate;
    canvas.camera.tilt = std::clamp(canvas.camera.tilt - static_cast<double>(by.y) * orbit_rate, 0.0, most_tilt);
}

// The left button pans, the right one with a tilted picture orbits.
void drag(CanvasView& canvas, bool held, bool hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool orbits = canvas.tilted && io.MouseDown[1] && (canvas.held || hovered);
    if (!held && !orbits) {
        canvas.held.reset();
        return;
    }
    const Point at = pointer();
    if (!canvas.held) {
        canvas.held = at;
        canvas.dragged = false;
        return;
    }
    const Point by{at.x - canvas.held->x, at.y - canvas.held->y};
    if (!canvas.dragged && std::hypot(static_cast<double>(by.x), static_cast<double>(by.y)) < drag_slack) return;
    canvas.dragged = true;
    canvas.motion.reset();
    if (orbits)
        orbit(canvas, by);
    else
        canvas.camera = panned(canvas.camera, canvas.area, *canvas.held, at);
    canvas.held = at;
}

// The place next further in from where one is, towards the pointer.
std::optional<Stop> further_in(const CanvasView& canvas) {
    const std::vector<Stop> under = places_under(canvas.atlas, canvas.lens(), canvas.seen, pointer());
    for (std::size_t i = 0; i < under.size(); ++i)
        if (i >= canvas.way.size() || !under[i].same_place(canvas.way[i])) return under[i];
    return std::nullopt;
}

void go_to(const Ui& ui, CanvasView& canvas, const Stop& stop) {
    move_to(ui, canvas, camera_at(stop, canvas.atlas, canvas.lens(), ui.scale));
}

// Left and right along the data, up and down through siblings: from place to place, or among the model's matrices.
Intents step(const Ui& ui, const Session& session, CanvasView& canvas) {
    const int right = compat::key_pressed(ImGuiKey_RightArrow) - compat::key_pressed(ImGuiKey_LeftArrow);
    const int down = compat::key_pressed(ImGuiKey_DownArrow) - compat::key_pressed(ImGuiKey_UpArrow);
    if (right == 0 && down == 0) return {};
    for (auto stop = canvas.way.rbegin(); stop != canvas.way.rend(); ++stop)
        if (stop->kind == Stop::Kind::matrix || stop->kind == Stop::Kind::block) {
            const std::optional<Stop> next = neighbour(canvas.atlas, *stop, right, down);
            if (!next) return {};
            go_to(ui, canvas, *next);
            if (next->kind == Stop::Kind::matrix) return {Select{TensorSubject{next->id}}};
            return {};
        }
    std::vector<std::string_view> ids;
    for (const Slab& slab : canvas.atlas.pages.front().scene.slabs)
        if (session.derived.shown.graph.find(slab.id) && std::find(ids.begin(), ids.end(), slab.id) == ids.end())
            ids.push_back(slab.id);
    if (ids.empty()) return {};
    const auto found = std::find(ids.begin(), ids.end(), subject_key(session.view.selection));
    const auto count = static_cast<int>(ids.size()), by = right + down;
    const int index =
        found == ids.end() ? (by > 0 ? 0 : count - 1) : (static_cast<int>(found - ids.begin()) + by + count) % count;
    return {Select{TensorSubject{std::string(ids[static_cast<std::size_t>(index)])}}};
}

void go_up(const Ui& ui, const Session& session, CanvasView& canvas) {
    const bool asked = compat::key_pressed(ImGuiKey_Escape, false) || compat::key_pressed(ImGuiKey_Backspace, false);
    const bool taken = ImGui::GetIO().WantTextInput || compat::popup_is_or_was_open() || session.view.help;
    if (asked && !taken && canvas.way.size() > 1) go_to(ui, canvas, canvas.way[canvas.way.size() - 2]);
}

// A slab's id names a tensor; where its operation has no tensor of this name (a norm's label), what it makes.
Subject subject_of(const ModelGraph& graph, std::string_view id) {
    Subject subject = subject_from_key(id);
    const auto* tensor = std::get_if<TensorSubject>(&subject);
    if (tensor && !graph.find(tensor->id)) return {};
    return subject;
}

// The row of the activation under the pointer, so that the same token is lit in all.
std::optional<double> token_under(const ModelGraph& graph, const Hit& hit) {
    const Tensor* tensor = graph.find(hit.id);
    if (!hit.slab || !hit.cell || !tensor || tensor->role == Role::parameter || hit.slab->transposed)
        return std::nullopt;
    if (hit.slab->rows < 2 || !uses(tensor->shape, Symbol::tokens)) return std::nullopt;
    return static_cast<double>(hit.cell->row) / static_cast<double>(hit.slab->rows - 1);
}

Intents point(const Ui& ui, const Session& session, CanvasView& canvas, const Press& press) {
    Intents intents;
    const ModelGraph& graph = session.derived.shown.graph;
    const std::optional<Hit> hit = pick(canvas.atlas, canvas.lens(), canvas.seen, pointer());
    const Subject subject = hit ? subject_of(graph, hit->id) : Subject{};
    if (press.pressed && !canvas.dragged) intents.push_back(Select{subject});
    if (ImGui::IsMouseDoubleClicked(0))
        if (const std::optional<Stop> place = further_in(canvas)) go_to(ui, canvas, *place);
    if (ImGui::IsMouseReleased(1) && !canvas.dragged && hit && !nothing(subject)) {
        canvas.asked = hit;
        intents.push_back(Select{subject});
        ImGui::OpenPopup("canvas.menu");
    }
    if (nothing(subject) || canvas.dragged) return intents;
    canvas.token = token_under(graph, *hit);
    intents.push_back(Hover{subject});
    explain_hit(ui, session, *hit);
    return intents;
}

}  // namespace

void move_to(const Ui& ui, CanvasView& canvas, const Camera& camera) {
    canvas.motion.reset();
    if (ui.reduced_motion)
        canvas.camera = camera;
    else if (!(canvas.camera == camera))
        canvas.motion = CanvasView::Motion{canvas.camera, camera, ImGui::GetTime()};
}

Intents steer_canvas(const Ui& ui, const Session& session, CanvasView& canvas) {
    const Rect& area = canvas.area;
    const Press press =
        press_area(ui, "canvas", {area.min.x, area.min.y}, {area.max.x, area.max.y}, ui.px(size::radius_button));
    answer_tilt(ui, session.view, canvas);
    answer_asking(ui, session.view, canvas);
    move_on(ui, canvas);
    if (press.hovered) turn_wheel(canvas);
    drag(canvas, press.held, press.hovered);
    const Lens lens = canvas.lens();
    canvas.seen = seen_pages(canvas.atlas, lens);
    canvas.way = way_here(canvas.atlas, lens, canvas.seen);
    canvas.token.reset();
    Intents intents;
    const Place here{canvas.way.back().id, canvas.way.back().leaf.copy, {}};
    if (!(here == session.view.here)) intents.push_back(Arrive{here});
    go_up(ui, session, canvas);
    if (press.focused)
        for (Intent& intent : step(ui, session, canvas)) intents.push_back(std::move(intent));
    if (press.hovered)
        for (Intent& intent : point(ui, session, canvas, press)) intents.push_back(std::move(intent));
    return intents;
}

}  // namespace headcount
