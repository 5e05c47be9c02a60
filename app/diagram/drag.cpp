// What the pointer does to the canvas's camera: the wheel zooms, drags pan and orbit.
#include <algorithm>
#include <cmath>

#include "app/diagram/view.hpp"

namespace headcount {
namespace {

constexpr double wheel_step = 1.2;  // of the zoom, a notch
constexpr double farthest_zoom = 0.4;
constexpr double drag_slack = 4;         // pixels: less is a click
constexpr double most_page_zoom = 6;     // pixels of the screen a pixel of a page, over its ground
constexpr double most_cell_share = 0.4;  // of the screen's height: the shorter side of a cell
constexpr double orbit_rate = 0.006;     // radians a pixel
constexpr double sideways_step = 40;     // design pixels, a notch of a wheel that turns sideways

// Where a tensor's whole matrix is drawn in the plane, seen with this camera; without extent where none is clear.
WorldRect clear_matrix(const CanvasView& canvas, const Camera& camera, std::string_view id) {
    const std::vector<SeenPage> seen = seen_pages(canvas.atlas, Lens(camera, canvas.area));
    for (auto page = seen.rbegin(); page != seen.rend(); ++page)
        for (const Slab& slab : canvas.atlas.pages[page->leaf.page].scene.slabs) {
            const bool part = slab.is_slice() || slab.grid_columns > 0;
            if (slab.id != id || part) continue;
            const float summary = slab.door == no_door ? 1 : page->summaries[static_cast<std::size_t>(slab.door)];
            if (page->clarity * summary >= clear_enough) return page->placement.world(slab.rect);
        }
    return {};
}

// The zoom beyond which nothing more is to be seen under the pointer: one cell fills much of the screen, or there is
// nothing but ground.
double useful_zoom(const CanvasView& canvas, const Camera& camera) {
    const Lens lens(camera, canvas.area);
    const std::vector<SeenPage> seen = seen_pages(canvas.atlas, lens);
    const std::optional<Hit> hit = pick(canvas.atlas, lens, seen, pointer());
    if (hit && hit->behind) return most_zoom;
    // The ground is that of the innermost page, whatever frame of an outer one is around it.
    const bool ground = !hit || !hit->slab || !hit->cell;
    const Leaf leaf = ground ? places_under(canvas.atlas, lens, seen, pointer()).back().leaf : hit->leaf;
    const double scale = placement_of(canvas.atlas, leaf).scale;
    if (ground) return most_page_zoom / scale;
    const double across = static_cast<double>(hit->slab->rect.width()) / static_cast<double>(hit->slab->columns);
    const double down = static_cast<double>(hit->slab->rect.height()) / static_cast<double>(hit->slab->rows);
    return most_cell_share * static_cast<double>(canvas.area.height()) / (std::min(across, down) * scale);
}

// What is under the pointer stays there, also where a page takes the place of its summary, in which a matrix lies
// elsewhere.
void zoom_at_pointer(CanvasView& canvas, double factor) {
    const Camera before = canvas.destination();
    const Lens lens(before, canvas.area);
    const double most = factor > 1 ? std::max(before.zoom, useful_zoom(canvas, before)) : most_zoom;
    canvas.camera = zoomed_at(before, canvas.area, pointer(), std::min(factor, most / before.zoom));
    canvas.motion.reset();
    const std::optional<Hit> hit = pick(canvas.atlas, lens, seen_pages(canvas.atlas, lens), pointer());
    const WorldRect was = hit ? clear_matrix(canvas, before, hit->id) : WorldRect{};
    const WorldRect is = hit ? clear_matrix(canvas, canvas.camera, hit->id) : WorldRect{};
    const auto at = lens.unproject(pointer());
    if (is.width() <= 0 || !at || was == is || !was.contains(*at)) return;
    canvas.camera.x += is.min.x + (at->x - was.min.x) / was.width() * is.width() - at->x;
    canvas.camera.y += is.min.y + (at->y - was.min.y) / was.height() * is.height() - at->y;
}

// Who turns the whole model goes on seeing the whole.
void orbit(const Ui& ui, CanvasView& canvas, Point by) {
    const bool whole = canvas.camera == home_of(ui, canvas);
    canvas.camera.turn -= static_cast<double>(by.x) * orbit_rate;
    canvas.camera.tilt = std::clamp(canvas.camera.tilt - static_cast<double>(by.y) * orbit_rate, 0.0, most_tilt);
    if (whole) canvas.camera = home_of(ui, canvas);
}

// The button of the mouse that begins to hold the picture in this frame.
std::optional<int> taking(const Press& press) {
    if (press.held && ImGui::IsMouseDown(0)) return 0;
    for (const int other : {1, 2})
        if (press.hovered && ImGui::IsMouseClicked(other)) return other;
    return std::nullopt;
}

}  // namespace

Point pointer() {
    const ImVec2 at = ImGui::GetIO().MousePos;
    return {at.x, at.y};
}

Camera kept_near(const Atlas& atlas, Camera camera) {
    const Rect& model = atlas.pages.front().bounds;
    camera.zoom = std::max(camera.zoom, farthest_zoom);
    camera.x = std::clamp(camera.x, static_cast<double>(model.min.x), static_cast<double>(model.max.x));
    camera.y = std::clamp(camera.y, static_cast<double>(model.min.y), static_cast<double>(model.max.y));
    return camera;
}

void stay_near(CanvasView& canvas) { canvas.camera = kept_near(canvas.atlas, canvas.camera); }

Camera home_of(const Ui& ui, const CanvasView& canvas) {
    return camera_at(*find_place(canvas.atlas, ""), canvas.atlas, Lens(canvas.destination(), canvas.area), ui.scale);
}

void turn_wheel(const Ui& ui, CanvasView& canvas) {
    const ImGuiIO& io = ImGui::GetIO();
    const float along = io.KeyShift ? 0 : io.MouseWheel;
    const float across = io.KeyShift ? io.MouseWheel + io.MouseWheelH : io.MouseWheelH;
    // From where a zoom under way will end, so that quick notches add up. Two fingers hardly ever move straight: what
    // they do most is meant.
    if (std::abs(along) >= std::abs(across) && along != 0) {
        zoom_at_pointer(canvas, std::pow(wheel_step, static_cast<double>(along)));
    } else if (across != 0) {
        const Point middle = canvas.area.centre();
        const auto by = static_cast<float>(sideways_step) * ui.scale * across;
        canvas.camera = panned(canvas.destination(), canvas.area, middle, {middle.x + by, middle.y});
        canvas.motion.reset();
    }
}

void drag(const Ui& ui, CanvasView& canvas, const Press& press) {
    if (!canvas.held) {
        canvas.dragged = false;
        const std::optional<int> button = taking(press);
        if (!button) return;
        canvas.held = pointer();
        canvas.button = *button;
        return;
    }
    if (!ImGui::IsMouseDown(canvas.button)) {  // whoever asks in this frame still knows that it was a drag
        canvas.held.reset();
        return;
    }
    const Point at = pointer();
    const Point by{at.x - canvas.held->x, at.y - canvas.held->y};
    if (!canvas.dragged && std::hypot(static_cast<double>(by.x), static_cast<double>(by.y)) < drag_slack) return;
    canvas.dragged = true;
    const bool orbits = canvas.button == 1;
    if (orbits && !canvas.tilted) return;
    canvas.motion.reset();
    if (orbits)
        orbit(ui, canvas, by);
    else
        canvas.camera = panned(canvas.camera, canvas.area, *canvas.held, at);
    canvas.held = at;
    if (!orbits) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
}

}  // namespace headcount
