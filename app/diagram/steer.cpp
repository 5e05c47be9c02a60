// What moves the canvas's camera: places that are asked for, the wheel, drags, double clicks and keys.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "app/canvas/arrange/picking.hpp"
#include "app/diagram/view.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/menu.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

constexpr double motion_time = 0.34;  // seconds from one place to another
constexpr float legible = 12;         // design pixels: a smaller cell is but a dot to a class

// The places on the way to where the camera is going, so that one key after the other adds up.
std::vector<Stop> way_there(const CanvasView& canvas) {
    if (!canvas.motion) return canvas.way;
    const Lens lens(canvas.motion->to, canvas.area);
    return way_here(canvas.atlas, lens, seen_pages(canvas.atlas, lens));
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

// Of a cell with what it is made of: the matrix, and those beside it in which cells are framed with it. The stream
// behind a sum is no matrix, and is where its mark is; what has none either is where what it is made of is.
std::optional<Stop> stop_with_framed(const Atlas& atlas, const Place& place, std::span<const FramedCells> framed) {
    std::optional<Stop> all = find_place(atlas, place.id, place.copy);
    if (!all) all = find_mark(atlas, place.id);
    for (const FramedCells& each : framed) {
        if (each.why != FramedCells::Why::read) continue;
        std::optional<Stop> other = find_place(atlas, each.id, each.copy.value_or(place.copy), all ? &*all : nullptr);
        if (!other) other = find_mark(atlas, each.id);
        if (!all) all = other;
        if (other && other->leaf == all->leaf) all->rect = around(all->rect, other->rect);
    }
    return all;
}

// How wide and how high the cells of that matrix are, where it has several.
WorldPoint cell_extent(const Atlas& atlas, const Stop& cell) {
    WorldPoint extent{0, 0};
    for (const auto& [row, column] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}}) {
        const Cell beside{cell.cell.row + row, cell.cell.column + column};
        const std::optional<Stop> other = find_cell(atlas, cell.id, cell.leaf.copy, beside);
        if (!other) continue;
        extent.x = std::max(extent.x, std::abs(other->rect.centre().x - cell.rect.centre().x));
        extent.y = std::max(extent.y, std::abs(other->rect.centre().y - cell.rect.centre().y));
    }
    return extent;
}

// Of a cell, where neither a row nor a column that it is made of is seen with it: with so many times more around it
// than sees who goes there oneself, and something of the cells beside it. One that is not drawn as a matrix's is where
// one is that it is made of.
constexpr double more_around = 2.5, cells_beside = 2.6;
std::optional<Stop> stop_by_itself(const Atlas& atlas, const Place& place, std::span<const FramedCells> framed) {
    std::optional<Stop> cell = find_cell(atlas, place.id, place.copy, {(*place.cell)[0], (*place.cell)[1]});
    if (!cell && find_mark(atlas, place.id)) return std::nullopt;  // a cell of another matrix is not that cell
    for (const FramedCells& each : framed) {
        if (each.why != FramedCells::Why::read) continue;
        const std::int64_t copy = each.copy.value_or(place.copy);
        const std::optional<Stop> other = find_cell(atlas, each.id, copy, each.least);
        if (!cell) cell = other;
        if (other && other->leaf == cell->leaf && !(each.least == each.most)) return std::nullopt;
    }
    if (!cell) return std::nullopt;
    const WorldPoint middle = cell->rect.centre(), one = cell_extent(atlas, *cell);
    const double across = std::max(cell->rect.width() * more_around, one.x * cells_beside) / 2;
    const double down = std::max(cell->rect.height() * more_around, one.y * cells_beside) / 2;
    cell->rect = {{middle.x - across, middle.y - down}, {middle.x + across, middle.y + down}};
    return cell;
}

// Right of what lies over the picture's left.
Rect free_of(const CanvasView& canvas, float covered) {
    constexpr float most = 0.6F;  // of the picture: with more there is no place beside it
    Rect area = canvas.area;
    if (covered < area.width() * most) area.min.x += covered;
    return area;
}

// The camera that shows it there.
Camera camera_beside(const Stop& stop, const CanvasView& canvas, const Lens& now, float covered, float unit) {
    const Rect area = free_of(canvas, covered);
    Camera camera = camera_at(stop, canvas.atlas, Lens(now.camera(), area), unit);
    camera.x -= static_cast<double>(area.centre().x - canvas.area.centre().x) / camera.zoom;
    return camera;
}

// Whether all of it can be seen in this part of the picture, nearly as large as if one had gone there; where one
// watches from a place of one's own choice, however small.
bool well_in_sight(const Lens& lens, const Rect& area, const WorldRect& rect, const Camera& there, bool chosen) {
    constexpr double nearly = 0.6;
    const Rect box = around(lens.project(rect.min), lens.project(rect.max));
    return lens.camera().flat() && area.holds(box) && (chosen || lens.camera().zoom >= nearly * there.zoom);
}

// The camera for which it stands there.
Camera camera_with(const Stop& stop, const Rect& there, const CanvasView& canvas) {
    Camera camera = canvas.camera;
    camera.tilt = camera.turn = 0;
    camera.zoom = static_cast<double>(there.width()) / stop.rect.width();
    camera.x = stop.rect.centre().x - static_cast<double>(there.centre().x - canvas.area.centre().x) / camera.zoom;
    camera.y = stop.rect.centre().y - static_cast<double>(there.centre().y - canvas.area.centre().y) / camera.zoom;
    return camera;
}

void answer_asking(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas) {
    const Look& look = diagram.shown.look;
    if (!diagram.watch) canvas.strays = false;
    if (std::exchange(canvas.askings, look.askings) == look.askings) return;
    const bool framed = look.asked_for.cell && !diagram.framed.empty();
    std::optional<Stop> place =
        framed ? stop_with_framed(canvas.atlas, look.asked_for, diagram.framed) : stop_at(canvas.atlas, look.asked_for);
    if (!place) return;
    const auto& before = diagram.seen_before;
    const auto seen = before ? find_place(canvas.atlas, before->first.id, before->first.copy) : std::nullopt;
    if (seen && before->second.width() > 0) {
        canvas.motion.reset();
        canvas.camera = camera_with(*seen, before->second, canvas);
    }
    const Lens now(canvas.destination(), canvas.area);
    Camera there = camera_beside(*place, canvas, now, framed ? diagram.covered : 0, ui.scale);
    // Whoever watches sees what fills, matrix by matrix.
    const auto cell =
        framed && !diagram.watch ? stop_by_itself(canvas.atlas, look.asked_for, diagram.framed) : std::nullopt;
    if (cell && there.zoom * cell->rect.width() < static_cast<double>(ui.px(legible)) * cells_shown * more_around) {
        place = cell;
        there = camera_beside(*place, canvas, now, diagram.covered, ui.scale);
    }
    // What is watched comes to rest with its card, which finds room beside a cell that was pressed.
    const Rect area = diagram.watch && !canvas.strays ? free_of(canvas, diagram.covered) : canvas.area;
    const bool stays = framed && well_in_sight(now, area, place->rect, there, canvas.strays);
    if (!stays) move_to(ui, canvas, there);
    if (!stays) canvas.strays = diagram.watch && !framed;
}

void answer_tilt(const Ui& ui, const Look& look, CanvasView& canvas) {
    if (std::exchange(canvas.tilted, look.tilted) == look.tilted) return;
    // The same place, seen otherwise.
    const Lens now(canvas.destination(), canvas.area);
    const Stop place = way_here(canvas.atlas, now, seen_pages(canvas.atlas, now)).back();
    Camera camera = canvas.destination();
    camera.tilt = look.tilted ? usual_tilt : 0;
    camera.turn = look.tilted ? usual_turn : 0;
    move_to(ui, canvas, camera_at(place, canvas.atlas, Lens(camera, canvas.area), ui.scale));
}

// The place next further in from where one is, towards a point of the screen. A layer is more a part of the model's
// picture than a place of its own: from the model one comes to its sub-blocks at once.
std::optional<Stop> further_in(const CanvasView& canvas, Point towards) {
    const std::vector<Stop> under = places_under(canvas.atlas, canvas.lens(), canvas.seen, towards);
    for (std::size_t i = 0; i < under.size(); ++i) {
        if (i < canvas.way.size() && under[i].same_place(canvas.way[i])) continue;
        const bool passes = under[i].kind == Stop::Kind::layer && i + 1 < under.size();
        return under[passes ? i + 1 : i];
    }
    return std::nullopt;
}

void go_to(const Ui& ui, CanvasView& canvas, const Stop& stop) {
    canvas.strays = true;
    move_to(ui, canvas, camera_at(stop, canvas.atlas, Lens(canvas.destination(), canvas.area), ui.scale));
}

// From cell to cell, as near as one is.
void step_cells(const Ui& ui, CanvasView& canvas, const Stop& cells, const WorldRect& matrix, int right, int down) {
    const double side = cells.rect.width() / cells_shown;
    Camera camera = canvas.destination();
    camera.x = std::clamp(camera.x + right * side, matrix.min.x, matrix.max.x);
    camera.y = std::clamp(camera.y + down * side, matrix.min.y, matrix.max.y);
    move_to(ui, canvas, camera);
}

// Which head's a page is.
Copies copies_on(const ModelGraph& graph, const Atlas& atlas, const Leaf& leaf) {
    const Block* const block = graph.find_block(atlas.pages[leaf.page].block);
    if (!block || !graph.is(static_cast<BlockIndex>(block - graph.blocks.data()), BlockKind::head)) return {};
    return {.layer = {}, .head = leaf.copy, .expert = {}};
}

// The next matrix of the model's picture, in the order of the data.
Intents select_next(const DiagramOf& diagram, const CanvasView& canvas, int by) {
    std::vector<std::string_view> ids;
    for (const Slab& slab : canvas.atlas.pages.front().scene.slabs)
        if (diagram.counted().graph.find(slab.id) && !contains(ids, slab.id)) ids.push_back(slab.id);
    if (ids.empty() || by == 0) return {};
    const auto found = std::ranges::find(ids, subject_key(diagram.shown.look.selection));
    const auto count = static_cast<int>(ids.size());
    const int index =
        found == ids.end() ? (by > 0 ? 0 : count - 1) : (static_cast<int>(found - ids.begin()) + by + count) % count;
    return {Select{TensorSubject{std::string(ids[static_cast<std::size_t>(index)])}}};
}

// Left and right along the data, up and down through siblings: from place to place, or among the model's matrices.
Intents step(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas) {
    const bool presents = presents_diagram(diagram.view);
    // Then they step the tour, or lift the curtain.
    if (presents && (diagram.step || diagram.view.show.aids.curtain != Curtain::none)) return {};
    // Without one a clicker goes from matrix to matrix.
    const int clicked = !presents
                            ? 0
                            : compat::key_pressed(ImGuiKey_PageDown) + compat::key_pressed(ImGuiKey_Space, false) -
                                  compat::key_pressed(ImGuiKey_PageUp);
    const int right = clicked + compat::key_pressed(ImGuiKey_RightArrow) - compat::key_pressed(ImGuiKey_LeftArrow);
    const int down = compat::key_pressed(ImGuiKey_DownArrow) - compat::key_pressed(ImGuiKey_UpArrow);
    if (right == 0 && down == 0) return {};
    compat::keep_focus();
    const std::vector<Stop> way = way_there(canvas);
    const Stop& here = way.back();
    if (here.kind == Stop::Kind::model || here.kind == Stop::Kind::layer)
        return select_next(diagram, canvas, right + down);
    if (here.kind == Stop::Kind::cells) {
        step_cells(ui, canvas, here, way[way.size() - 2].rect, right, down);
        return {};
    }
    const std::optional<Stop> next = neighbour(canvas.atlas, here, right, down);
    if (!next) return {};
    go_to(ui, canvas, *next);
    if (next->kind == Stop::Kind::matrix)
        return {Select{TensorSubject{next->id, copies_on(diagram.counted().graph, canvas.atlas, next->leaf)}}};
    return {};
}

void go_up(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas) {
    // Presenting ends with Esc, and Backspace steps back what there is to step.
    const bool presents = diagram.view.show.presenting,
               steps = presents && (diagram.step || !presents_diagram(diagram.view));
    const bool asked = (!presents && !canvas.escape_taken && compat::key_pressed(ImGuiKey_Escape, false)) ||
                       (!steps && compat::key_pressed(ImGuiKey_Backspace, false));
    const bool taken = ImGui::GetIO().WantTextInput || compat::popup_is_or_was_open() || diagram.view.manual;
    if (!asked || taken) return;
    const std::vector<Stop> way = way_there(canvas);
    if (way.size() > 1 || canvas.destination() != home_of(ui, canvas))
        go_to(ui, canvas, way[way.size() > 1 ? way.size() - 2 : 0]);
}

// By Enter, or Space where it has the ring: to the selected matrix, or else further into what is in the middle.
void go_in(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas) {
    const auto* selected = std::get_if<TensorSubject>(&diagram.shown.look.selection);
    const auto is_selected = [&](const Stop& stop) { return stop.id == selected->id; };
    if (selected && std::ranges::none_of(canvas.way, is_selected))
        if (const std::optional<Stop> place =
                find_place(canvas.atlas, selected->id, selected->copies.head.value_or(canvas.way.back().leaf.copy)))
            return go_to(ui, canvas, *place);
    if (const std::optional<Stop> place = further_in(canvas, canvas.area.centre())) go_to(ui, canvas, *place);
}

// A slab's id names a tensor; where its operation has no tensor of this name (a norm's label), what it makes.
Subject subject_of(const ModelGraph& graph, const Atlas& atlas, const Hit& hit) {
    Subject subject = subject_from_key(hit.id);
    auto* const tensor = std::get_if<TensorSubject>(&subject);
    if (!tensor) return subject;
    if (!graph.find(tensor->id)) return {};
    tensor->copies = copies_on(graph, atlas, hit.behind.value_or(hit.leaf));
    return subject;
}

// The token under the pointer, itself or a row of an activation, so that the same one is lit everywhere.
std::optional<double> token_under(const NumberedGraph& model, const Hit& hit) {
    if (hit.slab && hit.slab->token) return hit.slab->token;
    const Tensor* tensor = model.graph.find(hit.id);
    if (!hit.slab || !hit.cell || !tensor) return std::nullopt;
    return token_of(*hit.slab, *tensor, *hit.cell, model.bindings[Symbol::tokens].value_or(1));
}

Intents point(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas, const Press& press) {
    Intents intents;
    const std::optional<Hit> hit = pick(canvas.atlas, canvas.lens(), canvas.seen, pointer());
    const Subject subject = hit ? subject_of(diagram.counted().graph, canvas.atlas, *hit) : Subject{};
    if (ImGui::IsMouseClicked(0)) canvas.entered = false;
    if (ImGui::IsMouseDoubleClicked(0)) {
        canvas.entered = true;
        if (const std::optional<Stop> place = further_in(canvas, pointer())) go_to(ui, canvas, *place);
    }
    const bool kind = hit && !hit->slab && layer_with(diagram.counted().graph, hit->id) == hit->id;
    canvas.pressed = press.pressed && !canvas.dragged && !canvas.entered;
    if (canvas.pressed) {
        if (kind)
            canvas.layer = hit->id;
        else
            intents.push_back(Select{subject});
    }
    if (kind && press.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseReleased(1) && !canvas.dragged && !diagram.view.show.presenting) {
        canvas.asked = nothing(subject) ? std::nullopt : hit;
        if (canvas.asked) intents.push_back(Select{subject});
        open_menu(ui, "canvas.menu");
    }
    // While the picture is held or moves, what passes below the pointer is not pointed at.
    if (canvas.held || canvas.motion) return intents;
    if (kind && canvas.explains) canvas.explained = hit;
    if (nothing(subject)) return intents;
    canvas.pointed = hit->behind;
    canvas.token = token_under({diagram.counted().graph, diagram.counted().bindings}, *hit);
    canvas.hover = subject;
    intents.push_back(Hover{subject});
    if (canvas.explains || canvas.pressed) canvas.explained = hit;
    return intents;
}

// Whether arrow keys and Enter are the canvas's: it has the keyboard, or the pointer is on it and nothing else is seen
// to have it.
bool has_keys(const Press& press, bool last_used) {
    if (ImGui::GetIO().WantTextInput || compat::popup_is_or_was_open()) return false;
    return press.focused || last_used || (press.hovered && !ImGui::GetIO().NavVisible);
}

}  // namespace

std::optional<Stop> stop_at(const Atlas& atlas, const Place& place) {
    std::optional<Stop> whole = find_place(atlas, place.id, place.copy);
    if (!place.cell) return whole;
    // One that is drawn cut has no cells to go to.
    const std::optional<Stop> cell = find_cell(atlas, place.id, place.copy, {(*place.cell)[0], (*place.cell)[1]});
    return cell ? cell : whole;
}

void move_to(const Ui& ui, CanvasView& canvas, const Camera& camera) {
    canvas.motion.reset();
    if (ui.reduced_motion)
        canvas.camera = camera;
    else if (!(canvas.camera == camera))
        canvas.motion = CanvasView::Motion{canvas.camera, camera, ImGui::GetTime()};
}

Intents steer_canvas(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas) {
    const Rect& area = canvas.area;
    const Camera before = canvas.camera;
    const Press press =
        press_area(ui, "canvas", {area.min.x, area.min.y}, {area.max.x, area.max.y}, size::radius_button);
    const bool last_used = compat::has_focus(ImGui::GetID("canvas"));
    answer_tilt(ui, diagram.shown.look, canvas);
    answer_asking(ui, diagram, canvas);
    move_on(ui, canvas);
    const Camera led = canvas.destination();
    // ImGui hovers nothing from a key on until the pointer moves; the wheel is meant for what is below it all the same.
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({area.min.x, area.min.y}, {area.max.x, area.max.y}))
        turn_wheel(ui, canvas);
    drag(ui, canvas, press);
    canvas.strays |= !(canvas.destination() == led);
    if (!canvas.motion) stay_near(canvas);
    // Words beside a pointer that only zooms would hide what is zoomed.
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    canvas.explains = canvas.camera == before && (canvas.explains || moved.x != 0 || moved.y != 0);
    const Lens lens = canvas.lens();
    canvas.seen = seen_pages(canvas.atlas, lens);
    canvas.way = way_here(canvas.atlas, lens, canvas.seen);
    canvas.token.reset();
    canvas.hover.reset();
    canvas.explained.reset();
    canvas.pressed = false;
    canvas.pointed.reset();
    Intents intents;
    const Place here{canvas.way.back().id, canvas.way.back().leaf.copy, {}};
    if (!(here == diagram.shown.look.here)) intents.push_back(Arrive{here});
    go_up(ui, diagram, canvas);
    // In another view that is presented they are that view's steps.
    const bool others = diagram.view.show.presenting && !presents_diagram(diagram.view);
    const bool keys = !others && has_keys(press, last_used);
    const bool presents =
        presents_diagram(diagram.view) && !diagram.view.manual && !diagram.view.task && !compat::popup_is_or_was_open();
    if (keys || presents)
        for (Intent& intent : step(ui, diagram, canvas)) intents.push_back(std::move(intent));
    // A presenter's Space steps.
    const bool by_space = press.pressed && !ImGui::IsMouseReleased(0) && !diagram.view.show.presenting;
    if ((keys && compat::enter_pressed()) || by_space || canvas.goes_in(diagram.shown.look)) go_in(ui, diagram, canvas);
    canvas.inwards = diagram.shown.look.inwards;
    if (press.hovered)
        for (Intent& intent : point(ui, diagram, canvas, press)) intents.push_back(std::move(intent));
    // Once more, for what is pointed at when it has come to rest.
    if (!(canvas.camera == before)) ui.memory.animating = true;
    return intents;
}

}  // namespace headcount
