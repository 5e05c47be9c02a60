// Two canvases that are one: laid out for each other, moved together.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/diagram/view.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/compare/panels.hpp"

namespace headcount {
namespace {

constexpr float margin = 12, above = 12, below = 36, row = 30;  // design pixels
constexpr std::array<std::string_view, 2> canvas_names{"canvas", "canvas.b"},
    kept_as{"canvas.compare", "canvas.compare.b"};

// What both canvases share.
struct Together {
    std::array<std::optional<Point>, 2> extents;     // of the windows' room
    std::array<std::string, 2> layers{};             // that are drawn
    std::size_t chosen = 0;                          // on which side their kind was asked for last
    std::array<std::optional<Camera>, 2> seen{};     // where each was going when that was last looked for
    std::array<std::optional<Camera>, 2> to_follow;  // where the other one has gone
};

struct Sides {
    const Ui& ui;
    const std::array<DiagramOf, 2>& of;
    std::array<CanvasView*, 2> canvases;
    Together& together;

    const Counted& shown(std::size_t side) const { return of[side].counted(); }
};

// By id what is the same in both, sorted. A layer's tensor is compared with that of the layer that is shown beside it.
std::vector<std::string> alike(const Counted& own, const Atlas& atlas, const Counted& other, const Atlas& there) {
    std::vector<std::string> same;
    for (const Tensor& tensor : own.graph.tensors) {
        const std::string& id = tensor.id;
        const std::string& layer = atlas.layer;
        const bool inside = id.starts_with(layer) && id.size() > layer.size() && id[layer.size()] == '.';
        const Tensor* const same_tensor = other.graph.find(inside ? there.layer + id.substr(layer.size()) : id);
        if (same_tensor &&
            shape_in_numbers(tensor.shape, own.bindings) == shape_in_numbers(same_tensor->shape, other.bindings))
            same.push_back(id);
    }
    std::ranges::sort(same);
    return same;
}

// How much alike layers of two kinds are: what says more about a layer comes before all that says less.
int likeness(const LayerKind& a, const LayerKind& b) {
    constexpr std::array traits{&LayerKind::encoder,      &LayerKind::recurrent, &LayerKind::attention,
                                &LayerKind::windowed,     &LayerKind::borrows,   &LayerKind::mixture,
                                &LayerKind::feed_forward, &LayerKind::rotated,   &LayerKind::sparse};
    int alike = 0;
    for (const auto trait : traits) alike = 2 * alike + (a.*trait == b.*trait ? 1 : 0);
    return alike;
}

// Whose kind of layers it is that both are to show: that of the side on which one was pressed, or which has the place
// that was asked for, the first before the other. What is selected where it can be seen changes nothing.
void choose_layer(const Sides& sides) {
    Together& together = sides.together;
    const std::array<std::string, 2> before{sides.canvases[0]->layer, sides.canvases[1]->layer};
    for (const std::size_t side : {1U, 0U})
        if (before[side] != together.layers[side]) together.chosen = side;
    const Look& look = sides.of[0].shown.look;
    const bool asked = look.askings != sides.canvases[0]->askings || look.askings != sides.canvases[1]->askings;
    const bool seen = std::ranges::any_of(
        before, [&](const std::string& layer) { return subject_key(look.selection).starts_with(layer + "."); });
    for (const std::size_t side : {1U, 0U}) {
        CanvasView& canvas = *sides.canvases[side];
        follow_layer(sides.of[side], canvas);
        const bool other = canvas.layer != before[side] && sides.shown(side).graph.find_block(before[side]);
        const bool of_first = side == 1 && sides.shown(0).graph.find_block(canvas.layer);
        if (other && (of_first || (seen && !asked)))
            canvas.layer = before[side];
        else if (other)
            together.chosen = side;
    }
}

// The other side shows the kind that is most like it.
void agree_on_layer(const Sides& sides) {
    choose_layer(sides);
    Together& together = sides.together;
    const std::size_t chosen = together.chosen, other = 1 - chosen;
    const LayerKind& kind = layer_shown(sides.shown(chosen).graph, sides.canvases[chosen]->layer).group.kind;
    const ModelGraph& graph = sides.shown(other).graph;
    const LayerBlock* nearest = &graph.main_layer();
    for (const LayerBlock& layer : graph.layers)
        if (likeness(layer.group.kind, kind) > likeness(nearest->group.kind, kind)) nearest = &layer;
    sides.canvases[other]->layer = graph.blocks[nearest->block].id;
    for (const std::size_t side : {0U, 1U}) together.layers[side] = sides.canvases[side]->layer;
}

LayoutInput input_of(const Sides& sides, std::size_t side, std::vector<PageScale> scales) {
    LayoutInput input = layout_input(sides.ui, sides.of[0].shown.look.log_sides, sides.shown(side),
                                     sides.shown(1 - side), *sides.canvases[side]);
    input.layer = sides.together.layers[side];
    input.beside = Beside{side == 1, sides.together.layers[1 - side]};
    input.page_scales = std::move(scales);
    input.values = values_of_run(sides.of[side]);
    return input;
}

// Both anew where either is another.
void lay_out(const Sides& sides) {
    agree_on_layer(sides);
    const bool near = comes_near(sides.of[0], *sides.canvases[0]) || comes_near(sides.of[1], *sides.canvases[1]);
    const auto laid = [&](std::size_t side) {
        const CanvasView& canvas = *sides.canvases[side];
        return CanvasView::Laid{sides.shown(side).architecture,
                                sides.shown(1 - side).architecture,
                                sides.shown(side).input,
                                {canvas.area.width(), canvas.area.height()},
                                sides.ui.scale,
                                sides.of[0].shown.look.log_sides,
                                near,
                                sides.together.layers[side] + " " + sides.together.layers[1 - side],
                                {},
                                values_of_run(sides.of[side])};
    };
    const auto stays = [&](std::size_t side) {
        return !sides.canvases[side]->atlas.pages.empty() && sides.canvases[side]->laid == laid(side);
    };
    if (stays(0) && stays(1)) return;
    std::array<Atlas, 2> atlases;
    for (const std::size_t side : {0U, 1U}) atlases[side] = lay_out_atlas(input_of(sides, side, {}), near);
    const std::vector<PageScale> scales = shared_scales(atlases[0], atlases[1]);
    for (const std::size_t side : {0U, 1U})
        if (exceeds(atlases[side], scales)) atlases[side] = lay_out_atlas(input_of(sides, side, scales), near);
    for (const std::size_t side : {0U, 1U}) {
        CanvasView& canvas = *sides.canvases[side];
        take_pages(sides.ui, canvas, std::move(atlases[side]), laid(side));
        sides.together.seen[side].reset();
    }
    for (const std::size_t side : {0U, 1U}) {
        CanvasView& canvas = *sides.canvases[side];
        canvas.alike = alike(sides.shown(side), canvas.atlas, sides.shown(1 - side), sides.canvases[1 - side]->atlas);
    }
}

// What is the same recedes where something is not. Colours that say how far numbers are apart are of both.
void let_recede(const Sides& sides) {
    const auto differs = [&](std::size_t side) {
        return sides.canvases[side]->alike.size() < sides.shown(side).graph.tensors.size();
    };
    for (const std::size_t side : {0U, 1U})
        sides.canvases[side]->fades = sides.of[side].heat.empty() && (differs(0) || differs(1));
}

// A step that the eye follows without help.
bool near_by(const Camera& from, const Camera& to, Rect area) {
    constexpr double factor = 1.5, share = 0.25;
    const double apart = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)) * std::max(from.zoom, to.zoom);
    return std::abs(std::log(to.zoom / from.zoom)) < std::log(factor) && from.flat() == to.flat() &&
           apart < share * static_cast<double>(std::max(area.width(), area.height()));
}

// Goes where the other side has gone; returns whether it had.
bool follow(const Sides& sides, std::size_t side) {
    std::optional<Camera>& target = sides.together.to_follow[side];
    if (!target) return false;
    CanvasView& canvas = *sides.canvases[side];
    if (!sides.canvases[1 - side]->motion && near_by(canvas.camera, *target, canvas.area)) {
        canvas.motion.reset();
        canvas.camera = *target;
    } else {
        move_to(sides.ui, canvas, *target);
    }
    return true;
}

// The other side is to follow where this one was moved.
void lead(const Sides& sides, std::size_t side, bool followed) {
    Together& together = sides.together;
    const CanvasView& canvas = *sides.canvases[side];
    const CanvasView& other = *sides.canvases[1 - side];
    const Camera now = canvas.destination();
    const std::optional<Camera> before = std::exchange(together.seen[side], now);
    if (followed || (before && *before == now) || (!before && side == 1)) return;
    const Camera there = kept_near(other.atlas, same_place(now, canvas.atlas, other.atlas));
    if (there == other.destination()) return;
    together.to_follow[1 - side] = there;
    sides.ui.memory.animating = true;
}

// A alone says where one is.
Intents asked_on(std::size_t side, Intents intents) {
    if (side == 1) std::erase_if(intents, [](const Intent& intent) { return std::holds_alternative<Arrive>(intent); });
    return intents;
}

// Below the diagrams: the way here and the scale on the left, the buttons on the right.
void draw_row(const Sides& sides, std::size_t side) {
    const Ui& ui = sides.ui;
    CanvasView& canvas = *sides.canvases[side];
    const float centre = canvas.area.max.y + ui.px(row / 2 + 2);
    if (side == 1) {
        if (!sides.of[0].view.show.presenting) draw_canvas_corners(ui, sides.of[0], canvas);
        return;
    }
    float x = canvas.area.min.x;
    const float free =
        draw_scale_bar(ui, canvas, sides.of[0].shown.look.log_sides, canvas.area.max.x, centre) - ui.px(16);
    if (const std::optional<Stop> stop = draw_way(ui, sides.of[0], canvas, x, free, centre))
        move_to(ui, canvas, camera_at(*stop, canvas.atlas, canvas.lens(), ui.scale));
    const std::string_view remark = "dashed: the other's size";
    if (canvas.fades && free - x > text_width(ui.fonts.table, remark) + ui.px(8))
        draw_text(*ImGui::GetWindowDrawList(), ui.fonts.table, {x + ui.px(4), text_top(ui.fonts.table, centre)},
                  ui.theme.text_low, remark);
}

// As much room for both as the smaller window has, in whole pixels. Returns whether that is enough.
bool give_room(const Sides& sides, std::size_t side) {
    const Ui& ui = sides.ui;
    const ImVec2 min = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    Together& together = sides.together;
    together.extents[side] = {std::round(extent.x - 2 * ui.px(margin)), std::round(extent.y - ui.px(above + below))};
    Point room = *together.extents[side];
    if (const std::optional<Point>& there = together.extents[1 - side])
        room = {std::min(room.x, there->x), std::min(room.y, there->y)};
    if (!has_room(ui, room.x, room.y)) return false;
    const Point corner{std::round(min.x + ui.px(margin)), std::round(min.y + ui.px(above))};
    sides.canvases[side]->area = {corner, {corner.x + room.x, corner.y + room.y}};
    Rect& other = sides.canvases[1 - side]->area;
    other.max = {other.min.x + room.x, other.min.y + room.y};
    return true;
}

}  // namespace

std::array<DiagramOf, 2> compared_diagrams(const Session& session, const BothSides& both) {
    std::array<DiagramOf, 2> models{session, DiagramOf(both.other, session.view, both.page.run.told)};
    models[1].next = both.page.run.next;
    const bool coloured = !heat_of_numbers(both).empty();
    const bool valued = !coloured && tokens_of_run(models[0]) && tokens_of_run(models[1]);
    for (DiagramOf& model : models) {
        if (coloured) model.heat = heat_of_numbers(both);
        if (valued) continue;
        model.run.reset();
        model.next.reset();
    }
    return models;
}

Intents draw_compare_diagram(const Ui& ui, const std::array<DiagramOf, 2>& both, CompareSide of,
                             const ScenePainter& painter) {
    const std::size_t side = of == CompareSide::a ? 0 : 1;
    const Sides sides{ui,
                      both,
                      {&kept<CanvasView>(ui, kept_as[0]), &kept<CanvasView>(ui, kept_as[1])},
                      kept<Together>(ui, "compare.together")};
    CanvasView& canvas = *sides.canvases[side];
    canvas.name = canvas_names[side];
    canvas.has_strip = false;
    canvas.is_saved = of == CompareSide::a;
    canvas.other = &sides.shown(1 - side);
    canvas.painter = painter;
    if (!give_room(sides, side)) {
        say_no_room(ui);
        return {};
    }
    lay_out(sides);
    let_recede(sides);
    const bool followed = follow(sides, side);
    Intents asked;
    canvas.corners = {};
    const std::optional<Camera> camera = side == 1 && !both[0].view.show.presenting
                                             ? press_canvas_corners(ui, sides.of[0], canvas, asked)
                                             : std::nullopt;
    if (camera) move_to(ui, canvas, *camera);
    Intents intents = asked_on(side, steer_canvas(ui, sides.of[side], canvas));
    // Where both answer one key, the first side's answer is that of both.
    if (followed) follow(sides, side);
    sides.together.to_follow[side].reset();
    lead(sides, side, followed);
    canvas.seen = seen_pages(canvas.atlas, canvas.lens());
    compose_canvas(ui, sides.of[side], canvas);
    show_canvas(ui, canvas);
    explain_hit(ui, sides.of[side], canvas);
    draw_row(sides, side);
    for (Intent& intent : asked) intents.push_back(std::move(intent));
    for (Intent& intent : asked_on(side, draw_canvas_menu(ui, sides.of[side], canvas)))
        intents.push_back(std::move(intent));
    return intents;
}

}  // namespace headcount
